"""Progress on a terminal; nothing if standard error isn't one."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from bsp_sat.backends.solve import Progress, ProgressHook
from bsp_sat.cli.screen import Screen

if TYPE_CHECKING:
    from bsp_sat.backends.result import Question


class Table(Protocol):
    """A table that grows while a backend runs, of what a solver is asked."""

    out: Screen

    def show(self, questions: "tuple[Question, ...]") -> None:
        """Prints what is new of the questions."""


@contextmanager
def live_status(table: Table | None = None) -> Iterator[ProgressHook | None]:
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
    best = "" if progress.length is None else f", best plan {progress.length}"
    horizon = progress.figures.get("horizon")
    now = "" if horizon is None else f" · asking for {horizon}"
    return f"{progress.backend}: at least {progress.lower_bound} moves{best}{now} · {progress.seconds:.1f} s"


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows the time spent on something that reports no progress."""
    if not sys.stderr.isatty():
        yield
        return
    from rich import progress

    columns = (progress.SpinnerColumn(), progress.TextColumn(what), progress.TimeElapsedColumn())
    with progress.Progress(*columns, console=Screen(stderr=True).console, transient=True) as shown:
        shown.add_task("", total=None)
        yield


@contextmanager
def status_text() -> Iterator[Callable[[str], object]]:
    """Yields a function that shows a text in place of the one before."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    with Screen(stderr=True).console.status("starting") as status:
        yield status.update


@contextmanager
def progress_bar(total: int, done: int) -> Iterator[Callable[[], object]]:
    """Shows a bar with rate and time left. Yields a function to call after each board."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich import progress

    class Rate(progress.ProgressColumn):
        """Boards per second."""

        def render(self, task: progress.Task) -> str:
            return f"{task.speed or 0:.1f}/s"

    columns = (progress.BarColumn(), progress.MofNCompleteColumn(), Rate(), progress.TimeRemainingColumn())
    with progress.Progress(*columns, console=Screen(stderr=True).console) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
