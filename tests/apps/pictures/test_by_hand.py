"""Rows that a person says where they are, and pictures of what can't be read."""

import contextlib
import itertools
from dataclasses import replace
from random import Random

import pytest
from PIL import Image, ImageDraw, ImageFilter

from bsp_sat.apps.pictures.board import PictureBoard
from bsp_sat.apps.pictures.corrections import RowByHand, parse_row
from bsp_sat.apps.pictures.loading import load_picture
from bsp_sat.apps.pictures.reading import read_loaded, read_picture, read_rows
from bsp_sat.instances.errors import PictureError, Unsupported
from tests.apps.pictures.judging import BALLS, PLAIN, WATER, image_of, pattern, png
from tests.support.drawn_screens import PALETTE, Drawn, draw, random_tubes, rows_of


def frames(drawn: Drawn) -> list[RowByHand]:
    return [RowByHand(*row) for row in rows_of(drawn)]


@pytest.mark.parametrize("style", [WATER, BALLS], ids=["water", "balls"])
@pytest.mark.parametrize("theme", ["dark", "light", "wood", "paper"])
def test_rows_by_hand_are_what_is_drawn(style, theme):
    drawn = draw(PLAIN, replace(style, theme=theme), 4)
    board = read_rows(load_picture(drawn.data), frames(drawn))
    assert pattern(board.contents()) == pattern(PLAIN)
    assert (board.puzzle, board.rows) == (drawn.puzzle, (4, 3))
    assert board.sure, board.reasons()


def test_rows_are_read_that_are_not_found():
    """Outlines and the cells of one row are out of focus, so that no row is found as it is."""
    drawn = draw(PLAIN, replace(WATER, theme="dark on dark", header=False), 4)
    loaded = load_picture(png(image_of(drawn).filter(ImageFilter.GaussianBlur(7))))
    try:
        found: PictureBoard | None = read_loaded(loaded)
    except PictureError:
        found = None
    assert found is None or pattern(found.contents()) != pattern(PLAIN)
    assert pattern(read_rows(loaded, frames(drawn)).contents()) == pattern(PLAIN)


def test_one_tube_is_a_row_too():
    tubes = random_tubes(Random(2), 3, 4, 1)
    drawn = draw(tubes, replace(WATER, rows=(1, 3)), 4)
    assert pattern(read_rows(load_picture(drawn.data), frames(drawn)).contents()) == pattern(tubes)


def test_cells_as_wide_as_a_quarter_of_the_picture_are_read_or_refused():
    image = Image.new("RGB", (1100, 700), (20, 24, 40))
    pen = ImageDraw.Draw(image)
    for column, row in itertools.product(range(3), range(3)):
        left, top, colour = 40 + 360 * column, 60 + 200 * row, PALETTE[(column + row) % 3]
        pen.rectangle((left, top, left + 300, top + 194), colour)
    data = png(image)
    with contextlib.suppress(PictureError):
        assert not read_picture(data).sure
    board = read_rows(load_picture(data), [RowByHand(190, 157, 910, 557, 3, 3)], "water-sort")
    assert pattern(board.contents()) == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]


def test_wrong_counts_are_doubtful_in_rows_by_hand_too():
    tubes = [list(tube) for tube in PLAIN]
    tubes[0][0] = next(colour for colour in "abcde" if colour != tubes[0][0])
    drawn = draw(tubes, WATER, 4)
    assert not read_rows(load_picture(drawn.data), frames(drawn)).sure


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([RowByHand(60, 200, 9000, 380, 4, 4)], "within 432 × 768"),
        ([RowByHand(60, 200, 62, 380, 4, 4)], "some pixels apart"),
        ([RowByHand(60, 100, 300, 200, 4, 4), RowByHand(60, 300, 300, 600, 4, 4)], "of one height"),
        ([RowByHand(60, 700, 300, 760, 4, 4)], "expected cells in the rows given"),
        ([RowByHand(60, 100, 300, 200, 21, 4), RowByHand(60, 300, 300, 400, 20, 4)], "at most 40 tubes, found 41"),
    ],
)
def test_rows_that_cannot_be_are_refused(rows, problem):
    with pytest.raises(PictureError, match=problem):
        read_rows(load_picture(draw(PLAIN, WATER, 4).data), rows)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("60,200,420,380,4", "expected LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS"),
        ("60,200,420,380,0,4", "1 to 40 tubes of 2 to 16 cells, found 0 of 4"),
        ("60,200,420,380,4,1", "found 4 of 1"),
        ("60,380,420,200,4,4", "from the upper left to the lower right"),
        ("60,200,60,380,4,4", "from the upper left to the lower right"),
    ],
)
def test_texts_that_are_no_row_are_refused(text, problem):
    with pytest.raises(Unsupported, match=problem):
        parse_row(text)


def strange(kind: str) -> bytes:
    """A board of things that aren't cells of plain colours: 6 full columns of 4, and 2 empty ones."""
    chance = Random(1)
    cells = [number for number in range(6) for _ in range(4)]
    chance.shuffle(cells)
    image = Image.new("RGB", (560, 900), (24, 30, 48))
    pen = ImageDraw.Draw(image)
    for number in range(8):
        left, bottom = 40 + number % 4 * 125, 420 + number // 4 * 360
        pen.rounded_rectangle((left - 8, bottom - 330, left + 82, bottom + 8), 30, outline=(200, 200, 210), width=3)
        for place, colour in enumerate(cells[4 * number : 4 * number + 4]):
            tile, mask = thing(kind, colour)
            image.paste(tile, (left, bottom - (place + 1) * 78), mask)
    return png(image)


def thing(kind: str, number: int) -> tuple[Image.Image, Image.Image]:
    """One thing, 74 pixels wide, and its outline."""
    tile, mask = Image.new("RGB", (74, 74), PALETTE[number]), Image.new("L", (74, 74), 0)
    pen = ImageDraw.Draw(tile)
    ImageDraw.Draw(mask).ellipse((0, 0, 73, 73), fill=255)
    parts = 3 + number % 3
    across, down = ((3, 1) if number % 2 else (1, 3)) if kind == "flags" else (parts, parts)
    for x, y in itertools.product(range(across), range(down)):
        if kind == "flags" or (x + y) % 2:
            colour = PALETTE[(number * 3 + (x + y) * 2) % 8 if kind == "flags" else (number + 3) % 8]
            pen.rectangle((x * 74 / across, y * 74 / down, (x + 1) * 74 / across, (y + 1) * 74 / down), colour)
    return tile, mask


@pytest.mark.parametrize("kind", ["flags", pytest.param("patterned balls", marks=pytest.mark.slow)])
def test_what_cannot_be_read_is_refused_or_doubtful(kind):
    try:
        board = read_picture(strange(kind))
    except PictureError:
        return
    assert not board.sure
