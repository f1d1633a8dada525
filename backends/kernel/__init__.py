"""The compiled search. Other packages use only these names, in terms of boards, moves and plans.

* `Kernel`, a backend.
* `Search`: one board, in slices.
* `solve_boards`: many boards in one call.
* `Distances`: the lengths of shortest plans of many boards.
* `PositionGraph`: the reachable positions of a board, for grading.
* `positions_of`, `positions_anywhere`: all positions that a proof needs, for distance labels.

All other modules here are private: arrays, numbered tube contents, packed states, plan decoders, the library. An
import-linter contract and a test ensure that. instances/README.md has the arguments.
"""

from bsp_sat.on_demand import OnDemand

NAMES = {
    "anywhere.positions": "positions_anywhere",
    "backend": "MAX_CAPACITY Kernel",
    "batches.batch": "Answer solve_boards",
    "batches.distances": "Distances",
    "graph.position_graph": "Position PositionGraph Reachable ShortestPlans TooFar",
    "search.board_search": "Search",
    "search.position_table": "PlanFound PositionTable TooManyPositions positions_of",
}

__getattr__ = OnDemand(__name__, names=NAMES)
