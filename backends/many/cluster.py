"""The workers of a dask.distributed cluster, for campaigns too long for one machine.

The scheduler sends batches of boards (`bsp_sat.backends.many.batches`) to threads of its workers. Each thread has its
own child process and handles limits and crashes, just like a local thread. If a whole worker dies, the scheduler gives
its batch to another worker. A client that stops waiting tells the workers, and their runs end.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

from bsp_sat.backends.many.batches import Batches, Done, do_batch, local_workers
from bsp_sat.backends.many.pool import POLL_SECONDS, Submit, Task, Team
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need

CONNECT_SECONDS = 5.0
GRACE_SECONDS = 1.0  # additional time for dask to report an error itself
STOP_SECONDS = 5.0  # time for all workers to receive the stop; usually that takes no time


def workers(jobs: int, cluster: str | None, stop: Event) -> AbstractContextManager[Submit[Any]]:
    """Workers of this machine, ``jobs`` of them, or those of the cluster whose scheduler listens at ``cluster``."""
    return local_workers(jobs, stop) if cluster is None else cluster_workers(cluster, stop)


_first_call = Lock()
"""Held during calls of `_team` and `_stop`: without it, `cache` may make two objects if two threads call it at once."""


@cache
def _team() -> Team:
    """The workers of one process of the cluster; their child processes end with it."""
    from distributed import get_worker

    return Team(get_worker().state.nthreads)


@cache
def _stop(_campaign: str) -> Event:
    """The event that is set when a campaign is stopped; each process of the cluster has its own."""
    return Event()


def do_there(campaign: str, tasks: Sequence[Task[Any]]) -> Done:
    """Does a batch; runs in the cluster."""
    with _first_call:
        team, stop = _team(), _stop(campaign)
    return do_batch(team, tasks, stop)


def stop_there(campaign: str) -> None:
    """Stops a campaign; runs in every process of the cluster, in parallel to the boards."""
    with _first_call:
        stop = _stop(campaign)
    stop.set()


@contextmanager
def cluster_workers(address: str, stop: Event) -> Iterator[Submit[Any]]:
    """The cluster whose scheduler listens at ``address``, such as ``tcp://10.0.0.1:8786``.

    Args:
        address: the address of the scheduler.
        stop: when set, ends the wait for an answer and the work of the cluster, which ends with the body too; it is set
            if the body fails.

    Raises:
        Unsupported: dask isn't installed, or no scheduler answers at the address.
        KeyboardInterrupt: ``stop`` was set before a scheduler answered.
    """
    need("distributed", "--cluster")
    from distributed import Client

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # replaces its tracebacks by one error
    campaign = uuid4().hex
    with _within(lambda: Client(address, timeout=CONNECT_SECONDS, set_as_default=False), address, stop) as client:
        batches = Batches(
            send=lambda tasks: client.submit(do_there, campaign, tasks, pure=False),
            count_threads=lambda: sum(client.nthreads().values()),
        )
        try:
            yield batches.submit
        except BaseException:
            stop.set()
            raise
        finally:
            _tell_all(client, campaign)


def _tell_all(client: Any, campaign: str) -> None:
    """Tells every worker to end its work for a campaign; a worker that can't be reached goes on to the limits."""

    def tell() -> None:
        with suppress(Exception):  # workers that can't be reached are gone
            client.run(stop_there, campaign, on_error="ignore")

    thread = Thread(target=tell, daemon=True)
    thread.start()
    thread.join(STOP_SECONDS)


def _within(connect: Callable[[], Any], address: str, stop: Event) -> Any:
    """Calls ``connect`` with a time limit: it may wait for ever if the address isn't that of a scheduler."""
    answers: SimpleQueue[Any] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(connect())
        except (OSError, ValueError) as error:  # OSError includes TimeoutError; ValueError: a malformed address
            answers.put(error)

    Thread(target=ask, daemon=True).start()  # may outlive this call; it ends with the program
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
