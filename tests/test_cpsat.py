"""The CP-SAT model against known optima and exact distances."""

import pytest
from ortools.sat.python.cp_model import CpSolver

from bsp_sat import Status, Unsupported, WaterSort, load
from bsp_sat.backends.cpsat.backend import MODELS, CpSat
from bsp_sat.backends.cpsat.sequential import SequentialModel
from tests import naive
from tests.helpers import RULES, answer, board, case_id, solve_here, under_both_rules

SMALL = [
    case
    for case in under_both_rules("small.jsonl")
    if case.known_answer != "unsolvable" and case.known_answer <= 9
]  # fmt: skip
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)


@pytest.mark.parametrize("instance", SMALL[::2], ids=case_id)
def test_the_optimum_of_small_boards(instance):
    result = solve_here(CpSat(workers=1), instance.puzzle, instance.known_answer)
    assert answer(result) == instance.known_answer


BOARDS = [
    ("caac|bbac|bbac|-", 4, "full"),
    ("ab|a|b", 2, "monochrome"),
    ("aab|bba|-", 3, "monochrome"),
    ("aab|aab|aab|-", 3, "full"),
    ("ab|ba|aa|-", 2, "full"),
    ("aaaab|bbba|-", 5, "monochrome"),
    ("aa|-", 2, "full"),
    # Shortest plans of water where a model that may pour less than fits would do so.
    ("-|baa|aab|baa", 3, "full"),
    ("abaa|bbaa|bb|abbb|aa", 4, "full"),
    ("aa|abbb|aaab|bbab|ba", 4, "full"),
]


@every_rule
@pytest.mark.parametrize(("text", "capacity", "goal"), BOARDS)
def test_horizons_below_the_optimum_have_no_solution_and_solutions_replay(text, capacity, goal, rule):
    puzzle = board(rule, text, capacity, goal)
    optimum = naive.optimum(puzzle.tubes, capacity, goal, water=rule is WaterSort)
    assert optimum is not None
    for horizon in range(max(0, optimum - 2), optimum + 1):
        model, solver = SequentialModel(puzzle, horizon), CpSolver()
        solver.parameters.num_workers = 1
        found = solver.status_name(solver.solve(model.model))
        assert found == ("INFEASIBLE" if horizon < optimum else "OPTIMAL")
    plan = model.decode(solver)
    assert len(plan) == optimum
    assert plan.replay(puzzle).is_goal()


@every_rule
@pytest.mark.parametrize(
    ("counts", "capacity", "goal"),
    [
        ((2, 2), 2, "full"),
        ((3, 3), 3, "full"),
        ((2, 2), 2, "monochrome"),
        ((3, 1), 2, "monochrome"),
        ((4, 3), 3, "monochrome"),
    ],
)
def test_boards_of_small_families(counts, capacity, goal, rule):
    boards = set(naive.all_boards(counts, capacity, 3))
    exact = naive.distances(boards, capacity, goal, water=rule is WaterSort, tubes_in_order=True)
    for tubes in sorted(boards)[:: 1 + len(boards) // 12]:
        puzzle = rule(tubes[::-1], capacity, goal, ("a", "b"))
        longest = exact.get(tubes, 4)
        result = solve_here(CpSat(workers=1), puzzle, longest)
        if tubes in exact:
            assert answer(result) == exact[tubes], puzzle
        else:
            assert (result.status, result.lower_bound) == (Status.UNKNOWN, longest + 1)


@every_rule
def test_an_unsolvable_board_is_unknown_up_to_the_limit(rule):
    result = solve_here(CpSat(workers=1), board(rule, "ab|ba", 2), 4)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, 5)
    assert "within 4 moves" in result.reason


def test_results_name_solver_and_encoding():
    result = solve_here(CpSat(workers=1), board(RULES[0], "ab|ba|-", 2), 3)
    assert (result.backend, result.encoding, result.solver) == ("cpsat", "sequential", "cp-sat")


@pytest.mark.parametrize("model", MODELS)
def test_boards_of_other_puzzles_are_refused(model):
    wrong = load("tiles-2022-11-16" if model == "knocks" else "shot-literate")
    with pytest.raises(Unsupported, match=f"not {wrong.kind}"):
        solve_here(CpSat(model), wrong)
