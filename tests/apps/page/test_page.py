"""The page in a real browser. Few tests, each a story, so that few processes start."""

import itertools
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest

from tests.support.browser import (
    PHONE,
    SMALL,
    Site,
    back,
    choose_file,
    enter,
    give,
    heard,
    left,
    made,
    more,
    packed,
    play,
    reload,
    says,
    tube,
)
from tests.support.helpers import wait_until
from tests.support.optional import needed
from tests.support.server import HARD

expect = needed("playwright.sync_api", "browser").expect

CORKED = SMALL | {"cork": True}
"""One that Python answers for."""

HIDDEN = {"name": "hidden", "puzzle": "water-sort", "capacity": 2, "tubes": [[None, "b"], [None, "a"], []]}
HIDDEN["colours"] = {"a": 2, "b": 2}
LOCKED = SMALL | {"tubes": [[None, "r"], [None, "b"], [None, "b"], []], "colours": {"g": 2, "r": 2, "b": 2}}
LOCKED["locked"] = [{"tube": 3, "until": "r"}]
TILES = {"name": "few tiles", "puzzle": "tiles", "columns": [["red", "blue"], ["red", "red"]]}


def share(page: Any) -> Any:
    """Opens the dialog, and gives back the field with the link."""
    more(page, "Share")
    link = page.get_by_label("Link")
    link.wait_for()
    return link


def test_a_board_is_entered_in_each_way(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("ab|ba|-\n")
    with site.visit("level-80") as page:
        left(page, 38)
        enter(page, "caac|bbac|bbac|-")
        left(page, 12)
        enter(page, "tubes = [['a', 'b'], ['b', 'a'], []]")
        read = "Read as ball sort: 3 tubes of 2, 1 empty, each from bottom to top."
        expect(page.locator("#notice")).to_contain_text(read)
        left(page, 3)
        enter(page, f"{json.dumps(SMALL)}\n" * 2)
        several = "The first of 2 boards was opened. “Make levels” opens all boards of a file."
        expect(page.locator("#notice")).to_have_text(several)
        enter(page, json.dumps(SMALL | {"goaals": "monochrome"}))
        expect(page.locator("#notice")).to_have_text("Unknown key goaals; did you mean goal?")
        enter(page, '{"tubes": ["ab", "ba", ""]}')
        left(page, 3)
        page.keyboard.press("b")
        choose_file(page, "Choose a file", file)
        expect(page.get_by_label("Board as text or JSON")).to_have_value(file.read_text())
        play(page)
        left(page, 3)
        page.keyboard.press("b")
        page.get_by_role("button", name="tiles-2022-11-16").click()
        left(page, 8)
        page.keyboard.press("b")
        page.get_by_label("Board as text or JSON").fill(json.dumps(SMALL | {"tubes": [["a", "a", "a"]]}))
        page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
        page.get_by_text("tubes[0]: expected at most 2 balls (the capacity), found 3").wait_for()


def draw(page: Any, what: str) -> None:
    """Goes from the board in play to the screen for entering one, and does something from its menu."""
    more(page, "Another board")
    page.get_by_role("button", name="Draw").click()
    page.locator(".cell-slot").first.wait_for()
    of_drawing(page, what)


def of_drawing(page: Any, what: str) -> None:
    """Does something from the menu of the screen for entering a board."""
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=what).click()


@pytest.mark.slow
def test_rules_and_names_of_a_board_that_is_drawn(site: Site) -> None:
    """Each of them changes the board that is played, and is shown again where that board is drawn."""
    with site.visit(SMALL) as page:
        draw(page, "The board in play")
        page.get_by_role("button", name="Tube 2, cell 1 from the bottom: b").click()
        page.get_by_role("button", name="Cover or show").click()
        of_drawing(page, "Rules and names")
        sheet = page.get_by_role("dialog", name="Rules and names")
        sheet.get_by_label("Goal").select_option("no tube mixes colours")
        sheet.get_by_label("What shows").select_option("the run that comes up")
        sheet.get_by_label("corks on complete tubes").check()
        sheet.get_by_label("Cells").fill("3")
        sheet.get_by_label("Locked until").select_option("a is complete")
        sheet.get_by_label("gives").uncheck()
        sheet.get_by_role("group", name="Only for").get_by_label("b", exact=True).check()
        sheet.get_by_label("Name of a").fill("<i>")
        sheet.get_by_label("Name of b").focus()
        page.keyboard.press("Escape")
        expected = SMALL | {
            "goal": "monochrome",
            "reveal": "run",
            "cork": True,
            "capacities": [2, 3, 2],
            "tubes": [["<i>", "b"], ["b", "<i>"], []],
            "hidden": [[False, False], [True, False], []],
            "locked": [{"tube": 1, "until": {"colour": "<i>"}}],
            "no_out": [1],
            "accepts": {"1": ["b"]},
        }
        drawn = """async (board) => {
          const { boardOf, entryOf } = await (await import("./page/main.js")).$load("enter/entry.js");
          return boardOf(entryOf(board, ["<i>", "b"].map((colour) => ({ colour, fill: "#000000" })))); }"""
        assert page.evaluate(drawn, expected) == expected
        page.get_by_role("button", name="Cover or show").click()
        with page.expect_request(lambda asked: asked.post_data and asked.post_data_json.get("board") == expected):
            page.get_by_role("button", name="Cover or show").click()


