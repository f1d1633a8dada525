"""One job in progress in a child process."""

import signal
import time
from threading import Event
from typing import Any

from bsp_sat.backends.process.child import CLOSED, Child
from bsp_sat.backends.process.child_main import LONG_SECONDS
from bsp_sat.backends.process.job import CollectorT, Job
from bsp_sat.backends.process.limits import MEGABYTE, Limits
from bsp_sat.backends.process.run import Run, RunHook
from bsp_sat.backends.result import Ending
from bsp_sat.instances.errors import BackendError

POLL_SECONDS = 0.05


class ChildRun(Run[CollectorT]):
    """A job that has been sent to a child process.

    Attributes:
        came_to_an_end: whether the child reported the end itself, so that its process can take another job.
        was_long: whether it took so long that the process dropped the jobs after it.
    """

    def __init__(
        self,
        job: Job[CollectorT],
        limits: Limits,
        child: Child,
        on_progress: RunHook[CollectorT] | None = None,
        stop: Event | None = None,
        share_mb: float | None = None,
    ) -> None:
        super().__init__(job, limits, on_progress, stop)
        self.came_to_an_end = False
        self.was_long = False
        self._child = child
        self._share_mb = share_mb
        self._reported_seconds = 0.0

    @property
    def exceeded_share(self) -> bool:
        """Whether it ended without a result because its share of the memory was too small."""
        out_of_memory = self.ending in (Ending.MEMORY, Ending.OUT_OF_MEMORY)
        return self._share_mb is not None and out_of_memory and not self.findings.settled

    def until_stopped(self) -> None:
        """Lets the job run until it ends or a limit is reached."""
        while not self.is_over:
            self.look(POLL_SECONDS)

    def look(self, seconds: float) -> None:
        """Takes the child's messages, waiting up to ``seconds``, and checks the limits."""
        for message in self._child.arrived(seconds):
            if message is not CLOSED:
                self.take(*message)
            else:
                self._bury()
            if self.is_over:
                break  # further messages belong to the next job
        if not self.is_over:
            if self.seconds() >= POLL_SECONDS:  # most boards take less; their child reports the peak at the end
                self.peak_bytes = max(self.peak_bytes, self._child.resident_bytes())
            self.look_at_limits()
        self.show_progress()

    def seconds(self) -> float:
        if self.is_over:
            return self._ended_seconds
        return max(time.monotonic() - self._started, self._reported_seconds)

    def take(self, name: str, args: tuple[Any, ...], figures: dict[str, Any]) -> None:
        if name == "ended":
            self._take_end(*args)
        elif name != "ready":
            super().take(name, args, figures)

    def _take_end(self, ending: Ending, reason: str, peak_bytes: int, seconds: float) -> None:
        self._reported_seconds = seconds  # more exact if this process was still busy with the previous job
        self.was_long = seconds > LONG_SECONDS
        self.end(ending, reason)
        self.came_to_an_end = True
        self.peak_bytes = max(self.peak_bytes, peak_bytes)

    def look_at_limits(self) -> None:
        super().look_at_limits()
        if not self.is_over and self._share_mb is not None and self.peak_bytes > self._share_mb * MEGABYTE:
            self.end(Ending.MEMORY, f"share of {self._share_mb:.0f} MB of the memory used up")

    def _bury(self) -> None:
        """Records how a child ended that closed its pipe without a report.

        Raises:
            BackendError: it ended with an exit code, not by a signal.
        """
        if self._stop is not None and self._stop.is_set():
            self.end(Ending.INTERRUPTED, "interrupted")
            return
        exit_code, words = self._child.exit_code(), self._child.last_words()
        if exit_code >= 0:
            raise BackendError(f"{self._name} ended with exit code {exit_code}: {words or 'no message'}")
        if exit_code == -signal.SIGKILL:  # not sent by this process: probably by the system's out-of-memory killer
            self.end(Ending.KILLED, "the backend's process was killed, probably for lack of memory")
        else:  # another signal: C++ programs abort with SIGABRT when memory runs out
            name = signal.Signals(-exit_code).name if -exit_code in set(signal.Signals) else f"signal {-exit_code}"
            self.end(Ending.KILLED, f"the backend's process was ended by {name}" + (f": {words}" if words else ""))
