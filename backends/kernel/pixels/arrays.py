"""What compiled code is handed of a picture."""

from typing import NamedTuple

from bsp_sat.backends.kernel.native.layout import Bytes, Floats, IntRows, Ints

UNIT = 16
"""Lightness and colours are whole numbers of this part of CIE Lab's unit; places of this part of a pixel."""

LEVELS = 1 << 14  # of light, that the table of cube roots has

LEFT, TOP, RIGHT, BOTTOM, AREA, LAST, REGION = range(7)
"""Columns of ``regions``: the box, whose right and bottom are one past the last; pixels with the holes of each row;
the last column that was counted."""

GRID = 6
"""Parts of a place, across and down, of which a look has the mean colours."""

COLOUR, CORNERS, MEAN, DRAWN, PARTS = 0, 3, 15, 18, 19
LOOK = PARTS + 3 * GRID * GRID
"""Columns of ``looks``: the median of the ring; the colours of the four corners, upper ones first; the mean of the
middle; how much is drawn on it; and of each of its parts, the difference to the mean."""


class Pixels(NamedTuple):
    """A picture and what is asked of it; h × w at working size.

    Attributes:
        source: [source_height · source_width · 3] red, green and blue of the picture as it came.
        source_width: its columns.
        source_height: its rows.
        height: rows at working size, h.
        width: columns at working size, w.
        ratio: [3] pixels of the picture as it came for one at working size; cosine and sine of the angle by which it is
            turned.
        light: [256] of each level of sRGB, 0 to 1.
        roots: [LEVELS + 2] cube roots, as CIE Lab takes them, of light.
        lab: [3 · h, w] lightness, then green to red, then blue to yellow.
        labels: [h, w] the region of each pixel, -1 for none.
        parents: [h · w] of regions, another one that they are a part of.
        regions: [most, REGION] boxes of regions.
        boxes: [most, 4] places that are asked for.
        looks: [most, LOOK] what they look like.
        ring: [points, 2] of a place's ring, 0 to 1000 across and down.
        apart: [most, most] how different looks are.
        line: [w] of a band of rows of pixels, the mean change of lightness from left to right, blurred.
        pattern: [most] of such a line, around tubes.
        inner: [2] distance from the middle from which on a pattern counts, in two ways.
        like: [w + 2 · reach] how like the pattern the line is around each place, -1 to 1.
    """

    source: Bytes
    source_width: int
    source_height: int
    height: int
    width: int
    ratio: Floats
    light: Floats
    roots: Floats
    lab: IntRows
    labels: IntRows
    parents: Ints
    regions: IntRows
    boxes: IntRows
    looks: IntRows
    ring: IntRows
    apart: IntRows
    line: Floats
    pattern: Floats
    inner: Floats
    like: Floats
