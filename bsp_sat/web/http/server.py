"""The HTTP server: time limits for clients, and a clean shutdown."""

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from bsp_sat.instances.errors import Unsupported
from bsp_sat.web.errors import error_text
from bsp_sat.web.http.listening import ACCEPTED_AT_ONCE, WAITING_CONNECTIONS

GRACE_SECONDS = 1  # for answers being sent, once streams have been ended
HEAD_SECONDS = 20.0  # until a request begins, on a new connection or after the previous request
SENDING_SECONDS = 20.0  # for a client that doesn't read its answer
HEAD_BYTES = 16_384
NO_ROOM = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 20\r\n\r\ntoo many connections"
)


class Connections:
    """The connections of a server.

    Attributes:
        most: the largest number of connections.
        owing: connections that wait for a request or the rest of one, in the order since when.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.owing: dict[Patience, None] = {}


class WithLengths(h11.Connection):
    """HTTP without chunked bodies: browsers send none, and a megabyte of tiny chunks takes a second to parse."""

    refusal = ""

    def next_event(self) -> Any:
        """The next event of `h11`.

        Raises:
            h11.RemoteProtocolError: the data is no request.
        """
        event = super().next_event()
        if isinstance(event, h11.Request) and any(name == b"transfer-encoding" for name, _ in event.headers):
            self.refusal = "expected a body with its length, in the header Content-Length"
            raise h11.RemoteProtocolError(self.refusal)
        return event


class Patience(H11Protocol):
    """HTTP with time limits for sending and reading, and a limit on connections.

    uvicorn alone would wait forever for the end of a request's head, and for a client to read. If there is no room for
    a new connection, the one that has waited longest for a request is closed.

    Args:
        room: the server's connections.
        **of_uvicorn: uvicorn's arguments.
    """

    conn: WithLengths

    def __init__(self, room: Connections, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self.conn = WithLengths(h11.SERVER, HEAD_BYTES)
        self._room = room
        self._sending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Starts waiting for a request."""
        super().connection_made(transport)
        # asyncio does this for its own sockets. Without it the rest of an answer waits for the client's system.
        with suppress(OSError):
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if len(self.connections) > self._room.most:
            self._make_room()
        self._wait()

    def _make_room(self) -> None:
        owing = self._room.owing
        if owing:
            first = next(iter(owing))
            del owing[first]  # it is being closed, and must not be chosen again
            first.transport.abort()
        else:
            self.transport.write(NO_ROOM)
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Passes data on in small pieces: h11 checks `HEAD_BYTES` only between them."""
        for start in range(0, len(data), HEAD_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[start : start + HEAD_BYTES])

    def handle_events(self) -> None:
        """Stops waiting once a request is complete."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._waiting.cancel()
            if not self.cycle.more_body:
                self._room.owing.pop(self, None)

    def on_response_complete(self) -> None:
        """Starts waiting for the next request."""
        self._wait()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Sends an error, unless an answer has begun."""
        try:
            super().send_400_response(self.conn.refusal or msg)
        except h11.LocalProtocolError:
            self.transport.abort()

    def pause_writing(self) -> None:
        """Starts waiting for the client to read."""
        super().pause_writing()
        self._sending = self.loop.call_later(SENDING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stops waiting for the client."""
        super().resume_writing()
        if self._sending is not None:
            self._sending.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops all waiting."""
        self._waiting.cancel()
        if self._sending is not None:
            self._sending.cancel()
        self._room.owing.pop(self, None)
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)
        self._room.owing[self] = None


class Server(uvicorn.Server):
    """Shuts down at the first signal, streams first.

    Args:
        app: the application.
        connections: the largest number of connections.
    """

    def __init__(self, app: Starlette, connections: int) -> None:
        self._room = Connections(connections)
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=partial(Patience, self._room),  # type: ignore[arg-type]  # whatever makes a protocol
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",  # uvicorn's messages about requests and itself are of no use here
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=ACCEPTED_AT_ONCE,
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
        """Ends streams and idle connections, which uvicorn would wait for."""
        for connection in self._room.owing:
            connection.transport.abort()
        for queue in self._app.state.queues:
            queue.ending.set()
        await super().shutdown(sockets)


def _report(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs a bug in the event loop in one line. Lack of resources isn't logged."""
    error_text(context.get("exception") or RuntimeError(context["message"]))
