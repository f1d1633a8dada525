"""Rows of tubes where a person says they are: a frame through the middles of the corner cells, and how many there are.

The frame gives the step from tube to tube and from cell to cell, so that nothing has to be found.
"""

from collections.abc import Sequence
from statistics import mean

from bsp_sat.backends.kernel import Region
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
    tubes = sum(row.tubes for row in rows)
    if tubes > MOST_TUBES:
        raise PictureError(f"{loaded.name}: expected at most {MOST_TUBES} tubes, found {tubes}")
    width, height = loaded.size
    for row in rows:
        if row.right >= width or row.bottom >= height:
            raise PictureError(f"{loaded.name}: expected rows within {width} × {height} pixels, found {_text([row])}")
    pitches = [_pitch(row) * loaded.scale for row in rows]
    pitch = mean(pitches)
    steps = [step * loaded.scale for row in rows if (step := _step(row)) is not None]
    if min([*pitches, *steps]) < LEAST_STEP:
        raise PictureError(f"{loaded.name}: expected cells that are some pixels apart, found {_text(rows)}")
    if max(pitches) > (1 + ALIKE) * min(pitches):
        raise PictureError(f"{loaded.name}: expected cells of one height in all rows, found {_text(rows)}")
    across = min([pitch, *(WIDTH * step for step in steps)])
    return Lattice(balls, pitch, 0.0, across)


def row_by_hand(row: RowByHand, loaded: Loaded, lattice: Lattice, regions: Sequence[Region]) -> Row:
    """The tubes in a frame, with those flat regions that are inside them."""
    step = _step(row)
    bottom = row.bottom * loaded.scale + 0.5 * (lattice.width if lattice.balls else lattice.pitch)
    top = row.top * loaded.scale - 0.5 * lattice.pitch
    tubes = []
    for number in range(row.tubes):
        centre = (row.left + number * (step or 0.0)) * loaded.scale
        inside = [each for each in regions if _is_inside(each, centre, top, bottom, lattice)]
        tubes.append(Tube(centre, bottom, 1.0, tuple(sorted(inside, key=lambda each: -each.bottom))))
    return Row(tuple(tubes), top, None if step is None else step * loaded.scale)


def _is_inside(region: Region, centre: float, top: float, bottom: float, lattice: Lattice) -> bool:
    return (
        abs(region.centre - centre) <= 0.3 * lattice.width
        and region.top >= top - 0.3 * lattice.pitch
        and region.bottom <= bottom + 0.3 * lattice.pitch
    )


def _pitch(row: RowByHand) -> float:
    """Pixels from cell to cell."""
    return (row.bottom - row.top) / (row.cells - 1)


def _step(row: RowByHand) -> float | None:
    """Pixels from tube to tube, None of one tube alone."""
    return None if row.tubes == 1 else (row.right - row.left) / (row.tubes - 1)


def _text(rows: Sequence[RowByHand]) -> str:
    return " ".join(",".join(map(str, row)) for row in rows)
