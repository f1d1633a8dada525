"""The file of a campaign: changed by hand, shared, read-only, something else; and exports that must cost nothing."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from itertools import islice
from pathlib import Path
from shutil import copyfile
from threading import Event

import pytest

from bsp_sat import BallSort, Limits, random_boards
from bsp_sat.apps.study import exports
from bsp_sat.apps.study.database import in_words, to_read, to_write
from bsp_sat.apps.study.store import Proved, open_campaign
from bsp_sat.backends.run import local_pool
from tests.cli.test_batch import EASY
from tests.support.command import invoke

BOARDS = list(islice(random_boards(BallSort, 4, 3, 2), 2))
SOLVERS = ["astar", "dfs"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("finished") / "results"
    stop = Event()
    with open_campaign(path) as campaign, local_pool(1, stop) as pool:
        limits = campaign.agree_on(None, Limits(seconds=600))
        campaign.add(BOARDS, SOLVERS)
        assert len(list(campaign.run(limits, pool, stop))) == 4
    assert [each.name for each in path.parent.iterdir()] == ["results"]
    return path


@pytest.fixture
def results(finished, tmp_path):
    path = tmp_path / "results"
    copyfile(finished, path)
    return path


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def of_first(path):
    with closing(sqlite3.connect(path)) as database:
        (text,) = database.execute("SELECT json FROM run WHERE board = 1 AND solver = 1").fetchone()
    return json.loads(text)


def test_the_least_time_counts_among_solvers_that_proved_the_answer(results):
    """The first solver took long, the second found a plan at once but proved nothing, the third was faster."""
    outcome = of_first(results)
    assert outcome["status"] == "optimal"
    change(results, "INSERT INTO solver VALUES (3, 'bfs')")
    lower = {"status": "feasible", "lower_bound": outcome["length"] - 1}
    rows = ({"seconds": 2.5}, {"seconds": 0.1, **lower}, {"seconds": 0.5})
    for solver, fields in enumerate(rows, start=1):
        change(results, "INSERT OR REPLACE INTO run VALUES (1, ?, ?)", solver, json.dumps({**outcome, **fields}))
    with open_campaign(results, reading=True) as campaign:
        assert campaign.proved()[1] == Proved(outcome["length"], 0.5)


RUN = "UPDATE run SET json = ? WHERE board = 1 AND solver = 1"
BOARD = "UPDATE board SET json = ? WHERE id = 2"
LIMITS = "UPDATE limits SET json = ?"
ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS board, 1 AS solver FROM c"


class TestRowsChangedByHand:
    @pytest.mark.parametrize(
        ("changes", "fragment"),
        [
            ({"status": "solved"}, "status: expected one of optimal"),
            ({"plan": [[0, 1]], "length": 1, "lower_bound": 1}, "plan: "),
            ({"status": "failed", "error": None}, "error: expected the reason of the failure"),
            ({"status": "unsolvable", "plan": None, "length": None, "lower_bound": None}, "contradict each other"),
            ({"status": "unknown", "plan": None, "length": None, "lower_bound": 1000}, "contradict each other"),
        ],
    )
    def test_an_outcome_that_cannot_be(self, results, changes, fragment):
        change(results, RUN, json.dumps({**of_first(results), **changes}))
        code, output = invoke("compare", "--resume", str(results))
        assert (code, output.count("\n")) == (2, 1), output
        assert output.startswith(f"Error: {results}: board 1")
        assert fragment in output

    @pytest.mark.parametrize(
        ("statement", "value", "fragment"),
        [
            (RUN, "{", "board 1, solver 1: line 1, column 2: not JSON"),
            (RUN, "[]", "board 1, solver 1: expected an outcome, found []"),
            (RUN, b"\xff", "board 1, solver 1: expected text, found b"),
            (RUN, "[" * 900 + "]" * 900, "board 1, solver 1: not usable JSON: nested more than 100 levels deep"),
            (BOARD, "{}", "board 2: tubes: missing"),
            (BOARD, f"{EASY}\n{EASY}", "board 2: line 2, column 1: not JSON"),
            (BOARD, b"{}", "board 2: expected text, found b'{}'"),
            (LIMITS, "{}", "limits: expected max_steps, seconds, memory_mb, found {}"),
            (LIMITS, "3", "limits: expected max_steps, seconds, memory_mb, found 3"),
            (LIMITS, '{"max_steps": null, "seconds": "60", "memory_mb": null}', "limits: seconds: expected a number"),
            (LIMITS, '{"max_steps": null, "seconds": -1, "memory_mb": null}', "limits: seconds"),
            (LIMITS, '{"max_steps": 2147483648, "seconds": 1, "memory_mb": null}', "limits: max_steps: expected a"),
            ("INSERT INTO solver (spec) VALUES (?)", "magic", "solver 3: unknown backend 'magic'"),
        ],
    )
    def test_rows_changed_by_hand_are_refused_by_name(self, results, statement, value, fragment):
        change(results, statement, value)
        code, output = invoke("compare", "--resume", str(results))
        assert (code, output.count("\n")) == (2, 1), output
        assert f"Error: {results}: {fragment}" in output

    def test_a_damaged_schema_whose_error_is_no_text(self, results):
        data = results.read_bytes()
        assert data.count(b"CREATE TABLE board (id") == 1
        results.write_bytes(data.replace(b"CREATE TABLE board (id", b"CREATE TABLE board \xce\xffd"))
        problem = "expected the results of a campaign, found a damaged database"
        assert invoke("plot", results) == (2, f"Error: {results}: {problem}\n")

    def test_a_table_that_has_gone(self, results):
        change(results, "DROP TABLE run")
        problem = "expected the results of a campaign, found no "
        for command in (("plot",), ("compare", "--resume")):
            code, output = invoke(*command, results)
            assert (code, output.startswith(f"Error: {results}: {problem}"), "run" in output) == (2, True, True)

    @pytest.mark.parametrize(
        ("statements", "found"),
        [
            (("ALTER TABLE run RENAME TO kept", f"CREATE VIEW run AS {ENDLESS}"), "another "),
            ((f"CREATE VIEW more AS {ENDLESS}",), "another view more"),
            (("CREATE TRIGGER less AFTER INSERT ON run BEGIN DELETE FROM run; END",), "another trigger less"),
            (("CREATE INDEX slow ON run (abs(board))",), "another index slow"),
            (("ALTER TABLE run ADD COLUMN x",), "another table run"),
            (("ALTER TABLE run ADD COLUMN x AS (zeroblob(1000000000))",), "another table run"),
            (("ALTER TABLE board RENAME COLUMN json TO text",), "another table board"),
            (('CREATE TABLE "a\nb" (x)',), r"another table a\nb"),
        ],
    )
    @pytest.mark.parametrize("command", [("plot",), ("compare", "--resume")])
    def test_what_runs_by_itself_or_is_not_ours_is_refused_unread(self, results, command, statements, found):
        for statement in statements:
            change(results, statement)
        code, output = invoke(*command, results)
        assert (code, output.count("\n")) == (2, 1), output
        assert output.startswith(f"Error: {results}: expected the results of a campaign, found {found}")

    @pytest.mark.parametrize("opened", [to_read, to_write])
    def test_a_signal_ends_what_sqlite_does(self, results, opened):
        """Its handler is called while SQLite is at work, and not when that is done."""

        class Struck(Exception):
            pass

        def strike(*_):
            raise Struck

        before = signal.signal(signal.SIGVTALRM, strike)
        try:
            with opened(results, "a file") as database:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)  # of processor time; the query takes seconds
                with pytest.raises(KeyboardInterrupt), in_words("a file"):
                    database.execute(f"SELECT count(*) FROM ({ENDLESS} LIMIT 50000000)")
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


class TestTwo:
    def test_the_second_writer_is_refused_and_readers_are_not(self, results):
        with open_campaign(results):
            code, output = invoke("compare", "--resume", str(results))
            assert (code, output.count("\n")) == (2, 1)
            assert f"{results}: another process is writing to it" in output
            with open_campaign(results, reading=True) as campaign:
                assert len(campaign.runs()) == 4
        assert invoke("compare", "--resume", str(results))[0] == 0
        assert [path.name for path in results.parent.iterdir()] == ["results"]


WITHOUT_OVERRIDE = """
import ctypes, os, sys
if hasattr(ctypes.CDLL(None), "prctl"):
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
os.execv(sys.argv[1], sys.argv[1:])
"""


class TestReadOnly:
    @pytest.fixture
    def folder(self, finished):
        """A folder that can't be written, with a campaign in it."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            copyfile(finished, folder / "results")
            (folder / "results").chmod(0o444)
            folder.chmod(0o555)
            yield folder
            folder.chmod(0o755)

    def run(self, *arguments):
        """Python, and for root without the right to write where the modes say no."""
        return subprocess.run(
            [sys.executable, "-c", WITHOUT_OVERRIDE, sys.executable, *arguments],
            capture_output=True,
            text=True,
            timeout=600,
        )

    @pytest.fixture(autouse=True)
    def modes_hold(self, folder, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        if self.run("-c", f"import os; print(os.access({str(folder)!r}, os.W_OK))").stdout != "False\n":
            pytest.skip("the modes of files don't hold here")

    def test_a_campaign_is_read_and_plotted(self, folder):
        compare = self.run("-m", "bsp_sat", "compare", "--resume", str(folder / "results"))
        assert (compare.returncode, compare.stderr) == (0, "")
        assert "  2 of 2  " in compare.stdout
        plot = self.run("-m", "bsp_sat", "plot", str(folder / "results"), "-o", "pictures")
        assert plot.returncode == 0, plot.stderr
        assert "states.png" in plot.stdout
        assert [path.name for path in folder.iterdir()] == ["results"]

    def test_outcomes_beside_the_file_count(self, folder):
        """A killed process leaves the last of them there."""
        path = folder / "results"
        folder.chmod(0o755)
        path.chmod(0o644)
        with closing(sqlite3.connect(path)) as database:
            text = database.execute("SELECT json FROM run WHERE board = 2 AND solver = 2").fetchone()[0]
            database.execute("DELETE FROM run WHERE board = 2 AND solver = 2")
            database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("INSERT INTO run VALUES (2, 2, ?)", (text,))
            database.commit()
            content, beside = path.read_bytes(), Path(f"{path}-wal").read_bytes()
        path.write_bytes(content)
        Path(f"{path}-wal").write_bytes(beside)
        folder.chmod(0o555)
        program = (
            "from pathlib import Path; from bsp_sat.apps.study.store import open_campaign\n"
            f"with open_campaign(Path({str(path)!r}), reading=True) as campaign: print(len(campaign.runs()))"
        )
        run = self.run("-c", program)
        assert (run.stdout, run.stderr) == ("4\n", "")

    def test_what_is_missing_is_one_clear_error(self, folder):
        path = folder / "results"
        folder.chmod(0o755)
        path.chmod(0o644)
        change(path, "DELETE FROM run WHERE board = 2")
        path.chmod(0o444)
        folder.chmod(0o555)
        run = self.run("-m", "bsp_sat", "compare", "--resume", str(path))
        assert run.returncode == 2
        assert run.stderr == f"Error: {path}: it can't be written, and has no outcome yet of 2 runs\n"


class TestOtherFiles:
    @pytest.mark.parametrize(
        "command", [("plot",), ("compare", "level-80", "--resume"), ("compare", "level-80", "--out")]
    )
    def test_pipes_and_devices_are_refused(self, tmp_path, command):
        os.mkfifo(tmp_path / "pipe")
        for path in (tmp_path / "pipe", "/dev/zero", "/dev/null"):
            problem = "expected the results of a campaign, found a pipe or a device"
            assert invoke(*command, path) == (2, f"Error: {path}: {problem}\n")

    def test_reading_makes_nothing_of_an_empty_file(self, tmp_path):
        path = tmp_path / "results"
        path.touch()
        assert invoke("plot", path) == (2, f"Error: {path}: expected the results of a campaign, found nothing\n")
        assert path.read_bytes() == b""

    def test_a_file_may_have_the_name_of_no_file(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert invoke("compare", "level-80", "--solvers", "dfs", "--out", ":memory:")[0] == 0
        with open_campaign(Path(":memory:"), reading=True) as campaign:
            assert len(campaign.runs()) == 1

    @pytest.mark.parametrize(
        "command",
        [
            ("--resume",),
            ("shot-literate", "--solvers", "heuristic:misplaced", "--out"),
            ("level-80", "--cluster", "nowhere", "--out"),
            ("level-80", "--external", "solver", "--out"),
        ],
    )
    def test_nothing_is_left_of_a_campaign_that_did_not_begin(self, tmp_path, command):
        assert invoke("compare", *command, str(tmp_path / "results"))[0] == 2
        assert list(tmp_path.iterdir()) == []


LEVEL = ("level-80", "--solvers", "dfs")


class TestExports:
    @pytest.fixture(autouse=True)
    def here(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("boards.jsonl").write_text(EASY)
        Path("link.jsonl").symlink_to("boards.jsonl")
        Path("twin.jsonl").hardlink_to("boards.jsonl")
        Path("folder.csv").mkdir()
        os.mkfifo("pipe.csv")

    @pytest.mark.parametrize(
        ("options", "fragment"),
        [
            (("boards.jsonl", "--export", "boards.jsonl"), "boards.jsonl: can't be exported to: the boards are read"),
            (("boards.jsonl", "--export", "link.jsonl"), "link.jsonl: can't be exported to: the boards are read from"),
            (("boards.jsonl", "--export", "twin.jsonl"), "twin.jsonl: can't be exported to: the boards are read from"),
            (("boards.jsonl", "--export", "./folder.csv/../boards.jsonl"), "the boards are read from it"),
            (("--out", "c.jsonl", "--export", "c.jsonl"), "c.jsonl: can't be exported to: the campaign is kept in it"),
            (("--resume", "c.csv", "--export", "./c.csv"), "c.csv: can't be exported to: the campaign is kept in it"),
            (("--export", "a.csv", "--export", "./a.csv"), "a.csv: can't be exported to: it is named twice"),
            (("--export", "nowhere/a.csv"), "nowhere/a.csv: can't be exported to: its folder doesn't exist"),
            (("--export", "pipe.csv"), "pipe.csv: can't be exported to: expected a file, found something else"),
            (("--export", "boards.jsonl/a.csv"), "its folder doesn't exist"),
        ],
    )
    def test_bad_ones_are_refused_before_any_work(self, options, fragment):
        before = sorted(Path().iterdir())
        code, output = invoke("compare", *LEVEL, *options)
        assert (code, output.count("\n")) == (2, 1), output
        assert fragment in output
        assert sorted(Path().iterdir()) == before
        assert Path("boards.jsonl").read_text() == EASY

    def test_an_export_that_fails_costs_neither_the_table_nor_the_others(self, monkeypatch):
        def full(*_, **__):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(exports, "csv_text", full)
        code, output = invoke("compare", *LEVEL, "--export", "a.csv", "--export", "b.jsonl")
        assert code == 2
        assert output.index("  1 of 1  ") < output.index("Error: a.csv: No space left on device")
        assert json.loads(Path("b.jsonl").read_text())["status"] == "feasible"

    def test_a_table_that_is_not_read_costs_no_file(self, monkeypatch):
        def closed(*_):
            raise OSError(5, "Input/output error")

        monkeypatch.setattr("bsp_sat.apps.study.commands.compare.print_table", closed)
        assert invoke("compare", *LEVEL, "--export", "b.jsonl")[0] == 2
        assert json.loads(Path("b.jsonl").read_text())["status"] == "feasible"

    def test_an_earlier_export_is_written_again(self):
        for _ in range(2):
            assert invoke("compare", *LEVEL, "--export", "b.jsonl")[0] == 0
            assert len(Path("b.jsonl").read_text().splitlines()) == 1


def test_an_interruption_before_anything_is_written_leaves_no_file(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bsp_sat.apps.study.database.open_alone", interrupted)
    with pytest.raises(KeyboardInterrupt), open_campaign(tmp_path / "results"):
        pass
    assert not any(tmp_path.iterdir())
    (tmp_path / "given").touch()
    with pytest.raises(KeyboardInterrupt), open_campaign(tmp_path / "given"):
        pass
    assert (tmp_path / "given").exists()
