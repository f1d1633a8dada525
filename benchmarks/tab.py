"""The page in Chromium, without a server and with one: what a visit loads, how soon it proves, how fast it searches.

    bsp-sat page FOLDER && python benchmarks/tab.py FOLDER [OTHER…]

Visits to FOLDER, to other folders, such as one made before a change, and to the server's page are made in turn, each
after one to a bare page, on which a worker says a word. Later visits to folders have no network. Seconds are wall time
from the address being opened, or from the question being asked in the page, to the first screen, the board or the
proved answer on the screen; kB are compressed by gzip; "processor" is the time of browser and server by then. Chromium
slows the main thread of a page, as its tools for developers do, but no workers.
Native seconds are those of an installation's own search in this process's child, asked in turn.
"""

import gzip
import os
import sys
import time
from collections import Counter
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

import click
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat import BallSort, WaterSort, load, random_boards
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import solve_with
from tests.support.browser import browser_for
from tests.support.server import serving
from tests.support.static import hosting

SOLVE = """async (board) => {
  const { solutionOf } = await (await import("./page/main.js")).$load("core/ask.js");
  const began = performance.now();
  const found = await solutionOf({ board, moves: [] }, new AbortController().signal);
  return [(performance.now() - began) / 1000, found.length];
}"""

WATCH = """
window.seen = {};
const signs = {bare: "h1", home: ".home .way-in", board: "#board .tube", proof: '.proof[data-kind="optimal"]'};
const look = () => {
  for (const [name, sign] of Object.entries(signs))
    if (document.querySelector(sign)) requestAnimationFrame(() => (window.seen[name] ??= performance.now() / 1000));
};
new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
"""

BARE = {
    "index.html": '<!doctype html><title>Bare</title><body><script type="module" src="main.js"></script>',
    "main.js": """
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = () => document.body.append(document.createElement("h1"));
""",
    "worker.js": "postMessage(0);",
}

KEPT = "() => navigator.serviceWorker.controller !== null"

SMALL = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
VISITS, WATER = 9, 100
SLOWED = 4  # times
FIGURES = ("board, s", "proof, s", "processor, s", "kB", "requests")
RATIOS = ("home", "board", "proof")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("others", nargs=-1, type=click.Path(path_type=Path))
def main(folder: Path, others: tuple[Path, ...]) -> None:
    """Measures the page in FOLDER, and visits to OTHERS and to the server's page."""
    print(f"load {os.getloadavg()[0]:.1f}")
    with ExitStack() as hosts:
        copies = [(each.name, hosts.enter_context(hosting(each)), True) for each in (folder, *others)]
        address = copies[0][1]
        copies.append(("server", hosts.enter_context(serving())[1], False))
        site = hosts.enter_context(browser_for(address))
        empty = Path(hosts.enter_context(TemporaryDirectory()))
        for file, text in BARE.items():
            (empty / file).write_text(text)
        bare = hosts.enter_context(hosting(empty))
        for rate in (1, SLOWED):
            visits(site.browser, copies, bare, rate)
        page = site.browser.new_page()
        page.goto(address)
        page.evaluate(SOLVE, SMALL)
        compare(page, "level-80", [load("level-80")] * 10)
        for colours in (12, 14):
            compare(page, f"({colours},4,2)", boards(BallSort, colours, 10))
        compare(page, f"{WATER} water boards (9,4,2)", boards(WaterSort, 9, WATER))


def visits(browser: Any, copies: list[tuple[str, str, bool]], bare: str, rate: int) -> None:
    """First and later visits to copies of the page, as tables: name, address, and whether the page keeps itself."""
    found: dict[tuple[str, str], list[list[float]]] = {}
    homes: dict[str, list[float]] = {}
    alone: list[float] = []
    loaded: dict[str, Counter[str]] = {}
    for number in range(VISITS):
        for name, address, is_kept in copies[:: (-1) ** number]:
            alone.append(first_visit(browser, bare, "bare", rate))
            homes.setdefault(name, []).append(first_visit(browser, address, "home", rate))
            context = browser.new_context()
            for kind in ("first", "later"):
                figures, parts = visit(context, address, rate)
                found.setdefault((name, kind), []).append(figures)
                if kind == "first":
                    loaded[name] = parts
                    while is_kept and not context.pages[0].evaluate(KEPT):
                        context.pages[0].wait_for_timeout(100)
                    context.set_offline(is_kept)
            context.close()
    print(f"slowed {rate} times, median (worst) of {VISITS}: {'; '.join(FIGURES)}")
    for (name, kind), rows in found.items():
        columns = zip(*rows, strict=True)
        print(f"  {name}, {kind}:", "; ".join(f"{median(each):.3f} ({max(each):.3f})" for each in columns))
    print(f"medians of first visits, times that of a bare page ({median(alone):.3f} s): {'; '.join(RATIOS)}")
    for name, home in homes.items():
        columns = home, *list(zip(*found[name, "first"], strict=True))[:2]
        print(f"  {name}: {'; '.join(f'{median(each) / median(alone):.2f}' for each in columns)}")
    for name, parts in loaded.items():
        print(f"  {name}, kB of a first visit:", ", ".join(f"{kind} {kb:.1f}" for kind, kb in parts.most_common()))


def first_visit(browser: Any, address: str, what: str, rate: int) -> float:
    """Seconds until a sign of `WATCH` shows, where the browser has nothing of the page."""
    with browser.new_context() as context:
        return until(opened(context, rate), address, what)


def opened(context: Any, rate: int) -> Any:
    """A page that looks out for signs, slowed."""
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.add_init_script(WATCH)
    return page


def until(page: Any, address: str, what: str) -> float:
    """Opens an address, and waits for a sign."""
    page.goto(address)
    return float(page.wait_for_function("what => window.seen[what]", arg=what, timeout=120_000).json_value())


def visit(context: Any, address: str, rate: int) -> tuple[list[float], Counter[str]]:
    """Proves level-80: the `FIGURES`, and kB by kind of file."""
    page, asked = opened(context, rate), set[str]()
    page.on("request", lambda request: asked.add(request.url.partition("#")[0]) if request.method == "GET" else None)
    before = processor_seconds()
    proved = until(page, f"{address}#level-80", "proof")
    used, parts = processor_seconds() - before, Counter[str]()
    for url in {*asked}:
        parts[url.rpartition("/")[2].rpartition(".")[2] or "html"] += packed_size(url) / 1000
    return [page.evaluate("window.seen.board"), proved, used, parts.total(), len(asked)], parts


@cache
def packed_size(url: str) -> int:
    """Bytes of a file, compressed where that helps."""
    with urlopen(url) as response:
        content = response.read()
    return min(len(content), len(gzip.compress(content)))


def processor_seconds() -> float:
    """Processor time of browser and server so far, all their processes together."""
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


def of(taken: list[float]) -> str:
    """Median and worst."""
    return f"median {median(taken):.3f} s, worst {max(taken):.3f} s of {len(taken)}"


if __name__ == "__main__":
    main()
