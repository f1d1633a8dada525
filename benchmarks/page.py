"""How long the page waits for its server.

    python benchmarks/page.py

Each figure is the median and the worst of several, with the load of the machine as it was begun. Seconds are from the
request to the last byte of the proved answer, by a server that has been at work.
"""

import asyncio
import os
import sys
import time
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import click
import httpx2

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat import BallSort, load, random_boards
from tests.support.server import serving

CLIENTS = 20
PHONE = {"colours": 12, "capacity": 4, "empty": 2}


async def seconds_to_answer(client: httpx2.AsyncClient, board: Any, path: str = "solve") -> float:
    """From the request to the proved answer."""
    began, last = time.monotonic(), ""
    async with client.stream("POST", f"api/{path}", json={"board": board}) as response:
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                last = line
    assert last == "event: answer"
    return time.monotonic() - began


async def measure(address: str, repeat: int) -> None:
    """Prints what is measured on a server."""
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        level = load("level-80").to_json()
        for path in ("solve", "hint"):  # as often as there are processes, so that none is new
            await asyncio.gather(*(seconds_to_answer(client, level, path) for _ in range(3 * (os.cpu_count() or 1))))
        tell("level-80, request to proved answer", [await seconds_to_answer(client, level) for _ in range(repeat)])
        tell("level-80, hint", [await seconds_to_answer(client, level, "hint") for _ in range(repeat)])
        boards = [board.puzzle.to_json() for board in islice(random_boards(BallSort, **PHONE), CLIENTS)]
        seconds = await asyncio.gather(*(seconds_to_answer(client, board) for board in boards))
        tell(f"{CLIENTS} clients at once, {PHONE['colours']} colours", seconds)


def tell(what: str, seconds: list[float]) -> None:
    """Prints a line."""
    load_now = os.getloadavg()[0]
    median_ms, worst_ms = 1000 * median(seconds), 1000 * max(seconds)
    print(f"{what}: median {median_ms:.0f} ms, worst {worst_ms:.0f} ms of {len(seconds)} (load {load_now:.1f})")


@click.command()
@click.option("--repeat", default=50, show_default=True, help="Requests for level-80.")
def main(repeat: int) -> None:
    """Print a line for each figure."""
    with serving("--jobs", str(os.cpu_count() or 1)) as (_, address):
        asyncio.run(measure(address, repeat))


if __name__ == "__main__":
    main()
