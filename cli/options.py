"""Options and helpers that several commands share."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any

import click

from bsp_sat.backends.limits import MOST
from bsp_sat.backends.result import Status
from bsp_sat.cli.completion import complete_board
from bsp_sat.instances.puzzle import Number
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting.rules import REVEALS

Decorator = Callable[[Callable[..., None]], Callable[..., None]]

EXIT_NO = 1
"""Proved unsolvable, invalid, or not verified."""
EXIT_BAD_INPUT = 2
EXIT_UNKNOWN = 3
"""Stopped by a limit or a signal."""
EXIT_BUG = 4

EXIT_CODES = {Status.OPTIMAL: 0, Status.FEASIBLE: 0, Status.UNSOLVABLE: EXIT_NO, Status.UNKNOWN: EXIT_UNKNOWN}
"""The exit code for each status."""

MAX_JOBS = 1024  # processes


def positive(_ctx: click.Context, _param: click.Parameter, value: float | None) -> float | None:
    """Refuses numbers that can't be an amount of time or memory: not above 0, infinite, NaN, or absurdly large."""
    if value is not None and not 0 < value <= MOST:
        raise click.BadParameter(f"expected a number above 0 and at most {MOST:g}, found {value:g}")
    return value


class Whole(click.ParamType[int]):
    """A whole number in a range that help texts don't show: most upper limits are far beyond any use."""

    name = "integer"

    def __init__(self, least: int, most: int) -> None:
        self._range = click.IntRange(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuses anything but a whole number in the range."""
        return self._range.convert(value, param, ctx)


class FileName(click.Path):
    """The path of a file that need not exist."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuses an empty name, which `Path` would take for the current folder."""
        if value == "":
            self.fail("expected the name of a file, found an empty one", param, ctx)
        return super().convert(value, param, ctx)


board_argument = click.argument("board", metavar="BOARD", shell_complete=complete_board)


def number_option(name: str, number: Number, *, required: bool = True) -> Decorator:
    """The option for a whole number that a generator takes.

    Args:
        name: the number's name.
        number: its default, range and help.
        required: whether it must be given if it has no default.
    """

    def check(_ctx: click.Context, _param: click.Parameter, value: int | None) -> int | None:
        if value is not None:
            number.check(name, value)
        return value

    if number.default is not None:
        return click.option(
            f"--{name}", type=int, callback=check, default=number.default, show_default=True, help=number.help
        )
    return click.option(f"--{name}", type=int, callback=check, required=required, help=number.help)


def rules_option(kinds: Sequence[str]) -> Decorator:
    """The option for the puzzle whose boards are generated, by default the first."""
    return click.option(
        "--puzzle", type=click.Choice(kinds), default=kinds[0], show_default=True, help="Rules of the boards."
    )


def board_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of every command with a BOARD: what the file, or the picture, doesn't say."""
    reveal = click.option(
        "--reveal", type=click.Choice(REVEALS), help="For a picture: how many hidden cells show at a time."
    )
    return click.option(
        "--puzzle", type=click.Choice(list(PUZZLES)), help="Use these rules instead of those in the file."
    )(reveal(command))


time_limit_option = click.option(
    "--time-limit", type=float, callback=positive, metavar="SECONDS", help="Stop after this time."
)
memory_limit_option = click.option(
    "--memory-limit", type=float, callback=positive, metavar="MB", help="Stop when the search holds more memory."
)
jobs_option = click.option(
    "--jobs",
    type=Whole(1, MAX_JOBS),
    metavar="N",
    default=lambda: min(os.cpu_count() or 1, MAX_JOBS),
    help="How many boards to work on at the same time.  [default: one for each CPU]",
)


cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="For many boards: address of a dask scheduler whose workers do the work."
)


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
