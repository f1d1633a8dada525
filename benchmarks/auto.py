"""How far the default is from the best single backend, in one run: a table and the share within a factor.

    python benchmarks/auto.py tests/data/medium.jsonl tests/data/large.jsonl --repeat 3 > out.md

Boards under either rule, and 3-Partition boards of several sizes. On each board the default comes first; the others
get as long as it took, as what takes longer isn't better. Seconds are wall time of a process of its own, its start
included, and medians of --repeat runs.
"""

from statistics import median

import click
from run import backend_of

from bsp_sat import BallSort, Instance, Limits, Unsupported, WaterSort, load_instances, solve
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.partition import partition_boards

SINGLE = ("astar", "kernel", "sat", "cpsat", "borders")
SIZES = ((2, 20), (3, 20), (4, 24), (5, 30), (6, 30))
FACTOR = 1.5


def seconds(instance: Instance, backend: str | Backend, limit: float) -> float | None:
    """Wall time to a settled answer, None without one."""
    try:
        result = solve(instance.puzzle, backend, limits=Limits(seconds=limit))
    except Unsupported:
        return None
    return result.seconds if result.status in ("optimal", "unsolvable") else None


def middle(instance: Instance, backend: str | Backend, limit: float, repeat: int) -> float | None:
    """The median of several runs, None if one of them has no answer."""
    taken = []
    for _ in range(repeat):
        if (took := seconds(instance, backend, limit)) is None:
            return None
        taken.append(took)
    return median(taken)


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
        ours = middle(instance, "auto", time_limit, repeat)
        times = {name: middle(instance, backend_of(name), ours or time_limit, repeat) for name in SINGLE}
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
