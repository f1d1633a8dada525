"""The library of compiled code: how it is built, found and called."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("compiling",))
