"""Making certificates: within the limits, ended by signals, on full disks; the answer is printed whatever happens, and
nothing is left that stands in the way of the next attempt.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from bsp_sat import BallSort, Limits, random_boards
from bsp_sat.backends import proofs
from bsp_sat.backends.proofs import folder, writing
from bsp_sat.backends.proofs.certificate import verify_certificate, write_certificate
from bsp_sat.backends.proofs.folder import STAGING, prepare_folder
from bsp_sat.backends.proofs.kinds import LABELS
from bsp_sat.backends.proofs.manifest import MANIFEST
from bsp_sat.backends.proofs.writing import Certify, certify
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Pipe, Process
from bsp_sat.instances.errors import BackendError, CertificateError
from tests.support.command import bsp_sat, invoke
from tests.support.helpers import read_one, solve_here

EASY = BallSort.from_text("caac|bbac|bbac|-")
# The border argument decides it in a moment; its formula takes minutes, and more memory than the tests allow.
HARD = json.dumps(next(random_boards(BallSort, 30, 4, 1, seed=3)).puzzle.to_json())
BORDERS_AND_LRAT = ("--backend", "borders", "--proof", "lrat", "--json")


class Crasher(Certify):
    """One with a bug."""

    def run(self, pipe: Pipe) -> str:
        (self.folder / "formula.cnf").touch()
        raise RuntimeError("a bug")


class Hoarder(Certify):
    """One that takes all memory, in circles that outlive it."""

    def run(self, pipe: Pipe) -> str:
        most = psutil.Process().memory_info().vms + 30_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        previous: list[object] = []
        previous.append(previous)
        for size in (1_000_000, 50_000, 5_000):
            with suppress(MemoryError):
                while True:
                    circle: list[object] = [bytes(size)]
                    circle.append(circle)
                    previous.append(circle)
                    previous = circle
        raise MemoryError


pytestmark = pytest.mark.usefixtures("no_process_is_left")


@pytest.fixture
def hard(tmp_path) -> Path:
    path = tmp_path / "hard.json"
    path.write_text(HARD)
    return path


def begin(*arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "bsp_sat", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for(process: "subprocess.Popen[bytes]", happened: Callable[[], object]) -> None:
    while not happened():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def staging(folder: Path) -> list[Path]:
    return list(folder.glob(f"{STAGING}*"))


def ended(process: "subprocess.Popen[bytes]", seconds: float = 600) -> tuple[int, dict[str, object], str]:
    """Exit code, answer and messages."""
    output, errors = process.communicate(timeout=seconds)
    return process.returncode, json.loads(output), errors.decode()


def check_answer_without_certificate(folder: Path, code: int, answer: dict[str, object], errors: str) -> str:
    """Checks an unsolvable board's answer, and returns why it has no certificate."""
    assert (code, answer["status"]) == (3, "unsolvable")
    assert answer["certificate"]["folder"] == str(folder)
    reason = answer["certificate"]["error"]
    assert errors == f"Error: no certificate: {reason}\n"
    assert list(folder.iterdir()) == []
    return reason


# -- limits ----------------------------------------------------------------------------------------------


def test_the_time_limit_is_for_answer_and_certificate_together(monkeypatch, tmp_path):
    """The command hands over how long the answer took."""
    given = {}

    def certify(*arguments, **named):
        given.update(named)
        raise CertificateError("enough")

    monkeypatch.setattr(proofs, "certify", certify)
    (tmp_path / "board.txt").write_text("abcd|abcd|abcd|abcd|-")
    invoke("solve", str(tmp_path / "board.txt"), "--certificate", str(tmp_path / "c"), "--time-limit", "600")
    assert given["limits"].seconds == 600
    assert given["spent"] > 0


def test_the_time_limit_ends_the_making(tmp_path):
    puzzle = read_one(HARD).puzzle
    result = solve_here("borders", puzzle)
    with Process() as worker, pytest.raises(CertificateError, match="not complete within the time limit of 1 s"):
        certify(worker, tmp_path, puzzle, result, "lrat", limits=Limits(seconds=1))


