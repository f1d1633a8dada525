"""The page's files: its modules and styles joined, all others as they are."""

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
        found = Response(text, media_type=kind)
        found.headers["etag"] = f'"{sha256(text.encode()).hexdigest()}"'
        if self.is_not_modified(found.headers, Headers(scope=scope)):
            return NotModifiedResponse(found.headers)
        return found
