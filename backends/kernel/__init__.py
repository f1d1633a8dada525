"""The compiled search. Other packages use only these names, in terms of boards, moves and plans.

* `Kernel`, a backend.
* `Search`: one board, in slices.
* `solve_boards`: many boards in one call.
* `Distances`: the lengths of shortest plans of many boards.
* `PositionGraph`: the reachable positions of a board, for grading.
* `positions_of`, `positions_anywhere`: all positions that a proof needs, for distance labels.

All other modules here are private: arrays, numbered tube contents, packed states, plan decoders, the library. An
import-linter contract and a test ensure that. docs/search.md has the arguments.
"""

from typing import TYPE_CHECKING

from bsp_sat.on_demand import OnDemand

if TYPE_CHECKING:
    from bsp_sat.backends.kernel.anywhere.positions import positions_anywhere as positions_anywhere
    from bsp_sat.backends.kernel.backend import MAX_CAPACITY as MAX_CAPACITY
    from bsp_sat.backends.kernel.backend import Kernel as Kernel
    from bsp_sat.backends.kernel.batches.batch import Answer as Answer
    from bsp_sat.backends.kernel.batches.batch import solve_boards as solve_boards
    from bsp_sat.backends.kernel.batches.distances import Distances as Distances
    from bsp_sat.backends.kernel.graph.position_graph import Position as Position
    from bsp_sat.backends.kernel.graph.position_graph import PositionGraph as PositionGraph
    from bsp_sat.backends.kernel.graph.position_graph import Reachable as Reachable
    from bsp_sat.backends.kernel.graph.position_graph import ShortestPlans as ShortestPlans
    from bsp_sat.backends.kernel.graph.position_graph import TooFar as TooFar
    from bsp_sat.backends.kernel.search.board_search import Search as Search
    from bsp_sat.backends.kernel.search.position_table import PlanFound as PlanFound
    from bsp_sat.backends.kernel.search.position_table import PositionTable as PositionTable
    from bsp_sat.backends.kernel.search.position_table import TooManyPositions as TooManyPositions
    from bsp_sat.backends.kernel.search.position_table import positions_of as positions_of

__getattr__ = OnDemand(
    __name__,
    {
        "anywhere.positions": ("positions_anywhere",),
        "backend": ("MAX_CAPACITY", "Kernel"),
        "batches.batch": ("Answer", "solve_boards"),
        "batches.distances": ("Distances",),
        "graph.position_graph": ("Position", "PositionGraph", "Reachable", "ShortestPlans", "TooFar"),
        "search.board_search": ("Search",),
        "search.position_table": ("PlanFound", "PositionTable", "TooManyPositions", "positions_of"),
    },
)
