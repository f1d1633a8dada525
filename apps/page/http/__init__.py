"""HTTP: which requests are accepted, their bodies, answers and event streams, and a clean shutdown."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("listening", "origins", "server"))
