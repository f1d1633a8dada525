"""The page in a real browser: Chromium, driven by Playwright. Few tests, each a story, so that few processes start."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.serving import HARD, serving

playwright = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed")
axe_of = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python isn't installed")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this system")

PATIENCE = 60_000  # milliseconds, for a loaded machine
SWITCHES = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-gpu"]
SMALL = {"name": "small", "puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
HIDDEN = {
    "name": "hidden",
    "puzzle": "water-sort",
    "capacity": 2,
    "tubes": [[None, "b"], [None, "a"], []],
    "colours": {"a": 2, "b": 2},
}
TILES = {"name": "few tiles", "puzzle": "tiles", "columns": [["red", "blue"], ["red", "red"]]}


class Site:
    """A server, a browser, and what the pages asked for and complained of."""

    def __init__(self, address: str, browser: Any) -> None:
        self.address, self.browser = address, browser
        self.asked: set[str] = set()
        self.complaints: list[str] = []

    @contextmanager
    def visit(self, board: dict[str, Any] | str | None = None, **context: Any) -> Iterator[Any]:
        """A page of a visitor who hasn't been here before; with a board in play."""
        visitor = self.browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **context})
        try:
            page = visitor.new_page()
            self.listen(page)
            page.goto(f"{self.address}#{board}" if isinstance(board, str) else self.address)
            if isinstance(board, dict):
                enter(page, json.dumps(board))
            yield page
        finally:
            visitor.close()

    def listen(self, page: Any) -> None:
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: self.asked.add(urlsplit(request.url).netloc))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        # A refused board is a refused request, which browsers report too; all else is a fault of the page.
        page.on("console", lambda said: said.type in ("error", "warning") and self.hear(said.text))

    def hear(self, text: str) -> None:
        if "the server responded with a status of 400" not in text:
            self.complaints.append(text)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    playwright.expect.set_options(timeout=PATIENCE)
    with serving() as (_, address), playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        site = Site(address, browser)
        yield site
        browser.close()


@pytest.fixture(autouse=True)
def all_is_well(site: Site) -> Iterator[None]:
    """No request has left the server, no script has failed, and nothing broke the content security policy."""
    yield
    assert site.asked == {urlsplit(site.address).netloc}
    complaints, site.complaints = site.complaints, []
    assert complaints == []


def enter(page: Any, text: str) -> None:
    """Types a board and plays it."""
    page.get_by_role("button", name="Boards", exact=True).click()
    page.get_by_role("tab", name="Text or file").click()
    page.get_by_label("Board as text or JSON").fill(text)
    play(page)


def play(page: Any) -> None:
    """Plays what has been entered."""
    page.get_by_role("tabpanel").get_by_role("button", name="Play", exact=True).click()
    page.locator("dialog[open]").wait_for(state="detached")


def left(page: Any, moves: int) -> None:
    """Waits until so many moves are left, proved."""
    says(page, "optimal", str(moves), "left, proved")


def says(page: Any, kind: str, figure: str, words: str = "") -> None:
    """Waits until the proof is of a kind and says something."""
    proof = page.locator(f'.proof[data-kind="{kind}"]')
    playwright.expect(proof.locator(".figure")).to_have_text(figure)
    playwright.expect(proof).to_contain_text(words)


def tube(page: Any, number: int) -> Any:
    return page.locator(f'.tube[data-place="{number - 1}"]')


def made(page: Any, count: int) -> None:
    """Waits until so many moves are made."""
    playwright.expect(page.get_by_role("slider", name="Moves made")).to_have_value(str(count))


