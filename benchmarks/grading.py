"""How many boards a second are graded, and how long levels with wanted measures take.

    python benchmarks/grading.py --boards 50

Grading: one core's time of single boards, in this process; the median of the boards. Orders: whole commands, wall time.
"""

import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from statistics import median

import click

from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.apps.levels.study import Study
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES

SIZES = ((7, 4, 2), (9, 4, 2), (12, 4, 2))
CHEAP = tuple(name for name, measure in MEASURES.items() if measure.cheap)
ORDERS = (
    "--colours 9 --optimum 36 --count 10",
    "--colours 9 --random-success ..1% --count 10",
    "--colours 9 --curve random_success --count 100",
)


def rates(kind: str, size: tuple[int, int, int], boards: int) -> tuple[dict[str, float], float, float]:
    """Median milliseconds of each measure in turn, of the cheap ones together, and of all."""
    each: dict[str, list[float]] = {name: [] for name in MEASURES}
    cheap, everything = [], []
    for board in islice(random_boards(PUZZLES[kind], *size, seed=5_000), boards):
        began = time.process_time()
        study = Study(board.puzzle)
        for name in (*CHEAP, *(name for name in MEASURES if name not in CHEAP)):
            before = time.process_time()
            MEASURES[name].take(study)
            each[name].append(1e3 * (time.process_time() - before))
            if name == CHEAP[-1]:
                cheap.append(1e3 * (time.process_time() - began))
        everything.append(1e3 * (time.process_time() - began))
    return {name: median(values) for name, values in each.items()}, median(cheap), median(everything)


@click.command()
@click.option("--boards", default=50, show_default=True)
@click.option("--orders/--no-orders", default=True, help="Also measure making levels.")
def main(boards: int, orders: bool) -> None:
    """Print two tables."""
    Study(next(random_boards(PUZZLES["ball-sort"], 3, 4, 2)).puzzle)
    print("| class | cheap, ms | a second | all, ms | a second |\n|---|---|---|---|---|")
    details = []
    for kind in ("ball-sort", "water-sort"):
        for size in SIZES:
            each, cheap, everything = rates(kind, size, boards)
            name = f"{kind} {','.join(map(str, size))}"
            print(
                f"| {name} | {cheap:.1f} | {1e3 / cheap:.0f} | {everything:.1f} | {1e3 / everything:.0f} |", flush=True
            )
            details.append(f"| {name} | " + " | ".join(f"{each[measure]:.2f}" for measure in MEASURES) + " |")
    print(f"\n| ms | {' | '.join(MEASURES)} |\n|{'---|' * (len(MEASURES) + 1)}")
    print("\n".join(details))
    if not orders:
        return
    print("\n| bsp-sat generate levels | s | boards found | boards tried |\n|---|---|---|---|")
    program = Path(sys.executable).with_name("bsp-sat")
    for words in ORDERS:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "levels.jsonl"
            began = time.monotonic()
            command = [program, "generate", "levels", *words.split(), "--out", out]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            seconds = time.monotonic() - began
            found = len(out.read_text(encoding="utf-8").splitlines())
            print(f"| `{words}` | {seconds:.1f} | {found} | {run.stderr.split()[-4]} |", flush=True)


if __name__ == "__main__":
    main()
