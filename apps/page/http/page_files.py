"""The page's files: its modules and styles joined, all others as they are."""

from functools import lru_cache
from gzip import compress
from hashlib import sha256
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from bsp_sat.apps.page.modules import joined

TYPES = {".js": "text/javascript", ".css": "text/css"}


compressed = lru_cache(maxsize=10)(compress)


def sent(asked: Headers, content: bytes, kind: str) -> Response:
    """A file for a request with some headers; it is compressed once, as the first board waits for it."""
    encoding = {"content-encoding": "gzip"} if "gzip" in asked.get("accept-encoding", "") else {}
    headers = {"vary": "Accept-Encoding", **encoding}
    return Response(compressed(content) if encoding else content, media_type=kind, headers=headers)


class PageFiles(StaticFiles):
    """The files of the page's folder."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or that the browser has it already."""
        kind = TYPES.get(Path(path).suffix)
        if kind is None or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        assert self.directory is not None
        text = (await run_in_threadpool(joined, Path(self.directory))).get(path)
        if text is None:
            raise HTTPException(404)
        asked = Headers(scope=scope)
        found = sent(asked, text.encode(), kind)
        found.headers["etag"] = f'"{sha256(text.encode()).hexdigest()}"'
        if self.is_not_modified(found.headers, asked):
            return NotModifiedResponse(found.headers)
        return found
