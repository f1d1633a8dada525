"""The SAT backend: one solver through all horizons, and what it may not claim."""

import pytest

from bsp_sat import BallSort, Status
from bsp_sat.backends.sat.backend import SOLVERS, Sat
from bsp_sat.encoder.registry import ENCODINGS, encodings_for
from bsp_sat.encoder.sequential.formula import Sequential
from tests.support.helpers import answer, board, every_rule, solve_here, under_both_rules

SMALL = list(under_both_rules("small.jsonl"))
SOLVABLE = [case for case in SMALL if case.known_answer != "unsolvable" and case.known_answer <= 13]
UNSOLVABLE = [case for case in SMALL if case.known_answer == "unsolvable"]


OF_SORT = [name for name in ENCODINGS if any(ENCODINGS[name] in encodings_for(case.puzzle) for case in SMALL)]
every_encoding = pytest.mark.parametrize("name", OF_SORT)


def taken(name, cases):
    return [case for case in cases if ENCODINGS[name] in encodings_for(case.puzzle)]


@every_encoding
def test_an_unsolvable_board_is_proved_so_or_unknown_up_to_the_limit(name, one_in):
    for instance in taken(name, UNSOLVABLE)[:: one_in(5)]:
        if ENCODINGS[name].for_any_length().any_length:
            result = solve_here(Sat(ENCODINGS[name]), instance.puzzle)
            assert (result.status, result.reason) == (Status.UNSOLVABLE, "unsatisfiable without a bound on the length")
            continue
        for max_steps in (instance.puzzle.lower_bound(), instance.puzzle.lower_bound() + 2):
            result = solve_here(Sat(ENCODINGS[name]), instance.puzzle, max_steps)
            assert (result.status, result.lower_bound) == (Status.UNKNOWN, max_steps + 1)
            assert result.reason == f"no plan within {max_steps} moves"


@every_rule
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_finds_the_optimum(solver, rule):
    puzzle = board(rule, "cab|abc|bca|-", 3)
    optimum = answer(solve_here("astar", puzzle))
    for encoding in encodings_for(puzzle):
        assert answer(solve_here(Sat(encoding, solver, guide=False), puzzle)) == optimum, encoding


def test_figures_tell_how_large_the_formula_was():
    stats = solve_here(Sat(Sequential(), guide=False), board(BallSort, "ab|ba|-", 2)).stats
    assert stats["horizon"] == 3
    assert stats["clauses"] > stats["variables"] > 0
