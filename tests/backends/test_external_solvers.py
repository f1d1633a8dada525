"""SAT solvers that are programs on PATH: played by scripts, and those that are installed."""

import os
import signal
import sys
from pathlib import Path
from threading import Event, Thread

import psutil
import pytest

from bsp_sat import BallSort, Unsupported, make_backend, solve
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.sat.external_programs import PROGRAMS, model_by, program_of
from bsp_sat.encoder.registry import encodings_for
from bsp_sat.instances.errors import BackendError
from tests.support.helpers import answer, board, solve_here, wait_until

HONEST = """
import sys
from pysat.solvers import Solver
assert sys.argv[1:] == ["-q"]
clauses = [[int(word) for word in line.split()[:-1]] for line in sys.stdin if line[0] not in "cp"]
with Solver("cadical195", bootstrap_with=clauses) as solver:
    if not solver.solve():
        print("s UNSATISFIABLE")
        sys.exit(20)
    print("s SATISFIABLE")
    print("v " + " ".join(str(literal) for literal in solver.get_model()) + " 0")
sys.exit(10)
"""
SMALL = board(BallSort, "cab|abc|bca|-", 3)


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Puts a Python program onto PATH as Kissat."""

    def put(text: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "program.py").write_text(text, encoding="utf-8")
        program = folder / "kissat"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {folder}/program.py "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return program

    return put


def test_every_encoding_is_asked_in_full(script):
    script(HONEST)
    puzzle = board(BallSort, "aab|bba|-", 3)
    optimum = answer(solve_here("astar", puzzle))
    for encoding in encodings_for(puzzle):
        result = solve_here(Sat(encoding, "kissat", guide=False), puzzle)
        assert (answer(result), result.solver) == (optimum, "kissat")


def test_an_external_solver_proves_unsolvable_boards_so(script):
    script(HONEST)
    assert answer(solve_here("sat:kissat", board(BallSort, "021|012|012|-", 3))) == "unsolvable"


@pytest.mark.parametrize("name", [name for name in PROGRAMS if program_of(name)])
def test_programs_that_are_installed_find_the_optimum(name):
    assert answer(solve_here(Sat(solver=name, guide=False), SMALL)) == answer(solve_here("astar", SMALL))


def test_an_external_solver_that_isn_t_there_is_refused_before_anything_starts(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match="the solver kissat is not on PATH"):
        solve(SMALL, "sat:kissat")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "print('s SATISFIABLE'); print('v 1 2 0'); raise SystemExit(10)",
            "kissat says that there is a model, and gives none of the formula",
        ),
        (
            "print('s SATISFIABLE'); print('v one 0'); raise SystemExit(10)",
            "kissat says that there is a model, and gives none of the formula",
        ),
        ("print('s SATISFIABLE'); raise SystemExit(20)", "kissat ended with exit code 20: s SATISFIABLE"),
        ("raise SystemExit(20)", "kissat ended with exit code 20: no message"),
        ("print('s UNSATISFIABLE')", "kissat ended with exit code 0: s UNSATISFIABLE"),
        ("import sys; sys.exit('no room\\nat all')", "kissat ended with exit code 1: at all"),
        ("import os; os.kill(os.getpid(), 11)", "kissat ended with exit code -11: no message"),
    ],
)
def test_what_isn_t_an_answer_is_no_answer(script, text, message):
    script(text)
    with pytest.raises(BackendError) as caught:
        model_by("kissat", [[1, 2], [-1, -2]], 2)
    assert str(caught.value) == message


def test_an_external_solver_that_the_system_kills_had_too_little_memory(script):
    script(f"import os; os.kill(os.getpid(), {int(signal.SIGKILL)})")
    result = solve(SMALL, Sat(solver="kissat", guide=False))
    assert (str(result.status), result.reason) == ("unknown", "out of memory")


def test_an_external_solver_ends_with_the_run(script, tmp_path):
    noted, stop = tmp_path / "pid", Event()
    script(f"import os, pathlib, time; pathlib.Path({str(noted)!r}).write_text(str(os.getpid())); time.sleep(3600)")

    def stop_once_it_runs() -> None:
        wait_until(lambda: noted.exists() and bool(noted.read_text()))
        stop.set()

    watching = Thread(target=stop_once_it_runs)
    watching.start()
    assert solve(SMALL, Sat(solver="kissat", guide=False), stop=stop).reason == "interrupted"
    watching.join()
    wait_until(lambda: not psutil.pid_exists(int(noted.read_text())))


def test_an_external_solver_has_a_word_in_specifications():
    assert make_backend("sat:order:kissat").specification == "sat:order:kissat"
