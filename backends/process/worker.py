"""A child process that serves one run after the other."""

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
        self._living_child().begin((backend, None, None))

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
        run = self.begin(backend, puzzle, limits, on_progress, stop)
        try:
            result = run.until_stopped()
        finally:
            if not run.came_to_an_end or run.peak_bytes > REPLACE_BYTES:
                self.close()
        if run.exceeded_share:
            raise MoreThanItsShare
        return result

    def begin(
        self,
        backend: Backend,
        puzzle: AnyPuzzle,
        limits: Limits,
        on_progress: ProgressHook | None = None,
        stop: Event | None = None,
    ) -> Run:
        """Has the process begin on a board, and leaves it to the caller to look after the run."""
        share_mb = self.share_mb if limits.memory_mb is None else None
        if limits.memory_mb is not None:
            backend = backend.within(limits.memory_mb)
        elif share_mb is not None:
            backend = backend.sharing(share_mb)
        return Run(backend, puzzle, limits, self._living_child(), on_progress, stop, share_mb)

    def _living_child(self) -> Child:
        if self._child is not None and not self._child.is_alive():
            self.close()
        if self._child is None:
            self._child = Child()
        return self._child
