"""The positions that a search visits, as a table, for distance labels."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from bsp_sat.backends.engine import EXHAUSTED, FOUND
from bsp_sat.backends.kernel.anywhere.search import AnywhereSearch
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.instances.sorting import SortPuzzle, TubeRule

TURN = 50_000  # expansions between two checks of the number of states
STEPS = 10_000_000  # the same where balls go anywhere


@dataclass(frozen=True)
class PositionTable:
    """Positions of a board, with the fewest moves that lead to them.

    Attributes:
        tubes: the possible contents of tubes: balls, bottom first, with the tube's rule if tubes have rules.
        rows: [positions · (tubes + 1)] 32-bit integers: for each position, the indices of its tubes in ``tubes``, then
            the fewest moves that lead there.
    """

    tubes: Sequence[tuple[bytes, TubeRule | None]]
    rows: memoryview


class TooManyPositions(Exception):
    """There are more positions than allowed, or than fit into memory.

    Attributes:
        positions: the number of positions that there was room for.
    """

    def __init__(self, positions: int) -> None:
        super().__init__(f"more than {positions} positions")
        self.positions = positions


class PlanFound(Exception):
    """One of the positions is a goal.

    Attributes:
        length: moves of the plan that leads there.
    """

    def __init__(self, length: int) -> None:
        super().__init__(f"there is a plan of {length} moves")
        self.length = length


def positions_of(board: SortPuzzle, longest: int | None, most: int, memory_mb: float) -> PositionTable:
    """All positions that, by the plain bound, may be on plans of at most ``longest`` moves; there must be no such plan.

    There are no prunings. Positions that differ only in the order of equal tubes count as one.

    Args:
        board: the board.
        longest: the length of plans; None for all reachable positions.
        most: the largest number of positions.
        memory_mb: memory for them, in MB (10⁶ bytes).

    Raises:
        TooManyPositions: there are more.
        PlanFound: there is a plan.
    """
    limit = NO_LIMIT if longest is None else longest
    if board.rules.anywhere:
        return _positions_anywhere(board, limit, most, memory_mb)
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


def _positions_anywhere(board: SortPuzzle, limit: int, most: int, memory_mb: float) -> PositionTable:
    """The same where balls go anywhere."""
    import numpy as np  # what makes labels of the table needs it, and few programs do

    with closing(AnywhereSearch(board, plain=True, memory_mb=memory_mb)) as search:
        outcome = None
        try:
            while outcome != EXHAUSTED:
                outcome = search.advance(limit, STEPS)
                if outcome == FOUND:
                    raise PlanFound(search.goal_cost)
                if search.states > most:
                    raise TooManyPositions(most)
        except MemoryError:
            raise TooManyPositions(min(most, search.states)) from None
        positions, locked = search.positions(limit)
    tubes, tallest = len(board.tubes), board.rules.tallest
    rows = np.frombuffer(positions, np.uint8).reshape(-1, 4 + tubes * (1 + tallest))
    open_or_not = np.frombuffer(locked, np.uint8).reshape(-1, tubes, 1)
    groups = {rule.base: number for number, rule in enumerate(board.rules.tubes)}
    group = np.array([groups[rule.base] for rule in board.rules.tubes], np.uint8).reshape(1, tubes, 1)
    parts = [rows[:, 4:].reshape(-1, tubes, 1 + tallest), open_or_not, np.broadcast_to(group, open_or_not.shape)]
    contents = np.ascontiguousarray(np.concatenate(parts, axis=2)).view(f"V{tallest + 3}").reshape(-1, tubes)
    found, numbers = np.unique(contents, return_inverse=True)
    table = np.empty((len(rows), tubes + 1), np.int32)
    table[:, :-1] = numbers.reshape(-1, tubes)
    table[:, -1] = np.ascontiguousarray(rows[:, :4]).view("<i4").reshape(-1)
    listed = []
    for load, *balls, is_locked, place in map(bytes, found):
        rule = board.rules.tubes[place]
        listed.append((bytes(balls[:load]), rule if is_locked else rule.base))
    return PositionTable(listed, memoryview(table.reshape(-1)))
