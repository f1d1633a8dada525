"""What a person at a terminal sees while the work goes on; nothing where standard error is none."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bsp_sat.backends.solve import Progress, ProgressHook


@contextmanager
def live_status() -> Iterator[ProgressHook | None]:
    """Shows where a backend stands."""
    if not sys.stderr.isatty():
        yield None
        return
    from bsp_sat.cli.output import screen

    with screen.console(stderr=True).status("starting") as status:

        def update(progress: Progress) -> None:
            best = "" if progress.length is None else f", best plan {progress.length}"
            status.update(f"{progress.backend}: at least {progress.lower_bound} moves{best} · {progress.seconds:.1f} s")

        yield update


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows for how long something has been going on that tells nothing meanwhile."""
    if not sys.stderr.isatty():
        yield
        return
    # Imported here, as everywhere that rich is used: `--help` needn't wait for it.
    from rich import progress

    from bsp_sat.cli.output import screen

    columns = (progress.SpinnerColumn(), progress.TextColumn(what), progress.TimeElapsedColumn())
    with progress.Progress(*columns, console=screen.console(stderr=True), transient=True) as shown:
        shown.add_task("", total=None)
        yield


@contextmanager
def told() -> Iterator[Callable[[str], object]]:
    """Shows the words that what it yields is called with, the last ones each time."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    from bsp_sat.cli.output import screen

    with screen.console(stderr=True).status("starting") as status:
        yield status.update


@contextmanager
def progress_bar(total: int, done: int) -> Iterator[Callable[[], object]]:
    """A bar with rate and time left; what it yields is called for each board that is done."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    # Imported here, as everywhere that rich is used: `--help` needn't wait for it.
    from rich import progress

    from bsp_sat.cli.output import screen

    class Rate(progress.ProgressColumn):
        """Boards a second."""

        def render(self, task: progress.Task) -> str:
            return f"{task.speed or 0:.1f}/s"

    columns = (progress.BarColumn(), progress.MofNCompleteColumn(), Rate(), progress.TimeRemainingColumn())
    with progress.Progress(*columns, console=screen.console(stderr=True)) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
