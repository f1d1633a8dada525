"""Every state of the page, on a phone, a small one, a phone on its side and a laptop, in light and dark.

Axe finds nothing, nothing is wider than the screen, and on screens that fill the window nothing has to be scrolled.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.apps.page.test_page import HIDDEN, LOCKED, TILES, advised, draw, of_drawing, share
from tests.apps.page.test_page_learn import learn, status
from tests.apps.page.test_page_levels import BAD_START, LOSING, begin, chip, hinted, pour, win
from tests.apps.page.test_page_picture_rows import MISREAD, UNSEEN
from tests.apps.page.test_pictures_on_page import DOUBTFUL, odd_picture
from tests.support.browser import SMALL, Site, back, enter, give, left, more, says, tube, violations
from tests.support.optional import needed

expect = needed("playwright.sync_api", "browser").expect

LARGE = (390, 844)
"""With letters of twice the usual size."""
TWICE = """
new MutationObserver(() => (document.documentElement.style.fontSize = "200%")).observe(document, { childList: true });
"""
SIZES = [(390, 664), (320, 568), (844, 390), (820, 1180), (1440, 900), LARGE]
FILL = ("home", "picture", "enter", "follow", "levels")
"""Screens on which nothing has to be scrolled, while no dialog is open."""
EXTENT = """
[document.documentElement.scrollWidth, document.documentElement.scrollHeight,
 document.querySelector("dialog[open]") ? "" : document.documentElement.dataset.screen,
 document.querySelector(".title h1").getBoundingClientRect().top + scrollY]
"""
CUT = """
[...(document.querySelector("dialog[open]") ?? document).querySelectorAll(
  ".level-board, .level-screen, .home, .enter, .picture-screen, .title, button:not(.tube, .column, .shot, .mark)")]
  .filter((each) => each.checkVisibility() &&
    (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 4))
  .map((each) => [each.className, each.textContent.slice(0, 30)])
"""
"""What isn't whole: a board, or the words of a button or of a header."""


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def close(page: Any) -> None:
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")


def of_home(page: Any) -> Iterator[str]:
    page.locator(".today .tube").first.wait_for()
    yield "home"
    days = "[0, 1, 3].map((ago) => Math.floor(Date.now() / 86_400_000) - ago).reverse()"
    page.evaluate(f"localStorage.setItem('bsp-sat results', JSON.stringify({{ best: {{}}, days: {days} }}))")
    page.reload()
    page.get_by_text("Next level").wait_for()
    yield "after today's level"
    page.route("**/more.js", lambda route: route.abort())
    press(page, "Make levels")
    page.get_by_role("button", name="Try again").wait_for()
    yield "no answer"


def of_levels(page: Any) -> Iterator[str]:
    begin(page)
    chip(page, "13 left")
    pour(page, *LOSING)
    page.get_by_role("button", name="Take back 1").wait_for()
    yield "lost"
    more(page, "Start again")
    pour(page, *BAD_START)
    hinted(page)
    yield "hint"
    page.get_by_role("button", name="More").click()
    yield "more"
    close(page)
    more(page, "Your games")
    yield "games"
    close(page)
    page.get_by_title("Choose a level").click()
    page.locator(".step").first.wait_for()
    page.get_by_role("button", name="Ball sort", exact=True).hover()
    yield "levels"
    page.get_by_role("button", name="Forget what I solved").click()
    yield "forget"
    close(page)
    win(page, *BAD_START)
    yield "solved"
    press(page, "Analyse")
    page.locator(".move-list button:has(b)").first.click()
    yield "analysis"


def of_play(page: Any) -> Iterator[str]:
    left(page, 38)
    tube(page, 2).click()
    yield "chosen"
    page.keyboard.press("h")
    page.locator("#notice", has_text="choose a tube").wait_for()
    yield "hints"
    draw(page, "The board in play")
    page.locator(".cell-slot").first.click()
    yield "draw"
    of_drawing(page, "Rules and names")
    yield "rules"
    close(page)
    back(page)
    page.keyboard.press("b")
    page.locator(".boards li").first.wait_for()
    yield "boards"
    close(page)
    share(page)
    yield "share"
    close(page)
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    yield "keys"
    close(page)
    enter(page, "capacity 2\nab|ba")
    says(page, "lost", "None")
    yield "no solution"
    enter(page, "ab|ba|-")
    page.keyboard.type("132123")
    says(page, "goal", "Solved")
    yield "goal"


def of_kinds(page: Any) -> Iterator[str]:
    left(page, 38)
    enter(page, json.dumps(HIDDEN))
    page.get_by_text("Shows something new").wait_for()
    yield "hidden"
    advised(page)
    page.get_by_role("group", name="What came up").wait_for()
    yield "asked"
    enter(page, json.dumps(LOCKED))
    page.get_by_label("Tube 4 has opened").wait_for()
    yield "locked"
    page.get_by_label("Tube 4 has opened").check()
    press(page, "Next")
    left(page, 3)
    enter(page, json.dumps({**SMALL, "capacity": 3, "tubes": [[None, *"aa"], [None, *"bb"], []]}))
    press(page, "It is solved")
    page.get_by_text("0 moves in 1 attempt.").wait_for()
    enter(page, json.dumps(TILES))
    left(page, 2)
    yield "tiles"
    enter(page, "## #\n")
    page.locator(".shot[data-source]").first.click()
    yield "shot"
    rules = {"tubes": [*SMALL["tubes"], []], "locked": [{"tube": 2, "until": {"tubes": 1}}], "no_out": [1]}
    enter(page, json.dumps({**SMALL, **rules, "cork": True}))
    page.locator("#board .badge").first.wait_for()
    yield "rules of tubes"


