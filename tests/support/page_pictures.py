"""Makes the pictures of docs/page.md with the tests' browser and server: `python -m tests.support.page_pictures`."""

import io
from pathlib import Path
from typing import Any

from PIL import Image

from tests.support.browser import Site, browsing, left

DOCS = Path(__file__).parents[2] / "docs"
SHADES = 256


def write(page: Any, name: str) -> None:
    """The page as it looks, as a small PNG."""
    image = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    image.quantize(SHADES, dither=Image.Dither.NONE).save(DOCS / f"{name}.png", optimize=True)


def play(site: Site) -> None:
    with site.visit("level-80", viewport={"width": 1100, "height": 640}) as page:
        left(page, 38)
        page.keyboard.press("s")
        page.locator(".timeline input[max='38']").wait_for()
        for _ in range(8):
            page.keyboard.press("y")
        left(page, 30)
        for level in range(1, 5):
            page.keyboard.press("h")
            page.locator(f".hint li:nth-child({level})").wait_for()
        page.locator(".tube[data-hint][data-source]").first.click()
        page.locator(".tube[data-cost]").first.wait_for()
        write(page, "page-play")


def hold(site: Site) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "color_scheme": "dark"}
    with site.visit("level-80", **phone) as page:
        left(page, 38)
        page.locator(".tube").nth(1).tap()
        page.locator(".tube[data-target]").first.wait_for()
        write(page, "page-phone")


def draw(site: Site) -> None:
    with site.visit("level-80", viewport={"width": 800, "height": 700}) as page:
        left(page, 38)
        page.keyboard.press("b")
        page.get_by_role("tab", name="Draw").click()
        page.get_by_role("button", name="The board in play").click()
        page.get_by_role("button", name="Take away").click()
        for tube in (2, 7, 8):
            page.get_by_role("button", name=f"Tube {tube}, cell 4 ").click()
        page.get_by_role("button", name="cyan, 1 left").click()
        page.get_by_text("expected").wait_for()
        write(page, "page-draw")


if __name__ == "__main__":
    with browsing() as the_site:
        for make in (play, hold, draw):
            make(the_site)
