"""The libraries of the compiled search for browsers: all of it for Python there, and what the page's engine calls."""

from pathlib import Path

from bsp_sat.backends.kernel.native.shared_library import KERNEL, file_name, sources_digest
from bsp_sat.instances.errors import Unsupported

FOR_PYTHON = "emscripten-wasm32"
FOR_PAGE = "page-wasm32"


def has_tab_library() -> bool:
    """Whether there are both."""
    return all(_path(platform).is_file() for platform in (FOR_PYTHON, FOR_PAGE))


def tab_library(platform: str = FOR_PYTHON) -> Path:
    """The file of one of them.

    Raises:
        Unsupported: there is none.
    """
    path = _path(platform)
    if not path.is_file():
        shown = "(`pip install -v` shows what failed)"
        raise Unsupported(f"the compiled search for browsers wasn't built when bsp-sat was installed {shown}")
    return path


def _path(platform: str) -> Path:
    return KERNEL / file_name(platform, sources_digest())
