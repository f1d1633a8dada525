"""Which board is meant? The readings of a doubtful text drawn side by side; on a terminal one key decides."""

import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

import click

from bsp_sat.cli.group import columns
from bsp_sat.instances.choices import Reading
from bsp_sat.instances.errors import AmbiguousBoard, BoardError, printable
from bsp_sat.instances.instance import Instance
from bsp_sat.instances.text.reading import STANDARD_INPUT, in_words
from bsp_sat.instances.text.words import short

GAP = 2
HIGHEST = 12  # rows of a drawing
INDENT = "   "


def ask(error: AmbiguousBoard, name: str) -> Reading:
    """The reading that the user picks, by one key on a terminal.

    BoardError if there is no terminal to ask on; the readings, and the options that pick them, are on standard error.
    """
    for line in question(error, columns()):
        click.echo(line, err=True)
    asked = sys.stdin.isatty() and sys.stderr.isatty() and name not in STANDARD_INPUT
    if not asked:
        raise BoardError(error.where or in_words(name), "expected one of these options as well")
    keys = [str(number) for number in range(1, len(error.readings) + 1)]
    click.echo(f"Which one? {', '.join(keys)}, or q to quit: ", err=True, nl=False)
    while (key := click.getchar()) not in keys:
        if key in ("q", "\x1b", ""):  # "" if the terminal is gone
            click.echo("q", err=True)
            raise BoardError(error.where or in_words(name), "no board was chosen")
    click.echo(key, err=True)
    return error.readings[int(key) - 1]


def question(error: AmbiguousBoard, width: int) -> Iterator[str]:
    """The lines of a question, of at most ``width`` characters where the boards allow it."""
    yield from _wrapped(f"{': '.join(filter(None, (error.where, error.question)))}:", width, indent="")
    beside = len(error.readings) > 1
    wide = (width - GAP) // 2 if beside else width - GAP
    at = error.readings[0].differs_at(error.readings[1:])
    blocks = [list(_block(number, reading, at, wide)) for number, reading in enumerate(error.readings, start=1)]
    for start in range(0, len(blocks), 2):
        for row in zip_longest(*blocks[start : start + 2], fillvalue=""):
            yield (" " * GAP).join(f"{line:<{wide}}" for line in row).rstrip()


def _block(number: int, reading: Reading, at: int, wide: int) -> Iterator[str]:
    """One reading: what it is, the first of its boards that is open, what speaks against it, and what picks it."""
    yield from _wrapped(f"{number}  {reading.words}", wide)
    yield from _drawn(reading.boards[at], wide)
    for doubt in reading.doubts[:2]:
        yield from _wrapped(f"{INDENT}but {doubt}", wide)
    yield from _wrapped(INDENT + reading.option, wide)


def _wrapped(text: str, wide: int, indent: str = INDENT) -> Sequence[str]:
    return wrap(printable(text), wide, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def _drawn(board: Instance, wide: int) -> Iterator[str]:
    rows = board.puzzle.picture().rows
    for row in rows[-HIGHEST:]:
        yield short(INDENT + " ".join(f"{cell.text.strip() or ' '}" for cell in row), wide)
