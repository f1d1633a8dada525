"""Exports, read back and solved by programs that are not ours."""

import io
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

from bsp_sat import BallSort, Plan, Unsupported, WaterSort, load, random_boards
from bsp_sat.encoder.export.lpcp import lpcp_text
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.encoder.export.weighted import weighted_formula
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import load_plan
from tests.helpers import RULES, answer, board, encodings_for, solve_here
from tests.test_cli import bsp_sat

BOARDS = ["caac|bbac|bbac|-", "cab|abc|bca|-|-", "ab|ba|-", "aabb|bbaa|-"]
UNSOLVABLE = "021|012|012|-"
FAST_DOWNWARD_FOUND, FAST_DOWNWARD_UNSOLVABLE = 0, 11

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)
every_board = pytest.mark.parametrize("text", BOARDS)


def certifying(puzzle):
    return [encoding for encoding in encodings_for(puzzle) if encoding.certifies]


@every_rule
@every_board
def test_maxsat_finds_the_optimum_of_the_wcnf(text, rule):
    puzzle = rule.from_text(text)
    for encoding in certifying(puzzle):
        wcnf = WCNF(from_string=weighted_formula(puzzle, encoding).to_wcnf())
        with RC2(wcnf) as oracle:
            assert oracle.compute() is not None
            assert oracle.cost == answer(solve_here("astar", puzzle))


@every_rule
def test_maxsat_finds_no_solution_of_an_unsolvable_board(rule):
    puzzle = rule.from_text(UNSOLVABLE)
    for encoding in certifying(puzzle):
        with RC2(WCNF(from_string=weighted_formula(puzzle, encoding).to_wcnf())) as oracle:
            assert oracle.compute() is None


@every_rule
@every_board
def test_a_pseudo_boolean_solver_finds_the_optimum_of_the_opb(text, rule, tmp_path):
    scip = pytest.importorskip("pyscipopt")
    puzzle = rule.from_text(text)
    path = tmp_path / "board.opb"
    path.write_text(weighted_formula(puzzle, certifying(puzzle)[0]).to_opb())
    model = scip.Model()
    model.hideOutput()
    model.readProblem(str(path))
    model.optimize()
    assert model.getStatus() == "optimal"
    assert round(model.getObjVal()) == answer(solve_here("astar", puzzle))


@every_rule
def test_dimacs_is_satisfiable_from_the_optimum_on(rule):
    text = "cab|abc|bca|-|-"
    puzzle = rule.from_text(text)
    optimum = answer(solve_here("astar", puzzle))
    for encoding in certifying(puzzle):
        for steps, expected in ((optimum - 1, False), (optimum, True), (optimum + 1, True), (None, True)):
            limit = () if steps is None else ("--max-steps", str(steps))
            args = ("export", "-", "--format", "dimacs", "--encoding", encoding.name, "--puzzle", rule.kind, *limit)
            cnf = CNF(from_string=bsp_sat(*args, stdin=text).stdout)
            assert any(comment.startswith("c variable 1 ") for comment in cnf.comments)
            with Solver(name="glucose4", bootstrap_with=cnf) as oracle:
                assert oracle.solve() == expected


def fast_downward(folder: Path) -> tuple[int, Path]:
    """Runs the planner on the two files, blind A*; its exit code and its plan."""
    spec = find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        pytest.skip("up-fast-downward is not installed")
    program = Path(spec.origin).parent / "downward" / "fast-downward.py"
    files = ["domain.pddl", "problem.pddl", "--search", "astar(blind())"]
    command = [sys.executable, str(program), "--plan-file", "plan", *files]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    return run.returncode, folder / "plan"


@every_rule
@pytest.mark.parametrize("text", [*BOARDS, "capacity 3\nab|ba|ab|ab|ab|ba|-\ngoal monochrome"])
def test_a_planner_finds_the_optimum_of_the_pddl(text, rule, tmp_path):
    puzzle = rule.from_text(text)
    (tmp_path / "domain.pddl").write_text(pddl_domain(puzzle))
    (tmp_path / "problem.pddl").write_text(pddl_problem(puzzle, "a board!"))
    code, path = fast_downward(tmp_path)
    assert code == FAST_DOWNWARD_FOUND
    plan = load_plan(puzzle, path)
    plan.replay(puzzle)
    assert len(plan) == answer(solve_here("astar", puzzle))


