"""Warm workers: processes that have loaded what most searches need."""

from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Semaphore, Thread
from typing import Any

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.process.worker import Worker


@dataclass(frozen=True)
class Warmth(Backend):
    """Nothing but what is loaded ahead."""

    name = "warmth"

    def prepare(self) -> None:
        """Loads the compiled search, or has it made, and what gives hints."""
        # Imported here, in the worker's process: numpy and llvmlite.
        import bsp_sat.grading.hint  # noqa: F401 - loaded, not used
        from bsp_sat.backends.kernel import MACHINE_CODE

        for code in MACHINE_CODE:
            code.compile_in_background()
        Auto().prepare()

    def run(self, puzzle: Any, report: Report, max_steps: int | None = None) -> str:
        """Does nothing."""
        return "warm"


class Stock:
    """Workers for whoever comes first.

    A thread of their own begins them: on Linux a process ends with the thread that began it.

    Args:
        size: how many there are, at work or not.
    """

    def __init__(self, size: int) -> None:
        self._ready: deque[Worker] = deque()  # the ones that were at work last on the right
        self._number_ready = Semaphore(0)
        self._wanted: SimpleQueue[Worker | None] = SimpleQueue()
        self._workers = [Worker() for _ in range(size)]
        self._closing = Event()
        self._starter = Thread(target=self._start, name="starter", daemon=True)

    def fill(self) -> None:
        """Begins all of them, beside whatever else goes on."""
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
        """Ends all processes; no worker may be at work."""
        self._closing.set()
        self._wanted.put(None)
        self._starter.join()
        for worker in self._workers:
            worker.close()

    def _start(self) -> None:
        while (worker := self._wanted.get()) is not None and not self._closing.is_set():
            with suppress(OSError):  # no more processes, nowhere for files: whoever takes it meets it again
                worker.start()  # one after the other, so that the first page has a processor to itself
                worker.prepare(Warmth())
            self._ready.appendleft(worker)
            self._number_ready.release()
