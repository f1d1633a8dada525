"""The border argument: proves sort boards unsolvable without a search of positions.

A **border** is a place in a tube where the colour changes. To sort a board, all borders have to go, in each tube from
the top down: a border goes when all balls above it have left. A **border table** has, for each tube, the highest border
that is left (0 if none is). Take any plan, and the moment when some tube b loses the last ball above its highest
border. Count for each colour c:

    F_c   balls that started above the borders of the table (in tubes without borders: all balls). They are still
          above borders or in tubes without them, as no ball below a border has moved.
    G_c   places above borders, in tubes other than b, where the ball just above the border is a c. While the border
          is left, these places hold only balls of c, and above other borders there are no balls of c.

The other balls of F_c are in tubes without borders. Each of these tubes holds one colour (no move puts a second colour
on top of the first), so Σ_c ⌈max(0, F_c − G_c) / h⌉ of them are needed, and the table says how many there are. If
there are too few, b's border can't go next.

So every plan passes through border tables by steps that pass this test. The module searches the tables: at most
(borders + 1) to the power of tubes, in practice a few hundred. Tubes with the same start are interchangeable. If no
table without borders is reached, **the board is unsolvable**. The reverse, that a path through the tables gives a plan,
is a theorem for boards of full and empty tubes (Ito et al., FUN 2022, doi 10.4230/LIPIcs.FUN.2022.16) and isn't claimed
here. Coq has checked both (`by_borders` in `formal/every_board/Paths.v`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import getitem

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.result import Status
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort, SortPuzzle, WaterSort

Table = tuple[int, ...]
"""For each tube, the number of borders left. Tubes with the same start are neighbours, the fewest borders first."""


@dataclass(frozen=True)
class Borders(Backend):
    """Proves boards unsolvable; never finds plans."""

    max_tables: int = 1_000_000

    name = "borders"
    proves = frozenset({Status.UNSOLVABLE})
    rests_on = "the border argument (backends/search/borders.py)"
    counts = "tables"
    no_plan = (
        "Each place where the colour changes would have to go, from the top of its tube down. "
        "All orders were tried, {tables} of what is left, and none leads to the end."
    )
    scope = Scope.of(BallSort, WaterSort, features=(MONOCHROME, SEVERAL_HOMES))
    finds_plans = False

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        assert isinstance(puzzle, SortPuzzle)
        way_out, tables = search_tables(puzzle, self.max_tables)
        report.stats(tables=tables)
        if way_out is None:
            return f"the border argument needs more than {self.max_tables} tables"
        if way_out:
            return "the border argument finds no obstacle, and gives no plan"
        report.unsolvable("border argument")
        return ""


def search_tables(puzzle: SortPuzzle, max_tables: int) -> tuple[bool | None, int]:
    """Searches for a path from the board's border table to the one without borders.

    Returns whether there is a path (None: not decided within ``max_tables``), and the number of tables seen.
    """
    tables = _Tables(puzzle)
    start = tuple(len(heights) - 1 for heights in tables.heights)
    seen = {start}
    stack = [(start, tables.missing(start))]
    while stack:
        table, missing = stack.pop()
        if not any(table):
            return True, len(seen)
        for tube in tables.steps(table, missing):
            following = (*table[:tube], table[tube] - 1, *table[tube + 1 :])
            if following not in seen:
                seen.add(following)
                stack.append((following, tables.after(table, missing, tube)))
        if len(seen) > max_tables:
            return None, len(seen)
    return False, len(seen)


class _Tables:
    """The border tables of one board and the steps between them."""

    def __init__(self, puzzle: SortPuzzle) -> None:
        self.capacity = puzzle.capacity
        tubes = sorted(puzzle.tubes)
        self.alike = [tubes.index(tube) for tube in tubes]  # the first tube with the same start
        # The height of each border, in balls below it; the first entry, 0, stands for the bottom.
        self.heights = [[0] + [p for p in range(1, len(tube)) if tube[p] != tube[p - 1]] for tube in tubes]
        self.next_above = [
            [tube[height] if tube else -1 for height in heights]
            for tube, heights in zip(tubes, self.heights, strict=True)
        ]
        self.above = [
            [[tube.count(c, height) for c in range(len(puzzle.palette))] for height in heights]
            for tube, heights in zip(tubes, self.heights, strict=True)
        ]

    def missing(self, table: Table) -> list[int]:
        """F_c − G_c for each colour c, of all tubes."""
        balls = [sum(counts) for counts in zip(*map(getitem, self.above, table), strict=True)]
        for i, left in enumerate(table):
            if left:
                balls[self.next_above[i][left]] -= self.capacity - self.heights[i][left]
        return balls

    def steps(self, table: Table, missing: Sequence[int]) -> Iterator[int]:
        """The tubes whose border may go next; ``missing`` is that of the table."""
        free = table.count(0) - sum(map(self._tubes_for, missing))
        before = (-1, -1)
        for i, left in enumerate(table):
            # Of tubes with equal starts and equally many borders left, try only the first: the table stays sorted.
            if left and before != (self.alike[i], left):
                balls = missing[self.next_above[i][left]]
                room = self.capacity - self.heights[i][left]
                if self._tubes_for(balls + room) - self._tubes_for(balls) <= free:
                    yield i
            before = self.alike[i], left

    def after(self, table: Table, missing: Sequence[int], tube: int) -> list[int]:
        """What `missing` is after a tube's border has gone; a sum over all tubes would take most of the time."""
        heights, colours, left = self.heights[tube], self.next_above[tube], table[tube]
        following = list(missing)
        following[colours[left]] += self.capacity - heights[left]
        following[colours[left - 1]] += heights[left] - (heights[left - 1] if left == 1 else self.capacity)
        return following

    def _tubes_for(self, balls: int) -> int:
        return -(-balls // self.capacity) if balls > 0 else 0
