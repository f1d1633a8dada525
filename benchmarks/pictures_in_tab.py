"""How long a browser's tab takes to read a screenshot.

    bsp-sat page FOLDER && python benchmarks/pictures_in_tab.py FOLDER

The same drawn pictures are read in a warm tab and by this process, in turn; both have to give the same board. Then the
page is visited for the first time, again and again: seconds of wall time from the picture being chosen, as soon as the
page lets it be, to the board on the screen.
"""

import base64
import os
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat.instances.errors import PictureError
from bsp_sat.screenshots.loading import load_picture
from bsp_sat.screenshots.reading import read_loaded
from tests.support.browser import PHONE, browser_for
from tests.support.drawn_screens import STYLES, random_shot
from tests.support.static import hosting

READ = """async (data) => {
  const { call } = await import("./page/core/api.js");
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  const picture = new Blob([bytes], { type: "image/png" });
  const began = performance.now();
  const found = await call("read?", picture).catch(() => null);
  return [(performance.now() - began) / 1000, found && [found.tubes, found.sure]];
}"""

PICTURES, VISITS = 30, 5


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder: Path) -> None:
    """Reads pictures in the page in FOLDER."""
    print(f"load {os.getloadavg()[0]:.1f}")
    shots = [random_shot(number, "plain", list(STYLES)[number % 5]).data for number in range(PICTURES)]
    with hosting(folder) as address, browser_for(address) as site:
        page = site.browser.new_page()
        page.goto(address)
        here, there = [], []
        for number, data in enumerate([shots[0], *shots]):
            taken, found = page.evaluate(READ, base64.b64encode(data).decode())
            began = time.perf_counter()
            expected = read(data)
            if number:  # the first one loads what reads pictures
                here.append(taken)
                there.append(time.perf_counter() - began)
            assert found == expected, number
        page.close()
        print(f"tab: {of(here)}; native: {of(there)}; {median(map(lambda a, b: a / b, here, there)):.1f} times")
        print(f"first visit: {of([first_visit(site.browser, address, shots[0]) for _ in range(VISITS)])}")


def read(data: bytes) -> list[Any] | None:
    """Tubes, and whether they are certain."""
    try:
        board = read_loaded(load_picture(data)).to_json()
    except PictureError:
        return None
    return [board["tubes"], board["sure"]]


def first_visit(browser: Any, address: str, data: bytes) -> float:
    """From the choice of a picture to the board, by a browser that has nothing of the page."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.goto(address)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Solve a screenshot").tap()
    began = time.perf_counter()
    chooser.value.set_files({"name": "shot.png", "mimeType": "image/png", "buffer": data})
    page.locator(".mark").first.wait_for()
    context.close()
    return time.perf_counter() - began


def of(taken: list[float]) -> str:
    """Median and worst."""
    return f"median {median(taken):.2f} s, worst {max(taken):.2f} s of {len(taken)}"


if __name__ == "__main__":
    main()
