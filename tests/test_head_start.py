"""A light backend beside the start of another: whoever settles the board first ends the other."""

from threading import Event

import pytest

from bsp_sat import BallSort, Limits, Status, load, solve
from bsp_sat.backends.baselines.partition import partition_boards
from bsp_sat.backends.kernel.backend import Kernel
from bsp_sat.backends.process.head_start import HeadStart
from bsp_sat.backends.process.supervisor import Worker
from bsp_sat.backends.result import BackendError
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders
from bsp_sat.instances.generators import random_boards
from tests.helpers import board
from tests.misbehaving import Misbehaving

pytestmark = pytest.mark.usefixtures("no_process_is_left")

EASY = board(BallSort, "ab|ba|-", 2)
LARGE = next(random_boards(BallSort, 16, 4, 3)).puzzle


def test_the_light_one_answers_and_ends_the_other():
    result = solve(load("level-80"), HeadStart(AStar(), Misbehaving("sleeps")))
    assert (result.status, result.length, result.backend) == (Status.OPTIMAL, 38, "astar+misbehaving")
    assert result.stats["settled_by"] == "astar"
    assert result.stats["expansions"] > 0


def test_the_main_one_goes_on_where_the_light_one_gives_up():
    result = solve(load("level-80"), HeadStart(AStar(max_states=20), Kernel()))
    assert (result.status, result.length) == (Status.OPTIMAL, 38)
    assert "settled_by" not in result.stats


def test_the_main_one_ends_the_light_one():
    puzzle = next(partition_boards(BallSort, 4, 24, solvable=False)).puzzle  # too much for A*
    result = solve(puzzle, HeadStart(AStar(), Borders()))
    assert (result.status, result.reason) == (Status.UNSOLVABLE, "border argument")


def test_a_plan_of_the_light_one_may_meet_a_bound_of_the_main_one():
    """Neither knows, and both would go on for ten minutes."""
    result = solve(EASY, HeadStart(Misbehaving("plans-late-and-goes-on", "late"), Misbehaving("sleeps")))
    assert (result.status, result.length, result.stats["settled_by"]) == (Status.OPTIMAL, 3, "late")


def test_a_limit_on_the_moves_holds_for_both():
    result = solve(load("level-80"), HeadStart(AStar(), Misbehaving("sleeps")), limits=Limits(37))
    assert (result.status, result.lower_bound, result.reason) == (Status.UNKNOWN, 38, "no plan within 37 moves")


def test_a_time_limit_ends_both():
    result = solve(LARGE, HeadStart(AStar(), Misbehaving("sleeps")), limits=Limits(seconds=0.5))
    assert (result.status, result.reason) == (Status.UNKNOWN, "time limit of 0.5 s reached")
    assert result.lower_bound >= LARGE.lower_bound()
    assert result.seconds < 2


def test_an_interruption_ends_both():
    stop = Event()
    stop.set()
    result = solve(LARGE, HeadStart(AStar(), Misbehaving("sleeps")), stop=stop)
    assert (result.status, result.reason) == (Status.UNKNOWN, "interrupted")


@pytest.mark.parametrize(
    ("light", "main"), [(AStar(), Misbehaving("raises")), (Misbehaving("raises"), Misbehaving("sleeps"))]
)
def test_a_crash_is_reported(light, main):
    with pytest.raises(BackendError, match="upside down"):
        solve(LARGE, HeadStart(light, main))


def test_progress_is_told():
    heard = []
    solve(LARGE, HeadStart(AStar(), Misbehaving("sleeps")), limits=Limits(seconds=0.5), on_progress=heard.append)
    assert len(heard) >= 3
    assert heard[-1].lower_bound >= LARGE.lower_bound()


def test_a_process_that_is_there_needs_no_head_start():
    """So a file of many boards is the main one's."""
    with Worker() as worker:
        worker.start()
        result = worker.run(HeadStart(Misbehaving("raises"), AStar()), EASY, Limits())
    assert (result.status, result.length) == (Status.OPTIMAL, 3)


def test_memory_is_the_main_ones():
    assert HeadStart(AStar(), Kernel()).within(1000) == HeadStart(AStar(), Kernel().within(1000))
