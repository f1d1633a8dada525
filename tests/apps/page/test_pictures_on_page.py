"""Pictures on the page, in a real browser: boards from screenshots, and drawings to take along."""

import io
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from bsp_sat import solve
from bsp_sat.apps.pictures.reading import read_picture
from tests.apps.pictures.test_read import STYLE, TUBES
from tests.support.browser import (
    PHONE,
    SMALL,
    WITHOUT_TIMER,
    Site,
    back,
    choose_file,
    enter,
    give,
    left,
    more,
    reload,
)
from tests.support.drawn_screens import draw, random_shot, random_tubes
from tests.support.optional import needed

expect = needed("playwright.sync_api", "browser").expect
DOUBTFUL = "Tube 1, cell 1 from the bottom"
"""Of the picture `odd`: it had to be moved to another colour for the counts to fit; of five equal ones the first."""


def png(data: bytes) -> dict[str, Any]:
    """A picture as a file."""
    return {"name": "shot.png", "mimeType": "image/png", "buffer": data}


SHOT = png(draw(TUBES, STYLE, 4).data)


def odd_picture() -> dict[str, Any]:
    """Of a board with a ball that is of another colour."""
    tubes = [list(tube) for tube in TUBES]
    tubes[0][0] = next(colour for colour in "abc" if colour != tubes[0][0])
    return png(draw(tubes, STYLE, 4).data)


def choose(page: Any, file: dict[str, Any] | Path) -> None:
    """Chooses a screenshot on the first screen."""
    choose_file(page, "Solve a screenshot", file)


def open_picture(page: Any, file: dict[str, Any]) -> None:
    """Chooses a screenshot that is sure, and looks at what was read."""
    choose(page, file)
    page.get_by_role("button", name="Is this your board?").tap()


def says(page: Any, words: str) -> None:
    expect(page.locator(".picture-screen").get_by_role("status")).to_contain_text(words)


def complains(page: Any, words: str) -> None:
    expect(page.locator(".picture-screen").get_by_role("alert")).to_contain_text(words)


def is_content(page: Any) -> None:
    expect(page.locator(".picture-screen").get_by_role("alert")).to_have_count(0)


def cell(page: Any, tube: int, number: int) -> Any:
    return page.locator(f'.mark[aria-label^="Tube {tube}, cell {number} from"]')


def swatch(page: Any, name: str) -> Any:
    return page.locator(".cell-sheet").get_by_role("button", name=name, exact=True)


def test_from_a_screenshot_to_the_first_move_in_two_taps(page: Any) -> None:
    choose(page, SHOT)  # which are two: the button, and the picture
    expect(page.locator(".follow .sentence")).to_have_text(re.compile(r"^\d → \d, \d \w+$"))
    expect(page.locator(".follow [role=status]")).to_have_text(re.compile(r"^\d+ left, proved$"))
    rows = page.locator(".follow .one-tube").evaluate_all("tubes => tubes.map((tube) => Math.round(tube.getCTM().f))")
    assert rows[0] == rows[1] < rows[2] == rows[3] == rows[4]  # two tubes above three, as in the picture
    bodies = page.locator(".follow .cell .body")
    colours = bodies.evaluate_all("cells => cells.map((cell) => getComputedStyle(cell).fill)")
    seen = Image.open(io.BytesIO(SHOT["buffer"])).convert("RGB").getcolors(1 << 24)
    assert seen is not None
    for fill in set(colours):
        channels = [int(value) for value in re.findall(r"\d+", fill)]
        assert min(sum(abs(a - b) for a, b in zip(channels, pixel, strict=True)) for _, pixel in seen) < 20
    page.get_by_role("button", name="Is this your board?").tap()
    says(page, "5 tubes, 3 colours")
    assert page.locator(".mark:not(.room)").count() == 12
    assert page.locator(".mark.room").count() == 2
    page.get_by_role("button", name="Show me the moves").tap()
    page.get_by_role("button", name="Done, next").tap()
    expect(page.get_by_role("button", name="Mine looks different")).to_be_visible()


