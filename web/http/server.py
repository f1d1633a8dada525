"""HTTP: patience with those who ask, and an end in order."""

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
from bsp_sat.web.errors import in_words
from bsp_sat.web.http.listening import ACCEPTED_AT_ONCE, WAITING_CONNECTIONS

GRACE_SECONDS = 1  # for answers on their way, once streams have been told to end
HEAD_SECONDS = 20.0  # until a request has begun, on a new connection or after the one before
SENDING_SECONDS = 20.0  # for a client that doesn't read what it asked for
HEAD_BYTES = 16_384
NO_ROOM = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 20\r\n\r\ntoo many connections"
)


class Connections:
    """The connections of a server.

    Attributes:
        most: how many there may be.
        owing: those whose client has something to send, a request or the rest of one; the longest first.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.owing: dict[Patience, None] = {}


class WithLengths(h11.Connection):
    """HTTP without chunked bodies: no browser sends any, and a megabyte of tiny chunks takes a second to read."""

    refusal = ""

    def next_event(self) -> Any:
        """What `h11` finds next.

        Raises:
            h11.RemoteProtocolError: what came is no request.
        """
        event = super().next_event()
        if isinstance(event, h11.Request) and any(name == b"transfer-encoding" for name, _ in event.headers):
            self.refusal = "expected a body with its length, in the header Content-Length"
            raise h11.RemoteProtocolError(self.refusal)
        return event


class Patience(H11Protocol):
    """HTTP for those who send and read within a time, as many at once as there is room for.

    uvicorn alone would wait for ever for the end of a request's head, and for a client to read. Where there is no room
    for a new connection, the one goes that has owed a request for the longest.

    Args:
        room: the connections of the server.
        **of_uvicorn: what uvicorn hands over.
    """

    conn: WithLengths

    def __init__(self, room: Connections, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self.conn = WithLengths(h11.SERVER, HEAD_BYTES)
        self._room = room
        self._sending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begins to wait for a request."""
        super().connection_made(transport)
        # asyncio does so for sockets made by itself. Without it the rest of an answer waits for the client's system.
        with suppress(OSError):
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if len(self.connections) > self._room.most:
            self._make_room()
        self._wait()

    def _make_room(self) -> None:
        owing = self._room.owing
        if owing:
            first = next(iter(owing))
            del owing[first]  # which is closed in a moment, and not to be chosen again until then
            first.transport.abort()
        else:
            self.transport.write(NO_ROOM)
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Takes a little at a time: what h11 reads at once is bounded by `HEAD_BYTES` beside it."""
        for start in range(0, len(data), HEAD_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[start : start + HEAD_BYTES])

    def handle_events(self) -> None:
        """Has waited long enough where a request is there."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._waiting.cancel()
            if not self.cycle.more_body:
                self._room.owing.pop(self, None)

    def on_response_complete(self) -> None:
        """Begins to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Says what is wrong, unless something else is being said."""
        try:
            super().send_400_response(self.conn.refusal or msg)
        except h11.LocalProtocolError:
            self.transport.abort()

    def pause_writing(self) -> None:
        """Begins to wait for the client to read."""
        super().pause_writing()
        self._sending = self.loop.call_later(SENDING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Has waited long enough."""
        super().resume_writing()
        if self._sending is not None:
            self._sending.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no more."""
        self._waiting.cancel()
        if self._sending is not None:
            self._sending.cancel()
        self._room.owing.pop(self, None)
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)
        self._room.owing[self] = None


class Server(uvicorn.Server):
    """Ends at the first signal, streams first.

    Args:
        app: what answers.
        connections: how many there may be.
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
            log_level="critical",  # what it says of requests and of itself is for nobody here
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
            Unsupported: the system gives too little to begin.
        """
        try:
            super().run(sockets)
        except SystemExit:
            raise Unsupported(f"the page can't be served: {self._app.state.failure}") from None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins, as uvicorn does."""
        asyncio.get_running_loop().set_exception_handler(_report)
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(WAITING_CONNECTIONS)  # the system keeps more than are accepted at once

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn does, but a signal that ends the server is dealt with then."""

        def end(_number: int, _frame: FrameType | None) -> None:
            self.should_exit = True

        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the streams and the connections that nothing is to be sent on, for which uvicorn would wait."""
        for connection in self._room.owing:
            connection.transport.abort()
        service = self._app.state.service
        for jobs in (service.searches, service.turns, service.requests):
            jobs.ending.set()
        await super().shutdown(sockets)


def _report(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """One line for the log where something of ours fails in the event loop; none where the system lacks something."""
    in_words(context.get("exception") or RuntimeError(context["message"]))
