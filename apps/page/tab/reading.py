"""``read`` in a tab: the board in a picture whose pixels the browser has decoded."""

from struct import calcsize, unpack_from
from typing import Any
from urllib.parse import parse_qs

from bsp_sat.apps.page.answers.reading import board_json, rows_said
from bsp_sat.apps.pictures.loaded import Loaded
from bsp_sat.instances.errors import BoardError

SIZE = "<II"  # width and height, before the pixels
LEAST_SIDE, MOST_PIXELS = 60, 10_000_000  # the page makes pictures smaller than that


def read_pixels(query: str, body: bytes) -> dict[str, Any]:
    """The answer of ``/api/read``; a `BspSatError` if there is no board in the picture.

    ``query`` has ``row`` once for each row that a person shows; ``body`` width and height, four bytes each with the
    lowest first, then red, green, blue and opacity of each pixel.
    """
    start = calcsize(SIZE)
    width, height = unpack_from(SIZE, body) if len(body) >= start else (0, 0)
    if min(width, height) < LEAST_SIDE or width * height > MOST_PIXELS or len(body) != start + 4 * width * height:
        raise BoardError("picture", f"expected at least {LEAST_SIDE} pixels a side, at most {MOST_PIXELS:,} in all")
    rgb = bytearray(3 * width * height)
    for channel in range(3):
        rgb[channel::3] = body[start + channel :: 4]
    loaded = Loaded(rgb, (width, height))
    return board_json(loaded, rows_said(parse_qs(query).get("row", [])))
