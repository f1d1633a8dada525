"""`compare --external`: programs of other people, right and wrong, and the atlas to try them on."""

import hashlib
import json
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from threading import Event
from xml.etree import ElementTree as ET

import psutil
import pytest
from click.testing import CliRunner

from bsp_sat import BackendError, Limits, Unsupported, load_instances, solve
from bsp_sat.apps.study.commands.compare_output import print_faults
from bsp_sat.apps.study.external import MOST_OUTPUT, program_of, run_external
from bsp_sat.apps.study.store import CampaignRun, Proved, open_campaign
from bsp_sat.backends.run import local_pool
from bsp_sat.backends.search.astar import AStar
from bsp_sat.cli.group import commands
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


def outcome(command, answer=3, seconds=600.0):
    stop = Event()
    with open_campaign(None) as campaign, local_pool(1, stop) as pool:
        campaign.add(BOARDS, [])
        proved = {1: Proved(answer, None)}
        ((_, run),) = run_external(program_of(command), campaign, proved, Limits(seconds=seconds), pool, stop)
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


@pytest.mark.parametrize("own_session", [False, True])
def test_a_program_is_ended_in_time_with_what_it_started(tmp_path, own_session):
    child = tmp_path / "child"
    begins = f"import subprocess; each = subprocess.Popen(['sleep', '3600'], start_new_session={own_session}); "
    begins += f"open({str(child)!r}, 'w').write(str(each.pid)); time.sleep(3600)"
    run = outcome(program(tmp_path, SHORTEST, before=begins), seconds=2)
    assert (run.status, run.error) == ("unknown", "no answer within 2 s")
    wait_until(lambda: not child.exists() or not psutil.pid_exists(int(child.read_text())))


def test_what_a_program_says_on_standard_error_is_part_of_its_outcome(tmp_path, capfd):
    run = outcome(program(tmp_path, "", before="print('first', file=sys.stderr); sys.exit('no such module')"))
    assert (run.error, capfd.readouterr().err) == ("ended with exit code 1: no such module", "")


@pytest.mark.parametrize("words", ["1 3", "error >&2"])
def test_a_program_that_prints_without_end_has_no_answer_and_is_ended(words):
    run = outcome(f"sh -c 'exec yes {words}' {{board}}", seconds=None)
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
    with pytest.raises(BackendError, match=r"one: .* has a plan of 3 moves, but .* was proved"):
        outcome(program(tmp_path, SHORTEST), answer)