def test_a_game_is_played_by_mouse(site: Site) -> None:
    with site.visit(SMALL) as page:
        left(page, 3)
        tube(page, 1).click()
        expect(page.locator("#board .tube[data-target]")).to_have_count(1)
        assert sorted(page.locator("#board .cell .sign").all_text_contents()) == ["a", "a", "b", "b"]
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


def least_target(page: Any) -> float:
    """The least width or height of what can be touched, in pixels."""
    targets = page.locator("button:visible, select:visible, input:not([type=checkbox]):visible")
    boxes = targets.evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
    return float(min(box[side] for box in boxes if box["width"] for side in ("width", "height")))


def test_what_tubes_may_is_read_on_a_small_screen(site: Site) -> None:
    tubes = [[*"rbrb"], [*"brbr"], [*"gpgp"], [*"pgpg"], [], [], [], []]
    rules = {"locked": [{"tube": 4, "until": {"tubes": 1}}], "accepts": {"5": ["r", "g"]}, "no_out": [6]}
    with site.visit(SMALL | {"capacity": 4, "tubes": tubes, **rules}, viewport={"width": 360, "height": 568}) as page:
        badges = page.locator("#board .badge")
        expect(badges).to_have_text(["locked", re.compile("^only . .$"), "in only"])
        assert badges.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")
        boxes = [badge.bounding_box() for badge in badges.all()]
        assert boxes[0]["height"] < 24  # one line
        assert all(left["x"] + left["width"] < right["x"] for left, right in itertools.pairwise(boxes))


def test_a_game_is_played_by_touch_on_a_small_screen(site: Site) -> None:
    with site.visit("level-80", **PHONE | {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}) as page:
        left(page, 38)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert least_target(page) >= 44
        draw(page, "The board in play")
        page.get_by_role("button", name="purple, complete").wait_for()
        assert least_target(page) >= 32  # of a cell
        back(page)
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        enter(page, json.dumps(SMALL))
        for number in (1, 3, 2, 1, 2, 3):
            tube(page, number).tap()
        says(page, "goal", "Solved")
        page.emulate_media(color_scheme="light")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_a_game_is_played_by_keys_alone_and_announced_in_words(site: Site) -> None:
    with site.visit(SMALL) as page:
        tube(page, 1).focus()
        page.keyboard.press("Enter")
        heard(page, "Tube 1 chosen. It can go to 3.")
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        made(page, 1)
        heard(page, "2 moves left, proved.")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Space")
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        made(page, 2)
        page.keyboard.press("u")
        heard(page, "Back to move 1.")
        page.keyboard.press("y")
        made(page, 2)
        page.keyboard.type("23")
        heard(page, "Solved in 3 moves.")
        page.keyboard.press("r")
        made(page, 0)
        page.keyboard.press("3")
        expect(page.locator("#notice")).to_have_text("Nothing can move from tube 3 now.")
        page.keyboard.press("?")
        page.get_by_label("Letters and digits on the keyboard play").uncheck()
        page.keyboard.press("Escape")
        page.keyboard.type("13")
        tube(page, 2).focus()
        page.keyboard.press("Enter")
        heard(page, "Tube 2 chosen.")  # and not tube 1 moved before
        made(page, 0)


def test_tiles_and_shot_are_played_by_mouse(site: Site) -> None:
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
    with site.visit("level-80") as page:
        enter(page, "caac|bbac|bbac|-")
        left(page, 12)
        for count, move in enumerate(("14", "24", "21"), start=1):
            page.keyboard.type(move)
            made(page, count)
        says(page, "lost", "Lost", "take back 1 move")
        page.keyboard.type("34")
        says(page, "lost", "Lost", "take back 2 moves")
        reload(page)  # nothing is known of the moves before, and the last one that wasn't lost has to be found
        page.get_by_role("button", name="Take back 2").click()
        left(page, 10)