def test_time_that_the_answer_took_is_not_given_again(tmp_path):
    with Process() as worker, pytest.raises(CertificateError, match="within the time limit of 5 s"):
        certify(worker, tmp_path, EASY, solve_here("astar", EASY), limits=Limits(seconds=5), spent=5.0)


def test_the_memory_limit_ends_the_making_and_keeps_the_answer(hard, tmp_path):
    options = [*BORDERS_AND_LRAT, "--memory-limit", "150"]
    process = begin("solve", str(hard), "--certificate", str(tmp_path / "c"), *options)
    reason = check_answer_without_certificate(tmp_path / "c", *ended(process))
    assert reason == "not complete within the memory limit of 150 MB"


def limited(what: int, most: int, *arguments: str) -> "subprocess.Popen[bytes]":
    """The command where the system gives no more of something, to it and its children.

    They write no bytecode: where there is no room for it, Python leaves files that are cut off.
    """
    program = (
        f"import resource, runpy, sys; resource.setrlimit({what}, ({most}, {most})); "
        f"sys.argv = {['bsp-sat', *arguments]!r}; runpy.run_module('bsp_sat', run_name='__main__')"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


def test_memory_for_the_message_that_there_is_none_is_kept_back(tmp_path, monkeypatch):
    """What says that there is no memory takes some, too."""
    monkeypatch.setattr(writing, "Certify", Hoarder)
    with Process() as worker, pytest.raises(CertificateError, match=r"^out of memory$"):
        certify(worker, tmp_path, EASY, solve_here("astar", EASY))


@pytest.mark.slow
def test_where_there_is_no_memory_the_answer_is_kept(hard, tmp_path):
    arguments = ["solve", str(hard), "--certificate", str(tmp_path / "c"), *BORDERS_AND_LRAT]
    reason = check_answer_without_certificate(
        tmp_path / "c", *ended(limited(resource.RLIMIT_AS, 350_000_000, *arguments))
    )
    assert reason == "out of memory"


@pytest.mark.parametrize("proof", ["lrat", "labels"])
def test_without_room_on_the_disk_the_answer_is_kept(tmp_path, proof):
    """The answer is printed, and the next attempt, with room, finds an empty folder."""
    folder = tmp_path / "c"
    arguments = ["solve", "level-80", "--backend", "astar", "--json", "--certificate", str(folder), "--proof", proof]
    code, answer, errors = ended(limited(resource.RLIMIT_FSIZE, 2_000, *arguments))
    assert (code, answer["status"], answer["length"]) == (3, "optimal", 38)
    assert answer["certificate"] == {"folder": str(folder), "error": "File too large"}
    assert errors == "Error: no certificate: File too large\n"
    assert list(folder.iterdir()) == []
    if proof == LABELS:
        assert ended(begin(*arguments))[0] == 0
        assert sorted(path.name for path in folder.iterdir()) == [
            "SHA256SUMS",
            "board.json",
            "claim.json",
            "labels.bin",
            "plan.json",
        ]


# -- signals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_making_and_keep_the_answer(hard, tmp_path, number):
    folder = tmp_path / "c"
    process = begin("solve", str(hard), "--certificate", str(folder), *BORDERS_AND_LRAT)
    wait_for(process, lambda: staging(folder))
    process.send_signal(number)
    reason = check_answer_without_certificate(folder, *ended(process))
    assert reason == "interrupted before it was complete"


def test_a_child_that_is_killed_costs_no_answer(hard, tmp_path):
    folder = tmp_path / "c"
    process = begin("solve", str(hard), "--certificate", str(folder), *BORDERS_AND_LRAT)
    wait_for(process, lambda: staging(folder))
    for child in psutil.Process(process.pid).children(recursive=True):
        child.kill()
    assert "killed" in check_answer_without_certificate(folder, *ended(process))


def test_what_a_killed_program_left_does_not_stand_in_the_way(hard, tmp_path):
    folder = tmp_path / "c"
    process = begin("solve", str(hard), "--certificate", str(folder), *BORDERS_AND_LRAT)
    wait_for(process, lambda: staging(folder))
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    psutil.wait_procs(children, timeout=600)
    assert staging(folder)
    run = bsp_sat("solve", "-", "--certificate", str(folder), stdin=EASY.to_text())
    assert run.returncode == 0
    assert not staging(folder)
    assert bsp_sat("verify", str(folder)).returncode == 0


# -- the folder ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answer() -> Result:
    return solve_here("astar", EASY)


@pytest.fixture
def worker() -> Iterator[Process]:
    with Process() as worker:
        yield worker


def test_the_folder_is_complete_in_the_end(worker, tmp_path, answer):
    made = certify(worker, tmp_path / "new" / "c", EASY, answer)
    assert made.kind == LABELS
    assert made.bytes == sum(path.stat().st_size for path in (tmp_path / "new" / "c").iterdir())
    verify_certificate(tmp_path / "new" / "c")


def test_checksums_come_last_and_all_come_or_none(worker, tmp_path, answer, monkeypatch):
    order: list[str] = []
    replace = Path.replace

    def fail_at_the_last(path: Path, target: Path) -> Path:
        order.append(path.name)
        if path.name == MANIFEST:
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail_at_the_last)
    with pytest.raises(CertificateError, match="No space left on device"):
        certify(worker, tmp_path, EASY, answer)
    assert len(order) == 5
    assert list(tmp_path.iterdir()) == []


