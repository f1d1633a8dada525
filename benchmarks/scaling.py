"""How time grows with the size of a board: 3-Partition in m and in B, and random boards.

    python benchmarks/scaling.py                        # runs, then writes benchmarks/results/scaling.{md,jsonl,png}
    python benchmarks/scaling.py --only-report          # tables and plot again from benchmarks/results/scaling.jsonl

Each series is a list of boards of growing size. A configuration (see benchmarks/run.py) that doesn't settle a board
within the time limit is not asked about the larger ones of the series. Backends that aren't there, and
boards that a backend doesn't take, are left out. The plot needs matplotlib: `pip install -e '.[plot]'`.
"""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import click
from run import backend_of, record

from bsp_sat import BACKENDS, BallSort, Instance, Limits, Unsupported, WaterSort, random_boards
from bsp_sat.backends.boards import partition_boards
from bsp_sat.instances.sorting import SortPuzzle

RESULTS = Path(__file__).parent / "results"
PAGE, RUNS, PLOT = (RESULTS / name for name in ("scaling.md", "scaling.jsonl", "scaling.png"))
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
            backend_of(config).check(instance.puzzle)
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


def plot(runs: list[dict[str, Any]], path: Path) -> None:
    """Seconds over size, one panel for each series of solvable and unsolvable ball-sort boards."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise click.ClickException("the plot needs matplotlib: pip install -e '.[plot]'") from None
    mpl.use("agg")
    import matplotlib.pyplot as plt

    chosen = [series for series in SERIES if "water" not in series]
    figure, axes = plt.subplots(2, 3, figsize=(15, 8), layout="constrained")
    marks = dict(zip(CONFIGS, zip("o*sPv^dX", plt.get_cmap("tab10").colors, strict=False), strict=True))
    for axis, series in zip(axes.flat, [*chosen], strict=False):
        sizes = [size for size, _ in SERIES[series]]
        for config, (mark, colour) in marks.items():
            own = {run["size"]: run for run in runs if run["series"] == series and run["config"] == config}
            proved = [size for size in sizes if size in own and own[size]["status"] in SETTLED]
            points = [(sizes.index(size), own[size]["seconds"]) for size in proved]
            if own:
                axis.plot(*zip(*points, strict=True) if points else ([], []), f"{mark}-", color=colour, label=config)
            for size in set(own) - set(proved):
                axis.plot(sizes.index(size), own[size]["seconds"], mark, color=colour, fillstyle="none", markersize=9)
        axis.set(yscale="log", title=series, ylabel="seconds to the proof", xticks=range(len(sizes)))
        axis.set_xticklabels(sizes, rotation=30)
        axis.grid(alpha=0.3)
    handles = {
        label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    axes.flat[-1].axis("off")
    axes.flat[-1].legend(handles.values(), handles.keys(), loc="center", title="hollow: not settled within the limit")
    figure.savefig(path, dpi=80)


@click.command()
@click.option("--config", "configs", multiple=True, default=CONFIGS, metavar="BACKEND[:CHOICES]", help="Only these.")
@click.option("--time-limit", type=float, default=20.0, show_default=True, help="Seconds a board.")
@click.option("--memory-limit", type=float, default=3000.0, show_default=True, help="MB a board.")
@click.option("--only-report", is_flag=True, help="Don't run anything.")
def main(configs: tuple[str, ...], time_limit: float, memory_limit: float, only_report: bool) -> None:
    """Run all series, and write runs, tables and plot. Runs of other configurations are kept."""
    runs = [json.loads(line) for line in RUNS.read_text(encoding="utf-8").splitlines()] if RUNS.exists() else []
    if not only_report:
        runs = [run for run in runs if run["config"] not in configs]
        for config in configs:
            if config.partition(":")[0] in BACKENDS:
                for series in SERIES:
                    runs += run_series(series, config, Limits(seconds=time_limit, memory_mb=memory_limit))
        RUNS.write_text("".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")
    PAGE.write_text(f"{HEAD}\n{tables(runs)}", encoding="utf-8")
    plot(runs, PLOT)


if __name__ == "__main__":
    main()
