"""The puzzles by name; files, the command line and the tests iterate this."""

from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import BallSort, WaterSort
from bsp_sat.instances.tiles import Tiles

PUZZLES: dict[str, type[AnyPuzzle]] = {puzzle.kind: puzzle for puzzle in (BallSort, WaterSort, Tiles, Shot)}

DEFAULT_PUZZLE: type[AnyPuzzle] = BallSort
"""What a file means that names no puzzle, and a text whose notation no puzzle recognises."""
