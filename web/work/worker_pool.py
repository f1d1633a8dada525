"""Warm workers: processes that have loaded what most searches need."""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Semaphore, Thread

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.process.worker import Worker
from bsp_sat.web.errors import in_words

END_SECONDS = 0.5  # for a process that is being begun


def load_for_searches() -> None:
    """Loads the compiled search, and what gives hints; in the worker's process."""
    # Imported here, as the server itself does without.
    import bsp_sat.grading.hint  # noqa: F401 - loaded, not used

    Auto().prepare()


def warm(worker: Worker) -> None:
    """Has a worker load what searches need, beside its first job."""
    worker.prepare(load_for_searches)


class WorkerPool:
    """Workers for whoever comes first.

    A thread of their own begins them: on Linux a process ends with the thread that began it.

    Args:
        size: how many there are, at work or not.
        warm: makes a worker ready whose process has begun.
        after: another pool, whose first worker has the processor to itself until it is ready.

    Attributes:
        has_begun: set once the first worker is ready.
    """

    def __init__(self, size: int, warm: Callable[[Worker], None] = warm, after: "WorkerPool | None" = None) -> None:
        self.has_begun = Event()
        self._warm = warm
        self._after = after
        self._ready: deque[Worker] = deque()  # the ones that were at work last on the right
        self._number_ready = Semaphore(0)
        self._wanted: SimpleQueue[Worker | None] = SimpleQueue()
        self._workers = [Worker() for _ in range(size)]
        self._closing = Event()
        self._starter = Thread(target=self._start, name="starter", daemon=True)

    def fill(self) -> None:
        """Begins all of them, beside whatever else goes on.

        Raises:
            RuntimeError: the system gives no thread.
        """
        for worker in self._workers:
            self._wanted.put(worker)
        self._starter.start()

    def take(self) -> Worker:
        """The warmest worker; waits until there is one."""
        self._number_ready.acquire()
        return self._ready.pop()

    def give_back(self, worker: Worker) -> None:
        """Takes a worker back, whose process is begun anew if it was ended."""
        if worker.is_warm:
            self._ready.append(worker)
            self._number_ready.release()
        else:
            self._wanted.put(worker)

    def close(self) -> None:
        """Ends all processes, also of workers that are at work."""
        self._closing.set()
        self.has_begun.set()
        self._wanted.put(None)
        for worker in self._workers:
            worker.close()
        self._starter.join(END_SECONDS)
        for worker in self._workers:  # one that was being begun meanwhile
            worker.close()

    def _start(self) -> None:
        if self._after is not None:
            self._after.has_begun.wait()
        while (worker := self._wanted.get()) is not None and not self._closing.is_set():
            try:
                worker.start()  # one after the other, so that the first page has a processor to itself
                self._warm(worker)
            except Exception as error:
                if not self._closing.is_set():  # which ends processes at any moment
                    in_words(error)  # for the log, if it is a bug; otherwise whoever takes it hits and reports the same
            self._ready.appendleft(worker)
            self._number_ready.release()
            self.has_begun.set()
