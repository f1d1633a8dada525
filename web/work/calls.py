"""Functions in a worker's process, within limits and ended at any moment like a search; and progress of both."""

from collections.abc import Callable, Mapping
from threading import Event
from typing import Any

from bsp_sat.backends.process.call import Call, Returned, value_of
from bsp_sat.backends.process.limits import Limits, Progress
from bsp_sat.backends.process.run import Run
from bsp_sat.backends.process.worker import Worker
from bsp_sat.web.work.work_queue import Tell, Told, Work

PROGRESS_SECONDS = 0.1  # between two events of a search that proves something all the time


def calling(limits: Limits, function: Callable[..., Any], *arguments: Any, shown: tuple[str, ...] = ()) -> Work:
    """The work of calling a function, which ends in ``answer`` with what it returns.

    Args:
        limits: of time and memory.
        function: of a module; what a generator yields are figures of how far it is.
        *arguments: for it.
        shown: the figures that progress has as well.
    """
    what = Call(function, arguments)

    def work(worker: Worker, stop: Event, tell: Tell) -> Told:
        return "answer", call(worker, stop, tell, limits, what, *shown)

    return work


def call(worker: Worker, stop: Event, tell: Tell, limits: Limits, what: Call[Any], *shown: str) -> Any:
    """Calls a function in a worker's process; progress has the figures ``shown`` as well.

    Raises:
        BspSatError: what the function raises.
        Unsupported: a limit came first.
        BackendError: the process crashed.
    """
    pace = Pace(tell, *shown)

    def show(run: Run[Returned[Any]]) -> None:
        pace.show(run.seconds(), None, None, run.findings.figures)

    return value_of(worker.run(what, limits, show, stop))


class Pace:
    """Tells how far something is, but not all the time.

    Args:
        tell: where events go.
        shown: names of figures that events have as well.
    """

    def __init__(self, tell: Tell, *shown: str) -> None:
        self._tell = tell
        self._shown = shown
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        """What `ProgressHook` is."""
        self.show(progress.seconds, progress.lower_bound, progress.length, progress.figures)

    def show(self, seconds: float, lower: int | None, upper: int | None, figures: Mapping[str, Any]) -> None:
        """Tells it, where the last time is long enough ago."""
        if seconds < self._next:
            return
        self._next = seconds + PROGRESS_SECONDS
        self._tell(
            "progress",
            {
                "lower": lower,
                "upper": upper,
                "seconds": round(seconds, 2),
                "phase": "searching",
                **{name: figures[name] for name in self._shown if name in figures},
            },
        )
