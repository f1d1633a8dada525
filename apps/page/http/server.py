"""The HTTP server: uvicorn with limits, and with a clean shutdown."""

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
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from bsp_sat.apps.page.errors import refused_by
from bsp_sat.apps.page.http.listening import ACCEPTED_AT_ONCE, WAITING_CONNECTIONS
from bsp_sat.instances.errors import Unsupported

GRACE_SECONDS = 1  # for answers being sent, once streams have been ended
HEAD_BYTES = 16_384
CLIENT_SECONDS = 120  # to send a request, and to take its answer


class Server(uvicorn.Server):
    """Serves an application to at most so many ``connections``; shuts down at the first signal, streams first."""

    def __init__(self, app: Starlette, connections: int) -> None:
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http="h11",
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
            timeout_notify=CLIENT_SECONDS,
            callback_notify=self._end_idle,
        )
        super().__init__(config)
        self._app = app
        self._waited: set[tuple[H11Protocol, RequestResponseCycle | None]] = set()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until a signal comes; `Unsupported` if the system lacks the resources to start."""
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

    async def _end_idle(self) -> None:
        """Ends the connections that wait for their clients now as they did the last time."""
        waiting = {
            (each, each.cycle)
            for each in self.server_state.connections
            if isinstance(each, H11Protocol) and _waits_for_client(each)
        }
        for connection, _ in waiting & self._waited:
            connection.transport.abort()
        self._waited = waiting - self._waited

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


def _waits_for_client(connection: H11Protocol) -> bool:
    """Whether the rest of a request has to come, or of an answer to be taken."""
    cycle = connection.cycle  # None, whatever its type says, before the first request
    return not cycle or cycle.more_body or cycle.response_complete or connection.flow.write_paused


def _report(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs a bug in the event loop in one line. Lack of resources isn't logged."""
    error = context.get("exception") or RuntimeError(context["message"])
    if not isinstance(error, h11.LocalProtocolError):  # uvicorn answers a request that turned out to be no HTTP
        refused_by(error)
