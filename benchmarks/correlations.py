"""How the measures correlate: Spearman's rank correlations inside four classes, as one picture.

    python benchmarks/correlations.py FIGURES --out benchmarks/results/grading.png

FIGURES is the folder that `reference.py --figures` wrote to.
"""

import json
import warnings
from pathlib import Path

import click
import numpy as np
from matplotlib.figure import Figure as Drawing

from bsp_sat.apps.levels.measures import MEASURES

CLASSES = ("ball-sort-5-4-2", "ball-sort-9-4-2", "water-sort-5-4-2", "water-sort-9-4-2")
NAMES = [name for name in MEASURES if name != "min_empty"]  # which is 2 nearly everywhere here


def ranks(values: np.ndarray) -> np.ndarray:
    """Mean ranks, ties shared."""
    order = np.sort(values)
    return (np.searchsorted(order, values, "left") + np.searchsorted(order, values, "right")) / 2


def correlations(path: Path) -> tuple[np.ndarray, int]:
    """[measures, measures] rank correlations, and the number of boards, without those with an unknown figure."""
    boards = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [[board[name] for name in NAMES] for board in boards]
    known = np.array([row for row in rows if None not in row], float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # measures that are the same for all boards
        return np.corrcoef([ranks(column) for column in known.T]), len(known)


@click.command()
@click.argument("figures", type=click.Path(path_type=Path, file_okay=False))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True)
def main(figures: Path, out: Path) -> None:
    """Draw the picture, and print the correlations with `random_success`."""
    drawing = Drawing(figsize=(13, 12), layout="constrained")
    for axes, name in zip(drawing.subplots(2, 2).flat, CLASSES, strict=True):
        found, boards = correlations(figures / f"{name}.jsonl")
        axes.imshow(found, cmap="RdBu", vmin=-1, vmax=1)
        for row, column in np.ndindex(found.shape):
            if np.isfinite(found[row, column]):
                dark = abs(found[row, column]) > 0.6
                words = f"{100 * found[row, column]:.0f}"
                axes.text(column, row, words, ha="center", va="center", fontsize=7, color="white" if dark else "black")
        axes.set_xticks(range(len(NAMES)), NAMES, rotation=60, ha="right", fontsize=8)
        axes.set_yticks(range(len(NAMES)), NAMES, fontsize=8)
        axes.set_title(f"{name}, {boards:,} boards", fontsize=10)
        of_players = found[NAMES.index("random_success")]
        print(f"{name}:", ", ".join(f"{n} {c:.2f}" for n, c in zip(NAMES, of_players, strict=True)), flush=True)
    drawing.suptitle("Rank correlations of measures (Spearman, hundredths)", fontsize=11)
    drawing.savefig(out, dpi=90)


if __name__ == "__main__":
    main()
