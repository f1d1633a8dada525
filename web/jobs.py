"""A fixed number of searches at a time, each in a warm process; others wait in a queue, which is bounded too.

Everything here but what threads do runs in the event loop. A job that is closed has its process killed, and its place
is free once that has happened.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.process.worker import Worker
from bsp_sat.web.errors import in_words

Told = tuple[str, Any]
"""An event of a stream: its name, and what goes with it as JSON."""

Tell = Callable[[str, Any], None]

Work = Callable[[Worker, Event, Tell], Told]
"""What is done in a place: with a worker, an event that ends it, and a way to tell how it goes; the last word of it."""

SPARE = 1  # warm processes beyond those at work, as one that is cut short has to be replaced


class QueueFull(Exception):
    """As many wait as may."""


class Job:
    """Work that waits, is done, or has ended; what it tells comes out of `told`, and None at the end.

    Attributes:
        told: events, in their order.
        work: what is done.
        stop: ends it.
    """

    def __init__(self, jobs: "Jobs", work: Work) -> None:
        self.told: asyncio.Queue[Told | None] = asyncio.Queue()
        self.work = work
        self.stop = Event()
        self._jobs = jobs

    def close(self) -> None:
        """Ends it wherever it is; whoever doesn't wait for its end calls this."""
        self.stop.set()
        self._jobs.forget(self)


class Jobs:
    """Places for searches. Made and used in the event loop.

    Args:
        places: searches at a time.
        waiting: how many more may wait.

    Attributes:
        ending: set when the server ends, and all streams with it.
    """

    def __init__(self, places: int, waiting: int) -> None:
        self.ending = asyncio.Event()
        self._places = places
        self._most_waiting = waiting
        self._waiting: deque[Job] = deque()
        self._at_work: set[Job] = set()
        self._threads = ThreadPoolExecutor(places, thread_name_prefix="search")
        self._stock = Stock(places + SPARE)
        self._loop = asyncio.get_running_loop()

    def warm_up(self) -> None:
        """Begins the processes, beside whatever else goes on."""
        self._stock.fill()

    async def close(self) -> None:
        """Ends what is at work, and all processes."""
        for job in (*self._waiting, *self._at_work):
            job.close()
        await self._loop.run_in_executor(None, self._close)

    def _close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._stock.close()

    @property
    def at_work(self) -> int:
        """Searches that are going on."""
        return len(self._at_work)

    def enter(self, work: Work) -> Job:
        """Begins work, or has it wait.

        Raises:
            QueueFull: there is no place to wait either.
        """
        job = Job(self, work)
        if len(self._at_work) < self._places:
            self._begin(job)
        elif len(self._waiting) < self._most_waiting:
            self._waiting.append(job)
            job.told.put_nowait(("queued", {"ahead": len(self._waiting) - 1}))
        else:
            raise QueueFull
        return job

    def forget(self, job: Job) -> None:
        """Takes a job out of the queue, if it is there."""
        with suppress(ValueError):
            self._waiting.remove(job)
            self._say_how_many_are_ahead()

    def _begin(self, job: Job) -> None:
        self._at_work.add(job)
        future = self._threads.submit(self._do, job)
        future.add_done_callback(lambda future: self._loop.call_soon_threadsafe(self._ended, job, future))

    def _do(self, job: Job) -> Told:
        def tell(name: str, data: Any) -> None:
            if not job.told.qsize():  # a page that reads slowly misses some
                self._loop.call_soon_threadsafe(job.told.put_nowait, (name, data))

        worker = self._stock.take()
        try:
            return job.work(worker, job.stop, tell)
        finally:
            self._stock.give_back(worker)

    def _ended(self, job: Job, future: Future[Told]) -> None:
        self._at_work.discard(job)
        if self._waiting and not self.ending.is_set():
            self._begin(self._waiting.popleft())
            self._say_how_many_are_ahead()
        if not future.cancelled():
            job.told.put_nowait(_last_word(future))
        job.told.put_nowait(None)

    def _say_how_many_are_ahead(self) -> None:
        for ahead, job in enumerate(self._waiting):
            job.told.put_nowait(("queued", {"ahead": ahead}))


def _last_word(future: Future[Told]) -> Told:
    error = future.exception()
    if error is None:
        return future.result()
    return "error", {"error": in_words(error)}


class Stock:
    """Warm workers.

    A thread of their own begins them: on Linux a process ends with the thread that began it.

    Args:
        size: how many there are, at work or not.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._ready: SimpleQueue[Worker] = SimpleQueue()
        self._wanted: SimpleQueue[Worker | None] = SimpleQueue()
        self._workers: list[Worker] = []
        self._starter = Thread(target=self._start, name="starter", daemon=True)

    def fill(self) -> None:
        """Begins all of them."""
        self._starter.start()
        for _ in range(self._size):
            self._wanted.put(Worker())

    def take(self) -> Worker:
        """A worker; waits until there is one."""
        return self._ready.get()

    def give_back(self, worker: Worker) -> None:
        """Takes a worker back; one whose process was ended gets a new one."""
        if worker.is_warm:
            self._ready.put(worker)
        else:
            self._wanted.put(worker)

    def close(self) -> None:
        """Ends all processes; no worker may be at work."""
        if self._starter.is_alive():
            self._wanted.put(None)
            self._starter.join()
        for worker in self._workers:
            worker.close()

    def _start(self) -> None:
        while (worker := self._wanted.get()) is not None:
            if worker not in self._workers:
                self._workers.append(worker)
            worker.prepare(Auto())
            self._ready.put(worker)
