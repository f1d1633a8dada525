"""A piece of work with a typed result, its reports, and what does it."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from threading import Event
from typing import IO, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from bsp_sat.backends.limits import MEGABYTE, Limits
from bsp_sat.backends.result import Ending

FAILED = "failed"
"""The status of a `Failure`, in addition to those of results."""

FLUSH_SECONDS = 0.05

Message = tuple[str, tuple[Any, ...], dict[str, Any]]
"""The name of a method of the job's collector, or ``ready`` or ``ended``, with its arguments."""

CLOSED: Message = ("closed", (), {})
"""Marks the end of the messages: the process has closed its pipe, perhaps in the middle of a message."""


class Failure(NamedTuple):
    """The outcome of a job that was refused, or whose process died on every attempt."""

    error: str


class Pipe:
    """The child's end of the pipe: each message is a call of a method of the parent's collector."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._next_flush = time.monotonic() + FLUSH_SECONDS

    def send(self, name: str, *args: Any, **figures: Any) -> None:
        """Sends a message, after all buffered ones."""
        self.put(name, *args, **figures)
        self._stream.flush()

    def put(self, name: str, *args: Any, **figures: Any) -> None:
        """Buffers a message until the next `send`."""
        import pickle  # in a child it is loaded; a job that is done in this process puts nothing into a pipe

        message: Message = (name, args, figures)
        pickle.dump(message, self._stream)

    def put_often(self, name: str, *args: Any, **figures: Any) -> None:
        """Like `put`, for frequent messages: the buffer is sent every `FLUSH_SECONDS`."""
        self.put(name, *args, **figures)
        now = time.monotonic()
        if now >= self._next_flush:
            self._next_flush = now + FLUSH_SECONDS
            self._stream.flush()


class Collector(Protocol):
    """Collects the reports of a job; it has a method for each kind of message."""

    @property
    def settled(self) -> bool:
        """Whether the job's result is complete."""


FoundT = TypeVar("FoundT", bound=Collector)
T = TypeVar("T")


class Job(ABC, Generic[FoundT, T]):
    """A piece of work with a result: an immutable object that can be pickled.

    ``keeps``: whether its process keeps what the next job uses, and so isn't replaced for the memory that it has used.
    """

    limits: Limits
    keeps: bool = False

    @property
    def spent(self) -> float:
        """Seconds that were used before it and count as part of it."""
        return 0.0

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the job in messages."""

    @abstractmethod
    def collector(self) -> FoundT:
        """A new collector for the reports of `run`."""

    @abstractmethod
    def run(self, pipe: Pipe) -> str:
        """Does the job, usually in a process of its own. Returns why it stopped, in words."""

    @abstractmethod
    def result(self, run: "Run[FoundT]") -> T:
        """The result of a run that has ended. BspSatError if there is none."""

    def follow_up(self, runner: "Runner", result: T, stop: Event | None) -> T:
        """The result after further jobs that depend on it, by default none."""
        return result

    def within(self, memory_mb: float) -> Self:
        """The job, limited to this much memory in MB (10⁶ bytes) as far as its own choices allow."""
        return self

    def sharing(self, memory_mb: float) -> Self:
        """Like `within`, but it ends with a MemoryError if more memory would help: it can run again with more."""
        return self.within(memory_mb)

    @property
    def goes_here(self) -> bool:
        """Whether `done_here` does it: it is quick, or starts a program of its own."""
        return False

    @classmethod
    def done_here(cls, jobs: Sequence[Any], stop: Event, go_on: Callable[[], bool]) -> Sequence[T]:
        """The results of the first of some jobs of this class, done in this process, before `follow_up`.

        Ends at the first one that turns out not to be quick, or when ``go_on``, called from time to time after the
        first one, says so; ``stop`` ends a job that takes long.
        """
        return ()


class Run(Generic[FoundT]):
    """A job in progress: collects its reports, and enforces its limits; ``ending`` is what ended it."""

    def __init__(
        self, job: Job[FoundT, Any], on_progress: "RunHook[FoundT] | None" = None, stop: Event | None = None
    ) -> None:
        self.findings = job.collector()
        self.ending = Ending.DONE
        self.reason = ""
        self.is_over = False
        self.peak_bytes = 0
        self._name = job.name
        self._limits = job.limits
        self._on_progress = on_progress
        self._stop = stop
        self._started = time.monotonic() - job.spent
        self._ended_seconds = 0.0

    def seconds(self) -> float:
        """Wall time to the end, or so far."""
        return self._ended_seconds if self.is_over else time.monotonic() - self._started

    def end(self, ending: Ending, reason: str) -> None:
        """Records what ended it."""
        self._ended_seconds = self.seconds()
        self.ending, self.reason, self.is_over = ending, reason, True

    def take(self, name: str, args: tuple[Any, ...], figures: dict[str, Any]) -> None:
        """Takes a report of the job."""
        getattr(self.findings, name)(*args, **figures)

    def check_limits(self) -> None:
        """Ends the run if it is stopped or has reached a limit."""
        limits = self._limits
        if self._stop is not None and self._stop.is_set():
            self.end(Ending.INTERRUPTED, "interrupted")
        elif limits.seconds is not None and self.seconds() >= limits.seconds:
            self.end(Ending.TIME, f"time limit of {limits.seconds:g} s reached")
        elif limits.memory_mb is not None and self.peak_bytes > limits.memory_mb * MEGABYTE:
            self.end(Ending.MEMORY, f"memory limit of {limits.memory_mb:g} MB reached")

    def show_progress(self) -> None:
        """Calls what was given for progress."""
        if self._on_progress is not None:
            self._on_progress(self)


RunHook = Callable[[Run[FoundT]], None]
"""Called several times a second while a job runs."""

JobT = TypeVar("JobT", bound=Job[Any, Any])


class Runner(ABC):
    """Does jobs, one after the other, with ``share_mb`` MB (10⁶ bytes) for each that has no limit of its own."""

    def __init__(self, share_mb: float | None = None) -> None:
        self.share_mb = share_mb

    @abstractmethod
    def run(
        self, job: Job[FoundT, Any], on_progress: RunHook[FoundT] | None = None, stop: Event | None = None
    ) -> Run[FoundT]:
        """Lets a job run to its end. ``on_progress`` is called with the run several times a second; ``stop`` ends it.

        Raises BackendError if its process crashed, or reported something impossible.
        """

    def do(self, job: Job[FoundT, T], on_progress: RunHook[FoundT] | None = None, stop: Event | None = None) -> T:
        """Does a job and what follows it, see `run`; BspSatError if there is no result."""
        return job.follow_up(self, job.result(self.run(job, on_progress, stop)), stop)

    def fitting(self, job: JobT) -> JobT:
        """A job with the memory that it may use."""
        if job.limits.memory_mb is not None:
            return job.within(job.limits.memory_mb)
        return job if self.share_mb is None else job.sharing(self.share_mb)
