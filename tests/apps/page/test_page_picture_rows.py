"""Rows of tubes that a person shows in a picture, in a real browser."""

import re
from random import Random
from typing import Any

import pytest

from tests.apps.page.test_pictures_on_page import choose, png
from tests.support.browser import Site, give
from tests.support.drawn_screens import Style, blurred, draw, random_tubes, rows_of
from tests.support.optional import needed

expect = needed("playwright.sync_api", "browser").expect

DRAWN = draw(
    random_tubes(Random(1), 5, 4, 2),
    Style(theme="dark on dark", rows=(4, 3), header=False, scale=0.6, foot="corners"),
    4,
)


UNSEEN, MISREAD = png(blurred(DRAWN, 9)), png(blurred(DRAWN, 3))
"""Out of focus: no board is found, and five tubes of seven (the empty two are missed)."""


def says(page: Any, words: str) -> None:
    expect(page.locator(".claim .sentence")).to_contain_text(words)


def complains(page: Any, words: str) -> None:
    expect(page.locator(".picture-screen .refusal [role=alert]")).to_contain_text(words)


def tap(page: Any, x: float, y: float) -> None:
    """Taps a pixel of the picture."""
    surface = page.locator(".surface")
    box, (width, height) = surface.bounding_box(), (432, 768)
    surface.click(position={"x": x * box["width"] / width, "y": y * box["height"] / height})


def step(page: Any, name: str, times: int) -> None:
    for _ in range(times):
        page.get_by_role("button", name=name).tap()


def ring(page: Any, row: int, corner: str) -> Any:
    return page.get_by_role("button", name=f"Row {row}, {corner} cell:")


def middle(page: Any, row: int, corner: str) -> tuple[int, int]:
    """Where a mark is, in pixels of the picture."""
    across, down = re.findall(r"(\d+) (?:across|down)", ring(page, row, corner).get_attribute("aria-label"))
    return int(across), int(down)


def is_near(place: tuple[int, int], x: float, y: float) -> bool:
    return abs(place[0] - x) <= 2 and abs(place[1] - y) <= 2


