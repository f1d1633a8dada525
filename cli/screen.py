"""What is shown: boards, plans and results as text, coloured on a terminal, and there also progress."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, TextIO

import click

from bsp_sat.backends.limits import Progress, ProgressHook
from bsp_sat.backends.result import Asks, Question, Result, Status, no_plan_yet
from bsp_sat.cli import bars, terminal
from bsp_sat.cli.group import columns
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Cell, Colour, Picture
from bsp_sat.instances.text.words import quantity

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

    ``is_terminal``: whether the stream is a terminal, or the environment says that it be taken for one.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        self._stderr = stderr
        self.is_terminal = _shows_colours(self.stream)

    @property
    def stream(self) -> TextIO:
        """The stream."""
        return sys.stderr if self._stderr else sys.stdout

    @cached_property
    def console(self) -> "Console":
        """The stream as rich has it, also for what is no terminal."""
        return terminal.console(stderr=self._stderr)

    @property
    def width(self) -> int:
        """How many characters fit in a line."""
        return self.console.width if self.is_terminal else columns()

    def print(self, *parts: "Part", style: str = "", wrap: bool = True) -> None:
        """Prints parts of a text, and ends the line."""
        if self.is_terminal:
            self.console.print(terminal.Text.assemble(*parts, style=style), soft_wrap=not wrap)
        else:
            self.stream.write("".join(part if isinstance(part, str) else part[0] for part in parts) + "\n")
            self.stream.flush()

    def draw(self, puzzle: AnyPuzzle | Picture, *, legend: bool = True) -> None:
        """Draws a position, or its picture, with column numbers."""
        picture = puzzle if isinstance(puzzle, Picture) else puzzle.picture()
        styles: Mapping[Colour, Style] = {}
        if self.is_terminal:
            few = self.console.color_system in ("standard", "windows")
            styles = terminal.colour_styles([colour for _, colour in picture.legend], few=few)

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
            puzzle = puzzle.after_legal(move)
        for line in in_columns(entries, self.width - 2):
            self.print(f"  {line}")

    def draw_plan(self, puzzle: AnyPuzzle, plan: Plan) -> None:
        """Prints the numbered moves, each with the board after it."""
        for step, move in enumerate(plan, start=1):
            self.print(f"\n  {step}.  {printable(puzzle.describe(move))}")
            puzzle = puzzle.after_legal(move)
            self.draw(puzzle, legend=False)

    def list_topics(self, rows: Sequence[tuple[str, str]]) -> None:
        """Prints topics and what is said about them, side by side."""
        from textwrap import fill  # for these rows alone

        self.print()
        column = 2 + max(len(topic) for topic, _ in rows)
        for topic, words in rows:
            lines = fill(f"{topic:<{column}}{words}", max(self.width, 2 * column), subsequent_indent=" " * column)
            self.print((lines[: len(topic)], "bold"), lines[len(topic) :])

    def answer(self, result: Result) -> None:
        """Prints the answer in one to three sentences, with its notes."""
        words = str(result)
        first = len(words.replace(":", ".").partition(".")[0])
        notes = "".join(f"\nNote: {note}." for note in result.notes)
        self.print((words[:first], STATUS_STYLES[result.status]), words[first:] + notes)


def _shows_colours(stream: TextIO) -> bool:
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
    """The board's name, if it has one, and its size."""
    name = "Board" if instance.name == instance.puzzle.kind else printable(instance.name)
    return f"{name}: {instance.puzzle.summary()}"


def effort(result: Result) -> str:
    """The backend, its time and its memory."""
    means = ", ".join(filter(None, (result.backend, result.encoding, result.solver)))
    return f"{means}: {result.seconds:.2f} s, {result.peak_memory_mb:.0f} MB"


# -- progress, where standard error is a terminal ------------------------------------------------------------


HEADER = f"{'Moves':>7}{'Variables':>11}{'Clauses':>12}{'Answer':>8}{'Conflicts':>11}{'Seconds':>10}"
SIGNS = {Asks.AT_MOST: "≤ ", Asks.EXACTLY: "= ", Asks.ANY: "any"}
ANSWERS = {True: "yes", False: "no", None: "?"}


