"""The puzzles: positions, rules, plans, notations, generators and the shipped boards."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("tiles",))
