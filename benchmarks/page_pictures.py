"""Makes the pictures of docs/page.md and docs/pictures.md: `python -m benchmarks.page_pictures`."""

import io
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from bsp_sat.apps.pictures.loading import load_picture
from bsp_sat.apps.pictures.overlay import outlined, overlay
from bsp_sat.apps.pictures.reading import read_loaded, stages
from tests.support.browser import PHONE, Site, browsing, choose_file, left
from tests.support.drawn_screens import Style, random_tubes
from tests.support.drawn_screens import draw as drawn

DOCS = Path(__file__).parents[1] / "docs"
SHADES = 256


def write(page: Any, name: str) -> None:
    """The page as it looks, as a small PNG."""
    image = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    image.quantize(SHADES, dither=Image.Dither.NONE).save(DOCS / f"{name}.png", optimize=True)


def play(site: Site) -> None:
    """A hint in the middle of a plan."""
    with site.visit("level-80", viewport={"width": 1100, "height": 640}) as page:
        left(page, 38)
        page.keyboard.press("s")
        page.locator(".timeline input[max='38']").wait_for()
        for _ in range(8):
            page.keyboard.press("y")
        left(page, 30)
        page.keyboard.press("h")
        page.locator("#notice", has_text="choose a tube").wait_for()
        page.locator(".tube[data-hint][data-source]").first.click()
        page.locator(".tube[data-cost]").first.wait_for()
        write(page, "page-play")


def phone(site: Site) -> None:
    """From a screenshot to the moves, and a board by hand."""
    odd = [list(tube) for tube in random_tubes(Random(4), 3, 4, 2)]
    odd[0][0] = next(colour for colour in "abc" if colour != odd[0][0])
    shot = drawn(odd, Style(rows=(2, 3), scale=0.6, foot="corners"), 4).data
    with site.visit(None, **PHONE) as page:
        page.get_by_role("button", name="Learn").wait_for()
        write(page, "page-home")
        choose_file(page, "Solve a screenshot", {"name": "shot.png", "mimeType": "image/png", "buffer": shot})
        page.locator(".cell-sheet .swatch").first.wait_for()
        write(page, "picture-on-page")
        page.get_by_role("button", name="Close").tap()
        page.get_by_role("button", name="Show me the moves").tap()
        for _ in range(2):
            page.get_by_role("button", name="Done, next").tap()
            page.locator(".follow .dot").wait_for()
        write(page, "page-follow")
    with site.visit(None, **PHONE, color_scheme="dark") as page:
        page.get_by_role("button", name="Enter by hand").tap()
        for place in (0, 3, 5, 1, 2, 2, 7, 0, 4, 9):
            page.locator(".enter .swatch").nth(place).tap()
        write(page, "page-enter")


def levels(site: Site) -> None:
    """A level with a hint, one that was made, and a lesson."""
    with site.visit(None, **PHONE) as page:
        page.get_by_role("button", name="Levels", exact=True).tap()
        page.get_by_text("13 left").wait_for()
        page.get_by_role("button", name="Hint").tap()
        page.locator(".pointer .arrow").wait_for(state="attached")
        write(page, "page-levels")
    with site.visit(None, viewport={"width": 900, "height": 640}) as page:
        page.get_by_role("button", name="Make levels").click()
        page.get_by_role("group", name="Make a level").get_by_role("button", name="Hard").click()
        page.locator(".preview .one-tube").first.wait_for()
        write(page, "page-make")
    with site.visit(None, viewport={"width": 900, "height": 780}) as page:
        page.get_by_role("button", name="Learn").click()
        page.get_by_role("button", name="Start here").click()
        following = page.get_by_role("tabpanel").get_by_role("button", name="Next")
        for _ in range(3):
            following.click()
        write(page, "page-learn")


def steps() -> None:
    """What the reader of screenshots finds step by step."""
    tubes: list[list[str | None]] = [list(tube) for tube in random_tubes(Random(4), 5, 4, 2)]
    loaded = load_picture(drawn(tubes, Style(rows=(4, 3), scale=0.3, foot="corners", theme="forest"), 4).data)
    files = [*(outlined(loaded, boxes) for boxes in stages(loaded).values()), overlay(loaded, read_loaded(loaded))]
    width, height = loaded.size
    strip = Image.new("RGB", (len(files) * (width + 8) - 8, height), "white")
    for number, file in enumerate(files):
        strip.paste(Image.open(io.BytesIO(file)), (number * (width + 8), 0))
    strip.quantize(SHADES, dither=Image.Dither.NONE).save(DOCS / "picture-steps.png", optimize=True)


if __name__ == "__main__":
    steps()
    with browsing() as the_site:
        for make in (play, phone, levels):
            make(the_site)
