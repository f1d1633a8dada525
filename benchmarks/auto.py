"""How far the default is from the best single backend, in one run: a table and the share within a factor.

    python benchmarks/auto.py tests/data/medium.jsonl tests/data/large.jsonl --repeat 3 > out.md

Boards under either rule, and 3-Partition boards of several sizes. On each board the default comes first; the others
get a little longer than it took, as what takes longer isn't better. Seconds are wall time with everything, the choice
of the backend and the start of its processes included, and medians of --repeat runs.
"""

import time
from statistics import median

import click
from run import backend_of

from bsp_sat import BallSort, Instance, Limits, Unsupported, WaterSort, load_instances, solve
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.boards import partition_boards

SINGLE = ("astar", "kernel", "sat", "cpsat", "borders")
SIZES = ((2, 20), (3, 20), (4, 24), (5, 30), (6, 30))
FACTOR = 1.5
MARGIN = 1.2  # how much longer than the default the others get, as one run is not the median


def seconds(instance: Instance, backend: str | Backend, limit: float) -> float | None:
    """Wall time to a settled answer, None without one."""
    started = time.perf_counter()
    try:
        result = solve(instance.puzzle, backend, limits=Limits(seconds=limit))
    except Unsupported:
        return None
    return time.perf_counter() - started if result.status in ("optimal", "unsolvable") else None


def medians(instance: Instance, limit: float, repeat: int) -> dict[str, float | None]:
    """The median of several rounds for each backend, None if one of its runs has no answer.

    Each round runs all of them, so that a machine that changes its pace changes it for all.
    """
    taken: dict[str, list[float | None]] = {name: [] for name in ("auto", *SINGLE)}
    for _ in range(repeat):
        ours = seconds(instance, "auto", limit)
        taken["auto"].append(ours)
        for name in SINGLE:
            taken[name].append(seconds(instance, backend_of(name), MARGIN * (ours or limit)))
    known = {name: [took for took in times if took is not None] for name, times in taken.items()}
    return {name: median(times) if len(times) == repeat else None for name, times in known.items()}


def partitions() -> list[Instance]:
    """Solvable and unsolvable boards of each size, under both rules."""
    return [
        next(partition_boards(rule, triples, target, solvable=solvable))
        for rule in (BallSort, WaterSort)
        for triples, target in SIZES
        for solvable in (True, False)
    ]


@click.command()
@click.argument("boards", nargs=-1)
@click.option("--repeat", default=3, show_default=True)
@click.option("--time-limit", default=120.0, show_default=True)
def main(boards: tuple[str, ...], repeat: int, time_limit: float) -> None:
    """Print a row a board, and the shares."""
    instances = [
        instance
        for source in boards
        for kind in ("ball-sort", "water-sort")
        for instance in load_instances(source, kind)
    ]
    print("| board | puzzle | auto, s | best single | s | ratio |\n|---|---|---|---|---|---|")
    ratios = []
    for instance in [*instances, *partitions()]:
        times = medians(instance, time_limit, repeat)
        ours = times.pop("auto")
        settled = {name: took for name, took in times.items() if took is not None}
        best = min(settled, key=settled.__getitem__, default=None)
        ratio = (ours or float("inf")) / settled[best] if best else 1.0
        ratios.append(ratio)
        cells = f"{f'{ours:.2f}' if ours else '–'} | {best or '–'} | {f'{settled[best]:.2f}' if best else '–'}"
        print(f"| {instance.name} | {instance.puzzle.kind} | {cells} | {ratio:.2f} |", flush=True)
    within = sum(ratio <= FACTOR for ratio in ratios)
    print(
        f"\nWithin {FACTOR} times of the best single backend: {within} of {len(ratios)}; median {median(ratios):.2f}."
    )


if __name__ == "__main__":
    main()
