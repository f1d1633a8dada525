"""The library of the compiled search, which is built when the project is installed, and calls of its functions.

`bsp_sat.backends.kernel.native.build` builds it. Its file name contains a checksum of the sources, so a library of
other sources isn't loaded. If there is no library, nothing is compiled at run time: `missing_library` says why and what
to do, the backend `kernel` refuses boards, and `auto` searches with `astar`.
"""

import ctypes
import os
import sys
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from bsp_sat.backends.kernel.native.memory import address_of
from bsp_sat.instances.errors import Unsupported

KERNEL = Path(__file__).parents[1]
SUFFIXES = {"darwin": ".dylib", "windows": ".dll"}

ENTRY_POINTS = {
    "number_board": "contents.compiled.alphabet",
    "look_up_tubes": "contents.compiled.alphabet",
    "advance": "search.compiled.loops",
    "deepen": "search.compiled.loops",
    "refill": "search.compiled.states",
    "line_up": "search.compiled.states",
    "list_states": "search.compiled.states",
    "write_plan": "search.compiled.plans",
    "go_on": "batches.compiled.batches",
    "walk": "graph.compiled.walks",
    "count": "graph.compiled.walks",
    "measure": "graph.compiled.walks",
    "list_unpacked": "graph.compiled.successors",
    "play": "graph.compiled.plays",
    "wander": "graph.compiled.plays",
}
"""The functions that are called from outside, with the modules that have them. Their first argument is a named tuple,
the others are numbers."""


class Call:
    """The functions of the library for the same arrays: ``call("walk", 7)``.

    Args:
        arguments: their first argument; the arrays stay in place as long as this exists.

    Raises:
        Unsupported: there is no library.
    """

    def __init__(self, arguments: tuple[Any, ...]) -> None:
        check_library()
        self._arguments = arguments  # kept, so that the addresses stay valid
        self._numbers = array("q", _numbers(arguments))
        self._address = self._numbers.buffer_info()[0]

    def __call__(self, name: str, *numbers: int) -> int:
        """Calls one of `ENTRY_POINTS`, and returns its result."""
        result: int = _function(name, 1 + len(numbers))(self._address, *numbers)
        return result


def _numbers(arguments: tuple[Any, ...]) -> Iterator[int]:
    """A named tuple as numbers, see `bsp_sat.backends.kernel.native.layout`."""
    for value in arguments:
        if isinstance(value, memoryview):
            yield address_of(value)
            yield from (*value.shape, 1)[:2]  # type: ignore[misc]  # an array always has a shape
        elif isinstance(value, tuple):
            yield from _numbers(value)
        else:
            yield value


@cache
def _function(name: str, numbers: int) -> Any:
    function = getattr(_library(), name)
    function.argtypes, function.restype = [ctypes.c_int64] * numbers, ctypes.c_int64
    return function


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


def sources() -> list[Path]:
    """The files that the library is made of."""
    own = [KERNEL / "native" / name for name in ("compiling.py", "layout.py")]
    return [*own, *sorted(KERNEL.glob("*/arrays.py")), *sorted(KERNEL.glob("*/compiled/*.py"))]


@cache
def sources_digest() -> str:
    """A checksum of the sources: against oversights, so a cryptographic one isn't worth its time at every start."""
    digest = 0
    for source in sources():
        digest = crc32(source.read_bytes(), digest)
    return f"{digest:08x}"


@cache
def _library() -> ctypes.CDLL | str:
    """The library, or why there is none."""
    if not KERNEL.is_dir():
        return "it can't be loaded from a ZIP archive"
    path = KERNEL / file_name(host(), sources_digest())
    if path.is_file():
        try:
            return ctypes.CDLL(str(path))
        except OSError as error:
            return f"it can't be loaded: {error}"
    if any(KERNEL.glob(file_name(host(), "*"))):
        return "its sources have changed since it was built, `pip install -e .` builds it again"
    return f"it wasn't built for {host()} when the project was installed (`pip install -v` shows what failed)"