def test_a_picture_that_is_doubtful_at_the_small_size_is_read_whole_before_anyone_is_asked(page: Any) -> None:
    whole = Image.open(io.BytesIO(SHOT["buffer"])).resize((1728, 3072))
    large = io.BytesIO()
    whole.save(large, "PNG")
    sent: list[bytes] = []

    def doubt(route: Any) -> None:
        sent.append(route.request.post_data_buffer)
        answer = route.fetch()
        doubts = ["the rule is a guess"] if len(sent) == 1 else []
        route.fulfill(response=answer, json={**answer.json(), "doubts": doubts})

    page.route("**/api/read?*", doubt)
    choose(page, png(large.getvalue()))
    expect(page.locator(".follow [role=status]")).to_have_text(re.compile(r"^\d+ left, proved$"))
    assert [Image.open(io.BytesIO(each)).size for each in sent] == [(900, 1600), (1728, 3072)]
    assert len(sent[0]) < 350_000


def test_what_the_board_does_not_explain_is_shown_in_the_picture_until_a_person_has_looked(page: Any) -> None:
    def doubt(route: Any) -> None:
        answer = route.fetch()
        board = answer.json()
        box = [value + 20 for value in board["picture"]["tubes"][0]["box"]]
        board |= {"doubts": ["something is seen"], "picture": board["picture"] | {"unexplained": [box]}}
        route.fulfill(response=answer, json=board)

    page.route("**/api/read?*", doubt)
    choose(page, SHOT)
    expect(page.get_by_label("What is this?")).to_be_visible()
    cell(page, 1, 1).tap()
    page.get_by_role("button", name="Add a tube").tap()
    expect(page.get_by_label("What is this?")).to_have_count(0)


def test_nothing_is_proved_of_a_board_with_an_open_question(page: Any) -> None:
    choose(page, odd_picture())
    says(page, "Doubtful: 1 cell")
    page.get_by_role("button", name="Show me the moves").tap()
    said = re.compile(r"^\d+ left, if the board is right$")
    expect(page.locator(".follow [role=status]")).to_have_text(said)
    expect(page).to_have_url(re.compile("#1[.]"))
    reload(page)
    expect(page.locator(".follow [role=status]")).to_have_text(said)
    page.get_by_role("button", name="All moves").tap()
    expect(page.get_by_role("dialog")).to_contain_text("If the board is right, there is no shorter way.")


def test_reading_is_ended_and_tried_again(page: Any) -> None:
    page.clock.install()
    page.route("**/api/read?*", lambda route: None)
    with page.expect_request("**/api/read?*"):
        choose(page, SHOT)
    says(page, "Reading the picture…")
    page.clock.run_for(10_000)
    complains(page, "Reading took too long.")
    expect(page.get_by_role("button", name="Show where the tubes are")).to_be_visible()
    page.get_by_role("button", name="Try again").tap()
    page.get_by_role("button", name="Stop").tap()
    complains(page, "Stopped.")
    page.unroute("**/api/read?*")
    page.evaluate(WITHOUT_TIMER, 10_000)
    page.get_by_role("button", name="Try again").tap()
    page.get_by_role("button", name="Done, next").wait_for()


def test_moving_and_huge_pictures_are_read(page: Any, tmp_path: Path) -> None:
    moving = io.BytesIO()
    Image.open(io.BytesIO(SHOT["buffer"])).save(moving, "GIF")
    choose(page, {"name": "shot.gif", "mimeType": "image/gif", "buffer": moving.getvalue()})
    page.get_by_role("button", name="Done, next").wait_for()
    back(page)
    back(page)
    huge = tmp_path / "shot.png"
    huge.write_bytes(SHOT["buffer"] + bytes(21_000_000))
    choose(page, huge)
    page.get_by_role("button", name="Done, next").wait_for()


