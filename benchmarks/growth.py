"""How the exact search grows with the number of colours: by rule, empty tubes and capacity.

    nice python benchmarks/growth.py

Random boards of more and more colours, until the search takes too long for half of a size. With two empty tubes, boards
of many colours can hardly ever be solved, which a search shows sooner. So growth a colour is the slope of the median
number of expansions in sizes that need 100 or more, up to the last one with plans for half of the boards. Seconds are
those of the processor, a board of the last size.
"""

import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, product
from math import exp, log
from statistics import linear_regression, mean, median
from typing import Any, NamedTuple

import click

from bsp_sat import BallSort, WaterSort, random_boards
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.result import Findings
from bsp_sat.instances.puzzle import AnyPuzzle

RULES: tuple[type[BallSort] | type[WaterSort], ...] = (BallSort, WaterSort)
MEMORY_MB = 6_000  # of a search; there is one on each core
COLOURS = (*range(4, 16), *range(16, 32, 2), *range(32, 49, 4))


class Size(NamedTuple):
    """What boards of one size took: the median of expansions, the mean of seconds, and whether half had a plan."""

    colours: int
    expansions: float
    seconds: float
    has_plans: bool


class TimedFindings(Findings):
    """Findings that end a search after some seconds of the processor."""

    def __init__(self, puzzle: AnyPuzzle, seconds: float) -> None:
        super().__init__(puzzle, Kernel.name)
        self.end = time.process_time() + seconds

    def progress(self, expansions: int, **figures: Any) -> None:
        """Raises TimeoutError when the time is over."""
        super().progress(expansions, **figures)
        if time.process_time() > self.end:
            raise TimeoutError


def size(rule: type[BallSort] | type[WaterSort], shape: tuple[int, int, int], boards: int, most: float) -> Size | None:
    """What boards of a size take; None if half of them take more than ``most`` seconds, or too much memory."""
    expansions, spent, plans = [], [], 0
    for instance in islice(random_boards(rule, *shape), boards):
        findings, began = TimedFindings(instance.puzzle, most), time.process_time()
        try:
            Kernel(memory_mb=MEMORY_MB, deepens=False).run(instance.puzzle, findings)
        except (TimeoutError, MemoryError):
            expansions.append(float("inf"))
            if 2 * expansions.count(float("inf")) >= boards:
                return None
        else:
            expansions.append(findings.figures["expansions"])
        spent.append(time.process_time() - began)
        plans += findings.best is not None
    return Size(shape[0], median(expansions), mean(spent), 2 * plans >= boards)


def row(rule: type[BallSort] | type[WaterSort], empty: int, capacity: int, boards: int, most: float) -> str:
    """Growth a colour, the last size with plans, and the last one with what it took."""
    sizes: list[Size] = []
    for colours in COLOURS:
        found = size(rule, (colours, capacity, empty), boards, most)
        if found is None:
            break
        sizes.append(found)
    solvable = max(each.colours for each in sizes if each.has_plans)
    slopes = [(each.colours, log(each.expansions)) for each in sizes if each.expansions >= 100]
    slopes = [each for each in slopes if each[0] <= solvable]
    factor = f"{exp(linear_regression(*zip(*slopes, strict=True)).slope):.2f}" if len(slopes) > 2 else "–"
    last = sizes[-1]
    return f"{factor} | {solvable} | {last.colours} | {last.expansions:,.0f} | {last.seconds:.1f}"


@click.command(context_settings={"show_default": True})
@click.option("--boards", default=3, help="Boards of each size.")
@click.option("--seconds", default=60.0, help="When the search of a board gives up.")
def main(boards: int, seconds: float) -> None:
    """Prints the table; a row on each core at a time."""
    print("| rule, empty tubes, capacity | growth a colour | with plans | most colours | expansions | seconds |")
    print("|---" * 6 + "|")
    shapes = list(product(RULES, (2, 3), (4, 5, 6, 8)))
    with ProcessPoolExecutor() as pool:
        rows = [pool.submit(row, *shape, boards, seconds) for shape in shapes]
        for (rule, empty, capacity), found in zip(shapes, rows, strict=True):
            print(f"| {rule.kind}, {empty}, {capacity} | {found.result()} |", flush=True)


if __name__ == "__main__":
    main()
