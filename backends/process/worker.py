"""A child process that serves one run after the other."""

from collections.abc import Iterator, Sequence
from threading import Event
from typing import Self

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.child import CLOSED, Child
from bsp_sat.backends.process.limits import MEGABYTE, Limits, ProgressHook
from bsp_sat.backends.process.run import Run
from bsp_sat.backends.result import Result
from bsp_sat.instances.puzzle import AnyPuzzle


class MoreThanItsShare(Exception):
    """A board needs more memory than a worker may use while others are at work."""


BoardJob = tuple[Backend, AnyPuzzle, Limits]
"""What to run, on what, and when to stop."""

REPLACE_BYTES = 500 * MEGABYTE  # a process that held more starts afresh: its heap is the next board's burden
START_SECONDS = 60.0


class Worker:
    """A child process that runs one backend after the other; use as a context manager.

    The process starts with the first run and serves the next ones, which spares them its start-up. It is replaced
    after a run that had to be cut short, crashed, or took much memory.

    Attributes:
        share_mb: memory in MB (10⁶ bytes) for a run without a limit of its own, while others need some, too; None for
            what there is.
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
        """Whether its process is there, from a run before or begun ahead."""
        return self._child is not None and self._child.is_alive()

    def start(self) -> None:
        """Starts the process and waits until it is ready, so that its start-up isn't counted as the first board's."""
        before = self._child
        child = self._living_child()
        if child is not before and next(child.arrived(START_SECONDS), CLOSED) is CLOSED:
            self.close()  # the run will start another one, and say what is wrong with it

    def prepare(self, backend: Backend) -> None:
        """Starts the process and has it load what ``backend`` will need; waits for nothing."""
        self._living_child().begin([(backend, None, None)])

    def close(self) -> None:
        """Ends the process; another run would start a new one."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def run(
        self,
        backend: Backend,
        puzzle: AnyPuzzle,
        limits: Limits,
        on_progress: ProgressHook | None = None,
        stop: Event | None = None,
    ) -> Result:
        """Runs one backend on one board; the arguments are those of `solve`.

        Raises:
            BackendError: the backend crashed or contradicted itself.
            MoreThanItsShare: the board isn't settled, and no limit of its own says that this is the end.
        """
        (result,) = self.run_in_turn([(backend, puzzle, limits)], on_progress, stop)
        return result

    def run_in_turn(
        self, jobs: Sequence[BoardJob], on_progress: ProgressHook | None = None, stop: Event | None = None
    ) -> Iterator[Result]:
        """Runs backends on boards one after the other, all of them sent at once, and yields the first results.

        After one that took long or was cut short no more come, and the rest is to be sent again.

        Raises:
            BackendError: as `run`, on the board after the last result; and so are the others.
            MoreThanItsShare: as `run`.
        """
        runs = self._begin(jobs, on_progress, stop)
        whole = False
        try:
            for number, run in enumerate(runs, start=1):
                result = run.until_stopped()
                whole = run.came_to_an_end and (number == len(jobs) or run.was_long)
                replaced = not run.came_to_an_end or run.peak_bytes > REPLACE_BYTES
                if replaced:
                    self.close()
                if run.exceeded_share:
                    raise MoreThanItsShare
                yield result
                if replaced or run.was_long:
                    break
        finally:
            if not whole:
                self.close()

    def begin(
        self,
        backend: Backend,
        puzzle: AnyPuzzle,
        limits: Limits,
        on_progress: ProgressHook | None = None,
        stop: Event | None = None,
    ) -> Run:
        """Has the process begin on a board, and leaves it to the caller to look after the run."""
        return next(self._begin([(backend, puzzle, limits)], on_progress, stop))

    def _begin(self, jobs: Sequence[BoardJob], on_progress: ProgressHook | None, stop: Event | None) -> Iterator[Run]:
        """Sends jobs, and yields a run for each when it is its turn."""
        child = self._living_child()
        backends = [self._within(backend, limits) for backend, _, limits in jobs]
        child.begin([(by, puzzle, limits.max_steps) for by, (_, puzzle, limits) in zip(backends, jobs, strict=True)])
        for by, (_, puzzle, limits) in zip(backends, jobs, strict=True):
            share_mb = self.share_mb if limits.memory_mb is None else None
            yield Run(by, puzzle, limits, child, on_progress, stop, share_mb)

    def _within(self, backend: Backend, limits: Limits) -> Backend:
        if limits.memory_mb is not None:
            return backend.within(limits.memory_mb)
        return backend if self.share_mb is None else backend.sharing(self.share_mb)

    def _living_child(self) -> Child:
        if self._child is not None and not self._child.is_alive():
            self.close()
        if self._child is None:
            self._child = Child()
        return self._child