def test_the_analysis_begins_with_the_board_and_fits_small_screens_and_paper(site: Site) -> None:
    with site.visit("level-80", viewport={"width": 320, "height": 568}) as page:
        left(page, 38)
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        board, proof = (page.locator(what).bounding_box() for what in ("#board", "#proof"))
        assert board["y"] < 60
        summary = page.locator("#summary")
        expect(summary).to_have_text("ball-sort, 9 colours, 11 tubes of 4")
        assert summary.evaluate("each => each.scrollWidth <= each.clientWidth")  # and isn't cut off
        assert board["y"] + board["height"] <= proof["y"]
        page.set_viewport_size({"width": 844, "height": 390})  # on its side there is room for both
        wait_until(lambda: page.locator("#board").bounding_box()["width"] >= 300)
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(page.locator(".move-list li:visible")).to_have_count(38)
        expect(page.locator("#proof .figure")).to_be_visible()
        expect(page.locator("button:visible:not(.tube, .level-name, .move-list button)")).to_have_count(0)


def test_a_board_that_never_had_a_plan_is_not_called_lost(site: Site) -> None:
    with site.visit(None) as page:
        page.evaluate(
            """window.said = new Set(); new MutationObserver(() => {
                 const figure = document.querySelector(".proof .figure");
                 if (figure) window.said.add(figure.textContent);
               }).observe(document, { subtree: true, childList: true, characterData: true });"""
        )
        page.evaluate("(packed) => (location.hash = packed)", packed({**SMALL, "tubes": [["a", "b"], ["b", "a"]]}))
        says(page, "lost", "None", "no solution, proved")
        tubes = [list("bcc"), list("baa"), list("bca"), []]
        page.evaluate("(packed) => (location.hash = packed)", packed({**SMALL, "capacity": 3, "tubes": tubes}))
        expect(page.locator("#board .tube")).to_have_count(4)
        says(page, "lost", "None")
        page.keyboard.type("14")
        made(page, 1)
        says(page, "lost", "None")
        assert "Lost" not in page.evaluate("[...window.said]")


def test_a_hint_says_what_moves_cost_and_the_plan_is_stepped_through(site: Site) -> None:
    """Without the server, since the board is a plain one."""
    asked: list[str] = []
    with site.visit("level-80") as page:
        page.on("request", lambda request: asked.append(urlsplit(request.url).path))
        left(page, 38)
        page.keyboard.press("h")
        expect(page.locator("#notice")).to_have_text(re.compile(r"^Move .* 8 cost nothing.* choose a tube"))
        marked = page.locator(".tube[data-hint][data-source]").first
        marked.click()
        expect(page.locator('.tube[data-cost="+0"]')).not_to_have_count(0)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Solve").click()
        slider = page.get_by_role("slider", name="Moves made")
        expect(slider).to_have_attribute("max", "38")
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
        expect(slider).not_to_have_value("0")
        page.get_by_role("button", name="Pause").click()  # there are many seconds for that
        page.get_by_role("button", name="Play", exact=True).wait_for()
        assert not [path for path in asked if path.startswith("/api/")]


def test_a_search_is_watched_and_ended(site: Site) -> None:
    with site.visit(HARD) as page:
        page.get_by_role("button", name="Solve", exact=True).click()
        page.locator(".proof").get_by_role("button", name="Stop").click()
        expect(page.locator('.proof[data-kind="open"]')).to_contain_text("stopped")
        enter(page, json.dumps(SMALL))
        left(page, 3)  # the server has but one place for searches: it is free again
        enter(page, json.dumps(HARD))
        page.locator('.proof[data-kind="searching"]').get_by_role("button", name="Stop").wait_for()
        enter(page, json.dumps(SMALL))
        left(page, 3)  # the search wasn't stopped, but the board has gone


