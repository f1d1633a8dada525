"""The screen for learning: why, bounds over time, what a SAT solver gets."""

import json
import re
from typing import Any

import pytest

from bsp_sat import BallSort, random_boards
from bsp_sat.instances.files import parse_instances
from tests.support.browser import PHONE, Site, back, packed, says
from tests.support.optional import needed

expect = needed("playwright.sync_api", "browser").expect

EASY = parse_instances("caac|bbac|bbac|-")[0].to_json()
"""Solved in 12 moves; the lower bound is 9."""
LOST = parse_instances("bcc|baa|bca|-")[0].to_json()
LONG = next(random_boards(BallSort, 20, 4, 2, seed=5)).to_json()
"""Takes SAT minutes, and has its formula in a moment."""


def learn(page: Any, lesson: str, board: dict[str, Any] | str = EASY) -> None:
    """Opens a lesson by its address."""
    fragment = board if isinstance(board, str) else packed(board)
    page.evaluate("(address) => history.pushState({}, '', address)", f"?learn={lesson}#{fragment}")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    page.get_by_role("tabpanel").wait_for()


def status(page: Any) -> Any:
    return page.get_by_role("tabpanel").get_by_role("status")


def press(page: Any, name: str) -> None:
    page.get_by_role("tabpanel").get_by_role("button", name=name, exact=True).tap()


def rows(page: Any, table: str) -> list[list[str]]:
    """The texts of a table."""
    found = page.get_by_role("region", name=table).locator("tbody tr")
    return [row.locator("th, td").all_inner_texts() for row in found.all()]


def test_the_page_says_why_a_position_is_lost_and_why_there_is_no_shorter_solution(page: Any, site: Site) -> None:
    page.goto(f"{site.address}#{packed(LOST)}")
    says(page, "lost", "None")
    page.get_by_role("button", name="Why?").tap()
    expect(status(page)).to_have_text("Lost: no moves lead to the end.")
    reason = page.locator(".reasons").inner_text()
    figure = re.fullmatch(r"([\d,]+) different positions can follow. All were looked at, and none is solved.", reason)
    assert figure is not None
    assert figure[1] in page.locator(".figures").inner_text()
    back(page)
    says(page, "lost", "None")
    page.goto(f"{site.address}#level-80")
    says(page, "optimal", "38")
    page.locator('#board .tube[data-place="2"]').tap()
    page.locator('#board .tube[data-place="9"]').tap()
    says(page, "optimal", "37")
    page.get_by_role("button", name="Why?").tap()
    expect(status(page)).to_have_text("Not in 36: it takes 37.")  # of the position, not of the board
    expect(page.locator(".reasons")).to_contain_text(re.compile(r"A search excluded plans of \d+ to 36 moves"))
    expect(page.locator(".about-board")).to_contain_text("after 1 move")
    page.get_by_role("button", name="Play it").tap()
    says(page, "optimal", "37")


def test_bounds_are_drawn_as_they_are_proved_and_questions_to_a_sat_solver_are_listed(page: Any) -> None:
    learn(page, "bounds")  # a board that a loaded machine settles within the server's time too
    press(page, "Prove it")
    expect(status(page)).to_have_text("Proved: 12 moves are enough, and fewer are impossible.")
    found = rows(page, "Bounds over time")
    assert found[0][1:] in (["0", "–"], ["9", "–"])  # before the bound of the board, or with it
    assert found[-1][1:] == ["12", "12"]
    assert page.get_by_role("img", name=re.compile("exactly 12 moves")).count() == 1
    page.get_by_role("tab", name="SAT").tap()
    expect(page).to_have_url(re.compile("[?]learn=questions#"))
    encoding, solver = (page.get_by_role("combobox", name=name) for name in ("Encoding", "SAT solver"))
    for choice in (encoding, solver):
        expect(choice).to_have_value(re.compile(r"\w"))  # it shows what will be taken
    encoding.select_option("homes")
    solver.select_option("glucose4")
    with page.expect_request("**/api/horizons") as request:
        press(page, "Ask the solver")
    asked = request.value.post_data_json
    assert (asked["encoding"], asked["solver"]) == ("homes", "glucose4")
    expect(status(page)).to_contain_text("The last answer is a solution of 12 moves, and fewer are excluded.")
    found = rows(page, "Questions and answers")
    assert [row[:2] for row in found] == [["9", "no"], ["11", "no"], ["12", "yes"]]
    for row in found:
        assert all(re.fullmatch(r"[\d,.]+", cell) for cell in row[2:])


POINTS = [(0.5, 32, 40), (2.0, 35, 38), (4.0, 38, 38)]


