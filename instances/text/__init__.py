"""Untrusted text: reading it within limits, checking fields, quoting it in messages."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("literals",))
