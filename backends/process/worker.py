"""A child process that does one job after the other."""

from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import TYPE_CHECKING, Self

from bsp_sat.backends.process.job import CollectorT, Job
from bsp_sat.backends.process.limits import MEGABYTE, Limits

if TYPE_CHECKING:
    from bsp_sat.backends.process.child import Child
    from bsp_sat.backends.process.child_run import ChildRun
    from bsp_sat.backends.process.run import Run, RunHook

# Modules that start processes are imported inside the methods: many boards need no process.


class MoreThanItsShare(Exception):
    """A job needs more memory than its worker may use while other workers run."""


REPLACE_BYTES = 500 * MEGABYTE  # a process that used more memory is replaced, as its heap would slow the next job
START_SECONDS = 60.0


class Worker:
    """A child process that does one job after the other; use as a context manager.

    The process starts with the first job and does the next ones, which spares them its start-up. It is replaced
    after a job that had to be cut short, crashed, or took much memory.

    Attributes:
        share_mb: memory in MB (10⁶ bytes) for a job without a limit of its own while other workers run; None for all
            available memory.
    """

    def __init__(self, share_mb: float | None = None) -> None:
        self._child: Child | None = None
        self.share_mb = share_mb

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_warm(self) -> bool:
        """Whether its process is already running."""
        return self._child is not None and self._child.is_alive()

    def start(self) -> None:
        """Starts the process and waits until it is ready, so that its start-up isn't counted as the first job's."""
        from bsp_sat.backends.process.child import CLOSED

        before = self._child
        child = self._living_child()
        if child is not before and next(child.arrived(START_SECONDS), CLOSED) is CLOSED:
            self.close()  # the next job starts another process and reports the same error

    def prepare(self, function: Callable[[], object]) -> None:
        """Starts the process and has it call a function that loads what jobs need; doesn't wait."""
        from bsp_sat.backends.process.child_main import Prepare

        self._living_child().begin(Prepare(function))

    def close(self) -> None:
        """Ends the process; the next job starts a new one."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def run(
        self,
        job: Job[CollectorT],
        limits: Limits,
        on_progress: "RunHook[CollectorT] | None" = None,
        stop: Event | None = None,
    ) -> "Run[CollectorT]":
        """Does a job to its end.

        Args:
            job: the job.
            limits: limits of time and memory.
            on_progress: called with the run several times a second.
            stop: ends the job when set.

        Raises:
            BackendError: the process crashed, or reported something impossible.
            MoreThanItsShare: the job reached `share_mb`, but no limit of its own, and isn't settled.
        """
        (run,) = self.run_in_turn([(job, limits)], on_progress, stop)
        return run

    def run_in_turn(
        self,
        jobs: Sequence[tuple[Job[CollectorT], Limits]],
        on_progress: "RunHook[CollectorT] | None" = None,
        stop: Event | None = None,
    ) -> "Iterator[Run[CollectorT]]":
        """Sends all jobs at once and yields their runs as they end, in order.

        Stops after a job that took long or was cut short; the caller has to send the rest again.

        Raises:
            BackendError: see `run`; the error concerns the job after the last run that was yielded.
            MoreThanItsShare: see `run`; it concerns that job too.
        """
        runs = self._begin(jobs, on_progress, stop)
        whole = False
        try:
            for number, run in enumerate(runs, start=1):
                run.until_stopped()
                whole = run.came_to_an_end and (number == len(jobs) or run.was_long)
                replaced = not run.came_to_an_end or run.peak_bytes > REPLACE_BYTES
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

    def begin(self, job: Job[CollectorT], limits: Limits) -> "ChildRun[CollectorT]":
        """Starts a job; the caller has to drive the run."""
        return next(self._begin([(job, limits)]))

    def _begin(
        self,
        jobs: Sequence[tuple[Job[CollectorT], Limits]],
        on_progress: "RunHook[CollectorT] | None" = None,
        stop: Event | None = None,
    ) -> "Iterator[ChildRun[CollectorT]]":
        """Sends jobs, and yields a run for each in turn."""
        from bsp_sat.backends.process.child_run import ChildRun

        child = self._living_child()
        fitting = [(self.within(job, limits), limits) for job, limits in jobs]
        child.begin([job for job, _ in fitting])
        for job, limits in fitting:
            share_mb = self.share_mb if limits.memory_mb is None else None
            yield ChildRun(job, limits, child, on_progress, stop, share_mb)

    def within(self, job: Job[CollectorT], limits: Limits) -> Job[CollectorT]:
        """A job with the memory that it may use."""
        if limits.memory_mb is not None:
            return job.within(limits.memory_mb)
        return job if self.share_mb is None else job.sharing(self.share_mb)

    def _living_child(self) -> "Child":
        if self._child is not None and not self._child.is_alive():
            self.close()
        if self._child is None:
            from bsp_sat.backends.process.child import Child

            self._child = Child()
        return self._child
