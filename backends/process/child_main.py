"""What the child process does: it runs backends on boards, one after the other.

Jobs come in on standard input, facts go out on standard output, all of them pickled (`bsp_sat.backends.process.child`
is at the other end). Whatever solver libraries print goes to standard error.
"""

import gc
import os
import pickle
import signal
import sys
import time
from contextlib import suppress
from threading import Thread
from typing import IO, Any

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.system import die_with_parent, forget_peak, give_back_memory, peak_bytes
from bsp_sat.backends.result import Ending, Findings
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

PARENTS_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

Job = tuple[Backend, AnyPuzzle | None, int | None]
"""Backend, board and longest plan of interest; without a board the backend prepares for one.

Several come in one message. Where one takes more than `LONG_SECONDS`, those behind it are dropped.
"""

LONG_SECONDS = 0.05

FIGURES_SECONDS = 0.05
MUCH_BYTES = 200_000_000  # otherwise the next board uses it again, which takes less than giving it back

Message = tuple[str, tuple[Any, ...], dict[str, Any]]
"""Name of a `Report` method, or ``ready`` or ``ended``, with its arguments."""


class PipeReport(Findings):
    """Findings that are sent through a pipe too, each fact at once.

    Figures of a settled board go with the word that the run has ended, as that follows at once.
    """

    def __init__(self, pipe: IO[bytes], backend: Backend, puzzle: AnyPuzzle, max_steps: int | None) -> None:
        super().__init__(puzzle, backend.name, claims_bounds=backend.claims_bounds, max_steps=max_steps)
        self._pipe = pipe
        self._next_figures = time.monotonic() + FIGURES_SECONDS

    def lower_bound(self, bound: int) -> None:
        """See `Report.lower_bound`."""
        if bound > self.bound:
            send(self._pipe, "lower_bound", bound)
        super().lower_bound(bound)

    def plan(self, plan: Plan) -> None:
        """See `Report.plan`."""
        send(self._pipe, "plan", plan)
        self._keep(plan)  # the other end replays it

    def unsolvable(self, proof: str) -> None:
        """See `Report.unsolvable`."""
        send(self._pipe, "unsolvable", proof)
        super().unsolvable(proof)

    def progress(self, expansions: int, **figures: Any) -> None:
        """See `Report.progress`; a search says so again and again, and need not wake the other end each time."""
        put(self._pipe, "stats", expansions=expansions, **figures)
        now = time.monotonic()
        if now >= self._next_figures:
            self._next_figures = now + FIGURES_SECONDS
            self._pipe.flush()

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        put(self._pipe, "stats", **figures)
        if not self.settled:
            self._pipe.flush()


def put(pipe: IO[bytes], name: str, *args: Any, **figures: Any) -> None:
    """Leaves a message in the pipe's buffer."""
    message: Message = (name, args, figures)
    pickle.dump(message, pipe)


def send(pipe: IO[bytes], name: str, *args: Any, **figures: Any) -> None:
    """Sends a message, and those before it."""
    put(pipe, name, *args, **figures)
    pipe.flush()


def _prepare(backend: Backend) -> None:
    """Loads what the backend will need."""
    with suppress(Exception):  # the run will meet it again, and say so
        backend.prepare()


def _prepare_beside(backend: Backend) -> None:
    """Loads what the backend will need, beside the first of its work."""
    with suppress(RuntimeError):  # no thread to spare: the run loads it
        Thread(target=_prepare, args=(backend,), daemon=True).start()


def main(parent: int, likely: Backend | None = None) -> None:
    """Runs one job after the other and reports on each, until the input ends.

    Args:
        parent: the process that started this one. Signals that end a program are its business: a terminal sends them to
            both, and it ends this one when it has taken what is proved.
        likely: prepares for this one before any is asked for.
    """
    for number in PARENTS_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    die_with_parent(parent)
    with os.fdopen(os.dup(1), "wb") as pipe:
        os.dup2(2, 1)
        send(pipe, "ready")
        if likely is not None:
            _prepare_beside(likely)
        while True:
            try:
                jobs: list[Job] = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            for backend, puzzle, max_steps in jobs:
                if puzzle is None:
                    _prepare_beside(backend)
                elif _run(backend, puzzle, max_steps, pipe) > LONG_SECONDS:
                    break


def _run(backend: Backend, puzzle: AnyPuzzle, max_steps: int | None, pipe: IO[bytes]) -> float:
    """Does a job, and returns the seconds that it took, which it told as well."""
    began = time.monotonic()
    forget_peak()
    ending = Ending.DONE
    try:
        reason = backend.run(puzzle, PipeReport(pipe, backend, puzzle, max_steps), max_steps)
    except MemoryError:
        ending, reason = Ending.OUT_OF_MEMORY, "out of memory"
    if ending is Ending.OUT_OF_MEMORY:
        gc.collect()  # what the backend held in circles is still there, and a message takes memory, too
    peak = peak_bytes()
    seconds = time.monotonic() - began
    send(pipe, "ended", ending, reason, peak, seconds)
    if peak > MUCH_BYTES:
        give_back_memory()
    return seconds
