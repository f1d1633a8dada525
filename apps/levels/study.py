"""The data that the measures of one board share: its position graph, its optimum and its shortest plans."""

import hashlib
from functools import cached_property

from bsp_sat.apps.levels.canonical_form import colour_ranks
from bsp_sat.apps.levels.scope import GRADES, check_board
from bsp_sat.backends.kernel import Position, PositionGraph, Reachable, ShortestPlans, TooFar
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle

EXACT_POSITIONS = 8_192
"""All positions of a board are enumerated if there are at most this many."""

EFFORT = 20_000_000
"""Limit for the distance of one position, in expansions times tubes²: about a second. Beyond it, it is unknown."""


def graph_of(board: SortPuzzle) -> PositionGraph:
    """The position graph of a board, with the limits of grading."""
    return PositionGraph(board, EFFORT)


class Study:
    """The shared data of a sort puzzle, each part computed once; `Unsupported` if it is too large for that."""

    def __init__(self, puzzle: AnyPuzzle) -> None:
        if not isinstance(puzzle, SortPuzzle):
            raise Unsupported(f"grading takes ball-sort and water-sort boards, this is {puzzle.kind}")
        check_board(puzzle, "grading", GRADES)
        self.puzzle = puzzle = puzzle.bare()  # of known balls, under no rule: covers change nothing
        # Figures depend neither on the order of tubes nor on the names of colours.
        self._ranks = colour_ranks(puzzle).ljust(256)
        self.graph = graph_of(self._normal(puzzle))

    def _normal(self, position: SortPuzzle) -> SortPuzzle:
        """The position with sorted tubes and with ranks in place of colours."""
        tubes = sorted(tube.translate(self._ranks) for tube in position.tubes)
        return type(position)(tuple(tubes), position.capacity, position.goal, tuple(range(len(position.palette))))

    @cached_property
    def _answer(self) -> tuple[int | None, bool, int]:
        before = self.graph.expansions
        try:
            optimum, is_settled = self.graph.distance(self.graph.start), True
        except TooFar:
            optimum, is_settled = None, False
        return optimum, is_settled, self.graph.expansions - before

    @property
    def optimum(self) -> int | None:
        """Fewest moves to a goal; None if the board is unsolvable, or isn't settled."""
        return self._answer[0]

    @property
    def is_settled(self) -> bool:
        """Whether the board is proved unsolvable or its optimum is known; otherwise the search took too long."""
        return self._answer[1]

    @property
    def is_solvable(self) -> bool:
        """Whether a shortest plan is known."""
        return self.optimum is not None

    @property
    def effort(self) -> int:
        """Expansions of the search for the optimum or for a proof that there is no plan."""
        return self._answer[2]

    def seed(self, purpose: str) -> int:
        """The seed of the random numbers for one purpose. It depends only on the board, so results are repeatable."""
        text = f"{purpose} {self.puzzle.kind} {self.puzzle.capacity} {self.puzzle.goal} {self.graph.board.tubes}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")

    @cached_property
    def plans(self) -> ShortestPlans | None:
        """The shortest plans; None if there are none, or they pass through too many positions."""
        return None if self.optimum is None else self.graph.shortest_plans(self.optimum)

    @cached_property
    def plan(self) -> Plan | None:
        """The shortest plan that is shown, and that some measures refer to."""
        if self.plans is None:
            return None
        states = (self.graph.board_of(position).canonical().tubes for position in self.plans.path[1:])
        plan = Plan.through(self.puzzle, states, lambda position: self._normal(position).tubes)
        plan.replay(self.puzzle)
        return plan

    @cached_property
    def space(self) -> Reachable | None:
        """All positions; None if there are more than `EXACT_POSITIONS`."""
        return self.graph.reachable(self.graph.start, EXACT_POSITIONS)

    def distance(self, position: Position) -> int | None:
        """See `PositionGraph.distance`; looked up if all positions are known."""
        if self.space is not None and position in self.space:
            return self.space.distance(position)
        return self.graph.distance(position)

    def is_dead(self, position: Position) -> bool | None:
        """See `PositionGraph.is_dead`; looked up if all positions are known."""
        if self.space is not None and position in self.space:
            return self.space.distance(position) is None
        return self.graph.is_dead(position)
