"""`solve`: one board, one backend, in a process of its own, within limits.

A solver deep in its own code sees neither a clock nor a signal, so the backend runs in a child process that
can be ended at any moment. It sends what it proves as it proves it; the facts that have arrived by then
are the answer. Plans are replayed on this side.
"""

import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import IO

import psutil

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import AUTO, make_backend
from bsp_sat.backends.result import BackendError, Findings, Result, Status
from bsp_sat.backends.worker import Job, Message
from bsp_sat.instances.puzzle import AnyPuzzle

POLL_SECONDS = 0.05
MEGABYTE = 1_000_000
MISREADING_SECONDS = 5.0  # for a second look at an unsolvable board, read the other way
CLOSED: Message = ("closed", (), {})


@dataclass(frozen=True)
class Limits:
    """When to stop.

    Attributes:
        max_steps: longest plan of interest, in moves.
        seconds: wall time.
        memory_mb: resident memory of the backend's process, in MB (10⁶ bytes).
    """

    max_steps: int | None = None
    seconds: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True)
class Progress:
    """Where a running backend stands.

    Attributes:
        backend: its name.
        seconds: wall time so far.
        lower_bound: what is proved so far, in moves.
        length: moves of the best plan so far, if any.
    """

    backend: str
    seconds: float
    lower_bound: int
    length: int | None


ProgressHook = Callable[[Progress], None]


def solve(
    puzzle: AnyPuzzle,
    backend: str | Backend = AUTO,
    *,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
) -> Result:
    """Solves one board.

    Args:
        puzzle: the board.
        backend: a name from `BACKENDS` or ``auto``, or a backend with choices of its own.
        limits: when to stop; by default never.
        on_progress: called several times a second while the backend runs.
        stop: ends the backend when set, for example by a signal handler or another thread.

    Returns:
        What was proved; never a plan that wasn't replayed.

    Raises:
        Unsupported: the backend can't solve this kind of puzzle.
        BackendError: the backend crashed or contradicted itself.

    >>> from bsp_sat.instances.sorting import BallSort
    >>> board = BallSort.from_tubes([["a", "b"], ["b", "a"], []], capacity=2)
    >>> result = solve(board)
    >>> result.status, result.length
    (<Status.OPTIMAL: 'optimal'>, 3)
    """
    chosen = make_backend(backend, puzzle) if isinstance(backend, str) else backend
    chosen.check(puzzle)
    limits = limits or Limits()
    result = _Run(chosen, puzzle, limits).until_stopped(on_progress, stop)
    if result.status is not Status.UNSOLVABLE:
        return result
    time_left = MISREADING_SECONDS if limits.seconds is None else limits.seconds - result.seconds
    limits = replace(limits, seconds=min(time_left, MISREADING_SECONDS))
    return replace(result, notes=result.notes + _misreading_note(puzzle, limits, stop))


def _misreading_note(puzzle: AnyPuzzle, limits: Limits, stop: Event | None) -> tuple[str, ...]:
    """Says so where an unsolvable board is solvable when it is read the other way."""
    misreading = puzzle.misreading()
    if misreading is None:
        return ()
    how, meant = misreading
    solvable = _Run(make_backend(AUTO, meant), meant, limits).until_stopped(None, stop).plan is not None
    return (f"{how}, this board is solvable",) if solvable else ()


