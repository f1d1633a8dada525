"""Places for work on this machine: threads, each with a child process that stays warm, and one queue before them."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from math import inf
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from bsp_sat.backends.run.process import Process

T = TypeVar("T")


class QueueFull(Exception):
    """No more work may wait."""


class _Waiting(NamedTuple):
    work: Callable[[Process], Any]
    future: "Future[Any]"
    on_move: Callable[[int], object]


class Places:
    """Threads that do work, each with a process of its own, which ends with its thread.

    The threads are started here: later the system might have none left; if it has none now, it is a RuntimeError.
    ``share_mb`` is the memory of each for a job without a limit of its own; None for all available memory.
    ``most_waiting`` is how much work may wait. ``prepare`` loads what most work needs. With it, processes are started
    before there is work, and again after one has ended.
    """

    def __init__(
        self,
        number: int,
        *,
        share_mb: float | None = None,
        most_waiting: float = inf,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self._most_waiting = most_waiting
        self._prepare = prepare
        self._starting = Lock()  # one process after the other, so that the first one is ready soon
        self._changed = Condition()
        self._waiting: deque[_Waiting] = deque()
        self._free = number
        self._closed = False
        self._processes = [Process(share_mb) for _ in range(number)]
        self._threads = [Thread(target=self._serve, args=(each,), daemon=True) for each in self._processes]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError:
            self._close()
            raise

    def submit(
        self, work: Callable[[Process], T], on_move: Callable[[int], object] = lambda ahead: None
    ) -> "Future[T]":
        """Takes work, which is begun in its turn, with the process of its place.

        While it waits, ``on_move`` is told how much is ahead of it, each time that this changes. QueueFull if too much
        is waiting; after `close` the future is cancelled instead.
        """
        future: Future[T] = Future()
        with self._changed:
            ahead = len(self._waiting) - self._free
            if self._closed:
                future.cancel()
            elif ahead >= self._most_waiting:
                raise QueueFull
            else:
                self._waiting.append(_Waiting(work, future, on_move))
                self._changed.notify()
                if ahead >= 0:
                    on_move(ahead)
        return future

    def forget(self, future: "Future[Any]") -> None:
        """Cancels work, unless it has begun."""
        if future.cancel():
            with self._changed:
                self._waiting = deque(each for each in self._waiting if each.future is not future)
                self._tell()

    def close(self, seconds: float | None = None) -> None:
        """Cancels work that waits, and waits, ``seconds`` at most, for the rest, which should have been stopped."""
        self._close()
        deadline = None if seconds is None else monotonic() + seconds
        for thread in self._threads:
            thread.join(None if deadline is None else max(0.0, deadline - monotonic()))
        for process in self._processes:
            process.close()

    def _close(self) -> None:
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, deque()
            self._changed.notify_all()
        for each in waiting:
            each.future.cancel()  # without the lock: what waits for it may submit something

    def _tell(self) -> None:
        for ahead, each in enumerate(self._waiting, start=-self._free):
            if ahead >= 0:
                each.on_move(ahead)

    def _serve(self, process: Process) -> None:
        with process:
            while True:
                self._warm(process)
                with self._changed:
                    self._changed.wait_for(lambda: self._waiting or self._closed)
                    if self._closed:
                        return
                    each = self._waiting.popleft()
                    self._free -= 1
                self._do(each, process)
                del each  # frees its memory while this waits for the next one

    def _warm(self, process: Process) -> None:
        if self._prepare is not None and not process.is_warm:
            with self._starting, suppress(Exception):  # the next work gets the same error
                process.start()
                process.prepare(self._prepare)

    def _do(self, each: _Waiting, process: Process) -> None:
        result, error = None, None
        if each.future.set_running_or_notify_cancel():
            try:
                result = each.work(process)
            except BaseException as failure:
                error = failure
        with self._changed:
            self._free += 1
            self._tell()
        if error is not None:
            each.future.set_exception(error)
        elif not each.future.cancelled():
            each.future.set_result(result)


class Turns:
    """Lets threads work at the same time, or one of them alone."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._at_work = 0
        self._waiting_to_be_alone = 0

    def together(self) -> AbstractContextManager[None]:
        """Works at the same time as other threads, but not as one that works alone."""
        return self._when(lambda: self._waiting_to_be_alone == 0)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Works while no other thread does; several such threads take turns."""
        with self._changed:
            self._waiting_to_be_alone += 1
        try:
            with self._when(lambda: self._at_work == 0):
                yield
        finally:
            with self._changed:
                self._waiting_to_be_alone -= 1
                self._changed.notify_all()

    @contextmanager
    def _when(self, free: Callable[[], bool]) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(free)
            self._at_work += 1
        try:
            yield
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()
