"""Answers: all events as they come (server-sent events), or the answer alone."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bsp_sat.apps.page.answering import EVENT_STREAM, File, Task, framed
from bsp_sat.apps.page.errors import Refused, refused_by
from bsp_sat.apps.page.http.queue import Queue
from bsp_sat.instances.text.writing import json_text

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


def refusal(refused: Refused) -> Json:
    """The answer for an error."""
    further = {411: {"Connection": "close"}, 503: {"Retry-After": str(RETRY_SECONDS)}}
    return Json(refused.answer, refused.status, further.get(refused.status))


class AnswerResponse(Response, ABC):
    """The answer to a question; ends with it, with the client or with the server. Refused as by `Queue.enter`."""

    def __init__(self, queue: Queue, answer: Task) -> None:
        super().__init__()
        written = self._written  # a static method, so that the work doesn't hold its response
        self._asked = queue.enter(lambda runner, stop, emit: written(answer(runner, stop, emit)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the answer, and stops when the client leaves."""
        sending = asyncio.ensure_future(self._send(scope, receive, send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._asked.close()
            for task in (sending, leaving):
                task.cancel()
            (error, _) = await asyncio.gather(sending, leaving, return_exceptions=True)
            if isinstance(error, Exception):
                refused_by(error)  # only logs it: the client has gone

    @abstractmethod
    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the answer, or the error."""

    @staticmethod
    @abstractmethod
    def _written(answer: Any) -> File:
        """The answer as it is sent. Runs in a thread: serializing a large one would block the event loop."""


class EventStream(AnswerResponse):
    """The events as they come. The head is sent with the first one, as there may be no place for the question."""

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def put(data: bytes, *, more: bool = True) -> None:
            nonlocal begun
            if not begun:
                await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
                begun = True
            await send({"type": "http.response.body", "body": data, "more_body": more})

        async with aclosing(self._asked.events()) as events:
            async for event in events:
                await put(b": \n\n" if event is None else framed(*event))
        try:
            await put(self._asked.result().data)
        except Refused as refused:
            if refused.status == 503 and not begun:
                await refusal(refused)(scope, receive, send)
                return
            await put(framed("error", refused.answer))
        await put(b"", more=False)

    @staticmethod
    def _written(answer: Any) -> File:
        return File(framed("answer", answer), EVENT_STREAM)


class LastWord(AnswerResponse):
    """The answer alone, or the error."""

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            file = await self._asked.answered()
            response = Response(file.data, media_type=file.kind)
        except Refused as refused:
            response = refusal(refused)
        await response(scope, receive, send)

    @staticmethod
    def _written(answer: Any) -> File:
        return File.of(answer)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
