"""The picture with what was understood drawn over it."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw

from bsp_sat.apps.pictures.board import Box, PictureBoard
from bsp_sat.apps.pictures.loaded import Loaded

SURE = (0, 255, 0)
DOUBTFUL = (255, 0, 0)
COVERED = (255, 0, 255)
DIM = 0.55  # how much of the picture's light is left


def overlay(loaded: Loaded, board: PictureBoard) -> bytes:
    """A PNG file of a darker copy of a picture, with boxes of tubes and cells, and each cell's colour as understood."""
    image, pen, line = _darker(loaded)
    for number, tube in enumerate(board.tubes, start=1):
        pen.rectangle(_inside(tube.box, image), outline=COVERED if tube.covered else SURE, width=line)
        pen.text((tube.box.left, tube.box.bottom + line), str(number), fill=(255, 255, 255))
        for cell in tube.cells:
            left, top, right, bottom = _inside(cell.box, image)
            across, down = (right - left) // 4, (bottom - top) // 4
            middle = (left + across, top + down, max(left + across, right - across), max(top + down, bottom - down))
            fill = board.colours[cell.colour] if cell.colour is not None else None
            pen.rectangle(middle, fill=fill, outline=(255, 255, 255))
            if cell.doubtful:
                pen.rectangle((left, top, right, bottom), outline=DOUBTFUL, width=2 * line)
            if cell.colour is None:
                pen.text((middle[0] + 2, middle[1] + 2), "?", fill=(255, 255, 255))
    return _png(image)


def outlined(loaded: Loaded, boxes: Sequence[Box]) -> bytes:
    """A PNG file of a darker copy of a picture, with boxes."""
    image, pen, line = _darker(loaded)
    for box in boxes:
        pen.rectangle(_inside(box, image), outline=SURE, width=line)
    return _png(image)


def _darker(loaded: Loaded) -> tuple[Image.Image, ImageDraw.ImageDraw, int]:
    """A darker copy, what draws on it, and how wide lines are."""
    image = Image.eval(Image.frombytes("RGB", loaded.size, loaded.rgb), lambda level: round(level * DIM))
    return image, ImageDraw.Draw(image), max(1, round(min(image.size) / 300))


def _png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def _inside(box: tuple[int, int, int, int], image: Image.Image) -> tuple[int, int, int, int]:
    """A box that can be drawn: within the picture, and not inside out."""
    left, top = min(box[0], image.width - 1), min(box[1], image.height - 1)
    return left, top, max(left, min(box[2], image.width) - 1), max(top, min(box[3], image.height) - 1)
