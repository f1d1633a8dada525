"""The HTTP server: room for new connections, and a clean shutdown."""

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bsp_sat.instances.errors import Unsupported
from bsp_sat.web.errors import error_text
from bsp_sat.web.http.listening import ACCEPTED_AT_ONCE, WAITING_CONNECTIONS

GRACE_SECONDS = 1  # for answers being sent, once streams have been ended
HEAD_BYTES = 16_384
NO_ROOM = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 20\r\n\r\ntoo many connections"
)

Client = tuple[str, int]
"""The address and the port of a connection's other end."""


class Connections:
    """The connections of a server. If there is no room for a new one, that is closed which waits longest for a request.

    Args:
        app: the application behind them.
        most: the largest number of connections.
    """

    def __init__(self, app: Starlette, most: int) -> None:
        self._app = app
        self._most = most
        self._all: dict[Client, asyncio.Transport] = {}
        self._waiting: dict[Client, None] = {}  # for a request or the rest of one, in the order since when

    def add(self, client: Client, transport: asyncio.Transport) -> None:
        """Adds a connection that has just been made."""
        self._all[client] = transport
        if len(self._all) <= self._most:
            self._waiting[client] = None
        elif self._waiting:
            self._all[next(iter(self._waiting))].abort()
            del self._waiting[next(iter(self._waiting))]  # it is being closed, and must not be chosen again
            self._waiting[client] = None
        else:
            transport.write(NO_ROOM)
            transport.close()

    def remove(self, client: Client) -> None:
        """Removes a connection that has been closed."""
        self._all.pop(client, None)
        self._waiting.pop(client, None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on; once it is complete, its connection waits no longer, until it is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client: Client = scope["client"]

        async def receive_and_note() -> Message:
            message = await receive()
            if not message.get("more_body"):
                self._waiting.pop(client, None)
            return message

        async def send_while_open(message: Message) -> None:
            to = self._all.get(client)
            if to is not None and not to.is_closing():  # perhaps because what came after the head is no HTTP
                await send(message)

        if scope["method"] == "GET":
            self._waiting.pop(client, None)
        try:
            await self._app(scope, receive_and_note, send_while_open)
        finally:
            if client in self._all:
                self._waiting[client] = None


class Connection(H11Protocol):
    """HTTP on a connection that is counted, with heads of at most `HEAD_BYTES`.

    Args:
        connections: the server's connections.
        **of_uvicorn: uvicorn's arguments.
    """

    def __init__(self, connections: Connections, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._counted = connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Counts the connection."""
        super().connection_made(transport)
        self._to = transport
        host, port, *_ = transport.get_extra_info("peername")
        self._client: Client = host, port
        self._counted.add(self._client, transport)

    def data_received(self, data: bytes) -> None:
        """Passes data on in pieces: only between them is the length of a head checked."""
        for start in range(0, len(data), HEAD_BYTES):
            if not self._to.is_closing():
                try:
                    super().data_received(data[start : start + HEAD_BYTES])
                except h11.LocalProtocolError:  # uvicorn can't refuse what comes after a refusal
                    self._to.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._counted.remove(self._client)
        super().connection_lost(exc)


class Server(uvicorn.Server):
    """Shuts down at the first signal, streams first.

    Args:
        app: the application.
        connections: the largest number of connections.
    """

    def __init__(self, app: Starlette, connections: int) -> None:
        counted = Connections(app, connections)
        config = uvicorn.Config(
            counted,
            loop="asyncio",
            http=partial(Connection, counted),  # type: ignore[arg-type]  # whatever makes a protocol
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",  # uvicorn's messages about requests and itself are of no use here
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=ACCEPTED_AT_ONCE,
            h11_max_incomplete_event_size=HEAD_BYTES,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        super().__init__(config)
        self._app = app

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until a signal comes.

        Raises:
            Unsupported: the system lacks the resources to start.
        """
        try:
            super().run(sockets)
        except SystemExit:
            raise Unsupported(f"the page can't be served: {self._app.state.failure}") from None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts up."""
        asyncio.get_running_loop().set_exception_handler(_report)
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(WAITING_CONNECTIONS)  # let the system queue more than are accepted at once

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Like uvicorn's, but doesn't raise the signal again after the shutdown."""

        def end(_number: int, _frame: FrameType | None) -> None:
            self.should_exit = True

        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends streams, which uvicorn would wait for."""
        for queue in self._app.state.queues:
            queue.end()
        await super().shutdown(sockets)


def _report(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs a bug in the event loop in one line. Lack of resources isn't logged."""
    error = context.get("exception") or RuntimeError(context["message"])
    if not isinstance(error, h11.LocalProtocolError):  # uvicorn answers a request that turned out to be no HTTP
        error_text(error)
