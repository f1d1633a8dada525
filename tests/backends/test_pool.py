"""Long-lived workers: what one board does to its process is no other board's business."""

import os
import re
import signal
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event

import psutil
import pytest

from bsp_sat import BallSort, Limits, Result, Status
from bsp_sat.backends.result import Ending
from bsp_sat.backends.run import Call, ClusterGone, Failure, Process, Solve, cluster, local_pool, pool
from bsp_sat.backends.run.child import Child
from bsp_sat.backends.run.places import Turns
from bsp_sat.backends.run.pool import Team, outcome_of
from bsp_sat.backends.search.astar import AStar
from bsp_sat.instances.errors import BackendError
from tests.support.helpers import answer, board, under_both_rules, wait_until
from tests.support.misbehaving import DiesOnce, Misbehaving, write_and_sleep

EASY = board(BallSort, "ab|ba|-", 2)
GOOD = Solve(AStar(), EASY)


pytestmark = pytest.mark.usefixtures("no_process_is_left")


def task(how, **limits):
    return Solve(Misbehaving(how), EASY, Limits(**limits))


@pytest.fixture(scope="module")
def solved():
    """All small boards by two workers."""
    cases = list(under_both_rules("small.jsonl"))
    stop = Event()
    with local_pool(2, stop) as pool:
        outcomes = dict(pool.do_all([Solve(AStar(), case.puzzle) for case in cases], stop))
    return cases, outcomes


def run(tasks, jobs=1):
    stop = Event()
    with local_pool(jobs, stop) as pool:
        return [outcome for _, outcome in sorted(pool.do_all(tasks, stop))]


def test_every_board_gets_its_own_answer(solved):
    cases, outcomes = solved
    assert [answer(outcomes[number]) for number in range(len(cases))] == [case.known_answer for case in cases]


@pytest.mark.parametrize("how", ["sleeps", "eats-memory", "reports-without-end"])
def test_limits_end_one_board(how):
    good, bad, after = run([GOOD, task(how, seconds=0.5, memory_mb=150), GOOD])
    assert good.status is after.status is Status.OPTIMAL
    assert (bad.status, bad.reason.split()[1:3]) == (Status.UNKNOWN, ["limit", "of"])
    assert after.peak_memory_mb < 100


def test_memory_is_counted_for_each_board_separately():
    greedy, good = run([task("eats-memory", memory_mb=120), GOOD])
    assert greedy.peak_memory_mb > 120 > 2 * good.peak_memory_mb


def test_a_board_that_needs_more_than_its_share_is_solved_alone(monkeypatch):
    monkeypatch.setattr(pool, "available_bytes", lambda: 300_000_000)
    both = [*run([task("takes-200-MB"), task("takes-200-MB")], jobs=2)]
    assert [outcome.length for outcome in both] == [3, 3]
    assert min(outcome.peak_memory_mb for outcome in both) > 200
    limited, good = run([task("takes-200-MB", memory_mb=150), GOOD], jobs=2)  # a limit of its own is the end
    assert (limited.ending, good.length) == (Ending.MEMORY, 3)


def test_work_that_asks_to_be_alone_is_alone():
    turns, inside, most = Turns(), set(), Counter()

    def work(number):
        alone = number % 5 == 0
        with turns.alone() if alone else turns.together():
            inside.add(number)
            time.sleep(0.001)
            most[alone] = max(most[alone], len(inside))
            inside.remove(number)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(100)))
    assert most[True] == 1 < most[False]


def test_memory_of_this_process_is_not_counted():
    ballast = bytearray(300_000_000)
    ballast[::4096] = b"x" * len(ballast[::4096])
    (good,) = run([GOOD])
    assert good.peak_memory_mb < 100


@pytest.mark.parametrize("how", ["raises", "exits", "aborts", "is-killed", "plans-badly", "plans-below-its-bound"])
def test_a_crash_costs_one_board(how):
    good, bad, after = run([GOOD, task(how), GOOD])
    assert good.status is after.status is Status.OPTIMAL
    assert isinstance(bad, Failure)
    assert re.search("misbehaving|killed|SIGABRT", bad.error)


def in_turn(worker, *backends):
    """The results of backends on boards that are sent in one message, up to one that crashes."""
    results = []
    with suppress(BackendError):
        jobs = [Solve(backend, EASY, Limits(seconds=600)) for backend in backends]
        for job, run in zip(jobs, worker.run_in_turn(jobs), strict=False):
            results.append(job.result(run))
    return results


def test_one_message_is_enough_for_several_boards(monkeypatch):
    messages = []
    begin = Child.begin
    monkeypatch.setattr(Child, "begin", lambda self, jobs: messages.append(len(jobs)) or begin(self, jobs))
    with Process() as worker:
        results = in_turn(worker, *[Misbehaving("tells-its-process")] * 4)
        again = worker.do(Solve(Misbehaving("tells-its-process"), EASY))
    assert messages == [4, 1]
    assert 1 <= len(results) <= 4  # fewer where the machine is so busy that one of them took long
    assert len({result.stats["process"] for result in [*results, again]}) == 1