def test_counts_are_judged_after_each_correction_and_tubes_and_cells_come_and_go(page: Any) -> None:
    open_picture(page, SHOT)
    says(page, "5 tubes")
    taken = (cell(page, 1, 2).get_attribute("aria-label") or "").rpartition(": ")[2]
    labels = page.locator(".mark").evaluate_all("all => all.map((each) => each.ariaLabel)")
    other = min({label.rpartition(": ")[2] for label in labels} - {taken, "empty"})
    cell(page, 1, 2).tap()
    expect(cell(page, 1, 2)).to_be_in_viewport()  # while it is asked about
    swatch(page, other).tap()
    complains(page, f"5 {other}")
    complains(page, f"3 {taken}")
    expect(page.get_by_role("button", name="Show me the moves")).to_be_disabled()
    below = page.locator(".picture-screen").get_by_role("alert").bounding_box()
    button = page.get_by_role("button", name="Show me the moves").bounding_box()
    assert below["y"] + below["height"] <= button["y"] < 664
    cell(page, 1, 2).tap()
    swatch(page, taken).tap()
    is_content(page)
    expect(page.get_by_role("button", name="Show me the moves")).to_be_enabled()
    page.locator(".mark.room").first.tap()
    page.get_by_role("button", name="Add a tube").tap()
    says(page, "6 tubes")
    page.locator(".mark.room").last.tap()
    page.get_by_role("button", name="Remove tube").tap()
    says(page, "5 tubes")
    page.locator(".mark.room").first.tap()
    page.locator(".cell-sheet .swatch").first.tap()
    complains(page, "5 ")
    page.locator('.mark:not(.room)[aria-label*="cell 1 "]').last.tap()
    page.get_by_role("button", name="Nothing there").tap()
    is_content(page)


def test_a_wrong_count_is_still_said_when_a_correction_follows_another_at_once(page: Any) -> None:
    open_picture(page, SHOT)
    says(page, "5 tubes")
    page.locator(".mark.room").first.tap()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.install()
    page.evaluate(
        """() => {
             const tap = (selector) => document.querySelector(selector).click();
             tap(".cell-sheet .more button:last-child");  // adds a tube, and the board can still be played
             tap(".mark.room");
             tap(".cell-sheet .swatch");
           }"""
    )
    says(page, "6 tubes")
    complains(page, "5 ")
    page.clock.run_for(1000)
    assert not asked  # whether it can be played, which would say less


@pytest.mark.slow
def test_the_cells_around_one_that_is_corrected_are_large_enough_for_fingers(site: Site) -> None:
    tubes = random_tubes(Random(4), 12, 4, 2)
    picture = draw(tubes, replace(STYLE, rows=(7, 7)), 4).data
    with site.visit(None, **PHONE | {"viewport": {"width": 320, "height": 568}}) as page:
        open_picture(page, png(picture))
        says(page, "14 tubes, 12 colours")
        marks = page.locator(".mark")
        whole = marks.count()
        cell(page, 9, 2).tap()
        page.locator(".cell-sheet .question").wait_for()
        sides = "all => all.flatMap((each) => [each.offsetWidth, each.offsetHeight])"
        assert min(marks.evaluate_all(sides)) >= 32
        assert marks.count() < whole
        expect(cell(page, 9, 2)).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Close").tap()
        expect(marks).to_have_count(whole)


def test_the_page_asks_what_shows_of_covered_cells_and_each_new_colour_is_one_of_them(page: Any) -> None:
    tubes = [[None, None, None, colour] for colour in "abcab"] + [[], []]
    hidden = draw(tubes, replace(STYLE, rows=(4, 3), theme="wood"), 4).data
    choose(page, png(hidden))
    says(page, "7 tubes, 3 colours, 15 covered cells")
    page.get_by_label("When a covered cell comes up").select_option("cell")
    page.get_by_role("button", name="Show me the moves").tap()
    question = page.get_by_role("group", name="What came up in tube")
    for known in (3, 4):
        page.get_by_role("button", name="Done, next").tap()
        expect(question.locator(".swatch:not(.new)")).to_have_count(known)
        assert page.locator(".follow .one-tube[data-asked]").count() == 1
        question.get_by_role("button", name="A new colour").tap()
    page.get_by_role("button", name="Done, next").tap()
    expect(question.locator(".swatch:not(.new)")).to_have_count(5)  # all five have shown
    expect(question.get_by_role("button", name="A new colour")).to_have_count(0)


