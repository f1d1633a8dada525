"""How time grows with the size of a board: 3-Partition in m and in B, and random boards.

    python benchmarks/scaling.py                        # runs, then writes benchmarks/results/scaling.{md,jsonl}
    python benchmarks/scaling.py --only-report          # tables again from benchmarks/results/scaling.jsonl

Each series is a list of boards of growing size. A configuration (see benchmarks/run.py) that doesn't settle a board
within the time limit is not asked about the larger ones of the series. Backends that aren't there, and
boards that a backend doesn't take, are left out.
"""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import click
from run import record

from bsp_sat import BACKENDS, BallSort, Instance, Limits, Unsupported, WaterSort, random_boards
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.registry import make_backend
from bsp_sat.instances.sorting import SortPuzzle

RESULTS = Path(__file__).parent / "results"
PAGE, RUNS = RESULTS / "scaling.md", RESULTS / "scaling.jsonl"
HEAD = """# Seconds to a proof as boards grow

Two shared cores, 20 s for each board, seed 0; "–": no proof, with the bounds proved by then. Larger boards of a series
aren't tried after that.
"""
CONFIGS = (
    "astar",
    "kernel",
    "sat:order",
    "sat:sequential",
    "cpsat:layered",
    "borders",
)
SETTLED = ("optimal", "unsolvable")


def three_partition(rule: type[SortPuzzle], triples: int, target: int, solvable: bool) -> Instance:
    """The board of seed 0."""
    return next(partition_boards(rule, triples, target, solvable=solvable))


def ordinary(colours: int) -> Instance:
    """A random board of phone size."""
    return next(islice(random_boards(BallSort, colours, 4, 2), 1))


GROWING_M = ((2, 20), (3, 20), (4, 24), (5, 30), (6, 30), (6, 40), (8, 40), (10, 60))
GROWING_B = ((3, 20), (3, 40), (3, 80), (3, 160), (3, 320))

SERIES: dict[str, list[tuple[str, Callable[[], Instance]]]] = {
    **{
        f"{title}, {rule.kind}, {'solvable' if solvable else 'unsolvable'}": [
            (f"m={m} B={b}", lambda r=rule, m=m, b=b, s=solvable: three_partition(r, m, b, s))
            for m, b in sizes  # type: ignore[misc]  # mypy can't infer a lambda with defaults
        ]
        for title, sizes in (("3-Partition, m grows", GROWING_M), ("3-Partition, B grows", GROWING_B))
        for rule in (BallSort, WaterSort)
        for solvable in (True, False)
    },
    "random boards of capacity 4, 2 empty, ball-sort": [
        (f"{colours} colours", lambda c=colours: ordinary(c))
        for colours in (4, 5, 6, 7, 8, 9, 10)  # type: ignore[misc]  # as above
    ],
}
"""Sizes and boards by series."""

ON_THE_PAGE = (
    "3-Partition, m grows, ball-sort, solvable",
    "3-Partition, m grows, ball-sort, unsolvable",
    "random boards of capacity 4, 2 empty, ball-sort",
)
"""The series whose tables are on the page; all runs are in the JSON lines."""


def run_series(series: str, config: str, limits: Limits) -> list[dict[str, Any]]:
    """The runs of one configuration up to the first board that it doesn't settle."""
    runs: list[dict[str, Any]] = []
    for size, board in SERIES[series]:
        instance = board()
        try:
            make_backend(config).check(instance.puzzle)
        except Unsupported:
            break
        run = {"series": series, "size": size, **record(instance, config, limits)}
        click.echo(f"{series}: {size}, {config}: {run['status']}, {run['seconds']} s", err=True)
        runs.append(run)
        if run["status"] not in SETTLED:
            break
    return runs


def cell(run: dict[str, Any] | None) -> str:
    """Seconds to the proof, or the bounds where there is none."""
    if run is None:
        return ""
    if run["status"] in SETTLED:
        return f"{run['seconds']:.1f}"
    upper = "" if run["length"] is None else f", ≤ {run['length']}"
    return f"– (≥ {run['lower_bound']}{upper})"


def tables(runs: list[dict[str, Any]]) -> str:
    """One table for each series on the page, in Markdown."""
    found = {(run["series"], run["size"], run["config"]): run for run in runs}
    lines = []
    for series in ON_THE_PAGE:
        boards = SERIES[series]
        configs = [config for config in CONFIGS if any(key[0] == series and key[2] == config for key in found)]
        if configs:
            lines += [f"**{series}**", "", f"| | answer | {' | '.join(configs)} |", "|---" * (len(configs) + 2) + "|"]
            for size, _ in boards:
                row = [found.get((series, size, config)) for config in configs]
                answers = {str(run["length"] or run["status"]) for run in row if run and run["status"] in SETTLED}
                assert len(answers) <= 1, f"the backends disagree on {series}, {size}: {answers}"
                lines.append(f"| {size} | {''.join(answers)} | {' | '.join(map(cell, row))} |")
            lines.append("")
    return "\n".join(lines)


@click.command()
@click.option("--config", "configs", multiple=True, default=CONFIGS, metavar="BACKEND[:CHOICES]", help="Only these.")
@click.option("--time-limit", type=float, default=20.0, show_default=True, help="Seconds a board.")
@click.option("--memory-limit", type=float, default=3000.0, show_default=True, help="MB a board.")
@click.option("--only-report", is_flag=True, help="Don't run anything.")
def main(configs: tuple[str, ...], time_limit: float, memory_limit: float, only_report: bool) -> None:
    """Run all series, and write runs and tables. Runs of other configurations are kept."""
    runs = [json.loads(line) for line in RUNS.read_text(encoding="utf-8").splitlines()] if RUNS.exists() else []
    if not only_report:
        runs = [run for run in runs if run["config"] not in configs]
        for config in configs:
            if config.partition(":")[0] in BACKENDS:
                for series in SERIES:
                    runs += run_series(series, config, Limits(seconds=time_limit, memory_mb=memory_limit))
        RUNS.write_text("".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")
    PAGE.write_text(f"{HEAD}\n{tables(runs)}", encoding="utf-8")


if __name__ == "__main__":
    main()
