"""The main program of the child process: it does one job after the other.

It reads jobs from standard input and writes messages to standard output, all pickled (`bsp_sat.backends.run.child`
is the other end). Output of solver libraries goes to standard error.
"""

import gc
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any

from bsp_sat.backends.limits import die_with_parent, forget_peak, give_back_memory, peak_bytes
from bsp_sat.backends.result import Ending
from bsp_sat.backends.run.job import Job, Pipe

PARENTS_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

LONG_SECONDS = 0.05

MUCH_BYTES = 200_000_000  # memory below this isn't given back: reusing it for the next board is faster

Order = Callable[[], object] | list[Job[Any, Any]]
"""One message from the parent: a function that loads what later jobs need (called in a thread, nothing is reported), or
jobs (after one of more than `LONG_SECONDS` the rest is dropped)."""


def _prepare(function: Callable[[], object]) -> None:
    def call() -> None:
        with suppress(Exception):  # the job hits and reports the same error
            function()

    with suppress(RuntimeError):  # no thread could be created: the job loads what it needs
        Thread(target=call, daemon=True).start()


def main(parent: int) -> None:
    """Does one job after the other and reports on each, until the input ends.

    The process ``parent`` handles the signals that a terminal sends to both, and ends this one after reading all facts.
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
            if not isinstance(order, list):
                _prepare(order)
                continue
            for job in order:
                if _was_long(job, pipe):
                    break


def _was_long(job: Job[Any, Any], pipe: Pipe) -> bool:
    """Does a job, reports its end, and returns whether it took long."""
    began = time.monotonic()
    forget_peak()
    ending = Ending.DONE
    try:
        reason = job.run(pipe)
    except MemoryError:
        ending, reason = Ending.OUT_OF_MEMORY, "out of memory"
    if ending is Ending.OUT_OF_MEMORY:
        gc.collect()  # frees reference cycles of the job, as the message needs memory too
    peak = peak_bytes()
    seconds = time.monotonic() - began
    was_long = seconds > LONG_SECONDS
    pipe.send("ended", ending, reason, peak, seconds, was_long)
    if peak > MUCH_BYTES:
        give_back_memory()
    return was_long
