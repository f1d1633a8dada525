"""Calls of functions in a worker's process, with limits and progress like searches."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from threading import Event
from typing import Any

from bsp_sat.backends.limits import Limits, Progress
from bsp_sat.backends.run import Call, Returned, Run, Runner
from bsp_sat.web.work.events import Emit, JobEvent, Work

PROGRESS_SECONDS = 0.1  # at least, between two progress events


def calling(limits: Limits, function: Callable[..., Any], *arguments: Any, shown: tuple[str, ...] = ()) -> Work:
    """The work of calling a function. The event ``answer`` has the returned value.

    Args:
        limits: limits of time and memory.
        function: a function of a module; a generator yields figures for progress.
        *arguments: its arguments.
        shown: names of figures to include in progress events.
    """
    what = Call(function, arguments, limits)

    def work(runner: Runner, stop: Event, emit: Emit) -> JobEvent:
        return "answer", call(runner, stop, emit, what, *shown)

    return work


def call(runner: Runner, stop: Event, emit: Emit, what: Call[Any], *shown: str) -> Any:
    """Calls a function. Progress events include the figures ``shown``.

    Raises:
        BspSatError: raised by the function.
        Unsupported: a limit was reached first.
        BackendError: the process crashed.
    """
    pace = Pace(emit, *shown)

    def show(run: Run[Returned[Any]]) -> None:
        pace.show(run.seconds(), None, None, run.findings.figures)

    return runner.do(what, show, stop)


class Pace:
    """Emits progress events, but not too many.

    Args:
        emit: receives events.
        shown: names of figures to include.
    """

    def __init__(self, emit: Emit, *shown: str) -> None:
        self._emit = emit
        self._shown = shown
        self._next = 0.0
        self._bounds: tuple[int | None, int | None] = None, None

    def __call__(self, progress: Progress) -> None:
        """Emits progress of a search, as a `ProgressHook`."""
        figures = {**progress.figures, "questions": [asdict(question) for question in progress.questions]}
        self.show(progress.seconds, progress.lower_bound, progress.length, figures)

    def show(self, seconds: float, lower: int | None, upper: int | None, figures: Mapping[str, Any]) -> None:
        """Emits progress, unless the last event was a moment ago and had the same bounds."""
        if seconds < self._next and (lower, upper) == self._bounds:
            return
        self._bounds = lower, upper
        self._next = seconds + PROGRESS_SECONDS
        self._emit(
            "progress",
            {
                "lower": lower,
                "upper": upper,
                "seconds": round(seconds, 2),
                "phase": "searching",
                **{name: figures[name] for name in self._shown if name in figures},
            },
        )