def test_after_a_board_that_took_long_the_rest_is_sent_again():
    slow, good = Misbehaving("takes-200-MB"), Misbehaving("tells-its-process")
    with Process() as worker:
        results = in_turn(worker, good, slow, good)
        assert [result.length for result in results] in ([None, 3], [None])
        assert worker.do(Solve(good, EASY)).stats == results[0].stats  # the process goes on, with nothing left over
    outcomes = run([Solve(backend, EASY) for backend in (good, good, slow, good, good)])
    assert [outcome.length for outcome in outcomes] == [None, None, 3, None, None]


@pytest.mark.parametrize("how", ["raises", "is-killed", "plans-badly"])
def test_a_crash_ends_what_was_sent_with_it(how):
    good = Misbehaving("tells-its-process")
    with Process() as worker:
        results = in_turn(worker, good, Misbehaving(how), good)
        killed = [Ending.KILLED] if how == "is-killed" else []
        assert [result.ending for result in results] in ([Ending.DONE, *killed], [Ending.DONE])
        if len(results) == 1 + len(killed):
            assert worker.do(Solve(good, EASY)).length is None
    outcomes = run([Solve(backend, EASY) for backend in (good, good, good, Misbehaving(how), good)])
    assert [isinstance(outcome, Failure) for outcome in outcomes] == [False, False, False, True, False]


def test_seconds_are_those_of_the_board_itself():
    with Process() as worker:
        worker.start()
        busy = []
        for run in worker.run_in_turn([Solve(AStar(), EASY)] * 3):
            time.sleep(0.1)  # meanwhile the next ones are done
            busy.append(run.seconds())
    assert min(busy) > 0


def test_a_board_gets_a_second_chance(tmp_path):
    (outcome,) = run([Solve(DiesOnce(tmp_path / "marker"), EASY)])
    assert isinstance(outcome, Result)
    assert outcome.reason == "nothing more"


def test_stop_ends_everything_and_yields_nothing_half_done():
    stop = Event()
    numbers = []
    with local_pool(2, stop) as pool:
        for number, _ in pool.do_all([GOOD, *(task("sleeps") for _ in range(5))], stop):
            numbers.append(number)
            stop.set()
    assert numbers == [0]


def wait_for_a_child(begin, _stop):
    child = Child()
    assert [message[0] for message in child.arrived(600)] == ["ready"]
    begin()
    try:
        list(child.arrived(pool.POLL_SECONDS))
    finally:
        child.end()


def wait_for_outcomes(begin, stop):
    begin()
    list(pool.Pool(lambda *_: Future(), lambda: 1).do_all([GOOD], stop))


def wait_for_a_scheduler(begin, stop):
    begin()
    with pytest.raises(KeyboardInterrupt):
        cluster._within(Event().wait, "nowhere", stop)


@pytest.mark.parametrize("wait", [wait_for_a_child, wait_for_outcomes, wait_for_a_scheduler])
def test_a_signal_whose_handler_outlasts_the_wait_does_not_prolong_it(wait, monkeypatch):
    """As on a busy machine; `SimpleQueue.get` then waits for ever."""
    monkeypatch.setattr(pool, "POLL_SECONDS", 0.5)
    monkeypatch.setattr(cluster, "POLL_SECONDS", 0.5)
    stop = Event()

    def handle(*_):
        assert not stop.is_set(), "it waits for ever"
        stop.set()
        time.sleep(0.7)

    before = signal.signal(signal.SIGALRM, handle)
    try:
        wait(lambda: signal.setitimer(signal.ITIMER_REAL, 0.1, 60), stop)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_cluster_that_goes_away_is_one_error():
    given_up = Future()
    given_up.set_exception(ClusterGone())
    with pytest.raises(ClusterGone, match="the cluster has gone; --resume goes on"):
        outcome_of(given_up)


def test_work_that_is_no_longer_waited_for_ends(tmp_path):
    began, ended, stop = tmp_path / "began", tmp_path / "ended", Event()
    with local_pool(1, stop) as pool:
        pool.submit(Call(write_and_sleep, (began, ended)))
        wait_until(began.exists)
    assert not ended.exists()
    assert not stop.is_set()


def test_an_error_in_the_loop_ends_the_workers():
    stop = Event()

    def write_on_a_full_disk():
        with local_pool(2, stop) as pool:
            for _ in pool.do_all([GOOD, *(task("sleeps") for _ in range(5))], stop):
                raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        write_on_a_full_disk()
    assert stop.is_set()


def test_a_process_that_died_in_between_is_replaced():
    team = Team(1)
    (first,) = team.submit([task("tells-its-process")], Event(), 0).result().outcomes
    psutil.Process(first.stats["process"]).kill()
    psutil.Process(first.stats["process"]).wait()
    (second,) = team.submit([task("tells-its-process")], Event(), 0).result().outcomes
    team.close()
    assert first.stats != second.stats


@pytest.mark.parametrize("keeps", [True, False])
def test_a_process_that_used_much_memory_is_replaced_unless_it_keeps_something(keeps, monkeypatch):
    monkeypatch.setattr("bsp_sat.backends.run.process.REPLACE_BYTES", 0)
    with Process() as process:
        first, second = (process.do(Call(os.getpid, keeps=keeps)) for _ in range(2))
    assert (first == second) == keeps
