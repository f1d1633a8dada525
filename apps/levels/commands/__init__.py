"""Its commands."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("generate_levels", "grade_tables"))