UNSOLVABLE = BallSort.from_json({"capacity": 2, "tubes": [["a", "b"], ["b", "a"]]})


def held(folder: Path) -> dict[str, bytes] | None:
    """The files of a folder, or None without checksums, when nobody takes them for a certificate."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return files if MANIFEST in files else None


def test_another_certificate_takes_the_place_of_one_at_once_and_whole(worker, tmp_path, answer, monkeypatch):
    """Looked at after each file that is removed or moved."""
    here, there = tmp_path / "here", tmp_path / "there"
    unsolvable = solve_here("astar", UNSOLVABLE)
    write_certificate(there, UNSOLVABLE, unsolvable)
    write_certificate(here, EASY, answer)
    old, new = held(here), held(there)
    seen = []

    def watch(name: str) -> None:
        change = getattr(Path, name)

        def changed(path: Path, *arguments: object, **options: object) -> None:
            change(path, *arguments, **options)
            seen.append(held(here))

        monkeypatch.setattr(Path, name, changed)

    watch("unlink")
    watch("replace")
    certify(worker, here, UNSOLVABLE, unsolvable)
    monkeypatch.undo()
    assert len(seen) > len(new)
    assert all(files in (None, old, new) for files in seen)
    assert held(here) == new


@pytest.mark.parametrize("others", ["plan.json", "notes.txt"])
def test_a_certificate_that_was_changed_or_has_files_beside_it_is_left_alone(tmp_path, answer, others):
    write_certificate(tmp_path, EASY, answer)
    (tmp_path / others).write_text("mine")
    with pytest.raises(CertificateError, match="expected an empty folder, a certificate or none, found other files"):
        prepare_folder(tmp_path)
    assert (tmp_path / others).read_text() == "mine"


def test_without_a_new_certificate_the_old_one_stays(worker, tmp_path, answer):
    write_certificate(tmp_path, EASY, answer)
    with pytest.raises(CertificateError, match="within the time limit of 5 s"):
        certify(worker, tmp_path, EASY, answer, limits=Limits(seconds=5), spent=5.0)
    assert verify_certificate(tmp_path).length == answer.length


def test_a_killed_program_that_had_not_begun_to_move_costs_no_certificate(tmp_path, answer):
    write_certificate(tmp_path, EASY, answer)
    (tmp_path / f"{STAGING}x").mkdir()
    (tmp_path / f"{STAGING}x" / MANIFEST).touch()
    prepare_folder(tmp_path)
    assert verify_certificate(tmp_path).length == answer.length


def test_a_move_that_was_killed_is_undone(tmp_path):
    (tmp_path / f"{STAGING}x").mkdir()
    (tmp_path / f"{STAGING}x" / MANIFEST).touch()
    (tmp_path / "board.json").touch()
    prepare_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left_over", [False, True])
def test_the_files_of_others_are_left_alone(tmp_path, left_over):
    (tmp_path / "plan.json").touch()
    (tmp_path / "thesis.tex").touch()
    if left_over:
        (tmp_path / f"{STAGING}x").mkdir()
    with pytest.raises(CertificateError, match="expected an empty folder"):
        prepare_folder(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"plan.json", "thesis.tex"}


def test_a_folder_that_is_gone_or_none_is_named(worker, tmp_path, answer, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(CertificateError, match="file"):
        certify(worker, tmp_path / "file", EASY, answer)
    monkeypatch.setattr(folder, "prepare_folder", lambda folder: None)
    with pytest.raises(CertificateError, match="No such file or directory"):
        certify(worker, tmp_path / "gone", EASY, answer)


def test_an_answer_that_the_making_refutes_is_a_bug(worker, tmp_path, answer):
    longer = Result(Status.UNSOLVABLE, None, None, "nonsense", backend="liar")
    with pytest.raises(BackendError, match=r"liar's answer is wrong: there is a plan of \d+ moves"):
        certify(worker, tmp_path, EASY, longer, LABELS)
    assert list(tmp_path.iterdir()) == []


def test_a_making_that_crashes_costs_no_answer(worker, tmp_path, answer, monkeypatch):
    monkeypatch.setattr(writing, "Certify", Crasher)
    with pytest.raises(CertificateError, match="certificate ended with exit code 1: RuntimeError: a bug"):
        certify(worker, tmp_path, EASY, answer)
    assert list(tmp_path.iterdir()) == []


def test_less_memory_means_fewer_labels():
    maker = Certify(Path(), EASY, solve_here("astar", EASY), None)
    assert maker.within(250).labels_mb < maker.labels_mb == maker.within(100_000).labels_mb


# -- many boards -----------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path) -> Path:
    path = tmp_path / "boards.jsonl"
    path.write_text(f"{HARD}\n{HARD}\n")
    return path


def test_certificates_of_many_boards_are_made_at_the_same_time(two, tmp_path):
    """By as many workers as there are jobs; a signal ends them all."""
    folder, out = tmp_path / "c", tmp_path / "out.jsonl"
    options = ["--certificate", str(folder), *BORDERS_AND_LRAT, "--jobs", "2", "--resume", str(out)]
    process = begin("solve", str(two), *options)
    wait_for(process, lambda: len(list(folder.glob(f"*/{STAGING}*"))) == 2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert (process.returncode, errors) == (3, b"Interrupted after 0 of 2 boards.\n")
    assert not out.exists()
    assert [list(path.iterdir()) for path in folder.iterdir()] == [[], []]


@pytest.mark.slow
def test_limits_hold_for_each_of_many_boards(two, tmp_path):
    folder = tmp_path / "c"
    options = ["--certificate", str(folder), *BORDERS_AND_LRAT, "--jobs", "2", "--time-limit", "20"]
    process = begin("solve", str(two), *options)
    output, errors = process.communicate(timeout=600)
    lines = [json.loads(line) for line in output.splitlines()]
    assert (process.returncode, errors) == (3, b"")
    assert [line["status"] for line in lines] == ["unsolvable", "unsolvable"]
    reasons = {line["certificate"]["error"] for line in lines}
    assert reasons == {"not complete within the time limit of 20 s"}
    assert [list(path.iterdir()) for path in folder.iterdir()] == [[], []]
