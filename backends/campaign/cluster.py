"""The workers of a dask.distributed cluster, for campaigns too long for one machine.

The scheduler hands each task to a thread of one of its workers, which watches a child process just as a local thread
does: limits and crashes are dealt with there. If a whole worker dies the scheduler gives its task to another one; a
task that took several workers along comes back as an error. Cancelling can't reach a board that is being
solved: it runs on until its own limit.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from bsp_sat.backends.campaign.pool import POLL_SECONDS, Outcome, Submit, Task, Team, local_workers
from bsp_sat.instances.errors import Unsupported

CONNECT_SECONDS = 5.0
GRACE_SECONDS = 1.0  # for dask to say itself what is wrong


def workers(jobs: int, cluster: str | None, stop: Event) -> AbstractContextManager[Submit]:
    """``jobs`` workers of this machine, or those of the cluster whose scheduler listens at an address."""
    return local_workers(jobs, stop) if cluster is None else cluster_workers(cluster, stop)


_team = Team()  # of one process of the cluster; its children end with it


def solve_here(task: Task) -> Outcome:
    """Runs in the cluster."""
    return _team.solve(task)


@contextmanager
def cluster_workers(address: str, stop: Event | None = None) -> Iterator[Submit]:
    """The cluster whose scheduler listens at ``address``, such as ``tcp://10.0.0.1:8786``.

    Args:
        address: where it listens.
        stop: ends the wait for an answer when set.

    Raises:
        Unsupported: dask isn't installed, or no scheduler answers there.
        KeyboardInterrupt: ``stop`` was set before one did.
    """
    try:
        from distributed import Client
    except ImportError:
        raise Unsupported("--cluster needs dask.distributed: pip install 'bsp-sat[cluster]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks are one error here
    client = _within(lambda: Client(address, timeout=CONNECT_SECONDS, set_as_default=False), address, stop or Event())
    with client, client.get_executor(pure=False) as executor:
        yield lambda task: executor.submit(solve_here, task)


def _within(connect: Callable[[], Any], address: str, stop: Event) -> Any:
    """What ``connect`` returns, which may wait for ever where something listens that is no scheduler."""
    answers: SimpleQueue[Any] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(connect())
        except (OSError, ValueError) as error:  # TimeoutError among them; an address of no known form
            answers.put(error)

    Thread(target=ask, daemon=True).start()  # left behind if need be; it ends with the program
    deadline = time.monotonic() + CONNECT_SECONDS + GRACE_SECONDS
    while time.monotonic() < deadline:
        if stop.is_set():
            raise KeyboardInterrupt
        with suppress(Empty):
            answer = answers.get(timeout=POLL_SECONDS)
            if isinstance(answer, Exception):
                raise Unsupported(f"no dask scheduler answers at {address}: {answer}")
            return answer
    raise Unsupported(f"no dask scheduler answers at {address} within {CONNECT_SECONDS:g} s")
