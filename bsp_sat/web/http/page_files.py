"""The page's files, its modules without comments."""

import os
from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from bsp_sat.web.modules import without_comments


class PageFiles(StaticFiles):
    """The files of a folder."""

    def file_response(
        self, full_path: "str | os.PathLike[str]", stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The file, or that the browser has it already."""
        found = super().file_response(full_path, stat_result, scope, status_code)
        if not isinstance(found, FileResponse) or Path(full_path).suffix != ".js":
            return found
        text = without_comments(Path(full_path).read_text(encoding="utf-8"))
        kept = {name: found.headers[name] for name in ("etag", "last-modified")}
        return Response(text, status_code, kept, media_type="text/javascript")
