"""Exports, read back and solved by programs that are not ours."""

import csv
import io
import json
import re
import subprocess
import sys
import sysconfig
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

from bsp_sat import BallSort, Plan, Unsupported, WaterSort, load, random_boards
from bsp_sat.encoder.export.lpcp import lpcp_text
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.encoder.export.strips import strips_domain, strips_problem
from bsp_sat.encoder.export.weighted import weighted_formula
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.encoder.registry import ENCODINGS, encodings_for
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import load_plan
from bsp_sat.instances.sorting import Pour
from tests.encoder.test_encodings import boards_for, solved_by_playing
from tests.encoder.test_order import boards as water_boards
from tests.support.command import bsp_sat
from tests.support.helpers import RULES, answer, board, every_rule, solve_here
from tests.support.optional import needed
from tests.support.unfolding import Unfolding

BOARDS = ["caac|bbac|bbac|-", "cab|abc|bca|-|-", "ab|ba|-", "aabb|bbaa|-"]
UNSOLVABLE = "021|012|012|-"
FAST_DOWNWARD_FOUND, FAST_DOWNWARD_UNSOLVABLE = 0, 11

every_board = pytest.mark.parametrize("text", BOARDS)


def asks_for_any_plan(puzzle):
    return [encoding for encoding in encodings_for(puzzle) if encoding.any_length]


every_encoding = pytest.mark.parametrize(
    "encoding",
    [encoding for encoding in [*ENCODINGS.values(), Order(dominance=False), Unfolding()] if encoding.any_length],
    ids=repr,
)

PRICE = re.compile(r'a solution is a plan if variable (\d+) \["exact"\] is true; a move costs (\d+), a variable .* 1')


def prices(comments):
    """What a move costs by the comments of a file, and the variable that has to be true in a plan, if there is one."""
    assert comments[0].endswith(" encoding: a shortest plan")
    assert comments[-1] == "UNSATISFIABLE: the board has no plan"
    if comments[1:-1] == ["OPTIMUM: the length of a shortest plan; its solution is one"]:
        return 1, None
    (found,) = PRICE.finditer(comments[1])
    variable, price = map(int, found.groups())
    assert comments[2:-1] == [
        f"OPTIMUM, if a multiple of {price}: {price} times the length of a shortest plan; its solution is one",
        f"OPTIMUM, if not: no plan has fewer moves than the optimum divided by {price}, rounded down",
    ]
    return price, variable


def optimum_of(text):
    """The least cost of a WCNF and a solution of that cost, None and None where it has none."""
    with RC2(WCNF(from_string=text)) as oracle:
        model = oracle.compute()
        return (None, None) if model is None else (oracle.cost, model)


@every_encoding
def test_the_optimum_of_a_wcnf_means_what_its_comments_say(encoding, one_in):
    for known in boards_for(encoding)[:: one_in(4)]:
        weighted = weighted_formula(known.puzzle, encoding)
        text = weighted.to_wcnf()
        price, variable = prices([line[2:] for line in text.splitlines() if line.startswith("c ")])
        cost, model = optimum_of(text)
        if known.optimum is None:
            assert cost is None, known
            continue
        assert cost == price * known.optimum, known
        assert variable is None or model[variable - 1] == variable
        plan = weighted.formula.decode(model, 0)
        plan.replay(known.puzzle)
        assert len(plan) == known.optimum


class Bent(Unfolding):
    """Has models that are no plans, and cheaper ones, without its ``exact`` assumption."""

    name = "bent"

    def formula_of(self, puzzle):
        formula = super().formula_of(puzzle)
        (ends,) = formula.at_any_length()
        formula.exact = [formula.variable("exact")]
        formula.at_any_length = lambda: [formula.define_or(("ends", "or", "bends"), [ends, -formula.exact[0]])]
        return formula


def test_an_optimum_that_is_no_plan_is_known_by_its_remainder():
    known = solved_by_playing(board(BallSort, "ab|ba|-", 2))
    text = weighted_formula(known.puzzle, Bent()).to_wcnf()
    price, variable = prices([line[2:] for line in text.splitlines() if line.startswith("c ")])
    cost, model = optimum_of(text)
    assert model[variable - 1] == -variable
    assert cost % price
    assert cost // price == known.puzzle.lower_bound() < known.optimum


def bounds_of_water(puzzle):
    """The optimum without the assumption that amounts are exact, and with it as a clause."""
    weighted = weighted_formula(puzzle, Order())
    costs = {literal: cost for literal, cost in weighted.costs.items() if -literal not in weighted.formula.exact}
    free = replace(weighted, costs=costs)
    exact = replace(free, clauses=[*free.clauses, weighted.formula.exact])
    found = [optimum_of(problem.to_wcnf())[0] for problem in (free, exact)]
    return weighted, [None if cost is None else Fraction(cost, weighted.move_cost) for cost in found]


