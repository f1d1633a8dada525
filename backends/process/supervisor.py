"""The process that watches a backend: it enforces the limits and collects what is proved.

A solver deep in its own code sees neither a clock nor a signal, so backends run in a child process
(`bsp_sat.backends.process.worker`) that can be ended at any moment. It sends what it proves as it proves it; the facts
that have arrived by then are the answer. Plans are replayed on this side.
"""

import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import IO, Any, Self

import psutil

from bsp_sat.backends.backend import Backend, Relay
from bsp_sat.backends.process.head_start import HeadStart
from bsp_sat.backends.process.worker import Job, Message
from bsp_sat.backends.result import BackendError, Findings, Result
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

POLL_SECONDS = 0.05
MEGABYTE = 1_000_000
REPLACE_BYTES = 500 * MEGABYTE  # a process that held more starts afresh: its heap is the next board's burden
START_SECONDS = 60.0
CLOSED: Message = ("closed", (), {})
KILLED = "the backend's process was killed, probably for lack of memory"


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
        plan: the best plan so far, if any.
    """

    backend: str
    seconds: float
    lower_bound: int
    plan: Plan | None

    @property
    def length(self) -> int | None:
        """Moves of the best plan so far."""
        return None if self.plan is None else len(self.plan)


ProgressHook = Callable[[Progress], None]


class Worker:
    """A child process that runs one backend after the other; use as a context manager.

    The process starts with the first run and serves the next ones, which spares them its start-up. It is replaced
    after a run that had to be cut short, crashed, or took much memory.
    """

    def __init__(self) -> None:
        self._child: _Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Starts the process and waits until it is ready, so that its start-up isn't counted as the first board's."""
        before = self._child
        child = self._living_child()
        if child is not before and next(child.arrived(START_SECONDS), CLOSED) is CLOSED:
            self.close()  # the run will start another one, and say what is wrong with it

    def close(self) -> None:
        """Ends the process; another run would start a new one."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def run(
        self,
        backend: Backend,
        puzzle: AnyPuzzle,
        limits: Limits,
        on_progress: ProgressHook | None = None,
        stop: Event | None = None,
    ) -> Result:
        """Runs one backend on one board; the arguments are those of `solve`.

        Raises:
            BackendError: the backend crashed or contradicted itself.
        """
        before = self._child
        run = self.begin(backend, puzzle, limits, on_progress, stop)
        try:
            if isinstance(run.backend, HeadStart) and self._child is not before:
                run.meanwhile(run.backend.light)
            return run.until_stopped()
        finally:
            if not run.came_to_an_end or run.peak_bytes > REPLACE_BYTES:
                self.close()

    def begin(
        self,
        backend: Backend,
        puzzle: AnyPuzzle,
        limits: Limits,
        on_progress: ProgressHook | None = None,
        stop: Event | None = None,
    ) -> "Run":
        """Has the process begin on a board, and leaves it to the caller to look after the run."""
        chosen = backend if limits.memory_mb is None else backend.within(limits.memory_mb)
        return Run(chosen, puzzle, limits, self._living_child(), on_progress, stop)

    def _living_child(self) -> "_Child":
        if self._child is not None and not self._child.is_alive():
            self.close()
        if self._child is None:
            self._child = _Child()
        return self._child


class _Child:
    """The process behind a worker, its standard error, and the messages it sends."""

    def __init__(self) -> None:
        program = f"import sys; sys.path[:] = {sys.path!r}; from bsp_sat.backends.process.worker import main; main()"
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `end`
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,  # Ctrl-C on a terminal goes to this process alone
        )
        assert self._process.stdout is not None
        self._usage = psutil.Process(self._process.pid)
        self._messages: SimpleQueue[Message] = SimpleQueue()
        self._reader = Thread(target=_read_messages, args=(self._process.stdout, self._messages), daemon=True)
        self._reader.start()

    def is_alive(self) -> bool:
        """Whether it could take a job."""
        return self._process.poll() is None

    def begin(self, job: Job) -> None:
        """Hands it a job; if it is dead already, the messages will say how."""
        assert self._process.stdin is not None
        self._stderr.seek(0)
        self._stderr.truncate()
        with suppress(BrokenPipeError):
            pickle.dump(job, self._process.stdin)
            self._process.stdin.flush()

    def arrived(self, seconds: float) -> Iterator[Message]:
        """The messages that are there, after waiting up to ``seconds`` for the first."""
        try:
            yield self._messages.get(timeout=seconds)
            while True:
                yield self._messages.get_nowait()
        except Empty:
            return

    def resident_bytes(self) -> int:
        """Its memory now, with that of its own children; 0 if it has just ended."""
        held = 0
        with suppress(psutil.Error):
            for process in (self._usage, *self._usage.children(recursive=True)):
                held += process.memory_info().rss
        return held

    def exit_code(self) -> int:
        """Waits for its end; negative numbers are signals."""
        return self._process.wait()

    def last_words(self) -> str:
        """The last line on its standard error."""
        self._stderr.seek(0)
        return "".join(self._stderr.read().decode(errors="replace").strip().splitlines()[-1:])

    def end(self) -> None:
        """Kills it with its own children, and tidies up."""
        children: list[psutil.Process] = []
        with suppress(psutil.Error):
            children = self._usage.children(recursive=True)
        self._process.kill()
        for child in children:
            with suppress(psutil.Error):
                child.kill()
        self._reader.join()
        with suppress(BrokenPipeError), self._process:  # closes the pipes, and waits
            pass
        self._stderr.close()


def _read_messages(pipe: IO[bytes], messages: "SimpleQueue[Message]") -> None:
    """Passes on what the child sends, until the pipe closes (perhaps in mid-message)."""
    try:
        while True:
            messages.put(pickle.load(pipe))
    except (EOFError, pickle.UnpicklingError):
        messages.put(CLOSED)


class Run:
    """One backend at work on one board."""

    def __init__(
        self,
        backend: Backend,
        puzzle: AnyPuzzle,
        limits: Limits,
        child: _Child,
        on_progress: ProgressHook | None,
        stop: Event | None,
    ) -> None:
        self.backend = backend
        self.puzzle = puzzle
        self.limits = limits
        self.child = child
        self.on_progress = on_progress
        self.stop = stop
        self.findings = Findings(puzzle, backend.name, claims_bounds=backend.claims_bounds, max_steps=limits.max_steps)
        self.started = time.monotonic()
        self.peak_bytes = 0
        self.ending: str | None = None
        self.came_to_an_end = False
        child.begin((backend, puzzle, limits.max_steps))

    def meanwhile(self, light: Backend) -> None:
        """Runs another backend in this process, for as long as the board isn't settled.

        Raises:
            BackendError: either backend crashed.
        """
        report = _LightReport(self)
        try:
            with suppress(Ended):
                light.run(self.puzzle, report, self.limits.max_steps)
        except BackendError:
            raise
        except Exception as error:
            raise BackendError(f"{light.name}: {error}") from error
        if self.ending is None and self.findings.settled:
            self.ending = f"no plan within {self.limits.max_steps} moves"
            self.findings.figures = {"settled_by": light.name, **report.figures}

    def until_stopped(self) -> Result:
        """Runs the backend until it ends or a limit is reached."""
        while self.ending is None:
            self.look(POLL_SECONDS)
        return self.findings.result(
            self.ending,
            encoding=self.backend.encoding_name,
            solver=self.backend.solver_name,
            seconds=self._seconds(),
            peak_memory_mb=self.peak_bytes / MEGABYTE,
        )

    def look(self, seconds: float) -> None:
        """Takes what the child sends, within ``seconds``, and sees whether the end has come."""
        for message in self.child.arrived(seconds):
            if message is not CLOSED:
                self._take(*message)
            elif self.ending is None:
                self.ending = self._fate()
        if self.ending is None:
            self.peak_bytes = max(self.peak_bytes, self.child.resident_bytes())
            self.ending = self._limit_reached()
        if self.on_progress is not None:
            self.on_progress(Progress(self.backend.name, self._seconds(), self.findings.bound, self.findings.best))

    def _seconds(self) -> float:
        return time.monotonic() - self.started

    def _take(self, name: str, args: tuple[object, ...], figures: dict[str, object]) -> None:
        if name == "ready":
            return
        if name == "ended":
            reason, peak_bytes = args
            assert isinstance(reason, str)
            assert isinstance(peak_bytes, int)
            self.ending = reason
            self.came_to_an_end = True
            self.peak_bytes = max(self.peak_bytes, peak_bytes)
        else:
            getattr(self.findings, name)(*args, **figures)

    def _limit_reached(self) -> str | None:
        limits = self.limits
        if self.stop is not None and self.stop.is_set():
            return "interrupted"
        if limits.seconds is not None and self._seconds() >= limits.seconds:
            return f"time limit of {limits.seconds:g} s reached"
        if limits.memory_mb is not None and self.peak_bytes > limits.memory_mb * MEGABYTE:
            return f"memory limit of {limits.memory_mb:g} MB reached"
        return None

    def _fate(self) -> str:
        """What became of a child that closed its pipe without a word.

        Raises:
            BackendError: it crashed.
        """
        exit_code = self.child.exit_code()
        if exit_code == -9:  # SIGKILL that this side didn't send: the kernel's out-of-memory killer
            return KILLED
        raise BackendError(
            f"{self.backend.name} ended with exit code {exit_code}: {self.child.last_words() or 'no message'}"
        )


class Ended(Exception):
    """Raised out of a report where what runs in this process should end."""


class _LightReport(Relay):
    """The report of a backend in this process: facts are a chance to look after the child.

    Attributes:
        figures: the backend's own.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(run.findings)
        self.figures: dict[str, Any] = {}
        self._run = run
        self._looked = time.monotonic()

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        self.figures.update(figures)
        self.look()

    def look(self) -> None:
        """Looks, but not all the time.

        Raises:
            Ended: the board is settled, or the run has ended.
        """
        if time.monotonic() - self._looked >= POLL_SECONDS:
            self._run.look(0)
            self._looked = time.monotonic()
        if self.settled or self._run.ending is not None:
            raise Ended
