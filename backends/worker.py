"""The child process that runs backends on boards, one after the other.

Jobs come in on standard input, facts go out on standard output, all of them pickled; `bsp_sat.backends.supervisor`
is at the other end. Whatever solver libraries print goes to standard error.
"""

import ctypes
import os
import pickle
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from bsp_sat.backends.backend import Backend
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

PR_SET_PDEATHSIG = 1  # linux/prctl.h

Job = tuple[Backend, AnyPuzzle, int | None]
"""Backend, board and longest plan of interest."""

Message = tuple[str, tuple[Any, ...], dict[str, Any]]
"""Name of a `Report` method, or ``ready`` or ``ended``, with its arguments."""


class PipeReport:
    """A `Report` that sends each fact through a pipe at once."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe

    def send(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Sends one message."""
        message: Message = (name, args, kwargs)
        pickle.dump(message, self._pipe)
        self._pipe.flush()

    def lower_bound(self, bound: int) -> None:
        """See `Report.lower_bound`."""
        self.send("lower_bound", bound)

    def plan(self, plan: Plan) -> None:
        """See `Report.plan`."""
        self.send("plan", plan)

    def unsolvable(self, proof: str) -> None:
        """See `Report.unsolvable`."""
        self.send("unsolvable", proof)

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        self.send("stats", **figures)


def die_with_parent() -> None:
    """Asks the kernel to end this process when its parent does; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def forget_memory() -> None:
    """Gives back what the last board left and makes `peak_bytes` count from here on; only Linux can."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)  # of glibc
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # man 5 proc: resets the high-water mark


def peak_bytes() -> int:
    """The most memory this process held since `forget_memory`; 0 where the platform doesn't tell."""
    with suppress(OSError):  # getrusage would count the parent too: the process was a copy of it for a moment
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main() -> None:
    """Runs one job after the other and reports on each, until the input ends."""
    die_with_parent()
    with os.fdopen(os.dup(1), "wb") as pipe:
        os.dup2(2, 1)
        report = PipeReport(pipe)
        report.send("ready")
        while True:
            try:
                backend, puzzle, max_steps = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            forget_memory()
            try:
                reason = backend.run(puzzle, report, max_steps)
            except MemoryError:
                reason = "out of memory"
            report.send("ended", reason, peak_bytes())
