"""The study of heuristics against the optimum, in one command.

    python benchmarks/study.py -o benchmarks/results/study

For both readings of "10 tubes", 8 colours and 2 empty tubes or 10 colours and 2, it compares the solvers on the same
boards, varies the weights and draws the pictures. An interrupted run goes on where it stopped. Then come the
features that predict difficulty.
"""

import subprocess
import sys
from pathlib import Path

import click

BENCHMARKS = Path(__file__).parent

HEURISTICS = (
    "astar:unique-length,astar:misplaced,astar:unique-colours,astar:transitions,astar:unique-length:as-published,"
    "astar:misplaced:as-published,wastar:unique-length,wastar:misplaced,greedy:unique-length,greedy:misplaced"
)
SOLVERS = ",".join(["auto", "astar", *(f"heuristic:{name}" for name in HEURISTICS.split(",")), "dfs", "dfs-sorted"])
SWEPT = "heuristic:astar:unique-length"
SWEEPS = ("--sweep", "column-weight=0.5:1.0:0.25", "--sweep", "colour-weight=0.5:1.0:0.25")


def run(*command: str) -> None:
    """Runs a program with this interpreter; its failure is ours."""
    subprocess.run([sys.executable, *command], check=True)


@click.command()
@click.option("-o", "--out", "folder", type=click.Path(path_type=Path), default=Path("study"), show_default=True)
@click.option("--games", default=20, show_default=True, help="Boards of each set.")
@click.option("--jobs", default=1, show_default=True, help="One keeps the times comparable.")
@click.option("--difficulty-games", default=200, show_default=True)
def main(folder: Path, games: int, jobs: int, difficulty_games: int) -> None:
    """Compare, sweep, draw, correlate."""
    for tubes in (10, 12):
        here = folder / f"{tubes}-tubes"
        here.mkdir(parents=True, exist_ok=True)
        results = here / "results.sqlite"
        boards = str(here / "boards.jsonl")
        made = ("--colours", str(tubes - 2), "--count", str(games), "--out", boards)
        run("-m", "bsp_sat", "generate", "random", *made)
        command = ("-m", "bsp_sat", "compare", boards, "--jobs", str(jobs))
        keep = ("--resume", str(results))
        run(*command, *keep, "--solvers", SOLVERS)
        run(*command, *keep, "--solvers", SWEPT, *SWEEPS, "--export", str(here / "runs.csv"))
        run("-m", "bsp_sat", "plot", str(results), "-o", str(here))
    for colours, empty in ((7, 2), (6, 1)):
        options = ("--games", str(difficulty_games), "--colours", str(colours), "--empty", str(empty))
        run(str(BENCHMARKS / "difficulty.py"), *options)


if __name__ == "__main__":
    main()
