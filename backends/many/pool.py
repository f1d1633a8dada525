"""Solves many boards at once: tasks go to long-lived workers, and outcomes come back when they are ready.

The workers are threads of this process, each with its own child process, or those of a cluster
(`bsp_sat.backends.many.cluster`). Either way each child process solves one board at a time, and its limits are enforced
from outside. A child that dies affects only its current board, which gets a second attempt.

Boards that are solved at the same time on one machine share its memory. A board that needs more than its share is
stopped and solved again alone, after the others have finished and before new ones start.
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
from bsp_sat.backends.result import Ending, Findings, Result
from bsp_sat.backends.solve import chosen_for, with_notes
from bsp_sat.instances.errors import BackendError, BspSatError
from bsp_sat.instances.puzzle import AnyPuzzle

if TYPE_CHECKING:
    from bsp_sat.backends.process.run import Run

FAILED = "failed"  # the status of a `Failure`, in addition to those of results
T = TypeVar("T")

ATTEMPTS = 2
POLL_SECONDS = 0.05
MOST_TOGETHER = 16  # boards in one message to a child process


class Task(ABC, Generic[T]):
    """A task for one board: an immutable object that can be pickled."""

    @abstractmethod
    def job(self) -> tuple[Job[Any], Limits]:
        """The job for a worker process, and its limits."""

    @abstractmethod
    def outcome(self, worker: Worker, run: "Run[Any]", stop: Event | None) -> "T | Failure":
        """The outcome of a run of that job; may use the worker for further jobs."""


@dataclass(frozen=True)
class SolveTask(Task[Result]):
    """One board for one backend; the attributes are the arguments of `solve`, and one more.

    Attributes:
        alone: whether the board gets a process to itself, so that its time and memory are measured exactly.
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
        """Whether the board may be solved in this process, together with others."""
        return not self.alone and goes_at_once(self.puzzle, self.backend, self.limits)

    def job(self) -> tuple[Solve, Limits]:
        """The backend on the board."""
        return self._solve, self.limits

    def outcome(self, worker: Worker, run: "Run[Findings]", stop: Event | None) -> Result:
        """The result of the run."""
        return self.completed(worker, self._solve.result(run), stop)

    def completed(self, worker: Worker, result: Result, stop: Event | None) -> Result:
        """The result with its notes; may use the worker for further jobs."""
        return with_notes(worker, self.puzzle, result, self.limits, stop)


@dataclass(frozen=True)
class Failure:
    """The outcome of a board whose backend crashed or was killed on every attempt."""

    error: str


@dataclass(frozen=True)
class CallTask(Task[T]):
    """A task that calls a function.

    Attributes:
        call: the call.
        limits: limits of time and memory.
    """

    call: Call[T]
    limits: Limits

    def job(self) -> tuple[Call[T], Limits]:
        return self.call, self.limits

    def outcome(self, worker: Worker, run: "Run[Returned[T]]", stop: Event | None) -> T | Failure:
        """The returned value, or why there is none."""
        try:
            return value_of(run)
        except BspSatError as error:
            return Failure(str(error))


class ClusterGone(ConnectionError):
    """No worker of the cluster can be reached any more."""

    def __init__(self) -> None:
        super().__init__("the cluster has gone; --resume goes on with the rest")


Submit = Callable[[Task[T]], "Future[T | Failure]"]
"""Submits a task to the workers."""


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


class Team:
    """Workers, one for each thread that does tasks.

    Args:
        size: the number of threads; they share the memory that is free now.
    """

    def __init__(self, size: int) -> None:
        self._local = local()
        self._workers: list[Worker] = []
        self._share_mb = None if size == 1 else available_bytes() / size / MEGABYTE
        self._turns = Turns()

    def do_some(self, tasks: Sequence[Task[T]], stop: Event | None = None) -> list[T | Failure]:
        """Does the first of some tasks, at least one, in the calling thread.

        The jobs are sent together, and each outcome is computed while the next job runs. Stops after a job that took
        long. A task whose process died, or that needs more than its share of the memory, is done again alone.
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
        """Does a task in the calling thread, and again if the process dies."""
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
        """The worker of the calling thread."""
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
        """Ends all workers; none of them may be busy."""
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

    Once ``stop`` is set, nothing more is yielded: interrupted boards count as not started.
    """
    ended: SimpleQueue[Future[T | Failure]] = SimpleQueue()
    numbers = {submit(task): number for number, task in enumerate(tasks)}
    for future in numbers:
        future.add_done_callback(ended.put)
    try:
        while numbers and not stop.is_set():
            with suppress(Empty):
                future = ended.get(timeout=POLL_SECONDS)
                if not stop.is_set():
                    yield numbers.pop(future), _outcome(future)
    finally:  # also where no more outcomes are wanted
        for interrupted in numbers:
            interrupted.cancel()


def _outcome(future: "Future[T | Failure]") -> T | Failure:
    """The outcome of a task; a `Failure` if the cluster's worker was killed.

    Raises:
        ClusterGone: the cluster can't be reached any more.
    """
    error = future.exception()
    if isinstance(error, ClusterGone):
        raise error
    return future.result() if error is None else Failure(f"{type(error).__name__}: {error}")
