"""Pictures on the page, in a real browser: boards from screenshots, and drawings to take along."""

import base64
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from tests.cli.test_read import STYLE, TUBES
from tests.support.browser import SMALL, Site, enter, left, play
from tests.support.drawn_screens import draw

expect = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed").expect
DOUBTFUL = "Tube 1, cell 1 from the bottom"
"""Of the picture `odd`: it had to be moved to another colour for the counts to fit; of five equal ones the first."""


@pytest.fixture(autouse=True)
def all_is_well(site: Site) -> Iterator[None]:
    yield
    site.well()


@pytest.fixture(scope="module")
def shot() -> dict[str, Any]:
    return {"name": "shot.png", "mimeType": "image/png", "buffer": draw(TUBES, STYLE, 4).data}


@pytest.fixture(scope="module")
def odd() -> dict[str, Any]:
    tubes = [list(tube) for tube in TUBES]
    tubes[0][0] = next(colour for colour in "abc" if colour != tubes[0][0])
    return {"name": "odd.png", "mimeType": "image/png", "buffer": draw(tubes, STYLE, 4).data}


@pytest.fixture
def page(site: Site) -> Iterator[Any]:
    with site.visit(SMALL) as page:
        page.keyboard.press("b")
        page.get_by_role("tab", name="Picture").click()
        yield page


def says(page: Any, words: str) -> None:
    expect(page.get_by_role("tabpanel").get_by_role("status")).to_contain_text(words)


def give(page: Any, file: dict[str, Any], event: str) -> None:
    """Drops a file on the page, or pastes it."""
    page.evaluate(
        """([event, name, type, data]) => {
             const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
             const transfer = new DataTransfer();
             transfer.items.add(new File([bytes], name, { type }));
             const given = event === "drop" ? { dataTransfer: transfer } : { clipboardData: transfer };
             const made = event === "drop" ? new DragEvent(event, { bubbles: true, cancelable: true, ...given })
                                           : new ClipboardEvent(event, { bubbles: true, cancelable: true, ...given });
             document.body.dispatchEvent(made);
           }""",
        [event, file["name"], file["mimeType"], base64.b64encode(file["buffer"]).decode()],
    )


def test_a_sure_picture_is_played(page: Any, shot: dict[str, Any]) -> None:
    page.get_by_label("A screenshot").set_input_files(shot)
    says(page, "Water sort, 5 tubes: sure.")
    assert page.locator(".mark:not(.room)").count() == 12
    assert page.locator(".mark.room").count() == 2
    canvas = "document.querySelector('canvas').getContext('2d').getImageData(0, 0, 432, 768).data"
    assert page.evaluate(f"{canvas}.slice(0, 3).join()") == ",".join(map(str, pixel(shot)))
    play(page)
    expect(page.locator("#name")).to_have_text("shot")
    expect(page.locator("#summary")).to_contain_text("water-sort, 3 colours, 5 tubes of 4")


def pixel(file: dict[str, Any]) -> tuple[int, ...]:
    found = Image.open(io.BytesIO(file["buffer"])).convert("RGB").getpixel((0, 0))
    assert isinstance(found, tuple)
    return found


def test_a_doubtful_cell_is_corrected_by_keys_alone(page: Any, odd: dict[str, Any]) -> None:
    page.get_by_label("A screenshot").set_input_files(odd)
    says(page, "Doubtful: counts: cells had to be moved")
    assert page.locator(".mark[data-doubtful]").get_attribute("aria-label") == f"{DOUBTFUL}: orange, doubtful"
    page.get_by_role("button", name="Next doubtful cell").focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("group", name=f"{DOUBTFUL}: which colour?")
    expect(question.get_by_role("button", name="orange")).to_be_focused()
    page.keyboard.press("Enter")
    says(page, "Water sort, 5 tubes: sure.")
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Play", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for(state="detached")
    expect(page.locator("#name")).to_have_text("odd")


def test_any_cell_is_corrected_by_clicks(page: Any, shot: dict[str, Any]) -> None:
    page.get_by_label("A screenshot").set_input_files(shot)
    says(page, "sure")
    page.get_by_role("button", name="Tube 3, cell 4 from the bottom: ").click()
    page.get_by_role("button", name="Nothing is there").click()
    says(page, "Water sort, 5 tubes: sure.")
    page.get_by_role("button", name="Tube 3, cell 4 from the bottom: empty").click()
    page.get_by_label("Another colour").fill("gold")
    page.get_by_label("Another colour").press("Enter")
    page.get_by_role("button", name="Tube 3, cell 4 from the bottom: gold").wait_for()
    page.get_by_role("button", name="Tube 4, cell 1 from the bottom: empty").click()
    page.get_by_role("button", name="orange", exact=True).click()
    page.get_by_role("button", name="Tube 4, cell 1 from the bottom: orange").click()
    page.get_by_role("button", name="Nothing is there").click()
    page.get_by_role("button", name="Tube 4, cell 1 from the bottom: empty").wait_for()
    page.get_by_role("button", name="Edit as a drawing").click()
    page.get_by_role("button", name="Tube 3, cell 4 from the bottom: gold").wait_for()
    page.get_by_text("cannot fill whole tubes of 4").wait_for()


