"""Boards, plans and results as text, coloured on a terminal."""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, TextIO

from bsp_sat.backends.result import Result, Status
from bsp_sat.cli.width import columns
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Cell, Colour

if TYPE_CHECKING:
    from rich.console import Console
    from rich.style import Style

    Part = str | tuple[str, str | Style]
    """A text, or one with its style, in words that rich knows."""

GAP = 4  # between columns of moves

STATUS_STYLES = {
    Status.OPTIMAL: "bold green",
    Status.FEASIBLE: "bold yellow",
    Status.UNSOLVABLE: "bold red",
    Status.UNKNOWN: "bold yellow",
}


class Screen:
    """Standard output, or standard error: a terminal, where rich wraps and colours text, or a file or pipe.

    Attributes:
        is_terminal: whether the stream is a terminal, or the environment says that it be taken for one.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        self._stderr = stderr
        self.is_terminal = _is_terminal(self.stream)

    @property
    def stream(self) -> TextIO:
        """The stream."""
        return sys.stderr if self._stderr else sys.stdout

    @cached_property
    def console(self) -> "Console":
        """The stream as rich has it, also for what is no terminal."""
        from bsp_sat.cli.terminal import console

        return console(stderr=self._stderr)

    @property
    def width(self) -> int:
        """How many characters fit in a line."""
        return self.console.width if self.is_terminal else columns()

    def print(self, *parts: "Part", style: str = "", wrap: bool = True) -> None:
        """Prints parts of a text, and ends the line.

        Args:
            parts: the parts.
            style: the style of all of them.
            wrap: whether a terminal gets lines that fit; others get the text as it is.
        """
        if self.is_terminal:
            from rich.text import Text

            self.console.print(Text.assemble(*parts, style=style), soft_wrap=not wrap)
        else:
            self.stream.write("".join(part if isinstance(part, str) else part[0] for part in parts) + "\n")
            self.stream.flush()

    def draw(self, puzzle: AnyPuzzle, *, legend: bool = True) -> None:
        """Draws a position with column numbers.

        Args:
            puzzle: the position.
            legend: whether to explain the symbols below, where they aren't the colours' names.
        """
        picture = puzzle.picture()
        styles: Mapping[Colour, Style] = {}
        if self.is_terminal:
            from bsp_sat.cli.terminal import colour_styles

            few = self.console.color_system in ("standard", "windows")
            styles = colour_styles([colour for _, colour in picture.legend], few=few)

        def draw(line: Sequence[Cell], other: str) -> None:
            self.print(*((text, other if colour is None else styles.get(colour, "bold")) for text, colour in line))

        for line in picture.lines(self.width):
            draw(line, "dim")
        if legend and (names := [*picture.names(self.width)]):
            self.print()
            for line in names:
                draw(line, "")

    def show_board(self, heading: str, puzzle: AnyPuzzle) -> None:
        """Draws a position below a heading, with empty lines around it."""
        self.print(heading)
        self.print()
        self.draw(puzzle)
        self.print()

    def list_plan(self, puzzle: AnyPuzzle, plan: Plan) -> None:
        """Prints the numbered moves, in columns."""
        entries = []
        width = len(str(len(plan)))
        for step, move in enumerate(plan, start=1):
            entries.append(f"{step:>{width}}.  {printable(puzzle.describe(move))}")
            puzzle = puzzle.apply(move)
        for line in in_columns(entries, self.width - 2):
            self.print(f"  {line}")

    def draw_plan(self, puzzle: AnyPuzzle, plan: Plan) -> None:
        """Prints the numbered moves, each with the board after it."""
        for step, move in enumerate(plan, start=1):
            self.print(f"\n  {step}.  {printable(puzzle.describe(move))}")
            puzzle = puzzle.apply(move)
            self.draw(puzzle, legend=False)

    def answer(self, result: Result) -> None:
        """Prints the answer in one to three sentences, with its notes."""
        words = str(result)
        first = len(words.replace(":", ".").partition(".")[0])
        notes = "".join(f"\nNote: {note}." for note in result.notes)
        self.print((words[:first], STATUS_STYLES[result.status]), words[first:] + notes)


def _is_terminal(stream: TextIO) -> bool:
    """As rich finds it out."""
    if (compatible := os.environ.get("TTY_COMPATIBLE")) in ("0", "1"):
        return compatible == "1"
    if (forced := os.environ.get("FORCE_COLOR")) is not None:
        return forced != ""
    return stream.isatty()


def in_columns(entries: Sequence[str], width: int) -> list[str]:
    """Lines with texts in as many columns as fit, one column after the other.

    >>> in_columns(["1. one", "2. two", "3. three"], 18)
    ['1. one    3. three', '2. two']
    >>> in_columns(["1. one", "2. two", "3. three"], 17)
    ['1. one', '2. two', '3. three']
    """
    most = (width + GAP) // (min(map(len, entries)) + GAP)
    for count in range(min(most, len(entries)), 0, -1):
        long, more = divmod(len(entries), count)  # the first columns have one entry more
        columns = [entries[first * long + min(first, more) :][: long + (first < more)] for first in range(count)]
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) + GAP * (count - 1) <= width:
            rows = (zip(row, widths, strict=True) for row in zip_longest(*columns, fillvalue=""))
            return [(" " * GAP).join(f"{entry:<{wide}}" for entry, wide in row).rstrip() for row in rows]
    return [*entries]


def heading(instance: Instance) -> str:
    """The board's name and size."""
    return f"{printable(instance.name)}: {instance.puzzle.summary()}"


def effort(result: Result) -> str:
    """The backend, its time and its memory."""
    means = ", ".join(filter(None, (result.backend, result.encoding, result.solver)))
    return f"{means}: {result.seconds:.2f} s, {result.peak_memory_mb:.0f} MB"
