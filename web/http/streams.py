"""Answers of jobs, for as long as somebody listens: event by event (server-sent events), or the last word alone."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bsp_sat.instances.text.writing import json_text
from bsp_sat.web.errors import in_words
from bsp_sat.web.work.jobs import File, Jobs, Told, Work

SILENCE_SECONDS = 10.0  # then a comment is sent, so that nobody on the way takes the stream for dead
SENDING_SECONDS = 20.0  # for a page that doesn't read
EVENT_STREAM = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),  # nginx would keep the events back
]
HAS_ENDED: Told = ("error", {"error": "the server has ended"})


class JobResponse(Response):
    """What comes of a job. It ends with the job, with its page, or with the server, whichever comes first.

    Raises:
        QueueFull: there is no place for the job.
    """

    def __init__(self, jobs: Jobs, work: Work) -> None:
        super().__init__()
        self._ending = jobs.ending
        self._job = jobs.enter(work)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers, and watches for the page's going away meanwhile."""
        sending = asyncio.ensure_future(self._answer(scope, receive, send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._job.close()
            for task in (sending, leaving):
                task.cancel()
            (error, _) = await asyncio.gather(sending, leaving, return_exceptions=True)
            if isinstance(error, Exception) and not isinstance(error, TimeoutError):
                in_words(error)  # for the log: nobody can be told any more

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError

    async def _told(self) -> AsyncGenerator[Told | None]:
        """What the job tells; None after each long silence, and the server's end as the last word."""
        ending = asyncio.ensure_future(self._ending.wait())
        coming = asyncio.ensure_future(self._job.told.get())
        try:
            while True:
                await asyncio.wait((coming, ending), timeout=SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    event = coming.result()
                    if event is None:
                        return
                    yield event
                    coming = asyncio.ensure_future(self._job.told.get())
                elif ending.done():
                    yield HAS_ENDED
                    return
                else:
                    yield None
        finally:
            ending.cancel()
            coming.cancel()


class EventStream(JobResponse):
    """The events of a job as they come."""

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def put(data: str, *, more: bool = True) -> None:
            async with asyncio.timeout(SENDING_SECONDS):
                await send({"type": "http.response.body", "body": data.encode(), "more_body": more})

        await send({"type": "http.response.start", "status": 200, "headers": EVENT_STREAM})
        async with aclosing(self._told()) as events:
            async for event in events:
                await put(": \n\n" if event is None else _written(event))
        await put("", more=False)


class LastWord(JobResponse):
    """The answer of a job, or its error, without what comes before."""

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        last = HAS_ENDED
        async with aclosing(self._told()) as events:
            async for event in events:
                last = event or last
        name, data = last
        if isinstance(data, File):
            response = Response(data.data, media_type=data.kind)
        else:
            response = Json(data, 200 if name == "answer" else 503 if last is HAS_ENDED else 400)
        async with asyncio.timeout(SENDING_SECONDS):
            await response(scope, receive, send)


class Json(Response):
    """A JSON value, as the command line prints it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """What Starlette asks for."""
        return json_text(content).encode()


def _written(event: Told) -> str:
    name, data = event
    return f"event: {name}\ndata: {json_text(data)}\n\n"


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
