"""``/api/read``: the board in a picture."""

from collections.abc import Sequence
from typing import Any

from bsp_sat.apps.page.answering import Service, Task, task_calling
from bsp_sat.apps.pictures import board, loading
from bsp_sat.apps.pictures import reading as reader
from bsp_sat.apps.pictures.corrections import KINDS, Correction, RowByHand, parse_correction, parse_row
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.optional import need


def reading(
    service: Service, picture: bytes, puzzle: str | None, rows: Sequence[str], corrections: Sequence[str]
) -> Task:
    """Reads a picture.

    Args:
        service: what the server has at hand.
        picture: the bytes of the file.
        puzzle: its kind, if it is known.
        rows: where the rows of tubes are, each ``LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS``; they are searched for if none is
            given.
        corrections: each as `bsp-sat read` takes it.

    Raises:
        BspSatError: one of these isn't that, or pictures can't be read here.
    """
    need("PIL", "reading pictures")
    if puzzle is not None and puzzle not in KINDS:
        raise BoardError("puzzle", f"expected {' or '.join(KINDS)} for a picture, found {puzzle}")
    by_hand = tuple(map(parse_row, rows))
    said = tuple(map(parse_correction, corrections))
    return task_calling(service.limits(), reading_json, picture, puzzle, by_hand, said)


def reading_json(
    picture: bytes, puzzle: str | None, rows: Sequence[RowByHand], corrections: Sequence[Correction]
) -> dict[str, Any]:
    """The object that `bsp-sat read` prints, without the picture's name, and with the doubts as text."""
    loaded = loading.load_picture(picture)
    found = reader.read_rows(loaded, rows, puzzle) if rows else reader.read_loaded(loaded, puzzle)
    read = board.corrected(found, corrections)
    return {**read.to_json(), "reasons": read.reasons()}
