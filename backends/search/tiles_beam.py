"""Plans of boards of tiles, by the engine's beam search."""

from ctypes import c_char_p, c_int64, c_void_p

from bsp_sat.backends.beams import AnyBeam
from bsp_sat.backends.engine import function, missing_library
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.tiles import Click, Tiles

MOST_CELLS, MOST_COLUMNS, MAX_COLOURS = 512, 255, 64


class TilesBeam(AnyBeam):
    """A beam search from a board of tiles that `TilesBeam.takes`; see `AnyBeam`."""

    def __init__(self, puzzle: Tiles, *, memory_mb: float | None, share: float) -> None:
        rows = max(map(len, puzzle.columns))
        cells = b"".join(bytes(tile + 1 for tile in column).ljust(rows, b"\0") for column in puzzle.columns)
        new = function("bspsat_beam_of_tiles", c_void_p, c_char_p, c_int64, c_int64)
        super().__init__(new(cells, len(puzzle.columns), rows), memory_mb, share)

    @staticmethod
    def takes(puzzle: Tiles) -> bool:
        """Whether there is a library, and the board isn't too large for it."""
        rows, columns = max(map(len, puzzle.columns)), len(puzzle.columns)
        fits = 0 < rows * columns <= MOST_CELLS and columns <= MOST_COLUMNS and len(puzzle.palette) <= MAX_COLOURS
        return fits and missing_library() is None

    def plan(self) -> Plan:
        """The plan that was found last; errors as of `AnyBeam.moves`."""
        return Plan(tuple(map(Click, self.moves()[::2])))
