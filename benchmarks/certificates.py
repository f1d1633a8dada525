"""Certificates by whole commands: `solve --certificate` and `verify`, a row for each group of boards.

    python benchmarks/certificates.py --levels LEVELS.jsonl > out.md

Each board is solved and certified, and its certificate verified, --repeat times; a board counts with its medians. The
cells have the median over the boards of a group and, behind a semicolon, the most. Seconds are the
processor times of all processes. --lrat adds rows for the boards of which LRAT proofs are asked for too, one run each.
"""

import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import click

from bsp_sat import BallSort, Instance, WaterSort, load_instances, random_boards
from bsp_sat.backends.boards import partition_boards
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.tiles import Tiles

DATA = Path(__file__).parents[1] / "tests" / "data"


def groups(levels: Path | None) -> Iterator[tuple[str, list[Instance]]]:
    """The groups by name."""
    yield "level-80", load_instances("level-80")
    medium, large = (load_instances(DATA / f"{name}.jsonl", "ball-sort") for name in ("medium", "large"))
    for size, boards in (("c12-h4-e2", medium), ("c14-h4-e2", large), ("c16-h4-e3", large), ("c10-h8-e2", large)):
        yield f"ball sort, {size}", [board for board in boards if size in board.name]
    for size in ("c20-h4-e5", "c20-h4-e6"):
        yield f"ball sort, {size}", [board for board in large if size in board.name]
    yield "ball sort, medium.jsonl", medium
    yield "water sort, medium.jsonl", load_instances(DATA / "medium.jsonl", "water-sort")
    if levels is not None:
        yield f"water sort, {levels.stem}", load_instances(levels, "water-sort")
    yield "tiles, grids.jsonl", load_instances(DATA / "grids.jsonl", None)[:20]
    yield "tiles, 6×6, 4 colours", [next(random_boards(Tiles, 6, 6, 4, seed=seed)) for seed in range(5)]
    for rule in (BallSort, WaterSort):
        cramped = (next(random_boards(rule, 9, 4, 1, seed=seed)) for seed in range(5))
        yield f"unsolvable: {rule.kind}, c9-h4-e1", list(cramped)
    yield "shot, 14 balls", [next(random_boards(Shot, 14, 7, 9, seed=seed)) for seed in range(20)]
    for rule in (BallSort, WaterSort):
        for solvable in (True, False):
            boards = [next(partition_boards(rule, 4, 24, seed, solvable=solvable)) for seed in range(3)]
            yield f"3-Partition, m = 4, B = 24, {rule.kind}, {'' if solvable else 'un'}solvable", boards


def processor_seconds() -> float:
    """Processor time of all commands so far and of the processes they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(*arguments: str) -> tuple[float, dict[str, Any]]:
    """Processor time of a command and what it prints, where that is JSON."""
    before = processor_seconds()
    run = subprocess.run([sys.executable, "-m", "bsp_sat", *arguments], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3):
        raise SystemExit(f"{' '.join(arguments)}: {run.stderr}")
    answer = json.loads(run.stdout) if run.stdout.startswith("{") else {"verified": run.returncode == 0}
    return processor_seconds() - before, answer


def certified(board: Instance, repeat: int, limit: float, proof: Sequence[str]) -> dict[str, Any]:
    """The medians of a board, or an ``error``."""
    runs = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "board.json"), Path(folder, "proof")
            source.write_text(json.dumps(board.to_json()))
            options = ["--json", "--certificate", str(target), "--time-limit", str(limit), *proof]
            solve, result = command("solve", str(source), *options)
            made = result["certificate"]
            if "error" in made:
                return {"error": made["error"]}
            verify, answer = command("verify", str(target))
            if not answer["verified"]:
                raise SystemExit(f"{board.name}: not verified")
            runs.append((solve, verify))
    figures = zip(("solve", "verify"), map(median, zip(*runs, strict=True)), strict=True)
    return {**dict(figures), "kB": made["bytes"] / 1000, "kind": made["kind"], "positions": made.get("positions")}


def row(name: str, facts: list[dict[str, Any]]) -> str:
    """A row of the table."""
    made = [fact for fact in facts if "error" not in fact]

    def cell(key: str, digits: int) -> str:
        values = [fact[key] for fact in made if fact.get(key) is not None]
        if not values:
            return "–"
        most = f"; {max(values):,.{digits}f}" if len(values) > 1 else ""
        return f"{median(values):,.{digits}f}{most}"

    kinds = Counter(fact["kind"] for fact in made)
    shown = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "none"
    cells = [name, len(facts), shown, cell("positions", 0), cell("kB", 1), cell("solve", 2), cell("verify", 2)]
    return f"| {' | '.join(map(str, cells))} |"


@click.command()
@click.option("--levels", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Water levels, too.")
@click.option("--repeat", default=5, show_default=True)
@click.option("--limit", default=120.0, show_default=True, help="Seconds for a board and its certificate.")
@click.option("--lrat", is_flag=True, help="Add rows for LRAT proofs.")
@click.option("--only", default="", help="Groups whose name has this in it.")
def main(levels: Path | None, repeat: int, limit: float, lrat: bool, only: str) -> None:
    """Print the table."""
    print("| boards | number | certificates | positions | kB | solve and certify, s | verify, s |")
    print("|---" * 7 + "|", flush=True)
    for name, boards in groups(levels):
        if only in name:
            print(row(name, [certified(board, repeat, limit, []) for board in boards]), flush=True)
    if lrat:
        for name, boards in groups(None):
            if only in name and name.startswith(("level-80", "ball sort, c1", "3-Partition, m = 4, B = 24, ball")):
                facts = [certified(board, 1, limit, ["--proof", "lrat"]) for board in boards]
                print(row(f"{name}, LRAT", facts), flush=True)


if __name__ == "__main__":
    main()
