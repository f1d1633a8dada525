"""The workers of a dask.distributed cluster, for campaigns too long for one machine.

The scheduler hands boards to threads of its workers, a batch at a time (`bsp_sat.backends.many.batches`). A thread
watches a child process just as a local thread does: limits and crashes are dealt with there. If a whole worker dies the
scheduler gives its batch to another one. Whoever stops waiting tells the workers so, and their runs end.
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

CONNECT_SECONDS = 5.0
GRACE_SECONDS = 1.0  # for dask to say itself what is wrong
STOP_SECONDS = 5.0  # for all workers to hear of it; where nothing is slow they do at once


def workers(jobs: int, cluster: str | None, stop: Event) -> AbstractContextManager[Submit[Any]]:
    """``jobs`` workers of this machine, or those of the cluster whose scheduler listens at an address."""
    return local_workers(jobs, stop) if cluster is None else cluster_workers(cluster, stop)


_first_call = Lock()
"""Held for the calls of `_team` and `_stop`: `cache` may make two where two threads call it first."""


@cache
def _team() -> Team:
    """The workers of one process of the cluster; their processes end with it."""
    from distributed import get_worker

    return Team(get_worker().state.nthreads)


@cache
def _stop(_campaign: str) -> Event:
    """Set when a campaign was stopped; one for each process of the cluster."""
    return Event()


def do_there(campaign: str, tasks: Sequence[Task[Any]]) -> Done:
    """Runs in the cluster."""
    with _first_call:
        team, stop = _team(), _stop(campaign)
    return do_batch(team, tasks, stop)


def stop_there(campaign: str) -> None:
    """Runs in the cluster, in every process and beside the boards."""
    with _first_call:
        stop = _stop(campaign)
    stop.set()


@contextmanager
def cluster_workers(address: str, stop: Event) -> Iterator[Submit[Any]]:
    """The cluster whose scheduler listens at ``address``, such as ``tcp://10.0.0.1:8786``.

    Args:
        address: where it listens.
        stop: ends the wait for an answer when set, and what the cluster does; set where the body fails.

    Raises:
        Unsupported: dask isn't installed, or no scheduler answers there.
        KeyboardInterrupt: ``stop`` was set before one did.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise Unsupported("--cluster needs dask.distributed: pip install 'bsp-sat[cluster]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks are one error here
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
            if stop.is_set():
                _tell_all(client, campaign)


def _tell_all(client: Any, campaign: str) -> None:
    """Has every worker end what it does for a campaign; one that doesn't hear of it goes on to the limits."""

    def tell() -> None:
        with suppress(Exception):  # whoever can't be reached has gone
            client.run(stop_there, campaign, on_error="ignore")

    thread = Thread(target=tell, daemon=True)
    thread.start()
    thread.join(STOP_SECONDS)


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
