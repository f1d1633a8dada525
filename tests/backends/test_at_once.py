"""Boards that are answered many in one call: the same answers as one by one, and only where that is no risk."""

from itertools import islice
from threading import Event

import pytest

from bsp_sat import BallSort, Limits, Status, WaterSort, load, make_backend, random_boards, solve, solve_many
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.many import at_once
from bsp_sat.backends.many.at_once import do_at_once, goes_at_once, leading
from bsp_sat.backends.many.pool import CallTask, SolveTask, Team
from bsp_sat.backends.process.call import Call
from bsp_sat.backends.process.worker import Worker
from tests.support import naive
from tests.support.helpers import board

EASY = board(BallSort, "ab|ba|-", 2)
UNSOLVABLE = BallSort.from_text("abcd|abcd|abcd|abcd|-")
ROOMY = next(random_boards(BallSort, 16, 4, 3, seed=0)).puzzle  # whose search takes more than this step's effort


def task(puzzle, **limits):
    return SolveTask(puzzle, Auto(), Limits(**limits))


@pytest.fixture
def team():
    team = Team(1)
    yield team
    team.close()


@pytest.mark.parametrize("rule", [BallSort, WaterSort])
def test_the_answers_are_those_of_single_boards(rule, team):
    boards = [each.puzzle for each in islice(random_boards(rule, 4, 3, 1, seed=5), 40)]
    results = do_at_once(team, [task(puzzle) for puzzle in boards], Event(), 60)
    assert [result.length for result in results] == [
        naive.optimum(puzzle.tubes, 3, "full", water=rule is WaterSort) for puzzle in boards
    ]
    assert {result.status for result in results} == {Status.OPTIMAL, Status.UNSOLVABLE}
    assert all(result.stats["settled_by"] == "kernel" for result in results)


def test_no_process_is_started_for_them(monkeypatch):
    monkeypatch.setattr(Worker, "start", lambda worker: pytest.fail("a process"))
    boards = [each.puzzle for each in islice(random_boards(BallSort, 7, 4, 2, seed=1), 20)]
    lengths = [result.length for result in solve_many(boards, jobs=1)]
    monkeypatch.undo()
    assert lengths == [solve(puzzle).length for puzzle in boards]


def test_what_takes_longer_is_left_to_workers(team):
    tasks = [task(EASY), task(ROOMY), task(EASY)]
    assert len(do_at_once(team, tasks, Event(), 60)) == 1
    assert do_at_once(team, tasks[1:], Event(), 60) == []


def test_all_kinds_of_boards_come_back_in_their_order():
    boards = [EASY, ROOMY, UNSOLVABLE, load("shot-literate"), EASY]
    results = list(solve_many(boards, limits=Limits(seconds=20), jobs=2))
    assert [result.status for result in results] == [solve(each).status for each in boards]
    assert [result.length for result in results] == [3, results[1].length, None, results[3].length, 3]


@pytest.mark.parametrize(
    "slow",
    [
        task(EASY, max_steps=10),
        task(EASY, seconds=0.5),
        task(EASY, memory_mb=100),
        task(load("shot-literate")),
        SolveTask(EASY, make_backend("astar"), Limits()),
        SolveTask(EASY, Auto(), Limits(), alone=True),
        CallTask(Call(len, ("abc",)), Limits()),
    ],
)
def test_these_are_left_to_workers(slow):
    assert not goes_at_once(slow)
    assert leading([task(EASY), slow, task(EASY)]) == [task(EASY)]


def test_limits_that_are_far_away_do_not_matter():
    assert goes_at_once(task(EASY, seconds=60, memory_mb=1000))


def test_without_the_library_all_is_left_to_workers(monkeypatch):
    monkeypatch.setattr(at_once, "missing_library", lambda: "not built")
    assert not goes_at_once(task(EASY))


def test_an_interrupt_ends_them(team):
    stop = Event()
    stop.set()
    assert len(do_at_once(team, [task(EASY)] * 200, stop, 60)) == 1


def test_so_does_the_end_of_their_time(team):
    assert len(do_at_once(team, [task(EASY)] * 200, Event(), 0)) == 1
