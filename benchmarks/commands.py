"""Whole commands of this installation and of another, in turns.

    python benchmarks/commands.py ~/before/bin/python --levels LEVELS.jsonl

The cells have the median of --repeat runs of each, and the median of the ratios of runs that follow one another, so
that a machine whose pace changes does little harm. Both have to be warm: a first run of each command isn't counted.
For files of many boards the seconds are for all of them, with one job.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

import click

from bsp_sat import BallSort, Instance, Puzzle, WaterSort, random_boards


def save(path: Path, puzzle: type[Puzzle], colours: int, boards: int) -> str:
    """A file of boards of 4 balls a tube and two empty tubes."""
    found: Iterator[Instance] = islice(random_boards(puzzle, colours, 4, 2, seed=1000), boards)
    path.write_text("".join(f"{json.dumps(instance.puzzle.to_json())}\n" for instance in found), encoding="utf-8")
    return str(path)


def commands(folder: Path, levels: Path | None) -> Iterator[tuple[str, list[str]]]:
    """What is timed, by name."""
    yield "`--help`", ["--help"]
    yield "level-80", ["solve", "level-80"]
    yield "(12,4,2), seed 1000", ["solve", save(folder / "one.jsonl", BallSort, 12, 1)]
    for puzzle, colours, boards in ((BallSort, 9, 1000), (BallSort, 12, 100), (WaterSort, 9, 200), (WaterSort, 12, 50)):
        path = save(folder / f"{puzzle.kind}-{colours}.jsonl", puzzle, colours, boards)
        yield f"{boards} of ({colours},4,2), {puzzle.kind}", ["solve", path, "--jobs", "1"]
    if levels is not None:
        yield f"{levels.stem}, water-sort", ["solve", str(levels), "--puzzle", "water-sort", "--jobs", "1"]


def seconds(python: str, words: list[str]) -> float:
    """Wall time of one command."""
    began = time.monotonic()
    subprocess.run([python, "-m", "bsp_sat", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - began


@click.command()
@click.argument("before")
@click.option("--levels", type=click.Path(exists=True, path_type=Path), help="Boards of one more row.")
@click.option("--repeat", default=9, show_default=True, help="Runs of each.")
def main(before: str, levels: Path | None, repeat: int) -> None:
    """Compares this installation with that of the interpreter BEFORE."""
    print("| command | before | now | ratio |")
    print("| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in commands(Path(folder), levels):
            pairs = [(seconds(before, words), seconds(sys.executable, words)) for _ in range(repeat + 1)][1:]
            then, now = (median(pair[side] for pair in pairs) for side in (0, 1))
            ratio = median(pair[1] / pair[0] for pair in pairs)
            print(f"| {name} | {then:.2f} s | {now:.2f} s | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