def test_a_board_is_entered_in_each_way(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("ab|ba|-\n")
    with site.visit() as page:
        left(page, 38)  # a first visitor finds a board
        enter(page, "caac|bbac|bbac|-")
        left(page, 12)
        page.keyboard.press("b")
        page.get_by_label("A file with a board").set_input_files(file)
        playwright.expect(page.get_by_label("Board as text or JSON")).to_have_value(file.read_text())
        play(page)
        left(page, 3)
        page.keyboard.press("b")
        page.get_by_role("tab", name="Boards").click()
        page.get_by_role("button", name="tiles-2022-11-16").click()
        left(page, 8)
        page.keyboard.press("b")
        page.get_by_role("tab", name="Random").click()
        page.get_by_role("spinbutton", name="Colours").fill("4")
        page.get_by_role("button", name="Make one").click()
        playwright.expect(page.locator(".tube")).to_have_count(6)
        page.keyboard.press("b")
        page.get_by_role("tab", name="Text or file").click()
        page.get_by_label("Board as text or JSON").fill(
            '{"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "a", "a"]]}'
        )
        page.get_by_role("tabpanel").get_by_role("button", name="Play", exact=True).click()
        page.get_by_text("tubes[0]: expected at most 2 balls (the capacity), found 3").wait_for()


def test_a_board_is_drawn_by_clicks(site: Site) -> None:
    with site.visit(SMALL) as page:
        page.keyboard.press("b")
        page.get_by_role("tab", name="Draw").click()
        page.get_by_label("Balls a tube").fill("2")
        page.get_by_label("Balls a tube").blur()
        for _ in range(3):
            page.get_by_role("button", name="Rules of tube 1").click()
            page.get_by_role("button", name="Remove this tube").click()
        for colour, place, cell in (("red", 1, 1), ("blue", 1, 2), ("blue", 2, 1)):
            page.get_by_role("button", name=f"{colour}, ").click()
            page.get_by_role("button", name=f"Tube {place}, cell {cell} ").click()
        page.get_by_role("button", name="red, 1 left").click()
        page.get_by_role("button", name="Tube 2, cell 2 ").click()
        page.get_by_role("button", name="red, ✓").wait_for()
        page.get_by_text("it can be played").wait_for()
        play(page)
        left(page, 3)
        assert "blue, red" in tube(page, 1).get_attribute("aria-label")


def test_a_game_is_played_by_mouse(site: Site) -> None:
    with site.visit(SMALL) as page:
        left(page, 3)
        tube(page, 1).click()
        assert page.locator(".tube[data-target]").count() == 1
        tube(page, 3).click()
        made(page, 1)
        left(page, 2)
        tube(page, 2).drag_to(tube(page, 1))
        made(page, 2)
        page.get_by_role("button", name="Undo").click()
        made(page, 1)
        page.get_by_role("button", name="Redo").click()
        made(page, 2)
        tube(page, 2).click()
        tube(page, 3).click()
        says(page, "goal", "Solved", "The fewest there are: proved.")
        page.get_by_role("button", name="Restart").click()
        made(page, 0)


def test_a_game_is_played_by_touch_on_a_small_screen(site: Site) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
    with site.visit("level-80", **phone) as page:
        left(page, 38)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        sizes = page.evaluate(
            "[...document.querySelectorAll('button, input')].map(each => each.getBoundingClientRect())"
            ".filter(box => box.width).map(box => Math.min(box.width, box.height))"
        )
        assert min(sizes) >= 44
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        enter(page, json.dumps(SMALL))
        for number in (1, 3, 2, 1, 2, 3):
            tube(page, number).tap()
        says(page, "goal", "Solved")
        page.emulate_media(color_scheme="light")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_a_game_is_played_by_keys_alone_and_told_in_words(site: Site) -> None:
    with site.visit(SMALL) as page:
        told = page.locator("#live")
        tube(page, 1).focus()
        page.keyboard.press("Enter")
        playwright.expect(told).to_contain_text("Tube 1 chosen. It can go to 3.")
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        made(page, 1)
        playwright.expect(told).to_contain_text("2 moves left, proved.")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Space")
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        made(page, 2)
        page.keyboard.press("u")
        playwright.expect(told).to_contain_text("Back to move 1.")
        page.keyboard.press("y")
        made(page, 2)
        page.keyboard.press("2")
        page.keyboard.press("3")
        playwright.expect(told).to_contain_text("Solved in 3 moves.")
        page.keyboard.press("r")
        made(page, 0)
        page.keyboard.press("3")
        playwright.expect(page.locator("#notice")).to_have_text("Nothing can move from tube 3 now.")


def test_tiles_and_shot_are_played(site: Site) -> None:
    with site.visit(TILES) as page:
        left(page, 2)
        page.get_by_role("button", name="Column 2, ").click()
        page.keyboard.press("1")
        says(page, "goal", "Solved")
    with site.visit("shot-literate") as page:
        left(page, 4)
        page.get_by_role("button", name="Solve", exact=True).click()
        page.locator(".timeline input[max='4']").wait_for()
        page.locator(".shot[data-source]").first.focus()
        page.keyboard.press("Enter")
        way = page.locator(".way").first
        way.wait_for()
        page.keyboard.press(f"Arrow{way.get_attribute('data-way').title()}")
        made(page, 1)


def test_a_lost_game_says_how_far_to_go_back(site: Site) -> None:
    with site.visit() as page:
        enter(page, "caac|bbac|bbac|-")
        left(page, 12)
        for count, move in enumerate(("14", "24", "21"), start=1):
            page.keyboard.type(move)
            made(page, count)
        says(page, "lost", "Lost", "take back 1 move")
        page.keyboard.type("34")
        says(page, "lost", "Lost", "take back 2 moves")
        page.reload()  # nothing is known of the moves before, and the last one that wasn't lost has to be found
        page.get_by_role("button", name="Take back 2").click()
        left(page, 10)
        enter(page, "ab|ba")
        says(page, "lost", "None", "no solution, proved")


def test_hints_tell_more_each_time_and_the_plan_is_stepped_through(site: Site) -> None:
    with site.visit("level-80") as page:
        left(page, 38)
        said = page.locator(".hint li")
        for level, words in enumerate(("Yes, in 38 moves", "tube", "Move ", "+0"), start=1):
            page.keyboard.press("h")
            playwright.expect(said).to_have_count(level)
            playwright.expect(said.last).to_contain_text(words)
        marked = page.locator(".tube[data-hint][data-source]").first
        marked.click()
        assert "+0" in page.locator(".tube[data-cost]").evaluate_all("tubes => tubes.map(tube => tube.dataset.cost)")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="The rest").click()
        slider = page.get_by_role("slider", name="Moves made")
        playwright.expect(slider).to_have_attribute("max", "38")
        slider.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        made(page, 3)
        left(page, 35)
        page.keyboard.press("End")
        says(page, "goal", "Solved")
        page.keyboard.press("Home")
        made(page, 0)
        page.get_by_role("button", name="Play", exact=True).click()
        made(page, 1)
        page.get_by_role("button", name="Pause").click()


