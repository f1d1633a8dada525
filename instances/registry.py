"""The puzzles by name, for files, the command line and tests."""

from bsp_sat.instances.lazy import Lazy
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort

PUZZLES: Lazy[type[AnyPuzzle]] = Lazy(
    {
        "ball-sort": "bsp_sat.instances.sorting:BallSort",
        "water-sort": "bsp_sat.instances.sorting:WaterSort",
        "tiles": "bsp_sat.instances.tiles:Tiles",
        "shot": "bsp_sat.instances.shot:Shot",
    }
)

OWN_KINDS = frozenset(PUZZLES)
"""The kinds of the program's own puzzles; others may be added."""

SORT_PUZZLES: dict[str, type[SortPuzzle]] = {"ball-sort": BallSort, "water-sort": WaterSort}
"""Those with tubes."""

DEFAULT_PUZZLE: type[AnyPuzzle] = BallSort
"""The puzzle of files that name none, and of text that no puzzle recognises."""