def test_exact_amounts_of_water_bound_the_optimum_from_above_and_free_ones_from_below():
    unsolvable = 0
    for puzzle in water_boards(WaterSort, seed=9, count=20):
        optimum = answer(solve_here("astar", puzzle))
        weighted, (lower, upper) = bounds_of_water(puzzle)
        cost, _ = optimum_of(weighted.to_wcnf())
        if optimum == "unsolvable":
            unsolvable += 1
            assert lower is upper is cost is None
        else:
            assert lower <= optimum <= upper
            assert cost == weighted.move_cost * lower + (lower != upper)
    assert 0 < unsolvable < 10


@every_rule
@every_board
def test_a_pseudo_boolean_solver_finds_the_optimum_of_the_opb(text, rule, tmp_path):
    scip = needed("pyscipopt", "peers")
    puzzle = rule.from_text(text)
    path = tmp_path / "board.opb"
    problem = weighted_formula(puzzle, asks_for_any_plan(puzzle)[0]).to_opb()
    path.write_text(problem)
    header, *comments = [line[2:] for line in problem.splitlines() if line.startswith("* ")]
    assert re.fullmatch(r"#variable= \d+ #constraint= \d+", header)
    price, _ = prices(comments)
    model = scip.Model()
    model.hideOutput()
    model.readProblem(str(path))
    model.optimize()
    assert model.getStatus() == "optimal"
    assert round(model.getObjVal()) == price * answer(solve_here("astar", puzzle))


def satisfiable(cnf, *assumptions):
    with Solver(name="glucose4", bootstrap_with=cnf) as oracle:
        return oracle.get_model() if oracle.solve(assumptions=assumptions) else None


class TestDimacs:
    """Each answer is what the comments say."""

    TEXT = "cab|abc|bca|-|-"

    def exported(self, rule, encoding, steps):
        limit = () if steps is None else ("--max-steps", str(steps))
        args = ("export", "-", "--format", "dimacs", "--encoding", encoding.name, "--puzzle", rule.kind, *limit)
        cnf = CNF(from_string=bsp_sat(*args, stdin=self.TEXT).stdout)
        comments = [line.removeprefix("c ") for line in cnf.comments]
        assert comments.pop().startswith("variable ")
        (unsat,) = (number for number, line in enumerate(comments) if line.startswith("UNSATISFIABLE: "))
        return cnf, comments[: unsat + 1]

    @every_rule
    def test_there_is_a_plan_from_the_optimum_on(self, rule):
        puzzle = rule.from_text(self.TEXT)
        optimum = answer(solve_here("astar", puzzle))
        encodings = asks_for_any_plan(puzzle)
        assert encodings
        for encoding in encodings:
            for steps in (optimum - 1, optimum, optimum + 1, None):
                cnf, (head, *meant, unsat) = self.exported(rule, encoding, steps)
                question = "a plan of any length" if steps is None else f"a plan of at most {steps} moves"
                assert head == f"{encoding.name} encoding: {question}"
                assert meant[0].startswith(f"SATISFIABLE: a model is {question}")
                if steps is not None and steps < optimum:
                    assert unsat == f"UNSATISFIABLE: no plan has {steps} moves or fewer"
                    assert satisfiable(cnf) is None
                    continue
                exact = [int(found) for line in meant for found in re.findall(r"if variable (\d+)", line)]
                model = satisfiable(cnf, *exact)
                formula = encoding.encode(puzzle)
                _ = formula.at_any_length() if steps is None else formula.at_horizon(steps)
                assert formula.exact == exact
                plan = formula.decode(model, steps or 0)
                plan.replay(puzzle)
                assert optimum <= len(plan) <= (steps or len(plan))

    def test_a_formula_for_an_exact_number_of_moves_says_so(self):
        for encoding, steps, how_many in (
            ("sequential", 4, "exactly 4 moves"),
            ("sequential", 1, "exactly 1 move"),
            ("order", 4, "at most 4 moves"),
        ):
            _, (head, meant, _) = self.exported(BallSort, ENCODINGS[encoding], steps)
            assert head == f"{encoding} encoding: a plan of {how_many}"
            assert meant == f"SATISFIABLE: a model is a plan of {how_many}"

    @every_rule
    def test_comments_say_what_the_kinds_of_variables_mean_and_where_each_block_is(self, rule):
        text = bsp_sat(
            "export", "-", "--format", "dimacs", "--encoding", "order", "--puzzle", rule.kind, stdin="abb|baa|-"
        ).stdout
        formula = ENCODINGS["order"].encode(rule.from_text("abb|baa|-"))
        assert "c visit(b,j,y): ball j of block b rests on block y, for a time or for good" in text.splitlines()
        kinds = {name[0] for name in formula.names} & formula.kinds.keys()
        assert kinds == set(re.findall(r"^c (\w+)\(", text, re.MULTILINE)) >= {"before", "covers", "rests", "opens"}
        assert re.findall(r"^c (block .*)", text, re.MULTILINE) == [
            'block 0: in tube 0, 1 of colour 0 "a"',
            'block 1: in tube 0, 2 of colour 1 "b"',
            'block 2: in tube 1, 1 of colour 1 "b"',
            'block 3: in tube 1, 2 of colour 0 "a"',
        ]

    @every_rule
    def test_a_plan_is_read_by_hand_as_the_comments_of_sequential_say(self, rule):
        """Moves are numbered by those that are left, and `from` and `to` name their tubes."""
        puzzle = rule.from_text("abb|baa|-")
        length = answer(solve_here("astar", puzzle))
        command = ["export", "-", "--format", "dimacs", "--encoding", "sequential", "--max-steps", str(length)]
        text = bsp_sat(*command, "--puzzle", rule.kind, stdin="abb|baa|-").stdout
        assert {"c from(r,i): move r takes from tube i", "c to(r,i): move r goes to tube i"} <= set(text.splitlines())
        assert re.findall(r"^c (colour \d.*)", text, re.MULTILINE) == ['colour 0 is "a"', 'colour 1 is "b"']
        with Solver(bootstrap_with=CNF(from_string=text).clauses) as solver:
            assert solver.solve()
            true = set(solver.get_model())
        named = re.findall(r'^c variable (\d+) \["(from|to)",(\d+),(\d+)\]', text, re.MULTILINE)
        ends = {(kind, int(left)): int(tube) for number, kind, left, tube in named if int(number) in true}
        for left in range(length, 0, -1):
            puzzle = puzzle.apply(Pour(ends["from", left], ends["to", left]))
        assert puzzle.is_goal()

    def test_comments_say_that_horizons_of_sequential_count_together(self):
        cnf, comments = self.exported(BallSort, ENCODINGS["sequential"], 3)
        assert satisfiable(cnf) is None
        assert comments[-1] == (
            "UNSATISFIABLE: together with all lesser horizons from the puzzle's lower bound on: "
            "no plan has 3 moves or fewer"
        )

    def test_nothing_is_demanded_that_only_models_have_to_obey(self):
        """So a refutation of a water board is one of all plans."""
        cnf, comments = self.exported(WaterSort, ENCODINGS["order"], None)
        (exact,) = (int(found) for line in comments for found in re.findall(r"if variable (\d+)", line))
        assert satisfiable(cnf, -exact) is not None
        assert f'with "{exact} 0" added, every model is a plan, but UNSATISFIABLE means nothing' in comments


