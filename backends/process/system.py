"""What a child process asks of the operating system; most of it only Linux has."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from functools import cache

PR_SET_PDEATHSIG = 1  # linux/prctl.h
STATUS_BYTES = 8192  # of which it takes two


@cache
def _of_this_process(name: str, flags: int) -> int:
    """A file below /proc/self, opened once: for each board it would take a tenth of what the board does."""
    return os.open(f"/proc/self/{name}", flags)


def die_with_parent(parent: int) -> None:
    """Asks the kernel to end this process when ``parent`` ends, which may have happened; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)


def give_back_memory() -> None:
    """Gives back what the last board left; only Linux can."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)  # of glibc


def forget_peak() -> None:
    """Makes `peak_bytes` count from here on; only Linux can."""
    with suppress(OSError, AttributeError):
        os.pwrite(_of_this_process("clear_refs", os.O_WRONLY), b"5", 0)  # man 5 proc: resets the high-water mark


def peak_bytes() -> int:
    """The most memory this process held since `forget_peak`; 0 where the platform doesn't tell."""
    # getrusage would count the parent too: the process was a copy of it for a moment.
    with suppress(OSError, AttributeError, IndexError):
        _, _, rest = os.pread(_of_this_process("status", os.O_RDONLY), STATUS_BYTES, 0).partition(b"VmHWM:")
        return int(rest.split(maxsplit=1)[0]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
