"""A child process that does one job after the other, and one job in progress in it."""

import signal
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import Any, Self

from bsp_sat.backends.limits import MEGABYTE, has_limited_address_space
from bsp_sat.backends.result import Ending
from bsp_sat.backends.run import child
from bsp_sat.backends.run.job import CLOSED, FoundT, Job, Run, RunHook, Runner
from bsp_sat.instances.errors import BackendError

REPLACE_BYTES = 500 * MEGABYTE  # a process that used more memory is replaced, as its heap would slow the next job
START_SECONDS = 60.0
POLL_SECONDS = 0.05


class MoreThanItsShare(Exception):
    """A job needs more memory than its process may use while others run."""


class Process(Runner):
    """A child process that does jobs, one after the other; use as a context manager.

    The process starts with the first job and does the next ones, which spares them its start-up. It is replaced
    after a job that had to be cut short, crashed, or took much memory.
    """

    def __init__(self, share_mb: float | None = None) -> None:
        super().__init__(share_mb)
        self._child: child.Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_warm(self) -> bool:
        """Whether it is already running."""
        return self._child is not None and self._child.is_alive()

    def start(self) -> None:
        """Starts the process and waits until it is ready, so that its start-up isn't counted as the first job's."""
        before = self._child
        child = self._living_child()
        if child is not before and next(child.arrived(START_SECONDS), CLOSED) is CLOSED:
            self.close()  # the next job starts another process and reports the same error

    def prepare(self, function: Callable[[], object]) -> None:
        """Starts the process and has it call a function that loads what jobs need; doesn't wait."""
        self._living_child().begin(function)

    def close(self) -> None:
        """Ends the process; the next job starts a new one."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def run(
        self, job: Job[FoundT, Any], on_progress: RunHook[FoundT] | None = None, stop: Event | None = None
    ) -> Run[FoundT]:
        """Lets a job run to its end, see `Runner.run`; MoreThanItsShare if it reached `share_mb` and isn't settled."""
        (run,) = self.run_in_turn([job], on_progress, stop)
        return run

    def run_in_turn(
        self, jobs: Sequence[Job[FoundT, Any]], on_progress: RunHook[FoundT] | None = None, stop: Event | None = None
    ) -> Iterator[Run[FoundT]]:
        """Sends all jobs at once and yields their runs as they end, in order.

        Stops after a job that took long or was cut short; the caller has to send the rest again. An error, as of `run`,
        concerns the job after the last run that was yielded.
        """
        whole = False
        try:
            for number, run in enumerate(self._begin(jobs, on_progress, stop), start=1):
                run.until_over()
                whole = run.came_to_an_end and (number == len(jobs) or run.was_long)
                replaced = not run.came_to_an_end or (run.peak_bytes > REPLACE_BYTES and not jobs[number - 1].keeps)
                if replaced:
                    self.close()
                if run.exceeded_share:
                    raise MoreThanItsShare
                yield run
                if replaced or run.was_long:
                    break
        finally:
            if not whole:
                self.close()

    def begin(self, job: Job[FoundT, Any]) -> "ChildRun[FoundT]":
        """Starts a job; the caller has to drive the run."""
        return next(self._begin([job]))

    def _begin(
        self, jobs: Sequence[Job[FoundT, Any]], on_progress: RunHook[FoundT] | None = None, stop: Event | None = None
    ) -> "Iterator[ChildRun[FoundT]]":
        """Sends jobs, and yields a run for each in turn."""
        child = self._living_child()
        fitting = [self.fitting(job) for job in jobs]
        child.begin(fitting)
        for job in fitting:
            yield ChildRun(job, child, on_progress, stop, self.share_mb if job.limits.memory_mb is None else None)

    def _living_child(self) -> "child.Child":
        if self._child is not None and not self._child.is_alive():
            self.close()
        if self._child is None:
            self._child = child.Child()
        return self._child


class ChildRun(Run[FoundT]):
    """A job that has been sent to a child process.

    It ``came_to_an_end`` if the child reported the end itself, so that it can take another job; it ``was_long`` if it
    took so long that the child dropped the jobs after it.
    """

    def __init__(
        self,
        job: Job[FoundT, Any],
        child: "child.Child",
        on_progress: RunHook[FoundT] | None,
        stop: Event | None,
        share_mb: float | None,
    ) -> None:
        super().__init__(job, on_progress, stop)
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

    def until_over(self) -> None:
        """Lets the job run until it ends or a limit is reached."""
        while not self.is_over:
            self.take_messages(POLL_SECONDS)

    def take_messages(self, seconds: float) -> None:
        """Takes the child's messages, waiting up to ``seconds``, and checks the limits."""
        for message in self._child.arrived(seconds):
            if message is not CLOSED:
                self.take(*message)
            else:
                self._record_death()
            if self.is_over:
                break  # further messages belong to the next job
        if not self.is_over:
            if self.seconds() >= POLL_SECONDS:  # most boards take less; their child reports the peak at the end
                self.peak_bytes = max(self.peak_bytes, self._child.resident_bytes())
            self.check_limits()
        self.show_progress()

    def seconds(self) -> float:
        return self._ended_seconds if self.is_over else max(super().seconds(), self._reported_seconds)

    def take(self, name: str, args: tuple[Any, ...], figures: dict[str, Any]) -> None:
        if name == "ended":
            self._take_end(*args)
        elif name != "ready":
            super().take(name, args, figures)

    def _take_end(self, ending: Ending, reason: str, peak_bytes: int, seconds: float, was_long: bool) -> None:
        self._reported_seconds = seconds  # more exact if this process was still busy with the previous job
        self.was_long = was_long
        self.end(ending, reason)
        self.came_to_an_end = True
        self.peak_bytes = max(self.peak_bytes, peak_bytes)

    def check_limits(self) -> None:
        super().check_limits()
        if not self.is_over and self._share_mb is not None and self.peak_bytes > self._share_mb * MEGABYTE:
            self.end(Ending.MEMORY, f"share of {self._share_mb:.0f} MB of the memory used up")

    def _record_death(self) -> None:
        """Records how a child ended that sent no report; BackendError if it was by an exit code, with memory left."""
        if self._stop is not None and self._stop.is_set():
            self.end(Ending.INTERRUPTED, "interrupted")
            return
        exit_code, words = self._child.exit_code(), self._child.last_words()
        if exit_code >= 0 and has_limited_address_space():
            self.end(Ending.OUT_OF_MEMORY, f"out of memory under a limit (ulimit -v): {words or 'no message'}")
        elif exit_code >= 0:
            raise BackendError(f"{self._name} ended with exit code {exit_code}: {words or 'no message'}")
        elif exit_code == -signal.SIGKILL:  # not sent by this process: probably by the system's out-of-memory killer
            self.end(Ending.KILLED, "the backend's process was killed, probably for lack of memory")
        else:  # another signal: C++ programs abort with SIGABRT when memory runs out
            name = signal.Signals(-exit_code).name if -exit_code in set(signal.Signals) else f"signal {-exit_code}"
            self.end(Ending.KILLED, f"the backend's process was ended by {name}" + (f": {words}" if words else ""))
