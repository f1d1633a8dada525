"""What a child process asks of the operating system; most of it only Linux has."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1  # linux/prctl.h


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
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # man 5 proc: resets the high-water mark


def peak_bytes() -> int:
    """The most memory this process held since `forget_peak`; 0 where the platform doesn't tell."""
    with suppress(OSError):  # getrusage would count the parent too: the process was a copy of it for a moment
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