PDDL, STRIPS = (pddl_domain, pddl_problem), (strips_domain, strips_problem)


def fast_downward(folder, puzzle, form, heuristic="blind()"):
    """The exit code of the planner, A* with an admissible heuristic; where it finds a plan, that has to be shortest."""
    program = Path(sysconfig.get_path("platlib")) / "up_fast_downward" / "downward" / "fast-downward.py"
    if not program.exists():
        pytest.skip("no up-fast-downward: pip install -e '.[peers]'")
    for name, written in zip(("domain", "problem"), (form[0](puzzle), form[1](puzzle, "a board!")), strict=True):
        (folder / f"{name}.pddl").write_text(written)
    files = ["domain.pddl", "problem.pddl", "--search", f"astar({heuristic})"]
    command = [sys.executable, str(program), "--plan-file", "plan", *files]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if run.returncode == FAST_DOWNWARD_FOUND:
        plan = load_plan(puzzle, folder / "plan")
        plan.replay(puzzle)
        assert len(plan) == answer(solve_here("astar", puzzle))
    return run.returncode


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        *product(RULES, [*BOARDS, "capacity 3\nab|ba|ab|ab|ab|ba|-\ngoal monochrome"]),
        (BallSort, "placement any\nab|ba|-"),
        (BallSort, "any-in 3\nab|ba|-"),
        (WaterSort, "any-in 3\naab|bba|-"),
        (BallSort, "placement any\ngoal coloured\ntube-colours ba-\nab|ab|-"),
    ],
)
@pytest.mark.sampled(every=3)
def test_a_planner_finds_the_optimum_of_the_pddl(text, rule, tmp_path):
    assert fast_downward(tmp_path, rule.from_text(text), PDDL) == FAST_DOWNWARD_FOUND


@every_rule
@pytest.mark.parametrize("form", [PDDL, STRIPS])
def test_a_planner_finds_an_unsolvable_board_unsolvable(form, rule, tmp_path):
    assert fast_downward(tmp_path, rule.from_text(UNSOLVABLE), form) == FAST_DOWNWARD_UNSOLVABLE


