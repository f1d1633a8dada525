"""A backend from outside the package: one class and one line in the registry, and every command has it."""

import json

import pytest

from bsp_sat import BACKENDS, make_backend, solve
from bsp_sat.backends.cross_check import cross_check
from tests.support.command import invoke
from tests.support.helpers import reference, under_both_rules, wrong_answers
from tests.support.patient import Patient

EASY = "ab|ba|-"
SHORT = [
    case for case in [*under_both_rules("small.jsonl"), *reference("grids.jsonl")] if case.known_answer in range(7)
]


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(BACKENDS, Patient.name, Patient)


def run(*arguments, stdin=EASY):
    return invoke(*arguments, stdin=stdin)


def test_a_foreign_backend_is_named_like_any_other():
    assert make_backend("patient") == Patient()


def test_a_foreign_backend_finds_the_optimum_of_every_puzzle():
    assert not wrong_answers("patient", SHORT[::3])


def test_a_foreign_backend_runs_in_a_process_of_its_own_and_is_cross_checked():
    puzzle = SHORT[-1].puzzle
    witnesses = cross_check(puzzle, solve(puzzle, "patient"), lambda backend: solve(puzzle, backend))
    assert [(witness.backend.name, witness.confirms) for witness in witnesses] == [("astar", True), ("bfs", True)]


def test_solve_and_cross_check():
    code, output = run("solve", "-", "--backend", "patient", "--json", "--cross-check", "--max-steps", "9")
    result = json.loads(output)
    assert (code, result["backend"], result["length"], result["cross_check"]["confirmed"]) == (0, "patient", 3, True)


def test_a_foreign_backend_solves_many_boards():
    board = json.dumps({"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]})
    code, output = run("solve", "-", "--backend", "patient", "--jobs", "1", stdin=f"{board}\n{board}\n")
    assert (code, [json.loads(line)["length"] for line in output.splitlines()]) == (0, [3, 3])


def test_a_foreign_backend_is_compared():
    code, output = run("compare", "-", "--solvers", "patient,bfs", "--jobs", "1")
    assert code == 0
    assert "patient" in output


def test_the_answer_of_a_foreign_backend_is_certified(tmp_path):
    folder = str(tmp_path / "proof")
    assert run("solve", "-", "--backend", "patient", "--certificate", folder)[0] == 0
    code, output = run("verify", folder)
    assert (code, "Verified: 3 moves is the minimum." in output) == (0, True)


def test_choices_that_it_does_not_have_are_refused():
    code, output = run("solve", "-", "--backend", "patient:fast")
    assert (code, "backend patient has no choice 'fast'" in output) == (2, True)
