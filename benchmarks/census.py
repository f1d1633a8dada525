"""Figures about all boards of a class, beside those that `bsp-sat census` prints itself.

    python benchmarks/census.py hardest 5 3 2
    python benchmarks/census.py shares benchmarks/results/shares.jsonl docs/shares.png

``hardest`` prints, for each of three measures of docs/grading.md, the boards with the highest figures, as one line of
text each: the optimum, the share of losing moves on shortest plans (`trap_share`), and how late the ways that fail part
from those that don't (`safe_from`). Boards that differ by names of colours or the order of tubes count once.

``shares`` finds which share of all boards can't be solved, for growing numbers of colours: 0 where all can, else by
``census --by cases``, or where that takes too long ``--by sample``. It draws what the file has then, and goes on from
there (extra ``plot``).
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from itertools import takewhile
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat.apps.census.board_class import BoardClass, line_of
from bsp_sat.apps.census.board_classes import BoardClasses
from bsp_sat.apps.census.cases import MODULUS, count_boards
from bsp_sat.apps.levels.grade import grade
from bsp_sat.cli.group import commands
from bsp_sat.instances.sorting import BallSort, WaterSort
from tests.support.census_map import reason

MEASURES = ("optimum", "trap_share", "safe_from")
RULES = {rule.kind: rule for rule in (BallSort, WaterSort)}

numbers_argument = click.argument("numbers", nargs=3, type=int, metavar="COLOURS CAPACITY EMPTY")


@click.group()
def main() -> None:
    """Figures about all boards of a class."""


@main.command()
@numbers_argument
@click.option("--puzzle", type=click.Choice(list(RULES)), default=BallSort.kind, show_default=True)
@click.option("--best", default=3, show_default=True, help="Boards for each measure.")
def hardest(numbers: tuple[int, int, int], puzzle: str, best: int) -> None:
    """Grades every board."""
    of = BoardClass(*numbers)
    found: dict[str, list[tuple[float, str]]] = {measure: [] for measure in MEASURES}
    for some in BoardClasses(*numbers).boards():
        for balls in some:
            board = of.under(RULES[puzzle], balls)
            grades = grade(board, MEASURES).grades
            for measure, top in found.items():
                if measure in grades and grades[measure].figure.value is not None:
                    top.append((grades[measure].figure.value, line_of(board)))
        for top in found.values():
            top.sort(key=lambda each: -each[0])
            del top[best:]
    for measure, top in found.items():
        for value, line in top:
            print(f"{measure:10}  {value:8.4g}  {line}")


SHARES = {
    (empty, capacity): colours
    for empty, colours in ((1, [*range(2, 13), 16, 24, 32, 40]), (2, [*range(3, 17), 20, 24, 28, 40]))
    for capacity in range(3, 7)
}
"""The numbers of colours that are looked at."""
WIDEST = 0.4  # interval that is drawn


@main.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--exact", default=60.0, show_default=True, metavar="SECONDS", help="For a case distinction.")
@click.option("--boards", default=400, show_default=True, help="Random boards of other classes.")
def shares(results: Path, out: Path, exact: float, boards: int) -> None:
    """Finds and draws the shares of boards that can't be solved."""
    results.touch()
    lines = results.read_text(encoding="utf-8").splitlines()
    known = {BoardClass(*line["of"]): line["share"] for line in map(json.loads, lines)}
    for (empty, capacity), numbers in SHARES.items():
        for n in numbers:
            of = BoardClass(n, capacity, empty)
            if of not in known:
                known[of], how = _share(of, exact, boards)
                with results.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps({"of": astuple(of), "share": known[of], "how": how}) + "\n")
    _draw_shares(known, out)


def _share(of: BoardClass, exact: float, boards: int) -> tuple[Sequence[float], str]:
    """The share of a class, as an interval, and how it was found."""
    if reason(of).startswith("yes"):
        return (0.0, 0.0), "all can be solved"
    if count_boards(of) < MODULUS:
        labelled = _census(of, "cases", "--time-limit", str(exact))["labelled"]
        if labelled is not None:
            return (labelled["unsolvable"] / labelled["boards"],) * 2, "cases"
    found = _census(of, "sample", "--boards", str(boards))
    return found["share"], f"{found['boards']} of {boards} random boards, {found['unsolvable']} unsolvable"


def _census(of: BoardClass, by: str, *options: str) -> dict[str, Any]:
    """What `bsp-sat census` prints."""
    words = [word for name, number in asdict(of).items() for word in (f"--{name}", str(number))]
    run = CliRunner().invoke(commands, ["census", *words, "--by", by, "--jobs", "1", "--json", *options])
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def _draw_shares(known: Mapping[BoardClass, Sequence[float]], out: Path) -> None:
    """Draws intervals as bands, and exact shares as points; not where an interval says next to nothing."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained", sharey=True)
    for (empty, capacity), numbers in SHARES.items():
        panel = panels[empty - 1]
        found = [known[BoardClass(n, capacity, empty)] for n in numbers]
        found = [*takewhile(lambda share: share[1] - share[0] < WIDEST, found)]
        numbers = numbers[: len(found)]
        colour = f"C{capacity - 3}"
        panel.fill_between(numbers, *zip(*found, strict=True), color=colour, alpha=0.25, label=f"capacity {capacity}")
        panel.plot(numbers, found, color=colour, linewidth=0.8)
        exact = [(n, low) for n, (low, high) in zip(numbers, found, strict=True) if low == high]
        panel.plot(*zip(*exact, strict=True), "o", color=colour, markersize=4)
        panel.set(xlabel="colours", title=f"{empty} empty tube{'s' * (empty > 1)}")
    panels[0].set_ylabel("share of boards that can't be solved")
    panels[1].legend()
    figure.savefig(out, dpi=75)


if __name__ == "__main__":
    main()
