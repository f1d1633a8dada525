"""Campaigns: nothing is lost, nothing is done twice, whatever dies."""

import csv
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from itertools import islice
from threading import Event

import psutil
import pytest

from bsp_sat import BACKENDS, BallSort, Limits, Plan, Unsupported, random_boards
from bsp_sat.apps.study.solvers import swept
from bsp_sat.apps.study.store import Summary, open_campaign
from bsp_sat.backends.run import FAILED, Solve, child_main, cluster, local_pool
from tests.support.command import bsp_sat, invoke
from tests.support.helpers import wait_until
from tests.support.misbehaving import Misbehaving, entry

BOARDS = list(islice(random_boards(BallSort, 5, 4, 2), 6))


def games(folder, count=3, *numbers):
    """A file of random boards, by default small ones."""
    path = folder / "games.jsonl"
    boards = islice(random_boards(BallSort, *(numbers or (3, 3))), count)
    path.write_text("".join(f"{json.dumps(board.to_json())}\n" for board in boards))
    return str(path)


def kept(path):
    with closing(sqlite3.connect(path)) as database:
        return {(board, solver): text for board, solver, text in database.execute("SELECT * FROM run")}


def run(path, specs, instances=BOARDS, limits=None):
    stop = Event()
    with open_campaign(path) as campaign, local_pool(2, stop) as pool:
        agreed = campaign.agree_on(limits, Limits(seconds=600))
        campaign.add(instances, specs)
        outcomes = list(campaign.run(agreed, pool, stop))
        return len(outcomes), campaign.runs()


def test_the_excess_is_measured_from_a_proved_optimum():
    count, runs = run(None, ["auto", "heuristic:misplaced", "dfs"])
    assert count == len(runs) == 18
    for optimal, heuristic, dfs in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
        assert optimal.board == heuristic.board == dfs.board
        assert optimal.length == optimal.optimum == heuristic.optimum
        assert (optimal.excess, optimal.ratio) == (0, 1.0)
        assert heuristic.excess == heuristic.length - optimal.length >= 0
        assert dfs.explored > 0
    assert run(None, ["dfs"])[1][0].excess is None


def test_what_has_an_outcome_is_not_done_again_and_other_limits_are_refused(tmp_path):
    path = tmp_path / "results"
    assert run(path, ["dfs"], BOARDS[:4])[0] == 4
    before = kept(path)
    assert run(path, ["dfs"], BOARDS)[0] == 2
    assert run(path, ["dfs", "dfs-sorted"], BOARDS)[0] == 6
    assert run(path, ["dfs", "dfs-sorted"], BOARDS)[0] == 0
    assert before.items() <= kept(path).items()
    with pytest.raises(Unsupported, match="this campaign has other limits: 600 s"):
        run(path, ["dfs"], limits=Limits(seconds=10))


@pytest.mark.parametrize("how", ["raises", "is-killed"])
def test_a_crash_is_recorded_with_its_error(monkeypatch, how):
    monkeypatch.setitem(BACKENDS, "crash", entry(how))
    _, runs = run(None, ["crash", "dfs"], BOARDS[:2])
    assert {outcome.status for outcome in runs if outcome.solver == "crash"} == {FAILED}
    assert all(outcome.error for outcome in runs if outcome.solver == "crash")
    assert all(outcome.length for outcome in runs if outcome.solver == "dfs")


def test_killed_and_taken_up_again(tmp_path):
    """By SIGKILL, twice, the second time a little later."""
    boards = 80  # so many that the program doesn't end while this process looks the other way
    path = tmp_path / "results"
    command = [sys.executable, "-m", "bsp_sat", "compare", games(tmp_path, boards, 6), "--resume", str(path)]
    before = {}
    for _ in range(2):
        enough = len(before) + 5
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_until(lambda: process.poll() is not None or _count(path) >= enough)  # noqa: B023 - asked at once
            process.send_signal(signal.SIGKILL)
        now = kept(path)
        assert before.items() <= now.items()
        assert len(now) > len(before)
        before = now
    assert subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    now = kept(path)
    assert before.items() <= now.items()
    assert len(now) == 4 * boards
    with open_campaign(path) as campaign:
        runs = campaign.runs()
    for number, instance in enumerate(islice(random_boards(BallSort, 6, 4, 2), boards)):
        for outcome in runs[4 * number : 4 * number + 4]:
            assert outcome.board == instance.name
            assert len(Plan.from_json(instance.puzzle, outcome.plan)) >= outcome.optimum
            Plan.from_json(instance.puzzle, outcome.plan).replay(instance.puzzle)


def _count(path):
    try:
        return len(kept(path)) if path.exists() and path.stat().st_size else 0
    except sqlite3.OperationalError:  # the tables are still to come
        return 0


def _children(workers):
    """The processes in which backends run, below some workers of a cluster."""
    children = set()
    for worker in workers:
        with suppress(psutil.Error):
            for process in psutil.Process(worker.pid).children(recursive=True):
                children |= (
                    {process} if any(child_main.main.__module__ in word for word in process.cmdline()) else set()
                )
    return children


