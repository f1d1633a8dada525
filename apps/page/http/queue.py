"""Questions that wait for a place, are being answered, or have been; in the event loop.

The queue is that of `Places`, which answers a fixed number of questions at a time, each in a warm process. Closing a
question kills its process, and then frees its place.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from threading import Event
from typing import Any

from bsp_sat.apps.page.answering import Task
from bsp_sat.apps.page.errors import Refused, refused_by
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.run import Places, Process
from bsp_sat.on_demand import imported

SILENCE_SECONDS = 10.0  # between two signs of life
END_SECONDS = 0.5  # for answers to end
HAS_ENDED = "the server has ended"


def load_for_searches() -> None:
    """Loads the compiled search, and what gives hints; in the child process."""
    imported("bsp_sat.apps.levels.hint")
    make_backend("auto").prepare()


class Queue:
    """Answers questions in ``places`` while more may be ``waiting``; RuntimeError if the system has no threads left."""

    def __init__(self, places: int, waiting: int) -> None:
        self.places = Places(places, most_waiting=waiting, prepare=load_for_searches)
        self.open: set[Asked] = set()
        self._has_ended = False
        self._loop = asyncio.get_running_loop()

    def enter(self, answer: Task) -> "Asked":
        """Begins to answer a question, or lets it wait; `QueueFull` if too many are, `Refused` if the server ends."""
        if self._has_ended:
            raise Refused(503, HAS_ENDED)
        return Asked(self, answer)

    def later(self, function: Callable[..., object], *arguments: Any) -> None:
        """Has the event loop call a function. Called in any thread."""
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(function, *arguments)

    def end(self) -> None:
        """Ends the events of all questions."""
        self._has_ended = True
        for asked in self.open:
            asked.end()

    def close(self) -> None:
        """Ends all answers, and waits for them for a moment."""
        self.end()
        for asked in self.open:
            asked.close()
        self.places.close(END_SECONDS)


class Asked:
    """A question in a queue."""

    def __init__(self, queue: Queue, answer: Task) -> None:
        self._queue = queue
        self._stop = Event()
        self._events: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()

        def work(process: Process) -> Any:
            if self._stop.is_set():  # saves ending the process for nothing
                raise Refused(503, "interrupted")
            return answer(process, self._stop, self._emit)

        self._future = queue.places.submit(work, lambda ahead: self._put("queued", {"ahead": ahead}))
        queue.open.add(self)
        self._future.add_done_callback(lambda _: queue.later(self._done))

    def close(self) -> None:
        """Ends it, whether it waits or not. Must be called unless it has ended by itself."""
        self._stop.set()
        self._queue.places.forget(self._future)

    def end(self) -> None:
        """Ends its events."""
        self._events.put_nowait(None)

    def _done(self) -> None:
        self._queue.open.discard(self)
        self.end()

    async def events(self) -> AsyncGenerator[tuple[str, Any] | None]:
        """The events until there is a result, with None after each long silence."""
        while True:
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    event = await self._events.get()
            except TimeoutError:
                yield None
                continue
            if event is None:
                return
            yield event

    async def answered(self) -> Any:
        """The answer, or `Refused` as in `result`."""
        async for _ in self.events():
            pass
        return self.result()

    def result(self) -> Any:
        """The answer, once the events have ended; `Refused` says why there is none."""
        if not self._future.done():
            raise Refused(503, HAS_ENDED)
        if self._future.cancelled():
            raise Refused(503, "interrupted")
        error = self._future.exception()
        if error is not None:
            raise refused_by(error)
        return self._future.result()

    def _emit(self, name: str, data: Any) -> None:
        if not self._events.qsize():  # slow clients miss some
            self._put(name, data)

    def _put(self, name: str, data: Any) -> None:
        self._queue.later(self._events.put_nowait, (name, data))
