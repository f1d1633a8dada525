"""A campaign that is killed by SIGKILL at random moments, and taken up again until it is done.

    python benchmarks/killed_campaign.py --games 1000 --tubes 11 --kills 3

Prints when it was killed and how many outcomes were there, and fails if one is missing, a plan doesn't replay, or an
outcome that was there before a kill isn't the same afterwards.
"""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from bsp_sat import Plan, random_boards
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.instances.sorting import BallSort

SOLVERS = "auto,heuristic:astar:unique-length,heuristic:astar:misplaced,dfs-sorted"


def outcomes(results: Path) -> dict[tuple[int, int], str]:
    """Every outcome in the file, as it stands there."""
    with sqlite3.connect(results) as database:
        rows = database.execute("SELECT board, solver, json FROM run").fetchall()
    database.close()
    return {(board, solver): text for board, solver, text in rows}


def count(results: Path) -> int:
    """How many outcomes there are; none while the tables are still to come."""
    try:
        return len(outcomes(results))
    except sqlite3.OperationalError:
        return 0


@click.command()
@click.option("--games", default=1000, show_default=True)
@click.option("--tubes", default=11, show_default=True)
@click.option("--kills", default=3, show_default=True)
@click.option("--seed", default=0, show_default=True, help="Of the moments.")
def main(games: int, tubes: int, kills: int, seed: int) -> None:
    """Kill, go on, and check that nothing is lost or done twice."""
    moments = random.Random(seed)
    results = Path(tempfile.mkdtemp()) / "results.sqlite"
    program = [sys.executable, "-m", "bsp_sat"]
    boards = str(results.with_name("boards.jsonl"))
    made = ["generate", "random", "--colours", str(tubes - 2), "--count", str(games), "--out", boards]
    subprocess.run([*program, *made], check=True)
    command = [*program, "compare", boards, "--solvers", SOLVERS, "--resume", str(results)]
    before: dict[tuple[int, int], str] = {}
    total = games * len(SOLVERS.split(","))
    started = time.monotonic()
    for _ in range(kills):
        enough = len(before) + moments.randint(1, (total - len(before)) // 2)
        begun = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while not results.exists() or count(results) < enough:
                time.sleep(moments.uniform(0, 0.1))
            assert process.poll() is None
            process.kill()
        now = outcomes(results)
        assert before.items() <= now.items(), "an outcome was lost or done again"
        print(f"killed after {time.monotonic() - begun:.1f} s: {len(now)} outcomes", flush=True)
        before = now
    subprocess.run(command, check=True)
    now = outcomes(results)
    assert before.items() <= now.items(), "an outcome was lost or done again"
    with open_campaign(results) as campaign:
        assert not campaign.missing()
        runs = campaign.runs()
    assert len(runs) == len(now) == total
    for run, instance in zip(runs[:: len(SOLVERS.split(","))], random_boards(BallSort, tubes - 2, 4, 2), strict=False):
        assert run.board == instance.name
        if run.plan is not None:
            Plan.from_json(instance.puzzle, run.plan).replay(instance.puzzle)
    seconds = time.monotonic() - started
    print(f"{len(runs)} outcomes for {games} boards, none missing or lost; {seconds:.0f} s, load {os.getloadavg()}")


if __name__ == "__main__":
    main()
