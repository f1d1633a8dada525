"""What the machinery of a campaign costs for each board: boards that take no time to solve.

    python benchmarks/overhead.py

Prints milliseconds for each board of a whole campaign (workers, limits, replay, one transaction each) with the start
of the worker processes apart, beside the same boards solved in this process.
"""

import os
import tempfile
import time
from pathlib import Path
from statistics import median
from threading import Event

import click

from bsp_sat import Instance, Limits
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.backends.registry import BACKENDS
from bsp_sat.backends.result import Findings
from bsp_sat.backends.run import local_pool
from bsp_sat.instances.sorting import BallSort


@click.command()
@click.option("--boards", default=2000, show_default=True)
@click.option("--jobs", default=1, show_default=True)
@click.option("--repeat", default=3, show_default=True)
def main(boards: int, jobs: int, repeat: int) -> None:
    """Time a campaign of boards that need three moves."""
    puzzle = BallSort.from_tubes([["a", "b"], ["b", "a"], []], 2)
    instances = [Instance(puzzle, {"name": str(number)}) for number in range(boards)]
    for solver in ("astar", "auto"):
        per_board = []
        for _ in range(repeat):
            stop = Event()
            results = Path(tempfile.mkdtemp()) / "results.sqlite"
            with open_campaign(results) as campaign, local_pool(jobs, stop) as pool:
                limits = campaign.agree_on(None, Limits(seconds=60))
                campaign.add(instances, [solver])
                outcomes = campaign.run(limits, pool, stop)
                next(outcomes)  # the processes have started
                begun = time.perf_counter()
                for _ in outcomes:
                    pass
                per_board.append(1000 * (time.perf_counter() - begun) / (boards - 1))
        print(f"campaign, {solver}, {jobs} jobs: {median(per_board):.2f} ms a board (median of {repeat})", flush=True)
    begun = time.perf_counter()
    for _ in range(boards):
        BACKENDS["astar"]().run(puzzle, Findings(puzzle, "astar"), None)
    print(f"astar in process: {1000 * (time.perf_counter() - begun) / boards:.2f} ms a board; load {os.getloadavg()}")


if __name__ == "__main__":
    main()
