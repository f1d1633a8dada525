"""The boards that commands take: from files and pictures. Picture libraries are loaded only for pictures."""

import re
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TypeVar

import click

from bsp_sat.backends.result import Result
from bsp_sat.cli import parts
from bsp_sat.cli.group import some_are_refused
from bsp_sat.cli.options import ReadingOptions
from bsp_sat.cli.program import RepeatingInterrupt
from bsp_sat.instances.errors import AmbiguousBoard, BoardError, Unread, Unsupported, printable
from bsp_sat.instances.files import Instance, extra_tubes_in, misspelt, one_of, plan_in, plan_text
from bsp_sat.instances.files import load_boards as load_text_boards
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.reading import STANDARD_INPUT, in_words
from bsp_sat.instances.text.words import short

T = TypeVar("T")

MOST_KEYS = 10
"""Unused keys that are listed."""

LONGEST_NAME = 60  # of a board, in the name of a file

REPEATED = 0.05  # seconds from one signal of a timer to the next

STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")
"""The first bytes of PNG, JPEG and WebP files. No board file starts with them."""

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".heic", ".heif", ".gif", ".bmp", ".tif", ".tiff", ".pdf")
"""How names of pictures end, also of kinds that can't be read."""


def is_picture(name: str) -> bool:
    """Whether a file or standard input starts like a picture. Consumes nothing."""
    if name in STANDARD_INPUT:
        peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
        return peek is not None and bytes(peek(16)).startswith(STARTS)
    path = Path(name)
    try:
        if not path.is_file():  # can't peek into a pipe
            return False
        with path.open("rb") as file:
            return file.read(16).startswith(STARTS)
    except (OSError, ValueError):
        return False


class _TimeIsUp(RepeatingInterrupt):
    """The time limit for reading was reached."""


def _within(name: str, seconds: float | None, read: Callable[[], T]) -> T:
    """Calls ``read`` within a time limit, where the system has such timers; Unread if it was reached.

    Not a context manager: the signal could come while one is entered or left, where nothing catches the exception.
    """
    if seconds is None or not hasattr(signal, "setitimer"):
        return read()

    over = False

    def end(_signal: int, _frame: FrameType | None) -> None:
        if not over:
            raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, end)
    other = 0.0  # seconds left of another timer, which is set again
    try:
        try:
            # 0 would mean no limit. Again and again, as a weak reference's callback may drop the exception.
            other, _ = signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), REPEATED)
            return read()
        finally:
            over = True  # before the timer ends: its last signal may still be on the way, in another thread
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TimeIsUp:
        raise Unread(f"time limit of {seconds:g} s reached while {in_words(name)} was being read") from None
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, other)


def load_boards(
    name: str, reading: ReadingOptions, seconds: float | None = None, *, says_it: bool = True
) -> list[Instance]:
    """Like `load_instances`, and reads pictures too. Asks on a terminal what a text means, if that isn't clear.

    If most boards of a pack can be read, the others are named on standard error, and the exit code is that of a
    refusal. With ``says_it``, what a text was taken for is said there too. Raises as that does, also for a picture;
    Unread where the board in one is uncertain, or the time limit was reached; and Unsupported for what boards can't
    have, or ``--reveal`` without a picture.
    """
    instances = _within(name, seconds, partial(_load_boards, name, reading))
    if says_it:
        say_what_it_was_taken_for(instances)
    return instances


def load_board(name: str, reading: ReadingOptions) -> Instance:
    """As `load_boards`, without a time limit, of one board; BoardError if there are several."""
    return one_of(load_boards(name, reading), name)


