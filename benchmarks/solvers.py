"""Which SAT solver suits which encoding: the default backend's questions by each pair, in processor seconds.

    python benchmarks/solvers.py [BOARDS…] --limit 60

Without boards level-80 and ten random ones. A line a run, then a table: boards settled, seconds (of a run that was
ended, the limit) and conflicts of all boards together. A run that is cut off by the limit has no conflicts.
"""

import os
import resource
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection

import click

from bsp_sat import BallSort, load_instance, load_instances, random_boards
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Findings
from bsp_sat.instances.puzzle import AnyPuzzle

ENCODINGS = "homes", "order", "sequential"
SOLVERS = "glucose4", "glucose42", "cadical195", "maplechrono"


def run(config: str, puzzle: AnyPuzzle, limit: int, to: Connection) -> None:
    """Sends length and conflicts; the system ends the process at the limit."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    found = Findings(puzzle, "sat")
    make_backend(config).run(puzzle, found)
    assert found.settled
    to.send((None if found.best is None else len(found.best), found.figures.get("conflicts", 0)))


def measured(config: str, puzzle: AnyPuzzle, limit: int) -> tuple[bool, float, int]:
    """Whether it was settled, processor seconds, and conflicts."""
    process, (here, there) = get_context("fork"), get_context("fork").Pipe(duplex=False)
    child = process.Process(target=run, args=(config, puzzle, limit, there))
    child.start()
    there.close()
    try:
        _, conflicts = here.recv()
        settled = True
    except EOFError:
        settled, conflicts = False, 0
    used = os.wait4(child.pid or 0, 0)[2]
    return settled, used.ru_utime + used.ru_stime if settled else limit, conflicts


@click.command()
@click.argument("boards", nargs=-1)
@click.option("--limit", default=60, show_default=True, help="Processor seconds for a run.")
@click.option("--colours", default=6, show_default=True, help="Of the random boards.")
def main(boards: tuple[str, ...], limit: int, colours: int) -> None:
    """Measure each pair."""
    instances = [each for source in boards for each in load_instances(source)]
    instances = instances or [load_instance("level-80"), *islice(random_boards(BallSort, colours, 4, 2), 10)]
    table = {f"sat:{encoding}:{solver}": [0, 0.0, 0] for encoding in ENCODINGS for solver in SOLVERS}
    for instance in instances:
        for config, sums in table.items():
            found = measured(config, instance.puzzle, limit)
            sums[:] = [before + more for before, more in zip(sums, found, strict=True)]
            print(instance.name, config, *found, flush=True)
    print(f"\n| of {len(instances)} boards | settled | processor s | conflicts |\n| --- | --- | --- | --- |")
    for config, (settled, seconds, conflicts) in table.items():
        print(f"| {config} | {settled} | {seconds:.1f} | {conflicts:,} |")


if __name__ == "__main__":
    main()
