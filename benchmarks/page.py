"""How long the page waits for its server, and what its server holds.

    python benchmarks/page.py

Each figure is the median and the worst of several, with the load of the machine as it was begun. Seconds are from the
first byte of a request, or from the start of the program, to the last byte that matters.
"""

import asyncio
import gzip
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import click
import httpx2
import psutil

import bsp_sat
from bsp_sat import BallSort, random_boards
from tests.support.server import HARD, children

PAGE = Path(__file__).parents[1] / "bsp_sat" / "web" / "page"
CLIENTS = 20
PHONE = {"colours": 12, "capacity": 4, "empty": 2}


@contextmanager
def running() -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server, and its address."""
    program = [sys.executable, "-m", "bsp_sat", "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://\S+/", process.stdout.readline())
        assert address is not None
        try:
            yield process, address[0]
        finally:
            process.kill()


async def events(client: httpx2.AsyncClient, path: str, board: Any) -> AsyncIterator[str]:
    """The names of the events of a stream, as they come."""
    async with client.stream("POST", f"api/{path}", json={"board": board}) as response:
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                yield line.removeprefix("event: ")


async def seconds_to_answer(client: httpx2.AsyncClient, board: Any, path: str = "solve") -> float:
    """From the request to the proved answer."""
    began = time.monotonic()
    last = [name async for name in events(client, path, board)][-1]
    assert last == "answer"
    return time.monotonic() - began


def held_mb(process: "subprocess.Popen[str]") -> float:
    """Memory of a server and its processes, what they share counted once, in MB (10⁶ bytes)."""
    held = 0
    for each in [psutil.Process(process.pid), *children(process)]:
        with suppress(psutil.Error):
            held += each.memory_full_info().pss
    return held / 1e6


def cold(number: int) -> tuple[list[float], list[float], list[float]]:
    """From the start of the program to the page, and to the first position; and processor time of its own until then.

    What its processes use at the same time isn't counted: it doesn't wait for them.
    """
    to_page, to_position, used = [], [], []
    for _ in range(number):
        began = time.monotonic()
        with running() as (process, address), httpx2.Client(base_url=address) as client:
            client.get("/").raise_for_status()
            to_page.append(time.monotonic() - began)
            board = bsp_sat.load("level-80").to_json()
            client.post("/api/position", json={"board": board}).raise_for_status()
            to_position.append(time.monotonic() - began)
            times = psutil.Process(process.pid).cpu_times()
            used.append(times.user + times.system)
    return to_page, to_position, used


async def until_warm(client: httpx2.AsyncClient, board: Any) -> None:
    """As often as there are processes, so that none is new."""
    for path in ("solve", "hint"):
        await asyncio.gather(*(seconds_to_answer(client, board, path) for _ in range(3 * (os.cpu_count() or 1))))


async def cancelled(process: "subprocess.Popen[str]", client: httpx2.AsyncClient) -> float:
    """From closing a stream to the end of its process."""
    before = children(process)
    stream = events(client, "solve", HARD)
    async for name in stream:
        if name == "progress":
            break
    began = time.monotonic()
    await stream.aclose()  # type: ignore[attr-defined]  # which generators have
    while all(child.is_running() for child in before):
        await asyncio.sleep(0.002)
    return time.monotonic() - began


async def at_once(process: "subprocess.Popen[str]", client: httpx2.AsyncClient) -> tuple[list[float], float]:
    """Each of many clients solves a board of its own: the seconds of each, and the most memory during it."""
    boards = [board.puzzle.to_json() for board in islice(random_boards(BallSort, **PHONE), CLIENTS)]
    solving = asyncio.gather(*(seconds_to_answer(client, board) for board in boards))
    most = 0.0
    while not solving.done():
        most = max(most, held_mb(process))
        await asyncio.sleep(0.05)
    return await solving, most


async def warm(repeat: int) -> None:
    """Prints what is measured on a server that has been at work."""
    limits = httpx2.Limits(max_connections=None)
    with running() as (process, address):
        async with httpx2.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
            level = bsp_sat.load("level-80").to_json()
            await until_warm(client, level)
            print(f"idle: {held_mb(process):.0f} MB in {1 + len(children(process))} processes")
            tell("level-80, request to proved answer", [await seconds_to_answer(client, level) for _ in range(repeat)])
            tell("level-80, hint", [await seconds_to_answer(client, level, "hint") for _ in range(repeat)])
            seconds, most = await at_once(process, client)
            tell(f"{CLIENTS} clients at once, {PHONE['colours']} colours", seconds)
            print(f"  most memory: {most:.0f} MB")
            tell("closing a stream to the end of its process", [await cancelled(process, client) for _ in range(10)])
            streams = [asyncio.ensure_future(seconds_to_answer(client, HARD)) for _ in range(10)]
            await asyncio.sleep(2)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            while process.poll() is None:
                await asyncio.sleep(0.005)
            tell("Ctrl-C with 10 streams open, to the end", [time.monotonic() - began])
            await asyncio.gather(*streams, return_exceptions=True)


def tell(what: str, seconds: list[float]) -> None:
    """Prints a line."""
    load = os.getloadavg()[0]
    median_ms, worst_ms = 1000 * median(seconds), 1000 * max(seconds)
    print(f"{what}: median {median_ms:.0f} ms, worst {worst_ms:.0f} ms of {len(seconds)} (load {load:.1f})")


@click.command()
@click.option("--repeat", default=50, show_default=True, help="Requests for level-80.")
@click.option("--starts", default=5, show_default=True, help="Cold starts.")
def main(repeat: int, starts: int) -> None:
    """Print a line for each figure."""
    files = [path.read_bytes() for path in PAGE.rglob("*") if path.is_file()]
    kilobytes = [sum(map(len, each)) / 1000 for each in (files, map(gzip.compress, files))]
    print(f"page: {kilobytes[0]:.1f} kB in {len(files)} files, {kilobytes[1]:.1f} kB compressed")
    to_page, to_position, used = cold(starts)
    tell("cold start to the page", to_page)
    tell("cold start to the first position", to_position)
    tell("processor time of the server until then", used)
    asyncio.run(warm(repeat))


if __name__ == "__main__":
    main()
