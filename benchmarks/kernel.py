"""The compiled search beside the readable A*, in one process: expansions, expansions a second, seconds.

    python benchmarks/kernel.py tests/data/medium.jsonl tests/data/large.jsonl > out.md

Three columns a board: the readable A* with the plain bound, without the pruning ``uneven``; the compiled search in the
space of moves; and in the space of homes, with its stronger bound. Each search is the first of its kind on the board.
The compiled code has been loaded and the tables of the board's contents (a few milliseconds) have been made before. A*
gives up beyond --most states, which is marked with ">".
"""

import time
from statistics import median

import click

from bsp_sat import load_instances
from bsp_sat.backends.kernel import Search
from bsp_sat.backends.result import Findings
from bsp_sat.backends.search.astar import AStar
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import BallSort, SortPuzzle

LEAST = 5_000  # expansions of a board whose speed counts: below, a search takes too few milliseconds


def readable(puzzle: AnyPuzzle, most: int) -> tuple[int, float, int | None]:
    """Expansions, seconds and the plan's length of the readable A*."""
    findings = Findings(puzzle, "astar")
    started = time.perf_counter()
    AStar(prunings=BallSort.prunings - {"uneven"}, max_states=most).run(puzzle, findings)
    seconds = time.perf_counter() - started
    return int(findings.figures["expansions"]), seconds, None if findings.best is None else len(findings.best)


def compiled(puzzle: SortPuzzle, *, by_homes: bool) -> tuple[int, float, int | None]:
    """The same of the compiled A*."""
    search = Search(puzzle, homes=by_homes, any_plan_first=False, memory_mb=8_000)
    started = time.perf_counter()
    search.advance(100_000_000)
    seconds = time.perf_counter() - started
    return search.expansions, seconds, None if search.plan is None else len(search.plan)


@click.command()
@click.argument("boards", nargs=-1, required=True)
@click.option("--puzzle", default="ball-sort", show_default=True)
@click.option("--most", default=1_000_000, show_default=True)
def main(boards: tuple[str, ...], puzzle: str, most: int) -> None:
    """Print a table and the medians of the ratios."""
    instances = [instance for source in boards for instance in load_instances(source, puzzle)]
    names = ["moves", "homes"] if puzzle == BallSort.kind else ["moves"]
    for name in names:
        compiled(instances[0].puzzle, by_homes=name == "homes")
    fewer: dict[str, list[float]] = {name: [] for name in names}
    faster: list[float] = []
    print("| board | optimum | A* | a second |", *(f"{name} | a second | s |" for name in names))
    print("|---" * (4 + 3 * len(names)) + "|")
    for instance in instances:
        expansions, seconds, length = readable(instance.puzzle, most)
        cells = [f"{'>' if length is None else ''}{expansions:,}", f"{expansions / seconds:,.0f}"]
        for name in names:
            these, took, optimum = compiled(instance.puzzle, by_homes=name == "homes")
            if optimum is None or length not in (None, optimum):
                raise SystemExit(f"{instance.name}: A* says {length}, the compiled search in {name} {optimum}")
            cells += [f"{these:,}", f"{these / took:,.0f}", f"{took:.3f}"]
            fewer[name].append(expansions / these)
            if name == "moves" and these >= LEAST:
                faster.append((these / took) / (expansions / seconds))
        print(f"| {instance.name} | {optimum} |", " | ".join(cells), "|", flush=True)
    print()
    for name in names:
        print(f"{name}: {median(fewer[name]):.1f} times fewer expansions (median of {len(fewer[name])})")
    if faster:
        counted = f"median of {len(faster)} with {LEAST:,} or more"
        print(f"moves: {median(faster):.0f} times more expansions a second ({counted})")


if __name__ == "__main__":
    main()
