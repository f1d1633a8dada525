"""The library of the compiled search for browsers."""

from pathlib import Path

from bsp_sat.backends.kernel.native.shared_library import KERNEL, file_name, sources_digest
from bsp_sat.instances.errors import Unsupported

PLATFORM = "emscripten-wasm32"


def has_tab_library() -> bool:
    """Whether there is one."""
    return _path().is_file()


def tab_library() -> Path:
    """Its file.

    Raises:
        Unsupported: there is none.
    """
    if not has_tab_library():
        shown = "(`pip install -v` shows what failed)"
        raise Unsupported(f"the compiled search for browsers wasn't built when bsp-sat was installed {shown}")
    return _path()


def _path() -> Path:
    return KERNEL / file_name(PLATFORM, sources_digest())
