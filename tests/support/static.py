"""What the tests of the page without a server share: its folder, made once, and a plain host of files."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from bsp_sat.apps.page.tab.making import make_page
from bsp_sat.backends.engine import has_tab_library
from bsp_sat.instances.errors import Unsupported

POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

PAGE_LINE = "bsp-sat page FOLDER"
"""The line that makes the page, as documents have it. One test of all runs it: it takes long."""


def made_page(folder: Path) -> Path:
    """The page's folder; skips the test where it can't be made in a moment."""
    if not has_tab_library():
        pytest.skip("no compiled search for browsers of these sources: see CONTRIBUTING.md")
    for program in ("npm", "pip"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program} on this system")
    try:
        make_page(folder)
    except Unsupported as error:
        if "can't be fetched" in str(error):
            pytest.skip(str(error))
        raise
    return folder


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """A host of files, and the address of a folder on it; its policy allows no more than the page needs."""

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", POLICY)
            super().end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Host(ThreadingHTTPServer):
        request_queue_size = 100  # by default 5, which visits overrun where the machine is busy

        def handle_error(self, request: Any, client_address: Any) -> None:
            if not isinstance(sys.exception(), ConnectionError):  # a visitor may leave at any time
                super().handle_error(request, client_address)

    with Host(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
