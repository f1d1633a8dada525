"""`compare --external`: programs of other people, right and wrong, and the atlas to try them on."""

import hashlib
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from threading import Event

import psutil
import pytest
from click.testing import CliRunner

from bsp_sat import BackendError, Limits, Unsupported, load_instances, solve
from bsp_sat.backends.run import local_pool
from bsp_sat.backends.search.astar import AStar
from bsp_sat.cli.commands.compare_output import print_faults
from bsp_sat.cli.group import commands
from bsp_sat.comparison.external import MOST_OUTPUT, run_external
from bsp_sat.comparison.store import CampaignRun, Proved, open_campaign
from bsp_sat.instances import files
from bsp_sat.instances.files import parse_instances
from tests.support.helpers import solve_here, wait_until
from tests.support.optional import needed

DATA = Path(files.__file__).parent / "data"
BOARDS = parse_instances('{"name": "one", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}')
"""Solved in three moves: 1 → 3, 2 → 1, 2 → 3."""

TIMES = (("a", 1.0), ("b", 0.25), ("c", 2.0))

SHORTEST, LONGER, ILLEGAL = "1 3\n2 1\n2 3", "1 3\n2 1\n2 3\n1 2\n1 2", "1 2"


def program(tmp_path, said, *, code=0, before=""):
    """The command line of a program that says something."""
    path = tmp_path / "solver.py"
    path.write_text(f"import sys, time\nopen(sys.argv[1]).read()\n{before}\nprint({said!r})\nsys.exit({code})\n")
    return f"{sys.executable} {path} {{board}}"


def outcome(command, answer=3, seconds=20.0):
    stop = Event()
    with open_campaign(None) as campaign, local_pool(1, stop) as pool:
        campaign.add(BOARDS, [])
        (run,) = run_external(command, BOARDS, [answer], Limits(seconds=seconds), campaign, pool, stop)
    return run


@pytest.mark.parametrize(
    ("said", "answer", "status", "error"),
    [
        (SHORTEST, 3, "optimal", None),
        (SHORTEST, None, "feasible", None),
        (LONGER, 3, "feasible", None),
        ('{"plan": [[0, 2], [1, 0], [1, 2]]}', 3, "optimal", None),
        ("unsolvable", "unsolvable", "unsolvable", None),
        ('{"status": "unsolvable", "plan": null}', "unsolvable", "unsolvable", None),
        ("unsolvable", 3, "failed", "says that there is no plan, and there is one of 3 moves"),
        (ILLEGAL, 3, "failed", "move 1 (1 → 2  b) is illegal: tube 2 is full"),
        ("1 3", 3, "failed", "after 1 move the ball-sort board is not solved"),
        ("hello", 3, "failed", "line 1: "),
        (
            '{"status": "optimal", "plan": [[0,2],[1,0],[1,2],[0,1],[0,1]]}',
            3,
            "failed",
            "says that 5 moves are the fewest",
        ),
        ("", 3, "unknown", "no answer"),
        ('{"status": "unknown", "plan": null}', 3, "unknown", "no answer"),
        ("[" * 100_000, 3, "failed", "not a plan"),
    ],
)
def test_what_an_answer_is_worth(tmp_path, said, answer, status, error):
    run = outcome(program(tmp_path, said), answer)
    assert run.status == status
    assert (run.error is None) == (error is None)
    assert error is None or run.error.startswith(error)
    assert (run.length is None) == (status not in ("optimal", "feasible"))


def test_an_answer_counts_whatever_the_exit_code(tmp_path):
    assert outcome(program(tmp_path, "unsolvable", code=1), "unsolvable").status == "unsolvable"
    assert outcome(program(tmp_path, "", code=7)).error == "ended with exit code 7"


def test_a_program_is_ended_in_time_with_what_it_started(tmp_path):
    child = tmp_path / "child"
    begins = f"import subprocess; open({str(child)!r}, 'w').write(str(subprocess.Popen(['sleep', '600']).pid))"
    run = outcome(program(tmp_path, SHORTEST, before=f"{begins}; time.sleep(600)"), seconds=2)
    assert (run.status, run.error) == ("unknown", "no answer within 2 s")
    wait_until(lambda: not child.exists() or not psutil.pid_exists(int(child.read_text())))


def test_a_program_that_prints_without_end_has_no_answer_and_is_ended():
    run = outcome("sh -c 'exec yes 1 3' {board}", seconds=None)
    assert (run.status, run.error) == ("unknown", "printed more than 1,000,000 bytes")


