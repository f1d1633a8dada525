"""Many boards at once: tasks go to long-lived workers, outcomes come back as they are ready.

The workers are threads of this process, each with a child process of its own, or those of a cluster
(`bsp_sat.backends.campaign.cluster`). Either way one board runs at a time in one child, its limits are enforced from
outside that child, and a child that dies takes nothing along but the board it was on, which gets a second chance.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, local

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.limits import MEGABYTE, Limits
from bsp_sat.backends.process.memory import available_bytes
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.result import BackendError, Ending, Result
from bsp_sat.backends.solve import solve_with
from bsp_sat.instances.puzzle import AnyPuzzle

FAILED = "failed"  # stands beside the statuses of results for a `Failure`
ATTEMPTS = 2
POLL_SECONDS = 0.05


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


Outcome = Result | Failure

Submit = Callable[[Task], "Future[Outcome]"]
"""Hands a task to the workers."""


class Team:
    """Workers, one for each thread that solves boards; ``share_mb`` is that of each `Worker`."""

    def __init__(self, share_mb: float | None = None) -> None:
        self._local = local()
        self._workers: list[Worker] = []
        self._share_mb = share_mb

    def solve(self, task: Task, stop: Event | None = None) -> Outcome:
        """Solves a board in the calling thread, a second time if the backend's process dies."""
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker(self._share_mb)
            self._workers.append(self._local.worker)
        worker: Worker = self._local.worker
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


@contextmanager
def local_workers(jobs: int, stop: Event) -> Iterator[Submit]:
    """``jobs`` workers on this machine; ``stop`` ends what they do, and is set where the body fails."""
    team = Team(None if jobs == 1 else available_bytes() / jobs / MEGABYTE)
    with ThreadPoolExecutor(jobs) as threads:
        try:
            yield lambda task: threads.submit(team.solve, task, stop)
        except BaseException:
            stop.set()
            raise
        finally:
            threads.shutdown(cancel_futures=True)
            team.close()


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
        ConnectionError: the cluster gave the task up.
    """
    if future.cancelled():
        raise ConnectionError("the cluster has gone; --resume goes on with the rest")
    error = future.exception()
    return future.result() if error is None else Failure(f"{type(error).__name__}: {error}")
