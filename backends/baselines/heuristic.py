"""Best-first search with inadmissible heuristics, which measure how mixed the tubes are.

The heuristics follow the ideas of a student project that compared four on ball sort (docs/measurements.md). Each
is a weighted sum of features of the tubes that are neither empty nor finished. The free room of such a tube is one of
them: without it, partly filled tubes of one colour would look solved. None of them is a lower bound, so nothing is
proved about the length of plans.

A state is expanded when it leaves the queue, and never again.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from bsp_sat.backends.backend import Backend, Choice, Report
from bsp_sat.backends.result import Status
from bsp_sat.backends.search.best_first import BestFirst
from bsp_sat.backends.search.paths import REPORT_EVERY, plan_through, report_exhausted
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort, SortPuzzle, WaterSort, bottom_run
from bsp_sat.instances.text.words import short


def misplaced(tube: bytes) -> int:
    """Balls that don't have the tube's most frequent colour, weighted by their depth.

    The top ball counts 1, the one below it 2, and so on. Of equally frequent colours, the lowest one counts as the most
    frequent.

    >>> misplaced(b"abaa"), misplaced(b"baaa"), misplaced(b"abba")
    (3, 4, 5)
    """
    major = max(tube, key=tube.count)
    return sum(len(tube) - level for level, ball in enumerate(tube) if ball != major)


FEATURES: dict[str, Callable[[bytes, int], int]] = {
    "colour-weight": lambda tube, _capacity: len(set(tube)),
    "transition-weight": lambda tube, _capacity: sum(lower != upper for lower, upper in pairwise(tube)),
    "misplaced-weight": lambda tube, _capacity: misplaced(tube),
    "column-weight": lambda tube, _capacity: len(tube),
    "room-weight": lambda tube, capacity: capacity - len(tube),
}
"""The features of a tube, by the names of their weights: colours, changes of colour, misplaced balls, balls, room."""

HEURISTICS: dict[str, Mapping[str, float]] = {
    "unique-length": {"colour-weight": 1.0, "column-weight": 1.0, "room-weight": 1.0},
    "unique-colours": {"colour-weight": 1.0, "room-weight": 1.0},
    "transitions": {"transition-weight": 1.0, "room-weight": 1.0},
    "misplaced": {"misplaced-weight": 1.0, "room-weight": 1.0},
}
"""The default weights of each heuristic."""

DRIVERS: dict[str, Callable[[int, float], float]] = {
    "astar": lambda cost, guess: cost + guess,
    "wastar": lambda cost, guess: cost + 2 * guess,
    "greedy": lambda _cost, guess: guess,
}
"""The rank of states in the queue: A*, weighted A* with weight 2, and the heuristic alone."""


@dataclass(frozen=True)
class Heuristic(Backend):
    """Best-first search; complete, but its plans aren't proved short.

    Attributes:
        heuristic: a name from `HEURISTICS`.
        driver: a name from `DRIVERS`.
        weights: override the default weights of the heuristic.

    Raises:
        Unsupported: an unknown name, or a weight that isn't a number from 0.
    """

    heuristic: str = next(iter(HEURISTICS))
    driver: str = next(iter(DRIVERS))
    weights: Mapping[str, float] = field(default_factory=dict)

    name = "heuristic"
    scope = Scope.of(BallSort, WaterSort, features=(MONOCHROME, SEVERAL_HOMES))
    claims_bounds = False
    choices = (
        Choice("driver", lambda: {name: name for name in DRIVERS}, "driver"),
        Choice("heuristic", lambda: {name: name for name in HEURISTICS}, "heuristic"),
    )

    @property
    def proves(self) -> frozenset[Status]:
        """Only ``unsolvable``; nothing about the length of plans."""
        return frozenset({Status.UNSOLVABLE})

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
        """The weights that were given."""
        return {name: repr(value) for name, value in self.weights.items()}

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds some plan, or exhausts the search space; with ``max_steps`` it goes no deeper."""
        assert isinstance(puzzle, SortPuzzle)
        weights = {**HEURISTICS[self.heuristic], **self.weights}
        priority = DRIVERS[self.driver]
        guess = _Estimate(weights, puzzle)
        explored: set[SortPuzzle] = set()
        cut = False

        def following(state: SortPuzzle) -> Iterator[SortPuzzle]:
            return (state.apply(move).canonical() for move in state.legal_moves())

        def rank(state: SortPuzzle, cost: int) -> float | None:
            too_deep = max_steps is not None and cost > max_steps
            return None if too_deep or state in explored else priority(cost, guess(state))

        search = BestFirst(puzzle.canonical(), following, rank)
        for _, cost, state in search:
            explored.add(state)
            cut |= cost == max_steps  # successors would be too deep
            if len(explored) % REPORT_EVERY == 0:
                report.progress(len(explored), states=len(search.reached))
            if state.is_goal():
                report.progress(len(explored), states=len(search.reached))
                report.plan(plan_through(puzzle, search.path_to(state)[1:], lambda position: position.canonical()))
                return "a heuristic search stops at its first plan"
        report.progress(len(explored), states=len(search.reached))
        if cut:
            return f"the heuristic search found no plan within {max_steps} moves"
        return report_exhausted(report, max_steps, cut)


class _Estimate:
    """The weighted sum of a board's features; each tube's share is cached."""

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
        finished = bottom_run(tube) == len(tube) and (self._board.goal == "monochrome" or len(tube) in (0, capacity))
        return 0.0 if finished else sum(weight * feature(tube, capacity) for weight, feature in self._terms)


def _expect(kind: str, name: str, known: Mapping[str, object]) -> None:
    if name not in known:
        raise Unsupported(f"unknown {kind} {short(repr(name))}, expected one of {', '.join(known)}")
