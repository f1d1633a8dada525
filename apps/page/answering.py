"""How questions are answered: by jobs, within the limits of the service, and with events about their progress."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any, Self

from bsp_sat.backends.limits import Limits, Progress
from bsp_sat.backends.run import Call, Returned, Run, Runner
from bsp_sat.instances.text.writing import json_text

EVENT_STREAM = "text/event-stream; charset=utf-8"
PROGRESS_SECONDS = 0.1  # at least, between two progress events

Emit = Callable[[str, Any], None]
"""Takes an event: its name, and its data, a JSON value."""

Task = Callable[[Runner, Event, Emit], Any]
"""Finds an answer, a JSON value or a `File`: by jobs for the runner, until the event is set. Emits progress."""


@dataclass(frozen=True)
class File:
    """An answer to send, and its media type."""

    data: bytes
    kind: str

    @classmethod
    def of(cls, answer: Any) -> Self:
        """An answer as a file."""
        return answer if isinstance(answer, cls) else cls(json_text(answer).encode(), "application/json")


@dataclass(frozen=True)
class Service:
    """What each search may take; memory in MB (10⁶ bytes)."""

    seconds: float
    memory_mb: float

    def limits(self, seconds: float | None = None) -> Limits:
        """The limits of a search, with at most ``seconds``."""
        return Limits(seconds=self.seconds if seconds is None else min(seconds, self.seconds), memory_mb=self.memory_mb)


def framed(name: str, data: Any) -> bytes:
    """An event in the format of server-sent events."""
    return f"event: {name}\ndata: {json_text(data)}\n\n".encode()


def task_calling(limits: Limits, function: Callable[..., Any], *arguments: Any) -> Task:
    """A task that calls a function of a module."""

    def answer(runner: Runner, stop: Event, emit: Emit) -> Any:
        return call_with_progress(runner, stop, emit, Call(function, arguments, limits))

    return answer


def call_with_progress(runner: Runner, stop: Event, emit: Emit, call: Call[Any]) -> Any:
    """The value of a call, whose errors it passes on.

    Raises `Unsupported` if a limit was reached first, `BackendError` if the process crashed.
    """
    pace = Pace(emit)

    def show(run: Run[Returned[Any]]) -> None:
        pace.show(run.seconds(), None, None, run.findings.figures)

    return runner.do(call, show, stop)


class Pace:
    """Emits progress events, with the figures ``shown``, but not too many."""

    def __init__(self, emit: Emit, *shown: str) -> None:
        self._emit = emit
        self._shown = shown
        self._next = 0.0
        self._bounds: tuple[int | None, int | None] = None, None

    def __call__(self, progress: Progress) -> None:
        """Emits progress of a search, as a `ProgressHook`."""
        figures = {**progress.figures, "questions": [question._asdict() for question in progress.questions]}
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
