"""What the page keeps in the browser, across screens and tabs. Where it is damaged: page_logic.test.mjs."""

from pathlib import Path
from typing import Any

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


def make_levels(page: Any) -> None:
    page.get_by_role("button", name="Make levels").tap()
    page.get_by_role("heading", name="Make levels").wait_for()


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
        assert page.evaluate("JSON.parse(localStorage['bsp-sat settings 2']).letters")


def test_light_dark_and_keys_are_kept(site: Site) -> None:
    with site.visit(None) as page:  # a phone has no keys
        page.evaluate("Object.assign(localStorage, { 'bsp-sat theme': 'dark', 'bsp-sat keys': 'off' }); 0")
        reload(page)
        assert page.evaluate("document.documentElement.style.colorScheme") == "dark"
        page.get_by_role("button", name="Play").click()
        page.locator(".level-screen .tube").first.wait_for()
        page.get_by_role("button", name="More").click()
        expect(page.get_by_label("Letters and digits on the keyboard play")).not_to_be_checked()
        page.get_by_role("dialog").get_by_role("button", name="Light or dark").click()  # on to the first one
        reload(page)
        assert page.evaluate("document.documentElement.style.colorScheme") == ""
