"""Every backend of the registry does what its class declares, on boards whose answers are known."""

from itertools import product

import pytest

from bsp_sat import BACKENDS, Plan, Status, Unsupported, make_backend
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.encoder.registry import ENCODINGS
from tests.support.helpers import RULES, answer, board, reference, solve_here, under_both_rules

LONGEST = 8  # moves: what the slowest backends settle in a blink
KNOWN = [*under_both_rules("small.jsonl"), *reference("grids.jsonl")]
SOLVABLE = [case for case in KNOWN if case.known_answer != "unsolvable" and 0 < case.known_answer <= LONGEST][::5]
UNSOLVABLE = [case for case in KNOWN if case.known_answer == "unsolvable"][::8]

every_backend = pytest.mark.parametrize("name", BACKENDS)

HERE = [name for name in BACKENDS if name != "partition"]  # none of these boards stands for 3-Partition
OF_TILES = ("frontier", "sequences")  # which can always be cleared


def taken(name, cases):
    """The cases that a backend takes, some at least."""
    cases = [case for case in cases if make_backend(name).takes(case.puzzle)]
    assert cases
    return cases


def proves(name, puzzle):
    """What a backend can prove about a board."""
    return make_backend(name).for_board(puzzle).proves


@pytest.mark.parametrize("name", HERE)
def test_a_backend_takes_a_board_of_every_kind_that_it_names(name):
    kinds = {case.puzzle.kind for case in taken(name, KNOWN)}
    scope = BACKENDS[name].scope
    assert kinds == {case.puzzle.kind for case in KNOWN if scope.refusal(case.puzzle) is None}


@every_backend
def test_a_backend_refuses_other_boards_and_says_what_it_takes(name):
    backend = make_backend(name)
    refused = [case for case in KNOWN if not backend.takes(case.puzzle)]
    assert bool(refused) is (name in ("borders", "frontier", "heuristic", "kernel", "partition", "sequences"))
    for case in refused:
        with pytest.raises(Unsupported, match="takes"):
            backend.for_board(case.puzzle)


@pytest.mark.parametrize("name", HERE)
def test_a_backend_finds_the_known_answer_of_solvable_boards_and_claims_bounds_where_it_says_so(name, one_in):
    for case in taken(name, SOLVABLE)[:: one_in(4)]:
        result = solve_here(name, case.puzzle)
        assert result.status is not Status.UNSOLVABLE, case.name
        if BACKENDS[name].claims_bounds:
            assert case.puzzle.lower_bound() <= result.lower_bound <= case.known_answer, case.name
        else:
            assert (result.lower_bound, result.status) == (0, Status.FEASIBLE), case.name
        if not make_backend(name).finds_plans:
            assert result.plan is None
        elif Status.OPTIMAL in proves(name, case.puzzle):
            assert answer(result) == case.known_answer, case.name
        else:
            assert result.length >= case.known_answer, case.name


@pytest.mark.parametrize("name", [name for name in HERE if name not in OF_TILES])
def test_a_backend_finds_no_plan_of_unsolvable_boards(name, one_in):
    for case in taken(name, UNSOLVABLE)[:: one_in(3)]:
        if Status.UNSOLVABLE in proves(name, case.puzzle):
            result = solve_here(name, case.puzzle)
            assert result.plan is None
            assert result.status is Status.UNSOLVABLE or name == "borders", case.name  # which may give up
        else:
            result = solve_here(name, case.puzzle, case.puzzle.lower_bound() + 1)
            assert result.status is Status.UNKNOWN, case.name


@pytest.mark.parametrize("name", HERE)
def test_a_limit_on_the_moves_keeps_longer_plans_out(name):
    for case in taken(name, SOLVABLE)[::4]:
        result = solve_here(name, case.puzzle, case.known_answer - 1)
        assert result.plan is None
        assert result.status is Status.UNKNOWN
        proved = Status.OPTIMAL in proves(name, case.puzzle) and make_backend(name).finds_plans
        assert result.lower_bound == case.known_answer if proved else result.lower_bound <= case.known_answer


ON_THEIR_OWN = [by(encoding, guide=False) for by in (Sat, CpSat) for encoding in ENCODINGS.values()]
PLANNERS = [make_backend(name) for name in HERE if make_backend(name).finds_plans]


@pytest.mark.parametrize("backend", [*PLANNERS, *ON_THEIR_OWN, CpSat(layered=True, guide=False)], ids=str)
@pytest.mark.parametrize("limit", [None, 0])
def test_a_finished_board_needs_no_moves(backend, limit):
    for rule, text in product(RULES, ["aa|-|bb", "a", "-"]):
        puzzle = board(rule, text, max(1, len(text.partition("|")[0].strip("-"))))
        if backend.takes(puzzle):
            result = solve_here(backend, puzzle, limit)
            assert (result.status, result.plan, result.lower_bound) == (Status.OPTIMAL, Plan(()), 0)


@every_backend
def test_each_word_of_its_choices_makes_another_backend(name):
    for choice in BACKENDS[name].choices:
        for word, value in choice.values().items():
            chosen = make_backend(f"{name}:{word}")
            assert type(chosen) is BACKENDS[name]
            assert getattr(chosen, choice.field) == value, word


@pytest.mark.parametrize("solver", ["sat", "cpsat"])
@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=list(ENCODINGS))
def test_a_solver_proves_what_its_encoding_does(solver, encoding):
    proves = make_backend(f"{solver}:{encoding.name}").proves
    assert (Status.UNSOLVABLE in proves) is encoding.for_any_length().any_length
    assert Status.OPTIMAL in proves
