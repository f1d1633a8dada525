"""`solve`: one board, one backend, in a process of its own, within limits.

A solver deep in its own code sees neither a clock nor a signal, so the backend runs in a child process that
can be ended at any moment. It sends what it proves as it proves it; the facts that arrived by then
are the answer. Plans are replayed on this side.
"""

import pickle
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import IO, Any

import psutil

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import BackendError, Findings, Result, Status
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle

POLL_SECONDS = 0.05
MEGABYTE = 1_000_000


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
    """Where a running backend stands."""

    backend: str
    seconds: float
    lower_bound: int
    length: int | None


def solve(
    puzzle: AnyPuzzle,
    backend: str | Backend = "auto",
    *,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    stop: Event | None = None,
) -> Result:
    """Solves one board.

    Args:
        puzzle: the board.
        backend: a name from `BACKENDS`, or a backend with choices of its own.
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
    run = _Run(chosen, puzzle, limits or Limits())
    result = run.until_stopped(on_progress, stop)
    if result.status is Status.UNSOLVABLE:
        return replace(result, notes=result.notes + _meant_otherwise(puzzle, chosen, run, stop))
    return result


def _meant_otherwise(puzzle: AnyPuzzle, backend: Backend, run: "_Run", stop: Event | None) -> tuple[str, ...]:
    """Says so where an unsolvable board is solvable when it is read the other way."""
    misreading = puzzle.misreading()
    if misreading is None:
        return ()
    how, other = misreading
    left = MISREADING_SECONDS if run.limits.seconds is None else run.limits.seconds - run.elapsed()
    limits = replace(run.limits, seconds=min(left, MISREADING_SECONDS))
    if left <= 0 or _Run(backend, other, limits).until_stopped(None, stop).plan is None:
        return ()
    return (f"{how} it is solvable",)


MISREADING_SECONDS = 5.0


class _Run:
    """One backend at work on one board."""

    def __init__(self, backend: Backend, puzzle: AnyPuzzle, limits: Limits) -> None:
        self.backend = backend
        self.puzzle = puzzle
        self.limits = limits
        self.findings = Findings(puzzle, backend.name)
        self.started = time.monotonic()
        self.peak_bytes = 0
        self.ended: str | None = None

    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def until_stopped(self, on_progress: Callable[[Progress], None] | None, stop: Event | None) -> Result:
        """Runs the backend until it ends or a limit is reached."""
        reason = None
        with _worker(self.backend, self.puzzle, self.limits.max_steps) as (process, messages):
            usage = psutil.Process(process.pid)
            while reason is None:
                self._take(messages, wait=POLL_SECONDS)
                if self.ended is None:
                    self.peak_bytes = max(self.peak_bytes, _resident_bytes(usage))
                    reason = self._limit_reached(stop)
                else:
                    reason = self.ended
                if on_progress is not None:
                    length = None if self.findings.best is None else len(self.findings.best)
                    on_progress(Progress(self.backend.name, self.elapsed(), self.findings.bound, length))
        self._take(messages, wait=0)
        return self.findings.result(
            reason,
            encoding=self.backend.encoding_name,
            solver=self.backend.solver_name,
            seconds=self.elapsed(),
            peak_memory_mb=self.peak_bytes / MEGABYTE,
        )

    def _limit_reached(self, stop: Event | None) -> str | None:
        limits = self.limits
        if stop is not None and stop.is_set():
            return "interrupted"
        if limits.seconds is not None and self.elapsed() >= limits.seconds:
            return f"time limit of {limits.seconds:g} s reached"
        if limits.memory_mb is not None and self.peak_bytes > limits.memory_mb * MEGABYTE:
            return f"memory limit of {limits.memory_mb:g} MB reached"
        return None

    def _take(self, messages: "queue.SimpleQueue[Any]", wait: float) -> None:
        """Takes in all messages that are there, waiting for the first one."""
        try:
            while True:
                message = messages.get(timeout=wait) if wait else messages.get_nowait()
                wait = 0
                self._take_one(*message)
        except queue.Empty:
            return

    def _take_one(self, kind: str, payload: Any) -> None:
        match kind:
            case "lower_bound":
                self.findings.lower_bound(payload)
            case "plan":
                self.findings.plan(payload)
            case "unsolvable":
                self.findings.unsolvable(payload)
            case "stats":
                self.findings.stats(**payload)
            case "ended":
                self.ended, peak_bytes = payload
                self.peak_bytes = max(self.peak_bytes, peak_bytes)
            case "out of memory":
                self.ended = "out of memory"
            case "error":
                raise payload
            case "closed" if self.ended is None:
                self.ended = _fate(payload)
                if self.ended is None:
                    raise BackendError(f"{self.backend.name} crashed:\n{payload.stderr_text}")


def _resident_bytes(usage: psutil.Process) -> int:
    try:
        return usage.memory_info().rss
    except psutil.Error:
        return 0
