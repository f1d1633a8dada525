"""``/api/read``: the board in a picture."""

from collections.abc import Sequence
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.pictures.corrections import KINDS, need_pictures, parse_correction
from bsp_sat.web.work.calls import calling
from bsp_sat.web.work.service import Service
from bsp_sat.web.work.work_queue import Work


def reading(service: Service, picture: bytes, puzzle: str | None, corrections: Sequence[str]) -> Work:
    """The work of reading a picture, with corrections such as ``TUBE:CELL=COLOUR``."""
    need_pictures()
    if puzzle is not None and puzzle not in KINDS:
        raise BoardError("puzzle", f"expected {' or '.join(KINDS)} for a picture, found {puzzle}")
    said = tuple(map(parse_correction, corrections))
    return calling(service.limits(), reading_json, picture, puzzle, said)


def reading_json(picture: bytes, puzzle: str | None, corrections: Sequence[tuple[int, int, str]]) -> dict[str, Any]:
    """The object that `bsp-sat read` prints, without the picture's name, and with the doubts as text."""
    # Imported here, in the worker's process: numpy and Pillow.
    from bsp_sat.pictures.board import corrected
    from bsp_sat.pictures.reading import read_picture

    board = corrected(read_picture(picture, puzzle), corrections)
    return {**board.to_json(), "reasons": board.reasons()}
