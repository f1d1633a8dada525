"""The memory of a batch: of all processes together, at its peak, and of each board.

    python benchmarks/memory.py --colours 20 --empty 3 --count 100 --jobs 2 > out.md

Looks ten times a second at what the processes hold, each page divided by the number of those that share it.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from statistics import median
from threading import Event, Thread

import click
import psutil

from bsp_sat import Limits, Result, Status, random_boards, solve_many
from bsp_sat.instances.sorting import BallSort

LOOK_SECONDS = 0.1


def held_bytes() -> Iterator[int]:
    """Memory of this process and of those below it."""
    me = psutil.Process()
    for process in (me, *me.children(recursive=True)):
        with suppress(psutil.Error):
            yield process.memory_full_info().pss


@click.command()
@click.option("--colours", default=20, show_default=True)
@click.option("--empty", default=3, show_default=True)
@click.option("--count", default=100, show_default=True)
@click.option("--jobs", default=2, show_default=True)
@click.option("--time-limit", default=60.0, show_default=True)
def main(colours: int, empty: int, count: int, jobs: int, time_limit: float) -> None:
    """Solve random boards, and print what that took."""
    peak, done = 0, Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(LOOK_SECONDS):
            peak = max(peak, sum(held_bytes()))

    watcher = Thread(target=watch)
    watcher.start()
    began = time.perf_counter()
    boards = (instance.puzzle for instance in islice(random_boards(BallSort, colours, 4, empty), count))
    try:
        outcomes = list(solve_many(boards, limits=Limits(seconds=time_limit), jobs=jobs))
    finally:
        done.set()
        watcher.join()
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    proved = sum(result.status in (Status.OPTIMAL, Status.UNSOLVABLE) for result in results)
    memory = [result.peak_memory_mb or 0.0 for result in results]
    print(f"({colours},4,{empty}), {count} boards, {jobs} jobs: {proved} proved, {count - len(results)} failed, "
          f"{time.perf_counter() - began:.0f} s; all processes together at most {peak / 1e6:.0f} MB; "
          f"a board's process: median {median(memory):.0f}, at most {max(memory):.0f} MB")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
