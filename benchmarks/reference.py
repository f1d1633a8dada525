"""The tables of percentiles that are shipped: every measure of 1,000 boards of each class.

    python benchmarks/reference.py --out apps/levels/data --classes ball-sort-9-4-2,water-sort-9-4-2

A table takes minutes, and is written when it is whole; classes whose tables are there already are passed over. With
--figures the figures of each board are kept as well, for `correlations.py`.
"""

import json
import time
from collections import Counter, defaultdict
from itertools import islice
from pathlib import Path

import click

from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.apps.levels.reference import rounded
from bsp_sat.apps.levels.study import Study
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES

SIZES = ((5, 4, 2), (6, 4, 2), (7, 4, 2), (8, 4, 2), (9, 4, 2), (10, 4, 2), (12, 4, 2))
CLASSES = ",".join(f"{rule}-{c}-{h}-{e}" for c, h, e in SIZES for rule in ("ball-sort", "water-sort"))


def table(board_class: str, boards: int, figures_of_boards: list[dict[str, float | None]]) -> dict[str, object]:
    """The figures of the first solvable boards of a class; those of each board go to ``figures_of_boards``."""
    rule, *numbers = board_class.rsplit("-", 3)
    values: dict[str, dict[str, Counter[float]]] = defaultdict(lambda: defaultdict(Counter))
    studies = (Study(board.puzzle) for board in random_boards(PUZZLES[rule], *map(int, numbers), seed=0))
    for study in islice((study for study in studies if study.is_solvable), boards):
        figures = {name: measure.take(study) for name, measure in MEASURES.items()}
        for name, figure in figures.items():
            if figure is not None and figure.value is not None:
                values[name][figure.how][rounded(figure.value)] += 1
        figures_of_boards.append({name: figure and figure.value for name, figure in figures.items()})
    return {
        "class": board_class,
        "boards": boards,
        "made_by": f"python benchmarks/reference.py --classes {board_class} --boards {boards}",
        "measures": {
            name: {str(how): sorted(counts.items()) for how, counts in kinds.items()} for name, kinds in values.items()
        },
    }


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("apps/levels/data"))
@click.option("--classes", default=CLASSES)
@click.option("--boards", default=1000, show_default=True)
@click.option("--figures", type=click.Path(path_type=Path, file_okay=False))
def main(out: Path, classes: str, boards: int, figures: Path | None) -> None:
    """Write the tables that are missing."""
    for board_class in classes.split(","):
        path = out / f"{board_class}.json"
        if not path.exists():
            began = time.process_time()
            each: list[dict[str, float | None]] = []
            text = json.dumps(table(board_class, boards, each), separators=(",", ":"))
            if figures is not None:
                lines = "".join(json.dumps(line) + "\n" for line in each)
                (figures / f"{board_class}.jsonl").write_text(lines, encoding="utf-8")
            path.write_text(text + "\n", encoding="utf-8")
            print(f"{path}: {len(text):,} bytes, {time.process_time() - began:.0f} s of one core", flush=True)


if __name__ == "__main__":
    main()
