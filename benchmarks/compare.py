"""Compares two sets of runs board by board: ratio of median seconds, second over first.

    python benchmarks/compare.py before.jsonl after.jsonl
    python benchmarks/compare.py runs.jsonl runs.jsonl --configs sat:sequential sat:sequential-plain

Runs that didn't settle their board count with the time they took, marked ">": their ratio is only a bound.
"""

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

Key = tuple[str, str]
"""Board and puzzle."""


@dataclass
class Timing:
    """All runs of one configuration on one board."""

    seconds: list[float]
    answers: set[str]

    @property
    def settled(self) -> bool:
        """Every run proved its answer."""
        return not self.answers & {"unknown", "feasible"}

    def __str__(self) -> str:
        return f"{'' if self.settled else '>'}{median(self.seconds):.3f}"


def read(path: Path, config: str | None) -> dict[Key, Timing]:
    """The runs of one file, of one configuration."""
    timings: dict[Key, Timing] = defaultdict(lambda: Timing([], set()))
    seen = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        if config in (None, run["config"]):
            seen.add(run["config"])
            timing = timings[run["board"], run["puzzle"]]
            timing.seconds.append(run["seconds"])
            optimal = run["status"] == "optimal"
            timing.answers.add(f"{run['length']} moves" if optimal else run["status"])
    if len(seen) != 1:
        raise click.UsageError(f"{path} has {len(seen)} fitting configurations ({', '.join(sorted(seen))}), name one")
    return timings


@click.command()
@click.argument("first", type=click.Path(exists=True, path_type=Path))
@click.argument("second", type=click.Path(exists=True, path_type=Path))
@click.option("--configs", nargs=2, help="Configurations to compare, where the files hold several.")
def main(first: Path, second: Path, configs: tuple[str, str] | None) -> None:
    """Print the ratio of every board that both files have, and their median."""
    one, two = (read(*pair) for pair in zip((first, second), configs or (None, None), strict=True))
    ratios = []
    print(f"{'board':32} {'puzzle':10} {'first':>10} {'second':>10} {'ratio':>8}")
    for key in one:
        if key in two:
            ratio = median(two[key].seconds) / median(one[key].seconds)
            ratios.append(ratio)
            proved = (one[key].answers | two[key].answers) - {"unknown", "feasible"}
            conflict = f"  DISAGREE: {', '.join(sorted(proved))}" if len(proved) > 1 else ""
            print(f"{key[0]:32} {key[1]:10} {one[key]!s:>10} {two[key]!s:>10} {ratio:8.3f}{conflict}")
    if ratios:
        print(f"{len(ratios)} boards, median ratio {median(ratios):.3f}, range {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
