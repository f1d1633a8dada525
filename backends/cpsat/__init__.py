"""CP-SAT of ortools."""

from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort
from bsp_sat.on_demand import OnDemand

LAYERED = Scope.of(BallSort, features=(MONOCHROME, SEVERAL_HOMES))
"""The boards that the layered model (`bsp_sat.backends.cpsat.layered`) takes; here, as it needs no ortools."""

__getattr__ = OnDemand(__name__, modules=("clauses", "layered", "solver"))
