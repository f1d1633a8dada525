"""The bodies of requests, with limits on type and size, and what they say."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from bsp_sat.apps.page.answering import File, task_calling
from bsp_sat.apps.page.errors import Refused
from bsp_sat.apps.page.http.queue import Queue
from bsp_sat.apps.page.request_fields import Reader, fields_of
from bsp_sat.backends.limits import Limits
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.registry import PUZZLES

JSON_BYTES = 300_000
MOST_BYTES = 30_000_000  # of any body
ALL_BYTES = 200_000_000  # of the bodies of all requests that aren't answered yet
SHORT_BYTES = 16_000  # of JSON: whatever it says, it takes less than 50 ms to read, in the event loop
READING = Limits(seconds=3.0, memory_mb=300.0)  # for longer ones; the longest take 0.1 s

Puzzles = Mapping[str, type[AnyPuzzle]]


class Room:
    """Bounds what the bodies of all requests hold. Each may take half of what others leave: small ones find room."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._left = ALL_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        length = int(Headers(scope=scope).get("content-length", "0")) if scope["type"] == "http" else 0
        if length > MOST_BYTES:
            length = 0  # it will be refused unread
        if length > self._left // 2:
            raise Refused(503, "the server is handling too much data; try again later")
        self._left -= length
        try:
            await self._app(scope, receive, send)
        finally:
            self._left += length


async def body_of(request: Request, kinds: tuple[str, ...], most: int) -> bytes:
    """The body of a request; `Refused` if it has another type, doesn't tell its length, or is too large."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in kinds:
        raise Refused(415, f"expected a body of type {' or '.join(kinds)}")
    if "transfer-encoding" in request.headers:  # browsers send none, and tiny chunks take long to parse
        raise Refused(411, "expected a body with its length, in the header Content-Length")
    if int(request.headers.get("content-length", "0")) > most:  # h11 accepts only numbers, and no more than that comes
        raise Refused(413, f"expected a body of at most {most:,} bytes")
    return await request.body()


def parsed(body: bytes, reader: Reader) -> Any:
    """What a reader makes of the JSON object in a body."""
    return reader(fields_of(body))


def answered(body: bytes, reader: Reader) -> File:
    """The same as the answer to send."""
    return File.of(parsed(body, reader))


async def read(request: Request, read_by: Callable[[bytes, Reader], Any], reader: Reader, queue: Queue) -> Any:
    """Reads the body of a request by `parsed` or `answered`; a long one in a place of ``queue``, or `QueueFull`.

    Passes on what the reader refuses; `Refused` also as in `body_of`, or if a long body takes too much to read.
    """
    body = await body_of(request, ("application/json",), JSON_BYTES)
    if len(body) <= SHORT_BYTES:
        return read_by(body, reader)
    return await queue.enter(task_calling(READING, read_there, read_by, body, reader, PUZZLES)).answered()


def read_there(read_by: Callable[[bytes, Reader], Any], body: bytes, reader: Reader, puzzles: Puzzles) -> Any:
    """Reads a body in a child process. ``puzzles`` includes those the program has added."""
    PUZZLES.clear()
    PUZZLES.update(puzzles)
    return read_by(body, reader)