def test_the_most_that_a_program_may_print_is_read(tmp_path):
    plan = "1 3\\n2 1\\n2 3\\n"
    said = f"sys.stdout.write('{plan}'.ljust({MOST_OUTPUT})); sys.exit()"
    assert outcome(program(tmp_path, "", before=said)).status == "optimal"


def test_what_a_program_leaves_behind_is_not_waited_for(tmp_path):
    over = tmp_path / "over"
    waiting = f"['sh', '-c', 'until test -e {over}; do sleep 0.1; done']"
    child = f"import subprocess; subprocess.Popen({waiting}, start_new_session=True)"
    assert outcome(program(tmp_path, SHORTEST, before=child), seconds=None).status == "optimal"
    over.touch()


@pytest.mark.parametrize("answer", [4, "unsolvable"])
def test_a_better_answer_than_the_proved_one_is_a_bug(tmp_path, answer):
    with pytest.raises(BackendError, match=r"one: .* has a plan of 3 moves, proved is"):
        outcome(program(tmp_path, SHORTEST), answer)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("solver", "expected {board} or {text} in 'solver'"),
        ("'solver {board}", "No closing quotation"),
        ("/no/such/program {board}", "/no/such/program: No such file or directory"),
    ],
)
def test_command_lines_that_cant_be_used(command, problem):
    with pytest.raises(Unsupported, match="--external: ") as refused:
        outcome(command)
    assert problem in str(refused.value)


def test_the_board_as_text(tmp_path):
    path = tmp_path / "solver.py"
    path.write_text(
        f"import sys\nassert open(sys.argv[1]).read() == {BOARDS[0].puzzle.to_text()!r} + '\\n'\nprint({SHORTEST!r})"
    )
    assert outcome(f"{sys.executable} {path} {{text}}").status == "optimal"


