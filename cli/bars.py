"""Progress of long work on a terminal, drawn with rich."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TimeRemainingColumn,
)


class _Rate(ProgressColumn):
    """Boards per second."""

    def render(self, task: Task) -> str:
        return f"{task.speed or 0:.1f}/s"


def boards(console: Console) -> Progress:
    """A bar with the rate of boards and the time left; gone when it ends."""
    return Progress(BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(), console=console, transient=True)
