"""Times backends on boards: one JSON line a run.

    python benchmarks/run.py BOARDS... --config astar --config sat:sequential:cadical195 --time-limit 120 > out.jsonl

A configuration is a backend with its choices, as for `solve --backend`. All run on a board before the next board comes,
so that drift of the machine hits them alike; --repeat runs the whole series again. Each run is a process of its own, as
in `bsp-sat solve`; seconds are wall time and count its start.
"""

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from bsp_sat import Instance, Limits, load_instances, solve


def versions() -> dict[str, str]:
    """Of everything that can change a figure."""
    packages = {name: version(name) for name in ("bsp-sat", "python-sat", "ortools")}
    return {"python": platform.python_version(), "machine": platform.machine(), **packages}


def record(instance: Instance, config: str, limits: Limits) -> dict[str, Any]:
    """Runs one backend on one board."""
    result = solve(instance.puzzle, config, limits=limits)
    return {
        "board": instance.name,
        "puzzle": instance.puzzle.kind,
        "config": config,
        "backend": result.backend,
        "encoding": result.encoding,
        "solver": result.solver,
        "status": str(result.status),
        "length": result.length,
        "lower_bound": result.lower_bound,
        "expected": instance.known_answer,
        "seconds": round(result.seconds, 4),
        "peak_memory_mb": round(result.peak_memory_mb, 1),
        "stats": dict(result.stats),
        "versions": versions(),
    }


@click.command()
@click.argument("boards", nargs=-1, required=True)
@click.option("--config", "configs", multiple=True, required=True, metavar="BACKEND[:CHOICES]")
@click.option("--puzzle", help="Rules to play the boards by.")
@click.option("--match", default="", help="Only boards whose name contains this.")
@click.option("--time-limit", type=float, default=120.0, show_default=True)
@click.option("--memory-limit", type=float, default=4000.0, show_default=True)
@click.option("--repeat", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="File to append to instead of standard output.")
def main(
    boards: tuple[str, ...],
    configs: tuple[str, ...],
    puzzle: str | None,
    match: str,
    time_limit: float,
    memory_limit: float,
    repeat: int,
    out: Path | None,
) -> None:
    """Time every configuration on every board."""
    instances = [instance for source in boards for instance in load_instances(source, puzzle)]
    limits = Limits(seconds=time_limit, memory_mb=memory_limit)
    with sys.stdout if out is None else out.open("a", encoding="utf-8") as stream:
        for _ in range(repeat):
            for instance in instances:
                if match in instance.name:
                    for config in configs:
                        print(json.dumps(record(instance, config, limits)), file=stream, flush=True)


if __name__ == "__main__":
    main()
