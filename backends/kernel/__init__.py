"""The compiled search. Other packages use only these names, in terms of boards, moves and plans.

* `Kernel`, a backend.
* `Search`: one board, in slices.
* `solve_boards`: many boards in one call.
* `Distances`: the lengths of shortest plans of many boards.
* `BoardClasses`: all boards of some colours and a capacity, and which of them can be solved.
* `CaseDistinction`: the same where there are too many to look at each.
* `PositionGraph`: the reachable positions of a board, for grading.
* `positions_of`: all positions that a proof needs, for distance labels.
* `missing_library` and `check_library`: whether the compiled code is there, and if not, why.
* `Picture`: the pixels of a picture, for the reader of screenshots.
* `tab_library` and `has_tab_library`: the compiled code for browsers; `engine_module`: the same for the page's engine.

All other modules here are private: arrays, numbered tube contents, packed states, plan decoders, the library. An
import-linter contract and a test ensure that. docs/search.md has the arguments.
"""

from typing import TYPE_CHECKING

from bsp_sat.on_demand import OnDemand

if TYPE_CHECKING:
    from bsp_sat.backends.kernel.backend import MAX_CAPACITY as MAX_CAPACITY
    from bsp_sat.backends.kernel.backend import Kernel as Kernel
    from bsp_sat.backends.kernel.batches.batch import Answer as Answer
    from bsp_sat.backends.kernel.batches.batch import solve_boards as solve_boards
    from bsp_sat.backends.kernel.batches.distances import Distances as Distances
    from bsp_sat.backends.kernel.census.board_classes import BoardClasses as BoardClasses
    from bsp_sat.backends.kernel.census.case_distinction import CaseDistinction as CaseDistinction
    from bsp_sat.backends.kernel.census.case_distinction import Decided as Decided
    from bsp_sat.backends.kernel.graph.position_graph import Position as Position
    from bsp_sat.backends.kernel.graph.position_graph import PositionGraph as PositionGraph
    from bsp_sat.backends.kernel.graph.position_graph import Reachable as Reachable
    from bsp_sat.backends.kernel.graph.position_graph import ShortestPlans as ShortestPlans
    from bsp_sat.backends.kernel.graph.position_graph import TooFar as TooFar
    from bsp_sat.backends.kernel.native.library_files import engine_module as engine_module
    from bsp_sat.backends.kernel.native.library_files import has_tab_library as has_tab_library
    from bsp_sat.backends.kernel.native.library_files import tab_library as tab_library
    from bsp_sat.backends.kernel.native.shared_library import check_library as check_library
    from bsp_sat.backends.kernel.native.shared_library import missing_library as missing_library
    from bsp_sat.backends.kernel.pixels.picture import Colour as Colour
    from bsp_sat.backends.kernel.pixels.picture import Look as Look
    from bsp_sat.backends.kernel.pixels.picture import Picture as Picture
    from bsp_sat.backends.kernel.pixels.picture import Place as Place
    from bsp_sat.backends.kernel.pixels.picture import Region as Region
    from bsp_sat.backends.kernel.search.board_search import Search as Search
    from bsp_sat.backends.kernel.search.position_table import PlanFound as PlanFound
    from bsp_sat.backends.kernel.search.position_table import PositionTable as PositionTable
    from bsp_sat.backends.kernel.search.position_table import TooManyPositions as TooManyPositions
    from bsp_sat.backends.kernel.search.position_table import positions_of as positions_of

__getattr__ = OnDemand(
    __name__,
    {
        "backend": ("MAX_CAPACITY", "Kernel"),
        "batches.batch": ("Answer", "solve_boards"),
        "batches.distances": ("Distances",),
        "census.board_classes": ("BoardClasses",),
        "census.case_distinction": ("CaseDistinction", "Decided"),
        "graph.position_graph": ("Position", "PositionGraph", "Reachable", "ShortestPlans", "TooFar"),
        "native.library_files": ("engine_module", "has_tab_library", "tab_library"),
        "native.shared_library": ("check_library", "missing_library"),
        "pixels.picture": ("Colour", "Look", "Picture", "Place", "Region"),
        "search.board_search": ("Search",),
        "search.position_table": ("PlanFound", "PositionTable", "TooManyPositions", "positions_of"),
    },
)
