"""What may be asked of a picture, and whether it can be read at all; nothing heavy is loaded for it."""

import re
from typing import NamedTuple

from bsp_sat.instances.errors import Unsupported, printable

KINDS = ("ball-sort", "water-sort")
CORRECTION = re.compile(r"([1-9][0-9]{0,3}):([1-9][0-9]{0,3})=(.{1,40})")

ROW = re.compile(r"(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,2}),(\d{1,2})")
MOST_TUBES = 40
CELLS = (2, 16)


class RowByHand(NamedTuple):
    """Where a row of tubes is, as a person says it.

    Attributes:
        left: column of the middle of the lowest cell in the first tube, in pixels of the picture.
        top: row of pixels of the middle of the highest place for a cell.
        right: column of the middle of the last tube.
        bottom: row of pixels of the middle of the lowest cells.
    """

    left: int
    top: int
    right: int
    bottom: int
    tubes: int
    cells: int


def parse_correction(text: str) -> tuple[int, int, str]:
    """Reads TUBE:CELL=COLOUR, counted from 1, into numbers from 0 and a colour.

    Raises:
        Unsupported: it isn't that.

    >>> parse_correction("3:1=red")
    (2, 0, 'red')
    """
    match = CORRECTION.fullmatch(text)
    if match is None:
        raise Unsupported(f"expected TUBE:CELL=COLOUR such as 3:1=red, found {printable(text)}")
    return int(match[1]) - 1, int(match[2]) - 1, match[3]


def parse_row(text: str) -> RowByHand:
    """Reads LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS.

    Raises:
        Unsupported: it isn't that, or no such row can be.

    >>> parse_row("60,200,420,380,4,4").tubes
    4
    """
    match = ROW.fullmatch(text)
    if match is None:
        raise Unsupported(
            f"expected LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS such as 60,200,420,380,4,4, found {printable(text)}"
        )
    row = RowByHand(*map(int, match.groups()))
    least, most = CELLS
    if not 1 <= row.tubes <= MOST_TUBES or not least <= row.cells <= most:
        raise Unsupported(
            f"expected 1 to {MOST_TUBES} tubes of {least} to {most} cells, found {row.tubes} of {row.cells}"
        )
    if row.top >= row.bottom or row.left > row.right or (row.left == row.right) != (row.tubes == 1):
        raise Unsupported(f"expected a frame from the upper left to the lower right, found {printable(text)}")
    return row
