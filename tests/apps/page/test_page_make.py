"""Levels made to measure on the page: by ranges, drawn, from files and into files, in a gallery that is kept."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bsp_sat.cli.group import commands
from tests.support.browser import PHONE, SMALL, WITHOUT_TIMER, Site, back, give, left, reload, violations
from tests.support.helpers import wait_until
from tests.support.optional import needed
from tests.support.server import HARD

expect = needed("playwright.sync_api", "browser").expect

THREE = {"name": "Three", "puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
EIGHT = {"name": "Eight", "puzzle": "ball-sort", "capacity": 4, "tubes": [list("abab"), list("baab"), []]}
NO_WAY = {"name": "No way", "puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"]]}


NEAREST = re.compile(r"The nearest is shown(: it takes (at most )?\d+ moves)?\. Wider ranges help\.")
"""How many is said if it is known in time."""


@pytest.fixture
def page(site: Site) -> Iterator[Any]:
    with site.visit(None, **PHONE) as page:
        page.get_by_role("button", name="Make levels").tap()
        page.evaluate(WITHOUT_TIMER, 5_000)  # of looking for a level
        page.add_init_script(f"({WITHOUT_TIMER})(5_000)")
        page.get_by_text("By numbers").tap()
        page.get_by_label("How many").wait_for()
        yield page


def make(page: Any, count: int, colours: int = 4, seed: int = 7) -> None:
    page.get_by_label("How many").fill(str(count))
    page.get_by_label("Colours").fill(str(colours))
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Make levels", exact=True).tap()


def said(page: Any) -> Any:
    return page.locator(".running [role=status]")


def names(page: Any) -> list[str]:
    return list(page.locator(".levels b").all_text_contents())


def wait_for_names(page: Any, *wanted: str) -> None:
    expect(page.locator(".levels b")).to_have_text(list(wanted))


def open_file(page: Any, path: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file").tap()
    chooser.value.set_files(path)


def pack(path: Path, *boards: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(board) + "\n" for board in boards))
    return path


def saved(page: Any, path: Path) -> list[dict[str, Any]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save file").last.tap()
    download.value.save_as(path)
    return [json.loads(line) for line in path.read_text().splitlines()]


def run(words: str) -> Any:
    return CliRunner().invoke(commands, shlex.split(words), standalone_mode=False)


def test_levels_are_made_by_ranges_and_saved(page: Any, tmp_path: Path) -> None:
    page.get_by_label("Fewest moves, from").fill("18")
    page.get_by_label("Fewest moves, to").fill("19")
    page.get_by_label("Difficulty").select_option("medium")
    make(page, 3, colours=6)
    expect(said(page)).to_have_text("3 levels made.")
    wait_for_names(page, "Level 1", "Level 2", "Level 3")
    expect(page.get_by_label("Seed")).to_have_value("10")  # the next three are others
    expect(page.locator(".levels .thumbnail").first.locator(".one-tube")).to_have_count(8)
    boards = saved(page, tmp_path / "levels.jsonl")
    result = run(f"solve {tmp_path / 'levels.jsonl'} --json")
    lengths = [json.loads(line)["length"] for line in result.stdout.splitlines()]
    assert [board["optimal"]["ball-sort"] for board in boards] == lengths
    assert all(18 <= length <= 19 for length in lengths)
    for board, card in zip(boards, page.locator(".levels button").all(), strict=True):
        assert 0.15 <= board["grades"]["greedy_success"]["value"] < 0.5
        expect(card).to_contain_text(f"{board['optimal']['ball-sort']} moves · medium")
    command = boards[1]["source"]
    assert command.startswith("bsp-sat generate levels --puzzle ball-sort --colours 6")
    assert "--seed 8" in command
    assert json.loads(run(command.removeprefix("bsp-sat ")).stdout)["tubes"] == boards[1]["tubes"]


def test_one_tap_makes_a_level_and_another_plays_it(page: Any) -> None:
    page.get_by_role("button", name="Hard").tap()
    expect(said(page)).to_have_text("1 level made.")
    made = page.get_by_role("region", name="The level")
    expect(made).to_contain_text("hard")
    expect(made.locator(".one-tube")).to_have_count(11)
    made.get_by_role("button", name="Play").tap()
    expect(page.locator(".tube:visible")).to_have_count(11)


def test_a_wish_that_takes_too_long_ends_with_the_nearest_level(site: Site) -> None:
    nearest = {"puzzle": "ball-sort", "capacity": 2, "tubes": [[0, 1], [1, 0], []]}
    found = json.dumps({"boards": [], "missing": 1, "nearest": nearest})
    asked = []

    def answer(route: Any) -> None:  # only a question about one board is answered
        asked.append(route.request.post_data_json["tries"])
        if asked == [1]:
            route.fulfill(content_type="text/event-stream", body=f"event: answer\ndata: {found}\n\n")

    with site.visit(None, has_files=False, **PHONE) as page:  # whose clock stays as it is set
        page.get_by_role("button", name="Make levels").tap()
        hard = page.get_by_role("group", name="Make a level").get_by_role("button", name="Hard")
        hard.wait_for()
        page.route("**/api/generate", answer)
        page.clock.install(time=0)
        page.clock.pause_at(1)
        hard.tap()
        wait_until(lambda: page.evaluate("0") == 0 and len(asked) == 2)
        page.clock.run_for(5_000)
        expect(said(page)).to_contain_text(NEAREST)
        expect(page.get_by_role("region", name="The level")).to_contain_text("The nearest")
        hard.tap()
        wait_until(lambda: page.evaluate("0") == 0 and len(asked) == 3)
        page.clock.run_for(5_000)
        expect(said(page)).to_contain_text("No such level was found. Smaller boards take less time.")


def test_levels_that_were_not_found_are_counted_in_words(page: Any) -> None:
    def hurry(route: Any) -> None:
        route.continue_(post_data=json.dumps({**route.request.post_data_json, "tries": 20}))

    page.route("**/api/generate", hurry)
    page.get_by_label("Fewest moves, from").fill("60")
    make(page, 1, colours=3)
    refused = "no board needs 60 moves with 3 colours, 4 balls a tube and 2 empty tubes: 28 are enough for each"
    expect(page.locator(".making > [role=alert]")).to_have_text(refused)
    make(page, 1, colours=4)
    expect(said(page)).to_have_text(re.compile(r"^0 of 1 level made. No such level was found. " + NEAREST.pattern))
    expect(page.get_by_role("region", name="The level")).to_contain_text("The nearest")
    page.get_by_label("Fewest moves, from").fill("")
    make(page, 2, colours=2, seed=3)
    expect(said(page)).to_have_text("2 levels made.")
    make(page, 2, colours=2, seed=3)
    expect(said(page)).to_have_text("0 of 2 levels made. 2 levels were there already.")
    page.get_by_label("Fewest moves, from").fill("9")
    page.get_by_label("Fewest moves, to").fill("8")
    page.get_by_role("button", name="Make levels", exact=True).tap()
    assert page.evaluate("document.activeElement.validationMessage") == "Expected at least 9."


def test_making_is_stopped_and_what_is_there_stays(page: Any) -> None:
    page.get_by_label("Fewest moves, from").fill("10")
    make(page, 100, colours=5)
    page.locator(".levels li").first.wait_for()
    page.get_by_role("button", name="Stop").tap()
    expect(said(page)).to_contain_text(re.compile(r"^Stopped. \d+ of 100 levels made.$"))
    count = page.locator(".levels li").count()
    assert 0 < count < 100
    assert said(page).inner_text() == f"Stopped. {count} of 100 levels made."
    reload(page)
    expect(page.locator(".levels li")).to_have_count(count)


def test_files_are_read_whole_graded_and_sorted(page: Any, tmp_path: Path) -> None:
    claimed = {**EIGHT, "grades": {"optimum": {"value": 1, "how": "exact", "percentile": None}}}  # isn't taken on trust
    open_file(page, pack(tmp_path / "pack.jsonl", claimed, THREE, NO_WAY, THREE))
    expect(said(page)).to_have_text("3 boards added from pack.jsonl. 1 was there already.")
    wait_for_names(page, "Eight", "Three", "No way")
    expect(page.locator(".levels button").first).to_contain_text("not graded")
    assert all("grades" not in board for board in saved(page, tmp_path / "all.jsonl"))
    page.get_by_role("button", name="Grade", exact=True).tap()
    expect(said(page)).to_have_text("3 levels graded.")
    expect(page.locator(".levels button").nth(2)).to_contain_text("no solution")
    expect(page.locator(".levels button").nth(1)).to_contain_text("3 moves · easy")
    expect(page.get_by_role("button", name="Grade", exact=True)).to_be_hidden()
    page.get_by_label("Sort by").select_option("Fewest moves")
    wait_for_names(page, "Three", "Eight", "No way")  # what has no such figure is last
    page.get_by_role("button", name="Descending").tap()
    wait_for_names(page, "Eight", "Three", "No way")
    page.get_by_label("Sort by").select_option("Name")
    remove = page.locator(".making > .stack").get_by_role("button", name="Delete")
    expect(remove).to_be_disabled()
    page.get_by_label("Choose Three").check()
    page.get_by_label("Choose No way").check()
    assert [board["name"] for board in saved(page, tmp_path / "some.jsonl")] == ["Three", "No way"]
    assert json.loads((tmp_path / "some.jsonl").read_text().splitlines()[1])["optimal"] == {"ball-sort": "unsolvable"}
    remove.tap()
    wait_for_names(page, "Eight")
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator(".levels li")).to_have_count(3)


def test_what_cannot_be_read_of_a_file_is_named_and_boards_of_a_dropped_one_are_added(
    page: Any, tmp_path: Path
) -> None:
    bad = {"puzzle": "ball-sort", "capacity": 2, "tubes": 5}
    open_file(page, pack(tmp_path / "pack.jsonl", SMALL, bad))
    expect(page.locator(".making > [role=alert]")).to_contain_text("line 2: tubes")
    assert names(page) == []
    many = [{**SMALL, "note": number, "more": "x" * 2_000} for number in range(200)]
    many[2:2] = [bad] * 4  # one request has the lines up to 73
    drop(page, pack(tmp_path / "pack.jsonl", *many, {"puzzle": "ball-sort", "capacity": 0, "tubes": []}))
    listed = [f"line {number}: tubes: expected a list, found 5" for number in (3, 4, 5)]
    expect(said(page)).to_have_text(
        f"200 boards added from pack.jsonl. 5 boards can't be read: {'; '.join(listed)}; and 2 more."
    )
    assert len(names(page)) == 200


def drop(page: Any, file: Path) -> None:
    give(page, {"name": file.name, "mimeType": "", "buffer": file.read_bytes()}, "drop")


@pytest.mark.slow
def test_a_level_is_named_played_changed_and_kept(page: Any, tmp_path: Path) -> None:
    open_file(page, pack(tmp_path / "pack.jsonl", THREE))
    page.get_by_role("button", name="Three").tap()
    name = page.get_by_role("textbox", name="Name")
    name.fill("<b>Tricky</b>")
    name.press("Tab")
    page.get_by_role("button", name="How hard is it?").tap()
    expect(page.locator(".level .difficulty")).to_have_text("easy")
    expect(page.locator(".level tbody tr").first).to_have_text("Fewest moves3")
    page.get_by_role("dialog").get_by_role("button", name="Change").tap()
    for what in ("Tube 2, cell 2 ", "Nothing there", "Tube 3, cell 1 ", "a, 1 left"):
        page.get_by_role("button", name=what).tap()
    page.get_by_text("solved in 2 moves at best, proved.").wait_for()
    page.get_by_role("button", name="More", exact=True).tap()
    page.get_by_role("button", name="Keep level").tap()
    wait_for_names(page, "<b>Tricky</b>", "<b>Tricky</b> (2)")
    expect(said(page)).to_have_text("<b>Tricky</b> (2) added.")
    page.get_by_role("button", name="(2)").tap()
    page.get_by_role("dialog").get_by_role("button", name="Play").tap()
    left(page, 2)
    expect(page.get_by_role("heading", name="<b>Tricky</b> (2)")).to_be_visible()
    page.get_by_role("button", name="Grade this board").tap()
    expect(page.locator(".grade .difficulty")).to_have_text("easy")
    back(page)
    reload(page)
    wait_for_names(page, "<b>Tricky</b>", "<b>Tricky</b> (2)")
    expect(page.locator(".levels button").first).to_contain_text("3 moves · easy")


@pytest.mark.slow
def test_a_full_gallery_says_so(page: Any, tmp_path: Path) -> None:
    page.evaluate(
        """(board) => localStorage.setItem("bsp-sat levels", JSON.stringify(Array.from({ length: 499 }, (_, id) => (
          { id, name: `Level ${id}`, board: { ...board, note: id }, summary: "", colours: [], grades: null }))))""",
        {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "a"], []]},
    )
    reload(page)
    expect(page.locator(".levels li")).to_have_count(499)
    open_file(page, pack(tmp_path / "pack.jsonl", THREE, EIGHT))
    alert = page.locator(".making > [role=alert]")
    expect(alert).to_have_text("There is room for 500 levels. Save some as a file and delete them.")
    expect(page.locator(".levels li")).to_have_count(500)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    page.locator(".levels button").last.tap()
    page.get_by_role("dialog").get_by_role("button", name="Delete").tap()
    expect(alert).to_contain_text("The browser has no room for more")


@pytest.mark.slow
def test_two_tabs_show_the_same_levels(page: Any, tmp_path: Path) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Make levels").tap()
    open_file(other, pack(tmp_path / "pack.jsonl", THREE))
    wait_for_names(page, "Three")


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
    expect(verdict).to_have_text("water-sort, 2 colours, 2 tubes of 2: it has no solution, proved.")
    page.get_by_role("button", name="More tubes").tap()
    expect(verdict).to_contain_text("solved in 3 moves at best, proved.")
    undo = page.get_by_role("button", name="Undo")
    undo.tap()
    expect(verdict).to_contain_text("it has no solution, proved.")
    undo.tap()
    expect(solve).to_be_disabled()
    page.keyboard.press("Control+Shift+z")
    expect(verdict).to_contain_text("it has no solution, proved.")
    menu = page.get_by_role("dialog", name="More")
    for what in ("Redo", "Keep level"):
        page.get_by_role("button", name="More", exact=True).tap()
        menu.get_by_role("button", name=what).tap()
        if what == "Redo":
            expect(verdict).to_contain_text("solved in 3 moves at best, proved.")
            expect(page.locator(".entry-tube")).to_have_count(3)
    wait_for_names(page, "Level 1")


@pytest.mark.slow
def test_drawing_ends_earlier_questions(page: Any) -> None:
    """A board that takes minutes: bounds while the search runs, which ends as soon as the board is another one."""
    ended: list[str] = []
    page.on("requestfailed", lambda request: ended.append(request.url.rpartition("/")[2]))
    page.evaluate(
        """(board) => localStorage.setItem("bsp-sat levels", JSON.stringify([
          { id: 1, name: "Vast", board, summary: "", colours: [], grades: null }]))""",
        {key: value for key, value in HARD.items() if key != "name"},
    )
    reload(page)
    page.get_by_role("button", name="Vast").tap()
    page.get_by_role("dialog").get_by_role("button", name="Change").tap()
    verdict = page.locator(".enter p[role=status]")
    expect(verdict).to_contain_text(re.compile(r"at least \d+ moves"))
    page.get_by_role("button", name="More", exact=True).tap()
    page.get_by_role("button", name="Empty board").tap()
    expect(verdict).to_contain_text("Tap each tube’s colours")  # as on every board without any
    page.wait_for_timeout(400)  # in which the server isn't asked about nothing
    expect(verdict).to_contain_text("Tap each tube’s colours")
    assert ended == ["solve"]
    page.get_by_role("button", name="Undo").tap()
    expect(verdict).to_contain_text(re.compile(r"at least \d+ moves"))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(320, 568), (844, 390), (1280, 800)])
def test_nothing_on_the_page_of_levels_needs_scrolling_sideways(
    site: Site, tmp_path: Path, size: tuple[int, int]
) -> None:
    shot = {"name": "balls", "puzzle": "shot", "balls": [[3, 4], [3, 6]]}
    tiles = {"name": "a very long name " * 3, "puzzle": "tiles", "columns": [["red", "blue"], ["red", "red"]]}
    hidden = {
        "puzzle": "water-sort",
        "capacity": 2,
        "tubes": [[None, "b"], [None, "a"], []],
        "colours": {"a": 2, "b": 2},
    }
    scheme = "dark" if size[0] < 400 else "light"
    with site.visit(None, viewport=dict(zip(("width", "height"), size, strict=True)), color_scheme=scheme) as page:
        page.get_by_role("button", name="Make levels").click()
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open a file").click()
        chooser.value.set_files(pack(tmp_path / "pack.jsonl", THREE, shot, tiles, hidden))
        expect(page.locator(".levels li")).to_have_count(4)
        page.get_by_role("button", name="Grade", exact=True).click()
        expect(said(page)).to_contain_text("1 level graded. 3 not:")
        page.get_by_text("By numbers").click()
        page.get_by_text("More ranges").click()
        page.get_by_label("Sort by").select_option("Lost positions")
        page.get_by_label("Choose balls").check()
        for state in ("gallery", "level"):
            if state == "level":
                page.get_by_role("button", name="Three").click()
            assert violations(page) == [], state
            shown = page.locator("html, dialog[open]")
            assert max(shown.evaluate_all("all => all.map((each) => each.scrollWidth)")) <= size[0], state


@pytest.mark.slow
def test_levels_are_made_by_keys_alone(site: Site, tmp_path: Path) -> None:
    with site.visit(None) as page:
        page.get_by_role("button", name="Make levels").press("Enter")
        page.locator("summary", has_text="By numbers").press("Enter")
        page.get_by_label("Colours").press("Control+a")
        page.keyboard.type("3")
        page.get_by_label("How many").press("Control+a")
        page.keyboard.type("2")
        page.keyboard.press("Enter")
        expect(said(page)).to_have_text("2 levels made.")
        assert page.evaluate("document.activeElement.className") == "row running"  # where the way to stop it was
        page.get_by_label("Choose Level 1").press("Space")
        expect(page.get_by_role("heading", name="1 of 2 levels chosen")).to_be_visible()
        page.get_by_role("button", name="Level 2").press("Enter")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.dataset.level") == "2"
        page.locator(".making > .stack").get_by_role("button", name="Delete").press("Enter")
        wait_for_names(page, "Level 2")
        page.keyboard.press("Enter")  # on Undo
        wait_for_names(page, "Level 1", "Level 2")
