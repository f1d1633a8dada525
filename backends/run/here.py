"""Jobs in this process: short ones, and all jobs where no process can be started, in a browser's tab.

A job is interrupted at its next report, when it is stopped or has reached a limit. One that reports nothing runs to its
end; what can end this process sees to that.
"""

import time
from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from bsp_sat.backends.limits import peak_bytes
from bsp_sat.backends.result import Ending
from bsp_sat.backends.run.job import FLUSH_SECONDS, Failure, FoundT, Job, Pipe, Run, RunHook, Runner

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


class Interrupted(BaseException):
    """Ends a job. Not an `Exception`, so that no handler in the job takes it for a failure."""


class Reports(Pipe):
    """Hands each report to the run at once, and calls ``check`` afterwards, for frequent ones every `FLUSH_SECONDS`."""

    def __init__(self, take: Callable[[str, tuple[Any, ...], dict[str, Any]], None], check: Callable[[], None]) -> None:
        self._take, self._check = take, check
        self._next_check = 0.0

    def send(self, name: str, *args: Any, **figures: Any) -> None:
        self.put(name, *args, **figures)
        self._check()

    def put(self, name: str, *args: Any, **figures: Any) -> None:
        self._take(name, args, figures)

    def put_often(self, name: str, *args: Any, **figures: Any) -> None:
        self.put(name, *args, **figures)
        if time.monotonic() >= self._next_check:
            self._check()
            self._next_check = time.monotonic() + FLUSH_SECONDS


class Here(Runner):
    """Does jobs in this process; ``pause``, called at each report, lets other work go on, which may stop the job."""

    def __init__(
        self,
        bytes_used: Callable[[], int] = peak_bytes,
        pause: Callable[[], None] = lambda: None,
        share_mb: float | None = None,
    ) -> None:
        super().__init__(share_mb)
        self._bytes_used = bytes_used
        self._pause = pause

    def run(
        self, job: Job[FoundT, Any], on_progress: RunHook[FoundT] | None = None, stop: Event | None = None
    ) -> Run[FoundT]:
        run = Run(job, on_progress, stop)

        def check() -> None:
            self._pause()
            run.peak_bytes = max(run.peak_bytes, self._bytes_used())
            run.show_progress()
            run.check_limits()
            if run.is_over:
                raise Interrupted

        try:
            reason = self.fitting(job).run(Reports(run.take, check))
        except Interrupted:
            return run
        except MemoryError:
            run.end(Ending.OUT_OF_MEMORY, "out of memory")
            return run
        run.peak_bytes = max(run.peak_bytes, self._bytes_used())
        run.end(Ending.DONE, reason)
        return run

    def submit(self, job: Job[Any, T]) -> "Future[T | Failure]":
        """Does a job at once; a pool of this process."""
        from concurrent.futures import Future  # loads logging, which takes longer than a short search

        future: Future[T | Failure] = Future()
        future.set_result(self.do(job))
        return future