def test_of_hidden_cells_it_is_asked_what_shows(page: Any) -> None:
    tubes = [[None, None, None, colour] for colour in "abcde"] + [[], []]
    hidden = draw(tubes, replace(STYLE, rows=(4, 3), theme="wood"), 4).data
    page.get_by_label("A screenshot").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": hidden})
    says(page, "sure")
    page.get_by_label("Of hidden cells shows").select_option("cell")
    play(page)
    expect(page.locator("#summary")).to_contain_text("15 unknown")
    page.get_by_role("button", name="Share").click()
    page.get_by_label("As", exact=True).select_option("start")
    assert json.loads(page.get_by_label("Board", exact=True).input_value())["reveal"] == "cell"


def test_pictures_are_dropped_and_pasted_anywhere(site: Site, shot: dict[str, Any], odd: dict[str, Any]) -> None:
    with site.visit(SMALL) as page:
        give(page, shot, "drop")
        says(page, "5 tubes: sure.")
        give(page, odd, "paste")
        says(page, "Doubtful: counts: cells had to be moved")
        give(page, {"name": "board.txt", "mimeType": "text/plain", "buffer": b"ab|ba|-"}, "drop")
        expect(page.get_by_label("Board as text or JSON")).to_have_value("ab|ba|-")


def test_what_is_no_picture_is_refused_in_words(page: Any) -> None:
    alert = page.get_by_role("alert")
    page.get_by_label("A screenshot").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"nothing"})
    expect(alert).to_contain_text("PNG, JPEG or WebP")
    page.get_by_label("A screenshot").set_input_files({"name": "a.gif", "mimeType": "image/gif", "buffer": b"GIF89a"})
    expect(alert).to_contain_text("Expected a picture as PNG, JPEG or WebP")


@pytest.mark.parametrize("width", [360, 1200])
def test_it_can_be_used_by_everybody(site: Site, odd: dict[str, Any], width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python isn't installed")
    with site.visit(SMALL, viewport={"width": width, "height": 800}, color_scheme="dark") as page:
        give(page, odd, "drop")
        says(page, "Doubtful")
        page.get_by_role("button", name="Next doubtful cell").click()
        page.get_by_role("group", name="which colour?").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(
            "(() => { const d = document.querySelector('dialog'); return d.scrollWidth <= d.clientWidth })()"
        )
        assert axe.Axe().run(page).response["violations"] == []


class TestTakingAlong:
    @pytest.fixture
    def files(self, site: Site, tmp_path: Path) -> dict[str, Path]:
        """What the page lets a player take along, by what is asked for."""
        with site.visit() as page:
            enter(page, "caac|bbac|bbac|-")
            left(page, 12)
            page.get_by_role("button", name="Share").click()
            choice = page.get_by_label("Picture", exact=True)
            choice.wait_for()
            part = page.locator("section", has=page.get_by_role("heading", name="Picture"))
            found = {}
            for form in choice.locator("option").evaluate_all("options => options.map((option) => option.value)"):
                choice.select_option(form)
                with page.expect_download() as download:
                    part.get_by_role("button", name="Download").click()
                found[form] = tmp_path / download.value.suggested_filename
                download.value.save_as(found[form])
            return found

    def test_pictures_of_the_position_and_of_the_plan(self, site: Site, files: dict[str, Path]) -> None:
        assert {form: path.suffix for form, path in files.items()} == {
            "svg": ".svg", "png": ".png", "animated": ".svg", "gif": ".gif",
        }  # fmt: skip
        assert "12 of 12" in "".join(ET.parse(files["animated"]).getroot().itertext())
        with Image.open(files["gif"]) as gif:
            assert gif.n_frames > 12
        assert files["png"].read_bytes().startswith(b"\x89PNG")
        for motion, form, count in (
            ("no-preference", "animated", True),
            ("reduce", "animated", False),
            ("no-preference", "svg", False),
        ):
            context = site.browser.new_context(reduced_motion=motion)
            page = context.new_page()
            page.goto(files[form].as_uri())
            assert bool(page.evaluate("document.getAnimations().length")) is count
            context.close()
