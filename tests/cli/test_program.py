"""The program around the commands: whatever becomes of its streams and whenever a signal comes, it ends in order."""

import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.support.helpers import DATA, wait_until, wait_until_at_work

PROGRAM = (sys.executable, "-m", "bsp_sat")
SCRIPT = Path(sys.executable).with_name("bsp-sat")
LONG = ("solve", "level-80", "--backend", "sat")  # no bounded SAT call ends soon on it


def shell(line, **environment):
    """What a command line of the shell comes to; in it ``BSP`` stands for the program and ``EASY`` for a board."""
    line = line.replace("BSP", f"{sys.executable} -m bsp_sat").replace("EASY", str(DATA / "easy.txt"))
    return subprocess.run(
        line, shell=True, capture_output=True, env={**os.environ, **environment}, timeout=600, executable="/bin/bash"
    )


INSIDE = """
import click, os, signal, sys, time, weakref
from bsp_sat.cli import boards, main
import bsp_sat.cli.commands.instances as module
def in_a_callback(function):
    class Thing: pass
    thing = Thing()
    reference = weakref.ref(thing, function)
    del thing
    time.sleep(50)
"""


INTERRUPTED_AT_A_LINE = """
import os, signal, sys
left = int(os.environ["LINE"])
def trace(frame, event, _):
    global left
    if "/bsp_sat/" in frame.f_code.co_filename:
        left -= event == "line"
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return trace
sys.settrace(trace)
"""


def run_inside(program, words=("instances",)):
    """What the program comes to with something changed in it."""
    text = f"{INSIDE}{program}\nsys.argv = {['bsp-sat', *words]}; main()"
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=600)
    return run.returncode, run.stdout, run.stderr


def catches_interrupts(process):
    """Whether a handler of its own is set for SIGINT; False too once the process has ended."""
    status = Path(f"/proc/{process}/status").read_text()
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")), "0")
    return bool(int(caught, 16) >> (signal.SIGINT - 1) & 1)


class TestStreams:
    def test_a_closed_input_holds_no_board(self):
        run = shell("BSP solve - <&-")
        assert run.returncode == 2
        assert run.stderr.startswith(b"Error: ")

    def test_a_file_takes_no_number_of_a_closed_stream(self, tmp_path):
        """Or what is written to standard output would end up in it."""
        out = tmp_path / "out.jsonl"
        assert shell(f"BSP generate random --colours 2 --count 2 | BSP solve - --resume {out} >&-").returncode == 0
        assert [json.loads(line)["board"] for line in out.read_text().splitlines()] == [0, 1]

    @pytest.mark.parametrize(
        ("command", "unbuffered"),
        [("export EASY --format dimacs --encoding order", "1"), ("show level-80", ""), ("--help", ""), ("--help", "1")],
    )
    def test_a_full_disk_gets_a_message(self, command, unbuffered):
        run = shell(f"BSP {command} > /dev/full", PYTHONUNBUFFERED=unbuffered)
        assert run.returncode == 2
        assert run.stderr == b"Error: No space left on device\n"

    @pytest.mark.parametrize(
        ("command", "unbuffered"),
        [
            ("export level-80 --format dimacs", ""),
            (f"solve {DATA / 'small.jsonl'} --backend astar", ""),
            ("instances", "1"),
            ("solve --help", "1"),
        ],
    )
    def test_a_reader_that_leaves_is_no_error(self, command, unbuffered):
        run = shell(f"BSP {command} | true; echo ${{PIPESTATUS[0]}}", PYTHONUNBUFFERED=unbuffered)
        assert (run.stdout, run.stderr) == (b"0\n", b"")

    @pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
    def test_characters_that_the_output_lacks_are_replaced(self, encoding):
        run = shell("BSP solve EASY", PYTHONIOENCODING=encoding)
        assert run.returncode == 0
        assert b" -> " in run.stdout


