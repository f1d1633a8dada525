"""What the page keeps in the browser: across screens, tabs and versions, and where some of it is damaged."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.apps.page.test_page_levels import begin
from tests.apps.page.test_page_make import pack, wait_for_names
from tests.support.browser import PHONE, Site, back, choose_file, reload
from tests.support.optional import needed

expect = needed("playwright.sync_api", "browser").expect

BOARDS = [
    {"name": name, "puzzle": "ball-sort", "capacity": 2, "tubes": [[*tube], ["b", "b"], ["a"], []]}
    for name, tube in (("One", "a"), ("Two", "ac"), ("Three", "ca"))
]
BOARDS[1]["tubes"][3] = BOARDS[2]["tubes"][3] = ["c"]
LEVELS = [
    {"id": number, "name": board["name"], "board": board, "summary": "", "colours": [["a", "#b80007"]], "grades": None}
    for number, board in enumerate(BOARDS, start=1)
]

KEPT = "await (await import('./page/main.js')).$load('core/kept.js')"
"""What the page has to read and write with."""


def keep(page: Any, kept: dict[str, str]) -> None:
    """Puts texts into the browser's memory, as an earlier version or an accident has left them."""
    page.evaluate("(kept) => Object.entries(kept).forEach(([key, text]) => localStorage.setItem(key, text))", kept)
    reload(page)


def make_levels(page: Any) -> None:
    page.get_by_role("button", name="Make levels").tap()
    page.get_by_role("heading", name="Make levels").wait_for()


def kept(page: Any, name: str) -> Any:
    """What the page reads."""
    return page.evaluate(f"async (name) => ({KEPT}).read(name)", name)


def test_levels_that_a_person_made_stay_when_a_level_is_played(site: Site, tmp_path: Path) -> None:
    with site.visit(None, **PHONE) as page:
        make_levels(page)
        other = page.context.new_page()
        site.listen(other)
        other.goto(site.address)
        make_levels(other)
        choose_file(page, "Open a file", pack(tmp_path / "pack.jsonl", *BOARDS))
        for each in (page, other):  # at once
            wait_for_names(each, "Three", "Two", "One")
        back(other)
        begin(other)
        other.get_by_role("button", name="More").tap()
        other.get_by_label("Letters on colours").check()
        other.goto(site.address)
        make_levels(other)
        wait_for_names(other, "Three", "Two", "One")
        reload(page)
        wait_for_names(page, "Three", "Two", "One")
        assert kept(page, "settings")["letters"] is True


@pytest.mark.slow
def test_damage_of_all_that_is_kept_harms_no_screen(site: Site) -> None:
    """What is read of it: tests/apps/page/page_logic.test.mjs."""
    damaged = {**LEVELS[0], "board": {**BOARDS[0], "tubes": "x"}}
    with site.visit(None, **PHONE) as page:
        keys = page.evaluate(f"async () => ({KEPT}).KEYS")
        keep(page, {**dict.fromkeys(keys.values(), "[null]"), keys["levels"]: json.dumps([damaged, LEVELS[2]])})
        make_levels(page)
        wait_for_names(page, "Three")
        page.get_by_role("button", name="Three").tap()
        page.get_by_role("region", name="The level").get_by_role("button", name="Play").tap()
        page.locator("#board .tube").first.wait_for()
        page.goto(site.address)
        begin(page)
        page.get_by_role("button", name="More").tap()
        page.get_by_role("dialog").get_by_role("button", name="Your games", exact=True).tap()
        page.keyboard.press("Escape")
        page.get_by_title("Choose a level").tap()
        page.get_by_role("dialog", name="Levels").wait_for()
        page.keyboard.press("Escape")
        page.evaluate("localStorage.clear()")


def test_light_dark_and_keys_are_kept(site: Site) -> None:
    with site.visit(None) as page:  # a phone has no keys
        keep(page, {"bsp-sat theme": "dark", "bsp-sat keys": "off"})
        assert page.evaluate("document.documentElement.style.colorScheme") == "dark"
        page.get_by_role("button", name="Play").click()
        page.locator(".level-screen .tube").first.wait_for()
        page.get_by_role("button", name="More").click()
        expect(page.get_by_label("Letters and digits on the keyboard play")).not_to_be_checked()
        page.get_by_role("dialog").get_by_role("button", name="Light or dark").click()  # on to the first one
        reload(page)
        assert page.evaluate("document.documentElement.style.colorScheme") == ""
