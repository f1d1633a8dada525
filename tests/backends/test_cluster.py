"""Which workers of a cluster get boards; the cluster is a table here, and the clock a number."""

from concurrent.futures import Future
from threading import Event
from unittest.mock import Mock

import pytest

from bsp_sat import Unsupported, __version__
from bsp_sat.backends.run import cluster
from bsp_sat.backends.run.cluster import MOST_TIMES, PATIENCE_SECONDS, Crew, Sent, cluster_pool
from bsp_sat.backends.run.pool import ClusterGone


class Client:
    """Dask's, as far as a crew uses it: workers by name, with what they say when they are asked for their version."""

    def __init__(self, **workers):
        self.workers = workers
        self.asked = []

    def nthreads(self):
        return dict.fromkeys(self.workers, 2)

    def run(self, function, *, workers, on_error):
        assert (function(), on_error) == (__version__, "return")
        self.asked += workers
        return {worker: self.workers[worker] for worker in workers}


def logged(caplog):
    return [record.getMessage() for record in caplog.records]


def test_workers_without_this_version_are_named_once_and_get_no_boards(caplog):
    client = Client(good=__version__, old="0.0.9", bare=ModuleNotFoundError("No module named 'bsp_sat'"))
    crew = Crew(client)
    for _ in range(3):
        crew.check_workers()
    assert crew.threads == {"good": 2}
    assert logged(caplog) == [
        f"worker old gets no boards, as all need bsp-sat {__version__}: it has bsp-sat 0.0.9",
        f"worker bare gets no boards, as all need bsp-sat {__version__}: it can't load it (No module named 'bsp_sat')",
    ]
    client.workers["late"] = __version__
    crew.check_workers()
    assert crew.threads == {"good": 2, "late": 2}
    assert client.asked == ["good", "old", "bare", "late"]


@pytest.fixture(autouse=True)
def no_sleep(monkeypatch):
    monkeypatch.setattr(cluster, "POLL_SECONDS", 0)


class Waiting(Event):
    """An event at whose every look time passes by the clock of the test, and workers come as a thread would see."""

    def __init__(self, then):
        super().__init__()
        self.now = 0.0
        self._then = then

    def wait(self, timeout=None):
        pytest.fail("a signal's handler that sets the event would wait for its lock")

    def is_set(self):
        self.now += 0.05
        self._then(self)
        return super().is_set()


def test_a_wait_without_workers_is_logged_once_after_some_seconds(caplog):
    client = Client()

    def go_on(stop):
        crew.check_workers()
        assert len(logged(caplog)) == (stop.now >= PATIENCE_SECONDS)
        if stop.now > 10 * PATIENCE_SECONDS:
            client.workers["first"] = __version__
            crew.check_workers()

    stop = Waiting(go_on)
    crew = Crew(client, clock=lambda: stop.now)
    crew.wait(stop)
    assert crew.threads == {"first": 2}
    assert [sentence.partition(";")[0] for sentence in logged(caplog)] == ["no workers yet that take boards"]


def test_a_wait_for_others_after_all_workers_died_is_logged_once_each_time(caplog):
    """Work that was sent to them may wait for ever."""
    client, now = Client(), [0.0]
    crew = Crew(client, clock=lambda: now[0])

    def after(seconds, **workers):
        client.workers = workers
        for _ in range(10):
            now[0] += seconds / 10
            crew.check_workers()
        found = [sentence.partition(";")[0] for sentence in logged(caplog)]
        caplog.clear()
        return found

    for number in range(2):
        assert after(10 * PATIENCE_SECONDS, **{f"worker{number}": __version__}) == []
        assert after(0.9 * PATIENCE_SECONDS) == []
        assert after(10 * PATIENCE_SECONDS) == ["no workers any more that take boards"]


def test_a_stop_and_the_end_of_the_scheduler_end_the_wait():
    with pytest.raises(KeyboardInterrupt):
        Crew(Client()).wait(Waiting(Event.set))
    crew = Crew(client=None)
    with pytest.raises(ClusterGone):
        crew.wait(Waiting(lambda stop: crew.watch(Mock(is_set=Mock(side_effect=[False, True])))))


class TestSent:
    """Batches whose workers die."""

    def sent(self, crew):
        """A batch that was sent, where it went, its futures, and its outcomes."""
        to, futures, outcomes = [], [], []

        def submit(workers):
            to.append(workers)
            futures.append(Future())
            return futures[-1]

        Sent(crew, submit).add_done_callback(outcomes.append)
        return to, futures, outcomes

    def test_they_go_to_others_and_count_once(self):
        client = Client(one=__version__)
        crew = Crew(client)
        crew.check_workers()
        to, futures, outcomes = self.sent(crew)
        for workers in ({"one": __version__, "two": __version__}, {}, {"old": "0.0.9"}, {"three": __version__}):
            client.workers = workers
            crew.check_workers()
        assert to == [("one",), ("three",)]
        for future in futures:
            future.set_result(None)
        assert outcomes == futures[1:]
        assert not crew.sent

    def test_one_that_was_the_end_of_many_is_not_sent_again(self):
        client = Client()
        crew = Crew(client)
        client.workers = {"0": __version__}
        crew.check_workers()
        to, _, outcomes = self.sent(crew)
        for number in range(1, 10):
            client.workers = {str(number): __version__}
            crew.check_workers()
        assert len(to) == MOST_TIMES
        (outcome,) = outcomes
        assert str(outcome.exception()) == f"all of its workers died, {MOST_TIMES} times"


@pytest.mark.parametrize("address", ["nonsense", "magic://a:1", "tcp://:::"])
def test_what_is_no_address_is_refused_before_dask_sees_it(address):
    with pytest.raises(Unsupported, match="--cluster: expected an address such as "):
        cluster_pool(address, Event()).__enter__()
