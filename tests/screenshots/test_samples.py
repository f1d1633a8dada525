"""Boards from a few colours of each cell: what a browser's tab does with a picture, here with Pillow for its canvas."""

import io
from statistics import median

import pytest
from PIL import Image

from bsp_sat.screenshots.corrections import RowByHand
from bsp_sat.screenshots.samples import Sample, board_of_samples
from tests.support.drawn_screens import random_picture, rows_of


def samples_of(image, rows):
    """As samplesOf in bsp_sat/web/tab/files/page/tab/samples.js."""
    found = []
    for row in rows:
        pitch = (row.bottom - row.top) / (row.cells - 1)
        step = (row.right - row.left) / (row.tubes - 1) if row.tubes > 1 else pitch
        cell = min(pitch, step)
        for tube in range(row.tubes):
            x = row.left + tube * step
            heights = [row.bottom - place * pitch for place in range(row.cells)]
            corners = [[(x + side * 0.38 * cell, y - 0.38 * cell) for side in (-1, 1)] for y in heights]
            found.append(
                [
                    Sample(colour_at(image, x, y, cell), tuple(colour_at(image, *corner, cell) for corner in pair))
                    for y, pair in zip(heights, corners, strict=True)
                ]
            )
    return found


def colour_at(image, x, y, cell):
    radius = max(1, round(0.08 * cell))
    patch = image.crop((round(x) - radius, round(y) - radius, round(x) + radius + 1, round(y) + radius + 1))
    data = patch.tobytes()
    return tuple(int(median(data[level::3])) for level in range(3))


@pytest.mark.parametrize("seed", range(20))
def test_drawn_pictures_give_the_boards_that_were_drawn(seed):
    drawn = random_picture(seed)
    image, rows = Image.open(io.BytesIO(drawn.data)).convert("RGB"), [RowByHand(*row) for row in rows_of(drawn)]
    board = board_of_samples(rows, samples_of(image, rows), image.size)
    assert (board.puzzle, board.sure) == (drawn.puzzle, True)
    found = [list(tube) for tube in board.contents()]
    assert [len(tube) for tube in found] == [len(tube) for tube in drawn.tubes]
    pairs = {pair for tube, read in zip(drawn.tubes, found, strict=True) for pair in zip(tube, read, strict=True)}
    assert len(pairs) == len({colour for colour, _ in pairs}) == len({name for _, name in pairs})
