"""The HTTP server: uvicorn with limits, and with a clean shutdown.

Clients that are slow on purpose aren't fended off: a reverse proxy does that.
"""

import asyncio
import logging
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
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
HEAD_BYTES = 16_384


class Connection(H11Protocol):
    """HTTP with heads of at most `HEAD_BYTES`: data come in pieces, as only between them the length is checked."""

    def data_received(self, data: bytes) -> None:
        """Passes data on in pieces."""
        for start in range(0, len(data), HEAD_BYTES):
            if not self.transport.is_closing():
                try:
                    super().data_received(data[start : start + HEAD_BYTES])
                except h11.LocalProtocolError:  # uvicorn can't refuse what comes after a refusal
                    self.transport.abort()
        if self.transport.is_closing() and self.cycle is not None:
            self.cycle.disconnected = True  # what came after a request is no HTTP: that was refused, and is the answer


class Server(uvicorn.Server):
    """Shuts down at the first signal, streams first.

    Args:
        app: the application.
        connections: the largest number of connections.
    """

    def __init__(self, app: Starlette, connections: int) -> None:
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=Connection,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",  # uvicorn's messages about requests and itself are of no use here
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=ACCEPTED_AT_ONCE,
            limit_concurrency=connections + 1,  # uvicorn refuses at this number
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
        logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of what is written after a client has gone
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
