"""The commands, one module each; what only one command needs is in modules whose names begin with the command's.

A module declares a command's options. What takes long to import and only some runs need is a module below, so that
``--help`` needn't wait for it.
"""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("solve_many",))
