"""Figures about all boards of a class, beside those that `bsp-sat census` prints itself.

    python benchmarks/census.py hardest 5 3 2
    python benchmarks/census.py formula 4 5 2
    python benchmarks/census.py picture benchmarks/results/census.png

``hardest`` prints, for each of three measures of docs/grading.md, the boards with the highest figures, as one line of
text each: the optimum, the share of losing moves on shortest plans (`trap_share`), and how late the ways that fail part
from those that don't (`safe_from`). Boards that differ by names of colours or the order of tubes count once.

``formula`` solves the formula of a class with each set of rules of symmetry.

``picture`` draws the maps of docs/every-board.md, and how many boards have which optimum (extra ``plot``).
"""

import json
import sys
import time
from pathlib import Path

import click
from pysat.solvers import Solver

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat.backends.kernel import BoardClasses
from bsp_sat.census.board_class import BoardClass, line_of
from bsp_sat.encoder.unsolvable_board import Symmetry, UnsolvableBoard
from bsp_sat.grading.grade import grade
from bsp_sat.instances.sorting import BallSort, WaterSort
from tests.support.census_map import ANSWERS, EMPTIES, MOST, reason

MEASURES = ("optimum", "trap_share", "safe_from")
RULES = {rule.kind: rule for rule in (BallSort, WaterSort)}
SYMMETRIES = (
    Symmetry(),
    Symmetry(first=False),
    Symmetry(tops=False),
    Symmetry(tops=False, first=False),
    Symmetry(colours=False, tops=False, first=False),
)

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


@main.command()
@numbers_argument
@click.option("--solver", default="cadical153", show_default=True, help="One that counts its conflicts.")
def formula(numbers: tuple[int, int, int], solver: str) -> None:
    """Solves the formula with each set of rules of symmetry."""
    for symmetry in SYMMETRIES:
        made = UnsolvableBoard(*numbers, symmetry)
        start = time.process_time()
        with Solver(solver, bootstrap_with=made.clauses) as running:
            model = running.solve()
            conflicts = running.accum_stats()["conflicts"]
        seconds = time.process_time() - start
        answer = "model" if model else "no model"
        sizes = f"{len(made.names):,} variables, {len(made.clauses):,} clauses"
        print(f"{answer}, {sizes}, {conflicts:,} conflicts, {seconds:.1f} s, {symmetry}")


COLOURS_OF_ANSWERS = {"yes": "#8fbf8f", "no": "#d98f8f", "?": "#e4e4e4"}
SHOWN = ((4, 4, 1), (6, 3, 1), (3, 6, 2), (4, 4, 2), (5, 3, 2), (6, 3, 2))


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
def picture(out: Path) -> None:
    """Draws the maps and some histograms of optima."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(3, 3, figsize=(12, 11), layout="constrained")
    for panel, empty in zip(panels[0], EMPTIES, strict=True):
        for n in range(2, MOST + 1):
            for h in range(2, MOST + 1):
                answer, *letter = reason(BoardClass(n, h, empty)).split()
                panel.add_patch(pyplot.Rectangle((h - 0.5, n - 0.5), 1, 1, color=COLOURS_OF_ANSWERS[answer]))
                panel.text(h, n, *letter or "?", ha="center", va="center", fontsize=8)
        panel.set(xlim=(1.5, MOST + 0.5), ylim=(MOST + 0.5, 1.5), xlabel="capacity", ylabel="colours", aspect="equal")
        panel.set_title(f"{empty} empty tube{'s' * (empty > 1)}: green, every board can be solved", fontsize=9)
    answers = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    for panel, numbers in zip(panels[1:].flat, SHOWN, strict=True):
        of = BoardClass(*numbers)
        (lengths,) = (
            answer["lengths"]
            for answer in answers
            if answer["lengths"] and BoardClass(answer["colours"], answer["capacity"], answer["empty"]) == of
        )
        for rule, each in lengths.items():
            moves = sorted((int(number), boards) for number, boards in each["histogram"].items())
            panel.xaxis.get_major_locator().set_params(integer=True)
            panel.plot(*zip(*moves, strict=True), marker=".", label=rule)
        panel.set_yscale("log")
        panel.set(xlabel="moves of a shortest plan", ylabel="boards", title=str(of))
        panel.legend()
    figure.savefig(out, dpi=80)


if __name__ == "__main__":
    main()
