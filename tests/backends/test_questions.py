"""What solvers are asked, as facts that backends report one by one."""

import pytest

from bsp_sat import BackendError, BallSort, Limits, Status, WaterSort, make_backend, solve
from bsp_sat.backends.backend import Relay
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.explanation import asked_in_words
from bsp_sat.backends.portfolio import Portfolio
from bsp_sat.backends.result import Asks, Findings
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.encoder.registry import ENCODINGS
from tests.support.helpers import board, solve_here
from tests.support.scripted import EASY as SCRIPTED_BOARD
from tests.support.scripted import NEVER, Scripted

EASY = board(BallSort, "caac|bbac|bbac|-", 4)
STUCK = board(BallSort, "abcd|abcd|abcd|abcd|-", 4)


def asked(result):
    return [(question.asks, question.horizon, question.satisfiable) for question in result.questions]


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
@pytest.mark.parametrize(("encoding", "asks"), [("sequential", Asks.EXACTLY), ("order", Asks.AT_MOST)])
def test_the_column_is_named_by_what_is_bounded(backend, encoding, asks):
    result = solve_here(make_backend(f"{backend}:{encoding}"), EASY)
    assert (result.status, {question.asks for question in result.questions}) == (Status.OPTIMAL, {asks})
    assert [question.horizon for question in result.questions if question.satisfiable][-1] == 12
    assert [question.horizon for question in result.questions if question.refutes][-1] == 11


def test_a_minimising_run_lists_what_it_has_found_out_before_it_ends():
    """A plan, and then that there is none shorter, are two answers; a run that is cut short has those of before."""
    findings = Findings(EASY, "cpsat")
    answered = []

    class Watching(Relay):
        def plan(self, plan):
            answered.append((len(plan), [question.horizon for question in findings.questions]))
            super().plan(plan)

    make_backend("cpsat:order").run(EASY, Watching(findings))
    assert answered
    assert all(length in horizons for length, horizons in answered)
    assert {(12, True), (11, False)} <= {(each.horizon, each.satisfiable) for each in findings.questions}


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
@pytest.mark.parametrize("encoding", ["sequential", "order", "homes"])
def test_a_plan_is_a_model_unless_a_head_start_is_asked_for(backend, encoding):
    result = solve_here(f"{backend}:{encoding}", EASY)
    assert (result.length, any(question.satisfiable for question in result.questions)) == (12, True)
    assert "quick search" not in asked_in_words(result)
    result = solve_here(f"{backend}:{encoding}:head-start", EASY)
    assert (result.length, {question.satisfiable for question in result.questions}) == (12, {False})
    assert "The plan of 12 moves is that of a quick search, no model." in asked_in_words(result)


@pytest.mark.parametrize("backend", [Sat(Scripted(NEVER, NEVER)), CpSat(Scripted(NEVER, NEVER))], ids=["sat", "cpsat"])
def test_a_formula_without_a_model_where_there_is_a_plan_is_a_bug(backend):
    with pytest.raises(BackendError, match="refuted 3 moves, and there is such a plan"):
        solve_here(backend, SCRIPTED_BOARD)


def test_a_plan_of_any_length_has_no_horizon():
    assert asked(solve_here("sat:order", STUCK)) == [(Asks.ANY, None, False)]


def test_integer_models_report_their_size_and_their_layers():
    puzzle = next(partition_boards(BallSort, 2, 12, solvable=True)).puzzle
    (question,) = solve_here(CpSat(layered=True, guide=False), puzzle).questions
    assert (question.satisfiable, question.horizon) == (True, puzzle.lower_bound())
    assert min(question.layers, question.variables, question.clauses) > 0


def test_too_few_layers_refute_nothing():
    """Before each question with enough layers comes a short one with few of them."""
    water = board(BallSort, "aabb|bbaa|-", 4)
    questions = solve_here(CpSat(layered=True, guide=False), water).questions
    assert any(question.exact and question.satisfiable is not True for question in questions)
    assert not any(question.refutes for question in questions if question.exact)


def test_restricted_models_refute_nothing():
    questions = solve_here("sat:order", board(WaterSort, "cba|bba|acc|-", 3)).questions
    assert [(each.satisfiable, each.exact, each.refutes) for each in questions] == [
        (False, True, False),
        (False, False, True),
        (True, True, False),
    ]


def test_questions_come_from_another_process_one_by_one():
    seen = []
    result = solve(EASY, "sat:sequential", limits=Limits(), on_progress=lambda now: seen.append(now.questions))
    assert len(result.questions) == 4
    assert all(questions == result.questions[: len(questions)] for questions in seen)
    listed = result.to_json(EASY)["stats"]["questions"]
    assert [each["horizon"] for each in listed] == [9, 10, 11, 12]
    assert listed[0].keys() >= {"horizon", "exact", "variables", "clauses", "satisfiable", "conflicts", "seconds"}


def test_a_chain_passes_on_what_its_second_backend_asked():
    result = solve_here(Portfolio(AStar(max_states=1), Sat(ENCODINGS["sequential"])), EASY)
    assert (result.settled_by, [question.horizon for question in result.questions]) == ("sat", [9, 10, 11, 12])
