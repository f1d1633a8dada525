"""The sequential encoding: its models are the plans, and its devices change no optimum."""

import pytest
from pysat.solvers import Solver

from bsp_sat import BallSort, IllegalMove, load
from bsp_sat.encoder.sequential.formula import Sequential
from tests.support.helpers import board, every_rule

PLAIN = Sequential(break_symmetry=False, order_commuting=False, budget=False)


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
