"""What the child process does: it runs one job after the other.

Jobs come in on standard input, what they report goes out on standard output, all of it pickled
(`bsp_sat.backends.process.child` is at the other end). Whatever solver libraries print goes to standard error.
"""

import gc
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any

from bsp_sat.backends.process.job import Job, Pipe
from bsp_sat.backends.process.system import die_with_parent, forget_peak, give_back_memory, peak_bytes
from bsp_sat.backends.result import Ending

PARENTS_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

LONG_SECONDS = 0.05

MUCH_BYTES = 200_000_000  # otherwise the next board uses it again, which takes less than giving it back


@dataclass(frozen=True)
class Prepare:
    """A function that loads what jobs to come will need. It is called in a thread, and nothing is reported."""

    function: Callable[[], object]


Order = Prepare | list[Job[Any]]
"""One message from the parent. Where a job takes more than `LONG_SECONDS`, those behind it are dropped."""


def _prepare(function: Callable[[], object]) -> None:
    """Calls the function in a thread."""

    def call() -> None:
        with suppress(Exception):  # the job hits and reports the same error
            function()

    with suppress(RuntimeError):  # no thread to spare: the job loads what it needs
        Thread(target=call, daemon=True).start()


def main(parent: int) -> None:
    """Runs one job after the other and reports on each, until the input ends.

    Args:
        parent: the process that started this one. Signals that end a program are its business: a terminal sends them to
            both, and it ends this one when it has taken what is proved.
    """
    for number in PARENTS_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    die_with_parent(parent)
    with os.fdopen(os.dup(1), "wb") as stream:
        pipe = Pipe(stream)
        os.dup2(2, 1)
        pipe.send("ready")
        while True:
            try:
                order: Order = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            if isinstance(order, Prepare):
                _prepare(order.function)
                continue
            for job in order:
                if _run(job, pipe) > LONG_SECONDS:
                    break


def _run(job: Job[Any], pipe: Pipe) -> float:
    """Does a job, and returns the seconds that it took, which it reports as well."""
    began = time.monotonic()
    forget_peak()
    ending = Ending.DONE
    try:
        reason = job.run(pipe)
    except MemoryError:
        ending, reason = Ending.OUT_OF_MEMORY, "out of memory"
    if ending is Ending.OUT_OF_MEMORY:
        gc.collect()  # what the job held in circles is still there, and a message takes memory, too
    peak = peak_bytes()
    seconds = time.monotonic() - began
    pipe.send("ended", ending, reason, peak, seconds)
    if peak > MUCH_BYTES:
        give_back_memory()
    return seconds
