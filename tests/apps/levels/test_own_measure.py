"""A measure of a user's own, in a module of the user's own, on the command line."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MEASURE = '''
from bsp_sat.apps.levels.measures import Figure, measure


@measure("Colour changes")
def changes(study):
    """Places in tubes where two neighbours have different colours."""
    return Figure.exact(sum(a != b for tube in study.puzzle.tubes for a, b in zip(tube, tube[1:])))
'''
PROGRAM = "import colour_changes\n\nfrom bsp_sat.cli import main\n\nmain()\n"


@pytest.mark.parametrize("curve", [(), ("--curve", "optimum", "--count", "2")])
def test_levels_are_made_and_graded_by_a_foreign_measure(curve, tmp_path):
    (tmp_path / "colour_changes.py").write_text(MEASURE)
    (tmp_path / "program.py").write_text(PROGRAM)
    made = _run(tmp_path, "generate", "levels", "--colours", "4", "--capacity", "3", "--changes", "5..6", *curve)
    levels = [json.loads(line) for line in made.splitlines()]
    (tmp_path / "levels.jsonl").write_text(made)
    graded = _run(tmp_path, "grade", "levels.jsonl", "--measures", "changes", "--json").splitlines()
    assert levels
    for level, line in zip(levels, graded, strict=True):
        assert 5 <= sum(a != b for tube in level["tubes"] for a, b in pairwise(tube)) <= 6
        assert json.loads(line)["grades"]["changes"] == level["grades"]["changes"]


def _run(folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "program.py", *words]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    return run.stdout
