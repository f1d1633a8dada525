"""The child process that runs backends on boards, one after the other.

Jobs come in on standard input, facts go out on standard output, all of them pickled;
`bsp_sat.backends.process.supervisor` is at the other end. Whatever solver libraries print goes to standard error.
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
from bsp_sat.backends.result import Findings
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

PR_SET_PDEATHSIG = 1  # linux/prctl.h

Job = tuple[Backend, AnyPuzzle, int | None]
"""Backend, board and longest plan of interest."""

Message = tuple[str, tuple[Any, ...], dict[str, Any]]
"""Name of a `Report` method, or ``ready`` or ``ended``, with its arguments."""


class PipeReport(Findings):
    """Findings that are sent through a pipe too, each fact at once."""

    def __init__(self, pipe: IO[bytes], backend: Backend, puzzle: AnyPuzzle, max_steps: int | None) -> None:
        super().__init__(puzzle, backend.name, claims_bounds=backend.claims_bounds, max_steps=max_steps)
        self._pipe = pipe

    def lower_bound(self, bound: int) -> None:
        """See `Report.lower_bound`."""
        send(self._pipe, "lower_bound", bound)
        super().lower_bound(bound)

    def plan(self, plan: Plan) -> None:
        """See `Report.plan`."""
        send(self._pipe, "plan", plan)
        super().plan(plan)

    def unsolvable(self, proof: str) -> None:
        """See `Report.unsolvable`."""
        send(self._pipe, "unsolvable", proof)
        super().unsolvable(proof)

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        send(self._pipe, "stats", **figures)


def send(pipe: IO[bytes], name: str, *args: Any, **figures: Any) -> None:
    """Sends one message."""
    message: Message = (name, args, figures)
    pickle.dump(message, pipe)
    pipe.flush()


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
        send(pipe, "ready")
        while True:
            try:
                backend, puzzle, max_steps = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            forget_memory()
            try:
                reason = backend.run(puzzle, PipeReport(pipe, backend, puzzle, max_steps), max_steps)
            except MemoryError:
                reason = "out of memory"
            send(pipe, "ended", reason, peak_bytes())
