"""The library of the compiled search, which is built when the project is installed.

`bsp_sat.backends.kernel.compiled.build` builds it. Its file name contains a checksum of the sources, so a library of
other sources isn't loaded. If there is no library, nothing is compiled at run time: `missing_library` says why and what
to do, the backend `kernel` refuses boards, and `auto` searches with `astar`.
"""

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from bsp_sat.instances.errors import Unsupported

HERE = Path(__file__).parent
SUFFIXES = {"darwin": ".dylib", "windows": ".dll"}

Function = Callable[[int], int]
"""A compiled function; takes the address of its argument, which `bsp_sat.backends.kernel.arrays` describes."""


@dataclass(frozen=True)
class EntryPoint:
    """A function of the library.

    Attributes:
        symbol: its name in the library.
        module: the module below ``compiled`` with its source.
    """

    symbol: str
    module: str

    @cached_property
    def function(self) -> Function:
        """The function.

        Raises:
            Unsupported: there is no library.
        """
        check_library()
        found = getattr(_library(), self.symbol)
        found.argtypes, found.restype = [ctypes.c_void_p], ctypes.c_int64
        function: Function = found
        return function


SEARCH = EntryPoint("bsp_sat_search", "search_entry")
GRADING = EntryPoint("bsp_sat_grading", "graph_entry")
BATCH = EntryPoint("bsp_sat_batch", "batch_entry")
CLASSES = EntryPoint("bsp_sat_classes", "classes_entry")
CASES = EntryPoint("bsp_sat_cases", "cases_entry")
ENTRY_POINTS = (SEARCH, GRADING, BATCH, CLASSES, CASES)


def missing_library() -> str | None:
    """Why there is no library, and what to do; None if there is one, which is then loaded."""
    reason = _library()
    return reason if isinstance(reason, str) else None


def check_library() -> None:
    """Refuses to go on without the library.

    Raises:
        Unsupported: there is no library; the message says what to do.
    """
    if reason := missing_library():
        raise Unsupported(f"there is no compiled search: {reason}")


def file_name(platform: str, digest: str) -> str:
    """The name of a library for a platform."""
    return f"compiled-{platform}-{digest}{SUFFIXES.get(platform.partition('-')[0], '.so')}"


def host() -> str:
    """This machine's system and processor."""
    if sys.platform == "win32":
        return f"windows-{os.environ.get('PROCESSOR_ARCHITECTURE', '').lower()}"
    return f"{sys.platform}-{os.uname().machine}"


@cache
def sources_digest() -> str:
    """A checksum of the sources."""
    digest = hashlib.sha256()
    for source in (HERE / "arrays.py", *sorted((HERE / "compiled").glob("*.py"))):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _library() -> ctypes.CDLL | str:
    """The library, or why there is none."""
    if not HERE.is_dir():
        return "it can't be loaded from a ZIP archive"
    path = HERE / file_name(host(), sources_digest())
    if path.is_file():
        try:
            return ctypes.CDLL(str(path))
        except OSError as error:
            return f"it can't be loaded: {error}"
    if any(HERE.glob(file_name(host(), "*"))):
        return "its sources have changed since it was built, `pip install -e .` builds it again"
    return f"it wasn't built for {host()} when the project was installed (`pip install -v` shows what failed)"
