"""Backends side by side: what they prove adds up, and nothing is left running."""

import psutil
import pytest

from bsp_sat import BallSort, Limits, Status, load, solve
from bsp_sat.backends.astar import AStar
from bsp_sat.backends.borders import Borders
from bsp_sat.backends.heuristic import Heuristic
from bsp_sat.backends.in_turn import InTurn
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.race import Race
from bsp_sat.backends.result import BackendError
from tests.helpers import board, solve_here
from tests.misbehaving import Misbehaving

EASY = board(BallSort, "ab|ba|-", 2)


@pytest.fixture(autouse=True)
def _no_process_is_left():
    def children():
        return {child.pid for child in psutil.Process().children(recursive=True)}

    before = children()
    yield
    assert children() <= before


def test_the_first_to_settle_it_ends_the_others():
    result = solve_here(Race((Misbehaving("sleeps"), AStar(), Misbehaving("sleeps"))), EASY)
    assert (result.status, result.length, result.stats["settled_by"]) == (Status.OPTIMAL, 3, "astar")
    assert result.stats["expansions"] > 0
    assert result.backend == "misbehaving|astar|misbehaving"


def test_proofs_add_up():
    """The one only reports a bound of 3, the other a plan that it has no bound for."""
    result = solve_here(Race((Misbehaving("sleeps"), Heuristic())), EASY)
    assert (result.status, result.length) == (Status.OPTIMAL, 3)


def test_an_unsolvable_board():
    result = solve_here(Race((Misbehaving("sleeps"), Borders())), board(BallSort, "abcd|abcd|abcd|abcd|-", 4))
    assert (result.status, result.reason) == (Status.UNSOLVABLE, "border argument")


def test_nobody_settles_it():
    result = solve_here(Race((AStar(max_states=20), Borders())), load("level-80"))
    assert result.status is Status.UNKNOWN
    assert "astar: more than 20 states" in result.reason
    assert "borders: the border argument finds no obstacle" in result.reason


def test_a_limit_on_the_moves_holds_for_all():
    result = solve_here(Race((AStar(), Kernel())), load("level-80"), 37)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, 38)


def test_all_end_when_one_proves_that_no_plan_is_short_enough():
    result = solve_here(Race((Misbehaving("sleeps"), Misbehaving("sleeps"))), EASY, 2)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, 3)
    assert result.reason == "no plan within 2 moves"


def test_what_was_proved_before_counts():
    """Nobody in the race has a plan."""
    result = solve_here(InTurn(Heuristic(), Race((Misbehaving("sleeps"), Misbehaving("sleeps")))), EASY)
    assert (result.status, result.length) == (Status.OPTIMAL, 3)


def test_a_member_that_no_process_can_be_told_of_is_reported():
    class Local(Misbehaving):
        pass

    with pytest.raises(BackendError, match="Local"):
        solve_here(Race((Local("sleeps"), Misbehaving("sleeps"))), EASY)


def test_a_crash_is_reported():
    with pytest.raises(BackendError, match="upside down"):
        solve_here(Race((Misbehaving("raises"), Misbehaving("sleeps"))), EASY)


@pytest.mark.parametrize("limits", [Limits(seconds=1.5), Limits(memory_mb=250)], ids=["time", "memory"])
def test_limits_end_all_of_them(limits):
    race = Race((Misbehaving("eats-memory" if limits.memory_mb else "sleeps"), Misbehaving("sleeps")))
    result = solve(EASY, race, limits=limits)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, 3)
    assert "limit of" in result.reason


def test_members_share_the_memory():
    halves = Race((Kernel(), Kernel())).within(2000).members
    assert [member.memory_mb for member in halves] == [Kernel().within(1000).memory_mb] * 2
