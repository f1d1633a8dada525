"""The board in a picture, for all commands that take boards."""

from pathlib import Path

import click

from bsp_sat.apps.pictures import corrections
from bsp_sat.apps.pictures import reading as reader
from bsp_sat.instances.errors import BoardError, Unread
from bsp_sat.instances.files import Instance
from bsp_sat.instances.optional import need
from bsp_sat.instances.sorting import Reveal
from bsp_sat.instances.text.reading import in_words
from bsp_sat.instances.text.words import quantity


def board_in(name: str, puzzle: str | None, reveal: Reveal | None) -> Instance:
    """The board in a picture. Unread if it is uncertain. BoardError or Unsupported as in `load_boards`."""
    need("PIL", "reading pictures")
    if puzzle is not None and puzzle not in corrections.KINDS:
        raise BoardError("--puzzle", f"expected {' or '.join(corrections.KINDS)} for a picture, found {puzzle}")
    board = reader.read_picture(name, puzzle)
    if not board.sure:
        doubts = "; ".join(board.reasons())
        cure = f"and corrects it with {board.cures}; " if board.cures else "and "
        raise Unread(
            f"the board of {in_words(name)} is doubtful: {doubts}; `bsp-sat read` shows it, {cure}"
            "if it is right, solve what that prints"
        )
    if board.left_out:
        places = quantity(len(board.left_out), "locked place")
        click.echo(f"Note: {places} left out; --extra-tubes {len(board.left_out)} solves with it", err=True)
    return board.to_instance(Path(name).name, reveal)