class TestCluster:
    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore")
    def test_a_worker_that_is_killed_costs_nothing(self, tmp_path):
        """A real scheduler, two worker processes; one is killed in mid-run."""
        from distributed import LocalCluster

        stop = Event()
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
            open_campaign(tmp_path / "results") as campaign,
            cluster.cluster_pool(local.scheduler_address, stop) as pool,
        ):
            limits = campaign.agree_on(None, Limits(seconds=600))
            campaign.add(islice(random_boards(BallSort, 8, 4, 2), 25), ["auto"])
            outcomes = campaign.run(limits, pool, stop)
            for _ in range(5):
                next(outcomes)
            victim = min(local.workers.values(), key=lambda nanny: nanny.name)
            os.kill(victim.pid, signal.SIGKILL)
            assert len(list(outcomes)) == 20
            assert not campaign.missing()
            assert {outcome.status for outcome in campaign.runs()} == {"optimal"}
            boards = tmp_path / "boards.jsonl"
            boards.write_text('{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n' * 3)
            solved = bsp_sat("solve", str(boards), "--cluster", local.scheduler_address)
            assert [json.loads(line)["length"] for line in solved.stdout.splitlines()] == [3, 3, 3]
            assert solved.returncode == 0
            graded = bsp_sat("grade", str(boards), "--json", "--cluster", local.scheduler_address)
            grades = [json.loads(line)["grades"] for line in graded.stdout.splitlines()]
            assert [grade["optimum"]["value"] for grade in grades] == [3, 3, 3]
            with cluster.cluster_pool(local.scheduler_address, stop) as pool:
                for _ in range(2):
                    pool.submit(Solve(Misbehaving("keeps-a-child"), BOARDS[0].puzzle))
                wait_until(lambda: any(child.children() for child in _children(local.workers.values())))
                stop.set()
            wait_until(lambda: not _children(local.workers.values()))  # stopped, as nothing waits for their answers

    def test_one_team_and_one_stop_for_all_threads_of_a_worker(self):
        """Where they come first at the same time: a stop would miss those with another event."""
        program = """if True:
            import time
            from concurrent.futures import ThreadPoolExecutor
            from types import SimpleNamespace as Fake

            import distributed
            from bsp_sat.backends.run import cluster

            made = []

            def slowly(*arguments):
                time.sleep(0.2)
                made.append(arguments)
                return Fake(set=lambda: None, submit=lambda *_: Fake(result=lambda: None))

            cluster.Team = cluster.Event = slowly
            distributed.get_worker = lambda: Fake(state=Fake(nthreads=2))
            with ThreadPoolExecutor() as threads:
                for _ in range(2):
                    threads.submit(cluster.do_there, "one", [], 0.5)
                threads.submit(cluster.stop_there, "one")
            print(sorted(made))
        """
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert ended.stdout == "[(), (2,)]\n"

    def test_a_cluster_that_does_not_answer_is_named(self, monkeypatch):
        monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
        with pytest.raises(Unsupported, match=r"no dask scheduler answers at 127\.0\.0\.1:9"):
            cluster.cluster_pool("127.0.0.1:9", Event()).__enter__()

    @pytest.fixture
    def silent(self):
        """A port where something listens that never says a word."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield f"tcp://127.0.0.1:{server.getsockname()[1]}"

    @pytest.mark.filterwarnings("ignore")
    def test_a_cluster_address_where_somebody_else_answers_is_refused(self, monkeypatch, silent):
        monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
        monkeypatch.setattr(cluster, "GRACE_SECONDS", 0.2)
        with pytest.raises(Unsupported, match=f"no dask scheduler answers at {silent} within"):
            cluster.cluster_pool(silent, Event()).__enter__()

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_signal_ends_the_wait(self, tmp_path, number):
        program = "from bsp_sat.backends.run import cluster; cluster.CONNECT_SECONDS = 600.0\n"
        program += "from bsp_sat.cli import main; main()"
        with ExitStack() as stack:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            server.settimeout(600)
            address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
            words = ["compare", "level-80", "--cluster", address, "--out", str(tmp_path / "results")]
            command = [sys.executable, "-c", program, *words]
            process = stack.enter_context(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
            stack.enter_context(server.accept()[0])  # it waits for the first word now
            process.send_signal(number)
            try:
                _, error = process.communicate(timeout=600)
            finally:
                process.kill()
        assert (process.returncode, error) == (3, "Interrupted.\n")
        assert list(tmp_path.iterdir()) == []


class TestCompare:
    def test_a_campaign_from_start_to_end(self, tmp_path):
        out, lines, table = (tmp_path / name for name in ("results", "runs.jsonl", "runs.csv"))
        command = ("compare", games(tmp_path), "--out", str(out), "--export", str(lines), "--export", str(table))
        first = bsp_sat(*command)
        assert first.returncode == 0
        assert "  3 of 3  " in first.stdout
        runs = [json.loads(line) for line in lines.read_text().splitlines()]
        rows = list(csv.DictReader(table.read_text().splitlines()))
        assert len(runs) == len(rows) == 12
        assert [row["board"] for row in rows] == [run["board"] for run in runs]
        assert bsp_sat("compare", "--resume", str(out)).stdout == first.stdout
        again = bsp_sat("compare", games(tmp_path), "--out", str(out))
        assert (again.returncode, "use --resume to continue it" in again.stderr) == (2, True)

    def test_two_kinds_of_puzzle_are_told_apart(self, tmp_path):
        command = ("compare", games(tmp_path, 1), "--solvers", "bfs", "--resume", tmp_path / "results")
        lines = tmp_path / "runs.jsonl"
        assert re.search(r"\nbfs +1 of 1 ", invoke(*command)[1])
        code, output = invoke(*command, "--puzzle", "water-sort", "--export", lines)
        assert (code, "2 of 2" in output) == (0, False)
        assert all(re.search(rf"\nbfs on {kind} +1 of 1 ", output) for kind in ("ball-sort", "water-sort"))
        assert [json.loads(line)["puzzle"] for line in lines.read_text().splitlines()] == ["ball-sort", "water-sort"]

    def test_equal_boards_are_not_dropped_without_a_word(self, tmp_path):
        board = games(tmp_path, count=1)
        run = bsp_sat("compare", board, board, "--solvers", "bfs")
        assert (run.stderr, "  1 of 1  " in run.stdout) == ("2 boards, 1 different.\n", True)

    def test_boards_that_no_default_solver_takes(self, tmp_path):
        path = tmp_path / "hidden.json"
        hidden = [[True, False, False], [True, False, False], []]
        tubes = [[None, "a", "b"], [None, "b", "a"], []]
        path.write_text(json.dumps({"capacity": 3, "tubes": tubes, "hidden": hidden}))
        run = bsp_sat("compare", str(path))
        assert (run.returncode, run.stdout) == (2, "")
        assert "none of auto, " in run.stderr

    @pytest.mark.parametrize(
        ("options", "fragment"),
        [
            ((), "Missing boards"),
            (("level-80", "--resume", "a", "--out", "b"), "give only one of them"),
            (("--resume", "a", "--puzzle", "water-sort"), "--puzzle and --reveal say how boards are read"),
            (("level-80", "--solvers", "heuristic:magic"), "backend heuristic has no choice 'magic'"),
            (("level-80", "--sweep", "column-weight"), "expected WEIGHT=FROM:TO:STEP, found 'column-weight'"),
            (("level-80", "--sweep", "magic=0:1:1"), "unknown weight 'magic', expected one of colour-weight"),
            (("level-80", "--sweep", "column-weight=0:1:0"), "expected numbers from 0 upwards"),
            (("level-80", "--export", "runs.txt"), "runs.txt: expected a name that ends in .jsonl or .csv"),
            (("shot-literate", "--solvers", "heuristic:misplaced"), "takes ball-sort and water-sort boards, not shot"),
            (("level-80", "--out", "/nowhere/results"), "/nowhere/results: unable to open database file"),
            (("level-80", "--resume", __file__), "expected the results of a campaign: file is not a database"),
        ],
    )
    def test_a_mistake_in_compare_is_bad_usage(self, options, fragment):
        code, output = invoke("compare", *options)
        assert (code, fragment in output) == (2, True)
        assert "solved" not in output

    def test_a_mistake_can_be_mended(self, tmp_path):
        path, solvers = tmp_path / "results", ("--solvers", "heuristic:misplaced")
        assert invoke("compare", "shot-literate", *solvers, "--out", path)[0] == 2
        assert invoke("compare", games(tmp_path), *solvers, "--out", path)[0] == 0
        assert invoke("compare", "shot-literate", "--resume", path)[0] == 2
        assert invoke("compare", "--resume", path)[0] == 0

    def test_another_database_is_left_alone(self, tmp_path):
        path = tmp_path / "addresses"
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE address (name TEXT)")
        database.close()
        content = path.read_bytes()
        code, output = invoke("compare", games(tmp_path), "--resume", str(path))
        assert (code, "found another database" in output) == (2, True)
        assert path.read_bytes() == content


def test_sweeps_vary_the_heuristics_that_have_the_weight():
    specs = ["auto", "heuristic:unique-length", "heuristic:misplaced"]
    assert list(swept(specs, ["column-weight=0.5:1.0:0.1"])) == [
        "auto",
        *(f"heuristic:unique-length:column-weight={value}" for value in ("0.5", "0.6", "0.7", "0.8", "0.9", "1")),
        "heuristic:misplaced",
    ]
    both = list(swept(["heuristic:greedy:unique-length"], ["column-weight=0:0.2:0.1", "colour-weight=1:1:1"]))
    assert len(both) == 4
    assert list(swept(specs, [])) == specs


def test_a_summary_is_over_the_values_that_are_known():
    assert Summary.of([None, 5]) == Summary(5, 5, 0.0)
    assert Summary.of([None]) is None
