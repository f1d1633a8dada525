"""The library of the compiled search for a browser's tab, which `bsp-sat page` puts beside the page."""

import subprocess
from pathlib import Path

from bsp_sat.backends.kernel.native.shared_library import KERNEL, file_name, sources_digest
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need

PLATFORM = "emscripten-wasm32"


def has_tab_library() -> bool:
    """Whether the library is among the sources, built, so that `tab_library` takes no time."""
    return (KERNEL / file_name(PLATFORM, sources_digest())).is_file()


def tab_library(folder: Path) -> Path:
    """Puts the library into a folder; it is built, which takes a minute, unless it is among the sources.

    Raises:
        Unsupported: what it is built with isn't installed, or fails.
    """
    # Imported here, as numba is in there: only one command needs it.
    from bsp_sat.backends.kernel.native.build import install_library

    if not has_tab_library():
        need("numba", "building the compiled search")
    try:
        install_library(folder, PLATFORM)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unsupported(f"the compiled search can't be linked, `pip install ziglang` has a linker: {error}") from None
    (library,) = folder.glob("compiled-*")
    return library
