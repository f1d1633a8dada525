"""The encodings of ball sort side by side on one set of boards, from 4 to 30 colours, beside the searches.

    python benchmarks/side_by_side.py                  # runs, then writes benchmarks/results/side_by_side.*
    python benchmarks/side_by_side.py --only-report    # table again from the lines that are there
    python benchmarks/side_by_side.py --again sat:homes    # one backend again; what the others took is kept

Each backend solves each board as `bsp-sat solve` would. Seconds, and the limit, are those of the processor, in this
process and those below it, so that other programs on the machine count less. What proves no board of a size isn't
asked about greater ones: as many colours and balls or more, and no more empty tubes.
"""

import json
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any

import click
import psutil

from bsp_sat import BallSort, Instance, Status, Unsupported, random_boards, solve
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.registry import make_backend
from bsp_sat.instances.files import load_instance

RESULTS = Path(__file__).parent / "results"
PAGE, RUNS = RESULTS / "side_by_side.md", RESULTS / "side_by_side.jsonl"
HEAD = """# Encodings and searches side by side

Seconds and conflicts; "0 of 1": not proved in time.
"""
BACKENDS = ("sat:homes", "sat:order", "sat:sequential", "kernel", "astar")
SIZES = (
    (4, 4, 2), (5, 4, 2), (6, 4, 2), (7, 4, 2), (8, 4, 2), (9, 4, 2), (10, 4, 2), (12, 4, 2), (14, 4, 2),
    (9, 4, 3), (12, 4, 3), (16, 4, 3), (8, 6, 2), (16, 4, 4), (20, 4, 5), (20, 4, 6), (30, 4, 8),
)  # fmt: skip


def boards(count: int) -> Iterator[tuple[str, Instance]]:
    """Level 80, ``count`` seeded boards of each size, and 3-Partition."""
    yield "level-80", load_instance("level-80")
    for size in SIZES:
        for instance in islice(random_boards(BallSort, *size), count):
            yield str(size), instance
    for triples, target in ((2, 20), (3, 20)):
        yield "3-Partition", next(partition_boards(BallSort, triples, target, solvable=True))


def cpu_seconds() -> float:
    """Of this process and of those below it that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class Watch(Thread):
    """Sets ``stop`` when this process and those below it have used so much more of the processor; ends when it is set.

    Processes that haven't ended count with what they have used so far; ``used`` is what this thread has, at its end.
    """

    def __init__(self, seconds: float, stop: Event) -> None:
        super().__init__()
        self._seconds = seconds
        self._stop_event = stop
        self.used = 0.0

    def run(self) -> None:
        own = psutil.Process()
        before = cpu_seconds()
        while not self._stop_event.wait(0.3):
            used = cpu_seconds() - before - time.thread_time()
            for child in own.children(recursive=True):
                with suppress(psutil.Error):
                    used += sum(child.cpu_times()[:2])
            if used > self._seconds:
                self._stop_event.set()
        self.used = time.thread_time()


def run(instance: Instance, specification: str, seconds: float) -> dict[str, Any]:
    """One board by one backend."""
    try:
        make_backend(specification).check(instance.puzzle)
    except Unsupported:
        return {"status": "refused"}
    before = cpu_seconds()
    stop = Event()
    watch = Watch(seconds, stop)
    watch.start()
    result = solve(instance.puzzle, specification, stop=stop)
    stop.set()
    watch.join()
    figures = {key: result.stats.get(key) for key in ("variables", "clauses", "conflicts", "expansions")}
    if result.status is Status.OPTIMAL and instance.known_answer is not None:
        assert result.length == instance.known_answer, instance.name
    return {
        "status": str(result.status),
        "length": result.length,
        "bound": result.lower_bound,
        "seconds": round(cpu_seconds() - before - watch.used, 3),
        **figures,
    }


def cell(runs: list[dict[str, Any]]) -> str:
    """Medians over the boards of a size; where not all are proved, how many are."""
    if all(each["status"] in ("refused", "not asked") for each in runs):
        return "–"
    proved = [each for each in runs if each["status"] in ("optimal", "unsolvable")]
    if not proved:
        return f"0 of {len(runs)}"
    text = f"{median(each['seconds'] for each in proved):.2f} s"
    if proved[0].get("conflicts") is not None:
        text += f", {int(median(each['conflicts'] for each in proved)):,}"
    return text if len(proved) == len(runs) else f"{len(proved)} of {len(runs)}: {text}"


def table(runs: list[dict[str, Any]]) -> str:
    """A line a size."""
    lines = [f"| boards | {' | '.join(BACKENDS)} |", "|---" * (len(BACKENDS) + 1) + "|"]
    for size, group in groupby(runs, key=lambda each: each["size"]):
        of_size = list(group)
        cells = [cell([each for each in of_size if each["backend"] == name]) for name in BACKENDS]
        lines.append(f"| {size} | {' | '.join(cells)} |")
    return "\n".join(lines)


def recorded() -> list[dict[str, Any]]:
    """The runs so far."""
    return [json.loads(line) for line in RUNS.read_text(encoding="utf-8").splitlines()]


def measure(count: int, time_limit: float, again: Sequence[str]) -> None:
    """Runs all backends on all boards, or some ``again``, and writes a line a run."""
    before = recorded() if again else []
    kept = {(each["board"], each["backend"]): each for each in before if each["backend"] not in again}
    lines: list[dict[str, Any]] = []
    for size, instance in boards(count):
        for name in BACKENDS:
            if again and name not in again:
                lines += [kept[instance.name, name]] if (instance.name, name) in kept else []
                continue
            if any(each["backend"] == name and beyond(size, each["size"]) for each in hopeless(lines)):
                figures: dict[str, Any] = {"status": "not asked"}
            else:
                figures = run(instance, name, time_limit)
            lines.append({"size": size, "board": instance.name, "backend": name, **figures})
            click.echo(json.dumps(lines[-1]))
            RUNS.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def hopeless(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A line for each backend and size of which it has proved no board."""
    proved = {(each["backend"], each["size"]) for each in lines if each["status"] in ("optimal", "unsolvable")}
    for each in lines:
        if each["status"] == "unknown" and (each["backend"], each["size"]) not in proved:
            yield each


def beyond(size: str, other: str) -> bool:
    """Whether a size is another one and at least as hard."""
    if size == other or not (size.startswith("(") and other.startswith("(")):
        return False
    (colours, capacity, empty), (fewer, less, more) = numbers(size), numbers(other)
    return colours >= fewer and capacity >= less and empty <= more


def numbers(size: str) -> tuple[int, int, int]:
    """Colours, capacity and empty tubes."""
    colours, capacity, empty = json.loads(size.replace("(", "[").replace(")", "]"))
    return colours, capacity, empty


@click.command(context_settings={"show_default": True})
@click.option("--count", default=2, help="Boards of each size.")
@click.option("--time-limit", default=60.0, help="Seconds of the processor for a board and backend.")
@click.option("--again", multiple=True, type=click.Choice(BACKENDS), help="Only this backend; keeps what others took.")
@click.option("--only-report", is_flag=True, help="The table from what was measured before.")
def main(count: int, time_limit: float, again: tuple[str, ...], only_report: bool) -> None:
    """Measures, and writes benchmarks/results/side_by_side.{md,jsonl}."""
    if not only_report:
        measure(count, time_limit, again)
    PAGE.write_text(f"{HEAD}\n{table(recorded())}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
