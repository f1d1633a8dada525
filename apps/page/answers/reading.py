"""``/api/read``: the board in a picture."""

from collections.abc import Sequence
from typing import Any

from bsp_sat.apps.page.answering import Service, Task, task_calling
from bsp_sat.apps.pictures import loading
from bsp_sat.apps.pictures.corrections import RowByHand, parse_row
from bsp_sat.apps.pictures.loaded import Loaded
from bsp_sat.apps.pictures.reading import read_loaded, read_rows
from bsp_sat.instances.optional import need


def reading(service: Service, picture: bytes, rows: Sequence[str]) -> Task:
    """Reads a picture, the bytes of a file, with ``rows`` as in `rows_said`; `BspSatError` if none can be read here."""
    need("PIL", "reading pictures")
    return task_calling(service.limits(), reading_json, picture, rows_said(rows))


def rows_said(rows: Sequence[str]) -> tuple[RowByHand, ...]:
    """Where rows of tubes are, each ``LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS``; they are searched for if none is given."""
    return tuple(map(parse_row, rows))


def reading_json(picture: bytes, rows: Sequence[RowByHand]) -> dict[str, Any]:
    """The object that `bsp-sat read` prints, without the picture's name, and with the doubts as text."""
    return board_json(loading.load_picture(picture), rows)


def board_json(loaded: Loaded, rows: Sequence[RowByHand]) -> dict[str, Any]:
    """The same of a picture that is loaded."""
    board = read_rows(loaded, rows) if rows else read_loaded(loaded)
    return {**board.to_json(), "reasons": board.reasons()}
