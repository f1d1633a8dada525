"""A pool does many jobs at once, in child processes of this machine or on a cluster.

Either way each child process does one job at a time, and its limits are enforced from outside. A child that dies
affects only its current job, which gets a second attempt. Jobs that are done at the same time on one machine share its
memory. A job that needs more than its share is stopped and done again alone, after the others have finished and before
new ones start.

A message to a child process takes a fraction of a millisecond, a message through a cluster's scheduler ten
milliseconds, a small board one millisecond. So jobs are sent in batches that should take `LOCAL_SECONDS` or
`BATCH_SECONDS`, judging by earlier jobs, and small enough that no process is left without jobs; longer where there are
so many threads that one scheduler would hand out more than `MOST_BATCHES` a second. When the time of a batch is over,
the jobs that are done come back. So no job waits long behind a hard one, and little is lost if a worker of the cluster
dies.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, takewhile
from queue import Empty, Queue  # not SimpleQueue, see `_within` in cluster.py
from threading import Event, RLock
from typing import Any, TypeVar

from bsp_sat.backends.limits import MEGABYTE, available_bytes, lack_of_room
from bsp_sat.backends.result import Ending
from bsp_sat.backends.run.job import Failure, Job, Run
from bsp_sat.backends.run.places import Places, Turns
from bsp_sat.backends.run.process import MoreThanItsShare, Process
from bsp_sat.instances.errors import BackendError, BspSatError

T = TypeVar("T")

ATTEMPTS = 2
POLL_SECONDS = 0.05
MOST_TOGETHER = 16  # jobs in one message to a child process
BATCH_SECONDS = 0.5  # duration of a batch in a cluster
MOST_BATCHES = 200  # a second, for all threads together; one with 100 workers manages 310: benchmarks/scheduler.py
LOCAL_SECONDS = 0.02
MOST_JOBS = 1000  # in a batch of usual duration
AHEAD = 2  # batches for each thread, so that no thread waits for its next one
COUNT_SECONDS = 2.0  # time between two counts of the threads


class ClusterGone(ConnectionError):
    """No worker of the cluster can be reached any more."""

    def __init__(self) -> None:
        super().__init__("the cluster has gone; --resume goes on with the rest")


@dataclass(frozen=True)
class Done:
    """The outcome of a batch."""

    outcomes: Sequence[Any]
    seconds: float


class Team:
    """Does batches on this machine, as many at a time as ``number``; they share the memory that is free now."""

    def __init__(self, number: int) -> None:
        share_mb = None if number == 1 else available_bytes() / number / MEGABYTE
        self._places = Places(number, share_mb=share_mb)
        self._turns = Turns()

    def close(self) -> None:
        """Ends all processes. The work should have been stopped."""
        self._places.close()

    def submit(self, jobs: Sequence[Job[Any, Any]], stop: Event, most_seconds: float) -> "Future[Done]":
        """Does the jobs of a batch in order, at least one, until its time is over."""
        return self._places.submit(lambda process: self._do_batch(process, jobs, stop, most_seconds))

    def _do_batch(self, process: Process, jobs: Sequence[Job[Any, Any]], stop: Event, most_seconds: float) -> Done:
        began = time.monotonic()
        outcomes: list[Any] = []

        def has_time() -> bool:
            return time.monotonic() - began < most_seconds

        while (rest := jobs[len(outcomes) :]) and (not outcomes or has_time()):
            quick = list(takewhile(lambda job: job.goes_here, rest))
            done = self._do_here(process, quick, stop, lambda: has_time() and not stop.is_set()) if quick else []
            slow = rest[:1] if quick else list(takewhile(lambda job: not job.goes_here, rest))
            outcomes += done or self._do_some(process, slow[:MOST_TOGETHER], stop)
        return Done(outcomes, time.monotonic() - began)

    def _do_here(
        self, process: Process, jobs: Sequence[Job[Any, Any]], stop: Event, go_on: Callable[[], bool]
    ) -> list[Any]:
        """Does the first of some jobs in this process, perhaps none."""
        outcomes: list[Any] = []
        with suppress(MoreThanItsShare), self._turns.together():
            try:
                results = jobs[0].done_here(jobs, stop, go_on)
            except BspSatError as error:
                return [Failure(str(error))]
            for job, result in zip(jobs, results, strict=False):
                try:
                    outcomes.append(job.follow_up(process, result, stop))
                except BspSatError as error:
                    outcomes.append(Failure(str(error)))
        return outcomes

    def _do_some(self, process: Process, jobs: Sequence[Job[Any, Any]], stop: Event) -> list[Any]:
        """Does the first of some jobs, at least one, which are sent together.

        Stops after a job that took long. A job whose process died, or that needs more than its share of the memory, is
        done again alone.
        """
        outcomes: list[Any] = []
        if len(jobs) > 1:
            with suppress(MoreThanItsShare), self._turns.together():
                process.start()
                for job, run in zip(jobs, _until_one_fails(process.run_in_turn(jobs, stop=stop)), strict=False):
                    outcomes.append(_outcome(process, job, run, stop))
        return outcomes or [self._do(process, jobs[0], stop)]

    def _do(self, process: Process, job: Job[Any, T], stop: Event) -> T | Failure:
        """Does a job, and again if its process dies."""
        try:
            with self._turns.together():
                return _attempts(process, job, stop)
        except MoreThanItsShare:
            with self._turns.alone():
                share_mb, process.share_mb = process.share_mb, None
                try:
                    return _attempts(process, job, stop)
                finally:
                    process.share_mb = share_mb


def _until_one_fails(runs: Iterator[Run[Any]]) -> list[Run[Any]]:
    """The runs up to the first one whose process dies, or that needs more than its share of the memory."""
    complete = []
    with suppress(BackendError, MoreThanItsShare):
        for run in runs:
            if run.ending is Ending.KILLED:
                break
            complete.append(run)
    return complete


def _attempts(process: Process, job: Job[Any, T], stop: Event) -> T | Failure:
    error = ""
    for _ in range(ATTEMPTS):
        try:
            process.start()
            run = process.run(job, stop=stop)
        except BackendError as crash:
            error = str(crash)
        else:
            if run.ending is not Ending.KILLED:
                return _outcome(process, job, run, stop)
            error = run.reason
    return Failure(error)


def _outcome(process: Process, job: Job[Any, T], run: Run[Any], stop: Event) -> T | Failure:
    try:
        return job.follow_up(process, job.result(run), stop)
    except BspSatError as error:
        return Failure(str(error))


@dataclass
class _Waiting:
    """A job that isn't done yet."""

    job: Job[Any, Any]
    future: "Future[Any]" = field(default_factory=Future)
    alone: bool = False  # its batch failed together with the workers, and this job may be the cause


