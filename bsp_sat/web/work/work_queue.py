"""Runs a fixed number of searches at a time, each in a warm process. Others wait in a bounded queue.

Everything here except the work in threads runs in the event loop. Closing a job kills its process, and then frees its
place.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from bsp_sat.web.errors import Refused, error_text, status_of
from bsp_sat.web.work.events import JobEvent, Work
from bsp_sat.web.work.worker_pool import WorkerPool

SILENCE_SECONDS = 10.0  # between two signs of life

HAS_ENDED: JobEvent = ("error", {"error": "the server has ended"})


class QueueFull(Exception):
    """The queue is full."""


class QueuedWork:
    """Work that waits, is being done, or has ended.

    Attributes:
        event_queue: the events in order, then None.
        work: the work to do.
        stop: ends it when set.
        status: HTTP status, if the last event is an error.
    """

    def __init__(self, jobs: "WorkQueue", work: Work) -> None:
        self.event_queue: asyncio.Queue[JobEvent | None] = asyncio.Queue()
        self.work = work
        self.stop = Event()
        self.status = 503
        self._jobs = jobs

    def close(self) -> None:
        """Ends the job, whether it waits or runs. Must be called unless it has ended by itself."""
        self.stop.set()
        self._jobs.forget(self)

    async def events(self) -> AsyncGenerator[JobEvent | None]:
        """The events, with None after each long silence; `HAS_ENDED` last if the server ends first."""
        ending = asyncio.ensure_future(self._jobs.ending.wait())
        coming = asyncio.ensure_future(self.event_queue.get())
        try:
            while True:
                await asyncio.wait((coming, ending), timeout=SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    event = coming.result()
                    if event is None:
                        return
                    yield event
                    coming = asyncio.ensure_future(self.event_queue.get())
                elif ending.done():
                    yield HAS_ENDED
                    return
                else:
                    yield None
        finally:
            ending.cancel()
            coming.cancel()

    async def last_word(self) -> JobEvent:
        """The last event."""
        last = HAS_ENDED
        async with aclosing(self.events()) as events:
            async for event in events:
                last = event or last
        return last


class WorkQueue:
    """Runs searches, up to a number at a time. Created and used in the event loop.

    Each place has a thread, started here: later the system might have none left.

    Args:
        places: searches at a time.
        waiting: how many more may wait.
        pool: the workers, at least as many.
        newest_first: whether the newest job leaves the queue first. For short work: if some jobs take long, new ones
            needn't wait behind those already waiting.

    Attributes:
        ending: set when the server ends; ends all streams.

    Raises:
        RuntimeError: the system has no threads left.
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
        """Ends all jobs, and waits for them."""
        self.ending.set()
        for job in (*self._waiting, *self._at_work):
            job.close()
        await self._idle.wait()
        for _ in range(self._places):
            self._todo.put(None)

    def enter(self, work: Work) -> QueuedWork:
        """Starts work, or queues it.

        Raises:
            QueueFull: the queue is full.
        """
        job = QueuedWork(self, work)
        if len(self._at_work) < self._places:
            self._begin(job)
        elif len(self._waiting) < self._most_waiting:
            self._waiting.append(job)
            job.event_queue.put_nowait(("queued", {"ahead": len(self._waiting) - 1}))
        else:
            raise QueueFull
        return job

    def forget(self, job: QueuedWork) -> None:
        """Removes a job from the queue, if it is there."""
        with suppress(ValueError):
            self._waiting.remove(job)
            self._say_how_many_are_ahead()

    def _begin(self, job: QueuedWork) -> None:
        self._at_work.add(job)
        self._idle.clear()
        self._todo.put(job)

    def _work(self) -> None:
        """Does one job after another, in a thread."""
        while (job := self._todo.get()) is not None:
            self._finish(job)
            del job  # frees its memory while waiting for the next one

    def _finish(self, job: QueuedWork) -> None:
        status = 200
        try:
            last = self._do(job)
        except Exception as error:
            status, last = status_of(error), ("error", {"error": error_text(error)})
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(self._ended, job, last, status)

    def _do(self, job: QueuedWork) -> JobEvent:
        def emit(name: str, data: Any) -> None:
            if not job.event_queue.qsize():  # slow clients miss some
                self._loop.call_soon_threadsafe(job.event_queue.put_nowait, (name, data))

        worker = self._pool.take()
        try:
            if job.stop.is_set():  # while it waited for a worker; saves ending that for nothing
                raise Refused(503, "interrupted")
            return job.work(worker, job.stop, emit)
        finally:
            self._pool.give_back(worker)

    def _ended(self, job: QueuedWork, last: JobEvent, status: int) -> None:
        self._at_work.discard(job)
        if self._waiting:
            self._begin(self._waiting.pop() if self._newest_first else self._waiting.popleft())
            self._say_how_many_are_ahead()
        if not self._at_work:
            self._idle.set()
        job.status = status
        job.event_queue.put_nowait(last)
        job.event_queue.put_nowait(None)

    def _say_how_many_are_ahead(self) -> None:
        for ahead, job in enumerate(self._waiting):
            job.event_queue.put_nowait(("queued", {"ahead": ahead}))
