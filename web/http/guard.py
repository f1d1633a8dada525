"""Who may ask, and the headers of every answer.

A page of somebody else's may send requests to any address from a browser on this machine, and with DNS rebinding it may
even read the answers: its own name then stands for 127.0.0.1. So the name that a request is for, its header Host, has
to be one that this server goes by, and so does the page that it comes from, its header Origin.
"""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("localhost", "127.0.0.1", "::1")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets through what comes from this server's own page, or from no page at all.

    Args:
        app: what answers.
        host: the address that the server listens on.
        names: further names that it goes by.
    """

    def __init__(self, app: ASGIApp, host: str, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {name.lower() for name in names}
        self._local = host in LOCAL
        self._host = host.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers, or refuses."""
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

        refusal = self._refusal(Headers(scope=scope))
        app = self._app if refusal is None else JSONResponse({"error": refusal}, 403)
        await app(scope, receive, send_with_headers)

    def _refusal(self, headers: Headers) -> str | None:
        host = headers.get("host", "")
        if not self._is_ours(_name_of(host)):
            return "this server doesn't go by the name in the header Host (see --allow-host)"
        origin = headers.get("origin")
        if origin is None:
            return None
        parts = origin.partition("://")
        if parts[0] in ("http", "https") and (parts[2].lower() == host.lower() or _name_of(parts[2]) in self._names):
            return None
        return "the header Origin names a page that isn't this server's"

    def _is_ours(self, name: str | None) -> bool:
        if name is None:
            return False
        if name in LOCAL or name in self._names or name == self._host:
            return True
        return not self._local and _is_address(name)  # no name server can make an address stand for another one


def _name_of(host: str) -> str | None:
    """The name in a Host header, without its port; None where it isn't one."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
