"""Certificates: proofs on disk, and their checkers. Who writes none needn't load the encodings: use these names."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, has_stub=True)
