"""A* for tiles by whole frontiers: all boards with the same number of clicks and the same bound are expanded at once.

It is A* with the bound and the rules of `bsp_sat.instances.tiles`, on arrays: ten times as fast as one board at a time.
`bsp_sat.backends.search.frontier_search` is the search.
"""

from dataclasses import dataclass

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.result import Status
from bsp_sat.backends.search import frontier_search
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.tiles import Tiles

MAX_ROWS = 64


@dataclass(frozen=True)
class Frontier(Backend):
    """A* for tiles on arrays.

    Without the lower bound, this is breadth-first search; ``one_part`` is that pruning of `bsp_sat.instances.tiles`.
    The head start is a beam search; if its plan is a shortest one, the search ends as soon as that is proved.
    """

    bound: bool = True
    one_part: bool = True
    head_start: bool = True

    name = "frontier"
    proves = frozenset({Status.OPTIMAL})  # every board can be cleared
    rests_on = "the rules on arrays, and their lower bound (docs/search.md)"
    counts = "expansions"
    scope = Scope.of(Tiles)

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses all but tiles, columns of more than 64 tiles, and all where numpy isn't installed."""
        super().check(puzzle)
        assert isinstance(puzzle, Tiles)
        if max(map(len, puzzle.columns)) > MAX_ROWS:
            raise Unsupported(f"backend {self.name} takes columns of at most {MAX_ROWS} tiles; try astar")
        need("numpy", f"backend {self.name}")

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        assert isinstance(puzzle, Tiles)
        return frontier_search.search(
            puzzle, report, max_steps, bound=self.bound, one_part=self.one_part, head_start=self.head_start
        )
