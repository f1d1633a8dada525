"""How long a browser's tab takes to read a screenshot.

    bsp-sat page FOLDER && python benchmarks/pictures_in_tab.py FOLDER

The same drawn pictures are read in a warm tab and by this process, in turn; both have to give the same board. Then the
page is visited for the first time, again and again: from the picture being chosen, as soon as the page lets it be, to
the board on the screen. Seconds of wall time, and in brackets of processor time, which a busy machine changes less: of
the browser with all its processes, and of this one.
"""

import base64
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.tab import processor_seconds
from bsp_sat.instances.errors import PictureError
from bsp_sat.screenshots.loading import load_picture
from bsp_sat.screenshots.reading import read_loaded
from tests.support.browser import PHONE, Site, browser_for
from tests.support.drawn_screens import STYLES, random_shot
from tests.support.static import hosting

READ = """async (data) => {
  const { call } = await (await import("./page/main.js")).$load("core/api.js");
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  const found = await call("read?", new Blob([bytes], { type: "image/png" })).catch(() => null);
  return found && [found.tubes, found.sure];
}"""

PICTURES, VISITS = 30, 5

Taken = tuple[float, float]
"""Seconds of wall time, and of processor time."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder: Path) -> None:
    """Reads pictures in the page in FOLDER."""
    print(f"load {os.getloadavg()[0]:.1f}")
    shots = [random_shot(number, "plain", list(STYLES)[number % 5]).data for number in range(PICTURES)]
    with hosting(folder) as address, browser_for(address) as site:
        page = site.browser.new_page()
        page.goto(address)
        page.evaluate(READ, base64.b64encode(shots[0]).decode())  # loads what reads pictures
        here, there = [], []
        for data in shots:
            found, taken = timed(partial(page.evaluate, READ, base64.b64encode(data).decode()), processor_seconds)
            expected, alone = timed(partial(read, data), time.process_time)
            assert found == expected
            here.append(taken)
            there.append(alone)
        page.close()
        ratio = median(one / other for (_, one), (_, other) in zip(here, there, strict=True))
        print(f"tab {of(here)}, native {of(there)}: {ratio:.1f} times the processor time")
        print(f"first visit: {of([first_visit(site, shots[0]) for _ in range(VISITS)])}")


def timed(work: Callable[[], Any], processor: Callable[[], float]) -> tuple[Any, Taken]:
    """What work gives, and how long it takes."""
    began, before = time.perf_counter(), processor()
    result = work()
    return result, (time.perf_counter() - began, processor() - before)


def read(data: bytes) -> list[Any] | None:
    """Tubes, and whether they are certain."""
    try:
        board = read_loaded(load_picture(data)).to_json()
    except PictureError:
        return None
    return [board["tubes"], board["sure"]]


def first_visit(site: Site, data: bytes) -> Taken:
    """From the choice of a picture to the board, by a browser that has nothing of the page."""
    context = site.browser.new_context(**PHONE)
    page = context.new_page()
    site.listen(page)
    page.goto(site.address)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Solve a screenshot").tap()
    file = {"name": "shot.png", "mimeType": "image/png", "buffer": data}

    def board() -> None:
        chooser.value.set_files(file)
        page.locator(".mark").first.wait_for()

    taken = timed(board, processor_seconds)[1]
    context.close()
    return taken


def of(taken: Sequence[Taken]) -> str:
    """Medians, and the worst."""
    wall, processor = zip(*taken, strict=True)
    return f"{median(wall):.2f} ({median(processor):.2f}) s, worst {max(wall):.2f} ({max(processor):.2f}) s"


if __name__ == "__main__":
    main()
