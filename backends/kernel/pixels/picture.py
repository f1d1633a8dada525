"""A picture, and what is asked of its pixels."""

from array import array
from collections.abc import Sequence
from functools import cache
from math import cos, hypot, sin
from typing import NamedTuple

from bsp_sat.backends.kernel.native.layout import Array
from bsp_sat.backends.kernel.native.memory import empty, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.backends.kernel.pixels.arrays import COLOUR, CORNERS, DRAWN, LEVELS, LOOK, REGION, UNIT, Pixels

MOST_REGIONS = 1 << 16
MOST_PLACES = 700  # that are looked at in one call
RING = (0.18, 0.38)  # from the middle, over the width and the height of a place: where a cell shows its plain colour

Colour = tuple[float, float, float]
"""CIE Lab: lightness 0 to 100, green to red, blue to yellow. A distance of 2 is just seen."""

Place = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels at working size."""


class Region(NamedTuple):
    """The box of a flat region; ``right`` and ``bottom`` are one past the last pixel. ``area`` counts holes too."""

    left: int
    top: int
    right: int
    bottom: int
    area: int

    @property
    def place(self) -> Place:
        """Its box."""
        return self.left, self.top, self.right, self.bottom

    @property
    def width(self) -> int:
        """Columns."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top

    @property
    def centre(self) -> float:
        """The middle column."""
        return (self.left + self.right) / 2


class Look(NamedTuple):
    """What a place looks like.

    Attributes:
        colour: its plain one, which isn't that of signs, highlights and outlines.
        corners: the colours of its corners, the upper ones first.
        drawn: how much is drawn on it, in Lab.
    """

    colour: Colour
    corners: tuple[Colour, ...]
    drawn: float


class Picture:
    """A picture at working size.

    Args:
        source: its red, green and blue, row by row.
        size: its width and height.
        width: columns at working size; the rows are as many as keep its shape.
        turn: by what it is turned against ``source``, in radians, clockwise.

    Raises:
        Unsupported: there is no library.
    """

    most_reach = 200
    """Columns on each side of the middle, that a pattern may have."""

    def __init__(self, source: bytearray, size: tuple[int, int], width: int, turn: float = 0.0) -> None:
        self.width, self.height = width, max(1, round(size[1] * width / size[0]))
        self._arrays = Pixels(
            source=memoryview(source),
            source_width=size[0],
            source_height=size[1],
            height=self.height,
            width=width,
            ratio=memoryview(array("d", [size[0] / width, cos(turn), sin(turn)])),
            light=_light(),
            roots=_roots(),
            lab=empty("i", 3 * self.height, width),
            labels=empty("i", self.height, width),
            parents=empty("i", self.height * width),
            regions=empty("i", MOST_REGIONS, REGION),
            boxes=zeros("i", MOST_PLACES, 4),
            looks=empty("i", MOST_PLACES, LOOK),
            ring=_ring(),
            apart=zeros("i", MOST_PLACES, MOST_PLACES),
            line=zeros("d", width),
            pattern=zeros("d", 2 * self.most_reach + 1),
            inner=zeros("d", 2),
            like=zeros("d", width + 2 * self.most_reach),
        )
        self._call = Call(self._arrays)
        self._call("scale")

    def regions(self, step: int) -> list[Region]:
        """Flat regions that may be cells; ``step`` in Lab is how much their pixels that are two apart may differ by."""
        found = self._call("find_regions", step)
        rows = self._arrays.regions
        return [Region(*(rows[row, number] for number in range(5))) for row in range(found)]

    def looks(self, places: Sequence[Place]) -> list[Look]:
        """What places look like."""
        found = []
        for start in range(0, len(places), MOST_PLACES):
            part = places[start : start + MOST_PLACES]
            self._look(part)
            found += [_look_of(self._arrays.looks, number) for number in range(len(part))]
        return found

    def distances(self, places: Sequence[Place]) -> list[list[float]]:
        """How different places look, in Lab: of their colours, and of their patterns with less weight."""
        self._look(places)
        self._call("compare", len(places))
        apart = self._arrays.apart
        every = range(len(places))
        return [[apart[one, other] / UNIT if one != other else 0.0 for other in every] for one in every]

    def line(self, top: float, bottom: float) -> list[float]:
        """How lightness changes from left to right around each column, on average over a band; edges count alike."""
        first = min(max(round(top), 0), self.height - 1)
        self._call("draw_line", first, max(first + 1, min(round(bottom), self.height)))
        return list(self._arrays.line)

    def likeness(self, pattern: Sequence[float], inner: Sequence[float]) -> list[float]:
        """How like a pattern the line that was asked for last is around each place, -1 to 1.

        The first place is half the pattern before the picture: of what is cut off the visible side counts.

        Args:
            pattern: of such a line, the same number of columns on both sides of a middle.
            inner: distance from the middle from which on the pattern counts, in two ways; the liker one is taken.
        """
        reach = len(pattern) // 2
        for place, value in enumerate(pattern):
            self._arrays.pattern[place] = value
        self._arrays.inner[0], self._arrays.inner[1] = inner
        self._call("compare_line", reach)
        return list(self._arrays.like[: self.width + 2 * reach])

    def _look(self, places: Sequence[Place]) -> None:
        boxes = self._arrays.boxes
        for number, place in enumerate(places):
            for side in range(4):
                boxes[number, side] = round(place[side] * UNIT)
        self._call("look", len(places))


def _look_of(looks: Array, number: int) -> Look:
    def colour(start: int) -> Colour:
        return looks[number, start] / UNIT, looks[number, start + 1] / UNIT, looks[number, start + 2] / UNIT

    corners = tuple(colour(CORNERS + 3 * corner) for corner in range(4))
    return Look(colour(COLOUR), corners, looks[number, DRAWN] / UNIT)


def _light() -> Array:
    """The light of each level of sRGB."""
    levels = [level / 255 for level in range(256)]
    light = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return memoryview(array("d", light))


@cache
def _roots() -> Array:
    """The cube roots of light, as CIE Lab takes them: near black a line."""
    lights = (number / LEVELS for number in range(LEVELS + 2))
    return memoryview(
        array("d", [light ** (1 / 3) if light > 0.008856 else 7.787 * light + 16 / 116 for light in lights])
    )


def _ring() -> Array:
    """Points of a place's ring, as thousandths across and down."""
    steps = [round(1000 * (number + 0.5) / 15) for number in range(15)]
    points = [(x, y) for y in steps for x in steps if RING[0] <= hypot(x / 1000 - 0.5, y / 1000 - 0.5) <= RING[1]]
    ring = zeros("i", len(points), 2)
    for number, point in enumerate(points):
        ring[number, 0], ring[number, 1] = point
    return ring
