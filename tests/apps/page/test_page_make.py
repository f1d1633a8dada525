"""Levels made on the page: one that gets better, drawn ones, from files and into files; what is kept of them."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import PHONE, SMALL, Site, back, choose_file, give, left, reload, says
from tests.support.helpers import wait_until
from tests.support.optional import needed
from tests.support.server import HARD

expect = needed("playwright.sync_api", "browser").expect

THREE = {"name": "Three", "puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
EIGHT = {"name": "Eight", "puzzle": "ball-sort", "capacity": 4, "tubes": [list("abab"), list("baab"), []]}
NO_WAY = {"name": "No way", "puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"]]}


@pytest.fixture
def page(site: Site) -> Iterator[Any]:
    with site.visit(None, **PHONE) as page:
        page.get_by_role("button", name="Make levels").tap()
        shown(page).get_by_role("button", name="Play").wait_for()
        yield page


def shown(page: Any) -> Any:
    return page.get_by_role("region", name="The level")


def said(page: Any) -> Any:
    return page.locator(".running [role=status]")


def names(page: Any) -> list[str]:
    return list(page.locator(".levels b").all_text_contents())


def wait_for_names(page: Any, *wanted: str) -> None:
    expect(page.locator(".levels b")).to_have_text(list(wanted))


def pack(path: Path, *boards: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(board) + "\n" for board in boards))
    return path


def saved(page: Any, button: str, path: Path) -> list[dict[str, Any]]:
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).tap()
    download.value.save_as(path)
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_level_is_there_at_once_and_better_ones_take_its_place(page: Any) -> None:
    asked, waiting = [], []

    def answer(route: Any) -> None:
        asked.append(route.request.post_data_json)
        waiting.append(route)

    def end(*boards: dict[str, Any]) -> None:
        wait_until(lambda: page.evaluate("0") == 0 and waiting)
        found = f"event: answer\ndata: {json.dumps({'boards': boards})}\n\n"
        waiting.pop().fulfill(content_type="text/event-stream", body=found)

    page.route("**/api/generate", answer)
    values = {"optimum": 3, "greedy_success": 0.1}
    grades = {name: {"value": value, "how": "sampled", "percentile": None} for name, value in values.items()}
    expect(shown(page)).to_contain_text(re.compile("Easy.* moves", re.DOTALL))  # unasked
    page.get_by_role("button", name="Hard").tap()
    expect(said(page)).to_have_text("Looking for one that is harder…")
    expect(shown(page)).to_contain_text(re.compile("Hard.* (9|10) colours", re.DOTALL))
    expect(page.get_by_role("button", name="Hard")).to_have_attribute("aria-pressed", "true")
    end({**SMALL, "optimal": {"ball-sort": 3}, "grades": grades})
    expect(shown(page)).to_contain_text("3 moves · hard")
    expect(shown(page).locator(".one-tube")).to_have_count(3)
    end()
    expect(said(page)).to_have_text("No level that is harder was found.")
    assert [each["ranges"] for each in asked] == [{"greedy_success": "0.02..0.14"}, {"greedy_success": "0.02..0.09"}]
    assert names(page) == []
    shown(page).get_by_role("button", name="Play").tap()
    expect(page.locator(".tube:visible")).to_have_count(3)
    back(page)
    wait_for_names(page, "Level 1")


@pytest.mark.parametrize("choice", ["Easy", "Hard", "Tricky"])
def test_the_server_looks_for_a_level_of_each_kind(page: Any, choice: str) -> None:
    def hurry(route: Any) -> None:
        route.continue_(post_data=json.dumps({**route.request.post_data_json, "tries": 2}))

    page.route("**/api/generate", hurry)
    page.get_by_role("button", name=choice).tap()
    expect(said(page)).to_have_text(re.compile(r"^(No level that is \w+ was found\.)?$"))
    expect(shown(page)).to_contain_text(re.compile(r"\d+ moves"))
    expect(page.locator(".making > [role=alert]")).to_have_text("")


def test_a_level_stays_where_looking_for_a_better_one_is_stopped_or_takes_too_long(page: Any) -> None:
    page.route("**/api/generate", lambda route: None)
    page.get_by_role("button", name="Tricky").tap()
    page.get_by_role("button", name="Stop").tap()
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    assert page.evaluate("document.activeElement.className") == "row running"  # where the way to stop it was
    expect(shown(page).locator(".one-tube")).to_have_count(8)
    page.unroute("**/api/generate")
    late = 'event: error\ndata: {"error": "no answer: time limit of 60 s reached"}\n\n'
    page.route("**/api/generate", lambda route: route.fulfill(content_type="text/event-stream", body=late))
    page.get_by_role("button", name="Hard").tap()
    expect(said(page)).to_have_text("No level that is harder was found.")
    expect(shown(page)).to_contain_text(re.compile("Hard.* (9|10) colours", re.DOTALL))


def test_files_are_read_and_saved_whole(page: Any, tmp_path: Path, command: Callable[..., Any]) -> None:
    claimed = {**EIGHT, "grades": {"optimum": {"value": 1, "how": "exact", "percentile": None}}}  # isn't taken on trust
    choose_file(page, "Open a file", pack(tmp_path / "pack.jsonl", claimed, THREE, NO_WAY, THREE))
    expect(said(page)).to_have_text("3 boards added from pack.jsonl. 1 was there already.")
    wait_for_names(page, "No way", "Three", "Eight")  # the last one first
    boards = saved(page, "Save file", tmp_path / "all.jsonl")
    assert [board["name"] for board in boards] == ["Eight", "Three", "No way"]
    assert all("grades" not in board for board in boards)
    assert [found["length"] for found in command("solve", tmp_path / "all.jsonl", "--json")] == [8, 3, None]
    page.get_by_role("button", name="Three").tap()
    expect(shown(page).get_by_label("Name")).to_have_value("Three")
    assert [board["name"] for board in saved(page, "Save", tmp_path / "one.jsonl")] == ["Three"]


def test_what_cannot_be_read_of_a_file_is_named_and_boards_of_a_dropped_one_are_added(
    page: Any, tmp_path: Path
) -> None:
    bad = {"puzzle": "ball-sort", "capacity": 2, "tubes": 5}
    choose_file(page, "Open a file", pack(tmp_path / "pack.jsonl", SMALL, bad))
    expect(page.locator(".making > [role=alert]")).to_contain_text("line 2: tubes")
    assert names(page) == []
    many = [{**SMALL, "note": number, "more": "x" * 2_000} for number in range(200)]
    many[2:2] = [bad] * 4  # one request has the lines up to 73
    file = pack(tmp_path / "pack.jsonl", *many, {"puzzle": "ball-sort", "capacity": 0, "tubes": []})
    give(page, {"name": file.name, "mimeType": "", "buffer": file.read_bytes()}, "drop")
    listed = [f"line {number}: tubes: expected a list, found 5" for number in (3, 4, 5)]
    expect(said(page)).to_have_text(
        f"200 boards added from pack.jsonl. 5 boards can't be read: {'; '.join(listed)}; and 2 more."
    )
    assert len(names(page)) == 200


@pytest.mark.slow
def test_a_level_is_named_played_changed_and_kept(page: Any, tmp_path: Path) -> None:
    choose_file(page, "Open a file", pack(tmp_path / "pack.jsonl", THREE))
    name = shown(page).get_by_label("Name")
    expect(name).to_have_value("Three")
    name.fill("<b>Tricky</b>")
    name.press("Tab")
    wait_for_names(page, "<b>Tricky</b>")
    shown(page).get_by_role("button", name="Change").tap()
    for what in ("Tube 2, cell 2 ", "Nothing there", "Tube 3, cell 1 ", "a, 1 left"):
        page.get_by_role("button", name=what).tap()
    page.get_by_text("solved in 2 moves at best, proved.").wait_for()
    page.get_by_role("button", name="More", exact=True).tap()
    page.get_by_role("button", name="Keep level").tap()
    wait_for_names(page, "<b>Tricky</b> (2)", "<b>Tricky</b>")
    expect(said(page)).to_have_text("<b>Tricky</b> (2) added.")
    shown(page).get_by_role("button", name="Play").tap()
    left(page, 2)
    expect(page.get_by_role("heading", name="<b>Tricky</b> (2)")).to_be_visible()
    back(page)
    reload(page)
    wait_for_names(page, "<b>Tricky</b> (2)", "<b>Tricky</b>")


@pytest.mark.slow
def test_the_last_levels_are_kept_and_a_full_browser_says_so(page: Any, tmp_path: Path) -> None:
    page.evaluate(
        """(board) => localStorage.setItem("bsp-sat levels 2", JSON.stringify(Array.from({ length: 499 }, (_, id) => (
          { id, name: `Level ${id}`, board: { ...board, note: id }, summary: "", colours: [], grades: null }))))""",
        {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "a"], []]},
    )
    reload(page)
    expect(page.locator(".levels li")).to_have_count(499)
    choose_file(page, "Open a file", pack(tmp_path / "pack.jsonl", THREE, EIGHT))
    expect(said(page)).to_have_text("2 boards added from pack.jsonl. The last 500 are kept.")
    expect(page.locator(".levels li")).to_have_count(500)
    assert [names(page)[at] for at in (0, 1, -1)] == ["Eight", "Three", "Level 1"]
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    choose_file(page, "Open a file", pack(tmp_path / "pack.jsonl", NO_WAY))
    expect(page.locator(".making > [role=alert]")).to_contain_text("The browser has no room for more")


def test_drawing_says_what_is_proved_and_is_undone(page: Any) -> None:
    page.locator(".making").get_by_role("button", name="Draw").tap()
    verdict, solve = page.locator(".enter p[role=status]"), page.get_by_role("button", name="Show me the moves")
    page.get_by_label("Cells in a tube").select_option("2")
    for what, times in (("tubes", 12), ("colours", 0)):
        for _ in range(times):
            page.get_by_role("button", name=f"Fewer {what}").tap()
    expect(solve).to_be_disabled()
    page.get_by_role("button", name="More colours").tap()
    for colour in ("blue", "red", "red", "blue"):
        page.get_by_role("button", name=f"{colour}, ").tap()
    expect(verdict).to_have_text("It has no solution, proved.")
    page.get_by_role("button", name="More tubes").tap()
    expect(verdict).to_contain_text("Solved in 3 moves at best, proved.")
    undo = page.get_by_role("button", name="Undo")
    undo.tap()
    expect(verdict).to_contain_text("It has no solution, proved.")
    undo.tap()
    expect(solve).to_be_disabled()
    page.keyboard.press("Control+Shift+z")
    expect(verdict).to_contain_text("It has no solution, proved.")
    menu = page.get_by_role("dialog", name="More")
    for what in ("Redo", "Keep level"):
        page.get_by_role("button", name="More", exact=True).tap()
        menu.get_by_role("button", name=what).tap()
        if what == "Redo":
            expect(verdict).to_contain_text("Solved in 3 moves at best, proved.")
            expect(page.locator(".entry-tube")).to_have_count(3)
    wait_for_names(page, "Level 1")
    page.locator(".making").get_by_role("button", name="Draw").tap()
    page.get_by_role("button", name="Tube 1, cell 2 from the bottom: blue").tap()
    page.get_by_role("button", name="red, complete").tap()
    expect(page.get_by_role("button", name="red, 1 too many")).to_be_visible()
    expect(solve).to_be_disabled()
    page.get_by_role("button", name="Tube 2, cell 2 from the bottom: red").tap()
    page.get_by_role("button", name="blue, 1 left").tap()
    expect(verdict).to_contain_text("It is solved already.")
    page.get_by_role("button", name="More", exact=True).tap()
    menu.get_by_role("button", name="Play it").tap()
    says(page, "goal", "Solved")


@pytest.mark.slow
def test_drawing_ends_earlier_questions(page: Any) -> None:
    """A board that takes minutes: bounds while the search runs, which ends as soon as the board is another one."""
    ended: list[str] = []
    page.on("requestfailed", lambda request: ended.append(request.url.rpartition("/")[2]))
    page.evaluate(
        """(board) => localStorage.setItem("bsp-sat levels 2", JSON.stringify([
          { id: 1, name: "Vast", board, summary: "", colours: [], grades: null }]))""",
        {key: value for key, value in HARD.items() if key != "name"},
    )
    reload(page)
    page.get_by_role("button", name="Vast").tap()
    shown(page).get_by_role("button", name="Change").tap()
    verdict = page.locator(".enter p[role=status]")
    expect(verdict).to_contain_text(re.compile(r"At least \d+ moves"))
    page.get_by_role("button", name="More", exact=True).tap()
    page.get_by_role("button", name="Empty board").tap()
    expect(verdict).to_contain_text("Tap colours")  # as on every board without any
    page.wait_for_timeout(400)  # in which the server isn't asked about nothing
    expect(verdict).to_contain_text("Tap colours")
    assert ended == ["solve"]
    page.get_by_role("button", name="Undo").tap()
    expect(verdict).to_contain_text(re.compile(r"At least \d+ moves"))