def test_a_search_is_watched_and_ended(site: Site) -> None:
    with site.visit(HARD) as page:
        page.get_by_role("button", name="Solve", exact=True).click()
        page.locator(".doing").get_by_role("button", name="Stop").click()
        playwright.expect(page.locator('.proof[data-kind="open"]')).to_contain_text("stopped")
        enter(page, json.dumps(SMALL))
        left(page, 3)  # the server has but one place for searches: it is free again


def test_a_link_and_the_browser_keep_the_game(site: Site) -> None:
    with site.visit(SMALL) as page:
        page.keyboard.press("1")
        page.keyboard.press("3")
        made(page, 1)
        page.get_by_role("button", name="Share").click()
        link = page.get_by_label("Link")
        playwright.expect(link).to_have_value(re.compile("#1[.]"))
        address = link.input_value()
        page.keyboard.press("Escape")
        with site.visit(urlsplit(address).fragment) as other:
            made(other, 1)
            assert other.locator("h1").inner_text() == "small"
        page.reload()
        made(page, 1)
        page.goto("about:blank")
        page.goto(site.address)
        made(page, 1)
    with site.visit("1.nonsense") as page:
        playwright.expect(page.locator("#notice")).to_contain_text("The link holds no game")


def test_hidden_cells_are_asked_for(site: Site) -> None:
    with site.visit(HIDDEN) as page:
        page.get_by_role("button", name="Make this move").click()
        question = page.get_by_role("group", name="Tube 1")
        question.get_by_role("button", name="a", exact=True).click()
        page.get_by_role("button", name="That is what shows").click()
        left(page, 2)