class Pool:
    """Takes jobs one by one and sends them in batches of at least ``seconds`` each.

    ``send`` takes a batch, with its duration in seconds, and returns a future, or an object with the methods
    ``add_done_callback``, ``exception``, ``result`` and ``cancelled`` of a future.
    """

    def __init__(
        self,
        send: Callable[[Sequence[Job[Any, Any]], float], Any],
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
        self._pace: float | None = None  # seconds for each job
        self._lock = RLock()  # reentrant, as a future that has already ended calls back at once

    def submit(self, job: Job[Any, T]) -> "Future[T | Failure]":
        """Takes a job, and returns a future for its outcome."""
        waiting = _Waiting(job)
        with self._lock:
            self._waiting.append(waiting)
            self._send_more()
        return waiting.future

    def do_all(self, jobs: Sequence[Job[Any, T]], stop: Event) -> Iterator[tuple[int, T | Failure]]:
        """Does every job; yields the number of each in ``jobs`` with its outcome, in the order they end.

        Once ``stop`` is set, nothing more is yielded: interrupted jobs count as not started.
        """
        ended: Queue[Future[T | Failure]] = Queue()
        numbers = {self.submit(job): number for number, job in enumerate(jobs)}
        for future in numbers:
            future.add_done_callback(ended.put)
        try:
            while numbers and not stop.is_set():
                with suppress(Empty):
                    future = ended.get(timeout=POLL_SECONDS)
                    if not stop.is_set():
                        yield numbers.pop(future), outcome_of(future)
        finally:  # also where no more outcomes are wanted
            for interrupted in numbers:
                interrupted.cancel()

    def in_order(self, jobs: Iterable[Job[Any, T]], stop: Event, ahead: int | None = None) -> Iterator[T | Failure]:
        """The outcomes in the order of the jobs, each as soon as those before it are there; see `do_all`.

        Jobs are taken as they are needed, ``ahead`` in advance, or all for None. If they end with an error, it is
        raised after the outcomes before it.
        """
        rest = iter(jobs)
        waiting: deque[Future[T | Failure]] = deque()
        refusal: BspSatError | None = None
        try:
            while not stop.is_set():
                try:
                    for job in islice(rest, None if ahead is None else ahead - len(waiting)):
                        waiting.append(self.submit(job))
                except BspSatError as error:
                    refusal, rest = error, iter(())
                if not waiting:
                    break
                try:
                    waiting[0].exception(POLL_SECONDS)
                except TimeoutError:
                    continue
                if not stop.is_set():
                    yield outcome_of(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()
        if refusal is not None and not stop.is_set():
            raise refusal

    @property
    def _duration(self) -> float:
        """Of a batch, in seconds."""
        return max(self._seconds, self._threads / MOST_BATCHES)

    def _send_more(self) -> None:
        while self._waiting and self._under_way < AHEAD * self._threads:
            if batch := self._next_batch():
                self._under_way += 1
                self._send([each.job for each in batch], self._duration).add_done_callback(partial(self._take, batch))

    def _next_batch(self) -> list[_Waiting]:
        fair = -(-len(self._waiting) // (AHEAD * self._threads))
        most = 1 if self._pace is None or self._waiting[0].alone else min(fair, int(self._duration / self._pace))
        batch: list[_Waiting] = []
        while self._waiting and len(batch) < max(1, most) and not (batch and self._waiting[0].alone):
            each = self._waiting.popleft()
            if each.future.running() or each.future.set_running_or_notify_cancel():
                batch.append(each)
        return batch

    def _take(self, batch: list[_Waiting], sent: Any) -> None:
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
                self._pace = max(finished.seconds / done, self._seconds / MOST_JOBS)
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


def outcome_of(future: "Future[T | Failure]") -> T | Failure:
    """The outcome of a job that has ended; a `Failure` if the cluster's worker was killed.

    Raises ClusterGone if the cluster can't be reached any more, and what kept a process from starting, such as
    MemoryError.
    """
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, ClusterGone) or lack_of_room(error):
        raise error
    return Failure(f"{type(error).__name__}: {error}")


class _Ended(Event):
    """Set when another event is, or by itself."""

    def __init__(self, other: Event) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        """Whether one of the two is set."""
        return super().is_set() or self._other.is_set()


@contextmanager
def local_pool(number: int, stop: Event) -> Iterator[Pool]:
    """A pool of processes on this machine. Their work ends with the body, which sets ``stop`` if it fails."""
    team, ended = Team(number), _Ended(stop)
    try:
        yield Pool(lambda jobs, seconds: team.submit(jobs, ended, seconds), lambda: number, LOCAL_SECONDS)
    except BaseException:
        stop.set()
        raise
    finally:
        ended.set()
        team.close()
