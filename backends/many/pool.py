"""Many boards at once: tasks go to long-lived workers, outcomes come back as they are ready.

The workers are threads of this process, each with a child process of its own, or those of a cluster
(`bsp_sat.backends.many.cluster`). Either way one board runs at a time in one child, its limits are enforced from
outside that child, and a child that dies takes nothing along but the board it was on, which gets a second chance.

Boards that are solved at once on one machine share its memory. One that needs more than its share is given up and
begun again, alone: the others finish theirs first, and no new one begins meanwhile.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from queue import Empty, SimpleQueue
from threading import Condition, Event, local
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bsp_sat.backends.at_once import goes_at_once
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.call import Call, Returned, value_of
from bsp_sat.backends.process.job import Job
from bsp_sat.backends.process.limits import MEGABYTE, Limits
from bsp_sat.backends.process.memory import available_bytes
from bsp_sat.backends.process.solving import Solve
from bsp_sat.backends.process.worker import MoreThanItsShare, Worker
from bsp_sat.backends.result import BackendError, Ending, Findings, Result
from bsp_sat.backends.solve import chosen_for, with_notes
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.puzzle import AnyPuzzle

if TYPE_CHECKING:
    from bsp_sat.backends.process.run import Run

FAILED = "failed"  # stands beside the statuses of results for a `Failure`
T = TypeVar("T")

ATTEMPTS = 2
POLL_SECONDS = 0.05
MOST_TOGETHER = 16  # boards in one message to a child process


class Task(ABC, Generic[T]):
    """Something to do for one board: an immutable object that can be pickled."""

    @abstractmethod
    def job(self) -> tuple[Job[Any], Limits]:
        """What a worker's process is to do, within which limits."""

    @abstractmethod
    def outcome(self, worker: Worker, run: "Run[Any]", stop: Event | None) -> "T | Failure":
        """What a run of that job comes to; more may be done by the worker."""


@dataclass(frozen=True)
class SolveTask(Task[Result]):
    """One board for one backend; the attributes are the arguments of `solve`, and one more.

    Attributes:
        alone: whether time and memory are measured, for which the board needs a process of its own.
    """

    puzzle: AnyPuzzle
    backend: Backend
    limits: Limits
    alone: bool = field(default=False, kw_only=True)

    @cached_property
    def _solve(self) -> Solve:
        return Solve(chosen_for(self.puzzle, self.backend), self.puzzle, self.limits.max_steps)

    @property
    def goes_at_once(self) -> bool:
        """Whether it may be done in this process, with others of the kind."""
        return not self.alone and goes_at_once(self.puzzle, self.backend, self.limits)

    def job(self) -> tuple[Solve, Limits]:
        """The backend on the board."""
        return self._solve, self.limits

    def outcome(self, worker: Worker, run: "Run[Findings]", stop: Event | None) -> Result:
        """What was proved."""
        return self.completed(worker, self._solve.result(run), stop)

    def completed(self, worker: Worker, result: Result, stop: Event | None) -> Result:
        """The result with what belongs to it; more may be done by the worker."""
        return with_notes(worker, self.puzzle, result, self.limits, stop)


@dataclass(frozen=True)
class Failure:
    """What became of a board whose backend crashed or was killed on every attempt."""

    error: str


@dataclass(frozen=True)
class CallTask(Task[T]):
    """A function for a worker to call.

    Attributes:
        call: what to call.
        limits: of time and memory.
    """

    call: Call[T]
    limits: Limits

    def job(self) -> tuple[Call[T], Limits]:
        return self.call, self.limits

    def outcome(self, worker: Worker, run: "Run[Returned[T]]", stop: Event | None) -> T | Failure:
        """What it returned, or why it returned nothing."""
        try:
            return value_of(run)
        except BspSatError as error:
            return Failure(str(error))


class ClusterGone(ConnectionError):
    """Nobody is left to do the rest."""

    def __init__(self) -> None:
        super().__init__("the cluster has gone; --resume goes on with the rest")


Submit = Callable[[Task[T]], "Future[T | Failure]"]
"""Hands a task to the workers."""


