"""Boards to order: a search that changes boards by swaps of two balls until they are what is asked for.

Every board of a pack has a series of climbs of its own. A climb begins at a random board, and goes to a board one swap
away where that is no farther from the order. All of its chances come from the seed, the number of the board in the pack
and the number of the climb, so that the same seed gives the same boards however many climbs run at a time.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from random import Random
from threading import Event
from typing import Any

from bsp_sat.backends.many.pool import CallTask, Failure
from bsp_sat.backends.process.call import Call
from bsp_sat.backends.process.limits import Limits
from bsp_sat.backends.result import BackendError
from bsp_sat.grading.board_spec import BoardSpec
from bsp_sat.grading.canonical_form import Tubes, canonical_form
from bsp_sat.grading.grade import grades_of
from bsp_sat.grading.registry import MEASURES
from bsp_sat.grading.study import Study
from bsp_sat.grading.what_if import swapped
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import SortPuzzle

CLIMB = 300  # boards looked at by one climb
AHEAD = 2  # climbs for each worker that are begun before they are needed


@dataclass(frozen=True)
class Climbed:
    """What a climb came to.

    Attributes:
        tubes: of the nearest board.
        distance: how far it is from the order, 0 where it is as ordered.
        tried: boards looked at.
        grades: of a board that is as ordered, as `Grade.to_json` writes them; empty for others.
    """

    tubes: tuple[bytes, ...]
    distance: float
    tried: int
    grades: dict[str, Any]


Submit = Callable[[CallTask[Climbed]], Future[Climbed | Failure]]


def climb(start: SortPuzzle, order: BoardSpec, seed: str, tries: int) -> Climbed:
    """Climbs from a board, in a worker's process, and grades what it came to.

    Args:
        start: the board to begin at.
        order: what is asked for.
        seed: of its chances.
        tries: boards to look at.
    """
    chance = Random(seed)
    best = start
    nearest = order.distance(Study(start))
    tried = 1
    while nearest and tried < tries:
        following = swapped_at_random(best, chance)
        distance = order.distance(Study(following), nearest)
        tried += 1
        if distance <= nearest:
            best, nearest = following, distance
    study = Study(best)
    grades = {name: grade.to_json() for name, grade in grades_of(study, MEASURES)} if not nearest else {}
    return Climbed(best.tubes, nearest, tried, grades)


def swapped_at_random(puzzle: SortPuzzle, chance: Random) -> SortPuzzle:
    """The board after two balls of different colours have swapped places; itself where there is one colour only."""
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
        puzzle: the board; the nearest that was found where none is as ordered.
        distance: how far it is from the order, 0 where it is as ordered.
        grades: what was measured, as `Grade.to_json` writes it; empty where it isn't as ordered.
        tried: boards looked at for it.
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
    orders: Sequence[BoardSpec],
    seed: int,
    submit: Submit,
    stop: Event,
    *,
    workers: int = 1,
    most_tries: int = 20 * CLIMB,
    on_climb: Callable[[int, int, float], object] = lambda number, tried, distance: None,
) -> Iterator[Level]:
    """Makes a board for each order, in their order, none of them twice.

    Args:
        orders: one for each board.
        seed: the same seed gives the same boards.
        submit: hands work to the workers.
        stop: ends it when set.
        workers: how many there are.
        most_tries: boards looked at for one order before giving up with the nearest.
        on_climb: told the number of the board, boards tried for it so far, and how far the nearest one is.

    Raises:
        BackendError: a worker crashed twice.
    """
    climbs = _Climbs(orders, seed, submit, stop, AHEAD * workers)
    made: set[Tubes] = set()
    for number, order in enumerate(orders):
        level = _nearest(number, order, climbs.of(number), made, most_tries, partial(on_climb, number))
        if level is None or stop.is_set():
            return
        if not level.distance:
            made.add(canonical_form(level.puzzle))
        yield level


class _Climbs:
    """The climbs of every board of a pack.

    Args:
        orders: one for each board.
        seed: of the pack.
        submit: hands a climb to the workers.
        stop: ends them when set.
        ahead: from the board that is being made on, how many have their first climb begun.
    """

    def __init__(self, orders: Sequence[BoardSpec], seed: int, submit: Submit, stop: Event, ahead: int) -> None:
        self._orders = orders
        self._seed = seed
        self._submit = submit
        self._stop = stop
        self._ahead = ahead
        self._first: dict[int, Future[Climbed | Failure]] = {}  # by the number of the board

    def of(self, number: int) -> Iterator[Climbed]:
        """What the climbs of a board come to, one after the other, without end unless stopped.

        Raises:
            BackendError: a worker crashed twice.
        """
        for later in range(number, min(len(self._orders), number + self._ahead)):
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
        order = self._orders[number]
        chances = f"{self._seed} {number} {attempt}"
        numbers = order.colours, order.capacity, order.empty
        start = next(random_boards(order.rule, *numbers, seed=Random(chances).getrandbits(60)))
        return self._submit(CallTask(Call(climb, (start.puzzle, order, chances, CLIMB)), Limits()))


def _nearest(
    number: int,
    order: BoardSpec,
    climbs: Iterator[Climbed],
    made: Collection[Tubes],
    most_tries: int,
    on_climb: Callable[[int, float], object],
) -> Level | None:
    """The first board that is as ordered and not made yet, after ``most_tries`` the nearest; None where climbs end."""
    nearest: Level | None = None
    tried = 0
    for found in climbs:
        tried += found.tried
        puzzle = order.rule(found.tubes, order.capacity, "full", tuple(range(order.colours)))
        if canonical_form(puzzle) not in made and (nearest is None or found.distance < nearest.distance):
            nearest = Level(number, puzzle, found.distance, found.grades, tried)
        on_climb(tried, nearest.distance if nearest else found.distance)
        if nearest is None and tried >= most_tries:  # all of them were made before
            nearest = Level(number, puzzle, float("inf"), {}, tried)
        if nearest is not None and (not nearest.distance or tried >= most_tries):
            return replace(nearest, tried=tried)
    return None
