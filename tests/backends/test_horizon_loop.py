"""What a climb from horizon to horizon may claim, on formulas whose models are laid down, by both kinds of solvers."""

import pytest

from bsp_sat import Status
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.sat.horizon_loop import TOO_WEAK
from bsp_sat.encoder.registry import ENCODINGS
from tests.support.helpers import solve_here
from tests.support.scripted import EASY, NEVER, Scripted


@pytest.fixture(params=["sat", "cpsat"])
def answer_of(request, monkeypatch):
    """Solves the board by a scripted encoding."""

    def run(script, max_steps=None, head_start=False):
        monkeypatch.setitem(ENCODINGS, script.name, script)
        sat, cpsat = Sat(script, head_start=head_start), CpSat(script, workers=1, head_start=head_start)
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


def test_with_a_plan_at_hand_nobody_asks_whether_there_is_one(answer_of):
    """This formula would say no."""
    result = answer_of(Scripted(plans_from=NEVER, models_from=NEVER), head_start=True)
    assert (result.status, result.length, result.lower_bound) == (Status.OPTIMAL, 3, 3)
