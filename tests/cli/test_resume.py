"""`solve --resume` believes only lines that are of these boards and options, and can be true; one process at a time."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bsp_sat import BACKENDS, Limits, load, load_instances, make_backend, verify_certificate
from bsp_sat.backends.lock import open_alone
from bsp_sat.cli.batch import Request
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import parse_instances
from tests.cli.test_batch import EASY, ROOMY, THREE, UNSOLVABLE, read
from tests.support.command import invoke

OPTIONS = ("--backend", "astar")


@pytest.fixture(scope="module")
def sound():
    """The lines of `THREE`, as they are written."""
    code, output = invoke("solve", "-", *OPTIONS, stdin=THREE)
    assert code == 0
    return read(output)


@pytest.fixture
def boards(tmp_path):
    path = tmp_path / "boards.jsonl"
    path.write_text(THREE)
    return path


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def resume(boards, out, *options):
    return invoke("solve", str(boards), "--resume", str(out), *(options or OPTIONS))


def refused(boards, out, fragment, *options):
    """The file stays as it is, and one message names the line."""
    content = out.read_bytes()
    code, output = resume(boards, out, *options)
    assert (code, output.count("\n")) == (2, 1), output
    assert fragment in output
    assert out.read_bytes() == content


class TestAsked:
    def test_a_line_says_what_its_answer_is_for(self, sound):
        for line, instance in zip(sound, parse_instances(THREE), strict=True):
            text = json.dumps(instance.puzzle.to_json(), sort_keys=True, separators=(",", ":"))
            assert line["asked"] == {
                "board": hashlib.sha256(text.encode()).hexdigest(),
                "backend": "astar",
                "max_steps": None,
                "time_limit": None,
                "memory_limit": None,
                "certificate": None,
            }

    def test_what_was_asked_does_not_depend_on_how_the_file_is_written(self):
        request = Request("astar", Limits())
        spaced = json.dumps({"name": "other", **dict(reversed(json.loads(EASY).items()))}, indent=1)
        (first,), (second,) = parse_instances(EASY), parse_instances(spaced)
        assert request.of(first.puzzle) == request.of(second.puzzle)
        assert request.of(first.puzzle) != request.of(load("level-80"))
        assert request.of(load("level-80")) != request.of(load("level-80", "water-sort"))

    @pytest.mark.parametrize(
        "specification",
        [*BACKENDS, "sat:order:glucose4", "sat:glucose4", "cpsat:layered", "kernel:moves", "sequences:prune",
         "heuristic:greedy:misplaced:misplaced-weight=0.5:room-weight=2"],
    )  # fmt: skip
    def test_a_specification_makes_the_backend_again(self, specification):
        backend = make_backend(specification)
        assert make_backend(backend.specification) == backend

    def test_what_was_asked_is_the_same_however_the_options_are_written(self, boards, tmp_path):
        out = tmp_path / "out"
        assert resume(boards, out, "--backend", "sat:order:glucose4")[0] == 0
        assert resume(boards, out, "--backend", "sat:glucose4:order")[0] == 0


class TestOtherRequests:
    def test_another_board_of_the_same_name(self, boards, tmp_path, sound):
        """As it happened: two empty tubes were added, and ``unsolvable`` stayed."""
        out = tmp_path / "out"
        write(out, sound)
        with_room = {**json.loads(UNSOLVABLE), "tubes": [["a", "b"], ["b", "a"], [], []]}
        boards.write_text("\n".join((EASY, json.dumps(with_room), ROOMY)))
        refused(boards, out, "line 2: it is of another board than board 1 (stuck) is now")
        out.unlink()
        assert resume(boards, out)[0] == 0
        assert read(out.read_text())[1]["status"] == "optimal"

    @pytest.mark.parametrize(
        ("options", "key"),
        [
            (("--max-steps", "3"), "it was made with max_steps null, not 3"),
            (("--time-limit", "60"), "it was made with time_limit null, not 60.0"),
            (("--memory-limit", "500"), "it was made with memory_limit null, not 500.0"),
            (("--certificate", "proofs"), 'it was made with certificate null, not "any"'),
            (("--backend", "bfs"), 'it was made with backend "astar", not "bfs"'),
        ],
    )
    def test_lines_of_other_options_are_refused(self, boards, tmp_path, sound, options, key, monkeypatch):
        monkeypatch.chdir(tmp_path)
        out = tmp_path / "out"
        write(out, sound)
        refused(boards, out, f"line 1: {key}: give the same options, or give --resume a new file", *OPTIONS, *options)


LIES = {
    "no object": ("[]", "expected a result, found '[]'"),
    "no json": ("{", "expected a result, found '{'"),
    "deep": ("[" * 900 + "]" * 900, "expected a result"),
    "a status that is none": ({"status": "solved"}, "status: expected one of optimal"),
    "a status that is a list": ({"status": ["optimal"]}, "status: expected a string"),
    "no plan": ({"plan": None, "length": None}, "optimal without a plan"),
    "no plan but a length": ({"plan": None}, "length: expected that of the plan"),
    "another length": ({"length": 4}, "length: expected that of the plan, found 4"),
    "a plan that does not replay": ({"plan": [[0, 1], [0, 1], [0, 1]]}, "plan: move 1 (1 → 2"),
    "a plan that ends early": ({"plan": [[0, 2]], "length": 1, "lower_bound": 1}, "plan: after 1 move"),
    "a plan that is none": ({"plan": "abc"}, "plan: expected a list or null"),
    "moves that are none": ({"plan": [[0, "a"], [0, 2], [1, 0]]}, "plan[0]: expected [from, to]"),
    "a bound above the plan": ({"lower_bound": 4}, "optimal with length 3 and bound 4"),
    "a bound below 0": ({"status": "feasible", "lower_bound": -1}, "lower_bound: expected a number from 0"),
    "a bound that is true": ({"lower_bound": True}, "lower_bound: expected a whole number or null, found True"),
    "unsolvable with a plan": ({"status": "unsolvable"}, "unsolvable with a plan"),
    "seconds that are none": ({"seconds": float("nan")}, "seconds: expected a number from 0, found nan"),
    "an ending that is none": ({"ending": "tired"}, "ending: expected one of done"),
    "notes that are none": ({"notes": [1]}, "notes: expected strings"),
    "failed without a reason": ({"status": "failed"}, "error: expected the reason of the failure"),
    "another board": ({"board": 2}, "expected board 0 (easy), found board 2 (easy)"),
    "a number that is true": ({"board": False}, "expected board 0 (easy)"),
    "another name": ({"name": "hard"}, "expected board 0 (easy), found board 0 (hard)"),
    "asked for nothing": ({"asked": {}}, "it is of another board"),
    "asked for a word": ({"asked": "astar"}, 'expected "asked"'),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_line_that_cannot_be_true_is_refused(boards, tmp_path, sound, lie):
    change, fragment = LIES[lie]
    out = tmp_path / "out"
    first = change if isinstance(change, str) else json.dumps({**sound[0], **change})
    out.write_text("\n".join([first, *map(json.dumps, sound[1:]), ""]))
    refused(boards, out, f"{out}: line 1: ")
    refused(boards, out, fragment)


MISSING = {
    "status": "expected a result",
    "asked": 'expected "asked", which says what board and options it is for: give --resume',
}


@pytest.mark.parametrize("key", [*MISSING, "length", "lower_bound", "plan", "backend", "seconds", "ending", "stats"])
def test_a_line_without_a_key_is_refused(boards, tmp_path, sound, key):
    out = tmp_path / "out"
    write(out, [sound[0], {name: value for name, value in sound[1].items() if name != key}])
    refused(boards, out, f"line 2: {MISSING.get(key, f'no result of board 1 (stuck): {key}: missing')}")


def test_a_key_of_later_versions_is_no_harm(boards, tmp_path, sound):
    out = tmp_path / "out"
    write(out, [{**line, "grade": 3} for line in sound])
    assert resume(boards, out) == (0, "")


def test_the_exit_code_counts_certificates_that_were_not_made_before(boards, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    options = (*OPTIONS, "--certificate", "proofs")
    assert resume(boards, out, *options)[0] == 0
    lines = read(out.read_text())
    write(out, [{**lines[0], "certificate": {"folder": "x", "error": "a full disk"}}, *lines[1:]])
    assert resume(boards, out, *options)[0] == 3
    write(out, [{key: value for key, value in lines[0].items() if key != "certificate"}, *lines[1:]])
    refused(boards, out, "line 1: certificate: expected an object", *options)


def test_certificates_that_are_elsewhere_or_gone_are_not_believed(boards, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    assert resume(boards, out, *OPTIONS, "--certificate", "proofs")[0] == 0
    refused(boards, out, "line 1: certificate: expected a folder in other", *OPTIONS, "--certificate", "other")
    shutil.rmtree(read(out.read_text())[1]["certificate"]["folder"])
    refused(boards, out, "line 2: certificate: expected a folder in proofs", *OPTIONS, "--certificate", "proofs")


def test_certificates_of_other_boards_are_replaced(boards, tmp_path):
    proofs = tmp_path / "proofs"
    assert invoke("solve", str(boards), "--certificate", str(proofs))[0] == 0
    code, output = invoke("solve", "-", "--certificate", str(proofs), stdin=THREE.replace('"a"', '"c"'))
    assert code == 0
    for line in read(output):
        folder = Path(line["certificate"]["folder"])
        assert verify_certificate(folder).length == line["length"]
        assert "c" in str(json.loads((folder / "board.json").read_text())["tubes"])


class TestFiles:
    def test_an_empty_one_is_not_left_behind(self, boards, tmp_path, monkeypatch):
        def fails(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("bsp_sat.cli.batch.pool_of", fails)
        out = tmp_path / "out"
        assert resume(boards, out)[0] == 2
        assert not out.exists()
        out.touch()
        assert resume(boards, out)[0] == 2
        assert out.exists()

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_pipes_and_devices_are_refused(self, boards, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for out in (tmp_path / "pipe", "/dev/null", "/dev/zero"):
            code, output = resume(boards, out)
            assert (code, output) == (2, f"Error: {out}: expected a file, found a pipe or a device\n")

    def test_a_line_without_end_is_refused(self, boards, tmp_path):
        out = tmp_path / "out"
        with out.open("wb") as file:
            file.write(b'{"board": 0, "name": "easy"')
            file.truncate(10**11)
        code, output = resume(boards, out)
        assert (code, "line 1: expected the results of these boards" in output) == (2, True)
        assert out.stat().st_size == 10**11

    def test_the_boards_themselves_are_not_written_to(self, boards):
        refused(boards, boards, "line 1: expected a result")


class TestLock:
    def test_a_second_process_is_refused_and_an_interrupted_one_keeps_what_is_done(self, tmp_path):
        hard = load_instances("level-80")[0].to_json()  # too hard for breadth-first search to end before the signal
        boards, out = tmp_path / "boards", tmp_path / "out"
        boards.write_text("\n".join([EASY, json.dumps(hard)]))
        command = [sys.executable, "-m", "bsp_sat", "solve", str(boards), "--backend", "bfs", "--resume", str(out)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as first:
            while first.poll() is None and not (out.exists() and out.read_bytes().endswith(b"\n")):
                time.sleep(0.02)
            code, output = resume(boards, out, "--backend", "bfs")
            running = first.poll() is None
            first.send_signal(signal.SIGINT)
            _, said = first.communicate(timeout=600)
        assert (running, first.returncode, said) == (True, 3, "Interrupted after 1 of 2 boards.\n")
        assert (code, output.count("\n")) == (2, 1)
        assert f"{out}: another process is writing to it; wait for its end" in output
        assert [line["status"] for line in read(out.read_text())] == ["optimal"]

    def test_the_lock_goes_with_a_process_that_is_killed(self, tmp_path):
        out = tmp_path / "out"
        program = (
            "import sys, time; from pathlib import Path; from bsp_sat.backends.lock import open_alone\n"
            f"with open_alone(Path({str(out)!r})): print('ready', flush=True); time.sleep(600)"
        )
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as holder:
            assert holder.stdout.readline() == b"ready\n"
            with pytest.raises(BoardError, match="another process is writing to it"), open_alone(out):
                pass
            holder.kill()
        with open_alone(out) as file:
            file.write(b"mine")
        assert out.read_bytes() == b"mine"

    def test_a_file_that_was_removed_meanwhile_is_not_written_to(self, tmp_path, monkeypatch):
        """Between opening and locking: what is written to it then would be lost."""
        out = tmp_path / "out"
        monkeypatch.setattr("fcntl.flock", lambda *_: out.unlink())
        with pytest.raises(BoardError, match="another process has just removed it"), open_alone(out):
            pass
