"""Answers of jobs: all events as they come (server-sent events), or the last one alone."""

import asyncio
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bsp_sat.instances.text.writing import json_text
from bsp_sat.web.errors import Refused, error_text
from bsp_sat.web.work.events import EVENT_STREAM, File, JobEvent, Work, framed
from bsp_sat.web.work.work_queue import HAS_ENDED, WorkQueue

RETRY_SECONDS = 5
HEADERS = [
    (b"content-type", EVENT_STREAM.encode()),
    (b"x-accel-buffering", b"no"),  # otherwise nginx would buffer the events
]


class Json(Response):
    """A JSON value, as the command line prints it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Serializes the value, for Starlette."""
        return json_text(content).encode()


def refusal(status: int, sentence: str) -> Json:
    """The answer for an error."""
    return Json({"error": sentence}, status, {"Retry-After": str(RETRY_SECONDS)} if status == 503 else None)


class JobResponse(Response):
    """The answer of a job. It ends with the job, when the client leaves, or with the server.

    Raises:
        QueueFull: the queue has no place for the job.
    """

    def __init__(self, jobs: WorkQueue, work: Work) -> None:
        super().__init__()
        written = self._written  # a static method, so that the job doesn't hold its response
        self._job = jobs.enter(lambda worker, stop, emit: written(work(worker, stop, emit)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the answer, and stops when the client leaves."""
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
                error_text(error)  # only logs it: the client has gone

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError

    @staticmethod
    def _written(event: JobEvent) -> tuple[str, File]:
        """The last event as it is sent. Runs in a thread: serializing a large one would block the event loop."""
        raise NotImplementedError


class EventStream(JobResponse):
    """The events of a job as they come. The head is sent with the first one, as the job may still be refused."""

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
                    await put(_held(scope, data) if isinstance(data, File) else framed(name, data))
                except Refused as refused:
                    await put(framed("error", {"error": refused.sentence}))
        await put(b"", more=False)

    def _is_refused(self, event: JobEvent) -> bool:
        return event[0] == "error" and self._job.status == 503 and event is not HAS_ENDED

    @staticmethod
    def _written(event: JobEvent) -> tuple[str, File]:
        return event[0], File(framed(*event), EVENT_STREAM)


class LastWord(JobResponse):
    """The last event of a job: its answer or its error."""

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
    def _written(event: JobEvent) -> tuple[str, File]:
        name, data = event
        return name, data if isinstance(data, File) else File.of(data)


def _held(scope: Scope, file: File) -> bytes:
    """The content of a file, after reserving memory for it.

    Raises:
        Refused: there is not enough memory.
    """
    scope["held"].more(len(file.data))
    return file.data


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
