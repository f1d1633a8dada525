"""The positions that a search visits, as a table, for distance labels."""

from collections.abc import Sequence
from dataclasses import dataclass

from bsp_sat.backends.engine import EXHAUSTED, FOUND
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.instances.sorting import SortPuzzle, TubeRule

TURN = 50_000  # expansions between two checks of the number of states


@dataclass(frozen=True)
class PositionTable:
    """Positions of a board, with the fewest moves that lead to them.

    ``tubes`` are the possible contents of tubes, bottom first, with the rule if tubes have rules; ``rows`` [positions ·
    (tubes + 1)] 32-bit integers: for each position, the indices of its tubes in ``tubes``, then the moves.
    """

    tubes: Sequence[tuple[bytes, TubeRule | None]]
    rows: memoryview


class TooManyPositions(Exception):
    """There are more positions than allowed, or than fit into memory."""

    def __init__(self, positions: int) -> None:
        super().__init__(f"more than {positions} positions")
        self.positions = positions


class PlanFound(Exception):
    """One of the positions is a goal."""

    def __init__(self, length: int) -> None:
        super().__init__(f"there is a plan of {length} moves")
        self.length = length


def positions_of(board: SortPuzzle, longest: int | None, most: int, memory_mb: float) -> PositionTable:
    """All positions that, by the plain bound, may be on plans of at most ``longest`` moves; there must be no such plan.

    None asks for all reachable positions. There are no prunings. Positions that differ only in the order of equal tubes
    count as one. Raises TooManyPositions if there are more than ``most``, or than fit into ``memory_mb`` (10⁶ bytes),
    and PlanFound.
    """
    limit = NO_LIMIT if longest is None else longest
    search = KernelSearch(board, by_homes=False, pruned=False, memory_mb=memory_mb)
    outcome = None
    while outcome != EXHAUSTED:
        outcome = search.advance(limit, TURN)
        if outcome == FOUND:
            raise PlanFound(search.goal_cost)
        if search.deepening or search.states > most:
            raise TooManyPositions(min(most, search.states))
    contents, rows = search.states_within(limit)
    tubes = [(tube, kind[0] if isinstance(kind[0], TubeRule) else None) for tube, *kind in contents]
    return PositionTable(tubes, rows)
