"""How the exact search grows with the number of colours: by rule, empty tubes and capacity.

    nice python benchmarks/growth.py --boards 3

Random boards of more and more colours, until the search gives up on half of a size. Growth a colour is the slope of the
median number of expansions, in sizes that need 100 or more. Seconds are those of the processor, a board of the last
size.
"""

import time
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice, product
from math import exp, log
from statistics import linear_regression, median

import click

from bsp_sat import BallSort, WaterSort, random_boards
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.result import Findings

RULES: tuple[type[BallSort] | type[WaterSort], ...] = (BallSort, WaterSort)
FEWEST = 4  # colours


def row(rule: type[BallSort] | type[WaterSort], empty: int, capacity: int, boards: int, most: int) -> str:
    """Growth a colour, the last size, and what it took."""
    sizes: list[tuple[int, float]] = []  # colours, and the logarithm of expansions
    seconds = 0.0
    for colours in count(FEWEST):
        expansions, began = [], time.process_time()
        for instance in islice(random_boards(rule, colours, capacity, empty), boards):
            findings = Findings(instance.puzzle, Kernel.name)
            Kernel(max_expansions=most).run(instance.puzzle, findings)
            expansions.append(findings.figures["expansions"] if findings.settled else most)
            if 2 * expansions.count(most) >= boards:
                slopes = [size for size in sizes if size[1] >= log(100)]
                factor = f"{exp(linear_regression(*zip(*slopes, strict=True)).slope):.2f}" if len(slopes) > 2 else "–"
                return f"{factor} | {sizes[-1][0]} | {exp(sizes[-1][1]):,.0f} | {seconds:.1f}"
        sizes.append((colours, log(max(1, median(expansions)))))
        seconds = (time.process_time() - began) / boards
    raise AssertionError("no size was too large")


@click.command(context_settings={"show_default": True})
@click.option("--boards", default=5, help="Boards of each size.")
@click.option("--expansions", default=10_000_000, help="Where the search gives up: about a minute.")
def main(boards: int, expansions: int) -> None:
    """Prints the table; a row on each core at a time."""
    print("| rule, empty tubes, capacity | growth a colour | most colours | expansions | seconds |")
    print("|---" * 5 + "|")
    sizes = list(product(RULES, (2, 3), (4, 5, 6, 8)))
    with ProcessPoolExecutor() as pool:
        rows = [pool.submit(row, *size, boards, expansions) for size in sizes]
        for (rule, empty, capacity), found in zip(sizes, rows, strict=True):
            print(f"| {rule.kind}, {empty}, {capacity} | {found.result()} |", flush=True)


if __name__ == "__main__":
    main()