def test_names_are_text_and_no_markup(site: Site) -> None:
    hostile = '<img src=x onerror="document.title=1"><b>'
    board = {
        "name": hostile,
        "puzzle": "ball-sort",
        "capacity": 2,
        "tubes": [[hostile, "</svg>"], ["</svg>", hostile], []],
    }
    with site.visit(board) as page:
        left(page, 3)
        assert page.locator("h1").inner_text() == hostile
        assert hostile in tube(page, 1).get_attribute("aria-label")
        page.keyboard.press("1")
        page.keyboard.press("3")
        made(page, 1)
        page.keyboard.press("h")
        page.keyboard.press("b")
        page.get_by_role("tab", name="Draw").click()
        page.get_by_role("button", name="The board in play").click()
        page.get_by_role("button", name=f"{hostile}, ✓").wait_for()
        assert page.locator("img:not(header img), main b").count() == 0
        assert page.title() == f"{hostile} · bsp-sat"


def test_less_motion_is_no_motion(site: Site) -> None:
    for motion, moves in (("no-preference", True), ("reduce", False)):
        with site.visit(SMALL, reduced_motion=motion) as page:
            left(page, 3)
            page.evaluate(
                "() => { Element.prototype.animate = new Proxy(Element.prototype.animate, {"
                "  apply(animate, cell, given) {"
                "  window.longest = Math.max(window.longest ?? 0, given[1].duration + (given[1].delay ?? 0));"
                "  return Reflect.apply(animate, cell, given); }}) }"
            )
            page.keyboard.press("1")
            page.keyboard.press("3")
            made(page, 1)
            longest = page.evaluate("window.longest ?? 0")
            assert 0 < longest <= 300 if moves else longest == 0


STATES: dict[str, tuple[dict[str, Any] | str, Callable[[Any], object]]] = {
    "playing": ("level-80", lambda page: tube(page, 2).click()),
    "hints": ("level-80", lambda page: (left(page, 38), page.keyboard.press("h"), page.locator(".hint li").wait_for())),
    "solved": (
        SMALL,
        lambda page: (
            page.keyboard.press("s"),
            page.locator(".timeline input[max='3']").wait_for(),
            page.locator(".timeline input").press("End"),
            says(page, "goal", "Solved"),
        ),
    ),
    "tiles": (TILES, lambda page: left(page, 2)),
    "shot": ("shot-literate", lambda page: (left(page, 4), page.locator(".shot[data-source]").first.click())),
    "hidden": (
        HIDDEN,
        lambda page: (
            page.get_by_role("button", name="Make this move").click(),
            page.get_by_role("button", name="That is what shows").wait_for(),
        ),
    ),
    "boards": (
        SMALL,
        lambda page: (
            page.keyboard.press("b"),
            page.get_by_role("tab", name="Boards").click(),
            page.locator(".boards li").first.wait_for(),
        ),
    ),
    "random": (SMALL, lambda page: (page.keyboard.press("b"), page.get_by_role("tab", name="Random").click())),
    "text": (SMALL, lambda page: page.keyboard.press("b")),
    "draw": (
        SMALL,
        lambda page: (
            page.keyboard.press("b"),
            page.get_by_role("tab", name="Draw").click(),
            page.get_by_role("button", name="Rules of tube 1").click(),
        ),
    ),
    "share": (
        SMALL,
        lambda page: (page.get_by_role("button", name="Share").click(), page.get_by_label("Link").wait_for()),
    ),
    "keys": (SMALL, lambda page: page.keyboard.press("?")),
}
"""States of the page, by a board and what leads to them."""


def test_axe_finds_nothing_in_any_state(site: Site, request: pytest.FixtureRequest) -> None:
    schemes, found = ("light", "dark"), {}
    for number, (state, (board, lead)) in enumerate(STATES.items()):
        # Colours are the same in all states: each is looked at in one scheme, with --slow in both.
        for scheme in schemes if request.config.getoption("--slow") else schemes[number % 2 :][:1]:
            with site.visit(board, color_scheme=scheme, reduced_motion="reduce") as page:
                lead(page)
                results = axe_of.Axe().run(page)
                assert results.response["passes"]
                if results.violations_count:
                    found[state, scheme] = results.generate_report()
    assert found == {}


def test_many_pages_at_once(site: Site, request: pytest.FixtureRequest) -> None:
    number = 50 if request.config.getoption("--slow") else 5
    context = site.browser.new_context()
    pages = [context.new_page() for _ in range(number)]
    for page in pages:
        site.listen(page)
        page.goto(f"{site.address}#level-80", wait_until="commit")
    for page in pages:
        left(page, 38)
    context.close()
