"""The workers of a dask.distributed cluster, for campaigns too long for one machine.

The scheduler sends batches of boards (`bsp_sat.backends.run.pool`) to threads of its workers. Each thread has its
own child process and handles limits and crashes, just like a local thread. If a whole worker dies, the scheduler gives
its batch to another worker. A client that stops waiting tells the workers, and their runs end.

Answers of two versions must not mix, and dask ends a worker that can't load what it is sent. So each worker is asked
for its version of bsp-sat, and boards go to those of this one alone.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from math import inf
from queue import Empty, Queue
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

from bsp_sat import __version__
from bsp_sat.backends.run.job import Job
from bsp_sat.backends.run.pool import POLL_SECONDS, ClusterGone, Done, Pool, Team, local_pool
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need
from bsp_sat.instances.text.words import short

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 5.0
GRACE_SECONDS = 1.0  # additional time for dask to report an error itself
PATIENCE_SECONDS = 3.0  # without a worker, until that is said
CHECK_SECONDS = 0.5  # between two checks of the workers
MOST_TIMES = 4  # that a batch is sent to workers that all die
STOP_SECONDS = 5.0  # time for all workers to receive the stop; usually that takes no time


def pool_of(number: int, cluster: str | None, stop: Event) -> AbstractContextManager[Pool]:
    """A pool of ``number`` processes on this machine, or the cluster whose scheduler listens at ``cluster``."""
    return local_pool(number, stop) if cluster is None else cluster_pool(cluster, stop)


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


def version_there() -> str:
    """The version of bsp-sat; runs in the cluster."""
    return __version__


def do_there(campaign: str, jobs: Sequence[Job[Any, Any]], seconds: float) -> Done:
    """Does a batch, for so many seconds; runs in the cluster."""
    with _first_call:
        team, stop = _team(), _stop(campaign)
    return team.submit(jobs, stop, seconds).result()


def stop_there(campaign: str) -> None:
    """Stops a campaign; runs in every process of the cluster, in parallel to the boards."""
    with _first_call:
        stop = _stop(campaign)
    stop.set()


class Crew:
    """The workers of a cluster that have this version of bsp-sat. Others are named in the log, and get no boards.

    ``threads``: the number of threads of each worker that is there, by its address.
    """

    def __init__(self, client: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self.threads: dict[str, int] = {}
        self.sent: set[Sent] = set()
        self._client = client
        self._clock = clock
        self._fits: dict[str, bool] = {}
        self._gone = False
        self._late = clock() + PATIENCE_SECONDS
        self._had_workers = False

    def watch(self, over: Event) -> None:
        """Checks the workers again and again, until ``over`` is set."""
        while not over.is_set():
            try:
                self.check_workers()
            except Exception:  # dask has many for a scheduler that doesn't answer
                self._gone = True
            over.wait(CHECK_SECONDS)

    def check_workers(self) -> None:
        """Asks new workers for their version, says if there are none, and sends again what dead ones had."""
        found: dict[str, int] = self._client.nthreads()
        if new := [worker for worker in found if worker not in self._fits]:
            answers = self._client.run(version_there, workers=new, on_error="return")
            self._fits.update({worker: self._is_fit(worker, answer) for worker, answer in answers.items()})
        self.threads = {worker: threads for worker, threads in found.items() if self._fits.get(worker)}
        for batch in list(self.sent if self.threads else ()):
            if self.threads.keys().isdisjoint(batch.workers):
                batch.send_again()
        if self.threads:
            self._late, self._had_workers = self._clock() + PATIENCE_SECONDS, True
        elif self._clock() >= self._late:
            self._late = inf
            when = "any more" if self._had_workers else "yet"
            logger.warning("no workers %s that take boards; start some with `dask worker` (Ctrl-C ends the wait)", when)

    def _is_fit(self, worker: str, answer: object) -> bool:
        if answer == __version__:
            return True
        has = f"has bsp-sat {answer}" if isinstance(answer, str) else f"can't load it ({short(str(answer), 100)})"
        logger.warning("worker %s gets no boards, as all need bsp-sat %s: it %s", worker, __version__, has)
        return False

    def wait(self, stop: Event) -> None:
        """Waits for the first worker; raises KeyboardInterrupt if ``stop`` was set, ClusterGone without a scheduler."""
        while not self.threads:
            if self._gone:
                raise ClusterGone
            time.sleep(POLL_SECONDS)  # a handler that sets ``stop`` would wait for the lock of `stop.wait` for ever
            if stop.is_set():
                raise KeyboardInterrupt


class Sent:
    """A batch on its way: what `Pool` wants of a future."""

    def __init__(self, crew: Crew, submit: Callable[[Sequence[str]], Any]) -> None:
        self.workers: tuple[str, ...] = ()
        self._crew = crew
        self._submit = submit
        self._times = 0

    def add_done_callback(self, take: Callable[[Any], object]) -> None:
        """Sends the batch; ``take`` is called with the future of its outcome."""
        self._take = take
        self._crew.sent.add(self)
        self._send()

    def _send(self) -> None:
        self.workers = tuple(self._crew.threads) or self.workers
        self._future = self._submit(self.workers)
        self._future.add_done_callback(self._end)

    def send_again(self) -> None:
        """Sends the batch to other workers, unless it was the end of too many."""
        self._times += 1
        if self._times < MOST_TIMES:
            self._send()
        else:
            self._future = Future()
            self._future.set_exception(RuntimeError(f"all of its workers died, {MOST_TIMES} times"))
            self._end(self._future)

    def _end(self, future: Any) -> None:
        if future is self._future and self in self._crew.sent:
            self._crew.sent.discard(self)
            self._take(future)


@contextmanager
def cluster_pool(address: str, stop: Event) -> Iterator[Pool]:
    """The pool of the cluster whose scheduler listens at ``address``, such as ``tcp://10.0.0.1:8786``.

    When set, ``stop`` ends the wait for an answer and the work of the cluster, which ends with the body too; it is set
    if the body fails. Raises Unsupported if dask isn't installed, or no scheduler answers at the address;
    KeyboardInterrupt if ``stop`` was set before one answered and had a worker; and ClusterGone if it went before it had
    one.
    """
    need("distributed", "--cluster")
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # replaces its tracebacks by one error
    try:
        get_address_host_port(address)  # a client that can't begin waits ten seconds before it ends, with a traceback
    except ValueError:
        raise Unsupported(f"--cluster: expected an address such as tcp://10.0.0.1:8786, found {address!r}") from None
    campaign = uuid4().hex
    with _within(lambda: Client(address, timeout=CONNECT_SECONDS, set_as_default=False), address, stop) as client:
        crew, over = Crew(client), Event()

        def send(jobs: Sequence[Job[Any, Any]], seconds: float) -> Sent:
            return Sent(crew, lambda to: client.submit(do_there, campaign, jobs, seconds, workers=to, pure=False))

        Thread(target=crew.watch, args=(over,), daemon=True).start()
        try:
            crew.wait(stop)
            yield Pool(send, count_threads=lambda: sum(crew.threads.values()))
        except BaseException:
            stop.set()
            raise
        finally:
            over.set()
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
    answers: Queue[Any] = Queue()  # a `SimpleQueue` waits for ever if a signal's handler outlasts the time limit

    def ask() -> None:
        try:
            answers.put(connect())
        except OSError as error:
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
