"""The files of the engine's library: one for this machine, two for browsers.

An installed package has those that were built with it. In a checkout the name of a file holds a checksum of the sources
in engine/ and apps/*/engine/; where there is none that fits, it is built when it is asked for, in some seconds. Those
for browsers are kept in the repository.
"""

import os
import sys
from functools import cache
from pathlib import Path
from zlib import crc32

FOLDER = Path(__file__).resolve().parent
"""Where the libraries are."""

ENGINE = Path(__file__).resolve().parents[2] / "engine"
"""The sources, which only a checkout has; an app's own are in its folder `engine/`."""

FOR_PYTHON = "emscripten-wasm32"
"""For Python in a browser, whose ``ctypes`` loads it."""

FOR_PAGE = "page-wasm32"
"""For apps/page/page/engine/engine.js."""

_SUFFIXES = {"darwin": ".dylib", "windows": ".dll", "page": ".wasm"}


def host() -> str:
    """This machine's system and processor."""
    if sys.platform == "win32":
        return f"windows-{os.environ.get('PROCESSOR_ARCHITECTURE', '').lower()}"
    return f"{sys.platform}-{os.uname().machine}"


def file_name(platform: str, digest: str) -> str:
    """The name of the library for a platform."""
    return f"engine-{platform}-{digest}{_SUFFIXES.get(platform.partition('-')[0], '.so')}"


def sources() -> list[Path]:
    """The files that the library is made of, and the one that says how."""
    own = Path(__file__).with_name("build.py")
    engine = sorted(path for path in ENGINE.rglob("*.[ch]") if "tests" not in path.relative_to(ENGINE).parts)
    return [own, *engine, *sorted(ENGINE.parent.glob("apps/*/engine/*.[ch]"))]


@cache
def sources_digest() -> str:
    """A checksum of the sources: against oversights, so a cryptographic one isn't worth its time at every start."""
    digest = 0
    for source in sources():
        digest = crc32(source.read_bytes(), digest)
    return f"{digest:08x}"


def kept(platform: str) -> Path | None:
    """The library of today's sources that lies beside them, if there is one."""
    path = FOLDER / file_name(platform, sources_digest())
    return path if path.is_file() else None
