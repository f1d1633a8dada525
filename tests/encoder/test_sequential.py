"""The sequential encoding: its models are the plans, and its devices change no optimum."""

from itertools import product

import pytest
from pysat.solvers import Solver

from bsp_sat import BallSort, IllegalMove, WaterSort, load
from bsp_sat.encoder.sequential.formula import Sequential
from tests.support import naive
from tests.support.helpers import board, every_rule

PLAIN = Sequential(break_symmetry=False, order_commuting=False, budget=False)
DEVICES = [Sequential(*switches) for switches in product((False, True), repeat=3)]


def device_id(encoding):
    switched_on = [name for name in ("break_symmetry", "order_commuting", "budget") if getattr(encoding, name)]
    return "+".join(switched_on) or "plain"


every_device_set = pytest.mark.parametrize("encoding", DEVICES, ids=device_id)


def models(encoding, puzzle, horizon):
    """Every model of the formula at one horizon, as plans."""
    formula = encoding.encode(puzzle)
    assumptions = formula.at_horizon(horizon)
    with Solver(name="cadical153", bootstrap_with=formula.clauses) as oracle:
        return [formula.decode(model, horizon) for model in oracle.enum_models(assumptions=assumptions)]


COUNTED = [
    ("ab|ba|-", 2, "full", 5), ("ab|ba|-", 2, "monochrome", 4), ("ab|a|b", 2, "full", 5),
    ("ab|a|b", 2, "monochrome", 5), ("ab|ab|-|-", 2, "full", 4), ("aa|-", 2, "full", 4), ("a|a|-", 2, "monochrome", 4),
    ("aa|ab|b|-", 2, "monochrome", 3), ("ab|ba|aa|-", 2, "full", 4), ("aab|bba|-", 3, "full", 6),
    ("aab|bba|-", 3, "monochrome", 4), ("aabb|bb|aa", 4, "full", 4), ("aba|a|b|-", 4, "monochrome", 4),
    ("aaab|bbba|-", 4, "full", 4), ("a|-", 1, "full", 3),
]  # fmt: skip


@every_rule
@every_device_set
def test_every_model_is_a_plan_and_devices_only_take_models_away(encoding, rule, one_in):
    """Without devices, models and plans correspond one to one."""
    for text, capacity, goal, longest in COUNTED[:: 1 if encoding == PLAIN else one_in(8)]:
        puzzle = board(rule, text, capacity, goal)
        counts = naive.plan_counts(puzzle.tubes, capacity, goal, longest, water=rule is WaterSort)
        optimum = next((horizon for horizon, count in enumerate(counts) if count), None)
        for horizon, count in enumerate(counts):
            plans = models(encoding, puzzle, horizon)
            assert len(set(plans)) <= count
            assert encoding != PLAIN or len(plans) == len(set(plans)) == count, (text, goal, horizon)
            assert plans or horizon != optimum
            for plan in plans:
                assert plan.replay(puzzle).is_goal()


def test_a_horizon_below_the_last_one_is_refused():
    """States in front of a lesser horizon would ask for a past that the board need not have."""
    formula = Sequential().encode(board(BallSort, "ab|ba|-", 2))
    formula.at_horizon(4)
    with pytest.raises(ValueError, match="ascending"):
        formula.at_horizon(3)


@every_rule
def test_the_budget_refutes_horizons_below_the_bound_almost_without_search(rule):
    puzzle = load("level-80", rule.kind)

    def conflicts(encoding):
        formula = encoding.encode(puzzle)
        assumptions = formula.at_horizon(4)
        with Solver(name="glucose4", bootstrap_with=formula.clauses) as oracle:
            assert not oracle.solve(assumptions=assumptions)
            return oracle.accum_stats()["conflicts"]

    assert conflicts(Sequential()) <= 10 < conflicts(PLAIN)


def test_a_changed_model_does_not_pass_for_a_plan():
    """Replaying is what stands between a wrong model and a wrong answer."""
    puzzle = board(BallSort, "ab|ba|-", 2)
    formula = Sequential().encode(puzzle)
    assumptions = formula.at_horizon(3)
    with Solver(name="cadical195", bootstrap_with=formula.clauses) as oracle:
        assert oracle.solve(assumptions=assumptions)
        model = oracle.get_model()
    wrong = [-literal if formula.names[abs(literal) - 1][0] == "from" else literal for literal in model]
    with pytest.raises(IllegalMove):
        formula.decode(wrong, 3).replay(puzzle)
