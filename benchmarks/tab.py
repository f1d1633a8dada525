"""The page without a server, in Chromium: how much a first visit loads, how soon it proves, and how fast it searches.

    bsp-sat page FOLDER && python benchmarks/tab.py FOLDER

Seconds are wall time from the address being opened, or from the question being asked in the page, to the proved answer.
Native seconds are those of an installation's own search in this process's child, asked in turn. At the end the browser
gets a quarter of its processor time, as on a phone: its processes stand still for three quarters of each moment.
"""

import gzip
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any

import click
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat import BallSort, WaterSort, load, random_boards, solve
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import solve_with
from tests.support.browser import browser_for
from tests.support.server import HARD
from tests.support.static import hosting

SOLVE = """async (board) => {
  const { answer } = await import("./page/core/api.js");
  const began = performance.now();
  const found = await answer("solve", { board }, new AbortController().signal);
  return [(performance.now() - began) / 1000, found.length, found.peak_memory_mb];
}"""

CANCEL = """async ([path, board, small]) => {
  const { answer } = await import("./page/core/api.js");
  const work = new AbortController();
  const cancelled = answer(path, { board }, work.signal).catch(() => {});
  await new Promise((go) => setTimeout(go, 1500));
  const began = performance.now();
  work.abort();
  await cancelled;
  await answer("solve", { board: small }, new AbortController().signal);
  return (performance.now() - began) / 1000;
}"""

KEPT = """() => navigator.serviceWorker.controller !== null
  && caches.match("page/tab/memory").then(Boolean)"""

SMALL = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
VISITS, CANCELS, WATER, MANY, MOVES = 5, 5, 100, 500, 200
SLOWED, RUNNING, NEWEST = 4, 0.01, 0.1  # how many times; seconds between two stops, and between two looks for processes


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder: Path) -> None:
    """Measures the page in FOLDER."""
    print(f"load {os.getloadavg()[0]:.1f}")
    files = [path for path in folder.rglob("*") if path.is_file()]
    packed = {path: min(path.stat().st_size, len(gzip.compress(path.read_bytes()))) for path in files}
    print(f"files: {sum(path.stat().st_size for path in files):,} bytes, {sum(packed.values()):,} compressed")
    with hosting(folder) as address, browser_for(address) as site:
        visits(site.browser, address, folder, packed)
        page = site.browser.new_page()
        page.goto(address)
        page.evaluate(SOLVE, SMALL)
        compare(page, "level-80", [load("level-80")] * 10)
        for colours in (12, 14):
            compare(page, f"({colours},4,2)", boards(BallSort, colours, 10))
        compare(page, f"{WATER} water boards (9,4,2)", boards(WaterSort, 9, WATER))
        for path, what in (("solve", "a search"), ("horizons", "SAT")):
            taken = [page.evaluate(CANCEL, [path, HARD, SMALL]) for _ in range(CANCELS)]
            print(f"cancel of {what} to the next answer: {of(taken)}")
        print(f"{MOVES} moves with a proof after each: {played(page)}")
        for board in boards(BallSort, 8, MANY):
            _, _, heap = page.evaluate(SOLVE, board.to_json())
        print(f"heap of the worker after {MANY} more boards: {heap} MB")
        page.close()
        with slowed():
            print(f"slowed {SLOWED} times:")
            visits(site.browser, address, folder, packed)
            page = site.browser.new_page()
            page.goto(address)
            page.evaluate(SOLVE, SMALL)
            compare(page, "level-80", [load("level-80")] * 10)
            compare(page, "(12,4,2)", boards(BallSort, 12, 10))


def visits(browser: Any, address: str, folder: Path, packed: dict[Path, int]) -> None:
    """First visits, and later ones without a network."""
    first, later, loaded, processor = [], [], [], []
    for _ in range(VISITS):
        context = browser.new_context()
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        before = processor_seconds()
        first.append(seconds(lambda page=page: prove(page, f"{address}#level-80")))
        processor.append(processor_seconds() - before)
        loaded.append(sum(packed[folder / path] for path in {path_of(url, address) for url in asked}))
        while not page.evaluate(KEPT):
            page.wait_for_timeout(100)
        context.set_offline(True)
        page.close()
        later.append(seconds(lambda context=context: prove(context.new_page(), f"{address}#level-80")))
        context.close()
    print(f"first visit, by then {max(loaded):,} bytes compressed: {of(first)}")
    print(f"processor time of the browser by then: {of(processor)}")
    print(f"later visit, without a network: {of(later)}")


def _is_browser(process: psutil.Process) -> bool:
    try:
        return "chrom" in process.name()
    except psutil.NoSuchProcess:
        return False


@contextmanager
def slowed() -> Iterator[None]:
    """The browser runs for a part of the time."""
    over = Event()

    def work() -> None:
        found, processes = 0.0, []
        while not over.is_set():
            if time.monotonic() > found + NEWEST:
                children = psutil.Process().children(recursive=True)
                found, processes = time.monotonic(), [each for each in children if _is_browser(each)]
            for act, rest in ((psutil.Process.suspend, (SLOWED - 1) * RUNNING), (psutil.Process.resume, RUNNING)):
                for process in processes:
                    with suppress(psutil.NoSuchProcess):
                        act(process)
                time.sleep(rest)

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def prove(page: Any, address: str) -> None:
    """Opens an address, and waits for the proof."""
    page.goto(address)
    page.locator('.proof[data-kind="optimal"]').wait_for(timeout=120_000)


def processor_seconds() -> float:
    """Processor time of the browser so far, all its processes together."""
    times = [process.cpu_times() for process in psutil.Process().children(recursive=True)]
    return sum(each.user + each.system for each in times)


def path_of(url: str, address: str) -> str:
    """The path of a file in the folder."""
    return url.removeprefix(address).partition("#")[0] or "index.html"


def boards(puzzle: Any, colours: int, count: int) -> list[Any]:
    """Random boards (colours,4,2)."""
    return [next(random_boards(puzzle, colours, 4, 2, seed=seed)).puzzle for seed in range(count)]


def compare(page: Any, what: str, some: list[Any]) -> None:
    """The same boards in the tab and by an installation, in turn."""
    here, there = [], []
    with Process() as worker:
        solve_with(worker, some[0])
        for board in some:
            taken, length, _ = page.evaluate(SOLVE, board.to_json())
            here.append(taken)
            began = time.perf_counter()
            assert solve_with(worker, board).length == length
            there.append(time.perf_counter() - began)
    ratio = sum(here) / sum(there)
    print(f"{what}: tab {of(here)}, native {of(there)}, {ratio:.1f} times in all")


def played(page: Any) -> str:
    """Games played to their ends by their plans, each position proved again."""
    taken: list[float] = []
    for board in boards(BallSort, 9, 20):
        position, plan = board, solve(board).plan
        for move in plan.moves if plan else ():
            position = position.apply(move)
            taken.append(page.evaluate(SOLVE, position.to_json())[0])
            if len(taken) == MOVES:
                return of(taken)
    return of(taken)


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def of(taken: list[float]) -> str:
    """Median and worst."""
    return f"median {median(taken):.3f} s, worst {max(taken):.3f} s of {len(taken)}"


if __name__ == "__main__":
    main()
