"""The page's icon as PNG: some systems install a page only with such icons.

It is painted here from the SVG, without a library, so that it has the same bytes everywhere. Of SVG this knows what the
icon has: circles, and a tube (a path down, through half a circle, and up again) that is drawn by its line.
"""

import re
import struct
import zlib
from collections.abc import Callable
from math import hypot
from xml.etree import ElementTree

TUBE = re.compile(r"M([\d.]+) ([\d.]+)v([\d.]+)a([\d.]+) \4 0 0 0 ([\d.]+) 0V\2")
GROUND = (255, 255, 255)

Colour = tuple[int, int, int]

Distance = Callable[[float, float], float]
"""How far a point is outside of a shape; negative inside."""


def icon_png(svg: str, size: int, margin: float) -> bytes:
    """The icon on a white ground.

    Args:
        svg: the icon.
        size: width and height in pixels.
        margin: around it, in its own units.
    """
    root = ElementTree.fromstring(svg)
    _, _, side, _ = map(float, root.attrib["viewBox"].split())
    shapes = [_shape(element.attrib) for element in root]
    scale = size / (side + 2 * margin)
    rows = []
    for row in range(size):
        y = (row + 0.5) / scale - margin
        line = bytearray(b"\0")  # no filter
        for column in range(size):
            x = (column + 0.5) / scale - margin
            colour = GROUND
            for distance, ink in shapes:
                cover = min(1.0, 0.5 - distance(x, y) * scale)
                if cover > 0:
                    colour = _mixed(colour, ink, cover)
            line += bytes(colour)
        rows.append(bytes(line))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _shape(attributes: dict[str, str]) -> tuple[Distance, Colour]:
    if "d" in attributes:
        found = TUBE.fullmatch(attributes["d"])
        assert found is not None
        left, top, depth, radius, width = map(float, found.groups())
        half, middle, bottom = float(attributes["stroke-width"]) / 2, left + width / 2, top + depth

        def tube(x: float, y: float) -> float:
            if y > bottom:
                return abs(hypot(x - middle, y - bottom) - radius) - half
            return hypot(abs(abs(x - middle) - radius), max(0.0, top - y)) - half

        return tube, _colour(attributes["stroke"])
    centre_x, centre_y, size = (float(attributes[name]) for name in ("cx", "cy", "r"))
    return lambda x, y: hypot(x - centre_x, y - centre_y) - size, _colour(attributes["fill"])


def _colour(text: str) -> Colour:
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


def _mixed(ground: Colour, ink: Colour, cover: float) -> Colour:
    red, green, blue = (round(under + (over - under) * cover) for under, over in zip(ground, ink, strict=True))
    return red, green, blue


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
