"""Boards made to specification, by hill climbing: swaps of two balls until a board meets the specification.

Each board of a pack has its own series of climbs. A climb starts at a random board, and accepts a swap if the new board
is no farther from the specification. Its random numbers depend only on the seed, the number of the board in the pack
and the number of the climb. So the same seed gives the same boards, however many climbs run at a time.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from math import inf
from random import Random
from threading import Event
from typing import Any

from bsp_sat.apps.levels.board_spec import BoardSpec
from bsp_sat.apps.levels.canonical_form import Tubes, canonical_form
from bsp_sat.apps.levels.grade import grades_of, measures_of
from bsp_sat.apps.levels.measures import MEASURES, Measure
from bsp_sat.apps.levels.study import Study
from bsp_sat.apps.levels.what_if import swapped
from bsp_sat.backends.run import Call, Failure, Here, Pool
from bsp_sat.instances.errors import BackendError, Unsupported
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import SortPuzzle

CLIMB = 300  # boards tried by one climb
AHEAD = 2  # climbs for each worker that are started before they are needed
CANDIDATES = 4  # boards made for each of a pack along a curve
MANY_REPEATS = 20  # climbs to boards of the pack without a new board, after which no more of its kind are looked for


@dataclass(frozen=True)
class Climbed:
    """The result of a climb: the distance from the specification, 0 if it is met, and what is `BoardSpec.unmet`."""

    tubes: tuple[bytes, ...]
    distance: float
    tried: int
    grades: dict[str, Any]
    unmet: tuple[str, ...] = ()


def climb(start: SortPuzzle, spec: BoardSpec, seed: str, tries: int, measures: Collection[Measure]) -> Climbed:
    """Climbs from a board, by ``tries`` boards at most, and grades the result by ``measures`` and those of ``spec``."""
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
    if nearest:
        return Climbed(best.tubes, nearest, tried, {}, spec.unmet(study))
    return Climbed(best.tubes, nearest, tried, _graded(study, measures))


def _graded(study: Study, measures: Collection[Measure]) -> dict[str, Any]:
    return {name: grade.to_json() for name, grade in grades_of(study, measures)}


def graded(puzzle: SortPuzzle, measures: Collection[Measure]) -> dict[str, Any]:
    """The grades of a board; runs in a worker process."""
    return _graded(Study(puzzle), measures)


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
    """A board of a pack, or the nearest to it, at a distance of 0 if it is as specified, infinite if it came before."""

    number: int
    puzzle: SortPuzzle
    distance: float
    grades: dict[str, Any]
    tried: int
    repeats: int
    unmet: tuple[str, ...] = ()

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


def make_pack(
    specs: Sequence[BoardSpec], curve: str | None, seed: int, pool: Pool | Here, stop: Event, **options: Any
) -> Iterator[Level]:
    """Makes a pack: a board for each specification, or boards from easy to hard by the measure ``curve``.

    A curve is made of the pack's own boards, so that it needs no table: `CANDIDATES` boards are made for each place,
    ranked by the measure, and taken in equal steps from the first to the last. For the options see `make_levels`.

    Raises `BackendError` if a worker crashed twice, `Unsupported` if a specification has a range for the curve's
    measure.
    """
    if curve is None:
        yield from make_levels(specs, seed, pool, stop, **options)
        return
    if any(curve in spec.ranges for spec in specs):
        raise Unsupported(f"{curve}: expected no range for the measure that the levels rise in")
    wanted = [specs[place % len(specs)] for place in range(CANDIDATES * len(specs))]
    needed = ("optimum", curve, *(name for spec in specs for name in spec.ranges))
    made = list(make_levels(wanted, seed, pool, stop, measures=needed, **options))
    if stop.is_set():
        return
    chosen = along(made, curve, len(specs))
    yield from (level for level in made if level.distance and len(chosen) < len(specs))
    coming = [pool.submit(Call(graded, (level.puzzle, measures_of(MEASURES)))) for level in chosen]
    for number, (level, future) in enumerate(zip(chosen, coming, strict=True)):
        grades = future.result()
        if stop.is_set():
            return
        if isinstance(grades, Failure):
            raise BackendError(grades.error)
        yield replace(level, number=number, grades=grades, tried=sum(each.tried for each in made) if not number else 0)


def along(levels: Sequence[Level], curve: str, count: int) -> list[Level]:
    """Levels from easy to hard by a measure, in equal steps of their ranks; all, if they are fewer than ``count``."""
    way = -1 if MEASURES[curve].easier else 1
    known = [level for level in levels if not level.distance and level.grades[curve]["value"] is not None]
    known.sort(key=lambda level: (way * level.grades[curve]["value"], level.number))
    if count == 1 or len(known) <= count:
        return known[len(known) // 2 :][:1] if count == 1 else known
    return [known[round(place * (len(known) - 1) / (count - 1))] for place in range(count)]


def make_levels(
    specs: Sequence[BoardSpec],
    seed: int,
    pool: Pool | Here,
    stop: Event,
    *,
    workers: int = 1,
    most_tries: int = 20 * CLIMB,
    measures: Collection[str] = MEASURES,
    on_climb: Callable[[int, int, float], object] = lambda number, tried, distance: None,
    first: int = 0,
    before: Iterable[SortPuzzle] = (),
) -> Iterator[Level]:
    """Makes a board for each specification, in their order; no two boards are equivalent.

    The same seed gives the same boards. If only boards of the pack are found again and again, the specifications that
    are the same are left out. A worker that crashed twice is a `BackendError`.

    For one specification up to ``most_tries`` boards are tried before settling for the nearest. ``on_climb`` is called
    with the number of the board, boards tried for it so far, and the distance of the nearest. ``first`` is the number
    of the first board to make, and the boards made ``before`` it are those.
    """
    climbs = _Climbs(specs, seed, pool, stop, AHEAD * workers, most_tries, measures_of(measures))
    made = {canonical_form(puzzle) for puzzle in before}
    exhausted: BoardSpec | None = None
    for number, spec in enumerate(specs[first:], first):
        if spec == exhausted:
            continue
        level = _nearest(number, spec, climbs.of(number), made, partial(on_climb, number))
        if level is None or stop.is_set():
            return
        if not level.distance:
            made.add(canonical_form(level.puzzle))
        elif level.repeats >= MANY_REPEATS:
            exhausted = spec
        yield level


@dataclass
class _Climbs:
    """The climbs of every board of a pack. Most attributes are arguments of `make_levels`.

    The ``first`` climbs, by the number of the board, are started for so many boards ``ahead``.
    """

    specs: Sequence[BoardSpec]
    seed: int
    pool: Pool | Here
    stop: Event
    ahead: int
    most_tries: int
    measures: Collection[Measure]
    first: dict[int, Future[Climbed | Failure]] = field(default_factory=dict)

    def of(self, number: int) -> Iterator[Climbed]:
        """A board's climbs until enough boards were tried or it is stopped; BackendError if a worker crashed twice."""
        for later in range(number, min(len(self.specs), number + self.ahead)):
            if later not in self.first:
                self.first[later] = self._begin(later, 0, self.most_tries)
        climbing, left = self.first.pop(number), self.most_tries
        for attempt in count(1):
            found = climbing.result()
            if self.stop.is_set():
                return
            if isinstance(found, Failure):
                raise BackendError(found.error)
            yield found
            left -= found.tried
            if left <= 0 or self.stop.is_set():
                return
            climbing = self._begin(number, attempt, left)

    def _begin(self, number: int, attempt: int, most_tries: int) -> Future[Climbed | Failure]:
        spec = self.specs[number]
        climb_seed = f"{self.seed} {number} {attempt}"
        numbers = spec.colours, spec.capacity, spec.empty
        start = next(random_boards(spec.rule, *numbers, seed=Random(climb_seed).getrandbits(60)))
        return self.pool.submit(Call(climb, (start.puzzle, spec, climb_seed, min(CLIMB, most_tries), self.measures)))


def _nearest(
    number: int,
    spec: BoardSpec,
    climbs: Iterator[Climbed],
    made: Collection[Tubes],
    on_climb: Callable[[int, float], object],
) -> Level | None:
    """The first new board that meets ``spec``, or the nearest one at the end of the climbs; None without any."""
    nearest: Level | None = None
    for found in climbs:
        puzzle = spec.rule(found.tubes, spec.capacity, "full", tuple(range(spec.colours)))
        is_new = canonical_form(puzzle) not in made
        nearest = nearest or Level(number, puzzle, inf, {}, 0, 0)
        if is_new and found.distance < nearest.distance:
            nearest = replace(nearest, puzzle=puzzle, distance=found.distance, grades=found.grades, unmet=found.unmet)
        nearest = replace(nearest, tried=nearest.tried + found.tried, repeats=nearest.repeats + (not is_new))
        on_climb(nearest.tried, nearest.distance)
        if not nearest.distance:
            break
    return nearest
