"""Answers a bug with one sentence instead of a traceback."""

import h11
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bsp_sat.apps.page.errors import refused_by
from bsp_sat.apps.page.http.streams import refusal


class ErrorMiddleware:
    """Answers requests whose handler fails. An answer that has begun stays incomplete."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers."""
        begun = False

        async def send_and_note(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except h11.LocalProtocolError:  # uvicorn has refused the rest of the request, and that is the answer
            return
        except Exception as error:
            refused = refused_by(error)
            if not begun:
                await refusal(refused)(scope, receive, send)
