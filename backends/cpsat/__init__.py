"""CP-SAT of ortools."""

from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort

LAYERED = Scope.of(BallSort, features=(MONOCHROME, SEVERAL_HOMES))
"""The boards that the layered model (`bsp_sat.backends.cpsat.layered`) takes; here, as it needs no ortools."""