def _load_boards(name: str, reading: ReadingOptions) -> list[Instance]:
    puzzle, reveal, choices = reading
    if not is_picture(name):
        if name.lower().endswith(PICTURES) and Path(name).is_file():
            raise BoardError(name, "expected a PNG, JPEG or WebP picture, found something else")
        try:
            boards = load_text_boards(name, puzzle, choices, _with_shown_ends)
        except AmbiguousBoard as error:
            from bsp_sat.cli.question import ask  # for questions alone

            return _with_shown_ends(list(ask(error, name).boards))
        if reveal is not None:
            raise Unsupported('--reveal is for pictures; a board file says it with "reveal"')
        for refused in boards.refused:
            click.echo(f"Error: {refused}", err=True)
        if boards.refused:
            some_are_refused()
        _say_what_may_be_misspelt(boards.instances)
        return boards.instances
    return [parts.pictures()(name, puzzle, reveal)]


def _with_shown_ends(instances: list[Instance]) -> list[Instance]:
    """The boards of a pack, with the end of each tube on top that the pack's answers and plans show, if they do."""
    if all(instance.other_end is None for instance in instances):
        return instances
    from bsp_sat.backends.published import with_shown_ends  # most boards say which end it is

    return with_shown_ends(instances)


def say_what_it_was_taken_for(instances: Sequence[Instance]) -> None:
    """Says on standard error what a file in another spelling than the project's own was taken for."""
    read = [instance for instance in instances if instance.read_as]
    if read:
        turned = "" if read[0].other_end is None else f" The other way round: {read[0].turned_by}."
        likewise = f" Likewise {len(read) - 1} more." if len(read) > 1 else ""
        click.echo(printable(read[0].read_as) + turned + likewise, err=True)


def _say_what_may_be_misspelt(instances: Sequence[Instance]) -> None:
    """Says on standard error which unknown keys are nearly a key that would change the board."""
    said = set()
    # A Python dictionary may have numbers as keys.
    for puzzle, key in dict.fromkeys((type(each.puzzle), str(key)) for each in instances for key in each.about):
        if sentence := misspelt(puzzle, key):
            said.add(key)
            click.echo(sentence, err=True)
    unused = dict.fromkeys(printable(short(key)) for each in instances for key in each.unused if key not in said)
    if unused:
        more = ", …" if len(unused) > MOST_KEYS else ""
        click.echo(f"Not used: {', '.join(islice(unused, MOST_KEYS))}{more}.", err=True)


def file_name(number: int, boards: int, name: str) -> str:
    """The name of a file or folder for one of several boards, without an ending."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:LONGEST_NAME]
    return f"{number:0{max(3, len(str(boards - 1)))}}-{plain}"


def compared_with_file(result: Result, instance: Instance) -> Result:
    """The result, with a note if it contradicts what the board's file says."""
    contradiction = instance.contradicted(result.length, result.lower_bound)
    return result if contradiction is None else replace(result, notes=(*result.notes, contradiction))


def with_extra_tubes(instance: Instance, number: int | None) -> Instance:
    """A board with more empty tubes, about which its file says no optimum. Unsupported if it isn't made of tubes."""
    if number is None:
        return instance
    about = {key: value for key, value in instance.about.items() if key != "optimal"}
    return replace(instance, puzzle=sort_puzzle(instance).with_more_tubes(number), about=about, other_end=None)


def load_board_and_plan(name: str, reading: ReadingOptions, source: str | None) -> tuple[Instance, Plan]:
    """A board, with the empty tubes that the file of a plan says were added to it, and the plan; empty without a file.

    Raises as `load_plan` and `load_boards` do, and Unsupported for tubes added to a board that isn't made of tubes.
    """
    if source is None:
        return load_board(name, reading), Plan(())
    text = plan_text(source)
    if extra := extra_tubes_in(text, source):  # then no other empty tube is missing
        reading = reading._replace(choices=reading.choices._replace(empty=0))
    instance = load_board(name, reading)
    return with_extra_tubes(instance, extra or None), plan_in(instance.puzzle, text, source)


def sort_puzzle(instance: Instance) -> SortPuzzle:
    """The board as a sort board. Unsupported if it isn't made of tubes."""
    if not isinstance(instance.puzzle, SortPuzzle):
        raise Unsupported(f"empty tubes are for ball-sort and water-sort boards, not {instance.puzzle.kind}")
    return instance.puzzle
