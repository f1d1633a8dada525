"""Boards from pictures: screenshots of ball-sort and water-sort games, without calibration for any one app."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("board", "corrections", "loading", "reading"))

COMMANDS = {"read": ("Make", "Read the board in a screenshot.")}

PARTS = {"pictures": "board_in:board_in"}

NAMES = {"PictureBoard": "board", "read_picture": "reading"}
