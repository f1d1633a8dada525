"""What docs/ shows of the program is what the program does."""

import re

import pytest
from pysat.solvers import Solver

from bsp_sat.encoder.order.encoding import Order
from tests.support.computed_docs import PARTS, pages, written_anew
from tests.support.helpers import answer, solve_here
from tests.support.order_by_example import BOARD, FAMILIES, GROUPS, PLAN_LENGTH, example


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_computed_parts_are_as_they_would_be_written_now(page):
    text = page.read_text(encoding="utf-8")
    assert text == written_anew(text), "written anew by: python -m tests.support.computed_docs"


def test_each_part_is_shown_once():
    shown = [name for page in pages() for name in re.findall("<!-- computed: (.*) -->", page.read_text("utf-8"))]
    assert sorted(shown) == sorted(PARTS)


class TestTheExample:
    def test_its_groups_hold_all_clauses_and_no_others(self):
        formula = Order().encode(BOARD)
        bare = len(formula.clauses)
        for horizon in (PLAN_LENGTH - 1, PLAN_LENGTH):
            formula.at_horizon(horizon)
        grouped = [clause for name in ("events", *GROUPS) for clause in example().groups[name]]
        assert sorted(grouped) == sorted(formula.clauses[:bare])
        fewer, enough = (example().groups[f"at most {horizon}"] for horizon in (PLAN_LENGTH - 1, PLAN_LENGTH))
        assert [*fewer, *enough] == formula.clauses[bare:]

    def test_all_variables_are_shown_but_the_constant_and_counters(self):
        families = {name[0] for name in example().formula.names[: example().variables]}
        assert families - set(FAMILIES) == {"true", "extra"}
        assert set(FAMILIES) <= families

    def test_what_it_says_of_plans_is_true(self):
        assert BOARD.lower_bound() == PLAN_LENGTH - 1
        assert answer(solve_here("astar", BOARD)) == len(example().plan()) == PLAN_LENGTH

    def test_each_step_of_the_refutation_follows(self):
        """By a solver on nothing but the clauses of the steps before it."""
        formula, clauses = example().formula, [[literal] for literal in example().assumptions[PLAN_LENGTH - 1]]
        shown = {example().clause(clause): clause for clause in formula.clauses}
        *steps, (_, last) = example().refutation()
        for literal, reason in steps:
            clauses.append(shown[reason])
            variable = example().variable_of(literal)
            with Solver(name="minisat22", bootstrap_with=clauses) as solver:
                assert not solver.solve(assumptions=[-variable])
        with Solver(name="minisat22", bootstrap_with=[*clauses, shown[last]]) as solver:
            assert not solver.solve()