class _Run:
    """One backend at work on one board."""

    def __init__(self, backend: Backend, puzzle: AnyPuzzle, limits: Limits) -> None:
        self.backend = backend
        self.puzzle = puzzle
        self.limits = limits
        self.findings = Findings(puzzle, backend.name)
        self.started = time.monotonic()
        self.peak_bytes = 0
        self.ending: str | None = None

    def until_stopped(self, on_progress: ProgressHook | None, stop: Event | None) -> Result:
        """Runs the backend until it ends or a limit is reached."""
        job: Job = (self.backend, self.puzzle, self.limits.max_steps)
        with _worker(job) as (process, stderr, messages):
            usage = psutil.Process(process.pid)
            while self.ending is None:
                for message in _arrived(messages, POLL_SECONDS):
                    if message is not CLOSED:
                        self._take(*message)
                    elif self.ending is None:
                        self.ending = self._fate(process, stderr)
                if self.ending is None:
                    self.ending = self._limit_reached(usage, stop)
                if on_progress is not None:
                    length = None if self.findings.best is None else len(self.findings.best)
                    seconds = time.monotonic() - self.started
                    on_progress(Progress(self.backend.name, seconds, self.findings.bound, length))
        return self.findings.result(
            self.ending,
            encoding=self.backend.encoding_name,
            solver=self.backend.solver_name,
            seconds=time.monotonic() - self.started,
            peak_memory_mb=self.peak_bytes / MEGABYTE,
        )

    def _take(self, name: str, args: tuple[object, ...], figures: dict[str, object]) -> None:
        if name == "ended":
            reason, peak_bytes = args
            assert isinstance(reason, str)
            assert isinstance(peak_bytes, int)
            self.ending = reason
            self.peak_bytes = max(self.peak_bytes, peak_bytes)
        else:
            getattr(self.findings, name)(*args, **figures)

    def _limit_reached(self, usage: psutil.Process, stop: Event | None) -> str | None:
        limits = self.limits
        try:
            self.peak_bytes = max(self.peak_bytes, usage.memory_info().rss)
        except psutil.Error:  # it has just ended, the next messages say how
            return None
        if stop is not None and stop.is_set():
            return "interrupted"
        if limits.seconds is not None and time.monotonic() - self.started >= limits.seconds:
            return f"time limit of {limits.seconds:g} s reached"
        if limits.memory_mb is not None and self.peak_bytes > limits.memory_mb * MEGABYTE:
            return f"memory limit of {limits.memory_mb:g} MB reached"
        return None

    def _fate(self, process: "subprocess.Popen[bytes]", stderr: IO[bytes]) -> str:
        """What became of a worker that closed its pipe without a word.

        Raises:
            BackendError: it crashed.
        """
        if process.wait() == -9:  # SIGKILL that this side didn't send: the kernel's out-of-memory killer
            return "the backend's process was killed, probably for lack of memory"
        stderr.seek(0)
        last_words = stderr.read().decode(errors="replace").strip().splitlines()[-1:]
        raise BackendError(
            f"{self.backend.name} ended with exit code {process.returncode}: {''.join(last_words) or 'no message'}"
        )


@contextmanager
def _worker(job: Job) -> Iterator[tuple["subprocess.Popen[bytes]", IO[bytes], "SimpleQueue[Message]"]]:
    """A child process on ``job``, its standard error, and the messages it sends; ended on the way out."""
    program = f"import sys; sys.path[:] = {sys.path!r}; from bsp_sat.backends.worker import main; main()"
    with (
        tempfile.TemporaryFile() as stderr,
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,  # Ctrl-C on a terminal goes to this process alone
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        messages: SimpleQueue[Message] = SimpleQueue()
        reader = Thread(target=_read_messages, args=(process.stdout, messages), daemon=True)
        reader.start()
        try:
            with suppress(BrokenPipeError), process.stdin:  # it may be dead already, the messages say how
                pickle.dump(job, process.stdin)
            yield process, stderr, messages
        finally:
            process.kill()
            reader.join()


def _read_messages(pipe: IO[bytes], messages: "SimpleQueue[Message]") -> None:
    """Passes on what the worker sends, until the pipe closes (perhaps in mid-message)."""
    try:
        while True:
            messages.put(pickle.load(pipe))
    except (EOFError, pickle.UnpicklingError):
        messages.put(CLOSED)


def _arrived(messages: "SimpleQueue[Message]", seconds: float) -> Iterator[Message]:
    """The messages that are there, after waiting up to ``seconds`` for the first."""
    try:
        yield messages.get(timeout=seconds)
        while True:
            yield messages.get_nowait()
    except Empty:
        return
