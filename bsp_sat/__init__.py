"""Sort puzzles solved to proven optimality.

>>> import bsp_sat
>>> result = bsp_sat.solve(bsp_sat.load("level-80"))
>>> result.status, result.length
(<Status.OPTIMAL: 'optimal'>, 38)
"""

from bsp_sat.backends.registry import BACKENDS, make_backend
from bsp_sat.backends.result import BackendError, Result, Status
from bsp_sat.backends.solve import Limits, Progress, solve
from bsp_sat.instances.errors import (
    BoardError,
    BspSatError,
    GoalNotReached,
    IllegalMove,
    PlanError,
    Unsupported,
)
from bsp_sat.instances.files import Instance, load_instance, load_instances
from bsp_sat.instances.files import load_puzzle as load
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import Move, Puzzle
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.shot import Knock, Shot
from bsp_sat.instances.sorting import BallSort, Pour, WaterSort
from bsp_sat.instances.tiles import Click, Tiles

__version__ = "0.1.0"

__all__ = [
    "BACKENDS",
    "PUZZLES",
    "BackendError",
    "BallSort",
    "BoardError",
    "BspSatError",
    "Click",
    "GoalNotReached",
    "IllegalMove",
    "Instance",
    "Knock",
    "Limits",
    "Move",
    "Plan",
    "PlanError",
    "Pour",
    "Progress",
    "Puzzle",
    "Result",
    "Shot",
    "Status",
    "Tiles",
    "Unsupported",
    "WaterSort",
    "load",
    "load_instance",
    "load_instances",
    "make_backend",
    "random_boards",
    "solve",
]