def drag(page: Any, row: int, corner: str, x: float, y: float) -> None:
    """Drags a mark, held beside its middle, to a pixel of the picture: by touch where there is a touch screen."""
    box, held = page.locator(".surface").bounding_box(), ring(page, row, corner).bounding_box()
    start = held["x"] + held["width"] / 2 + 8, held["y"] + held["height"] / 2
    end = box["x"] + x * box["width"] / 432 + 8, box["y"] + y * box["height"] / 768
    if not page.evaluate("navigator.maxTouchPoints"):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=4)
        page.mouse.up()
        return
    screen = page.context.new_cdp_session(page)
    for share in range(5):
        place = {axis: first + share / 4 * (last - first) for axis, first, last in zip("xy", start, end, strict=True)}
        kind = "touchMove" if share else "touchStart"
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def mark_by_keys(page: Any, x: int, y: int) -> None:
    """Makes a mark, and moves it to a pixel of the picture."""

    def press(key: str, times: int) -> None:
        for _ in range(times):
            page.keyboard.press(key)

    page.locator(".surface").focus()
    press("Enter", 1)
    across, down = re.findall(r"(\d+) (?:across|down)", page.locator(".corner:focus").get_attribute("aria-label"))
    for away, keys in ((x - int(across), ("Right", "Left")), (y - int(down), ("Down", "Up"))):
        key = f"Arrow{keys[away < 0]}"
        press(f"Shift+{key}", abs(away) // 20)
        press(key, abs(away) % 20 // 2)


def test_tubes_that_are_found_wrongly_are_shown_by_mouse_and_by_keys(site: Site) -> None:
    first, second = rows_of(DRAWN)
    with site.visit(None, viewport={"width": 1200, "height": 1100}) as page:

        def use(name: str) -> None:
            page.get_by_role("button", name=name).focus()
            page.keyboard.press("Enter")

        give(page, MISREAD, "drop")
        says(page, "5 tubes")
        use("Wrong tubes?")
        expect(page.get_by_role("button", name="Mark the top left cell of row 1")).to_be_focused()
        assert page.locator(".mark").count() == 0
        tap(page, first[0] + 30, first[1] - 20)
        tap(page, first[2], first[3])
        drag(page, 1, "top left", *first[:2])
        assert is_near(middle(page, 1, "top left"), *first[:2])
        use("Another row")
        expect(page.get_by_role("button", name="Mark the top left cell of row 2")).to_be_focused()
        mark_by_keys(page, *second[:2])
        mark_by_keys(page, *second[2:4])
        assert is_near(middle(page, 2, "top left"), *second[:2])
        assert is_near(middle(page, 2, "bottom right"), *second[2:4])
        complains_not(page)
        for _ in range(5):
            use("More cells")
        assert page.locator(".marker .dots").get_attribute("d").count("M") == 4 * 4 + 4 * 9
        for _ in range(5):
            use("Fewer cells")
        use("Fewer tubes")
        use("Read it")
        says(page, "7 tubes, 5 colours")
        page.get_by_role("button", name="Wrong tubes?").click()  # the marks are still there
        expect(ring(page, 2, "top left")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        says(page, "7 tubes, 5 colours")


def complains_not(page: Any) -> None:
    expect(page.locator(".picture-screen .refusal [role=alert]")).to_have_text("")


@pytest.mark.slow
def test_a_person_shows_where_a_board_is_that_was_not_found_and_marks_that_cannot_be_are_refused(page: Any) -> None:
    choose(page, UNSEEN)
    says(page, "The board wasn't found.")
    complains(page, "Is the whole board in the picture?")
    why = page.get_by_text("no board found")
    expect(why).to_be_hidden()
    page.get_by_text("Details").tap()
    expect(why).to_be_visible()
    expect(page.locator(".picture-screen .primary:visible")).to_have_text("Show where the tubes are")
    page.get_by_role("button", name="Show where the tubes are").tap()
    tap(page, 100, 200)
    tap(page, 106, 300)
    complains(page, "The dots of row 1 are too close together.")
    expect(page.get_by_role("button", name="Read it")).to_be_disabled()
    step(page, "Fewer tubes", 5)  # of which three are left out: one tube is the least
    complains_not(page)
    page.get_by_role("button", name="Another row").tap()
    tap(page, 100, 320)
    page.get_by_role("button", name="Remove this row").tap()
    drag(page, 1, "bottom right", 106, 212)
    complains(page, "The dots of row 1")
    drag(page, 1, "bottom right", 106, 300)
    complains_not(page)
    drag(page, 1, "top left", 106, 60)
    drag(page, 1, "bottom right", 106, 100)
    assert is_near(middle(page, 1, "bottom right"), 106, 100)
    page.get_by_role("button", name="Read it").tap()
    complains(page, "No cells were found at these dots.")
    page.get_by_role("button", name="Cancel").tap()
    says(page, "The board wasn't found.")
    page.get_by_role("button", name="Show where the tubes are").tap()
    first, second = rows_of(DRAWN)
    says(page, "Row 1: tap the middle of the top left cell, even if empty.")
    tap(page, first[0], first[1])
    says(page, "Row 1: tap the middle of the bottom right cell")
    tap(page, first[2], first[3])
    says(page, "Row 1: set the numbers so that each cell has a dot in its middle.")
    page.get_by_role("button", name="Another row").tap()
    tap(page, second[2], second[3])  # in the other order
    tap(page, second[0], second[1])
    step(page, "Fewer tubes", 1)
    page.get_by_role("button", name="Read it").tap()
    says(page, "7 tubes, 5 colours")
    page.get_by_role("button", name="Show me the moves").tap()
    expect(page.locator(".follow [role=status]")).to_contain_text("left, proved")
