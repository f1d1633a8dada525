"""Campaigns: several solvers on the same boards, with outcomes in a SQLite file, tables and plots."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("plots",))

COMMANDS = {
    "compare": ("Study", "Run several solvers on the same boards."),
    "plot": ("Study", "Plot what compare or grade measured."),
}
