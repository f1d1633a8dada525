"""Boards from files and pictures: what `read` and `solve` share. Nothing heavy is loaded before a picture is there."""

import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeVar

from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import Instance, load_instances
from bsp_sat.instances.sorting.rules import Reveal
from bsp_sat.instances.text.reading import STANDARD_INPUT, in_words
from bsp_sat.pictures.corrections import KINDS, need_pictures

T = TypeVar("T")

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


class Unread(Exception):
    """A picture whose board isn't sure, or a board that wasn't read in time.

    Attributes:
        message: what is doubtful, one line.
    """

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class _TimeIsUp(BaseException):
    """The time for reading is over; nothing that reads may take it for a fault of what it reads."""


def _within(name: str, seconds: float | None, read: Callable[[], T]) -> T:
    """What ``read`` returns, if its time isn't up before; where the system has no such timers it takes its time.

    No context manager: the signal may come while one is entered or left, where nothing catches what it raises.

    Raises:
        Unread: the time was up.
    """
    if seconds is None or not hasattr(signal, "setitimer"):
        return read()

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, end)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))  # 0 would mean no end
            return read()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TimeIsUp:
        raise Unread(f"time limit of {seconds:g} s reached while {in_words(name)} was being read") from None
    finally:
        signal.signal(signal.SIGALRM, before)


def load_boards(
    name: str, puzzle: str | None, reveal: Reveal | None = None, seconds: float | None = None
) -> list[Instance]:
    """As `load_instances`, and of pictures too.

    Args:
        name: of a file, or of a shipped board.
        puzzle: the kind of puzzle, whatever the file says.
        reveal: what shows of the hidden cells of a picture; board files say it themselves.
        seconds: how long it may take.

    Raises:
        Unread: a picture whose board isn't sure, or the time was up.
        BoardError: as `load_instances`, or the picture is refused.
        Unsupported: the picture shows what boards can't have, or there is none.
    """
    return _within(name, seconds, partial(_load_boards, name, puzzle, reveal))


def _load_boards(name: str, puzzle: str | None, reveal: Reveal | None) -> list[Instance]:
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
        doubts = "; ".join(board.reasons())
        raise Unread(f"the board of {name} is doubtful: {doubts}; `bsp-sat read` shows and corrects it")
    return [board.to_instance(Path(name).name, reveal)]
