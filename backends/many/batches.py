"""Sends boards to workers in batches.

A message to a child process takes a fraction of a millisecond, a message through a cluster's scheduler ten
milliseconds, a small board one millisecond. So boards are sent in batches that should take `LOCAL_SECONDS` or
`BATCH_SECONDS`, judging by earlier boards, and small enough that no worker is left without boards. When the time of a
batch is over, the worker returns the boards that are done. So no board waits long behind a hard one, and little is lost
if a worker dies.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from threading import Event, RLock
from typing import Any, TypeVar

from bsp_sat.backends.at_once import solve_at_once
from bsp_sat.backends.many.pool import ClusterGone, Failure, SolveTask, Submit, Task, Team
from bsp_sat.backends.result import Result

T = TypeVar("T")

BATCH_SECONDS = 0.5  # duration of a batch in a cluster
LOCAL_SECONDS = 0.02
MOST_BOARDS = 1000  # boards in a batch
AHEAD = 2  # batches for each thread, so that no thread waits for its next one
COUNT_SECONDS = 2.0  # time between two counts of the threads


@dataclass(frozen=True)
class Done:
    """The outcome of a batch.

    Attributes:
        outcomes: the outcomes of its first boards, in order.
        seconds: the time that they took.
    """

    outcomes: Sequence[Any]
    seconds: float


def do_batch(team: Team, tasks: Sequence[Task[Any]], stop: Event, most_seconds: float = BATCH_SECONDS) -> Done:
    """Does the tasks of a batch in order, at least one, until its time is over."""
    began = time.monotonic()
    outcomes: list[Any] = []

    def go_on() -> bool:
        return not stop.is_set() and time.monotonic() - began < most_seconds

    while (rest := tasks[len(outcomes) :]) and (not outcomes or time.monotonic() - began < most_seconds):
        quick = [task for task in takewhile(_goes_at_once, rest) if isinstance(task, SolveTask)]
        done: Sequence[Any] = _do_at_once(team, quick, stop, go_on) if quick else ()
        slow = rest[:1] if quick else list(takewhile(lambda task: not _goes_at_once(task), rest))
        outcomes += done or team.do_some(slow, stop)
    return Done(outcomes, time.monotonic() - began)


def _goes_at_once(task: Task[Any]) -> bool:
    return isinstance(task, SolveTask) and task.goes_at_once


def _do_at_once(team: Team, tasks: Sequence[SolveTask], stop: Event, go_on: Callable[[], bool]) -> list[Result]:
    results = solve_at_once([task.puzzle for task in tasks], go_on)
    return [task.completed(team.own_worker(), result, stop) for task, result in zip(tasks, results, strict=False)]


@dataclass
class _Waiting:
    """A board that isn't done yet."""

    task: Task[Any]
    future: "Future[Any]" = field(default_factory=Future)
    alone: bool = False  # its batch failed together with the workers, and this board may be the cause


class Batches:
    """Takes tasks one by one and sends them in batches.

    Args:
        send: sends a batch and returns a future, or an object with the methods ``add_done_callback``, ``exception``,
            ``result`` and ``cancelled`` of a future.
        count_threads: how many boards can be solved at a time.
        seconds: the duration of a batch.
    """

    def __init__(
        self,
        send: Callable[[Sequence[Task[Any]]], Any],
        count_threads: Callable[[], int],
        seconds: float = BATCH_SECONDS,
    ) -> None:
        self._send = send
        self._seconds = seconds
        self._count_threads = count_threads
        self._threads = max(1, count_threads())
        self._counted = time.monotonic()
        self._waiting: deque[_Waiting] = deque()
        self._under_way = 0
        self._pace: float | None = None  # seconds for each board
        self._lock = RLock()  # reentrant, as a future that has already ended calls back at once

    def submit(self, task: Task[T]) -> "Future[T | Failure]":
        """Takes a task, and returns a future for its outcome."""
        waiting = _Waiting(task)
        with self._lock:
            self._waiting.append(waiting)
            self._send_more()
        return waiting.future

    def end(self, cancel: Callable[[], object]) -> None:
        """Calls ``cancel``, which cancels all that was sent, while nothing is sent: each would wait for the other."""
        with self._lock:
            cancel()

    def _send_more(self) -> None:
        while self._waiting and self._under_way < AHEAD * self._threads:
            if batch := self._next_batch():
                self._under_way += 1
                self._send([each.task for each in batch]).add_done_callback(partial(self._take, batch))

    def _next_batch(self) -> list[_Waiting]:
        fair = -(-len(self._waiting) // (AHEAD * self._threads))
        most = 1 if self._pace is None or self._waiting[0].alone else min(fair, int(self._seconds / self._pace))
        batch: list[_Waiting] = []
        while self._waiting and len(batch) < max(1, most) and not (batch and self._waiting[0].alone):
            each = self._waiting.popleft()
            if each.future.running() or each.future.set_running_or_notify_cancel():
                batch.append(each)
        return batch

    def _take(self, batch: list[_Waiting], sent: Any) -> None:
        """Takes the outcome of a batch."""
        if time.monotonic() - self._counted >= COUNT_SECONDS:
            with suppress(OSError):  # the cluster is gone: the next batch hits and reports the same error
                self._threads, self._counted = max(1, self._count_threads()), time.monotonic()
        with self._lock:
            self._under_way -= 1
            done = 0
            if sent.cancelled():
                for each in batch:
                    each.future.set_exception(ClusterGone())
                return
            error = sent.exception()
            if error is None:
                finished: Done = sent.result()
                done = len(finished.outcomes)
                self._pace = max(finished.seconds / done, self._seconds / MOST_BOARDS)
                for each, outcome in zip(batch, finished.outcomes, strict=False):
                    each.future.set_result(outcome)
            elif len(batch) == 1:
                done = 1
                batch[0].future.set_exception(error)
            else:
                for each in batch:
                    each.alone = True
            self._waiting.extendleft(reversed(batch[done:]))
            self._send_more()


class _Ended(Event):
    """Set when another event is, or by itself."""

    def __init__(self, other: Event) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        """Whether one of the two is set."""
        return super().is_set() or self._other.is_set()


@contextmanager
def local_workers(jobs: int, stop: Event) -> Iterator[Submit[Any]]:
    """Workers on this machine, ``jobs`` of them. Their work ends with the body, and when ``stop`` is set.

    If the body fails, ``stop`` is set.
    """
    team, ended = Team(jobs), _Ended(stop)
    with ThreadPoolExecutor(jobs) as threads:

        def send(tasks: Sequence[Task[Any]]) -> "Future[Done]":
            try:
                return threads.submit(do_batch, team, tasks, ended, LOCAL_SECONDS)
            except RuntimeError:  # it is being shut down
                cancelled: Future[Done] = Future()
                cancelled.cancel()
                return cancelled

        batches = Batches(send, lambda: jobs, LOCAL_SECONDS)
        try:
            yield batches.submit
        except BaseException:
            stop.set()
            raise
        finally:
            ended.set()
            batches.end(lambda: threads.shutdown(wait=False, cancel_futures=True))
            threads.shutdown()
            team.close()
