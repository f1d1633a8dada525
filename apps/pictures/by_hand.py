"""Rows of tubes where a person says they are: a frame through the middles of the corner cells, and how many there are.

The frame gives the step from tube to tube and from cell to cell, so that nothing has to be found.
"""

from collections.abc import Sequence
from statistics import fmean

from bsp_sat.apps.pictures.cells import Lattice
from bsp_sat.apps.pictures.corrections import MOST_TUBES, RowByHand
from bsp_sat.apps.pictures.loaded import Loaded
from bsp_sat.apps.pictures.rows import Row, Tube
from bsp_sat.instances.errors import PictureError

ALIKE = 0.15  # that the heights of cells in two rows differ by
WIDTH = 0.6  # of a cell, over the step from tube to tube: what is surely inside a tube
LEAST_STEP = 6.0  # pixels from cell to cell and from tube to tube


def rows_by_hand(frames: Sequence[RowByHand], loaded: Loaded, balls: bool) -> tuple[list[Row], Lattice]:
    """Rows in frames, and their cells.

    PictureError if a frame isn't in the picture, there are too many tubes, or cells of two rows aren't of one height.
    """
    scale, (width, height) = loaded.scale, loaded.size
    steps = [scale * (frame.right - frame.left) / max(1, frame.tubes - 1) for frame in frames]  # 0 of one tube alone
    pitches = [scale * (frame.bottom - frame.top) / (frame.cells - 1) for frame in frames]
    count = sum(frame.tubes for frame in frames)
    found = " ".join(",".join(map(str, frame)) for frame in frames)
    if count > MOST_TUBES:
        raise PictureError(f"{loaded.name}: expected at most {MOST_TUBES} tubes, found {count}")
    if any(frame.right >= width or frame.bottom >= height for frame in frames):
        raise PictureError(f"{loaded.name}: expected rows within {width} × {height} pixels, found {found}")
    if min([*pitches, *filter(None, steps)]) < LEAST_STEP:
        raise PictureError(f"{loaded.name}: expected cells that are some pixels apart, found {found}")
    if max(pitches) > (1 + ALIKE) * min(pitches):
        raise PictureError(f"{loaded.name}: expected cells of one height in all rows, found {found}")
    pitch = fmean(pitches)
    lattice = Lattice(balls, pitch, 0.0, min([pitch, *(WIDTH * step for step in steps if step)]))
    rows = []
    for frame, step in zip(frames, steps, strict=True):
        bottom = scale * frame.bottom + 0.5 * (lattice.width if balls else pitch)
        tubes = tuple(Tube(scale * frame.left + number * step, bottom, 1.0) for number in range(frame.tubes))
        rows.append(Row(tubes, scale * frame.top - 0.5 * pitch, step or None))
    return rows, lattice
