"""Rows of tubes where a person says they are: a frame through the middles of the corner cells, and how many there are.

The frame gives the step from tube to tube and from cell to cell, so that nothing has to be found.
"""

from collections.abc import Sequence
from statistics import fmean

from bsp_sat.instances.errors import PictureError
from bsp_sat.screenshots.cells import Lattice
from bsp_sat.screenshots.corrections import MOST_TUBES, RowByHand
from bsp_sat.screenshots.loaded import Loaded
from bsp_sat.screenshots.rows import Row, Tube

ALIKE = 0.15  # that the heights of cells in two rows differ by
WIDTH = 0.6  # of a cell, over the step from tube to tube: what is surely inside a tube
LEAST_STEP = 6.0  # pixels from cell to cell and from tube to tube


def lattice_by_hand(rows: Sequence[RowByHand], loaded: Loaded, balls: bool) -> Lattice:
    """The cells of rows in frames.

    Raises:
        PictureError: a frame isn't in the picture, there are too many tubes, or cells of two rows aren't of one
            height.
    """
    tubes, (width, height) = sum(row.tubes for row in rows), loaded.size
    text = " ".join(",".join(map(str, row)) for row in rows)
    pitches = [row.pitch * loaded.scale for row in rows]
    steps = [row.step * loaded.scale for row in rows if row.step is not None]
    if tubes > MOST_TUBES:
        raise PictureError(f"{loaded.name}: expected at most {MOST_TUBES} tubes, found {tubes}")
    if any(row.right >= width or row.bottom >= height for row in rows):
        raise PictureError(f"{loaded.name}: expected rows within {width} × {height} pixels, found {text}")
    if min([*pitches, *steps]) < LEAST_STEP:
        raise PictureError(f"{loaded.name}: expected cells that are some pixels apart, found {text}")
    if max(pitches) > (1 + ALIKE) * min(pitches):
        raise PictureError(f"{loaded.name}: expected cells of one height in all rows, found {text}")
    pitch = fmean(pitches)
    return Lattice(balls, pitch, 0.0, min([pitch, *(WIDTH * step for step in steps)]))


def row_by_hand(row: RowByHand, loaded: Loaded, lattice: Lattice) -> Row:
    """The tubes in a frame."""
    step = None if row.step is None else row.step * loaded.scale
    bottom = row.bottom * loaded.scale + 0.5 * (lattice.width if lattice.balls else lattice.pitch)
    centres = (row.left * loaded.scale + number * (step or 0.0) for number in range(row.tubes))
    top = row.top * loaded.scale - 0.5 * lattice.pitch
    return Row(tuple(Tube(centre, bottom, 1.0) for centre in centres), top, step)
