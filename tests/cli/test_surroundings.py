"""The same answers and refusals wherever the program runs: without assertions, without a locale, on narrow and dumb
terminals, into closed streams.
"""

import json
import os
import pickle
import shlex
import subprocess
import sys

import pytest

from bsp_sat import BallSort
from bsp_sat.backends.proofs.certificate import write_certificate
from tests.support.helpers import solve_here
from tests.support.malformed import MALFORMED_BOARDS, MALFORMED_PLANS

EASY = BallSort.from_text("ab|ba|-")
COMMANDS = {
    ("show", "board"): 0,
    ("solve", "board", "--backend", "astar"): 0,
    ("check", "board", "plan"): 0,
    ("check", "board", "short"): 1,
    ("verify", "proof", "board"): 0,
    ("verify", "forged"): 1,
    ("export", "board", "--format", "dimacs"): 0,
    ("show", "broken"): 2,
    ("check", "board", "broken"): 2,
    ("verify", "board"): 2,
    ("solve", "board", "--backend", "magic"): 2,
}
SURROUNDINGS = {
    "no assertions": (("-O",), {}, ""),
    "no locale": ((), {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, ""),
    "a dumb terminal": ((), {"TERM": "dumb"}, ""),
    "a narrow terminal": ((), {"COLUMNS": "20"}, ""),
    "closed output": ((), {}, ">&-"),
    "closed streams": ((), {}, "<&- >&- 2>&-"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("given")
    (path / "board").write_text("ab|ba|-")
    (path / "plan").write_text("[[0, 2], [1, 0], [1, 2]]")
    (path / "short").write_text("[[0, 2]]")
    (path / "broken").write_text("{")
    for name in ("proof", "forged"):
        (path / name).mkdir()
        write_certificate(path / name, EASY, solve_here("bfs", EASY))
    (path / "forged" / "claim.json").write_text('{"status": "optimal", "length": 4, "proof": "labels"}')
    return path


ALL_COMMANDS = """
import json, sys
from bsp_sat.cli.program import run
codes = []
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    codes.append(run())
open("codes", "w").write(json.dumps(codes))
"""


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_exit_codes_and_messages_are_the_same(folder, surroundings):
    flags, environment, streams = SURROUNDINGS[surroundings]
    (folder / "codes").unlink(missing_ok=True)
    program = [sys.executable, *flags, "-c", ALL_COMMANDS, json.dumps(list(COMMANDS))]
    run = subprocess.run(
        ["bash", "-c", f"{shlex.join(program)} {streams}"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=600,
    )
    assert run.returncode == 0, run
    codes = json.loads((folder / "codes").read_text())
    assert dict(zip(COMMANDS, codes, strict=True)) == COMMANDS
    assert b"Traceback" not in run.stderr
    assert b"\x1b" not in run.stdout
    if "2>&-" not in streams:
        assert run.stderr.count(b"Error: ") == list(COMMANDS.values()).count(2)


WITHOUT_ASSERTIONS = """
import pickle, sys
from bsp_sat import BallSort, BspSatError, Plan
from bsp_sat.instances.files import parse_instances
boards, plans = pickle.load(sys.stdin.buffer)
puzzle = BallSort.from_text("ab|ba|-")
for data in boards:
    try:
        parse_instances(data.decode("utf-8-sig"))
    except (BspSatError, UnicodeDecodeError):
        continue
    sys.exit(f"a board is taken: {data[:100]}")
for data in plans:
    try:
        Plan.from_text(puzzle, data.decode())
    except BspSatError:
        continue
    sys.exit(f"a plan is taken: {data[:100]}")
print(len(boards) + len(plans), __debug__)
"""


def test_no_assertion_guards_what_is_read():

    files = [each.contents for each in MALFORMED_BOARDS], [each.contents for each in MALFORMED_PLANS]
    run = subprocess.run(
        [sys.executable, "-O", "-c", WITHOUT_ASSERTIONS], input=pickle.dumps(files), capture_output=True, timeout=600
    )
    assert (run.stdout.decode().split(), run.stderr) == ([str(sum(map(len, files))), "False"], b"")
