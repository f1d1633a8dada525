"""Times Fast Downward on the exported PDDL of boards: JSON Lines as `run.py` writes them, for `compare.py`.

    python benchmarks/fast_downward.py BOARDS... --time-limit 120 --out runs.jsonl

Needs ``up-fast-downward`` (in the extra ``peers``). Seconds are wall time of the planner, translation included.
"""

import json
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from bsp_sat import Instance, load_instances
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.instances.files import load_plan
from bsp_sat.instances.sorting import SortPuzzle

FOUND, UNSOLVABLE = 0, 11


def driver() -> Path:
    """The planner's program inside its package."""
    spec = find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        raise click.UsageError("up-fast-downward is not installed: pip install -e '.[peers]'")
    return Path(spec.origin).parent / "downward" / "fast-downward.py"


def run(instance: Instance, search: str, seconds: float) -> dict[str, Any]:
    """Runs the planner on one board and replays its plan."""
    puzzle = instance.puzzle
    assert isinstance(puzzle, SortPuzzle)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(pddl_domain(puzzle), encoding="utf-8")
        (folder / "problem.pddl").write_text(pddl_problem(puzzle, instance.name), encoding="utf-8")
        command = [
            sys.executable,
            str(driver()),
            "--plan-file",
            "plan",
            "domain.pddl",
            "problem.pddl",
            "--search",
            search,
        ]
        started = time.monotonic()
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            status, length = "unknown", None
            try:
                code = process.wait(timeout=seconds)
                status = {FOUND: "optimal", UNSOLVABLE: "unsolvable"}.get(code, "unknown")
            except subprocess.TimeoutExpired:
                subprocess.run(["pkill", "-KILL", "-s", str(process.pid)], check=False)
        elapsed = time.monotonic() - started
        if status == "optimal":
            plan = load_plan(puzzle, folder / "plan")
            plan.replay(puzzle)
            length = len(plan)
    config = f"fast-downward:{search}"
    versions = {"up-fast-downward": version("up-fast-downward")}
    return {"board": instance.name, "puzzle": puzzle.kind, "config": config, "status": status, "length": length,
            "expected": instance.known_answer, "seconds": round(elapsed, 3), "versions": versions}  # fmt: skip


@click.command()
@click.argument("boards", nargs=-1, required=True)
@click.option("--puzzle", help="Rules to play the boards by.")
@click.option("--match", default="", help="Only boards whose name contains this.")
@click.option("--search", default="astar(blind())", show_default=True)
@click.option("--time-limit", type=float, default=120.0, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="File to append to.")
def main(boards: tuple[str, ...], puzzle: str | None, match: str, search: str, time_limit: float, out: Path) -> None:
    """Time the planner on every board."""
    with out.open("a", encoding="utf-8") as stream:
        for source in boards:
            for instance in load_instances(source, puzzle):
                if match in instance.name:
                    print(json.dumps(run(instance, search, time_limit)), file=stream, flush=True)


if __name__ == "__main__":
    main()
