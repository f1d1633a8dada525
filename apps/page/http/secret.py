"""An address with a secret, for `bsp-sat serve --phone`: without it all answers are 404.

The path of each request begins with the secret, as in ``http://192.168.1.5:8020/SECRET/api/solve``. The page's own
addresses are relative, so it needs to know nothing of this.
"""

import secrets

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send


class Secret:
    """Passes on requests whose path begins with the secret (letters, digits, ``-`` and ``_``), less the secret.

    Others get 404 before anything else looks at them. The comparison takes the same time wherever a wrong secret
    differs.
    """

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self._app = app
        self._secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers that there is nothing."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        _, _, path = scope["path"].partition("/")
        word, slash, rest = path.partition("/")
        if secrets.compare_digest(word.encode(errors="replace"), self._secret) and slash:
            await self._app({**scope, "path": f"/{rest}"}, receive, send)
        else:
            await Response(status_code=404)(scope, receive, send)