@pytest.mark.slow
def test_bounds_can_be_replayed_step_by_step(site: Site) -> None:
    events = [("progress", {"seconds": seconds, "lower": low, "upper": high}) for seconds, low, high in POINTS]
    end = {"status": "optimal", "seconds": 5, "lower_bound": 38, "length": 38, "plan": None, "stats": {}}
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in [*events, ("answer", end)])
    with site.visit(None, has_files=False, **PHONE) as page:  # whose clock stays as it is set
        page.route("**/api/horizons", lambda route: route.fulfill(content_type="text/event-stream", body=body))
        learn(page, "questions", "level-80")
        expect(page.get_by_role("combobox", name="Encoding")).to_be_enabled()  # what is known of the board has come
        page.get_by_role("tab", name="Bounds").tap()
        press(page, "Prove it")
        whole = [["0", "31", "–"], ["0.50", "32", "40"], ["2.00", "35", "38"], ["4.00", "38", "38"]]
        slider = page.get_by_role("slider", name="Step of the replay")
        expect(slider).to_have_value("4")
        assert rows(page, "Bounds over time") == whole
        drawn = [page.locator(f".chart .{line}").get_attribute("d") for line in ("lower", "upper")]
        # Level until the next point: as many steps as there are changes.
        assert [line.count("V") for line in drawn] == [3, 2]
        press(page, "One step back")
        assert rows(page, "Bounds over time") == whole[:3]
        assert page.get_by_role("img", name="After 2.00 s: at least 35 moves, at most 38.").count() == 1
        assert page.locator(".chart .lower").get_attribute("d").count("V") == 2
        slider.press("Home")
        assert page.get_by_role("img", name="After 0 s: at least 31 moves; no solution yet.").count() == 1
        assert page.locator(".chart .upper").count() == 0
        page.clock.install(time=0)
        page.clock.pause_at(1)
        press(page, "Replay slowly")
        page.clock.run_for(1_000)
        expect(slider).to_have_value("2")
        press(page, "Pause")
        page.clock.run_for(5_000)
        expect(slider).to_have_value("2")
        press(page, "Replay slowly")
        page.clock.run_for(2_000)
        expect(slider).to_have_value("4")
        expect(page.get_by_role("button", name="Replay slowly")).to_be_visible()
        page.get_by_role("tab", name="Why").tap()
        page.get_by_role("tab", name="Bounds").tap()
        assert rows(page, "Bounds over time") == whole  # it is kept


def test_the_formula_of_a_board_is_shown_and_keys_lead_to_other_lessons(page: Any) -> None:
    learn(page, "formula")
    expect(page.get_by_label("Moves allowed")).to_have_value("9")
    page.get_by_label("Moves allowed").fill("11")
    press(page, "Show the formula")
    expect(status(page)).to_contain_text("If they can't all hold, no plan has 11 moves or fewer.")
    variables, clauses = (
        sum(int(row[1].replace(",", "")) for row in rows(page, f"{what} by kind")) for what in ("Variables", "Clauses")
    )
    expect(status(page)).to_have_text(re.compile(f"^{variables:,} variables and {clauses:,} clauses"))
    kinds = {row[0]: row[2] for row in rows(page, "Variables by kind")}
    assert kinds["before(x, y)"] == "block x is dug before block y"
    page.get_by_label("A clause of the kind").select_option("events")
    expect(page.locator(".clause")).to_have_text("before(0,3) → before(1,3)")
    expect(page.locator(".clause + p")).to_have_text(
        "If block 0 is dug before block 3, then block 1 is dug before block 3."
    )
    page.get_by_label("A clause of the kind").select_option("keep")
    expect(page.locator(".clause")).not_to_have_text("before(0,3) → before(1,3)")
    page.get_by_text("The blocks by number").tap()
    assert rows(page, "Blocks of the board")[0] == ["0", "1", "1", "1", "c"]
    page.get_by_role("tab", name="Formula").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tabpanel", name="Start here")).to_be_visible()
    learn(page, "formula", {"puzzle": "tiles", "columns": [["a", "b", "a"], ["b"], ["b", "a"]]})  # without blocks
    page.get_by_role("tab", name="Formula").tap()
    press(page, "Show the formula")
    expect(status(page)).to_contain_text("clauses. If they can't all hold")
    expect(page.get_by_text("The blocks by number")).to_be_hidden()
    assert page.get_by_role("combobox", name="Encoding").inner_text() == "clicks"


