"""The compiled search. This is its door: what other rooms use of it, in terms of boards, moves and plans.

* `Kernel`, a backend, and `WhileCompiling`, which answers while the first use compiles.
* `Search`: one board, in slices.
* `Distances`: the lengths of shortest plans of many boards.
* `PositionGraph`: the positions that can come up on a board, for grading.
* `positions_of`: all positions that a proof is about, for distance labels.
* `SEARCH_CODE` and `GRADING_CODE`: whether the machine code is ready, and having it compiled.

What is beneath is private: arrays, numbers that stand for tubes, packed states, plan decoders, object files. An
import-linter contract and a test keep it so. docs/kernel.md has the arguments.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bsp_sat.backends.kernel.backend import MAX_CAPACITY, Kernel
    from bsp_sat.backends.kernel.board_search import Search
    from bsp_sat.backends.kernel.distances import Distances
    from bsp_sat.backends.kernel.first_use import WhileCompiling
    from bsp_sat.backends.kernel.machine_code import GRADING_CODE, MACHINE_CODE, SEARCH_CODE, MachineCode
    from bsp_sat.backends.kernel.position_graph import Position, PositionGraph, Reachable, ShortestPlans, TooFar
    from bsp_sat.backends.kernel.position_table import PlanFound, PositionTable, TooManyPositions, positions_of

_MODULES = {
    "Distances": "distances",
    "GRADING_CODE": "machine_code",
    "Kernel": "backend",
    "MACHINE_CODE": "machine_code",
    "MAX_CAPACITY": "backend",
    "MachineCode": "machine_code",
    "PlanFound": "position_table",
    "Position": "position_graph",
    "PositionGraph": "position_graph",
    "PositionTable": "position_table",
    "Reachable": "position_graph",
    "SEARCH_CODE": "machine_code",
    "Search": "board_search",
    "ShortestPlans": "position_graph",
    "TooFar": "position_graph",
    "TooManyPositions": "position_table",
    "WhileCompiling": "first_use",
    "positions_of": "position_table",
}

__all__ = [
    "GRADING_CODE",
    "MACHINE_CODE",
    "MAX_CAPACITY",
    "SEARCH_CODE",
    "Distances",
    "Kernel",
    "MachineCode",
    "PlanFound",
    "Position",
    "PositionGraph",
    "PositionTable",
    "Reachable",
    "Search",
    "ShortestPlans",
    "TooFar",
    "TooManyPositions",
    "WhileCompiling",
    "positions_of",
]


def __getattr__(name: str) -> Any:
    """Imports what is asked for: a process that only names the backend does without the rest."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value
