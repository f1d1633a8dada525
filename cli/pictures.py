"""Pictures as boards: what `read` and `solve` share. Nothing heavy is loaded before a picture is there."""

import sys
from pathlib import Path

from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import Instance, load_instances
from bsp_sat.instances.sorting.rules import Reveal
from bsp_sat.instances.text.reading import STANDARD_INPUT
from bsp_sat.pictures.corrections import KINDS, need_pictures

STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")
"""How PNG, JPEG and WebP files begin; no board file begins so."""


def is_picture(name: str) -> bool:
    """Whether a file or standard input begins as a picture does; nothing is taken from it."""
    if name in STANDARD_INPUT:
        peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
        return peek is not None and bytes(peek(16)).startswith(STARTS)
    path = Path(name)
    try:
        if not path.is_file():  # a pipe can't be looked into
            return False
        with path.open("rb") as file:
            return file.read(16).startswith(STARTS)
    except (OSError, ValueError):
        return False


class Doubtful(Exception):
    """A picture whose board isn't sure.

    Attributes:
        message: what is doubtful, one line.
    """

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def load_boards(name: str, puzzle: str | None, reveal: Reveal | None = None) -> list[Instance]:
    """As `load_instances`, and of pictures too.

    Args:
        name: of a file, or of a shipped board.
        puzzle: the kind of puzzle, whatever the file says.
        reveal: what shows of the hidden cells of a picture; board files say it themselves.

    Raises:
        Doubtful: a picture whose board isn't sure.
        BoardError: as `load_instances`, or the picture is refused.
        Unsupported: the picture shows what boards can't have, or there is none.
    """
    if not is_picture(name):
        if reveal is not None:
            raise Unsupported('--reveal is for pictures; a board file says it with "reveal"')
        return load_instances(name, puzzle)
    need_pictures()
    from bsp_sat.pictures.reading import read_picture

    if puzzle is not None and puzzle not in KINDS:
        raise BoardError("--puzzle", f"expected {' or '.join(KINDS)} for a picture, found {puzzle}")
    board = read_picture(name, puzzle)
    if not board.sure:
        raise Doubtful(f"the board of {name} is doubtful: {'; '.join(board.reasons())}")
    return [board.to_instance(Path(name).name, reveal)]
