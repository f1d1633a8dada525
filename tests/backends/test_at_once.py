"""Boards that are answered many in one call: the same answers as one by one, and only where that is no risk."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from threading import Event

import pytest

from bsp_sat import BallSort, Limits, Result, Status, WaterSort, load, make_backend, random_boards, solve, solve_many
from bsp_sat.backends import auto
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.kernel.batches.batch import FIRST_CHUNK
from bsp_sat.backends.result import Ending
from bsp_sat.backends.run import Process, Solve
from bsp_sat.backends.run.pool import Team
from tests.support import naive
from tests.support.command import invoke
from tests.support.helpers import board, every_rule

EASY = board(BallSort, "ab|ba|-", 2)
UNSOLVABLE = BallSort.from_text("abcd|abcd|abcd|abcd|-")
ROOMY = next(random_boards(BallSort, 16, 4, 3, seed=0)).puzzle  # whose search takes more than this step's effort


def solving(puzzle, **limits):
    return Solve(Auto(), puzzle, Limits(**limits))


@cache
def small_boards(rule):
    """Some boards, each with its optimum by an independent search."""
    boards = [each.puzzle for each in islice(random_boards(rule, 4, 3, 1, seed=5), 20)]
    return [(each, naive.optimum(each.tubes, 3, "full", water=rule is WaterSort)) for each in boards]


def together(boards, go_on=lambda: True, **limits):
    """The results of boards that are solved together."""
    return Solve.done_here([solving(puzzle, **limits) for puzzle in boards], Event(), go_on)


@pytest.fixture
def no_process(monkeypatch):
    """Fails where a process is started."""
    monkeypatch.setattr(Process, "_living_child", lambda process: pytest.fail("a process"))


@every_rule
def test_the_answers_are_those_of_an_independent_search(rule):
    boards, lengths = zip(*small_boards(rule), strict=True)
    results = together(boards)
    assert [result.length for result in results] == list(lengths)
    assert {result.status for result in results} == {Status.OPTIMAL, Status.UNSOLVABLE}
    assert all(result.stats["settled_by"] == "kernel" for result in results)


def test_short_searches_need_no_process(no_process):
    assert solve(EASY, limits=Limits(max_steps=60)).length == 3
    assert solve(EASY, limits=Limits(max_steps=2)).lower_bound == 3
    assert solve(next(random_boards(BallSort, 14, 4, 2, seed=1)).puzzle).status is Status.OPTIMAL
    boards = [each.puzzle for each in islice(random_boards(BallSort, 7, 4, 2, seed=1), 20)]
    assert [result.length for result in solve_many(boards, jobs=1)] == [solve(puzzle).length for puzzle in boards]
    code, output = invoke("solve", "level-80")
    assert (code, "38 moves" in output) == (0, True)


def test_what_takes_longer_is_left_to_workers():
    assert len(together([EASY, ROOMY, EASY])) == 1
    assert together([ROOMY, EASY]) == []


def test_all_kinds_of_boards_come_back_in_their_order():
    boards = [EASY, ROOMY, UNSOLVABLE, load("shot-literate"), EASY]
    results = list(solve_many(boards, jobs=2))
    assert [result.status for result in results] == [solve(each).status for each in boards]
    assert [result.length for result in results] == [3, results[1].length, None, results[3].length, 3]


@every_rule
@pytest.mark.parametrize("most", [3, 6, 60])
def test_a_limit_on_the_moves_changes_no_answer_of_a_short_search(rule, most):
    for puzzle, length in small_boards(rule):
        result = solve(puzzle, limits=Limits(max_steps=most))
        if length is None:
            assert result.status is Status.UNSOLVABLE
        elif length <= most:
            assert (result.status, result.length) == (Status.OPTIMAL, length)
        else:
            assert (result.status, result.lower_bound) == (Status.UNKNOWN, length)
            assert result.reason == f"no plan within {most} moves"


def test_a_short_search_keeps_the_time_limit_and_stops_when_asked(no_process):
    over = solve(ROOMY, limits=Limits(seconds=0))
    assert (over.status, over.ending) == (Status.UNKNOWN, Ending.TIME)
    stop = Event()
    stop.set()
    stopped = solve(ROOMY, stop=stop)
    assert (stopped.status, stopped.ending) == (Status.UNKNOWN, Ending.INTERRUPTED)


@dataclass(frozen=True)
class Short(Backend):
    """Finds a plan and a bound, and gives up."""

    known: Result

    name = "auto"

    def run(self, puzzle, report, max_steps=None):
        report.lower_bound(self.known.length - 1)
        report.plan(self.known.plan)
        return "given up"


def test_what_a_short_search_has_used_and_found_counts_where_another_search_goes_on(monkeypatch):
    known = solve(ROOMY)
    monkeypatch.setattr(Auto, "short_search", lambda *_: Short(known))
    monkeypatch.setattr(Solve, "spent", property(lambda job: 0.0 if job.earlier is None else 20.0))
    result = solve(ROOMY, limits=Limits(seconds=20))
    assert (result.status, result.plan, result.lower_bound) == (Status.FEASIBLE, known.plan, known.length - 1)
    assert "time limit of 20 s reached" in result.reason


@pytest.mark.parametrize(
    ("puzzle", "backend", "limits"),
    [
        (EASY, Auto(), Limits(seconds=0.5)), (EASY, Auto(), Limits(seconds=0)), (EASY, Auto(), Limits(memory_mb=0)),
        (EASY, Auto(), Limits(memory_mb=100)), (load("shot-literate"), Auto(), Limits()),
        (EASY, make_backend("astar"), Limits()),
    ],
)  # fmt: skip
def test_these_are_left_to_processes(puzzle, backend, limits):
    assert not Solve(backend, puzzle, limits).goes_here


def test_what_is_measured_is_left_to_processes_and_without_the_library_all_is(monkeypatch):
    easy = solving(EASY, seconds=60, memory_mb=1000)
    assert easy.goes_here
    assert not replace(easy, measured=True).goes_here
    monkeypatch.setattr(auto, "missing_library", lambda: "not built")
    assert not easy.goes_here


def test_no_further_ones_where_there_is_no_time():
    """What the first call of compiled code has answered by then counts."""
    assert len(together([EASY] * 200, lambda: False)) == FIRST_CHUNK
    team = Team(1)
    assert len(team.submit([solving(EASY)] * 200, Event(), 0).result().outcomes) == FIRST_CHUNK
    team.close()
