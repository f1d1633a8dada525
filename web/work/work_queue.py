"""A fixed number of searches at a time, each in a warm process; others wait in a queue, which is bounded too.

Everything here but what threads do runs in the event loop. A job that is closed has its process killed, and its place
is free once that has happened.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Self

from bsp_sat.backends.process.worker import Worker
from bsp_sat.instances.text.writing import json_text
from bsp_sat.web.errors import Refused, in_words, status_of
from bsp_sat.web.work.worker_pool import WorkerPool

SILENCE_SECONDS = 10.0  # between two signs of life

Told = tuple[str, Any]
"""An event: its name, and what goes with it, a JSON value or a `File`."""

HAS_ENDED: Told = ("error", {"error": "the server has ended"})


@dataclass(frozen=True)
class File:
    """An answer as it is sent.

    Attributes:
        data: what is in it.
        kind: its media type.
    """

    data: bytes
    kind: str

    @classmethod
    def of(cls, value: Any) -> Self:
        """A JSON value."""
        return cls(json_text(value).encode(), "application/json")


Tell = Callable[[str, Any], None]

Work = Callable[[Worker, Event, Tell], Told]
"""What is done in a place: with a worker, an event that ends it, and a way to tell how it goes; the last word of it."""


class QueueFull(Exception):
    """As many wait as may."""


class QueuedWork:
    """Work that waits, is done, or has ended; what it tells comes out of `told`, and None at the end.

    Attributes:
        told: events, in their order.
        work: what is done.
        stop: ends it.
        status: of HTTP, for the last word where it is an error.
    """

    def __init__(self, jobs: "WorkQueue", work: Work) -> None:
        self.told: asyncio.Queue[Told | None] = asyncio.Queue()
        self.work = work
        self.stop = Event()
        self.status = 503
        self._jobs = jobs

    def close(self) -> None:
        """Ends it wherever it is; whoever doesn't wait for its end calls this."""
        self.stop.set()
        self._jobs.forget(self)

    async def events(self) -> AsyncGenerator[Told | None]:
        """What it tells; None after each long silence, and the server's end as the last word."""
        ending = asyncio.ensure_future(self._jobs.ending.wait())
        coming = asyncio.ensure_future(self.told.get())
        try:
            while True:
                await asyncio.wait((coming, ending), timeout=SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    event = coming.result()
                    if event is None:
                        return
                    yield event
                    coming = asyncio.ensure_future(self.told.get())
                elif ending.done():
                    yield HAS_ENDED
                    return
                else:
                    yield None
        finally:
            ending.cancel()
            coming.cancel()

    async def last_word(self) -> Told:
        """The last thing that it tells."""
        last = HAS_ENDED
        async with aclosing(self.events()) as events:
            async for event in events:
                last = event or last
        return last


class WorkQueue:
    """Places for searches. Made and used in the event loop.

    Each place has a thread, begun here: one more may not be had later, where the system is short of them.

    Args:
        places: searches at a time.
        waiting: how many more may wait.
        pool: where workers come from, at least as many.
        newest_first: whether the one that came last is the first to leave the queue, for short work: where some takes
            all the time there is, what comes after it needn't wait for what waits already.

    Attributes:
        ending: set when the server ends, and all streams with it.

    Raises:
        RuntimeError: the system gives no threads.
    """

    def __init__(self, places: int, waiting: int, pool: WorkerPool, *, newest_first: bool = False) -> None:
        self.ending = asyncio.Event()
        self._places = places
        self._most_waiting = waiting
        self._waiting: deque[QueuedWork] = deque()
        self._at_work: set[QueuedWork] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._todo: SimpleQueue[QueuedWork | None] = SimpleQueue()
        self._pool = pool
        self._newest_first = newest_first
        self._loop = asyncio.get_running_loop()
        for number in range(places):
            Thread(target=self._work, name=f"search {number}", daemon=True).start()

    async def close(self) -> None:
        """Ends what is at work, and waits for that."""
        self.ending.set()
        for job in (*self._waiting, *self._at_work):
            job.close()
        await self._idle.wait()
        for _ in range(self._places):
            self._todo.put(None)

    def enter(self, work: Work) -> QueuedWork:
        """Begins work, or has it wait.

        Raises:
            QueueFull: there is no place to wait either.
        """
        job = QueuedWork(self, work)
        if len(self._at_work) < self._places:
            self._begin(job)
        elif len(self._waiting) < self._most_waiting:
            self._waiting.append(job)
            job.told.put_nowait(("queued", {"ahead": len(self._waiting) - 1}))
        else:
            raise QueueFull
        return job

    def forget(self, job: QueuedWork) -> None:
        """Takes a job out of the queue, if it is there."""
        with suppress(ValueError):
            self._waiting.remove(job)
            self._say_how_many_are_ahead()

    def _begin(self, job: QueuedWork) -> None:
        self._at_work.add(job)
        self._idle.clear()
        self._todo.put(job)

    def _work(self) -> None:
        """Does one job after the other, in a thread."""
        while (job := self._todo.get()) is not None:
            self._finish(job)
            del job  # what it holds is free, however long the next one takes to come

    def _finish(self, job: QueuedWork) -> None:
        status = 200
        try:
            last = self._do(job)
        except Exception as error:
            status, last = status_of(error), ("error", {"error": in_words(error)})
        with suppress(RuntimeError):  # the loop has ended, and nobody waits for it
            self._loop.call_soon_threadsafe(self._ended, job, last, status)

    def _do(self, job: QueuedWork) -> Told:
        def tell(name: str, data: Any) -> None:
            if not job.told.qsize():  # a page that reads slowly misses some
                self._loop.call_soon_threadsafe(job.told.put_nowait, (name, data))

        worker = self._pool.take()
        try:
            if job.stop.is_set():  # while it waited for a worker, which would be ended for nothing
                raise Refused(503, "interrupted")
            return job.work(worker, job.stop, tell)
        finally:
            self._pool.give_back(worker)

    def _ended(self, job: QueuedWork, last: Told, status: int) -> None:
        self._at_work.discard(job)
        if self._waiting:
            self._begin(self._waiting.pop() if self._newest_first else self._waiting.popleft())
            self._say_how_many_are_ahead()
        if not self._at_work:
            self._idle.set()
        job.status = status
        job.told.put_nowait(last)
        job.told.put_nowait(None)

    def _say_how_many_are_ahead(self) -> None:
        for ahead, job in enumerate(self._waiting):
            job.told.put_nowait(("queued", {"ahead": ahead}))
