"""What a worker's process runs: a job, and the pipe through which it reports."""

import pickle
import time
from abc import ABC, abstractmethod
from typing import IO, Any, Generic, Protocol, Self, TypeVar

FLUSH_SECONDS = 0.05

Message = tuple[str, tuple[Any, ...], dict[str, Any]]
"""The name of a method of the job's collector, or ``ready`` or ``ended``, with its arguments."""


class Pipe:
    """The child's end: each message is a call of a method of the collector, which is in the parent."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._next_flush = time.monotonic() + FLUSH_SECONDS

    def send(self, name: str, *args: Any, **figures: Any) -> None:
        """Sends a message, and those that were put before it."""
        self.put(name, *args, **figures)
        self._stream.flush()

    def put(self, name: str, *args: Any, **figures: Any) -> None:
        """Leaves a message in the buffer, for the next `send`."""
        message: Message = (name, args, figures)
        pickle.dump(message, self._stream)

    def put_often(self, name: str, *args: Any, **figures: Any) -> None:
        """As `put`, for messages that come all the time: those in the buffer are sent every `FLUSH_SECONDS`."""
        self.put(name, *args, **figures)
        now = time.monotonic()
        if now >= self._next_flush:
            self._next_flush = now + FLUSH_SECONDS
            self._stream.flush()


class Collector(Protocol):
    """What a job has reported so far, in the parent: each kind of message is a method of it."""

    @property
    def settled(self) -> bool:
        """Whether what has been reported is all that the job was for."""


CollectorT = TypeVar("CollectorT", bound=Collector)


class Job(ABC, Generic[CollectorT]):
    """Something for a worker's process to do: an immutable object that can be pickled."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name, for messages."""

    @abstractmethod
    def collector(self) -> CollectorT:
        """A new collector for what `run` reports."""

    @abstractmethod
    def run(self, pipe: Pipe) -> str:
        """Does the job, in the worker's process.

        Returns:
            Why it stopped, for a person.
        """

    def within(self, memory_mb: float) -> Self:
        """The job with choices that keep its process below so many MB (10⁶ bytes), as far as it has any."""
        return self

    def sharing(self, memory_mb: float) -> Self:
        """As `within`, but where more would help it ends with a MemoryError: it can have more later."""
        return self.within(memory_mb)
