"""The order model of CP-SAT against A*, in both of its forms."""

import pytest

from bsp_sat import BallSort, Status, Unsupported, WaterSort, load, make_backend
from bsp_sat.backends.cpsat.backend import MODELS, CpSat, best_model
from bsp_sat.backends.result import Findings
from tests.helpers import answer, board, case_id, reference, solve_here
from tests.test_order import boards

SMALL = reference("small.jsonl", "ball-sort")
FORMS = [CpSat("order", workers=1), CpSat("order", workers=1, integer_times=True)]
every_form = pytest.mark.parametrize("backend", FORMS, ids=["literals", "times"])

EASY = board(BallSort, "ab|ba|-", 2)
UNSOLVABLE = board(BallSort, "ab|ba", 2)


class Recorder(Findings):
    """Keeps each fact in the order in which it arrives."""

    def __init__(self, puzzle):
        super().__init__(puzzle, "cpsat")
        self.bounds = []
        self.lengths = []

    def lower_bound(self, bound):
        self.bounds.append(bound)
        super().lower_bound(bound)

    def plan(self, plan):
        self.lengths.append(len(plan))
        super().plan(plan)


@pytest.mark.parametrize("instance", SMALL, ids=case_id)
def test_the_answer_on_small_boards(instance):
    result = solve_here(FORMS[0], instance.puzzle)
    assert answer(result) == instance.known_answer
    if instance.known_answer == "unsolvable":
        assert result.reason == "infeasible without a bound on the length"


@pytest.mark.parametrize("instance", SMALL[::6], ids=case_id)
def test_the_answer_with_integer_times(instance):
    assert answer(solve_here(FORMS[1], instance.puzzle)) == instance.known_answer


@every_form
def test_random_boards(backend):
    for puzzle in boards(BallSort, seed=3, count=20):
        assert answer(solve_here(backend, puzzle)) == answer(solve_here("astar", puzzle)), puzzle.tubes


@pytest.mark.slow
@every_form
def test_many_random_boards(backend):
    for puzzle in boards(BallSort, seed=4, count=500):
        assert answer(solve_here(backend, puzzle)) == answer(solve_here("astar", puzzle)), puzzle.tubes


@pytest.mark.parametrize("tubes", ["aa|-|bb", "a", "-"])
def test_finished_boards(tubes):
    assert answer(solve_here(FORMS[0], board(BallSort, tubes, max(1, len(tubes.split("|")[0]))))) == 0


def test_bounds_and_plans_are_reported_as_they_are_found():
    instance = SMALL[10]
    recorder = Recorder(instance.puzzle)
    FORMS[0].run(instance.puzzle, recorder)
    assert recorder.lengths[-1] == recorder.bounds[-1] == instance.known_answer
    assert recorder.bounds == sorted(recorder.bounds)
    assert recorder.lengths == sorted(recorder.lengths, reverse=True)


@every_form
def test_a_limit_below_the_optimum_proves_one_move_more(backend):
    instance = SMALL[10]
    for max_steps in range(instance.known_answer):
        result = solve_here(backend, instance.puzzle, max_steps)
        assert result.status is Status.UNKNOWN
        assert max_steps < result.lower_bound <= instance.known_answer
        assert result.reason == f"no plan within {max_steps} moves"
    assert answer(solve_here(backend, instance.puzzle, instance.known_answer)) == instance.known_answer


def test_a_limit_says_nothing_of_longer_plans():
    result = solve_here(FORMS[0], UNSOLVABLE, 4)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, 5)


def test_results_name_solver_and_encoding():
    result = solve_here(FORMS[0], EASY)
    assert (result.backend, result.encoding, result.solver) == ("cpsat", "order", "cp-sat")


@pytest.mark.parametrize(
    ("puzzle", "message", "best"),
    [
        (board(WaterSort, "ab|ba|-", 2), "takes ball-sort boards, not water-sort; try its sequential", "sequential"),
        (board(BallSort, "ab|ba|-", 2, "monochrome"), "no ball-sort boards with the goal monochrome", "layered"),
        (
            board(BallSort, "ab|ba|aa|-", 2),
            "no ball-sort boards with colours that fill several tubes; try encoding layered or sequential",
            "layered",
        ),
        (load("shot-literate"), "not shot", "knocks"),
    ],
    ids=["water", "monochrome", "several-homes", "shot"],
)
def test_refuses_what_it_cannot_express(puzzle, message, best):
    with pytest.raises(Unsupported, match=message):
        CpSat("order").check(puzzle)
    assert best_model(puzzle) == best


def test_models_are_chosen_by_name_or_by_board():
    assert make_backend("cpsat", EASY) == CpSat("order")
    for model in MODELS:
        assert make_backend("cpsat", EASY, encoding=model) == CpSat(model)
    assert make_backend("cpsat", board(WaterSort, "ab|ba|-", 2)) == CpSat("sequential")


def test_encodings_without_a_model_are_refused():
    with pytest.raises(Unsupported, match="not of unary"):
        solve_here(make_backend("cpsat", EASY, encoding="unary"), EASY)