def of_pictures(page: Any) -> Iterator[str]:
    page.get_by_role("button", name="Learn").wait_for()
    give(page, odd_picture(), "drop")
    page.get_by_role("group", name=f"{DOUBTFUL}: which colour?").wait_for()
    assert page.locator(".mark[data-doubtful]").get_attribute("aria-label") == f"{DOUBTFUL}: orange, doubtful"
    yield "doubtful"
    page.locator(".cell-sheet").get_by_role("button", name="orange", exact=True).click()
    expect(page.locator(".mark[data-doubtful]")).to_have_count(0)
    yield "sure"
    press(page, "Show me the moves")
    expect(page.locator(".follow [role=status]")).to_contain_text("left, proved")
    page.get_by_role("button", name="Done, next").click()
    page.locator(".follow .dot").wait_for()
    yield "followed"
    press(page, "Mine looks different")
    yield "different"
    press(page, "Correct the board")
    page.locator(".cell-slot").first.wait_for()
    yield "corrected"


def of_rows(page: Any) -> Iterator[str]:
    page.get_by_role("button", name="Learn").wait_for()
    give(page, UNSEEN, "drop")
    page.get_by_text("The board wasn't found.").first.wait_for()
    yield "not found"
    press(page, "Show where the tubes are")
    yield "no row"
    for number in range(2):
        if number:
            press(page, "Another row")
        for _ in range(2):
            page.locator(".surface").focus()
            page.keyboard.press("Enter")
    yield "rows"
    give(page, MISREAD, "drop")
    page.get_by_text("5 tubes").first.wait_for()
    yield "misread"


def of_lessons(page: Any) -> Iterator[str]:
    learn(page, "why")
    buttons = {"Why": None, "Bounds": "Prove it", "SAT": "Ask the solver", "Formula": "Show the formula"}
    for lesson, button in buttons.items():
        page.get_by_role("tab", name=lesson).click()
        panel = page.get_by_role("tabpanel")
        if button:
            panel.get_by_role("button", name=button).click()
        expect(panel.get_by_role("button", name="Stop")).to_have_count(0)
        expect(status(page)).not_to_have_text("")
        yield lesson


def of_making(page: Any) -> Iterator[str]:
    shot = {"name": "balls", "puzzle": "shot", "balls": [[3, 4], [3, 6]]}
    tiles = {**TILES, "name": "a very long name " * 3}
    press(page, "Make levels")
    page.locator(".preview .one-tube").first.wait_for()
    yield "made"
    boards = "".join(json.dumps(board) + "\n" for board in (SMALL, shot, tiles, HIDDEN))
    give(page, {"name": "pack.jsonl", "mimeType": "", "buffer": boards.encode()}, "drop")
    expect(page.locator(".levels li")).to_have_count(4)
    yield "kept"


STATES: dict[str, tuple[Callable[[Any], Iterator[str]], str | None]] = {
    "levels": (of_levels, None),
    "home": (of_home, None),
    "play": (of_play, "level-80"),
    "kinds": (of_kinds, "level-80"),
    "pictures": (of_pictures, None),
    "rows": (of_rows, None),
    "lessons": (of_lessons, None),
    "making": (of_making, None),
}
"""Each goes from state to state, and begins with a board if one is named."""


def faults(page: Any, size: tuple[int, int]) -> list[Any]:
    """What is wrong with the page as it is now."""
    width, height, screen, top = page.evaluate(EXTENT)
    is_well = width <= size[0] and (screen not in FILL or height <= size[1]) and top >= 0
    return violations(page) + page.evaluate(CUT) + ([] if is_well else [(width, height, top)])


@pytest.mark.parametrize("size", [SIZES[0], *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:])])
@pytest.mark.parametrize(
    "name", ["levels", *(pytest.param(name, marks=pytest.mark.slow) for name in STATES if name != "levels")]
)
def test_nothing_is_wrong_in_any_state(site: Site, name: str, size: tuple[int, int]) -> None:
    states, board = STATES[name]
    window = {"viewport": {"width": size[0], "height": size[1]}, "reduced_motion": "reduce"}
    touched = dict.fromkeys(("has_touch", "is_mobile"), size[0] < 900)
    found = {}
    with site.visit(board, **window, **touched) as page:
        if size == LARGE:
            page.add_init_script(TWICE)
            page.reload()
        for state in states(page):
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                if wrong := faults(page, size):
                    found[state, scheme] = wrong
        if name == "home":
            site.complaints.clear()  # the browser says that a file is missing
    assert found == {}