def test_a_link_and_the_browser_keep_the_game(site: Site) -> None:
    with site.visit(SMALL) as page:
        page.keyboard.type("13")
        made(page, 1)
        link = share(page)
        expect(link).to_have_value(re.compile("#1[.]"))
        address = link.input_value()
        page.keyboard.press("Escape")
        with site.visit(urlsplit(address).fragment) as other:
            made(other, 1)
            assert other.locator("#name").inner_text() == "small"
        reload(page)
        made(page, 1)
        page.goto("about:blank")
        page.goto(site.address)
        page.get_by_role("button", name="Continue small").click()
        made(page, 1)
        back(page)
        page.get_by_role("button", name="Enter by hand").wait_for()
        page.go_forward()
        made(page, 1)
    for nothing, why in ("1.nonsense", "damaged"), ("1.!", "damaged"), ("no%-such-board", "no shipped board"):
        with site.visit(nothing) as page:
            expect(page.get_by_role("alert")).to_contain_text(re.compile(f"The link holds no game: .*{why}"))
            page.get_by_role("button", name="Solve a screenshot").wait_for()
            site.complaints.clear()  # the browser says so too


def advised(page: Any) -> None:
    """Makes the move that a hint shows."""
    expect(page.locator(".proof .figure")).to_contain_text("≈")
    page.keyboard.press("h")
    for where in ("[data-source]", "[data-target]"):
        page.locator(f".tube[data-hint]{where}").click()


def test_hidden_cells_are_asked_for(site: Site) -> None:
    with site.visit(HIDDEN) as page:
        expect(page.locator(".proof")).to_contain_text("Shows something new in 1 move, then about ")
        advised(page)
        question = page.get_by_role("group", name="What came up in tube 1?")
        question.get_by_role("button", name="a", exact=True).click()
        left(page, 2)


def test_plans_and_results_are_saved_and_opened_as_files(site: Site) -> None:
    with site.visit("level-80") as page:
        left(page, 38)
        give(page, {"name": "board.txt", "mimeType": "text/plain", "buffer": b"ab|ba|-"}, "drop")
        expect(page.get_by_label("Board as text or JSON")).to_have_value("ab|ba|-")
        play(page)
        left(page, 3)
        with page.expect_download() as proof:
            page.get_by_role("button", name="Proof as files").click()
        with ZipFile(proof.value.path()) as archive:
            assert any(name.endswith("plan.json") for name in archive.namelist()), archive.namelist()
        share(page)
        page.get_by_role("dialog").get_by_text("More", exact=True).click()
        expect(page.get_by_label("Board", exact=True)).to_have_value("ab\nba\n-\n")
        with page.expect_download() as board:
            page.get_by_role("button", name="Download").last.click()
        assert Path(board.value.path()).read_text().split() == ["ab", "ba", "-"]


@pytest.mark.slow
def test_a_search_goes_on_when_the_browser_has_ended_its_worker(site: Site) -> None:
    """The server answers; and the next worker again, without it."""
    with site.visit("level-80") as page:
        left(page, 38)
        (worker,) = page.workers
        worker.evaluate("setTimeout(close)")
        with page.expect_request("**/api/solve"):
            page.keyboard.type("10")  # a move too many, so that no plan is known
        left(page, 38)
        page.route("**/api/**", lambda route: route.abort())
        page.keyboard.type("31")  # another one
        left(page, 38)


def test_without_the_compiled_search_for_browsers_the_server_answers(site: Site) -> None:
    with site.visit(None) as page:
        page.context.route("**/search.wasm", lambda route: route.abort())
        page.goto(f"{site.address}?#{packed(SMALL)}")
        with page.expect_request("**/api/hint"):
            left(page, 3)
            page.keyboard.press("h")
        expect(page.locator("#notice")).to_contain_text(re.compile(r"cost nothing"))
        site.complaints.clear()  # the browser says that the file is missing


def test_names_are_text_and_no_markup(site: Site) -> None:
    hostile = '<img src=x onerror="document.title=1"><b>'
    tubes = [[hostile, "</svg>"], ["</svg>", hostile], []]
    with site.visit(SMALL | {"name": hostile, "tubes": tubes}) as page:
        left(page, 3)
        assert page.locator("#name").inner_text() == hostile
        assert hostile in tube(page, 1).get_attribute("aria-label")
        page.keyboard.type("13")
        made(page, 1)
        page.keyboard.press("h")
        assert page.title() == f"{hostile} · bsp-sat"
        draw(page, "The board in play")
        page.get_by_role("button", name=f"{hostile}, complete").wait_for()
        assert page.locator("img:not(header img), main:not(.home) b:not(.stepper b)").count() == 0


@pytest.mark.slow
def test_dialogs_that_could_not_be_loaded_are_loaded_later(site: Site) -> None:
    with site.visit(SMALL) as page:
        page.route("**/more.js", lambda route: route.abort())
        page.get_by_role("button", name="More", exact=True).click()
        expect(page.locator("#notice")).to_contain_text("The server doesn't answer.")
        page.unroute("**/more.js")
        with page.expect_navigation():  # browsers may keep a module's failure as long as the page lives
            page.get_by_role("button", name="More", exact=True).click()
        left(page, 3)
        share(page)
        site.complaints.clear()  # the browser says so too


