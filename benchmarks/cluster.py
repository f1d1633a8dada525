"""Two workers of a dask cluster on this machine against one.

    python benchmarks/cluster.py --games 100

Runs the same campaign by A* with one and with two worker processes, in turn, and prints the ratio of the times; and
next to it the same without a cluster. Some machines have two processors that are less than twice one: the pace that two
have together is that of two bare processes, each with half of the boards and nothing to tell anybody, against one.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from multiprocessing import get_context
from statistics import median
from threading import Event

import click
from distributed import LocalCluster

from bsp_sat import Limits, random_boards
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.backends.result import Findings
from bsp_sat.backends.run import Pool, cluster_pool, local_pool
from bsp_sat.backends.search.astar import AStar
from bsp_sat.instances.sorting import BallSort

Start = Callable[[int, Event], AbstractContextManager[Pool]]


@contextmanager
def cluster_of(workers: int, stop: Event) -> Iterator[Pool]:
    """A cluster on this machine."""
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        cluster_pool(cluster.scheduler_address, stop) as pool,
    ):
        yield pool


def campaign_seconds(start: Start, workers: int, games: int, tubes: int) -> float:
    """Wall time of a campaign, without the start of the workers and of their child processes."""
    stop = Event()
    with start(workers, stop) as pool:
        seconds = 0.0
        for seed, number in ((1_000_000, 4 * workers), (0, games)):  # the first set warms up
            boards = islice(random_boards(BallSort, tubes - 2, 4, 2, seed=seed), number)
            with open_campaign(None) as campaign:
                limits = campaign.agree_on(None, Limits(seconds=60))
                campaign.add(boards, ["astar"])
                begun = time.perf_counter()
                count = sum(1 for _ in campaign.run(limits, pool, stop))
                seconds = time.perf_counter() - begun
        assert count == games
    return seconds


def solve_bare(boards: list[BallSort]) -> None:
    """A* on boards, in this process."""
    for board in boards:
        AStar().run(board, Findings(board, AStar.name))


def bare_seconds(workers: int, games: int, tubes: int) -> float:
    """Wall time of bare processes that take turns in taking boards."""
    puzzles = [instance.puzzle for instance in islice(random_boards(BallSort, tubes - 2, 4, 2), games)]
    started = get_context("fork")
    processes = [started.Process(target=solve_bare, args=(puzzles[part::workers],)) for part in range(workers)]
    begun = time.perf_counter()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return time.perf_counter() - begun


@click.command()
@click.option("--games", default=100, show_default=True)
@click.option("--tubes", default=11, show_default=True)
@click.option("--repeat", default=3, show_default=True)
def main(games: int, tubes: int, repeat: int) -> None:
    """Compare one worker and two."""
    ways: dict[str, Callable[[int], float]] = {
        "bare": lambda workers: bare_seconds(workers, games, tubes),
        "cluster": lambda workers: campaign_seconds(cluster_of, workers, games, tubes),
        "local": lambda workers: campaign_seconds(local_pool, workers, games, tubes),
    }
    ratios: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeat):
        for name, seconds in ways.items():
            one, two = seconds(1), seconds(2)
            ratios[name].append(one / two)
            print(f"{name}: one worker {one:.1f} s, two {two:.1f} s, ratio {one / two:.2f}", flush=True)
    for name, found in ratios.items():
        pace = median(each / bare for each, bare in zip(found, ratios["bare"], strict=True))
        print(f"{name}: median ratio {median(found):.2f}, twice the share of the bare pace {2 * pace:.2f}")


if __name__ == "__main__":
    main()
