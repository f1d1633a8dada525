"""The page's files: its modules and styles joined, all others as they are."""

from functools import cache
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


@cache
def _packed(page: Path) -> dict[str, tuple[bytes, bytes, str]]:
    """What is sent of each file, plain and compressed, and its tag: made once, as the first board waits for it."""
    texts = {path: text.encode() for path, text in joined(page).items()}
    return {path: (text, compress(text), f'"{sha256(text).hexdigest()}"') for path, text in texts.items()}


class PageFiles(StaticFiles):
    """The files of the page's folder."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or that the browser has it already."""
        kind = TYPES.get(Path(path).suffix)
        if kind is None or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        assert self.directory is not None
        texts = await run_in_threadpool(_packed, Path(self.directory))
        if path not in texts:
            raise HTTPException(404)
        plain, packed, tag = texts[path]
        asked = Headers(scope=scope)
        encoding = {"content-encoding": "gzip"} if "gzip" in asked.get("accept-encoding", "") else {}
        headers = {"etag": tag, "vary": "Accept-Encoding", **encoding}
        found = Response(packed if encoding else plain, media_type=kind, headers=headers)
        if self.is_not_modified(found.headers, asked):
            return NotModifiedResponse(found.headers)
        return found
