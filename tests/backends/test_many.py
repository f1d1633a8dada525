"""`solve_many`: any number of boards, in their order."""

from itertools import count, islice
from threading import Event

import pytest

from bsp_sat import BallSort, Limits, Status, Unsupported, load, random_boards, solve_many
from tests.support.helpers import board, solve_here

EASY = board(BallSort, "ab|ba|-", 2)
SOME = [instance.puzzle for instance in islice(random_boards(BallSort, 4, 3, 2, seed=5), 12)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_as_solve_does_it_one_by_one(jobs):
    expected = [solve_here("astar", puzzle).length for puzzle in SOME]
    assert [result.length for result in solve_many(SOME, "astar", jobs=jobs)] == expected


@pytest.mark.usefixtures("no_process_is_left")
def test_boards_are_taken_as_they_are_needed():
    taken = count()
    endless = (EASY for _ in taken)
    results = list(islice(solve_many(endless, jobs=1), 3))
    assert [result.length for result in results] == [3, 3, 3]
    assert next(taken) < 100


def test_no_boards_give_no_results():
    assert list(solve_many([], jobs=2)) == []


def test_limits_are_for_each_board():
    hard = load("level-80")
    first, second = solve_many([hard, hard], "bfs", limits=Limits(seconds=0.2), jobs=1)
    assert first.status is second.status is Status.UNKNOWN
    assert min(first.seconds, second.seconds) >= 0.2


@pytest.mark.usefixtures("no_process_is_left")
def test_a_board_that_is_refused_comes_after_the_others():
    results = solve_many([EASY, load("shot-literate")], "borders", jobs=1)
    assert next(results).status is Status.UNKNOWN
    with pytest.raises(Unsupported, match="backend borders takes ball-sort and water-sort boards, not shot"):
        next(results)


@pytest.mark.usefixtures("no_process_is_left")
def test_stopping_ends_the_work():
    stop = Event()
    results = []
    for result in solve_many((EASY for _ in count()), jobs=2, stop=stop):
        results.append(result)
        if len(results) == 4:
            stop.set()
    assert len(results) == 4