def test_the_page_asks_how_many_cells_a_move_takes_where_a_picture_does_not_tell(page: Any) -> None:
    drawn = random_shot(97, "plain", "nuts")
    cells, runs = (
        solve(read_picture(drawn.data, kind).to_instance(kind).puzzle).length for kind in ("ball-sort", "water-sort")
    )
    choose(page, png(drawn.data))
    says(page, "8 tubes")
    complains(page, "Is it all as in your game?")
    moves = page.get_by_label("A move takes")
    expect(moves).to_have_value("water-sort")
    moves.select_option("one cell")
    expect(moves).to_have_value("ball-sort")
    page.get_by_role("button", name="Show me the moves").tap()
    assert cells is not None
    assert cells != runs
    expect(page.locator(".follow [role=status]")).to_contain_text(f"{cells} left, proved")


def test_pictures_are_dropped_and_pasted_anywhere(site: Site) -> None:
    with site.visit(SMALL) as page:
        give(page, SHOT, "drop")
        page.get_by_role("button", name="Is this your board?").click()
        says(page, "5 tubes, 3 colours")
        give(page, odd_picture(), "paste")
        says(page, "Doubtful: 1 cell")
        give(page, {"name": "board.txt", "mimeType": "text/plain", "buffer": b"ab|ba|-"}, "drop")
        expect(page.get_by_label("Board as text or JSON")).to_have_value("ab|ba|-")


def test_what_is_no_picture_is_refused_in_words(page: Any) -> None:
    choose(page, png(b"nothing"))
    complains(page, "Expected a picture, such as PNG")
    give(page, {"name": "a.gif", "mimeType": "image/gif", "buffer": b"GIF89a"}, "paste")
    complains(page, "Expected a picture, such as PNG")
    back(page)
    page.get_by_role("button", name="Solve a screenshot").wait_for()
    heic = {"name": "a.heic", "mimeType": "", "buffer": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"}
    give(page, heic, "drop")  # which this browser doesn't decode
    complains(page, "Expected a picture, such as PNG")
    expect(page.get_by_role("button", name="Enter by hand")).to_be_visible()


@pytest.mark.slow
def test_pictures_of_the_position_and_of_the_plan_are_taken_along(site: Site, tmp_path: Path) -> None:
    files: dict[str, Path] = {}
    with site.visit(SMALL) as page:
        enter(page, "caac|bbac|bbac|-")
        left(page, 12)
        more(page, "Share")
        choice = page.get_by_label("Picture", exact=True)
        choice.wait_for()
        part = page.locator("section", has=page.get_by_role("heading", name="Picture"))
        for form in choice.locator("option").evaluate_all("options => options.map((option) => option.value)"):
            choice.select_option(form)
            with page.expect_download() as download:
                part.get_by_role("button", name="Download").click()
            files[form] = tmp_path / download.value.suggested_filename
            download.value.save_as(files[form])
    suffixes = {"svg": ".svg", "png": ".png", "animated": ".svg", "gif": ".gif"}
    assert {form: path.suffix for form, path in files.items()} == suffixes
    assert "12 of 12" in "".join(ET.parse(files["animated"]).getroot().itertext())
    with Image.open(files["gif"]) as gif:
        assert gif.n_frames > 12
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    for motion, form, is_moving in (
        ("no-preference", "animated", True),
        ("reduce", "animated", False),
        ("no-preference", "svg", False),
    ):
        context = site.browser.new_context(reduced_motion=motion)
        page = context.new_page()
        page.goto(files[form].as_uri())
        assert bool(page.evaluate("document.getAnimations().length")) is is_moving
        context.close()
