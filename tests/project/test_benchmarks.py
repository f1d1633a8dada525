"""Each benchmark still runs: the smallest run of those that take little, and the help of the others."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.sources import ROOT

SCRIPTS = ROOT / "benchmarks"
TINY = {
    "anywhere": "2x3 --boards 1",
    "atlas": "levels --out atlas.jsonl",
    "census": "hardest 2 2 1",
    "certificates": "--repeat 1 --only level-80",
    "gaps": "0.01",
    "grading": "--boards 1 --no-orders",
    "growth": "--boards 1 --seconds 0.01",
    "hidden": "-o hidden --colours 3 --boards 1 --strategies 0 --levels levels/water.jsonl",
    "hints": "levels --positions 1",
    "kernel": "levels/ball.jsonl",
    "overhead": "--boards 2 --repeat 1",
    "pictures": "--drawn 1 --out pictures.jsonl",
    "reading": "--length 2000",
    "reference": "--classes ball-sort-3-2-1 --boards 2 --out . --figures .",
    "run": "levels/ball.jsonl --config astar",
    "scheduler": "--workers 1 --threads 1 --tasks 3 --boards 1",
    "solvers": "levels/ball.jsonl --limit 100",
    "spellings": "--cases 20",
}
"""Options of a run of a second or two."""
LONG = (
    *("cluster", "commands", "correlations", "levels", "mutants", "page", "peers"),
    *("pictures_in_tab", "scaling", "side_by_side", "tab"),
)
"""They take long, or what isn't there: a browser, another installation, pictures, files of runs."""
WITHOUT_OPTIONS = ("lines", "page_pictures", "three_partition_picture")  # of a commit; drawings


def test_each_script_is_tried():
    assert {script.stem for script in SCRIPTS.glob("*.py")} == {*TINY, *LONG, *WITHOUT_OPTIONS}


@pytest.mark.parametrize("name", [*TINY, *LONG])
@pytest.mark.sampled(every=3)
def test_a_benchmark_runs(name, tmp_path):
    covers = {"hidden": [[True, False], [True, False], []]}
    for file, puzzle, more in (("ball", "ball-sort", ({},)), ("water", "water-sort", (covers, {}))):
        board = {"puzzle": puzzle, "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
        lines = (json.dumps({**board, **each}) for each in more)
        (tmp_path / "levels").mkdir(exist_ok=True)
        (tmp_path / "levels" / f"{file}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, str(SCRIPTS / f"{name}.py"), *TINY.get(name, "--help").split()]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout
