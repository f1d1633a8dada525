"""The shapes of pictures; every painter supports all of them.

Lengths are pixels of the picture at its natural size, x to the right and y downwards. Colours are ``#rrggbb``.
"""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import NamedTuple

CURVE = 6  # line segments of a rounded corner
CAPITALS = 0.36  # half the height of capital letters, relative to the font size


class Point(NamedTuple):
    """A point of the picture, or an offset from the place of a piece."""

    x: float
    y: float


@dataclass(frozen=True)
class Rectangle:
    """A rectangle with rounded corners."""

    left: float
    top: float
    width: float
    height: float
    fill: str
    line: str | None = None
    radius: float = 0


@dataclass(frozen=True)
class Disc:
    """A circle."""

    centre: Point
    radius: float
    fill: str
    line: str | None = None


@dataclass(frozen=True)
class Line:
    """Points joined by straight lines."""

    points: tuple[Point, ...]
    colour: str
    width: float = 2


@dataclass(frozen=True)
class Words:
    """Text on one line, centred at a point. ``centre``: its centre; vertically, the middle of the capital letters."""

    centre: Point
    text: str
    size: float
    colour: str
    bold: bool = False


Shape = Rectangle | Disc | Line | Words


def arc(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Points on a circle from one angle to another, in quarter turns clockwise from the right."""
    angles = [(start + (end - start) * part / CURVE) * pi / 2 for part in range(CURVE + 1)]
    return [Point(centre.x + radius * cos(angle), centre.y + radius * sin(angle)) for angle in angles]
