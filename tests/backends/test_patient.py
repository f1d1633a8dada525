"""A backend from outside the package: one class and one line in the registry, and every command has it."""

import pytest

from bsp_sat import BACKENDS, solve
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


def test_a_foreign_backend_finds_the_optimum_of_every_puzzle():
    assert not wrong_answers("patient", SHORT[::3])


def test_a_foreign_backend_runs_in_a_process_of_its_own_and_is_cross_checked():
    puzzle = SHORT[-1].puzzle
    witnesses = cross_check(puzzle, solve(puzzle, "patient"), lambda backend: solve(puzzle, backend))
    assert [(witness.backend.name, witness.confirms) for witness in witnesses] == [("astar", True), ("bfs", True)]


BOARD = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n'


@pytest.mark.parametrize(
    ("words", "stdin", "code", "said"),
    [
        ("solve - --backend patient --json --cross-check --max-steps 9", EASY, 0, '"confirmed": true'),
        ("solve - --backend patient --jobs 1", 2 * BOARD, 0, '"length": 3'),
        ("compare - --solvers patient,bfs --jobs 1", EASY, 0, "patient"),
        ("solve - --backend patient:fast", EASY, 2, "backend patient has no choice 'fast'"),
    ],
)
def test_every_command_knows_a_foreign_backend(words, stdin, code, said):
    found, output = run(*words.split(), stdin=stdin)
    assert (found, said in output) == (code, True), output


def test_the_answer_of_a_foreign_backend_is_certified(tmp_path):
    folder = str(tmp_path / "proof")
    assert run("solve", "-", "--backend", "patient", "--certificate", folder)[0] == 0
    code, output = run("verify", folder)
    assert (code, "Verified: 3 moves is the minimum." in output) == (0, True)