def test_a_server_that_is_gone_is_named_and_a_failed_hint_leaves_the_proof_alone(site: Site) -> None:
    with site.visit(CORKED) as page:
        left(page, 3)
        page.route("**/api/position", lambda route: route.abort())
        page.keyboard.type("13")
        expect(page.locator("#notice")).to_contain_text("The server doesn't answer.")
        page.unroute("**/api/position")
        solves: list[Any] = []
        hints: list[Any] = []
        page.route("**/api/solve", lambda route: solves.append(route))
        page.route("**/api/hint", lambda route: hints.append(route))
        with page.expect_request("**/api/hint"):
            page.keyboard.type("13")
            made(page, 1)
            reload(page)  # after which nothing is known
            made(page, 1)
            page.keyboard.press("h")
        assert solves
        page.unroute("**/api/solve")
        for solve in solves:
            solve.continue_()
        left(page, 2)
        hints[0].abort()
        page.locator("#notice", has_text="The server doesn't answer").wait_for()
        left(page, 2)
        site.complaints.clear()  # the browser says so too


@pytest.mark.slow
def test_boards_that_the_page_has_no_view_of_are_refused_in_words(site: Site) -> None:
    with site.visit(SMALL) as page:

        def other(route: Any) -> None:
            response = route.fetch()
            route.fulfill(response=response, json={**response.json(), "puzzle": "knots"})

        page.route("**/api/position", other)
        enter(page, "cork on\nab|ba|-")
        page.get_by_text("This page can't show knots boards.").wait_for()


@pytest.mark.slow
def test_many_pages_are_answered_at_once(site: Site) -> None:
    context = site.browser.new_context()
    pages = [context.new_page() for _ in range(50)]
    for page in pages:
        site.listen(page)
        page.goto(f"{site.address}#{packed(CORKED)}", wait_until="commit")
    for page in pages:
        left(page, 3)
    context.close()
    site.well()


def doubtful(page: Any, title: str) -> Any:
    """Enters a doubtful text, and gives back the boards that it may be."""
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    choices = page.get_by_role("group", name=title).get_by_role("button")
    expect(choices.first).to_be_focused()
    expect(choices.first.locator("svg")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    return choices


def test_a_doubtful_board_is_drawn_on_a_phone_and_one_tap_or_key_opens_it(site: Site) -> None:
    text = "Green x x x\nRed x x x\nRed Red x x\nGreen Red Green Green\n"
    with site.visit("level-80", **PHONE) as page:
        more(page, "Another board")
        field = page.get_by_label("Board as text or JSON")
        field.fill('{"tubes": [["a", "b"], ["b", "a"], []], "bombs": [1]}')
        doubtful(page, "Is it this board?")
        page.keyboard.press("Enter")
        page.locator("dialog[open]").wait_for(state="detached")
        expect(page.locator("#notice")).to_contain_text("Read as ball sort: 3 tubes of 2")
        give(page, {"name": "level.txt", "mimeType": "text/plain", "buffer": text.encode()}, "drop")
        expect(field).to_have_value(text)
        choices = doubtful(page, "Which board is it?")
        expect(choices).to_have_count(2)
        choices.nth(1).tap()
        page.locator("dialog[open]").wait_for(state="detached")
        expect(page.locator("#notice")).to_contain_text("Read as ball sort: 4 tubes of 4")


def test_balls_leave_at_the_bottom_where_the_board_says_so(site: Site) -> None:
    """And one tube takes any ball."""
    with site.visit(SMALL | {"drain": True, "any_in": [2]}) as page:
        tubes = page.locator("#board .tube")
        expect(tubes.nth(2).locator(".badge")).to_have_text("any")
        expect(page.get_by_text("Rules: tube 3: takes any.")).to_be_visible()
        expect(page.locator("#summary")).to_contain_text("balls leave at the bottom, balls go anywhere in 1 tube")
        tubes.nth(0).click()
        expect(tubes.nth(0).locator(".cell.lifted")).to_have_count(2)  # all, as the others slide down
        tubes.nth(2).click()
        expect(tubes.nth(0).locator(".cell")).to_have_count(1)
        expect(tubes.nth(0)).to_have_attribute("aria-label", re.compile("b"))