@every_rule
def test_a_planner_finds_an_unsolvable_board_unsolvable(rule, tmp_path):
    puzzle = rule.from_text(UNSOLVABLE)
    (tmp_path / "domain.pddl").write_text(pddl_domain(puzzle))
    (tmp_path / "problem.pddl").write_text(pddl_problem(puzzle, "unsolvable"))
    code, _ = fast_downward(tmp_path)
    assert code == FAST_DOWNWARD_UNSOLVABLE


def test_check_reads_a_planners_plan(tmp_path):
    plan = tmp_path / "plan"
    plan.write_text("(move-2-0 tube-1 tube-3 colour-2)\n; cost = 1 (unit cost)\n")
    run = bsp_sat("check", "-", str(plan), stdin="ab|ba|-")
    assert run.returncode == 1
    assert "after 1 move the ball-sort board is not solved" in run.stdout
    assert Plan.from_text(BallSort.from_text("ab|ba|-"), plan.read_text()).moves == ((0, 2),)


def test_the_contest_format_can_be_read_line_by_line():
    puzzle = next(random_boards(BallSort, 4, 3, 2)).puzzle
    stream = io.StringIO(lpcp_text(puzzle))
    full, empty = map(int, stream.readline().split())
    tubes = [[int(ball) for ball in line.split()] for line in stream]
    assert (full, empty, len(tubes)) == (4, 2, 4)
    renamed = BallSort.from_tubes([*tubes, *([] for _ in range(empty))], len(tubes[0]))
    assert renamed.tubes == puzzle.tubes


def test_what_a_format_cannot_hold_is_refused():
    with pytest.raises(BoardError, match=r"tubes\[1\]: the contest's format has no partly filled tubes"):
        lpcp_text(board(BallSort, "ab|b|a", 2))
    with pytest.raises(Unsupported, match="sequential encoding has no formula for plans of any length"):
        weighted_formula(load("level-80"), ENCODINGS["sequential"])


@pytest.mark.parametrize(
    ("args", "fragment"),
    [
        (("level-80", "--format", "magic"), "'magic' is not one of"),
        (("level-80", "--format", "pddl", "--encoding", "order"), "pddl has no encoding"),
        (("level-80", "--format", "wcnf", "--max-steps", "3"), "--max-steps goes with --format dimacs"),
        (("level-80", "--format", "dimacs", "--encoding", "sequential"), "give --max-steps"),
        (("shot-literate", "--format", "pddl"), "takes ball-sort and water-sort boards, not shot"),
        (
            ("shot-literate", "--format", "dimacs", "--encoding", "order"),
            "takes ball-sort and water-sort boards, not shot",
        ),
        (("tiles-2022-11-16", "--format", "dimacs"), "clicks encoding has no formula for plans of any length"),
        (("level-80", "--format", "lpcp", "--out", "/no/such/folder/file"), "No such file or directory"),
    ],
)
def test_mistakes_get_one_message(args, fragment):
    run = bsp_sat("export", *args)
    assert run.returncode == 2
    assert fragment in run.stderr
    assert "Traceback" not in run.stderr


def test_pddl_goes_into_a_folder(tmp_path):
    assert bsp_sat("export", "level-80", "--format", "pddl", "--out", str(tmp_path / "new")).returncode == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["domain.pddl", "problem.pddl"]


def test_water_pours_as_much_as_fits():
    names = [line.split()[1] for line in pddl_domain(WaterSort.from_text("ab|ba|-")).splitlines() if ":action" in line]
    assert names == ["pour-1-0-1", "pour-1-1-1", "pour-2-0-1", "pour-2-0-2", "pour-2-1-1"]
