"""Options that several commands share, in groups: a command gets each group as one object."""

import math
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any, NamedTuple, TypeVar

import click

from bsp_sat.backends.limits import MOST, Limits
from bsp_sat.backends.result import Status
from bsp_sat.cli.completion import complete_board
from bsp_sat.cli.group import EXIT_NO, EXIT_UNKNOWN
from bsp_sat.instances.choices import NO_CHOICES, ReadingChoices
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import MAX_EXTRA_TUBES
from bsp_sat.instances.puzzle import Number
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting.rules import REVEALS, Reveal
from bsp_sat.instances.text.words import did_you_mean, short

T = TypeVar("T")

Decorator = Callable[[Callable[..., None]], Callable[..., None]]

EXIT_CODES = {Status.OPTIMAL: 0, Status.FEASIBLE: 0, Status.UNSOLVABLE: EXIT_NO, Status.UNKNOWN: EXIT_UNKNOWN}
"""The exit code for each status."""

MAX_JOBS = 1024  # processes


class Parsed(click.ParamType[T]):
    """An option's value as a function reads it, which refuses it with `Unsupported`."""

    def __init__(self, name: str, parse: Callable[[str], T]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Parses a value, for click."""
        try:
            return self._parse(str(value))
        except Unsupported as error:
            self.fail(str(error), param, ctx)


class WholeNumber(Parsed[int]):
    """A whole number in a range that help texts don't show: most upper limits are far beyond any use."""

    def __init__(self, least: float = -math.inf, most: float = math.inf) -> None:
        span = "" if most == math.inf else f" from {least} to {most}"

        def parse(text: str) -> int:
            with suppress(ValueError):
                if least <= (number := int(text)) <= most:
                    return number
            raise Unsupported(f"expected a whole number{span}, found {short(text)}")

        super().__init__("integer", parse)


class OneOf(click.Choice[str]):
    """One of some words; the error suggests the one that is meant, or the command ``elsewhere`` that takes it."""

    def __init__(self, words: Iterable[str], **elsewhere: Iterable[str]) -> None:
        super().__init__(list(words))
        self._elsewhere = elsewhere

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Lists the words in a line."""
        return f"expected one of {', '.join(self.choices)}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuses other words."""
        if value not in self.choices:
            other = next((f"; bsp-sat {name} has it" for name, words in self._elsewhere.items() if value in words), "")
            found = f"{short(repr(value))}{other or did_you_mean(value, self.choices)}"
            self.fail(f"expected one of {', '.join(self.choices)}, found {found}", param, ctx)
        return super().convert(value, param, ctx)


FORMULAS = ("dimacs", "wcnf", "opb", "pddl", "strips", "lpcp")
"""Formats of `export`, for other solvers."""


class FileName(click.Path):
    """The path of a file that need not exist."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuses an empty name, which `Path` would take for the current folder."""
        if value == "":
            self.fail("expected the name of a file, found an empty one", param, ctx)
        return super().convert(value, param, ctx)


def _amount(units: Mapping[str, int], example: str) -> Callable[[str], float]:
    """Reads an amount, with a unit or without, and refuses any that isn't above 0, or is absurdly large."""

    def read(text: str) -> float:
        number = text.strip().lower()
        unit = next((unit for unit in units if number.endswith(unit)), "")
        with suppress(ValueError):
            if 0 < (amount := float(number.removesuffix(unit)) * units.get(unit, 1)) <= MOST:
                return amount
        raise Unsupported(f"expected {example}, above 0 and at most {MOST:,}, found {short(text)}")

    return read


SECONDS = Parsed("seconds", _amount({"s": 1, "m": 60, "h": 3600}, "seconds or a time such as 90s, 1m or 2h"))
MEGABYTES = Parsed("megabytes", _amount({"mb": 1, "gb": 1000}, "megabytes, or a size such as 2GB"))


class Option:
    """An option of one command, as a decorator, or of a `group`. Takes the arguments of `click.option`."""

    def __init__(self, *names: str, **about: Any) -> None:
        self._names = names
        self._about = about

    def __call__(self, command: Callable[..., None]) -> Callable[..., None]:
        return click.option(*self._names, **self._about)(command)

    def named(self, name: str) -> "Option":
        """The option with its value under another name."""
        flags = [each for each in self._names if each.startswith("-")]
        return Option(*flags, name, **self._about)


def group(name: str, kind: Callable[..., object], **options: Option) -> Decorator:
    """Options whose values a command gets as one argument, made by ``kind``, usually a dataclass.

    They are given by the names under which it takes their values, in the order of the help text.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def grouped(*args: Any, **values: Any) -> None:
            own = {field: values.pop(field) for field in options}
            command(*args, **values, **{name: kind(**own)})

        decorated: Callable[..., None] = grouped
        for field, each in reversed(options.items()):
            decorated = each.named(field)(decorated)
        return decorated

    return decorate


board_argument = click.argument("board", metavar="BOARD", shell_complete=complete_board)
json_option = Option("--json", "as_json", is_flag=True, help="Print one JSON object.")


class ReadingOptions(NamedTuple):
    """What a file, or a picture, doesn't say about its board."""

    puzzle: str | None = None
    reveal: Reveal | None = None
    choices: ReadingChoices = NO_CHOICES


def _reading(puzzle: str | None, reveal: Reveal | None, room: tuple[str, ...], **said: Any) -> ReadingOptions:
    return ReadingOptions(puzzle, reveal, ReadingChoices(room=room, **said))


reading_options = group(
    "reading",
    _reading,
    puzzle=Option("--puzzle", type=OneOf(list(PUZZLES)), help="Use these rules instead of those in the file."),
    reveal=Option(
        "--reveal",
        type=OneOf(REVEALS),
        help="For a picture with hidden cells: whether the game uncovers a run of one colour, or one cell at a time.",
    ),
    top_first=Option(
        "--top-first/--bottom-first",
        default=None,
        help="Whether BOARD lists a tube from its top or from its bottom.  [default: what BOARD shows]",
    ),
    tubes_in=Option(
        "--tubes-in",
        type=OneOf(["rows", "columns"]),
        help="If BOARD is a table: whether its rows or its columns are tubes.",
    ),
    room=Option(
        "--room",
        multiple=True,
        metavar="WORD",
        help="A word in BOARD that means an empty place, such as 0. Give it once for each such word.",
    ),
    empty=Option(
        "--empty",
        type=WholeNumber(0, MAX_EXTRA_TUBES),
        metavar="N",
        help="How many empty tubes the game has besides those in BOARD.",
    ),
    ignore_unknown=Option(
        "--ignore-unknown", is_flag=True, help="Ignore keys of BOARD that aren't known and sound like rules."
    ),
    read_as=Option(
        "--read-as", type=WholeNumber(1, 9), metavar="N", help="If BOARD can be read in several ways: take the Nth."
    ),
)
"""The options of every command with a BOARD."""


def time_limit_option(words: str = "Stop after this time.", **about: Any) -> Option:
    """The option for a time: seconds, or with a unit, ``90s``, ``1m``, ``2h``."""
    return Option("--time-limit", "--seconds", type=SECONDS, metavar="TIME", help=words, **about)


def memory_limit_option(words: str = "Stop when the search uses more memory.", **about: Any) -> Option:
    """The option for an amount of memory, in MB."""
    return Option("--memory-limit", type=MEGABYTES, metavar="MB", help=words, **about)


limit_options = group("limits", Limits, seconds=time_limit_option(), memory_mb=memory_limit_option())


class Work(NamedTuple):
    """How the work on many boards is done: how many at a time, or threads for one; and the cluster that does it.

    ``out`` is a file that is written line by line, or continued; None for standard output.
    """

    jobs: int
    cluster: str | None
    out: Path | None = None


MANY_JOBS = "How many boards to work on at the same time.  [default: one for each CPU]"


def jobs_option(words: str = MANY_JOBS) -> Option:
    """``--jobs`` with its help."""
    cores = min(os.cpu_count() or 1, MAX_JOBS)
    return Option("--jobs", type=WholeNumber(1, MAX_JOBS), metavar="N", default=lambda: cores, help=words)


cluster_option = Option(
    "--cluster", metavar="ADDRESS", help="For many boards: address of a dask scheduler whose workers do the work."
)
work_options = group("work", Work, jobs=jobs_option(), cluster=cluster_option)


def resumable_work_options(words: str, jobs: str = MANY_JOBS) -> Decorator:
    """Those of `work_options`, and ``--resume``, with their help."""
    resume = Option("--resume", type=FileName(), metavar="OUT", help=words)
    return group("work", Work, jobs=jobs_option(jobs), out=resume, cluster=cluster_option)


extra_tubes_option = Option(
    "--extra-tubes",
    type=WholeNumber(0, MAX_EXTRA_TUBES),
    metavar="N",
    help="Add N empty tubes after the others. Each holds as many as they do; if they differ, the board's capacity.",
)


def certificate_option(words: str) -> Option:
    """The option for the folder of a certificate."""
    return Option("--certificate", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help=words)


def seed_option(words: str) -> Option:
    """The option for the seed of random numbers."""
    return Option("--seed", type=WholeNumber(), default=0, show_default=True, help=words)


def number_option(name: str, number: Number, *, required: bool = True) -> Option:
    """The option for a whole number that a generator takes."""

    def check(_ctx: click.Context, _param: click.Parameter, value: int | None) -> int | None:
        if value is not None:
            number.check(name, value)
        return value

    about = {"required": required} if number.default is None else {"default": number.default, "show_default": True}
    return Option(f"--{name}", type=WholeNumber(), callback=check, help=number.help, **about)


def rules_option(kinds: Sequence[str]) -> Option:
    """The option for the puzzle whose boards are generated, by default the first."""
    return Option("--puzzle", type=OneOf(kinds), default=kinds[0], show_default=True, help="Rules of the boards.")


def refuse_standard_input_twice(board: str, plan: str | None) -> None:
    """Refuses a command line where both the board and the plan are ``-``."""
    if board == plan == "-":
        raise click.UsageError("BOARD and PLAN can't both be standard input")


@contextmanager
def stop_on_signals() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set instead of ending the program."""
    stop = Event()
    received: list[int] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        # A second signal may interrupt this very function, and would then deadlock on the event's lock.
        if not received:
            received.append(number)
            stop.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
