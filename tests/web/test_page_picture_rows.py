"""Rows of tubes that a person shows in a picture, in a real browser."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.support.browser import PHONE, Site
from tests.support.drawn_screens import Drawn, Style, blurred, draw, random_tubes, rows_of
from tests.web.test_pictures_on_page import choose, complains, give

expect = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed").expect

DRAWN = draw(
    random_tubes(Random(1), 5, 4, 2),
    Style(theme="dark on dark", rows=(4, 3), header=False, scale=0.6, foot="corners"),
    4,
)


def picture(blur: float) -> dict[str, Any]:
    return {"name": "shot.png", "mimeType": "image/png", "buffer": blurred(DRAWN, blur)}


UNSEEN, MISREAD = picture(9), picture(7)
"""Out of focus: no board is found, and five tubes of seven."""


@pytest.fixture
def page(site: Site) -> Iterator[Any]:
    with site.visit(None, **PHONE) as page:
        yield page


def says(page: Any, words: str) -> None:
    expect(page.locator(".picture-screen > .sentence")).to_contain_text(words)


def tap(page: Any, x: float, y: float) -> None:
    """Taps a pixel of the picture."""
    surface = page.locator(".surface")
    box, (width, height) = surface.bounding_box(), (432, 768)
    surface.tap(position={"x": x * box["width"] / width, "y": y * box["height"] / height})


def step(page: Any, name: str, times: int) -> None:
    for _ in range(times):
        page.get_by_role("button", name=name).tap()


def test_a_board_that_is_not_found_is_shown(page: Any) -> None:
    choose(page, UNSEEN)
    says(page, "The board wasn't found.")
    page.screenshot(path="/tmp/frame-0.png")
    page.get_by_role("button", name="Show where the tubes are").tap()
    page.screenshot(path="/tmp/frame-1.png")
    first, second = rows_of(DRAWN)
    says(page, "Row 1: tap the middle of the top left cell, even if it is empty.")
    tap(page, first[0], first[1])
    says(page, "Row 1: tap the middle of the bottom right cell")
    page.screenshot(path="/tmp/frame-2.png")
    tap(page, first[2], first[3])
    says(page, "Row 1: set the numbers so that each cell has a dot in its middle.")
    page.screenshot(path="/tmp/frame-3.png")
    page.get_by_role("button", name="Another row").tap()
    tap(page, second[0], second[1])
    tap(page, second[2], second[3])
    step(page, "Fewer tubes", 1)
    page.screenshot(path="/tmp/frame-4.png")
    page.get_by_role("button", name="Read it").tap()
    says(page, "7 tubes, 5 colours")
    page.screenshot(path="/tmp/frame-5.png")
    page.get_by_role("button", name="Show me the moves").tap()
    expect(page.locator(".follow [role=status]")).to_contain_text("left, proved")
