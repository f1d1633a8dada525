"""A fixed number of searches at a time, each in a warm process; others wait in a queue, which is bounded too.

Everything here but what threads do runs in the event loop. A job that is closed has its process killed, and its place
is free once that has happened.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import Any

from bsp_sat.backends.process.worker import Worker
from bsp_sat.web.errors import in_words
from bsp_sat.web.work.stock import Stock

Told = tuple[str, Any]
"""An event: its name, and what goes with it, a JSON value or a `File`."""


@dataclass(frozen=True)
class File:
    """An answer that isn't JSON.

    Attributes:
        data: what is in it.
        kind: its media type.
    """

    data: bytes
    kind: str


Tell = Callable[[str, Any], None]

Work = Callable[[Worker, Event, Tell], Told]
"""What is done in a place: with a worker, an event that ends it, and a way to tell how it goes; the last word of it."""


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
        stock: where workers come from, at least as many.

    Attributes:
        ending: set when the server ends, and all streams with it.
    """

    def __init__(self, places: int, waiting: int, stock: Stock) -> None:
        self.ending = asyncio.Event()
        self._places = places
        self._most_waiting = waiting
        self._waiting: deque[Job] = deque()
        self._at_work: set[Job] = set()
        self._threads = ThreadPoolExecutor(places, thread_name_prefix="search")
        self._stock = stock
        self._loop = asyncio.get_running_loop()

    async def close(self) -> None:
        """Ends what is at work, and waits for that."""
        self.ending.set()
        for job in (*self._waiting, *self._at_work):
            job.close()
        await self._loop.run_in_executor(None, self._threads.shutdown)

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
            if job.stop.is_set():  # while it waited for a worker, which would be ended for nothing
                return "error", {"error": "interrupted"}
            return job.work(worker, job.stop, tell)
        finally:
            self._stock.give_back(worker)

    def _ended(self, job: Job, future: Future[Told]) -> None:
        self._at_work.discard(job)
        if self._waiting:
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
