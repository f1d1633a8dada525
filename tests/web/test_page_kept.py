"""What the page keeps in the browser: across screens, tabs and versions, and where some of it is damaged."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import PHONE, SMALL, Site
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
CHOSEN = {"puzzle": "water-sort", "difficulty": "medium", "letters": True}
GAME = {"board": SMALL, "made": [{"move": [0, 2]}], "look": None, "screen": "play", "solved": False}


def keep(page: Any, kept: dict[str, str]) -> None:
    """Puts texts into the browser's memory, as an earlier version or an accident has left them."""
    page.evaluate("(kept) => Object.entries(kept).forEach(([key, text]) => localStorage.setItem(key, text))", kept)
    page.reload()


def make_levels(page: Any) -> None:
    page.get_by_role("button", name="Make levels").tap()
    page.get_by_role("heading", name="Make levels").wait_for()


def wait_for_names(page: Any, *wanted: str) -> None:
    expect(page.locator(".levels b")).to_have_text(list(wanted))


def begin(page: Any) -> None:
    page.get_by_role("button", name="Play").tap()
    page.locator(".level-screen .tube").first.wait_for()


def kept(page: Any, name: str) -> Any:
    """What the page reads."""
    return page.evaluate("async (name) => (await import('./page/core/kept.js')).read(name)", name)


def test_levels_that_a_person_made_stay_when_a_level_is_played(site: Site, tmp_path: Path) -> None:
    pack = tmp_path / "pack.jsonl"
    pack.write_text("".join(json.dumps(board) + "\n" for board in BOARDS))
    with site.visit(None, **PHONE) as page:
        make_levels(page)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open a file").tap()
        chooser.value.set_files(pack)
        wait_for_names(page, "One", "Two", "Three")
        other = page.context.new_page()
        site.listen(other)
        other.goto(site.address)
        begin(other)
        other.get_by_role("button", name="More").tap()
        other.get_by_label("Letters on colours").check()
        other.goto(site.address)
        make_levels(other)
        wait_for_names(other, "One", "Two", "Three")
        page.reload()
        wait_for_names(page, "One", "Two", "Three")
        assert kept(page, "settings")["letters"] is True


@pytest.mark.parametrize(
    ("earlier", "has_levels", "has_settings"),
    [
        (LEVELS, True, False),
        (CHOSEN, False, True),
        ({**dict(enumerate(LEVELS)), **CHOSEN}, True, True),
    ],
    ids=["levels", "settings", "levels with settings over them"],
)
def test_what_an_earlier_version_kept_is_read(site: Site, earlier: Any, has_levels: bool, has_settings: bool) -> None:
    with site.visit(None, **PHONE) as page:
        keep(page, {"bsp-sat levels": json.dumps(earlier)})
        begin(page)
        expect(page.locator(".level-name small")).to_have_text("Water sort" if has_settings else "Ball sort")
        page.goto(site.address)
        make_levels(page)
        names = [board["name"] for board in BOARDS] if has_levels else []
        wait_for_names(page, *names)
        if has_levels:
            page.get_by_label("Choose Two").check()
            page.locator(".making > .stack").get_by_role("button", name="Delete").tap()
            wait_for_names(page, "One", "Three")
            page.reload()
            wait_for_names(page, "One", "Three")
        # A copy of the earlier version at this origin still has its own.
        assert json.loads(page.evaluate("localStorage.getItem('bsp-sat levels')")) == json.loads(json.dumps(earlier))


