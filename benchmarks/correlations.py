"""How the measures correlate: Spearman's rank correlations inside four classes.

    python benchmarks/correlations.py FIGURES

FIGURES is the folder that `reference.py --figures` wrote to. Boards with an unknown figure are left out.
"""

import json
import warnings
from pathlib import Path

import click
import numpy as np

from bsp_sat.apps.levels.measures import MEASURES

CLASSES = ("ball-sort-5-4-2", "ball-sort-9-4-2", "water-sort-5-4-2", "water-sort-9-4-2")
NAMES = [name for name in MEASURES if name != "min_empty"]  # which is 2 nearly everywhere here


def ranks(values: np.ndarray) -> np.ndarray:
    """Mean ranks, ties shared."""
    order = np.sort(values)
    return (np.searchsorted(order, values, "left") + np.searchsorted(order, values, "right")) / 2


@click.command()
@click.argument("figures", type=click.Path(path_type=Path, file_okay=False))
def main(figures: Path) -> None:
    """Print a table for each class."""
    warnings.simplefilter("ignore")  # measures that are the same for all boards
    for name in CLASSES:
        boards = map(json.loads, (figures / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        rows = [[board[measure] for measure in NAMES] for board in boards]
        known = np.array([row for row in rows if None not in row], float)
        print(f"\n| {name}, {len(known):,} boards | {' | '.join(NAMES)} |\n|{'---|' * (len(NAMES) + 1)}")
        for measure, found in zip(NAMES, np.corrcoef([ranks(column) for column in known.T]), strict=True):
            print(f"| {measure} | {' | '.join(f'{value:.2f}' for value in found)} |")


if __name__ == "__main__":
    main()
