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
ORDERS = (
    "--colours 9 --optimum 36 --count 10",
    "--colours 9 --random-success ..1% --count 10",
    "--colours 9 --curve random_success --count 100",
)


@click.command()
@click.option("--boards", default=50, show_default=True)
@click.option("--orders/--no-orders", default=True, help="Also measure making levels.")
def main(boards: int, orders: bool) -> None:
    """Print two tables."""
    Study(next(random_boards(PUZZLES["ball-sort"], 3, 4, 2)).puzzle)
    print("| class | all measures, ms | a second |\n|---|---|---|")
    for kind in ("ball-sort", "water-sort"):
        for size in SIZES:
            taken = []
            for board in islice(random_boards(PUZZLES[kind], *size, seed=5_000), boards):
                began = time.process_time()
                study = Study(board.puzzle)
                for measure in MEASURES.values():
                    measure.take(study)
                taken.append(1e3 * (time.process_time() - began))
            name = f"{kind} {','.join(map(str, size))}"
            print(f"| {name} | {median(taken):.1f} | {1e3 / median(taken):.0f} |", flush=True)
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
