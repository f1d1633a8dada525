"""Drawn boards, and whether what is read of them is what was drawn."""

import io
from dataclasses import replace
from random import Random

from PIL import Image

from bsp_sat.apps.pictures.board import PictureBoard
from bsp_sat.apps.pictures.reading import read_picture
from bsp_sat.instances.errors import PictureError
from tests.support.drawn_screens import Drawn, Style, draw, random_tubes

WATER = Style(rows=(4, 3), scale=0.6, foot="corners")
BALLS = replace(WATER, puzzle="ball-sort", pitch=1.12, gap=0.14)
PLAIN = random_tubes(Random(1), 5, 4, 2)
HIDDEN: list[list[str | None]] = [*([None, None, None, colour] for colour in "abcde"), [], []]


def a_board(style: Style, colours: int = 5, capacity: int = 4, empty: int = 2, seed: int = 1) -> Drawn:
    return draw(random_tubes(Random(seed), colours, capacity, empty), style, capacity)


def png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "PNG", compress_level=1)
    return data.getvalue()


def image_of(drawn: Drawn) -> Image.Image:
    return Image.open(io.BytesIO(drawn.data)).convert("RGB")


def pattern(tubes):
    """Tubes with colours numbered in the order in which they come: names are the reader's own."""
    numbers: dict[str, int] = {}
    return [[-1 if cell is None else numbers.setdefault(cell, len(numbers)) for cell in tube] for tube in tubes]


def is_exact(board: PictureBoard, drawn: Drawn) -> bool:
    return (
        pattern(board.contents()) == pattern(drawn.tubes)
        and [tube.capacity for tube in board.tubes] == drawn.capacities
        and board.puzzle == drawn.puzzle
    )


def is_read(data: bytes, drawn: Drawn) -> bool:
    """Whether a picture is read exactly. Where it isn't, the board must not be sure; it may be refused."""
    try:
        board = read_picture(data)
    except PictureError:
        return False
    exact = is_exact(board, drawn)
    assert exact or not board.sure, "wrong in silence"
    return exact


def sure(data: bytes, drawn: Drawn) -> bool:
    """Whether a picture is read exactly. Doubts fail at once, so that they are seen."""
    board = read_picture(data)
    assert board.sure, board.reasons()
    return is_exact(board, drawn)
