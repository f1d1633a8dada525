"""Jobs for worker processes, and the pipe through which they report."""

import pickle
import time
from abc import ABC, abstractmethod
from typing import IO, Any, Generic, Protocol, Self, TypeVar

FLUSH_SECONDS = 0.05

Message = tuple[str, tuple[Any, ...], dict[str, Any]]
"""The name of a method of the job's collector, or ``ready`` or ``ended``, with its arguments."""


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
    """Collects the reports of a job in the parent; it has a method for each kind of message."""

    @property
    def settled(self) -> bool:
        """Whether the job's result is complete."""


CollectorT = TypeVar("CollectorT", bound=Collector)


class Job(ABC, Generic[CollectorT]):
    """A job for a worker process: an immutable object that can be pickled."""

    @property
    def spent(self) -> float:
        """Seconds that were used before it and count as part of it."""
        return 0.0

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the job in messages."""

    @abstractmethod
    def collector(self) -> CollectorT:
        """A new collector for the reports of `run`."""

    @abstractmethod
    def run(self, pipe: Pipe) -> str:
        """Does the job, in the worker process.

        Returns:
            Why it stopped, in words.
        """

    def within(self, memory_mb: float) -> Self:
        """The job, limited to this much memory in MB (10⁶ bytes) as far as its own choices allow."""
        return self

    def sharing(self, memory_mb: float) -> Self:
        """Like `within`, but it ends with a MemoryError if more memory would help: it can run again with more."""
        return self.within(memory_mb)
