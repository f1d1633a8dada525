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
        sat, cpsat = Sat(script, head_start=head_start, guide=False), CpSat(script, head_start=head_start, guide=False)
        return solve_here({"sat": sat, "cpsat": cpsat}[request.param], EASY, max_steps)

    return run


def opened(bound, reason):
    return Status.UNKNOWN, None, bound, reason


CLIMBS = {
    "refutations without the assumptions count": (Scripted(any_length=True), (Status.OPTIMAL, 3, 3)),
    "also where no plan of any length is asked for": (Scripted(any_length=False), (Status.OPTIMAL, 3, 3)),
    "refutations that need the assumptions raise no bound":
        (Scripted(models_from=2, any_length=True), (Status.FEASIBLE, 3, 2, TOO_WEAK)),
    "nor where no plan of any length is asked for":
        (Scripted(models_from=2, any_length=False), (Status.FEASIBLE, 3, 2, TOO_WEAK)),
    "no model of any length means unsolvable":
        (Scripted(NEVER, NEVER), (Status.UNSOLVABLE, None, None, "unsatisfiable without a bound on the length")),
    "but not if that needs the assumptions": (Scripted(NEVER, 5), opened(2, TOO_WEAK)),
    "a limit proves one move more": (Scripted(NEVER, NEVER, any_length=False), opened(7, "no plan within 6 moves"), 6),
    "a limit proves nothing where the encoding is too weak":
        (Scripted(NEVER, 4, any_length=False), opened(4, TOO_WEAK), 6),
    "plans beyond the limit are of no interest": (Scripted(), opened(3, "no plan within 2 moves"), 2),
    "a plan of any length is the upper bound, where no horizon that is asked for has a model":
        (Scripted(NEVER - 1, NEVER - 1), (Status.OPTIMAL, 3, 3)),
    "with a plan known no question asks for any plan, to which this formula would say no":
        (Scripted(NEVER, NEVER), (Status.OPTIMAL, 3, 3), None, True),
}  # fmt: skip


@pytest.mark.parametrize("climb", CLIMBS)
def test_a_climb_claims_no_more_than_its_formula_shows(answer_of, climb):
    script, expected, *how = CLIMBS[climb]
    result = answer_of(script, *how)
    assert (result.status, result.length, result.lower_bound, result.reason)[: len(expected)] == expected


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
