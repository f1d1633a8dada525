"""The puzzles by name; files, the command line and the tests iterate this."""

from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort
from bsp_sat.instances.tiles import Tiles

PUZZLES: dict[str, type[AnyPuzzle]] = {puzzle.kind: puzzle for puzzle in (BallSort, WaterSort, Tiles, Shot)}

SORT_PUZZLES = {kind: puzzle for kind, puzzle in PUZZLES.items() if issubclass(puzzle, SortPuzzle)}
"""Those with tubes."""

DEFAULT_PUZZLE: type[AnyPuzzle] = BallSort
"""What a file means that names no puzzle, and a text whose notation no puzzle recognises."""