@pytest.mark.parametrize(
    ("command", "problem"),
    [("solver", "expected {board} or {text} in 'solver'"), ("'solver {board}", "No closing quotation")],
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


def compare(*words):
    return CliRunner().invoke(commands, ["compare", *map(str, words)])


class TestCommand:
    def test_a_program_that_cant_be_run_is_refused_before_anything_runs(self, tmp_path):
        out = tmp_path / "results.sqlite"
        run = compare("level-80", "--external", "/no/such/program {board}", "--out", out)
        assert (run.exit_code, run.stdout, out.exists()) == (2, "", False)
        assert "/no/such/program: expected a program that can be run" in run.stderr

    def test_one_error_of_many_boards_is_printed_once(self, tmp_path):
        path = tmp_path / "boards.jsonl"
        path.write_text("".join(f'{{"name": "b{n}", "capacity": 2, "tubes": [["a"], ["a"], []]}}\n' for n in range(30)))
        command = program(tmp_path, "nonsense", before="print('oops', file=sys.stderr)")
        run = compare(path, "--external", f"me={command}")
        assert run.stderr.count("me failed") == 1, run.stderr
        assert "oops" not in run.stderr

    def test_says_where_it_is_wrong_longer_and_slower(self, tmp_path):
        """Two boards of one name; the program's plan is for the first."""
        path = tmp_path / "boards.jsonl"
        path.write_text(
            '{"name": "same", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n'
            '{"name": "same", "capacity": 2, "tubes": [["a"], ["a"], []]}\n'
        )
        command, export = program(tmp_path, LONGER), tmp_path / "runs.jsonl"
        out = tmp_path / "results.sqlite"
        run = compare(path, "--external", command, "--export", export, "--out", out)
        assert run.exit_code == 1
        assert f"{command}: 2 boards, 1 wrong, 1 longer, 0 without an answer, " in run.stdout
        assert "  longer: same: 5 moves, 2 too many" in run.stdout
        assert "  wrong: same: move 3 (2 → 3) is illegal: tube 2 is empty" in run.stdout
        runs = [json.loads(line) for line in export.read_text().splitlines()]
        assert [(each["solver"], each["status"]) for each in runs] == [
            ("auto", "optimal"), ("auto", "optimal"), (command, "feasible"), (command, "failed"),
        ]  # fmt: skip
        with open_campaign(out, reading=True) as campaign:
            (session,) = campaign.sessions()
        (kept,) = session.programs
        assert (kept.name, kept.command) == (command, command)
        digest = hashlib.sha256((tmp_path / "solver.py").read_bytes()).hexdigest()
        assert kept.files[str(tmp_path / "solver.py")] == digest
        assert "bsp-sat" in session.versions
        assert "Python" in session.machine

    def test_slower_ones_are_listed_the_worst_first(self, capsys):
        runs = {
            key: CampaignRun(name, "ball-sort", "me", "optimal", 3, 3, None, seconds, None, None, None)
            for key, (name, seconds) in enumerate(TIMES)
        }
        print_faults({"me": runs}, dict.fromkeys(runs, Proved(3, 0.5)))
        assert capsys.readouterr().out == (
            "me: 3 boards, 0 wrong, 0 longer, 0 without an answer, 2 slower\n"
            "  slower: c: 2.000 s, the fastest proof took 0.500 s\n"
            "  slower: a: 1.000 s, the fastest proof took 0.500 s\n"
        )

    @pytest.mark.parametrize("status", ["failed", "unknown"])
    def test_a_run_without_a_right_answer_is_not_called_slower(self, capsys, status):
        run = CampaignRun("a", "tiles", "me", status, None, 3, None, 1.0, None, "why", None)
        print_faults({"me": {1: run}}, {1: Proved(3, 0.5)})
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
        run = compare(path, "--solvers", "dfs", "--external", command, "--export", export)
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
            {
                "puzzle": "ball-sort",
                "capacity": 2,
                "tubes": [["a", "b"], ["b", "a"]],
                "optimal": {"ball-sort": 2, "water-sort": 7},
            },
            {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "optimal": {"ball-sort": 3, "water-sort": 7}},
        ]
        path.write_text("".join(json.dumps(board) + "\n" for board in boards))
        run = compare(path, "--solvers", "bfs")
        assert run.exit_code == 2
        lines = [line for line in run.stderr.splitlines() if "the file says" in line]
        assert lines == [
            f'Error: {path}: board 0 ({path.name}:1): the file says "optimal": 2, but every plan has at least 3 moves',
            f'Error: {path}: board 1 ({path.name}:2): the file says "optimal": 2, but no plan exists',
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


class TestGoingOn:
    """A campaign goes on with programs as with solvers: on all of its boards, whichever are named."""

    BOARDS = (
        '{"name": "one", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n'
        '{"name": "two", "capacity": 2, "tubes": [["c", "d"], ["d", "c"], []]}\n'
        '{"name": "none", "puzzle": "ball-sort", "capacity": 2, "tubes": [["e", "f"], ["f", "e"]]}\n'
    )

    @pytest.fixture
    def results(self, tmp_path):
        boards, results = tmp_path / "boards.jsonl", tmp_path / "results"
        boards.write_text(self.BOARDS)
        assert compare(boards, "--solvers", "bfs", "--resume", results).exit_code == 0
        return results

    def test_a_program_runs_on_the_boards_of_the_campaign_without_their_file(self, tmp_path, results):
        asked = tmp_path / "asked"
        command = program(tmp_path, SHORTEST, before=f"open({str(asked)!r}, 'a').write('x')")
        for _ in range(2):  # the second time all is kept
            run = compare("--resume", results, "--external", command)
            assert f"{command}: 3 boards, 1 wrong, 0 longer, 0 without an answer" in run.stdout
            assert re.search(rf"\n{re.escape(command)} +2 of 3 ", run.stdout)
            assert "  wrong: none: move 1 (1 → 3  f) is illegal" in run.stdout
            assert (run.exit_code, asked.read_text()) == (1, "xxx")

    def test_a_reason_that_many_boards_share_is_said_once(self, tmp_path, results):
        run = compare("--resume", results, "--external", program(tmp_path, "", code=7))
        assert "3 without an answer" in run.stdout
        assert re.findall(r"  without an answer: .*", run.stdout) == [
            "  without an answer: one and 2 more: ended with exit code 7"
        ]

    def test_what_an_earlier_program_said_stays_in_table_and_export(self, tmp_path, results):
        first, second = program(tmp_path, SHORTEST), "echo unsolvable {board}"
        assert compare("--resume", results, "--external", first).exit_code == 1
        export = tmp_path / "runs.jsonl"
        name = first
        for options, others in ((), {name}), (("--external", f"me={second}"), {name, "me"}):
            run = compare("--resume", results, "--export", export, *options)
            assert f"{name}: 3 boards, 1 wrong" in run.stdout
            assert run.exit_code == 1
            assert {json.loads(line)["solver"] for line in export.read_text().splitlines()} == {"bfs", *others}

    def test_a_named_program_keeps_its_name_and_never_runs_again_by_itself(self, tmp_path, results):
        asked, export = tmp_path / "asked", tmp_path / "runs.jsonl"
        command = program(tmp_path, SHORTEST, before=f"open({str(asked)!r}, 'a').write('x')")
        assert compare("--resume", results, "--external", f"mine={command}").exit_code == 1
        with closing(sqlite3.connect(results)) as database, database:
            database.execute("DELETE FROM said WHERE board = 2")
        assert compare("--resume", results, "--export", export).exit_code == 1
        assert {json.loads(line)["solver"] for line in export.read_text().splitlines()} == {"bfs", "mine"}
        assert asked.read_text() == "xxx"
        twice = compare("--resume", results, "--external", f"a={command}", "--external", "a=echo {board}")
        assert (twice.exit_code, "expected a different name for each program" in twice.stderr) == (2, True)

    def test_a_program_that_was_corrected_is_said_to_have_changed_and_runs_again(self, tmp_path, results):
        """What it said before is kept: it counts again when the old program comes back, which doesn't run again."""
        asked = tmp_path / "asked"
        counts = f"open({str(asked)!r}, 'a').write('x')"
        note = "Note: mine has changed since it answered, and is run again.\n"
        for said, wrong, notes, times in (
            (ILLEGAL, 3, 0, 3),
            (SHORTEST, 1, 1, 6),
            (SHORTEST, 1, 0, 6),
            (ILLEGAL, 3, 0, 6),
        ):
            run = compare(
                "--resume", results, "--external", f"mine={program(tmp_path, said, before=counts)}", "--jobs", 1
            )
            assert f"mine: 3 boards, {wrong} wrong, " in run.stdout
            assert (run.exit_code, run.stderr.count(note), len(asked.read_text())) == (1, notes, times)
            assert f"mine: 3 boards, {wrong} wrong, " in compare("--resume", results).stdout

    def test_a_file_of_boards_that_was_changed_is_named(self, tmp_path, results):
        note = f"Note: {tmp_path / 'boards.jsonl'} has changed since runs of its boards were kept.\n"
        assert note not in compare("--resume", results).stderr
        (tmp_path / "boards.jsonl").write_text(self.BOARDS.splitlines()[0])
        assert note in compare("--resume", results).stderr

    def test_results_of_an_earlier_version_name_no_files_and_go_on(self, results):
        """Also the board that is proved unsolvable counts as answered."""
        with closing(sqlite3.connect(results)) as database, database:
            database.execute("UPDATE session SET json = ?", ('["a", "b", "c", "d", []]',))
        assert "  3 of 3  " in compare("--resume", results).stdout

    @pytest.mark.parametrize(
        "text", ["1", "[1, 2]", *('["a", "b", "c", "d", ' + rest for rest in ("[1], {}]", "{}, {}]", "[], 1]"))]
    )
    def test_a_row_that_says_nothing_of_how_runs_were_done_is_refused(self, results, text):
        with closing(sqlite3.connect(results)) as database, database:
            database.execute("UPDATE session SET json = ?", (text,))
        run = compare("--resume", results)
        assert (run.exit_code, f"Error: {results}: session: expected " in run.stderr) == (2, True)

    def test_the_report_has_what_a_section_on_methods_needs(self, tmp_path, results):
        needed("matplotlib", "plot")
        report = tmp_path / "report.html"
        command = program(tmp_path, LONGER)
        run = compare("--resume", results, "--external", f"mine={command}", "--report", report)
        assert run.exit_code == 1
        page = report.read_text()
        assert "--external" in page
        assert command in page.replace("&amp;", "&")
        assert "SHA-256" in page
        assert "boards.jsonl: SHA-256 " in page
        assert "wrong: none: move" in page
        assert "longer: one: 5 moves, 2 too many" in page
        assert page.count("data:image/svg+xml") == 2
        assert "<td>mine</td>" in page
        assert compare("--resume", results, "--report", tmp_path / "report.txt").exit_code == 2
        assert compare("--resume", results, "--report", tmp_path / "report.md").exit_code == 1
        text = (tmp_path / "report.md").read_text()
        assert all(line in text for line in ("# Comparison of solvers", "| mine | ", "](report-2.svg)"))
        assert "- longer: one: 5 moves, 2 too many" in text
        assert ET.parse(tmp_path / "report-2.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"

    def test_one_named_board_does_not_hide_the_others(self, tmp_path, results):
        board = tmp_path / "one.jsonl"
        board.write_text(self.BOARDS.splitlines()[0])
        run = compare(board, "--resume", results, "--external", program(tmp_path, SHORTEST))
        assert (run.exit_code, ": 3 boards, 1 wrong" in run.stdout) == (1, True)

    def test_a_proof_in_the_file_that_an_answer_in_the_file_disproves_is_no_bug(self, tmp_path, results):
        command = program(tmp_path, SHORTEST)
        assert compare("--resume", results, "--external", command).exit_code == 1
        with closing(sqlite3.connect(results)) as database, database:
            (text,) = database.execute("SELECT json FROM run WHERE board = 3").fetchone()
            database.execute("UPDATE run SET json = ? WHERE board = 2", (text,))
        run = compare("--resume", results, "--external", command)
        problem = "has a plan of 3 moves, but unsolvable was proved: the file was changed, or bsp-sat has a bug"
        assert (run.exit_code, run.stderr) == (2, f"Error: {results}: board 2: two: {command} {problem}\n")

    def test_a_digest_that_is_none_is_refused(self, tmp_path, results):
        with closing(sqlite3.connect(results)) as database, database:
            database.execute("INSERT INTO said VALUES (1, 'rm -rf $HOME', '[\"1 2\", null, 1]')")
        run = compare("--resume", results)
        problem = "said: expected the digest of a program, found 'rm -rf $HOME'"
        assert (run.exit_code, run.stderr) == (2, f"Error: {results}: {problem}\n")

    def test_a_file_of_boards_that_is_wrong_is_so_without_the_file(self, tmp_path, results):
        boards = tmp_path / "boards.jsonl"
        boards.write_text(
            '{"name": "w", "capacity": 2, "tubes": [["g", "h"], ["h", "g"], []], "optimal": {"ball-sort": 2}}'
        )
        assert compare(boards, "--resume", results).exit_code == 2
        run = compare("--resume", results)
        assert f'Error: {results}: board 4 (w): the file says "optimal": 2, but ' in run.stderr
        assert run.exit_code == 2