class TestExitCodes:
    """1 is for what is proved unsolvable, invalid or not verified."""

    @pytest.mark.parametrize(
        ("error", "code", "message"),
        [
            ("RuntimeError('upside\\ndown')", 4, "this is a bug in bsp-sat, please report it: RuntimeError: upside"),
            ("RecursionError()", 4, "this is a bug in bsp-sat"),
            ("MemoryError()", 3, "Error: out of memory"),
            ("ImportError('initialization failed') from MemoryError()", 3, "Error: out of memory"),
            ("OSError(12, 'Cannot allocate memory')", 3, "Error: out of memory"),
            ("KeyboardInterrupt()", 3, "Interrupted."),
            ("OSError(28, 'No space left on device')", 2, "No space left on device"),
            ("click.ClickException('no')", 2, "no"),
            ("click.Abort()", 3, "Interrupted."),
            ("SystemError()", 4, "this is a bug in bsp-sat"),
            ("ImportError('initialization failed') from KeyboardInterrupt()", 3, "Interrupted."),
            ("ImportError('initialization failed') from ValueError()", 4, "this is a bug in bsp-sat"),
        ],
    )
    def test_whatever_goes_wrong_has_its_exit_code_and_one_message(self, error, code, message):
        ended = run_inside(f"def fail(*_, **__): raise {error}\nmodule.instances.callback = fail")
        assert ended[:2] == (code, "")
        assert message in ended[2]
        assert ended[2].strip().count("\n") == 0

    @pytest.mark.parametrize(
        ("limited", "code", "message"),
        [(True, 3, "Error: out of memory under a limit (ulimit -v): "), (False, 4, "this is a bug in bsp-sat")],
    )
    @pytest.mark.parametrize("error", ["ImportError('failed to map')", "RuntimeError('can\\'t start new thread')"])
    def test_a_library_that_finds_no_room_is_no_bug(self, error, limited, code, message):
        ended = run_inside(
            f"from bsp_sat.backends import limits\nlimits.has_limited_address_space = lambda: {limited}\n"
            f"def fail(*_, **__): raise {error}\nmodule.instances.callback = fail"
        )
        assert ended[:2] == (code, "")
        assert message in ended[2]

    def test_a_process_that_finds_no_room_ends_a_comparison_and_is_no_bug_of_a_solver(self):
        no_room = "from bsp_sat.backends.run import head_start\ndef take(): raise MemoryError\nhead_start.take = take"
        ended = run_inside(no_room, ("compare", "level-80", "--solvers", "kernel"))
        assert ended == (3, "", "Error: out of memory\n")

    def test_only_a_report_needs_matplotlib(self):
        nothing = "sys.modules['matplotlib'] = None"
        assert run_inside(nothing, ("compare", "level-80", "--solvers", "kernel"))[0] == 0
        code, _, said = run_inside(nothing, ("compare", "level-80", "--report", "report.html"))
        assert (code, said) == (2, "Error: --report needs matplotlib, which isn't installed: pip install matplotlib\n")

    def test_modules_that_find_no_room_are_no_bug(self):
        text = (
            "import sys; from bsp_sat.cli import main\n"
            "class Finder:\n def find_spec(_, name, *__):\n  if name.startswith('bsp_sat'): raise MemoryError\n"
            "sys.meta_path.insert(0, Finder())\nmain()"
        )
        run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=600)
        assert (run.returncode, run.stdout, run.stderr) == (3, "", "Error: out of memory\n")


