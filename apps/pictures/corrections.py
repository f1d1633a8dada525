"""What may be asked of a picture, and whether it can be read at all; nothing heavy is loaded for it."""

import re
from typing import NamedTuple

from bsp_sat.instances.errors import Unsupported, printable

KINDS = ("ball-sort", "water-sort")
CORRECTION = re.compile(r"([1-9][0-9]{0,3})(?:(=none)|(\+)?(?::([1-9][0-9]{0,3})=(.{1,40}))?)")
ROW = re.compile(r"(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,2}),(\d{1,2})")
MOST_TUBES = 40
CELLS = (2, 16)


class RowByHand(NamedTuple):
    """Where a row of tubes is, as a person says it: a frame through the middles of its corner cells, in pixels."""

    left: int
    top: int
    right: int
    bottom: int
    tubes: int
    cells: int


class Correction(NamedTuple):
    """What a person says of a tube, counted from 0 as it was read, or of the tube that was ``added`` last after it.

    Of a cell from the bottom, from 0, its colour, ``-`` for none; with None that the whole tube is added, or is none.
    """

    tube: int
    added: bool = False
    cell: int | None = None
    colour: str = ""


def parse_correction(text: str) -> Correction:
    """Reads TUBE:CELL=COLOUR, TUBE=none, TUBE+ or TUBE+:CELL=COLOUR, counted from 1; Unsupported if it is none of them.

    >>> parse_correction("3:1=red")
    Correction(tube=2, added=False, cell=0, colour='red')
    """
    match = CORRECTION.fullmatch(text)
    if match is None or not any(match.groups()[1:]):
        raise Unsupported(f"expected TUBE:CELL=COLOUR such as 3:1=red, TUBE=none or TUBE+, found {printable(text)}")
    return Correction(int(match[1]) - 1, bool(match[3]), int(match[4]) - 1 if match[4] else None, match[5] or "")


def parse_row(text: str) -> RowByHand:
    """Reads LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS; Unsupported if it isn't that, or no such row can be.

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
