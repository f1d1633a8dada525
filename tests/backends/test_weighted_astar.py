"""The quick search and what the SAT backend makes of it."""

import pytest

from bsp_sat import BallSort, Status, load, random_boards
from bsp_sat.backends.backend import Ended, Relay
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.result import Ending, Findings
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


class FirstAnswer(Relay):
    """Ends the backend at the solver's first answer, as a limit or Ctrl-C may."""

    def solver_answered(self, question):
        super().solver_answered(question)
        raise Ended


@pytest.mark.parametrize(("most", "length"), [(None, 19), (19, 19), (18, None)])
def test_a_run_that_is_stopped_gives_the_plan_that_guided_it(most, length):
    puzzle = next(random_boards(BallSort, colours=5, capacity=4, empty=2)).puzzle
    found = Findings(puzzle, "sat", max_steps=most)
    with pytest.raises(Ended):
        Sat(Sequential()).run(puzzle, FirstAnswer(found), most)
    result = found.result("interrupted", ending=Ending.INTERRUPTED)
    assert (result.length, result.status) == (length, Status.UNKNOWN if length is None else Status.FEASIBLE)
    if length is not None:
        assert result.to_json(puzzle)["stats"]["plan_by"] == "a quick search"
        assert str(result).startswith("Feasible: 19 moves; no plan has fewer than")


@pytest.mark.parametrize("backend", [Sat(), CpSat()], ids=str)
def test_a_plan_that_guides_is_not_the_answer_of_a_run_that_ends(backend):
    assert "plan_by" not in solve_here(backend, EASY).stats
