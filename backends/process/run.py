"""One job in progress: collects its reports and enforces the limits."""

import time
from collections.abc import Callable
from threading import Event
from typing import Any, Generic

from bsp_sat.backends.process.job import CollectorT, Job
from bsp_sat.backends.process.limits import MEGABYTE, Limits
from bsp_sat.backends.result import Ending


class Run(Generic[CollectorT]):
    """A job in progress.

    Attributes:
        findings: its reports so far.
        ending: what ended it; meaningless while `is_over` is false.
        reason: what ended it, in words.
        is_over: whether it has ended.
        peak_bytes: the peak memory.
    """

    def __init__(
        self, job: Job[CollectorT], limits: Limits, on_progress: "RunHook[CollectorT] | None", stop: Event | None
    ) -> None:
        self.findings = job.collector()
        self.ending = Ending.DONE
        self.reason = ""
        self.is_over = False
        self.peak_bytes = 0
        self._name = job.name
        self._limits = limits
        self._on_progress = on_progress
        self._stop = stop
        self._started = time.monotonic() - limits.spent
        self._ended_seconds = 0.0

    def seconds(self) -> float:
        """Wall time to the end, or so far."""
        return self._ended_seconds if self.is_over else time.monotonic() - self._started

    def end(self, ending: Ending, reason: str) -> None:
        """Records what ended it."""
        self._ended_seconds = self.seconds()
        self.ending, self.reason, self.is_over = ending, reason, True

    def take(self, name: str, args: tuple[Any, ...], figures: dict[str, Any]) -> None:
        """Takes a report of the job."""
        getattr(self.findings, name)(*args, **figures)

    def look_at_limits(self) -> None:
        """Ends the run if it is stopped or has reached a limit."""
        limits = self._limits
        if self._stop is not None and self._stop.is_set():
            self.end(Ending.INTERRUPTED, "interrupted")
        elif limits.seconds is not None and self.seconds() >= limits.seconds:
            self.end(Ending.TIME, f"time limit of {limits.seconds:g} s reached")
        elif limits.memory_mb is not None and self.peak_bytes > limits.memory_mb * MEGABYTE:
            self.end(Ending.MEMORY, f"memory limit of {limits.memory_mb:g} MB reached")

    def show_progress(self) -> None:
        """Calls what was given for progress."""
        if self._on_progress is not None:
            self._on_progress(self)


RunHook = Callable[[Run[CollectorT]], None]
"""Called while a job runs."""
