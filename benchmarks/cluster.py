"""Two workers of a dask cluster on this machine against one.

    python benchmarks/cluster.py --games 100

Runs the same campaign by A* with one and with two worker processes, in turn, and prints the ratio of the times; and
beside it the same without a cluster, as some machines have two processors that are less than twice one.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from statistics import median
from threading import Event

import click
from distributed import LocalCluster

from bsp_sat import Limits, random_boards
from bsp_sat.backends.campaign.cluster import cluster_workers
from bsp_sat.backends.campaign.pool import Submit, local_workers
from bsp_sat.backends.campaign.store import open_campaign
from bsp_sat.instances.sorting import BallSort

Start = Callable[[int, Event], AbstractContextManager[Submit]]


@contextmanager
def cluster_of(workers: int, stop: Event) -> Iterator[Submit]:
    """A cluster on this machine."""
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        cluster_workers(cluster.scheduler_address, stop) as submit,
    ):
        yield submit


def campaign_seconds(start: Start, workers: int, games: int, tubes: int) -> float:
    """Wall time of a campaign, without the start of the workers and of their child processes."""
    stop = Event()
    with start(workers, stop) as submit:
        seconds = 0.0
        for seed, number in ((1_000_000, 4 * workers), (0, games)):  # the first set warms up
            boards = islice(random_boards(BallSort, tubes - 2, 4, 2, seed=seed), number)
            with open_campaign(None) as campaign:
                limits = campaign.agree_on(None, Limits(seconds=60))
                campaign.add(boards, ["astar"])
                begun = time.perf_counter()
                count = sum(1 for _ in campaign.run(limits, submit, stop))
                seconds = time.perf_counter() - begun
        assert count == games
    return seconds


@click.command()
@click.option("--games", default=100, show_default=True)
@click.option("--tubes", default=11, show_default=True)
@click.option("--repeat", default=3, show_default=True)
def main(games: int, tubes: int, repeat: int) -> None:
    """Compare one worker and two."""
    starts: dict[str, Start] = {"cluster": cluster_of, "local": local_workers}
    ratios: dict[str, list[float]] = {name: [] for name in starts}
    for _ in range(repeat):
        for name, start in starts.items():
            one, two = (campaign_seconds(start, workers, games, tubes) for workers in (1, 2))
            ratios[name].append(one / two)
            print(f"{name}: one worker {one:.1f} s, two {two:.1f} s, ratio {one / two:.2f}", flush=True)
    for name in starts:
        print(f"{name}: median ratio {median(ratios[name]):.2f}")


if __name__ == "__main__":
    main()