def test_five_steps_lead_from_a_board_to_a_proof(page: Any) -> None:
    page.get_by_role("button", name="Learn").tap()
    page.get_by_role("button", name=re.compile("level-80$")).wait_for()
    expect(page.get_by_role("tablist")).to_be_hidden()
    page.get_by_role("button", name="Start here").tap()
    panel = page.get_by_role("tabpanel", name="Start here")
    following = panel.get_by_role("button", name="Next")
    expect(panel).to_contain_text("1 of 5")
    expect(following).to_be_enabled()
    following.tap()
    expect(panel).to_contain_text("Can it be done in 4 moves?")
    assert panel.locator("li").count() >= 2
    expect(panel).to_contain_text("A block is a run of one colour.")
    following.tap()
    expect(panel.locator(".clause")).not_to_have_text("")
    following.tap()
    expect(panel.locator("tbody tr")).to_have_text(
        [re.compile("^at most 4no"), re.compile("^at most 5no"), re.compile("^at most 6yes")]
    )
    expect(panel).to_contain_text(re.compile("The solution: (. → ., ){5}. → ."))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.evaluate("scrollTo(0, 0)")
    expect(following).to_be_in_viewport(ratio=1)  # of a laptop
    following.tap()
    expect(panel).to_contain_text("6 moves are enough, and 5 are not.")
    expect(following).to_be_disabled()


@pytest.mark.slow
def test_a_lesson_runs_one_search_at_a_time(page: Any) -> None:
    """The server runs one at a time here: an answer to the second shows that the first has ended."""
    learn(page, "bounds", LONG)
    press(page, "Prove it")
    expect(status(page)).to_contain_text("So far: at least")
    press(page, "Stop")
    expect(status(page)).to_contain_text("Stopped: at least")
    press(page, "Prove it")
    expect(status(page)).to_contain_text("So far: at least")
    page.get_by_role("tab", name="Formula").tap()
    press(page, "Show the formula")
    expect(status(page)).to_contain_text("variables and")
    page.get_by_role("tab", name="Bounds").tap()
    expect(status(page)).to_contain_text("Stopped: at least")


def test_lessons_do_without_covered_cells_and_follow_another_board(page: Any, site: Site) -> None:
    board = {"puzzle": "ball-sort", "capacity": 2, "tubes": [[None, "b"], [None, "a"], []], "colours": {"a": 2, "b": 2}}
    page.goto(f"{site.address}?learn=why#{packed(board)}")
    expect(page.get_by_role("alert").filter(has_text="Some cells of this board are covered.")).to_be_visible()
    expect(page.get_by_role("tablist")).to_be_hidden()
    page.get_by_role("button", name="Another board").tap()
    level = page.get_by_role("button", name=re.compile("level-80$"))
    level.wait_for()
    titles = page.locator(".boards b").all_inner_texts()
    assert len({*titles}) == len(titles) > 10  # each says what it alone shows
    level.tap()
    expect(page.locator(".reasons")).to_contain_text("31 moves or more")
    page.get_by_role("button", name="Another board").tap()
    page.get_by_role("button", name="tiles-2022-11-16").tap()
    expect(page.locator(".reasons")).not_to_contain_text("31 moves")
    expect(status(page)).to_have_text("Not in 7: it takes 8.")
    expect(page.get_by_role("heading", name="Learn: tiles-2022-11-16")).to_be_visible()


RIMS = """
() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const painted = (...paints) => {
    for (const paint of paints) Object.assign(context, { fillStyle: paint }).fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map(
      (value) => (value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4),
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const inside = getComputedStyle(document.querySelector(".learn .glass")).fill;
  return [...document.querySelectorAll(".learn .cell .body")].map((body) => {
    const { fill, stroke, strokeWidth } = getComputedStyle(body);
    const seen = [painted(fill), ...(stroke === "none" || parseFloat(strokeWidth) < 1 ? [] : [painted(fill, stroke)])];
    const ground = painted(inside);
    return Math.max(...seen.map((each) => Math.max(each, ground) / Math.min(each, ground)));
  });
}
"""
"""The contrast of each cell, or of its rim, to the inside of the tube."""


@pytest.mark.parametrize("puzzle", ["ball-sort", "water-sort"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.sampled(every=3)
def test_colours_near_the_ground_have_an_outline(site: Site, puzzle: str, scheme: str) -> None:
    names = ["black", "navy", "purple", "maroon", "red", "white", "yellow", "grey", "mint", "orange"]
    board = {"puzzle": puzzle, "capacity": 10, "tubes": [names, names[1:] + names[:1], *[[]] * 2, *[names] * 8]}
    with site.visit(None, **PHONE, color_scheme=scheme) as page:
        learn(page, "formula", board)
        contrasts = page.evaluate(RIMS)
        assert len(contrasts) == 100
        assert min(contrasts) >= 3
