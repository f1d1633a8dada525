"""Exact searches in readable Python, and the border argument, which proves boards unsolvable."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("borders", "frontier_search"))
