"""Best-first search with inadmissible heuristics, which measure how mixed the tubes are.

The heuristics are those of a student project that compared four on ball sort (benchmarks/measurements.md), and with
``as-published`` so is the search: it gives the published lengths and numbers of states. None of them is a lower bound,
so nothing is proved about the length of plans.

A state is expanded when it leaves the queue, and never again. The published program expands it each time it comes, as
its positions are compared by identity. Nothing looked wrong, since its plans are right all the same.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from bsp_sat.backends.backend import Backend, Choice, Report
from bsp_sat.backends.result import Status
from bsp_sat.backends.search.paths import REPORT_EVERY, report_exhausted
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort, SortPuzzle, WaterSort, bottom_run
from bsp_sat.instances.text.words import quantity, short


def misplaced(tube: bytes, capacity: int) -> int:
    """Balls that don't have the tube's most frequent colour, weighted: a ball at the bottom counts the capacity.

    Of equally frequent colours, the lowest one counts as the most frequent.

    >>> misplaced(b"abaa", 4), misplaced(b"baaa", 4), misplaced(b"ab", 4)
    (3, 4, 3)
    """
    major = max(tube, key=tube.count)
    return sum(capacity - level for level, ball in enumerate(tube) if ball != major)


FEATURES: dict[str, Callable[[bytes, int], int]] = {
    "colour-weight": lambda tube, _capacity: len(set(tube)),
    "transition-weight": lambda tube, _capacity: sum(lower != upper for lower, upper in pairwise(tube)),
    "misplaced-weight": misplaced,
    "column-weight": lambda tube, _capacity: len(tube),
    "room-weight": lambda tube, capacity: int(len(tube) < capacity),
}
"""What is counted in a tube of several colours, by the names of the weights; the last one is 1 where there is room."""

HEURISTICS: dict[str, Mapping[str, float]] = {
    "unique-length": {"colour-weight": 1.0, "column-weight": 1.0},
    "unique-colours": {"colour-weight": 1.0},
    "transitions": {"transition-weight": 1.0},
    "misplaced": {"misplaced-weight": 1.0, "room-weight": 1.0},
}
"""The default weights of each heuristic. A tube of one colour counts 1 in all of them unless it is full."""

DRIVERS: dict[str, Callable[[int, float], float]] = {
    "astar": lambda cost, guess: cost + guess,
    "wastar": lambda cost, guess: cost + 2 * guess,
    "greedy": lambda _cost, guess: guess,
}
"""The rank of states in the queue: A*, weighted A* with weight 2, and the heuristic alone."""


@dataclass(frozen=True)
class Heuristic(Backend):
    """Best-first search; complete, but its plans aren't proved short.

    ``as_published`` expands a position each time it leaves the queue, however often it has been there, and takes tubes
    in another order for another position. Then it may never end on a board without a plan. Raises Unsupported for an
    unknown name, or a weight that isn't a number from 0.
    """

    heuristic: str = next(iter(HEURISTICS))
    driver: str = next(iter(DRIVERS))
    weights: Mapping[str, float] = field(default_factory=dict)
    as_published: bool = False

    name = "heuristic"
    proves = frozenset({Status.UNSOLVABLE})  # nothing about the length of plans
    scope = Scope.of(BallSort, WaterSort, features=(MONOCHROME, SEVERAL_HOMES))
    claims_bounds = False
    choices = (
        Choice("driver", lambda: {name: name for name in DRIVERS}, "driver"),
        Choice("heuristic", lambda: {name: name for name in HEURISTICS}, "heuristic"),
        Choice("as_published", lambda: {"as-published": True}, "way to treat duplicates"),
    )

    def __post_init__(self) -> None:
        """Refuses unknown names and bad weights."""
        _expect("heuristic", self.heuristic, HEURISTICS)
        _expect("driver", self.driver, DRIVERS)
        for weight, value in self.weights.items():
            _expect(f"weight of {self.heuristic}", weight, HEURISTICS[self.heuristic])
            if not 0 <= value < math.inf:
                raise Unsupported(f"{weight}: expected a number from 0, found {value:g}")

    @classmethod
    def _settings(cls, settings: Mapping[str, str]) -> dict[str, Any]:
        """Weights by name, each a number."""
        weights = {}
        for name, number in settings.items():
            try:
                weights[name] = float(number)
            except ValueError:
                raise Unsupported(f"{short(name)}: expected a number, found {short(repr(number))}") from None
        return {"weights": weights} if weights else {}

    def _written_settings(self) -> Mapping[str, str]:
        return {name: repr(value) for name, value in self.weights.items()}

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds some plan, or exhausts the search space; with ``max_steps`` it goes no deeper."""
        assert isinstance(puzzle, SortPuzzle)
        estimate = _Estimate({**HEURISTICS[self.heuristic], **self.weights}, puzzle)
        priority = DRIVERS[self.driver]
        queue = [_Entry(priority(0, estimate(puzzle)), 0, puzzle)]
        expanded: set[SortPuzzle] = set()
        expansions, found, cut = 0, 1, False
        while queue:
            entry = heappop(queue)
            position, cost = entry.position, entry.cost
            if not self.as_published:
                state = position.canonical()
                if state in expanded:
                    continue
                expanded.add(state)
            expansions += 1
            if expansions % REPORT_EVERY == 0:
                report.progress(expansions, states=found)
            if position.is_goal():
                report.progress(expansions, states=found)
                report.plan(entry.plan())
                return "a heuristic search stops at its first plan"
            if cost == max_steps:
                cut = True
                continue
            for move in position.legal_moves():
                child = position.after_legal(move)
                heappush(queue, _Entry(priority(cost + 1, estimate(child)), cost + 1, child, move, entry))
                found += 1
        report.progress(expansions, states=found)
        if cut:
            return f"the heuristic search found no plan within {quantity(max_steps, 'move')}"
        return report_exhausted(report, max_steps, cut)


@dataclass(order=True, slots=True)
class _Entry:
    """A position in the queue. Of equal ranks, the one comes first that `heapq` happens to have first, as published."""

    rank: float
    cost: int = field(compare=False)
    position: SortPuzzle = field(compare=False)
    move: Move | None = field(compare=False, default=None)
    before: "_Entry | None" = field(compare=False, default=None)

    def plan(self) -> Plan:
        """The moves that led here."""
        moves: list[Move] = []
        entry = self
        while entry.before is not None:
            assert entry.move is not None
            moves.append(entry.move)
            entry = entry.before
        return Plan(tuple(reversed(moves)))


class _Estimate:
    """The heuristic: a sum over the tubes of a position. Each tube's share is kept for the next one."""

    def __init__(self, weights: Mapping[str, float], board: SortPuzzle) -> None:
        self._terms = [(weight, FEATURES[name]) for name, weight in weights.items()]
        self._board = board
        self._known: dict[bytes, float] = {}

    def __call__(self, state: SortPuzzle) -> float:
        known = self._known
        total = 0.0
        for tube in state.tubes:
            if tube not in known:
                known[tube] = self._of_tube(tube)
            total += known[tube]
        return total

    def _of_tube(self, tube: bytes) -> float:
        capacity = self._board.capacity
        if bottom_run(tube) == len(tube):
            finished = self._board.goal == "monochrome" or len(tube) in (0, capacity)
            return 0.0 if finished else 1.0
        return sum(weight * feature(tube, capacity) for weight, feature in self._terms)


def _expect(kind: str, name: str, known: Mapping[str, object]) -> None:
    if name not in known:
        raise Unsupported(f"unknown {kind} {short(repr(name))}, expected one of {', '.join(known)}")