class TestSignals:
    def test_a_signal_inside_an_exec_leaves_the_exit_code_alone(self, tmp_path):
        """As `dataclasses` has it while modules are imported; the interpreter minds only under `-m`."""
        (tmp_path / "interrupted.py").write_text(
            f"{INSIDE}"
            "def fail(*_, **__): exec('os.kill(os.getpid(), signal.SIGTERM); [0 for _ in range(10**6)]')\n"
            "module.instances.callback = fail\n"
            "sys.argv = ['bsp-sat', 'instances']; main()"
        )
        program = [sys.executable, "-m", "interrupted"]
        run = subprocess.run(program, capture_output=True, text=True, timeout=600, cwd=tmp_path)
        assert (run.returncode, run.stdout, run.stderr.strip()) == (3, "", "Interrupted.")

    def test_a_signal_inside_a_callback_ends_the_command_too(self):
        """Python drops what such a callback raises, and prints it; imports use one."""
        program = (
            "def end(_): os.kill(os.getpid(), signal.SIGTERM)\n"
            "module.instances.callback = lambda *_, **__: in_a_callback(end)"
        )
        assert run_inside(program) == (3, "", "Interrupted.\n")

    def test_what_a_signal_left_half_made_says_nothing_when_it_goes(self):
        program = (
            "class Half:\n"
            "    def __init__(self): os.kill(os.getpid(), signal.SIGTERM); time.sleep(50); self.whole = True\n"
            "    def __del__(self): self.whole\n"
            "module.instances.callback = lambda *_, **__: Half()"
        )
        assert run_inside(program) == (3, "", "Interrupted.\n")

    @pytest.mark.parametrize(
        ("sent", "limit", "said"),
        [
            ("None", "0.2", "Unknown: time limit of 0.2 s reached while the board was being read\n"),
            ("signal.SIGTERM", "600", "Interrupted.\n"),
        ],
    )
    def test_reading_ends_although_a_callback_drops_what_ends_it(self, sent, limit, said):
        program = (
            "def wait(_):\n"
            f"    {sent} is None or os.kill(os.getpid(), {sent})\n"
            "    time.sleep(0.3)\n"
            "boards.in_words = lambda _: 'the board'\n"
            "boards.load_text_boards = lambda *_, **__: in_a_callback(wait)"
        )
        assert run_inside(program, words=("solve", "--time-limit", limit, "level-80")) == (3, "", said)

    @pytest.mark.parametrize("program", [PROGRAM, (SCRIPT,)], ids=["module", "script"])
    def test_an_interrupt_at_any_of_its_first_lines_shows_no_traceback(self, program, tmp_path, one_in):
        """But the first five, by which it takes SIGINT from the interpreter."""
        (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_AT_A_LINE)
        for line in range(6, 100, one_in(12)):
            environment = {**os.environ, "PYTHONPATH": str(tmp_path), "LINE": str(line)}
            run = subprocess.run([*program, "--version"], env=environment, capture_output=True, text=True, timeout=600)
            assert (run.returncode, run.stdout, run.stderr) == (-signal.SIGINT, "", ""), line

    @pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to see when it has begun")
    @pytest.mark.parametrize("moment", range(10))
    @pytest.mark.sampled(every=3)
    def test_an_interrupt_while_it_starts_shows_no_traceback(self, moment):
        """From its first statement on, by which it takes SIGINT from the interpreter."""
        with subprocess.Popen([*PROGRAM, "instances"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while process.poll() is None and not catches_interrupts(process.pid):  # it may end without being seen so
                time.sleep(0.0005)
            while process.poll() is None and catches_interrupts(process.pid):
                time.sleep(0.0005)
            time.sleep(0.02 * moment)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=600)
        assert process.returncode in (0, 3, -signal.SIGINT)
        assert errors in (b"", b"Interrupted.\n")

    def test_a_second_one_at_once_does_no_harm(self):
        with subprocess.Popen([*PROGRAM, *LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            wait_until_at_work(process, seconds=0.5)
            for number in random.Random(1).choices([signal.SIGINT, signal.SIGTERM], k=200):
                process.send_signal(number)
            _, errors = process.communicate(timeout=600)
        assert (process.returncode, errors) == (3, b"")

    @pytest.mark.parametrize(
        ("backend", "send", "number"), [("sat", os.killpg, signal.SIGTERM), ("cpsat", os.kill, signal.SIGINT)]
    )
    def test_a_running_solver_call_ends_with_the_bound(self, backend, send, number):
        """Also where a terminal, `timeout` or a service manager sends the signal to the child as well."""
        command = [*PROGRAM, "solve", "level-80", "--backend", backend, "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0) as process:
            wait_until_at_work(process, seconds=0.5)
            send(process.pid, number)
            output, _ = process.communicate(timeout=600)
        answer = json.loads(output)
        assert (process.returncode, answer["reason"]) == (3, "interrupted")
        assert answer["lower_bound"] >= 31

    def test_the_solver_stops_with_the_program(self):
        """Ctrl-Z on a terminal."""
        leader, follower = pty.openpty()
        with subprocess.Popen(
            [*PROGRAM, *LONG], stdin=follower, stdout=follower, stderr=follower, process_group=0
        ) as run:
            wait_until_at_work(run, seconds=0.5)
            (child,) = psutil.Process(run.pid).children()
            os.killpg(run.pid, signal.SIGTSTP)
            wait_until(lambda: child.status() == psutil.STATUS_STOPPED)
            os.killpg(run.pid, signal.SIGCONT)
            run.send_signal(signal.SIGINT)
            os.set_blocking(leader, False)
            while run.poll() is None:
                time.sleep(0.01)
                with suppress(BlockingIOError):
                    os.read(leader, 100_000)
        os.close(leader)
        os.close(follower)
        assert run.returncode == 3


class TestHeadStart:
    """Where a backend is named, its process begins before the program has read its arguments."""

    def test_the_first_board_gets_that_process(self):
        program = (
            "from bsp_sat.backends.run import give_head_start; give_head_start()\n"
            "import psutil; (child,) = psutil.Process().children(); early = child.pid\n"
            "from bsp_sat.backends.run import Process, Solve\n"
            "from tests.support.misbehaving import Misbehaving; from tests.backends.test_solve import EASY\n"
            "for same in (True, False):\n"
            "    with Process() as process:\n"
            "        child = process.do(Solve(Misbehaving('tells-its-process'), EASY)).stats['process']\n"
            "    assert (child == early) is same\n"
        )
        command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"]
        run = subprocess.run(command, capture_output=True, timeout=600)
        assert (run.returncode, run.stderr) == (0, b"")

    @pytest.mark.parametrize(
        "words",
        ["solve nosuch --backend sat", "solve EASY --backend nosuch", "solve EASY --backend sat --max-steps many"],
    )
    def test_a_head_start_that_is_not_needed_ends_with_the_program(self, words):
        words = words.replace("EASY", str(DATA / "easy.txt")).split()
        mark = {"BSP_SAT_TEST_OF_HEAD_STARTS": str(random.random())}
        run = subprocess.run([*PROGRAM, *words], env={**os.environ, **mark}, capture_output=True, timeout=600)
        assert run.returncode == 2
        left = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                left += [process] if mark.items() <= process.environ().items() else []
        assert not left


END_WITH_A_SIGNAL = """
import atexit, os, signal, sys
from bsp_sat.cli import group, main
def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
if sys.argv.pop(1) == "while it ends":
    group._end = lambda *_: interrupt()
else:
    atexit.register(interrupt)
class Interrupting:
    encoding, buffer = "utf-8", None
    def readline(self):
        interrupt()
sys.argv[1:] = ["play", "hidden"]
sys.stdin = Interrupting()
main()
"""


@pytest.mark.parametrize("moment", ["while it ends", "after its end"])
def test_a_second_signal_ends_it_without_a_traceback(moment, tmp_path):
    board = {"capacity": 2, "tubes": [[None, "a"], [None, "b"], []], "colours": {"a": 2, "b": 2}}
    (tmp_path / "hidden").write_text(json.dumps(board))
    program = [sys.executable, "-c", END_WITH_A_SIGNAL, moment]
    run = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert "Traceback" not in run.stderr
    assert run.stderr in ("", "Interrupted.\n")
    assert run.returncode == -signal.SIGINT
