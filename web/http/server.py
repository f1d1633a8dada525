"""HTTP: patience with those who ask, and an end in order."""

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

GRACE_SECONDS = 1  # for answers on their way, once streams have been told to end
HEAD_SECONDS = 20.0  # until a request has begun, on a new connection or after the one before
CONNECTIONS = 1_000


class Patience(H11Protocol):
    """HTTP for those who ask within a time; uvicorn alone would wait for ever for the end of a request's head."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begins to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        """Has waited long enough where a request is there."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._waiting.cancel()

    def on_response_complete(self) -> None:
        """Begins to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no more."""
        self._waiting.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)


class Server(uvicorn.Server):
    """Ends at the first signal, streams first."""

    def __init__(self, app: Starlette) -> None:
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=Patience,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",  # what it says of requests and of itself is for nobody here
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        super().__init__(config)
        self._app = app

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
        """Ends the streams, and then as uvicorn does: it would wait for them."""
        service = self._app.state.service
        service.searches.ending.set()
        service.turns.ending.set()
        await super().shutdown(sockets)
