"""How many batches of boards a second one dask scheduler hands out, to many workers that answer at once.

    python benchmarks/scheduler.py --workers 100 --threads 16

The scheduler runs alone in its process, and its processor seconds count. Workers, all in this process, count the boards
of a batch instead of solving them. Each batch once names all workers, and once none.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import click
import psutil
from distributed import Client, Scheduler, Worker

from bsp_sat import BallSort, Limits, random_boards
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.run import Solve


def run_scheduler(to: Connection) -> None:
    """Says its address, and goes on until it is ended."""
    logging.disable(logging.CRITICAL)

    async def run() -> None:
        async with Scheduler(host="127.0.0.1", dashboard_address=None) as scheduler:
            to.send(scheduler.address)
            await scheduler.finished()

    asyncio.run(run())


async def hand_out(client: Any, tasks: int, ahead: int, jobs: Sequence[Any], to: Sequence[str] | None) -> None:
    """Sends batches, so many at a time, and waits for their ends, not their results."""
    free = asyncio.Semaphore(ahead)
    sent = set()

    def take(future: Any) -> None:
        sent.discard(future)
        client.loop.add_callback(free.release)

    for _ in range(tasks):
        await free.acquire()
        future = client.submit(len, jobs, workers=to, pure=False)
        sent.add(future)  # dask drops a task that nobody waits for
        future.add_done_callback(take)
    while sent:
        await asyncio.sleep(0.05)


async def measure(workers: int, threads: int, tasks: int, boards: int) -> None:
    """Prints both paces."""
    found = islice(random_boards(BallSort, 9, 4, 2), boards)
    jobs = [Solve(make_backend("auto"), each.puzzle, Limits()) for each in found]
    spawning = get_context("spawn")
    for names in (True, False):
        here, there = spawning.Pipe()
        process = spawning.Process(target=run_scheduler, args=(there,), daemon=True)
        process.start()
        address = here.recv()
        async with AsyncExitStack() as stack:
            pool = stack.enter_context(ThreadPoolExecutor(2))
            crew = [Worker(address, nthreads=threads, executor=pool, dashboard=False) for _ in range(workers)]
            for each in crew:
                await stack.enter_async_context(each)
            client = await stack.enter_async_context(Client(address, asynchronous=True, set_as_default=False))
            spent = -sum(psutil.Process(process.pid).cpu_times()[:2])
            to = [each.address for each in crew] if names else None
            await hand_out(client, tasks, 2 * workers * threads, jobs, to)
            spent += sum(psutil.Process(process.pid).cpu_times()[:2])
            process.terminate()
        name = "all workers named" if names else "none named"
        print(f"{name}: {tasks / spent:.0f} batches for a second of the scheduler", flush=True)


@click.command()
@click.option("--workers", default=100, show_default=True)
@click.option("--threads", default=16, show_default=True, help="Of each worker.")
@click.option("--tasks", default=10_000, show_default=True)
@click.option("--boards", default=20, show_default=True, help="In a batch.")
def main(workers: int, threads: int, tasks: int, boards: int) -> None:
    """Measure the scheduler alone."""
    logging.disable(logging.CRITICAL)  # what workers say whose scheduler goes
    asyncio.run(measure(workers, threads, tasks, boards))


if __name__ == "__main__":
    main()
