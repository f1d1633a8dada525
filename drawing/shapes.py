"""What pictures are made of: a few shapes, which every painter knows.

Lengths are pixels of the picture at its natural size, x to the right and y downwards. Colours are ``#rrggbb``.
"""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import NamedTuple

CURVE = 6  # straight pieces of a rounded corner
CAPITALS = 0.36  # half the height of capital letters, of the size of a font


class Point(NamedTuple):
    """A place in the picture, or relative to that of a piece."""

    x: float
    y: float


@dataclass(frozen=True)
class Rectangle:
    """A rectangle with rounded corners.

    Attributes:
        left: x of its left edge.
        top: y of its upper edge.
        width: from edge to edge.
        height: from edge to edge.
        fill: colour inside.
        line: colour of the edge; None for no edge.
        radius: of the corners.
    """

    left: float
    top: float
    width: float
    height: float
    fill: str
    line: str | None = None
    radius: float = 0


@dataclass(frozen=True)
class Disc:
    """A circle.

    Attributes:
        centre: its middle.
        radius: to the edge.
        fill: colour inside.
        line: colour of the edge; None for no edge.
    """

    centre: Point
    radius: float
    fill: str
    line: str | None = None


@dataclass(frozen=True)
class Line:
    """Points joined by straight lines.

    Attributes:
        points: at least two.
        colour: of the line.
        width: of the line.
    """

    points: tuple[Point, ...]
    colour: str
    width: float = 2


@dataclass(frozen=True)
class Words:
    """Text on one line, in the middle of a place.

    Attributes:
        centre: its middle; the height is that of capital letters.
        text: anything; painters escape it.
        size: of the letters, as fonts count.
        colour: of the letters.
        bold: whether it is set in bold, where the painter has it.
    """

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
