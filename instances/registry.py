"""The puzzles by name, for files, the command line and tests."""

from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort
from bsp_sat.instances.tiles import Tiles

PUZZLES: dict[str, type[AnyPuzzle]] = {puzzle.kind: puzzle for puzzle in (BallSort, WaterSort, Tiles, Shot)}

SORT_PUZZLES = {kind: puzzle for kind, puzzle in PUZZLES.items() if issubclass(puzzle, SortPuzzle)}
"""Those with tubes."""

DEFAULT_PUZZLE: type[AnyPuzzle] = BallSort
"""The puzzle of files that name none, and of text that no puzzle recognises."""
