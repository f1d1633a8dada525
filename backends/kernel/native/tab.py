"""The library of the compiled search for browsers: beside the page, in the page's own engine, and in its package.

    python -m bsp_sat.backends.kernel.native.tab FILE

writes the engine's module, for `npm pack`.
"""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

from bsp_sat.backends.kernel.native.shared_library import KERNEL, file_name, sources_digest
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need

PLATFORM = "emscripten-wasm32"
SECTION = "bsp-sat"


def has_tab_library() -> bool:
    """Whether the library is there, built, so that `tab_library` takes no time."""
    return (KERNEL / file_name(PLATFORM, sources_digest())).is_file()


def tab_library(folder: Path) -> Path:
    """Puts the library into a folder; it is built, which takes a minute, unless it is there.

    Raises:
        Unsupported: what it is built with isn't installed, or fails.
    """
    # Imported here, as numba is in there: few commands need it.
    from bsp_sat.backends.kernel.native.build import install_library

    if not has_tab_library():
        need("numba", "building the compiled search")
    try:
        install_library(folder, PLATFORM)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unsupported(f"the compiled search can't be linked, `pip install ziglang` has a linker: {error}") from None
    (library,) = folder.glob("compiled-*")
    return library


@cache
def engine_module(folder: Path = KERNEL) -> bytes:
    """The library for web/page/engine/engine.js, with a section that says how it is called.

    The section holds a JSON object: where the arguments lie, and what answers mean.

    Args:
        folder: where the library is, see `tab_library`.

    Raises:
        OSError: it isn't there, see `has_tab_library`.
    """
    from bsp_sat.backends.kernel.batches import arrays
    from bsp_sat.backends.kernel.contents.arrays import BASE, BY_HOMES, END, MONOCHROME, WATER
    from bsp_sat.backends.kernel.native.layout import EXHAUSTED, GOAL, PAUSED
    from bsp_sat.backends.kernel.search.search import BUCKETS

    layout = {
        "arena": {
            "head": arrays.ARENA_HEAD,
            "base": BASE,
            "end": END,
            "heads": arrays.SEARCHED_AT.store.heads,
            "buckets": BUCKETS,
        },
        "progress": {"size": arrays.PROGRESS, "expansions": arrays.MOST_EXPANSIONS, "plans": arrays.PLANS},
        "answer": {
            "size": arrays.ANSWER,
            "outcome": arrays.OUTCOME,
            "spent": arrays.SPENT,
            "moves": arrays.MOVES_END,
        },
        "outcome": {"goal": GOAL, "exhausted": EXHAUSTED, "paused": PAUSED},
        "flags": {"water": WATER, "monochrome": MONOCHROME, "homes": BY_HOMES},
    }
    name, text = SECTION.encode(), json.dumps(layout).encode()
    section = bytes([len(name)]) + name + text
    library = (folder / file_name(PLATFORM, sources_digest())).read_bytes()
    return library + bytes([0]) + _leb128(len(section)) + section  # 0: a section that isn't WebAssembly's


def _leb128(number: int) -> bytes:
    """A number as WebAssembly writes it: seven bits a byte, the lowest first."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _leb128(number >> 7)


if __name__ == "__main__":
    tab_library(KERNEL)
    Path(sys.argv[1]).write_bytes(engine_module())
