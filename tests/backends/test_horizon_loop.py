"""What a climb from horizon to horizon may claim, on formulas whose models are laid down, by both kinds of solvers."""

from itertools import count
from types import SimpleNamespace

import pytest

from bsp_sat import BackendError, Plan, Pour, Status
from bsp_sat.backends import result as result_module
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.sat.horizon_loop import TOO_WEAK
from bsp_sat.encoder.registry import ENCODINGS
from tests.support.helpers import solve_here
from tests.support.scripted import EASY, EASY_PLAN, NEVER, Scripted, ScriptedFormula


@pytest.fixture(params=["sat", "cpsat"])
def answer_of(request, monkeypatch):
    """Solves the board by a scripted encoding."""

    def run(script, max_steps=None, head_start=False):
        monkeypatch.setitem(ENCODINGS, script.name, script)
        sat, cpsat = Sat(script, head_start=head_start), CpSat(script, head_start=head_start)
        return solve_here({"sat": sat, "cpsat": cpsat}[request.param], EASY, max_steps)

    return run


@pytest.mark.parametrize("any_length", [True, False])
def test_refutations_without_the_assumptions_count(answer_of, any_length):
    result = answer_of(Scripted(any_length=any_length))
    assert (result.status, result.length, result.lower_bound) == (Status.OPTIMAL, 3, 3)


@pytest.mark.parametrize("any_length", [True, False])
def test_refutations_that_need_the_assumptions_raise_no_bound(answer_of, any_length):
    result = answer_of(Scripted(models_from=2, any_length=any_length))
    assert (result.status, result.length, result.lower_bound) == (Status.FEASIBLE, 3, 2)
    assert result.reason == TOO_WEAK


def test_later_refutations_don_t_count_either(answer_of):
    """All lesser horizons have to be refuted, too."""

    class Returns(Scripted):
        """No model at horizon 3 again."""

        def encode(self, puzzle):
            formula = super().encode(puzzle)
            formula.add(-formula.at_horizon(3)[0])
            return formula

    result = answer_of(Returns(plans_from=4, models_from=2, any_length=False))
    assert (result.status, result.length, result.lower_bound) == (Status.FEASIBLE, 3, 2)


def test_a_plan_found_by_a_leap_counts_only_when_all_below_it_is_refuted(answer_of):
    """Horizons 2 and 3 are refuted, at 5 is a plan, and then 4 has to be refuted too."""

    class Leaping(ScriptedFormula):
        leaps = True

    class Leaps(Scripted):
        def encode(self, puzzle):
            return Leaping(self)

    longer = Plan((*EASY_PLAN.moves, Pour(0, 1), Pour(0, 1)))
    result = answer_of(Leaps(plans_from=5, models_from=5, any_length=False, plan=longer), 5)
    assert (result.status, result.length, result.lower_bound) == (Status.OPTIMAL, 5, 5)
    assert [question.horizon for question in result.questions if question.exact] == [2, 3, 5, 4]


def test_a_plan_longer_than_its_horizon_is_a_bug_and_is_not_asked_for_again(answer_of):
    with pytest.raises(BackendError, match="found a plan of 3 moves, asked for at most 2"):
        answer_of(Scripted(plans_from=2, models_from=2, any_length=False))


@pytest.mark.parametrize("uses_exact", [True, False])
def test_questions_say_whether_models_were_restricted_and_how_long_they_took(answer_of, uses_exact, monkeypatch):
    clock = SimpleNamespace(perf_counter=count().__next__)  # a second from one look to the next
    monkeypatch.setattr(result_module, "time", clock)
    result = answer_of(Scripted(any_length=False, uses_exact=uses_exact))
    assert [each.exact for each in result.questions] == ([True, False, True] if uses_exact else [False, False])
    assert {each.seconds for each in result.questions} == {1}


def test_no_model_of_any_length_means_unsolvable(answer_of):
    result = answer_of(Scripted(plans_from=NEVER, models_from=NEVER))
    assert (result.status, result.reason) == (Status.UNSOLVABLE, "unsatisfiable without a bound on the length")


def test_but_not_if_that_needs_the_assumptions(answer_of):
    result = answer_of(Scripted(plans_from=NEVER, models_from=5))
    assert (result.status, result.lower_bound, result.reason) == (Status.UNKNOWN, 2, TOO_WEAK)


def test_a_limit_proves_one_move_more(answer_of):
    result = answer_of(Scripted(plans_from=NEVER, models_from=NEVER, any_length=False), 6)
    assert (result.status, result.lower_bound, result.reason) == (Status.UNKNOWN, 7, "no plan within 6 moves")


def test_a_limit_proves_nothing_where_the_encoding_is_too_weak(answer_of):
    result = answer_of(Scripted(plans_from=NEVER, models_from=4, any_length=False), 6)
    assert (result.status, result.lower_bound, result.reason) == (Status.UNKNOWN, 4, TOO_WEAK)


def test_plans_beyond_the_limit_are_of_no_interest(answer_of):
    result = answer_of(Scripted(), 2)
    assert (result.status, result.lower_bound, result.reason) == (Status.UNKNOWN, 3, "no plan within 2 moves")


def test_a_plan_of_any_length_is_the_upper_bound(answer_of):
    """This formula has no model at any horizon that is asked for."""
    result = answer_of(Scripted(plans_from=NEVER - 1, models_from=NEVER - 1))
    assert (result.status, result.length, result.lower_bound) == (Status.OPTIMAL, 3, 3)


def test_with_a_plan_known_no_question_asks_for_any_plan(answer_of):
    """This formula would say no."""
    result = answer_of(Scripted(plans_from=NEVER, models_from=NEVER), head_start=True)
    assert (result.status, result.length, result.lower_bound) == (Status.OPTIMAL, 3, 3)
