"""Which requests are accepted, and the headers of every answer.

Any page open in a browser on this machine can send requests to this server. With DNS rebinding it could even read the
answers: its own name then resolves to 127.0.0.1. So the header Host of a request must be a name of this server, and the
header Origin must be an origin of this server's page, by scheme, name and port:

* ``http`` and the header Host, as this server speaks plain HTTP; for additional names only at the port it listens on,
  as other ports belong to a proxy;
* or an origin given with an additional name, by default with ``https``, for a proxy that speaks HTTPS.
"""

import ipaddress
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bsp_sat.apps.page.http.origins import PORTS, Origin, name_and_port

LOCAL = ("localhost", "127.0.0.1", "::1")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
        "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Accepts requests from this server's own page, and requests without an origin.

    The server listens on ``host``; ``origins`` are the page's under the server's other names.
    """

    def __init__(self, app: ASGIApp, host: str, origins: Iterable[Origin] = ()) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._names = {origin.name for origin in self._origins}
        self._local = host in LOCAL
        self._host = host.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store" if scope["path"].startswith("/api/") else "no-cache")
            await send(message)

        refusal = self._refusal(Headers(scope=scope), scope["server"][1])
        app = self._app if refusal is None else JSONResponse({"error": refusal}, 403)
        await app(scope, receive, send_with_headers)

    def _refusal(self, headers: Headers, listens_on: int) -> str | None:
        for header in ("Host", "Origin"):
            if len(headers.getlist(header)) > 1:  # a proxy may look at another one than this server
                return f"expected one header {header}, found several"
        name, port = name_and_port(headers.get("host", ""))
        if not self._is_ours(name):
            return "the header Host doesn't name this server (see --allow-host)"
        if "origin" not in headers:
            return None
        origin = Origin.parse(headers["origin"])
        if origin in self._origins:
            return None
        is_direct = name not in self._names or port == listens_on
        if is_direct and origin == ("http", name, PORTS["http"] if port is None else port):
            return None
        return "the header Origin names a page that isn't this server's (see --allow-host)"

    def _is_ours(self, name: str | None) -> bool:
        if name is None:
            return False
        if name in LOCAL or name in self._names or name == self._host:
            return True
        return not self._local and _is_address(name)  # addresses aren't affected by DNS rebinding


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
