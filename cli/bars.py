"""Progress of long work on a terminal, drawn with rich."""

from rich import progress
from rich.console import Console


class _Rate(progress.ProgressColumn):
    """Boards per second."""

    def render(self, task: progress.Task) -> str:
        return f"{task.speed or 0:.1f}/s"


def boards(console: Console) -> progress.Progress:
    """A bar with the rate of boards and the time left; gone when it ends."""
    columns = progress.BarColumn(), progress.MofNCompleteColumn(), _Rate(), progress.TimeRemainingColumn()
    return progress.Progress(*columns, console=console, transient=True)
