"""The door to the engine, the C library in engine/: its functions, and whether it is there.

`engine/bspsat.h` says what each function does. Whoever calls some (`backends/kernel/`, the census, the reader of
screenshots) names them with their types, and keeps what they return in an object of its own. If there is no library,
`missing_library` says why and what to do, the backend `kernel` refuses boards, and `auto` searches with `astar`.
"""

from ctypes import CDLL, c_void_p
from functools import cache
from typing import Any
from weakref import finalize

from bsp_sat.backends.engine.built_files import host
from bsp_sat.backends.engine.libraries import engine_module as engine_module
from bsp_sat.backends.engine.libraries import has_tab_library as has_tab_library
from bsp_sat.backends.engine.libraries import library_file
from bsp_sat.backends.engine.libraries import tab_library as tab_library
from bsp_sat.instances.errors import BackendError, Unsupported

INVALID, MEMORY, FOUND, EXHAUSTED, PAUSED = -2, -1, 1, 2, 3
"""How a call ends, see `engine/common.h`."""


@cache
def function(name: str, result: Any, *arguments: Any) -> Any:
    """A function of the library, by its name and types as in `ctypes`; Unsupported says why there is no library."""
    check_library()
    found = getattr(_library(), name)
    found.restype, found.argtypes = result, arguments
    return found


def accepted(outcome: int, expected: str) -> int:
    """What a function of the library returned. MemoryError, or BackendError with what was ``expected`` of the call."""
    if outcome == MEMORY:
        raise MemoryError
    if outcome == INVALID:
        raise BackendError(f"this is a bug in bsp-sat, please report it: the engine expected {expected}")
    return outcome


def owned(owner: object, made: int | None, free: str) -> tuple[int, "finalize[..., Any]"]:
    """The address of what the library made, and a call that frees it, as does its owner's end; or MemoryError."""
    if made is None:
        raise MemoryError
    return made, finalize(owner, function(free, None, c_void_p), made)


def missing_library() -> str | None:
    """Why there is no library, and what to do; None if there is one, which is then loaded."""
    reason = _library()
    return reason if isinstance(reason, str) else None


def check_library() -> None:
    """Refuses to go on without the library. Unsupported if there is no library; the message says what to do."""
    if reason := missing_library():
        raise Unsupported(reason)


@cache
def _library() -> CDLL | str:
    """The library, or why there is none."""
    try:
        return CDLL(str(library_file(host())))
    except Unsupported as error:
        return str(error)
    except OSError as error:
        return f"the compiled part of bsp-sat can't be loaded: {error}"
