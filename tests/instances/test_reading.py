"""What has no end, no writer or no bottom: refused at once or bounded, and never waited for."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bsp_sat import BallSort, BoardError, PlanError, load
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.text import reading
from tests.support.command import invoke
from tests.support.helpers import board

BOARD = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}'
EASY = board(BallSort, "ab|ba|-", 2)

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def writing(path, text):
    thread = threading.Thread(target=path.write_text, args=(text,))
    thread.start()
    return thread


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices here")
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/urandom"])
@pytest.mark.parametrize("command", [("show",), ("solve",), ("check", "level-80"), ("compare",)])
def test_devices_are_refused_as_boards_and_plans(device, command):
    message = f"Error: {device}: expected a file, a pipe or - for standard input, found a device\n"
    assert invoke(*command, device) == (2, message)


class TestLength:
    def test_the_length_of_files_is_bounded(self, tmp_path, small):
        path = tmp_path / "board"
        path.write_text(BOARD + " " * (1000 - len(BOARD)))
        assert load(path) == EASY
        path.write_text(BOARD + " " * (1001 - len(BOARD)))
        with pytest.raises(BoardError, match=r"board: expected at most 0 MB, found more"):
            load(path)

    def test_the_length_of_a_file_that_takes_no_room_is_bounded(self, tmp_path):
        path = tmp_path / "board"
        with path.open("wb") as file:
            file.truncate(10**12)
        with pytest.raises(BoardError, match=r"expected at most 100 MB, found more"):
            load(path)

    @needs_pipes
    def test_the_length_of_pipes_is_bounded(self, pipe, small):
        writer = subprocess.Popen(
            [sys.executable, "-c", f"f = open({str(pipe)!r}, 'w')\nwhile True: f.write('a')"], stderr=subprocess.DEVNULL
        )
        with writer, pytest.raises(BoardError, match="pipe: expected at most 0 MB, found more"):
            load(pipe)

    def test_the_length_of_standard_input_is_bounded(self, small):
        assert invoke("show", "-", stdin=" " * 1001) == (
            2,
            "Error: standard input: expected at most 0 MB, found more\n",
        )


class TestPipes:
    @needs_pipes
    def test_pipes_without_a_writer_are_not_waited_for(self, pipe, monkeypatch):
        monkeypatch.setattr(reading, "WRITER_SECONDS", 0.1)
        with pytest.raises(BoardError, match=r"pipe: no program has opened this pipe for writing within 0\.1 s"):
            load(pipe)

    @needs_pipes
    def test_pipes_with_a_writer_are_read(self, pipe):
        writer = writing(pipe, BOARD)
        assert load(pipe) == EASY
        writer.join()

    @needs_pipes
    def test_a_slow_writer_is_waited_for(self, pipe, monkeypatch):
        monkeypatch.setattr(reading, "WRITER_SECONDS", 0.0)
        descriptor = os.open(pipe, os.O_RDWR)  # holds the pipe open for writing before anybody reads
        thread = threading.Timer(0.3, lambda: (os.write(descriptor, BOARD.encode()), os.close(descriptor)))
        thread.start()
        assert load(pipe) == EASY
        thread.join()

    @pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no process substitution here")
    @pytest.mark.parametrize("command", [f"echo '{BOARD}'", f"sleep 0.3; echo '{BOARD}'"])
    def test_process_substitution_works(self, command):
        script = f"{sys.executable} -m bsp_sat show --format json <({command})"
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=600)
        assert (run.returncode, run.stderr) == (0, "")
        assert json.loads(run.stdout)["tubes"] == [["a", "b"], ["b", "a"], []]

    @pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no process substitution here")
    def test_an_empty_one_is_an_empty_file(self):
        script = f"{sys.executable} -m bsp_sat show <(true)"
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=600)
        assert run.returncode == 2
        assert "expected a board, found nothing" in run.stderr

    def test_standard_input_by_its_other_name(self):
        assert invoke("show", "/dev/stdin", "--format", "text", stdin="ab|ba|-")[0] == 0

    def test_a_closed_one_is_one_clear_error(self):
        run = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m bsp_sat show - <&-"], capture_output=True, text=True, timeout=600
        )
        assert (run.returncode, run.stderr) == (2, "Error: standard input: expected a board, found nothing\n")


class TestDepth:
    @pytest.mark.parametrize("depth", [101, 900, 100_000])
    @pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"a":', "}")])
    def test_the_depth_of_json_is_bounded(self, depth, start, end):
        value = start * depth + "1" + end * depth
        for text in (BOARD[:-1] + f', "more": {value}}}', BOARD[:-1] + f', "more": {value}}}\n{BOARD}'):
            with pytest.raises(BoardError, match="not usable JSON: nested more than 100 levels deep"):
                parse_instances(text)
        with pytest.raises(PlanError, match="nested more than 100 levels deep"):
            Plan.from_text(EASY, f"[[0, 2], {value}]")

    def test_a_hundred_levels_are_kept(self):
        value = "[" * 99 + "]" * 99
        (instance,) = parse_instances(BOARD[:-1] + f', "more": {value}}}')
        assert json.dumps(instance.about["more"]) == value


def test_many_boards_are_no_deeper_than_one():
    assert len(parse_instances("\n".join([BOARD] * 200))) == 200