DAMAGED: dict[str, tuple[str, list[Any]]] = {
    "levels": (
        "bsp-sat levels 2",
        [
            None,
            7,
            {**LEVELS[0], "board": None},
            {**LEVELS[0], "board": {**SMALL, "tubes": "x"}},
            {**LEVELS[0], "board": {**SMALL, "tubes": [None]}},
            {**LEVELS[0], "board": {"puzzle": "shot"}},
            {**LEVELS[0], "colours": [None]},
            {**LEVELS[0], "name": None},
            {**LEVELS[0], "id": "1"},
            LEVELS[2],
        ],
    ),
    "games": (
        "bsp-sat games",
        [
            None,
            "game",
            {**GAME, "board": None},
            {**GAME, "board": {**SMALL, "tubes": "x"}},
            {**GAME, "made": [None]},
            {**GAME, "made": "x"},
            {**GAME, "screen": "nowhere"},
            GAME,
        ],
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_entries_are_dropped_one_by_one(site: Site, name: str) -> None:
    key, entries = DAMAGED[name]
    with site.visit(None, **PHONE) as page:
        keep(page, {key: json.dumps(entries)})
        assert kept(page, name) == entries[-1:]
        if name == "levels":
            make_levels(page)
            wait_for_names(page, "Three")
            page.get_by_role("button", name="Three").tap()
            page.get_by_role("dialog").get_by_role("button", name="Play").tap()
            page.locator("#board .tube").first.wait_for()
        else:
            page.get_by_role("button", name="Go on with small").tap()
            expect(page.get_by_role("slider", name="Moves made")).to_have_value("1")
            page.get_by_role("button", name="Undo").tap()  # which is kept too
        page.evaluate("localStorage.clear()")


def test_what_a_level_has_besides_its_board_may_be_damaged(site: Site) -> None:
    figure = {"how": "exact", "percentile": None}
    grades: list[Any] = [7, {"optimum": None}, {"optimum": {**figure, "value": "x"}}]
    grades += [{"optimum": {**figure, "value": None, "interval": ["x", 1]}}]
    levels = [{**LEVELS[0], "id": number, "name": str(number), "grades": each} for number, each in enumerate(grades)]
    with site.visit(None, **PHONE) as page:
        keep(page, {"bsp-sat levels 2": json.dumps(levels)})
        make_levels(page)
        wait_for_names(page, "0", "1", "2", "3")
        expect(page.get_by_text("not graded")).to_have_count(4)
        page.evaluate("localStorage.clear()")


NOTHING: dict[str, Any] = {
    "games": [],
    "keys": "on",
    "levels": [],
    "results": {"best": {}, "days": []},
    "settings": {},
    "theme": "",
}


@pytest.mark.parametrize("text", ["", "{", "null", "7", '"x"', "[null]", '{"best": 7, "days": "x", "puzzle": 7}'])
def test_damage_of_all_that_is_kept_harms_no_screen(site: Site, text: str) -> None:
    with site.visit(None, **PHONE) as page:
        keys = page.evaluate("import('./page/core/kept.js').then(({ KEYS }) => KEYS)")
        keep(page, dict.fromkeys(keys.values(), text))
        assert {name: kept(page, name) for name in keys} == NOTHING
        make_levels(page)
        wait_for_names(page)
        page.go_back()
        begin(page)
        for sheet in ("Statistics", "Your games", "Levels"):
            page.get_by_role("button", name="More").tap()
            page.get_by_role("dialog").get_by_role("button", name=sheet, exact=True).tap()
            page.keyboard.press("Escape")
        page.evaluate("localStorage.clear()")


def test_results_and_settings_are_read_part_by_part(site: Site) -> None:
    with site.visit(None, **PHONE) as page:
        best = {"ball-sort easy 1": 13, "ball-sort easy 2": "x", "ball-sort easy 3": None}
        settings = {**CHOSEN, "difficulty": "absurd", "sounds": "x", "other": 1}
        keep(
            page,
            {
                "bsp-sat results": json.dumps({"best": best, "days": [20_000, "x", None]}),
                "bsp-sat settings 2": json.dumps(settings),
            },
        )
        assert kept(page, "results") == {"best": {"ball-sort easy 1": 13, "ball-sort easy 3": None}, "days": [20_000]}
        assert kept(page, "settings") == {"puzzle": "water-sort", "letters": True}
        begin(page)
        page.evaluate("localStorage.clear()")


def test_light_dark_and_keys_are_kept(site: Site) -> None:
    with site.visit(None, **PHONE) as page:
        keep(page, {"bsp-sat theme": "dark", "bsp-sat keys": "off"})
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        begin(page)
        page.get_by_role("button", name="More").tap()
        expect(page.get_by_label("Letters and digits on the keyboard play")).not_to_be_checked()
        page.get_by_role("dialog").get_by_role("button", name="Light or dark").tap()  # on to the first one
        page.reload()
        assert page.evaluate("document.documentElement.dataset.theme") == ""
