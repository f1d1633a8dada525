"""Boards that travel to a cluster in batches; the cluster is a few threads here."""

import time
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from threading import Event, Thread

import pytest

from bsp_sat import BallSort
from bsp_sat.backends.run import Solve, local_pool, pool
from bsp_sat.backends.run.pool import BATCH_SECONDS, ClusterGone, Done, Pool, Team
from tests.support.helpers import board
from tests.support.misbehaving import Misbehaving

EASY = board(BallSort, "ab|ba|-", 2)


def jobs(number):
    """A number of jobs, each with a name of its own."""
    return [Solve(Misbehaving(str(name)), EASY) for name in range(number)]


class Cluster:
    """Threads that say of each board what it is called, some seconds after they were asked."""

    def __init__(self, threads, seconds=0.0, dies_of=None, hard=None):
        self._pool = ThreadPoolExecutor(threads)
        self._seconds, self._dies_of, self._hard = seconds, dies_of, hard
        self.sizes = []

    def send(self, batch, seconds):
        self.sizes.append(len(batch))
        return self._pool.submit(self._solve, [job.backend.how for job in batch])

    def _solve(self, names):
        if self._dies_of in names:
            raise OSError("the worker is dead")
        if names[0] == self._hard:
            time.sleep(0.1)
            return Done(names[:1], BATCH_SECONDS)
        time.sleep(self._seconds * len(names))
        return Done(names, self._seconds * len(names) or 1e-6)


def outcomes(cluster, number, threads=2):
    hub = Pool(cluster.send, lambda: threads)
    return dict(hub.do_all(jobs(number), Event()))


def test_small_boards_travel_together():
    cluster = Cluster(2, seconds=0.0001)
    assert outcomes(cluster, 1000) == {number: str(number) for number in range(1000)}
    assert sum(cluster.sizes) == 1000
    assert len(cluster.sizes) < 100


def test_large_ones_go_one_by_one():
    cluster = Cluster(2, seconds=BATCH_SECONDS / 50)
    hub = Pool(cluster.send, lambda: 2)
    assert [future.result() for future in [hub.submit(job) for job in jobs(12)]] == [str(name) for name in range(12)]
    assert max(cluster.sizes) <= 3  # none waits while another worker has nothing to do


@pytest.mark.parametrize(("threads", "size", "seconds"), [(10, 1, BATCH_SECONDS), (8 * 100, 8, 8 * BATCH_SECONDS)])
def test_batches_last_longer_where_a_scheduler_would_not_keep_up_with_the_threads(threads, size, seconds):
    sent = []

    def send(batch, seconds):
        sent.append((len(batch), seconds, Future()))
        return sent[-1][2]

    hub = Pool(send, lambda: threads)
    for job in jobs(1) * 20 * threads:
        hub.submit(job)
    assert {each[0] for each in sent} == {1}  # as long as none has told how long a job takes
    sent[0][2].set_result(Done(["done"], BATCH_SECONDS))
    assert sent[-1][:2] == (size, seconds)


def test_what_a_worker_sends_back_is_sent_again():
    cluster = Cluster(2, seconds=0.0001, hard="300")
    assert outcomes(cluster, 400) == {number: str(number) for number in range(400)}
    assert sum(cluster.sizes) >= 400


def test_workers_that_end_while_one_of_them_sends_more_do_not_wait_for_each_other(monkeypatch):
    begin, taken = Event(), Event()

    def do_batch(_team, _process, some, *_):
        begin.wait()
        return Done([each.backend.how for each in some], 1e-6)

    def linger(_):
        taken.set()
        time.sleep(0.5)  # in which the body ends

    def leave_early():
        with local_pool(1, Event()) as hub:
            first, *_ = [hub.submit(job) for job in jobs(1000)]
            first.add_done_callback(linger)
            begin.set()
            taken.wait()

    monkeypatch.setattr(Team, "_do_batch", do_batch)
    leaving = Thread(target=leave_early, daemon=True)
    leaving.start()
    leaving.join(600)
    assert not leaving.is_alive()


def test_only_the_board_that_takes_workers_along_fails():
    cluster = Cluster(2, seconds=0.0001, dies_of="77")
    found = outcomes(cluster, 200)
    assert found.pop(77).error == "OSError: the worker is dead"
    assert found == {number: str(number) for number in range(200) if number != 77}


def test_a_cluster_that_gives_up():
    def send(batch, seconds):
        given_up = Future()
        given_up.cancel()
        given_up.set_running_or_notify_cancel()
        return given_up

    hub = Pool(send, lambda: 1)
    futures = [hub.submit(job) for job in jobs(3)]
    wait(futures)
    assert all(isinstance(future.exception(), ClusterGone) for future in futures)


def test_boards_without_a_waiting_reader_are_not_sent():
    hold = Event()
    pool = ThreadPoolExecutor(1)
    sent = []

    def send(batch, seconds):
        sent.extend(job.backend.how for job in batch)
        return pool.submit(lambda: (hold.wait(), Done([job.backend.how for job in batch], 0.001))[1])

    hub = Pool(send, lambda: 1)
    futures = [hub.submit(job) for job in jobs(10)]
    for future in futures[5:]:
        assert future.cancel()
    hold.set()
    assert [future.result() for future in futures[:5]] == [str(name) for name in range(5)]
    with pytest.raises(CancelledError):
        futures[7].result()
    assert sorted(sent) == ["0", "1", "2", "3", "4"]


def test_a_batch_ends_when_its_time_is_over(monkeypatch):
    monkeypatch.setattr(pool, "MOST_TOGETHER", 2)
    team = Team(1)
    good = Solve(Misbehaving("tells-its-process"), EASY)
    assert len(team.submit([good] * 5, Event(), 0.0).result().outcomes) in (1, 2)  # 1 where the first took long
    assert len(team.submit([good] * 5, Event(), 1e9).result().outcomes) == 5
    team.close()
