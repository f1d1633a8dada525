"""Signals at random moments, for every command and the main backends.

A moment is an amount of processor time that the program and its children have used, from the seed, so that a slow
machine comes to the same places; what ends before its moment has nothing to fear from it. One moment each by default,
twenty with `--slow`. The exit code has to be a documented one, or the signal itself before the program has begun or
after it has printed all; there is no traceback, no process is left, and files are complete or absent.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from random import Random

import psutil
import pytest

from bsp_sat import BallSort, Limits, load_instances, random_boards
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.backends.proofs.certificate import verify_certificate, write_certificate
from tests.support.helpers import solve_here, wait_until

PROGRAM = (sys.executable, "-m", "bsp_sat")
MARK = "BSP_SAT_TEST_OF_SIGNALS"
BOARDS = 12
EASY = BallSort.from_text("caac|bbac|bbac|-")


def lines_are_whole(path: Path) -> None:
    """As `solve --resume` leaves them: no line by halves, no file without a line."""
    if path.exists():
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n")
        assert [json.loads(line)["board"] for line in text.splitlines()] == list(range(text.count("\n")))


def campaign_is_sound(path: Path) -> None:
    if path.exists():
        with open_campaign(path, reading=True) as campaign:
            assert {run.status for run in campaign.runs()} <= {"optimal", "feasible", "unknown"}
            assert campaign.total() == len(campaign.runs()) + len(campaign.missing())
    with suppress(FileNotFoundError):
        assert path.with_name(f"{path.name}-lock").stat().st_size == 0


def certificate_is_sound(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        verify_certificate(folder)


def all_boards_or_none(path: Path) -> None:
    if path.exists():
        assert len(load_instances(path)) == 300


def all_clauses_or_none(path: Path) -> None:
    if path.exists():
        lines = path.read_text().splitlines()
        (header,) = [line for line in lines if line.startswith("p cnf")]
        assert sum(not line.startswith(("c", "p")) for line in lines) == int(header.split()[3])


def pictures_are_whole(folder: Path) -> None:
    for path in folder.glob("*"):
        data = path.read_bytes()
        assert data.endswith(b"IEND\xaeB`\x82" if path.suffix == ".png" else b"</svg>\n"), path


def nothing(_: Path) -> None:
    """The command writes no file."""


COMMANDS: dict[str, Callable[[Path], None]] = {
    "instances": nothing,
    "show level-80": nothing,
    "check board.txt plan.json": nothing,
    "verify proof": nothing,
    "count shot-literate": nothing,
    "partition hard.json": nothing,
    "generate three-partition --triples 30 --target 500 --count 1000": nothing,
    "generate random --colours 8 --count 300 --solvable --out OUT": all_boards_or_none,
    "export level-80 --format dimacs --encoding order --out OUT": all_clauses_or_none,
    "plot results -o OUT": pictures_are_whole,
    "compare boards.jsonl --solvers astar,dfs --jobs 2 --out OUT": campaign_is_sound,
    "solve boards.jsonl --backend astar --jobs 2 --resume OUT": lines_are_whole,
    "solve board.txt --backend astar --certificate OUT": certificate_is_sound,
    "solve board.txt --backend astar --proof lrat --certificate OUT": certificate_is_sound,
    **{f"solve level-80 --backend {name}": nothing for name in ("auto", "sat", "cpsat", "kernel", "astar", "bfs")},
}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands read."""
    folder = tmp_path_factory.mktemp("given")
    result = solve_here("astar", EASY)
    assert result.plan is not None
    (folder / "board.txt").write_text("caac|bbac|bbac|-")
    (folder / "plan.json").write_text(json.dumps(result.plan.to_json(EASY)))
    boards = [json.dumps(each.to_json()) for each in islice(random_boards(BallSort, 7, 4, 2), BOARDS)]
    (folder / "boards.jsonl").write_text("\n".join(boards))
    hard = {"capacity": 12, "tubes": [*(["b"] * (12 - number) + ["r"] * number for number in (4, 4, 4, 4, 4, 4)), []]}
    (folder / "hard.json").write_text(json.dumps(hard))
    (folder / "proof").mkdir()
    write_certificate(folder / "proof", EASY, result)
    with open_campaign(folder / "results") as campaign:
        campaign.agree_on(None, Limits(seconds=600))
        campaign.add(load_instances(folder / "board.txt"), ["astar"])
    fields = json.dumps({**result.to_json(EASY), "error": None})
    with closing(sqlite3.connect(folder / "results")) as database, database:
        database.execute("INSERT INTO run VALUES (1, 1, ?)", (fields,))
    return folder


def family(mark: str) -> Iterator[psutil.Process]:
    """All living processes that have a mark in their environment, which children inherit."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def used(process: psutil.Process) -> float:
    """Processor time of a process and its children, in seconds."""
    total = 0.0
    for each in [process, *process.children(recursive=True)]:
        with suppress(psutil.Error):
            times = each.cpu_times()
            total += times.user + times.system
    return total


def complete(words: list[str], folder: Path) -> bytes:
    """What a command writes that nothing interrupts."""
    return subprocess.run([*PROGRAM, *words], cwd=folder, capture_output=True, timeout=600, check=True).stdout


def interrupt(
    command: str, check: Callable[[Path], None], folder: Path, out: Path, chance: Random, most: float
) -> None:
    """Runs a command, sends it a signal at a moment, and checks how it ends and what is left."""
    mark = uuid.uuid4().hex
    words = [str(out) if word == "OUT" else word for word in command.split()]
    moment, number = chance.uniform(0, most), chance.choice((signal.SIGINT, signal.SIGTERM))
    with subprocess.Popen(
        [*PROGRAM, *words],
        cwd=folder, env={**os.environ, MARK: mark}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        watched = psutil.Process(process.pid)
        with suppress(psutil.NoSuchProcess):
            # A command that prints more than the pipe holds waits for its reader, and so uses no time: not for ever.
            asleep = 0
            while process.poll() is None and (now := used(watched)) < moment and asleep < 200:
                time.sleep(0.01)
                asleep = asleep + 1 if used(watched) == now else 0
        process.send_signal(number)
        try:
            output, errors = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    if errors.startswith(b"Fatal Python error: init_import_site"):  # the interpreter itself had not yet started
        return
    about = (command, number.name, moment, process.returncode, errors)
    assert process.returncode in (0, 3, -number), about  # none of these boards is unsolvable
    assert b"Traceback" not in errors, about
    assert b"bug" not in errors, about
    if process.returncode < 0 and output:  # it had ended, and only the interpreter was left
        assert output.count(b"\n") == complete(words, folder).count(b"\n"), about
    wait_until(lambda: not any(family(mark)))
    check(out)


@pytest.mark.parametrize(
    ("moments", "most", "seed"), [(1, 0.5, ""), pytest.param(20, 2.5, " slow", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.sampled(every=3)
def test_a_signal_at_any_moment_ends_a_command(command, given, tmp_path, moments, most, seed):
    for attempt in range(moments):
        chance = Random(f"{command} {attempt}{seed}")
        interrupt(command, COMMANDS[command], given, tmp_path / f"out-{attempt}", chance, most)
