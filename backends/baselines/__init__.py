"""Backends for comparison: programs of others, and methods for special boards."""

from bsp_sat.backends.baselines.heuristic import HEURISTICS as HEURISTICS
from bsp_sat.backends.baselines.heuristic import Heuristic as Heuristic