@every_rule
@pytest.mark.parametrize("heuristic", ["blind()", "lmcut()", "cegar()", "ipdb()"])
@pytest.mark.parametrize(
    "text",
    [*BOARDS, "capacity 3\nab|ba|ab|ab|ab|ba|-\ngoal monochrome", "capacity 2\nab|ba|ab|ba|-", "abb|aab|aba|bba|-|-"],
)
@pytest.mark.sampled(every=8)
def test_heuristics_that_refuse_derived_predicates_find_the_optimum_of_strips(text, heuristic, rule, tmp_path):
    assert fast_downward(tmp_path, rule.from_text(text), STRIPS, heuristic) == FAST_DOWNWARD_FOUND


@every_rule
@pytest.mark.parametrize("text", [BOARDS[1], "capacity 3\nab|ba|ab|ab|ab|ba|-\ngoal monochrome"])
def test_strips_uses_nothing_that_a_small_planner_lacks(text, rule):
    puzzle = rule.from_text(text)
    words = strips_domain(puzzle) + strips_problem(puzzle, "small")
    assert not re.search(r"forall|exists|\(or |=|functions", words)
    assert "(not " not in "".join(re.findall(r":precondition (.*)", words))


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
        (("level-80", "--format", "magic"), "expected one of dimacs, wcnf, opb, pddl, strips, lpcp, found 'magic'"),
        (("level-80", "--format", "pddl", "--encoding", "order"), "pddl has no encoding"),
        (
            ("placement any\nab|ba|-", "--format", "strips"),
            "--format strips takes no ball-sort boards with balls that go anywhere",
        ),
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
def test_a_mistake_in_an_export_gets_one_message(args, fragment):
    run = bsp_sat("export", *args)
    assert run.returncode == 2
    assert fragment in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("form", ["pddl", "strips"])
def test_pddl_is_written_into_a_folder(form, tmp_path):
    assert bsp_sat("export", "level-80", "--format", form, "--out", str(tmp_path / "new")).returncode == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["domain.pddl", "problem.pddl"]


def test_water_in_pddl_pours_as_much_as_fits():
    names = [line.split()[1] for line in pddl_domain(WaterSort.from_text("ab|ba|-")).splitlines() if ":action" in line]
    assert names == ["pour-1-0-1", "pour-1-1-1", "pour-2-0-1", "pour-2-0-2", "pour-2-1-1"]


@pytest.mark.parametrize(("encoding", "follow"), [("order", 12), ("homes", 6), ("sequential", 4)])
def test_the_index_of_an_exported_pack_says_what_a_solver_answers(encoding, follow, tmp_path):
    """Where that follows: neither for water beyond `exact`, nor for exactly nine moves."""
    pack, out, said = tmp_path / "pack.jsonl", tmp_path / "out", 0
    boards = [rule.from_text(text) for rule in RULES for text in [*BOARDS[1:3], UNSOLVABLE]]
    boards = boards if encoding == "order" else boards[:2]
    known = [answer(solve_here("bfs", each)) for each in boards]
    lines = [
        {**each.to_json(), "name": "a/b", "optimal": {each.kind: of}} for each, of in zip(boards, known, strict=True)
    ]
    pack.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for asked in [], ["--max-steps", "9"]:
        run = bsp_sat("export", str(pack), "--format", "dimacs", "--encoding", encoding, "-o", str(out), *asked)
        assert run.returncode == 0, run.stderr
        with (out / "index.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == sum(1 if asked or of == "unsolvable" else 2 for of in known)
        for row in filter(lambda row: row["expected"], rows):
            said += 1
            with Solver(bootstrap_with=CNF(from_file=str(out / row["file"]))) as solver:
                assert row["expected"] == ("SATISFIABLE" if solver.solve() else "UNSATISFIABLE"), row
    assert said == follow


def test_a_pack_is_exported_for_planners_a_folder_for_each_board(tmp_path):
    pack = tmp_path / "pack.jsonl"
    line = {"name": "one", "optimal": {"ball-sort": 3}, **BallSort.from_text(BOARDS[2]).to_json()}
    pack.write_text(f"{json.dumps(line)}\n" * 2)
    assert bsp_sat("export", str(pack), "--format", "strips", "-o", str(tmp_path / "out")).returncode == 0
    index = (tmp_path / "out" / "index.csv").read_text().splitlines()
    assert index[1:3] == ["000-one/domain.pddl,one,,,3", "000-one/problem.pddl,one,,,3"]
    assert all((tmp_path / "out" / line.partition(",")[0]).is_file() for line in index[1:])
    assert "expected -o FOLDER for 2 boards" in bsp_sat("export", str(pack), "--format", "strips").stderr
