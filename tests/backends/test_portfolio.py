"""Two backends on one board: what they prove adds up, and nothing is left running."""

import pytest

from bsp_sat import BallSort, Limits, Status, load, solve
from bsp_sat.backends.baselines.heuristic import Heuristic
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.portfolio import Portfolio
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders
from tests.support.helpers import board, solve_here
from tests.support.misbehaving import Misbehaving

pytestmark = pytest.mark.usefixtures("no_process_is_left")

EASY = board(BallSort, "ab|ba|-", 2)


LATE = Misbehaving("plans-late-and-goes-on", "late")
SETTLED = {
    "the lead": (AStar(), Misbehaving("sleeps"), load("level-80"), 38, "astar"),
    "the second, where the lead gives up": (AStar(max_states=20), Kernel(), load("level-80"), 38, "kernel"),
    "both, as proofs add up: the lead has a plan and no bound, the second a bound of 3":
        (Heuristic(), Misbehaving("sleeps"), EASY, 3, "misbehaving"),
    "the second, while the lead tells how far it is and would go on for ever":
        (Misbehaving("goes-on"), AStar(), board(BallSort, "ab|ba|-|-", 2), 3, "astar"),
    "both, though the second would go on, too": (LATE, Misbehaving("sleeps"), EASY, 3, "late"),
}  # fmt: skip


@pytest.mark.parametrize("by", SETTLED)
def test_a_board_is_settled_by(by):
    lead, second, puzzle, length, name = SETTLED[by]
    result = solve_here(Portfolio(lead, second), puzzle)
    assert (result.status, result.length, result.stats["settled_by"]) == (Status.OPTIMAL, length, name)
    assert (result.backend, result.stats.get("expansions", 1) > 0) == ("portfolio", True)


def test_the_second_ends_the_lead():
    puzzle = next(partition_boards(BallSort, 4, 24, solvable=False)).puzzle  # more than A* can exhaust
    result = solve_here(Portfolio(AStar(), Borders()), puzzle)
    assert (result.status, result.reason) == (Status.UNSOLVABLE, "border argument")
    assert result.stats["settled_by"] == "borders"


def test_neither_backend_settles_it():
    result = solve_here(Portfolio(AStar(max_states=20), Borders()), load("level-80"))
    assert result.status is Status.UNKNOWN
    assert "astar: more than 20 states" in result.reason
    assert "borders: the border argument finds no obstacle" in result.reason


@pytest.mark.parametrize("backends", [(AStar(), Kernel()), (AStar(max_states=20), Kernel())], ids=["lead", "second"])
def test_a_limit_on_the_moves_holds_for_both(backends):
    result = solve_here(Portfolio(*backends), load("level-80"), 37)
    assert (result.status, result.lower_bound, result.reason) == (Status.UNKNOWN, 38, "no plan within 37 moves")


def test_the_lead_may_crash():
    with pytest.raises(RuntimeError, match="upside down"):
        solve_here(Portfolio(Misbehaving("raises"), Misbehaving("sleeps")), EASY)


@pytest.mark.parametrize("limits", [Limits(seconds=1.5), Limits(memory_mb=250)], ids=["time", "memory"])
def test_limits_end_both_searches_of_a_portfolio(limits):
    pair = Portfolio(AStar(max_states=20), Misbehaving("eats-memory" if limits.memory_mb else "sleeps"))
    result = solve(load("level-80"), pair, limits=limits)
    assert result.status is Status.UNKNOWN
    assert "limit of" in result.reason


def test_the_two_searches_of_a_portfolio_share_the_memory():
    halves = Portfolio(Kernel(), Kernel()).within(2000)
    assert [halves.lead.memory_mb, halves.second.memory_mb] == [Kernel().within(1000).memory_mb] * 2


def test_the_second_settles_it_under_a_lead_that_tells_no_progress_and_goes_on_for_ever():
    result = solve(EASY, Portfolio(Misbehaving("reports-without-end"), AStar()))
    assert (result.status, result.stats["settled_by"]) == (Status.OPTIMAL, "astar")
