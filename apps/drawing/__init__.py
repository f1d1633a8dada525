"""Boards and plans as pictures: SVG, animated SVG, PNG and GIF, and pages to step through a plan."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("raster",))

COMMANDS = {"draw": ("Look", "Draw a board or a plan as SVG, PNG or GIF.")}

PARTS = {"notebooks": "notebook"}

NAMES = {"draw": "draw"}
