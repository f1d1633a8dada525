"""Calls of a child process to the operating system; most of them exist only on Linux."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from functools import cache

PR_SET_PDEATHSIG = 1  # linux/prctl.h
STATUS_BYTES = 8192  # size of the read buffer; the file has about 2000 bytes


@cache
def _of_this_process(name: str, flags: int) -> int:
    """A file below /proc/self, opened once: opening it for each board would add a tenth to the board's time."""
    return os.open(f"/proc/self/{name}", flags)


def die_with_parent(parent: int) -> None:
    """Asks the kernel to end this process when ``parent`` ends, or ends it if ``parent`` is gone; only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)


def give_back_memory() -> None:
    """Returns unused memory to the system; only on Linux."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)  # of glibc


def forget_peak() -> None:
    """Resets `peak_bytes`; only on Linux."""
    with suppress(OSError, AttributeError):
        os.pwrite(_of_this_process("clear_refs", os.O_WRONLY), b"5", 0)  # man 5 proc: resets the high-water mark


def peak_bytes() -> int:
    """Peak memory of this process since `forget_peak`; 0 if the platform doesn't report it."""
    # getrusage would include the parent's memory, as this process began as a copy of the parent.
    with suppress(OSError, AttributeError, IndexError):
        _, _, rest = os.pread(_of_this_process("status", os.O_RDONLY), STATUS_BYTES, 0).partition(b"VmHWM:")
        return int(rest.split(maxsplit=1)[0]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
