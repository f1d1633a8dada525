"""The quick search and what the SAT backend makes of it."""

import pytest

from bsp_sat import BallSort, Status, load, random_boards
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.weighted_astar import quick_plan
from bsp_sat.encoder.sequential.formula import Sequential
from tests.support.helpers import Recorder, answer, board, solve_here, under_both_rules

SMALL = list(under_both_rules("small.jsonl"))
EASY = board(BallSort, "ab|ba|-", 2)


def test_weighted_astar_finds_a_plan_where_there_is_one(one_in):
    for instance in [*SMALL, *under_both_rules("medium.jsonl")][:: one_in(7)]:
        plan = quick_plan(instance.puzzle)
        if instance.known_answer == "unsolvable":
            assert plan is None
        else:
            assert plan is not None
            assert plan.replay(instance.puzzle).is_goal()
            assert instance.known_answer <= len(plan) <= 2 * instance.known_answer


@pytest.mark.parametrize("name", ["tiles-2022-11-16", "shot-literate"])
def test_weighted_astar_takes_other_puzzles(name):
    puzzle = load(name)
    plan = quick_plan(puzzle)
    assert plan is not None
    assert plan.replay(puzzle).is_goal()


def test_weighted_astar_gives_up_soon():
    assert quick_plan(load("level-80"), max_expansions=10) is None


def test_a_head_start_changes_no_answer(one_in):
    for instance in SMALL[:: one_in(17)]:
        alone = answer(solve_here(Sat(guide=False), instance.puzzle))
        assert answer(solve_here(Sat(), instance.puzzle)) == alone
        assert answer(solve_here(Sat(head_start=True), instance.puzzle)) == alone


def test_the_plan_is_reported_before_anything_is_proved():
    puzzle = next(random_boards(BallSort, colours=5, capacity=4, empty=2)).puzzle
    recorder = Recorder(puzzle)
    Sat(head_start=True).run(puzzle, recorder)
    assert recorder.facts[0] == ("plan", len(quick_plan(puzzle)))


def test_a_plan_beyond_the_limit_is_kept_back():
    result = solve_here(Sat(head_start=True), EASY, 2)
    assert (result.status, result.plan, result.lower_bound) == (Status.UNKNOWN, None, 3)


def test_encodings_with_a_horizon_stop_below_it():
    """The optimum comes from the search here, and the proof from the horizons below it."""
    result = solve_here(Sat(Sequential(), head_start=True), EASY)
    assert answer(result) == len(quick_plan(EASY)) == 3
    assert result.stats.get("horizon", 0) < 3