class QuestionTable:
    """Prints what is new of the questions of a run, to standard output or to standard error."""

    def __init__(self, *, stderr: bool = False) -> None:
        self.out = Screen(stderr=stderr)
        self._printed: tuple[Question, ...] = ()

    def show(self, questions: tuple[Question, ...]) -> None:
        """Prints the questions that aren't printed yet; a run that isn't the one before gets a table of its own."""
        if questions[: len(self._printed)] != self._printed:
            self._printed = ()
        for question in questions[len(self._printed) :]:
            if not self._printed:
                self.out.print(HEADER, style="bold", wrap=False)
            self.out.print(_row(question), wrap=False)
            self._printed = (*self._printed, question)

    def end(self, questions: tuple[Question, ...], sentences: Sequence[str]) -> None:
        """Prints what is left of the questions, sentences about them, and an empty line if that was anything."""
        self.show(questions)
        for words in sentences:
            self.out.print(words)
        if questions or sentences:
            self.out.print()


def _row(question: Question) -> str:
    asked = f"{SIGNS[question.asks]}{'' if question.horizon is None else question.horizon}"
    conflicts = "–" if question.conflicts is None else f"{question.conflicts:,}"
    sizes = f"{question.variables:>11,}{question.clauses:>12,}"
    row = f"{asked:>7}{sizes}{ANSWERS[question.satisfiable]:>8}{conflicts:>11}{question.seconds:>10.2f}"
    return f"{row}  {remark}" if (remark := _remark(question)) else row


def _remark(question: Question) -> str:
    """What the columns don't say: what a model is limited to, and whether that makes the answer worth nothing."""
    layers = "" if question.layers is None else f"in {quantity(question.layers, 'layer')}"
    if not question.exact or question.satisfiable:
        return layers
    return ", ".join(filter(None, (layers, "proves nothing, asked again")))


@contextmanager
def live_status(table: QuestionTable | None = None) -> Iterator[ProgressHook | None]:
    """Shows a backend's progress: a line that changes, where there is a terminal, and rows of a table.

    If the table is on a terminal, the line stays below its rows.
    """
    below_table = table is not None and table.out.stream.isatty()
    if not below_table and not sys.stderr.isatty():
        yield None if table is None else lambda progress: table.show(progress.questions)
        return
    out = table.out.console if table is not None and below_table else Screen(stderr=True).console
    with out.status("starting") as status:

        def update(progress: Progress) -> None:
            if table is not None:
                table.show(progress.questions)
            status.update(_so_far(progress))

        yield update


def _so_far(progress: Progress) -> str:
    """The moves that a shortest plan may have, such as ``41 to 57 moves``, and what gave the plan."""
    horizon = progress.figures.get("horizon")
    now = "" if horizon is None else f" · asking for {horizon}"
    length = progress.figures.get("guide") if progress.length is None else progress.length
    if length is None:
        moves = no_plan_yet(progress.lower_bound)
    elif length == progress.lower_bound:
        moves = quantity(length, "move")
    else:
        moves = f"{progress.lower_bound} to {quantity(length, 'move')}"
    plan_by = progress.figures.get("plan_by") if progress.plan is not None else None
    by = "" if plan_by is None else f" (plan by {plan_by})"
    return f"{progress.backend}: {moves}{by}{now} · {progress.seconds:.1f} s"


@contextmanager
def working(what: str = "starting") -> Iterator[Callable[[str], object]]:
    """Shows what the program is at, on a terminal. Yields a function that shows another text in its place."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    with Screen(stderr=True).console.status(what) as status:
        yield status.update


def print_line(line: str) -> None:
    """Prints a line in the place of the line of progress, which is drawn again below."""
    clear = "\r\x1b[2K" if sys.stdout.isatty() and sys.stderr.isatty() else ""
    click.echo(clear + line)  # in one piece, as another thread draws the progress; flushes


@contextmanager
def progress_bar(total: int, done: int) -> Iterator[Callable[[], object]]:
    """Shows a bar with rate and time left. Yields a function to call after each board."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    with bars.boards(Screen(stderr=True).console) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
