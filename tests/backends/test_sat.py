"""The SAT backend: one solver through all horizons, and what it may not claim."""

import pytest

from bsp_sat import BallSort, Status
from bsp_sat.backends.sat.backend import FASTEST, SOLVERS, Sat
from bsp_sat.encoder.registry import encodings_for
from bsp_sat.encoder.sequential.formula import Sequential
from tests.support.helpers import RULES, answer, board, case_id, reference, solve_here, under_both_rules

SMALL = list(under_both_rules("small.jsonl"))
SOLVABLE = [case for case in SMALL if case.known_answer != "unsolvable" and case.known_answer <= 13]
UNSOLVABLE = [case for case in SMALL if case.known_answer == "unsolvable"]
OTHERS = [case for case in SMALL if case not in SOLVABLE + UNSOLVABLE]


def with_encodings(cases, suitable=lambda encoding: True):
    """Each case with each encoding that takes it and is ``suitable``."""
    pairs = [(case, encoding) for case in cases for encoding in encodings_for(case.puzzle) if suitable(encoding)]
    return pytest.mark.parametrize(
        ("instance", "encoding"), pairs, ids=[f"{case_id(case)}-{encoding.name}" for case, encoding in pairs]
    )


@with_encodings(SOLVABLE)
@pytest.mark.sampled(every=4)
def test_sat_finds_the_optimum_of_small_boards(instance, encoding):
    result = solve_here(Sat(encoding, head_start=False), instance.puzzle, instance.known_answer)
    assert answer(result) == instance.known_answer
    assert (result.encoding, result.solver) == (encoding.name, FASTEST.get(encoding.name, "cadical195"))


@pytest.mark.slow
@with_encodings(OTHERS)
def test_sat_finds_the_optimum_of_the_other_small_boards(instance, encoding):
    within = instance.known_answer if instance.known_answer <= 18 else 16
    result = solve_here(Sat(encoding, head_start=False), instance.puzzle, within)
    if within == instance.known_answer:
        assert answer(result) == instance.known_answer
    else:
        assert result.status is Status.UNKNOWN


@with_encodings(UNSOLVABLE, lambda encoding: encoding.for_any_length().any_length)
@pytest.mark.sampled(every=6)
def test_an_unsolvable_board_is_proved_so_where_any_length_can_be_asked_for(instance, encoding):
    result = solve_here(Sat(encoding), instance.puzzle)
    assert (result.status, result.reason) == (Status.UNSOLVABLE, "unsatisfiable without a bound on the length")


@with_encodings(UNSOLVABLE, lambda encoding: not encoding.for_any_length().any_length)
@pytest.mark.parametrize("extra", [0, 2])
@pytest.mark.sampled(every=6)
def test_an_unsolvable_board_is_unknown_up_to_the_limit(instance, encoding, extra):
    max_steps = instance.puzzle.lower_bound() + extra
    result = solve_here(Sat(encoding), instance.puzzle, max_steps)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, max_steps + 1)
    assert result.reason == f"no plan within {max_steps} moves"


NOT_AT_ONCE = [case for case in SOLVABLE if case.puzzle.lower_bound() < case.known_answer <= 9]
TILES = [case for case in reference("grids.jsonl") if case.puzzle.kind == "tiles" and case.known_answer <= 7]


@with_encodings([*NOT_AT_ONCE, *TILES])
@pytest.mark.sampled(every=4)
def test_a_limit_below_the_optimum_proves_one_move_more(instance, encoding):
    backend = Sat(encoding, head_start=False)
    for max_steps in range(instance.known_answer):
        result = solve_here(backend, instance.puzzle, max_steps)
        assert (result.status, result.plan) == (Status.UNKNOWN, None)
        assert result.lower_bound == max(max_steps + 1, instance.puzzle.lower_bound())
        assert result.lower_bound <= instance.known_answer
    assert answer(solve_here(backend, instance.puzzle, instance.known_answer)) == instance.known_answer


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_finds_the_optimum(solver, rule):
    puzzle = board(rule, "cab|abc|bca|-", 3)
    assert answer(solve_here(Sat(Sequential(), solver, head_start=False), puzzle)) == answer(
        solve_here("astar", puzzle)
    )


def test_plain_sequential_needs_no_bound_to_start_with():
    plain = Sequential(break_symmetry=False, order_commuting=False, budget=False)
    assert answer(solve_here(Sat(plain, head_start=False), board(BallSort, "caac|bbac|bbac|-", 4))) == 12


def test_figures_tell_how_large_the_formula_was():
    stats = solve_here(Sat(Sequential(), head_start=False), board(BallSort, "ab|ba|-", 2)).stats
    assert stats["horizon"] == 3
    assert stats["clauses"] > stats["variables"] > 0
