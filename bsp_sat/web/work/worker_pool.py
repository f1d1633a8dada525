"""Warm workers: processes that have loaded what most searches need."""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Semaphore, Thread

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.run import Process
from bsp_sat.web.errors import error_text

END_SECONDS = 0.5  # for a process that is starting


def load_for_searches() -> None:
    """Loads the compiled search, and what gives hints; in the worker's process."""
    # Imported here, as the server itself does without.
    import bsp_sat.grading.hint  # noqa: F401 - loaded, not used

    Auto().prepare()


def warm(worker: Process) -> None:
    """Has a worker load what searches need, while it may already get a job."""
    worker.prepare(load_for_searches)


class WorkerPool:
    """A pool of workers.

    A thread of the pool starts them: on Linux a child ends with the thread that started it.

    Args:
        size: the number of workers, at work or not.
        warm: prepares a worker whose process has started.
        after: another pool, whose first worker is started before any of these.

    Attributes:
        has_begun: set once the first worker is ready.
    """

    def __init__(self, size: int, warm: Callable[[Process], None] = warm, after: "WorkerPool | None" = None) -> None:
        self.has_begun = Event()
        self._warm = warm
        self._after = after
        self._ready: deque[Process] = deque()  # the most recently used on the right
        self._number_ready = Semaphore(0)
        self._wanted: SimpleQueue[Process | None] = SimpleQueue()
        self._workers = [Process() for _ in range(size)]
        self._closing = Event()
        self._starter = Thread(target=self._start, name="starter", daemon=True)

    def fill(self) -> None:
        """Starts all workers in the background.

        Raises:
            RuntimeError: the system has no thread left.
        """
        for worker in self._workers:
            self._wanted.put(worker)
        self._starter.start()

    def take(self) -> Process:
        """Takes the most recently used worker; waits until there is one."""
        self._number_ready.acquire()
        return self._ready.pop()

    def give_back(self, worker: Process) -> None:
        """Takes a worker back. If its process was ended, a new one is started."""
        if worker.is_warm:
            self._ready.append(worker)
            self._number_ready.release()
        else:
            self._wanted.put(worker)

    def close(self) -> None:
        """Ends all processes, including those at work."""
        self._closing.set()
        self.has_begun.set()
        self._wanted.put(None)
        for worker in self._workers:
            worker.close()
        self._starter.join(END_SECONDS)
        for worker in self._workers:  # one that was starting until now
            worker.close()

    def _start(self) -> None:
        if self._after is not None:
            self._after.has_begun.wait()
        while (worker := self._wanted.get()) is not None and not self._closing.is_set():
            try:
                worker.start()  # one after another, so that the first one is ready soon
                self._warm(worker)
            except Exception as error:
                if not self._closing.is_set():  # closing may end the process at any time
                    error_text(error)  # logs bugs; for other errors, the next user of the worker gets the same error
            self._ready.appendleft(worker)
            self._number_ready.release()
            self.has_begun.set()
