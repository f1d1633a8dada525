"""The page without a server, in Chromium: how much a first visit loads, how soon it proves, and how fast it searches.

    bsp-sat page FOLDER && python benchmarks/tab.py FOLDER [OTHER…]

Visits to other folders, such as one made before a change, are measured in turn with those to the first one.

Seconds are wall time from the address being opened, or from the question being asked in the page, to the board on the
screen or the proved answer; "processor" is the browser's own time by then. Native seconds are those of an
installation's own search in this process's child, asked in turn. At the end the browser gets a quarter of its processor
time, as on a phone: its processes stand still for three quarters of each moment.
"""

import gzip
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
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
  const { solutionOf } = await import("./page/core/ask.js");
  const began = performance.now();
  const found = await solutionOf({ board, moves: [] }, new AbortController().signal);
  return [(performance.now() - began) / 1000, found.length];
}"""

WATCH = """
new MutationObserver(() => {
  if (document.querySelector(".tube")) window.drawn ??= performance.now() / 1000;
}).observe(document, { childList: true, subtree: true });
"""

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
VISITS, CANCELS, WATER, MOVES = 5, 5, 100, 200
SLOWED, RUNNING, NEWEST = 4, 0.01, 0.1  # how many times; seconds between two stops, and between two looks for processes


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("others", nargs=-1, type=click.Path(path_type=Path))
def main(folder: Path, others: tuple[Path, ...]) -> None:
    """Measures the page in FOLDER, and visits to OTHERS."""
    print(f"load {os.getloadavg()[0]:.1f}")
    with ExitStack() as hosts:
        copies = [Copy(each, hosts.enter_context(hosting(each))) for each in (folder, *others)]
        site = hosts.enter_context(browser_for(copies[0].address))
        address = copies[0].address
        visits(site.browser, copies)
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
        page.close()
        with slowed():
            print(f"slowed {SLOWED} times:")
            visits(site.browser, copies)
            page = site.browser.new_page()
            page.goto(address)
            page.evaluate(SOLVE, SMALL)
            compare(page, "level-80", [load("level-80")] * 10)
            compare(page, "(12,4,2)", boards(BallSort, 12, 10))


class Copy:
    """A folder with the page, and its host."""

    def __init__(self, folder: Path, address: str) -> None:
        self.name, self.address = folder.name, address
        files = [path for path in folder.rglob("*") if path.is_file()]
        packed = [min(path.stat().st_size, len(gzip.compress(path.read_bytes()))) for path in files]
        self._packed = {path.relative_to(folder).as_posix(): size for path, size in zip(files, packed, strict=True)}
        self.figures: dict[str, list[float]] = {}
        print(f"{self.name}: {sum(path.stat().st_size for path in files):,} bytes, {sum(packed):,} compressed")

    def visited(self, context: Any, kind: str) -> Any:
        """A page that has proved level-80; its figures are noted, requests and bytes as they are by then."""
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.add_init_script(WATCH)
        before = processor_seconds()
        proved = seconds(lambda: prove(page, f"{self.address}index.html#level-80"))
        bytes_ = sum(self._packed[url.removeprefix(self.address).partition("#")[0]] for url in {*asked})
        found = {"board": page.evaluate("window.drawn"), "proof": proved, "processor": processor_seconds() - before}
        for what, figure in (found | {"kB": bytes_ / 1000, "requests": len(asked)}).items():
            self.figures.setdefault(f"{kind} visit, {what}", []).append(figure)
        return page


def visits(browser: Any, copies: list[Copy]) -> None:
    """First visits, and later ones without a network."""
    for _ in range(VISITS):
        for copy in copies:
            context = browser.new_context()
            page = copy.visited(context, "first")
            while not page.evaluate(KEPT):
                page.wait_for_timeout(100)
            context.set_offline(True)
            page.close()
            copy.visited(context, "later")
            context.close()
    for copy in copies:
        for what, figures in copy.figures.items():
            print(f"{copy.name}, {what}: median {median(figures):.3f}, worst {max(figures):.3f} of {len(figures)}")
        copy.figures.clear()


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


def boards(puzzle: Any, colours: int, count: int) -> list[Any]:
    """Random boards (colours,4,2)."""
    return [next(random_boards(puzzle, colours, 4, 2, seed=seed)).puzzle for seed in range(count)]


def compare(page: Any, what: str, some: list[Any]) -> None:
    """The same boards in the tab and by an installation, in turn."""
    here, there = [], []
    with Process() as worker:
        solve_with(worker, some[0])
        for board in some:
            taken, length = page.evaluate(SOLVE, board.to_json())
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