class TestCommand:
    def compare(self, *words):
        return CliRunner().invoke(commands, ["compare", *map(str, words)])

    def test_says_where_it_is_wrong_longer_and_slower(self, tmp_path):
        """Two boards of one name; the program's plan is for the first."""
        path = tmp_path / "boards.jsonl"
        path.write_text(
            '{"name": "same", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n'
            '{"name": "same", "capacity": 2, "tubes": [["a"], ["a"], []]}\n'
        )
        command, export = program(tmp_path, LONGER), tmp_path / "runs.jsonl"
        out = tmp_path / "results.sqlite"
        run = self.compare(path, "--external", command, "--export", export, "--out", out)
        assert run.exit_code == 1
        assert f"{command}: 2 boards, 1 wrong, 1 longer, 0 without an answer, " in run.stdout
        assert "  longer: same: 5 moves, 2 too many" in run.stdout
        assert "  wrong: same: move 3 (2 → 3) is illegal: tube 2 is empty" in run.stdout
        runs = [json.loads(line) for line in export.read_text().splitlines()]
        assert [(each["solver"], each["status"]) for each in runs] == [
            ("auto", "optimal"), ("auto", "optimal"), (command, "feasible"), (command, "failed"),
        ]  # fmt: skip
        assert b"solver.py" not in out.read_bytes()

    def test_slower_ones_are_listed_the_worst_first(self, capsys):
        runs = [
            CampaignRun(name, "ball-sort", "me", "optimal", 3, 3, None, seconds, None, None, None)
            for name, seconds in TIMES
        ]
        print_faults(runs, [Proved(3, 0.5)] * 3)
        assert capsys.readouterr().out == (
            "me: 3 boards, 0 wrong, 0 longer, 0 without an answer, 2 slower\n"
            "  slower: c: 2.000 s, the fastest proof took 0.500 s\n"
            "  slower: a: 1.000 s, the fastest proof took 0.500 s\n"
        )

    @pytest.mark.parametrize("status", ["failed", "unknown"])
    def test_a_run_without_a_right_answer_is_not_called_slower(self, capsys, status):
        print_faults([CampaignRun("a", "tiles", "me", status, None, 3, None, 1.0, None, "why", None)], [Proved(3, 0.5)])
        assert ", 0 slower\n" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("claim", "problem"),
        [
            (4, "there is a plan of 3 moves"),
            ("unsolvable", "there is a plan of 3 moves"),
            (2, None),
            (3, None),
            ("unknown", None),
        ],
    )
    def test_a_program_that_is_better_than_a_file_of_boards_shows_that_the_file_is_wrong(
        self, tmp_path, claim, problem
    ):
        """The other solver proves nothing, so that only the file says what is right."""
        path = tmp_path / "boards.jsonl"
        path.write_text(
            "".join(
                f'{{"name": "{name}", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], '
                f'"optimal": {{"ball-sort": {json.dumps(claims)}}}}}\n'
                for name, claims in (("one", claim), ("two", 3))
            )
        )
        command, export = program(tmp_path, SHORTEST), tmp_path / "runs.jsonl"
        run = self.compare(path, "--solvers", "dfs", "--external", command, "--export", export)
        assert run.exit_code == (0 if problem is None else 2), run.output
        assert f"{command}: 2 boards, 0 wrong, " in run.stdout
        where = f'Error: {path}: board 0 (one): the file says "optimal": {json.dumps(claim)}, but '
        assert run.stderr.count("the file says") == run.stderr.count(f"{where}{problem}\n") == (problem is not None)
        _, second = [json.loads(line) for line in export.read_text().splitlines()][2:]
        assert (second["status"], second["optimum"]) == ("optimal", 3)

    def test_a_solver_that_is_better_than_a_file_of_boards_shows_that_the_file_is_wrong(self, tmp_path):
        path = tmp_path / "boards.jsonl"
        boards = [
            {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "optimal": {"ball-sort": 2}},
            {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"]], "optimal": {"ball-sort": 2, "water-sort": 7}},
            {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "optimal": {"ball-sort": 3, "water-sort": 7}},
        ]
        path.write_text("".join(json.dumps(board) + "\n" for board in boards))
        run = self.compare(path, "--solvers", "bfs")
        assert run.exit_code == 2
        lines = [line for line in run.stderr.splitlines() if "the file says" in line]
        assert lines == [
            f'Error: {path}: board 0 (ball-sort): the file says "optimal": 2, but every plan has at least 3 moves',
            f'Error: {path}: board 1 (ball-sort): the file says "optimal": 2, but no plan exists',
        ]


class TestAtlas:
    TEXT = (DATA / "atlas-1.jsonl").read_text(encoding="utf-8")

    def test_the_atlas_is_as_it_was_published(self):
        """A version never changes: more boards are another version."""
        digest = "2fcdc4b45d79f35a7c7d1cbcd2ade95dbbba1294f61ae8b579fbc2436e02f6c6"
        assert hashlib.sha256(self.TEXT.encode()).hexdigest() == digest
        assert (DATA / "atlas-1.sha256").read_text() == f"{digest}  atlas-1.jsonl\n"

    def test_each_line_follows_the_schema(self, one_in):
        jsonschema = needed("jsonschema", "lint")
        schema = json.loads((DATA / "schema" / "atlas-1.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for line in self.TEXT.splitlines()[:: one_in(10)]:
            validator.validate(json.loads(line))

    def test_the_reader_has_all_boards_under_names_of_their_own(self):
        boards = load_instances("atlas-1")
        assert len({board.name for board in boards}) == len(boards) == self.TEXT.count("\n") == 982
        assert all(board.known_answer is not None for board in boards if board.about["collection"] != "shipped")

    def test_answers_are_those_of_the_compiled_search(self):
        easy = [board for board in load_instances("atlas-1") if board.about["collection"] in ("levels", "medium")]
        for board in easy[::40]:
            result = solve(board.puzzle)
            assert board.known_answer == (result.length or result.status), board.name

    @pytest.mark.slow
    def test_small_answers_are_those_of_a_search_that_shares_nothing_with_it(self):
        for board in load_instances("atlas-1"):
            if board.about["collection"] in ("small", "grids") and len(str(board.puzzle)) < 200:
                result = solve_here(AStar(bound=False, prunings=frozenset(), symmetry=False), board.puzzle)
                assert board.known_answer == (result.length or result.status), board.name


def test_a_program_is_asked_once_about_each_board_of_a_campaign(tmp_path):
    """And again, where the campaign goes on, about those that are new; a changed file is noticed."""
    asked, boards, results = tmp_path / "asked", tmp_path / "boards.jsonl", tmp_path / "results"
    command = program(tmp_path, SHORTEST, before=f"open({str(asked)!r}, 'a').write('x')")
    line = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n'

    def compared(text):
        boards.write_text(text)
        words = ["compare", str(boards), "--external", command, "--resume", str(results), "--jobs", "2"]
        return CliRunner().invoke(commands, words)

    assert compared(line).exit_code == 0
    assert compared(line + line.replace("a", "c")).exit_code == 0
    again = compared(line + line.replace("a", "c"))
    assert (again.exit_code, asked.read_text()) == (0, "xx")
    assert "2 boards, 0 wrong, 0 longer, 0 without an answer" in again.output
    with closing(sqlite3.connect(results)) as database, database:
        database.execute("UPDATE said SET json = '[1, 2]'")
    changed = compared(line)
    assert changed.exit_code == 2
    assert "said: expected what a program said, found [1, 2]" in changed.output
