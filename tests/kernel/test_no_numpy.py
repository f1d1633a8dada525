"""One board is solved, graded and given hints without numpy: it takes as long to load as all the rest."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def surroundings(tmp_path):
    """An environment in which no process can import numpy."""
    (tmp_path / "numpy.py").write_text("raise ImportError('numpy is imported')")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}


@pytest.mark.parametrize(
    "command",
    [
        "solve level-80 --backend kernel",
        "solve level-80 --puzzle water-sort",
        "solve level-80 --json",
        "grade level-80",
        "hint level-80",
    ],
)
def test_commands_for_one_board(command, surroundings):
    program = [sys.executable, "-m", "bsp_sat", *command.split()]
    run = subprocess.run(program, capture_output=True, text=True, env=surroundings)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_trap_catches(surroundings):
    program = [sys.executable, "-c", "import bsp_sat.backends.search.tile_arrays"]
    run = subprocess.run(program, capture_output=True, text=True, env=surroundings)
    assert "numpy is imported" in run.stderr
