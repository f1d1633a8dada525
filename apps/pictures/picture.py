"""A picture, and what is asked of its pixels; `engine/` does it."""

from array import array
from collections.abc import Sequence
from ctypes import POINTER, Array, byref, c_char, c_double, c_int32, c_int64, c_void_p
from functools import cache
from math import cos, sin
from typing import NamedTuple

from bsp_sat.backends.engine import accepted, function, owned

UNIT = 16  # lightness and colours are whole numbers of this part of CIE Lab's unit; places of this part of a pixel
LEVELS = 1 << 14  # of light, that the table of cube roots has
REGION = 5  # numbers of a region
LOOK = 127  # numbers of a look: three for a colour, twelve for its corners; the eighteenth says how much is drawn
MEAN, DRAWN = 15, 18

_NO_BYTES = c_char * 0

Colour = tuple[float, float, float]
"""CIE Lab: lightness 0 to 100, green to red, blue to yellow. A distance of 2 is just seen."""

Away = tuple[float, float]
"""How much further away a place is for each pixel that it is to the right, and down."""

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
    """What a place looks like: its plain colour, without signs, highlights and outlines.

    Of its corners the upper ones are first; ``drawn`` is how much is drawn on it, in Lab.
    """

    colour: Colour
    corners: tuple[Colour, ...]
    drawn: float


class PixelPicture:
    """A picture at working size, of so many columns; turned and tilted as `Loaded` says.

    Unsupported if there is no library, MemoryError if there isn't enough memory.
    """

    most_reach = 200
    """Columns on each side of the middle, that a pattern may have."""

    def __init__(
        self, source: bytearray, size: tuple[int, int], width: int, turn: float = 0.0, away: Away = (0.0, 0.0)
    ) -> None:
        self.width, self.height = width, max(1, round(size[1] * width / size[0]))
        make = function("bspsat_picture_new", c_void_p, *[c_int64] * 4, *[c_double] * 4)
        made = make(*size, self.width, self.height, cos(turn), sin(turn), *away)
        self._picture, _ = owned(self, made, "bspsat_picture_free")
        scale = function("bspsat_picture_scale", c_int64, c_void_p, c_void_p, c_void_p, c_void_p)
        tables = _memory_of(_light()), _memory_of(_roots())
        while accepted(scale(self._picture, _memory_of(source), *tables), "two tables of light"):
            pass
        self._line = array("d")

    def regions(self, step: int, objects: bool = False) -> list[Region]:
        """Flat regions that may be cells; ``step`` in Lab is how much their pixels that are two apart may differ by.

        Or all ``objects`` that stand on the ground, which is the largest region.
        """
        find = function("bspsat_picture_regions", c_int64, c_void_p, c_int64, c_int64, c_void_p)
        found = POINTER(c_int32)()
        numbers = found[: REGION * accepted(find(self._picture, step, objects, byref(found)), "a step from 0 to 1000")]
        return [Region(*numbers[at : at + REGION]) for at in range(0, len(numbers), REGION)]

    def looks(self, places: Sequence[Place]) -> list[Look]:
        """What places look like."""
        looks = self._looks(places)
        return [_look_of(looks[at : at + LOOK]) for at in range(0, len(looks), LOOK)]

    def distances(self, places: Sequence[Place]) -> list[list[float]]:
        """How different places look, in Lab: of their colours, and of their patterns with less weight."""
        count = len(places)
        apart = array("i", bytes(4 * count * count))
        compare = function("bspsat_looks_compare", None, c_int64, c_void_p, c_void_p)
        compare(count, _memory_of(self._looks(places)), _memory_of(apart))
        return [[each / UNIT for each in apart[at : at + count]] for at in range(0, len(apart), count)]

    def line(self, top: float, bottom: float) -> list[float]:
        """How lightness changes from left to right around each column, on average over a band; edges count alike."""
        first = min(max(round(top), 0), self.height - 1)
        self._line = array("d", bytes(8 * self.width))
        draw = function("bspsat_picture_line", c_int64, c_void_p, c_int64, c_int64, c_void_p)
        last = max(first + 1, min(round(bottom), self.height))
        accepted(draw(self._picture, first, last, _memory_of(self._line)), "rows of the picture")
        return self._line.tolist()

    def likeness(self, pattern: Sequence[float], inner: Sequence[float]) -> list[float]:
        """How like a pattern the line that was asked for last is around each place, -1 to 1.

        The first place is half the pattern before the picture: of what is cut off the visible side counts. Patterns
        have a middle column, and count from some distance of it on, in two ways, of which the liker one is taken.
        """
        reach = len(pattern) // 2
        like = array("d", bytes(8 * (self.width + 2 * reach)))
        compare = function("bspsat_line_compare", c_int64, c_int64, c_void_p, c_int64, *[c_void_p] * 3)
        numbers = array("d", pattern), array("d", inner)
        lines = (_memory_of(self._line), reach, *map(_memory_of, numbers), _memory_of(like))
        accepted(compare(self.width, *lines), "distances from the middle")
        return like.tolist()

    def _looks(self, places: Sequence[Place]) -> "array[int]":
        boxes = array("i", [round(side * UNIT) for place in places for side in place])
        looks = array("i", bytes(4 * LOOK * len(places)))
        look = function("bspsat_picture_look", c_int64, c_void_p, c_int64, c_void_p, c_void_p)
        look(self._picture, len(places), _memory_of(boxes), _memory_of(looks))
        return looks


def _look_of(numbers: Sequence[int]) -> Look:
    values = [number / UNIT for number in numbers[: DRAWN + 1]]
    colours = [(values[at], values[at + 1], values[at + 2]) for at in range(0, MEAN, 3)]
    return Look(colours[0], tuple(colours[1:]), values[DRAWN])


def _memory_of(numbers: "array[int] | array[float] | bytearray") -> Array[c_char]:
    """Numbers as C is handed them; it keeps them in place, unlike their address."""
    return _NO_BYTES.from_buffer(numbers)


@cache
def _light() -> "array[float]":
    """The light of each level of sRGB."""
    levels = [level / 255 for level in range(256)]
    return array("d", [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels])


@cache
def _roots() -> "array[float]":
    """The cube roots of light, as CIE Lab takes them: near black a line."""
    lights = (number / LEVELS for number in range(LEVELS + 2))
    return array("d", [light ** (1 / 3) if light > 0.008856 else 7.787 * light + 16 / 116 for light in lights])
