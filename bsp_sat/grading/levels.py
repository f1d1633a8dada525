"""Boards made to specification, by hill climbing: swaps of two balls until a board meets the specification.

Each board of a pack has its own series of climbs. A climb starts at a random board, and accepts a swap if the new board
is no farther from the specification. Its random numbers depend only on the seed, the number of the board in the pack
and the number of the climb. So the same seed gives the same boards, however many climbs run at a time.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from random import Random
from threading import Event
from typing import Any

from bsp_sat.backends.run import Call, Failure, Here, Pool
from bsp_sat.grading.board_spec import BoardSpec
from bsp_sat.grading.canonical_form import Tubes, canonical_form
from bsp_sat.grading.grade import grades_of
from bsp_sat.grading.measures import MEASURES
from bsp_sat.grading.study import Study
from bsp_sat.grading.what_if import swapped
from bsp_sat.instances.errors import BackendError
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import SortPuzzle

CLIMB = 300  # boards tried by one climb
AHEAD = 2  # climbs for each worker that are started before they are needed


@dataclass(frozen=True)
class Climbed:
    """The result of a climb.

    Attributes:
        tubes: the tubes of the nearest board.
        distance: its distance from the specification; 0 if it meets it.
        tried: number of boards tried.
        grades: its grades, as `Grade.to_json` writes them; empty if it doesn't meet the specification.
    """

    tubes: tuple[bytes, ...]
    distance: float
    tried: int
    grades: dict[str, Any]


def climb(start: SortPuzzle, spec: BoardSpec, seed: str, tries: int) -> Climbed:
    """Climbs from a board and grades the result; runs in a worker process.

    Args:
        start: the board to start at.
        spec: the specification.
        seed: seed of the random numbers.
        tries: number of boards to try.
    """
    chance = Random(seed)
    best = start
    nearest = spec.distance(Study(start))
    tried = 1
    while nearest and tried < tries:
        following = swapped_at_random(best, chance)
        distance = spec.distance(Study(following), nearest)
        tried += 1
        if distance <= nearest:
            best, nearest = following, distance
    study = Study(best)
    grades = {name: grade.to_json() for name, grade in grades_of(study, MEASURES)} if not nearest else {}
    return Climbed(best.tubes, nearest, tried, grades)


def swapped_at_random(puzzle: SortPuzzle, chance: Random) -> SortPuzzle:
    """The board with two random balls of different colours swapped; unchanged if it has only one colour."""
    places = [(tube, height) for tube, balls in enumerate(puzzle.tubes) for height in range(len(balls))]
    if len(puzzle.palette) < 2:
        return puzzle
    while True:
        one, other = chance.sample(places, 2)
        if puzzle.tubes[one[0]][one[1]] != puzzle.tubes[other[0]][other[1]]:
            return swapped(puzzle, one, other)


@dataclass(frozen=True)
class Level:
    """A board of a pack.

    Attributes:
        number: its place in the pack, from 0.
        puzzle: the board; if none met the specification, the nearest one that was found.
        distance: its distance from the specification; 0 if it meets it.
        grades: its grades, as `Grade.to_json` writes them; empty if it doesn't meet the specification.
        tried: number of boards tried for it.
    """

    number: int
    puzzle: SortPuzzle
    distance: float
    grades: dict[str, Any]
    tried: int

    def to_json(self, seed: int) -> dict[str, Any]:
        """The board as a JSON object with its grades; ``seed`` is in its name."""
        kind, colours = self.puzzle.kind, len(self.puzzle.palette)
        optimum = self.grades["optimum"]["value"] if "optimum" in self.grades else "unsolvable"
        return {
            "name": f"level-{kind}-c{colours}-s{seed}-{self.number}",
            **self.puzzle.to_json(),
            "optimal": {kind: optimum},
            "grades": self.grades,
        }


def make_levels(
    specs: Sequence[BoardSpec],
    seed: int,
    pool: Pool | Here,
    stop: Event,
    *,
    workers: int = 1,
    most_tries: int = 20 * CLIMB,
    on_climb: Callable[[int, int, float], object] = lambda number, tried, distance: None,
) -> Iterator[Level]:
    """Makes a board for each specification, in their order; no two boards are equivalent.

    Args:
        specs: one specification for each board.
        seed: the same seed gives the same boards.
        pool: does the work.
        stop: ends the work when set.
        workers: number of workers.
        most_tries: boards to try for one specification before settling for the nearest.
        on_climb: called with the number of the board, boards tried for it so far, and the distance of the nearest.

    Raises:
        BackendError: a worker crashed twice.
    """
    climbs = _Climbs(specs, seed, pool, stop, AHEAD * workers)
    made: set[Tubes] = set()
    for number, spec in enumerate(specs):
        level = _nearest(number, spec, climbs.of(number), made, most_tries, partial(on_climb, number))
        if level is None or stop.is_set():
            return
        if not level.distance:
            made.add(canonical_form(level.puzzle))
        yield level


class _Climbs:
    """The climbs of every board of a pack.

    Args:
        specs: one specification for each board.
        seed: seed of the pack.
        pool: does them.
        stop: ends the climbs when set.
        ahead: start the first climbs of this many boards, counted from the current one.
    """

    def __init__(self, specs: Sequence[BoardSpec], seed: int, pool: Pool | Here, stop: Event, ahead: int) -> None:
        self._specs = specs
        self._seed = seed
        self._pool = pool
        self._stop = stop
        self._ahead = ahead
        self._first: dict[int, Future[Climbed | Failure]] = {}  # by the number of the board

    def of(self, number: int) -> Iterator[Climbed]:
        """The results of a board's climbs, one after the other, without end unless stopped.

        Raises:
            BackendError: a worker crashed twice.
        """
        for later in range(number, min(len(self._specs), number + self._ahead)):
            if later not in self._first:
                self._first[later] = self._begin(later, 0)
        climbs = chain([self._first.pop(number)], (self._begin(number, attempt) for attempt in count(1)))
        while not self._stop.is_set():
            found = next(climbs).result()
            if self._stop.is_set():
                return
            if isinstance(found, Failure):
                raise BackendError(found.error)
            yield found

    def _begin(self, number: int, attempt: int) -> Future[Climbed | Failure]:
        spec = self._specs[number]
        climb_seed = f"{self._seed} {number} {attempt}"
        numbers = spec.colours, spec.capacity, spec.empty
        start = next(random_boards(spec.rule, *numbers, seed=Random(climb_seed).getrandbits(60)))
        return self._pool.submit(Call(climb, (start.puzzle, spec, climb_seed, CLIMB)))


def _nearest(
    number: int,
    spec: BoardSpec,
    climbs: Iterator[Climbed],
    made: Collection[Tubes],
    most_tries: int,
    on_climb: Callable[[int, float], object],
) -> Level | None:
    """The first new board that meets ``spec``, or after ``most_tries`` the nearest one; None if the climbs end."""
    nearest: Level | None = None
    tried = 0
    for found in climbs:
        tried += found.tried
        puzzle = spec.rule(found.tubes, spec.capacity, "full", tuple(range(spec.colours)))
        if canonical_form(puzzle) not in made and (nearest is None or found.distance < nearest.distance):
            nearest = Level(number, puzzle, found.distance, found.grades, tried)
        on_climb(tried, nearest.distance if nearest else found.distance)
        if nearest is None and tried >= most_tries:  # only boards that were made before
            nearest = Level(number, puzzle, float("inf"), {}, tried)
        if nearest is not None and (not nearest.distance or tried >= most_tries):
            return replace(nearest, tried=tried)
    return None
