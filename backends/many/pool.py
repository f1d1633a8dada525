"""Many boards at once: tasks go to long-lived workers, outcomes come back as they are ready.

The workers are threads of this process, each with a child process of its own, or those of a cluster
(`bsp_sat.backends.many.cluster`). Either way one board runs at a time in one child, its limits are enforced from
outside that child, and a child that dies takes nothing along but the board it was on, which gets a second chance.

Boards that are solved at once on one machine share its memory. One that needs more than its share is given up and
begun again, alone: the others finish theirs first, and no new one begins meanwhile.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from itertools import takewhile
from queue import Empty, SimpleQueue
from threading import Condition, Event, local

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.limits import MEGABYTE, Limits
from bsp_sat.backends.process.memory import available_bytes
from bsp_sat.backends.process.worker import MoreThanItsShare, Worker
from bsp_sat.backends.result import BackendError, Ending, Result
from bsp_sat.backends.solve import chosen_for, solve_with, with_notes
from bsp_sat.instances.puzzle import AnyPuzzle

FAILED = "failed"  # stands beside the statuses of results for a `Failure`
ATTEMPTS = 2
POLL_SECONDS = 0.05
MOST_TOGETHER = 16  # boards in one message to a child process


@dataclass(frozen=True)
class Task:
    """One board for one backend; the attributes are the arguments of `solve`."""

    puzzle: AnyPuzzle
    backend: Backend
    limits: Limits

    def solve(self, worker: Worker, stop: Event | None = None) -> Result:
        """What a worker does with it, once."""
        return solve_with(worker, self.puzzle, self.backend, limits=self.limits, stop=stop)


@dataclass(frozen=True)
class Failure:
    """What became of a board whose backend crashed or was killed on every attempt."""

    error: str


class ClusterGone(ConnectionError):
    """Nobody is left to do the rest."""

    def __init__(self) -> None:
        super().__init__("the cluster has gone; --resume goes on with the rest")


Outcome = Result | Failure

Submit = Callable[[Task], "Future[Outcome]"]
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
    """Workers, one for each thread that solves boards.

    Args:
        size: how many threads there will be; they share the memory that is free now.
    """

    def __init__(self, size: int) -> None:
        self._local = local()
        self._workers: list[Worker] = []
        self._share_mb = None if size == 1 else available_bytes() / size / MEGABYTE
        self._turns = Turns()

    def solve_some(self, tasks: Sequence[Task], stop: Event | None = None) -> list[Outcome]:
        """Solves the first boards of some, at least one, in the calling thread.

        They are sent together, and each result is taken while the next one is in work. After a board that took long no
        more are done. One whose process died, or that needs more than its share of the memory, is begun again alone.
        """
        worker = self._own_worker()
        plain = [*takewhile(lambda task: type(task) is Task, tasks[:MOST_TOGETHER])]
        outcomes: list[Outcome] = []
        if len(plain) > 1:
            jobs = [(chosen_for(task.puzzle, task.backend), task.puzzle, task.limits) for task in plain]
            with self._turns.together():
                worker.share_mb = self._share_mb
                worker.start()
                results = _until_one_fails(worker.run_in_turn(jobs, stop=stop))
                outcomes += [
                    with_notes(worker, task.puzzle, result, task.limits, stop)
                    for task, result in zip(plain, results, strict=False)
                ]
        return outcomes or [self.solve(tasks[0], stop)]

    def solve(self, task: Task, stop: Event | None = None) -> Outcome:
        """Solves a board in the calling thread, a second time if the backend's process dies."""
        worker = self._own_worker()
        try:
            with self._turns.together():
                worker.share_mb = self._share_mb
                return self._attempts(worker, task, stop)
        except MoreThanItsShare:
            with self._turns.alone():
                worker.share_mb = None
                return self._attempts(worker, task, stop)

    def _own_worker(self) -> Worker:
        """The calling thread's."""
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker()
            self._workers.append(self._local.worker)
        worker: Worker = self._local.worker
        return worker

    @staticmethod
    def _attempts(worker: Worker, task: Task, stop: Event | None) -> Outcome:
        error = ""
        for _ in range(ATTEMPTS):
            try:
                worker.start()
                result = task.solve(worker, stop)
            except BackendError as crash:
                error = str(crash)
            else:
                if result.ending is not Ending.KILLED:
                    return result
                error = result.reason
        return Failure(error)

    def close(self) -> None:
        """Ends every worker; none may be at work."""
        for worker in self._workers:
            worker.close()


def _until_one_fails(results: Iterator[Result]) -> list[Result]:
    """The results up to the first board whose process dies, or that needs more than its share of the memory."""
    complete = []
    with suppress(BackendError, MoreThanItsShare):
        for result in results:
            if result.ending is Ending.KILLED:
                break
            complete.append(result)
    return complete


def solve_all(tasks: Sequence[Task], submit: Submit, stop: Event) -> Iterator[tuple[int, Outcome]]:
    """Solves every task; yields the number of each in ``tasks`` with its outcome, in the order they end.

    Once ``stop`` is set nothing more is yielded: boards that were interrupted count as not begun.
    """
    ended: SimpleQueue[Future[Outcome]] = SimpleQueue()
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


def _outcome(future: "Future[Outcome]") -> Outcome:
    """What a task came to, where the machinery around it may have failed too: a cluster's worker was killed.

    Raises:
        ClusterGone: there is nobody who could do it.
    """
    error = future.exception()
    if isinstance(error, ClusterGone):
        raise error
    return future.result() if error is None else Failure(f"{type(error).__name__}: {error}")
