"""Draws a 3-Partition board, and what a shortest plan does to it: docs/three-partition.png.

    python benchmarks/three_partition_picture.py

Needs matplotlib: `pip install -e '.[plot]'`.
"""

from itertools import groupby
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt

from bsp_sat import BallSort
from bsp_sat.backends.cpsat.partition import find_triples
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.three_partition import Core, partition_tubes

NUMBERS, TARGET = (7, 10, 10, 9, 9, 9), 27
COLOURS = {"blue": "#4363d8", "red": "#e6194b"}
OUT = Path(__file__).parent.parent / "docs" / "three-partition.png"


def phases() -> list[tuple[str, SortPuzzle]]:
    """Titles and positions: the start, and each time the colour that moves has changed."""
    puzzle = BallSort.from_tubes(partition_tubes(NUMBERS, TARGET), TARGET)
    core = Core.of(puzzle)
    triples = find_triples(NUMBERS, TARGET)
    assert triples is not None
    found: list[tuple[str, SortPuzzle]] = [("the board", puzzle)]
    position: SortPuzzle = puzzle
    after = 0
    moved = None
    for move in core.plan_of(core.tubes_of(triples)):
        colour = puzzle.palette[position.tubes[move.source][-1]]
        if moved not in (None, colour):
            found.append((f"after {after} moves", position))
        moved = colour
        position = position.apply(move)
        after += 1
    return [*found, (f"after {after} moves: solved", position)]


def main() -> None:
    """Draw the picture."""
    panels = phases()
    figure, axes = plt.subplots(1, len(panels), figsize=(3 * len(panels), 3.2), layout="constrained")
    for axis, (title, position) in zip(axes, panels, strict=True):
        for at, tube in enumerate(position.coloured_tubes()):
            axis.bar(at, TARGET, 0.8, fill=False, edgecolor="#444444", linewidth=1)
            bottom = 0
            for colour, run in groupby(tube):
                height = len(list(run))
                axis.bar(at, height, 0.8, bottom, color=COLOURS[str(colour)])
                axis.text(at, bottom + height / 2, str(height), ha="center", va="center", color="white", fontsize=9)
                bottom += height
        axis.set_title(title, fontsize=10)
        axis.axis("off")
    figure.savefig(OUT, dpi=80)


if __name__ == "__main__":
    main()
