"""How the measures correlate: Spearman's rank correlations inside four classes, as one picture.

python benchmarks/correlations.py --out docs/measurements/grading.png
"""

import warnings
from itertools import islice
from pathlib import Path

import click
import numpy as np
from matplotlib.figure import Figure as Drawing

from bsp_sat.grading.registry import MEASURES
from bsp_sat.grading.study import Study
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES

CLASSES = (("ball-sort", 5, 4, 2), ("ball-sort", 9, 4, 2), ("water-sort", 5, 4, 2), ("water-sort", 9, 4, 2))
NAMES = [name for name in MEASURES if name != "min_empty"]  # which is 2 nearly everywhere here


def ranks(values: np.ndarray) -> np.ndarray:
    """Mean ranks, ties shared."""
    order = np.sort(values)
    return (np.searchsorted(order, values, "left") + np.searchsorted(order, values, "right")) / 2


def correlations(kind: str, size: tuple[int, ...], boards: int) -> np.ndarray:
    """[measures, measures] rank correlations."""
    rows = []
    studies = (Study(board.puzzle) for board in random_boards(PUZZLES[kind], *size, seed=0))
    for study in islice((study for study in studies if study.is_solvable), boards):
        figures = [MEASURES[name].take(study) for name in NAMES]
        middle = (
            [np.nan] if f is None else [f.value if f.value is not None else f.low] for f in figures
        )  # of what is only bounded, the lower end
        rows.append([float(value or 0) for (value,) in middle])
    columns = [ranks(column) for column in np.array(rows).T]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # measures that are the same for all boards
        return np.corrcoef(columns)


@click.command()
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True)
@click.option("--boards", default=1000, show_default=True)
def main(out: Path, boards: int) -> None:
    """Draw the picture, and print the correlations with `random_success`."""
    drawing = Drawing(figsize=(13, 12), layout="constrained")
    for axes, (kind, *size) in zip(drawing.subplots(2, 2).flat, CLASSES, strict=True):
        found = correlations(kind, tuple(size), boards)
        axes.imshow(found, cmap="RdBu", vmin=-1, vmax=1)
        for row, column in np.ndindex(found.shape):
            if np.isfinite(found[row, column]):
                dark = abs(found[row, column]) > 0.6
                words = f"{100 * found[row, column]:.0f}"
                axes.text(column, row, words, ha="center", va="center", fontsize=7, color="white" if dark else "black")
        axes.set_xticks(range(len(NAMES)), NAMES, rotation=60, ha="right", fontsize=8)
        axes.set_yticks(range(len(NAMES)), NAMES, fontsize=8)
        axes.set_title(f"{kind} ({', '.join(map(str, size))}), {boards:,} boards", fontsize=10)
        of_players = found[NAMES.index("random_success")]
        print(f"{kind} {size}:", ", ".join(f"{n} {c:.2f}" for n, c in zip(NAMES, of_players, strict=True)), flush=True)
    drawing.suptitle("Rank correlations of measures (Spearman, hundredths)", fontsize=11)
    drawing.savefig(out, dpi=90)


if __name__ == "__main__":
    main()
