"""The positions that a search visits where balls go anywhere, as a table, for distance labels."""

from array import array
from contextlib import closing

from bsp_sat.backends.engine import EXHAUSTED, FOUND
from bsp_sat.backends.kernel.anywhere.search import AnywhereSearch
from bsp_sat.backends.kernel.search.position_table import PlanFound, PositionTable, TooManyPositions
from bsp_sat.backends.kernel.search.search import NO_LIMIT
from bsp_sat.instances.sorting import SortPuzzle, TubeRule

STEPS = 10_000_000  # between two checks of the number of positions


def positions_anywhere(board: SortPuzzle, longest: int | None, most: int, memory_mb: float) -> PositionTable:
    """The same as `positions_of`, where balls go anywhere."""
    limit = NO_LIMIT if longest is None else longest
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
        rows, locked = search.positions(limit)
    width = 1 + board.rules.tallest
    rules = list(dict.fromkeys(each for rule in board.rules.tubes for each in (rule, rule.base)))
    of_places = [(rules.index(rule.base), rules.index(rule)) for rule in board.rules.tubes]  # open, and locked
    numbers: dict[tuple[bytes, int], int] = {}
    table = array("i")
    locks = iter(locked)
    for start in range(0, len(rows), 4 + width * len(of_places)):
        for place, of_place in enumerate(of_places):
            at = start + 4 + place * width
            content = rows[at : at + width], of_place[next(locks)]
            table.append(numbers.setdefault(content, len(numbers)))
        table.append(int.from_bytes(rows[start : start + 4], "little"))
    tubes: list[tuple[bytes, TubeRule | None]] = [
        (bytes(balls[:load]), rules[number]) for (load, *balls), number in numbers
    ]
    return PositionTable(tubes, memoryview(table))