class Turns:
    """Lets threads work at the same time, or one of them alone."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._at_work = 0
        self._waiting_to_be_alone = 0

    def together(self) -> AbstractContextManager[None]:
        """With others, but with nobody who wants to be alone."""
        return self._when(lambda: self._waiting_to_be_alone == 0)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """With nobody else; of several who want that, one after the other."""
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


class Team:
    """Workers, one for each thread that does tasks.

    Args:
        size: how many threads there will be; they share the memory that is free now.
    """

    def __init__(self, size: int) -> None:
        self._local = local()
        self._workers: list[Worker] = []
        self._share_mb = None if size == 1 else available_bytes() / size / MEGABYTE
        self._turns = Turns()

    def do_some(self, tasks: Sequence[Task[T]], stop: Event | None = None) -> list[T | Failure]:
        """Does the first of some tasks, at least one, in the calling thread.

        They are sent together, and each outcome is taken while the next one is in work. After a job that took long no
        more are done. One whose process died, or that needs more than its share of the memory, is begun again alone.
        """
        some = tasks[:MOST_TOGETHER]
        outcomes: list[T | Failure] = []
        if len(some) > 1:
            worker = self.own_worker()
            with self._turns.together():
                worker.share_mb = self._share_mb
                worker.start()
                runs = _until_one_fails(worker.run_in_turn([task.job() for task in some], stop=stop))
                with suppress(BackendError, MoreThanItsShare):
                    for task, run in zip(some, runs, strict=False):
                        outcomes.append(task.outcome(worker, run, stop))
        if not outcomes:
            first = self.do(tasks[0], stop)
            outcomes.append(first)
        return outcomes

    def do(self, task: Task[T], stop: Event | None = None) -> T | Failure:
        """Does a task in the calling thread, a second time if the process dies."""
        worker = self.own_worker()
        try:
            with self._turns.together():
                worker.share_mb = self._share_mb
                return self._attempts(worker, task, stop)
        except MoreThanItsShare:
            with self._turns.alone():
                worker.share_mb = None
                return self._attempts(worker, task, stop)

    def own_worker(self) -> Worker:
        """The calling thread's."""
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker()
            self._workers.append(self._local.worker)
        worker: Worker = self._local.worker
        return worker

    @staticmethod
    def _attempts(worker: Worker, task: Task[T], stop: Event | None) -> T | Failure:
        error = ""
        for _ in range(ATTEMPTS):
            try:
                worker.start()
                job, limits = task.job()
                run = worker.run(job, limits, stop=stop)
                if run.ending is not Ending.KILLED:
                    return task.outcome(worker, run, stop)
                error = run.reason
            except BackendError as crash:
                error = str(crash)
        return Failure(error)

    def close(self) -> None:
        """Ends every worker; none may be at work."""
        for worker in self._workers:
            worker.close()


def _until_one_fails(runs: "Iterator[Run[Any]]") -> "list[Run[Any]]":
    """The runs up to the first one whose process dies, or that needs more than its share of the memory."""
    complete = []
    with suppress(BackendError, MoreThanItsShare):
        for run in runs:
            if run.ending is Ending.KILLED:
                break
            complete.append(run)
    return complete


def do_all(tasks: Sequence[Task[T]], submit: Submit[T], stop: Event) -> Iterator[tuple[int, T | Failure]]:
    """Does every task; yields the number of each in ``tasks`` with its outcome, in the order they end.

    Once ``stop`` is set nothing more is yielded: boards that were interrupted count as not begun.
    """
    ended: SimpleQueue[Future[T | Failure]] = SimpleQueue()
    numbers = {submit(task): number for number, task in enumerate(tasks)}
    for future in numbers:
        future.add_done_callback(ended.put)
    while numbers and not stop.is_set():
        with suppress(Empty):
            future = ended.get(timeout=POLL_SECONDS)
            if not stop.is_set():
                yield numbers.pop(future), _outcome(future)
    for interrupted in numbers:
        interrupted.cancel()


def _outcome(future: "Future[T | Failure]") -> T | Failure:
    """What a task came to, where the machinery around it may have failed too: a cluster's worker was killed.

    Raises:
        ClusterGone: there is nobody who could do it.
    """
    error = future.exception()
    if isinstance(error, ClusterGone):
        raise error
    return future.result() if error is None else Failure(f"{type(error).__name__}: {error}")
