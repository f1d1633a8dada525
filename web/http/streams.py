"""Answers of jobs, for as long as somebody listens: event by event (server-sent events), or the last word alone."""

import asyncio
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bsp_sat.instances.text.writing import json_text
from bsp_sat.web.errors import Refused, in_words
from bsp_sat.web.work.work_queue import HAS_ENDED, File, Told, Work, WorkQueue

RETRY_SECONDS = 5
EVENT_STREAM = "text/event-stream; charset=utf-8"
HEADERS = [
    (b"content-type", EVENT_STREAM.encode()),
    (b"x-accel-buffering", b"no"),  # nginx would keep the events back
]


class Json(Response):
    """A JSON value, as the command line prints it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """What Starlette asks for."""
        return json_text(content).encode()


def refusal(status: int, sentence: str) -> Json:
    """An error as it is answered."""
    return Json({"error": sentence}, status, {"Retry-After": str(RETRY_SECONDS)} if status == 503 else None)


class JobResponse(Response):
    """What comes of a job. It ends with the job, with its page, or with the server, whichever comes first.

    Raises:
        QueueFull: there is no place for the job.
    """

    def __init__(self, jobs: WorkQueue, work: Work) -> None:
        super().__init__()
        written = self._written  # of the class, so that a job doesn't hold its response
        self._job = jobs.enter(lambda worker, stop, tell: written(work(worker, stop, tell)))

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
            if isinstance(error, Exception):
                in_words(error)  # for the log: nobody can be told any more

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError

    @staticmethod
    def _written(told: Told) -> tuple[str, File]:
        """The last word as it is sent; a large one takes its time, which isn't the event loop's."""
        raise NotImplementedError


class EventStream(JobResponse):
    """The events of a job as they come. The head goes out with the first of them: it may be that there is no room."""

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def put(data: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": data, "more_body": more})

        begun = False
        async with aclosing(self._job.events()) as events:
            async for event in events:
                if not begun and event is not None and self._is_refused(event):
                    await refusal(503, event[1]["error"])(scope, receive, send)
                    return
                if not begun:
                    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
                    begun = True
                if event is None:
                    await put(b": \n\n")
                    continue
                name, data = event
                try:
                    await put(_held(scope, data) if isinstance(data, File) else _framed(name, data))
                except Refused as refused:
                    await put(_framed("error", {"error": refused.sentence}))
        await put(b"", more=False)

    def _is_refused(self, event: Told) -> bool:
        return event[0] == "error" and self._job.status == 503 and event is not HAS_ENDED

    @staticmethod
    def _written(told: Told) -> tuple[str, File]:
        return told[0], File(_framed(*told), EVENT_STREAM)


class LastWord(JobResponse):
    """The answer of a job, or its error, without what comes before."""

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response: Response
        name, data = await self._job.last_word()
        if name == "error":
            response = refusal(self._job.status, data["error"])
        else:
            try:
                response = Response(_held(scope, data), media_type=data.kind)
            except Refused as refused:
                response = refusal(refused.status, refused.sentence)
        await response(scope, receive, send)

    @staticmethod
    def _written(told: Told) -> tuple[str, File]:
        name, data = told
        return name, data if isinstance(data, File) else File.of(data)


def _framed(name: str, data: Any) -> bytes:
    """An event as it is written."""
    return f"event: {name}\ndata: {json_text(data)}\n\n".encode()


def _held(scope: Scope, file: File) -> bytes:
    """What is in a file, with room taken for it.

    Raises:
        Refused: there is none.
    """
    scope["held"].more(len(file.data))
    return file.data


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
