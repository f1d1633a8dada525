"""Ways to solve a puzzle: exact searches, SAT and CP-SAT."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("cross_check", "explanation", "portfolio"))
