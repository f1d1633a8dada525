"""Two workers of a dask cluster on this machine against one, by the same campaign of A* in turn.

python benchmarks/cluster.py --games 100
"""

import time
from itertools import islice
from statistics import median
from threading import Event

import click
from distributed import LocalCluster

from bsp_sat import Limits, random_boards
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.backends.run import cluster_pool
from bsp_sat.instances.sorting import BallSort


def campaign_seconds(workers: int, games: int, tubes: int) -> float:
    """Wall time of a campaign, without the start of the workers and of their child processes."""
    stop = Event()
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        cluster_pool(cluster.scheduler_address, stop) as pool,
    ):
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


@click.command()
@click.option("--games", default=100, show_default=True)
@click.option("--tubes", default=11, show_default=True)
@click.option("--repeat", default=3, show_default=True)
def main(games: int, tubes: int, repeat: int) -> None:
    """Compare one worker and two."""
    ratios = []
    for _ in range(repeat):
        one, two = (campaign_seconds(workers, games, tubes) for workers in (1, 2))
        ratios.append(one / two)
        print(f"one worker {one:.1f} s, two {two:.1f} s, ratio {one / two:.2f}", flush=True)
    print(f"median ratio {median(ratios):.2f}")


if __name__ == "__main__":
    main()
