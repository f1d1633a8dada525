"""How long a browser's tab takes to read a screenshot.

    bsp-sat page FOLDER && python benchmarks/pictures_in_tab.py FOLDER [SCREENSHOT…]

The same drawn pictures are read in a warm tab and by this process, in turn; both have to give the same board. Then the
page in FOLDER and the server's are visited for the first time, with a drawn picture and each screenshot: from the
picture being chosen, as soon as the page lets it be, to the first move or a question on the screen; also with
Chromium's main thread slowed. Seconds of wall time, and in brackets of processor time, which a busy machine changes
less: of the browser with all its processes and the server, and of this process.
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

from benchmarks.tab import SLOWED, processor_seconds
from bsp_sat.apps.pictures.loading import load_picture
from bsp_sat.apps.pictures.reading import read_loaded
from bsp_sat.instances.errors import PictureError
from tests.support.browser import PHONE, Site, browser_for
from tests.support.drawn_screens import STYLES, random_shot
from tests.support.server import serving
from tests.support.static import hosting

READ = """async (data) => {
  const { call } = await (await import("./page/main.js")).$load("core/api.js");
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  const found = await call("read?", new Blob([bytes], { type: "image/png" })).catch(() => null);
  return found && [found.tubes, found.sure];
}"""

ANSWERED = ".follow .sentence .dot, .question, .revealing, .picture-screen .complaint:not(:empty)"
"""The first move, or what the page asks or says of a picture."""

PICTURES, VISITS = 30, 5

Taken = tuple[float, float]
"""Seconds of wall time, and of processor time."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("screenshots", nargs=-1, type=click.Path(path_type=Path))
def main(folder: Path, screenshots: tuple[Path, ...]) -> None:
    """Reads pictures, and SCREENSHOTS on first visits, in the page in FOLDER."""
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
        given = [shots[0]] * VISITS + [path.read_bytes() for path in screenshots]
        with serving() as (_, server):
            for name, at in (("files", address), ("server", server)):
                for rate in (1, SLOWED):
                    taken = [first_visit(site, at, data, rate) for data in given]
                    print(f"first visit to the {name}, slowed {rate} times: {of(taken)}")


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


def first_visit(site: Site, address: str, data: bytes, rate: int) -> Taken:
    """From the choice of a picture to what the page says of it, by a browser that has nothing of the page."""
    with site.browser.new_context(**PHONE) as context:
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
        page.goto(address)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Solve a screenshot").tap()
        file = {"name": "shot.png", "mimeType": "image/png", "buffer": data}

        def said() -> None:
            chooser.value.set_files(file)
            page.locator(ANSWERED).first.wait_for()

        return timed(said, processor_seconds)[1]


def of(taken: Sequence[Taken]) -> str:
    """Medians, and the worst."""
    wall, processor = zip(*taken, strict=True)
    return f"{median(wall):.2f} ({median(processor):.2f}) s, worst {max(wall):.2f} ({max(processor):.2f}) s"


if __name__ == "__main__":
    main()
