"""Levels to play for fun: on a phone, by keys, with hints, stars, an analysis, and what the browser keeps."""

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bsp_sat import BallSort, solve
from bsp_sat.instances.sorting import Pour
from tests.apps.page.conftest import Ask
from tests.support.browser import PHONE, Site, back, heard, more, reload
from tests.support.helpers import wait_until
from tests.support.optional import needed

expect = needed("playwright.sync_api", "browser").expect

LEVELS = json.loads((Path(__file__).parents[3] / "apps/page/data/levels.json").read_text(encoding="utf-8"))
SIZES = ((390, 664), (320, 568), (844, 390), (1200, 900), (600, 450))
"""A phone, a small one, a phone on its side, a laptop, and the laptop with everything twice as large."""
SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
OPTIMUM = 13
"""Of the first easy level."""
BAD_START = ((2, 6), (6, 7), (7, 6))
"""Of which the last two are for nothing there: a ball goes from one empty tube to another and back."""
LOSING = ((5, 6), (5, 7), (3, 7), (5, 3))
"""Moves there after which it can't be solved."""


@pytest.fixture
def page(site: Site) -> Iterator[Any]:
    with site.visit(None, **PHONE) as page:
        begin(page)
        yield page


def begin(page: Any) -> None:
    page.get_by_role("button", name="Levels", exact=True).click()
    expect(page.locator(".level-screen .tube").first).to_be_visible()


def level(page: Any, name: str | re.Pattern[str], puzzle: str = "Ball sort") -> None:
    """Waits until a level shows."""
    expect(page.locator(".level-name b")).to_have_text(name)
    expect(page.locator(".level-name small")).to_contain_text(puzzle)


def tube(page: Any, number: int) -> Any:
    return page.locator(f'.level-screen .tube[data-place="{number - 1}"]')


def chip(page: Any, words: str) -> None:
    expect(page.locator(".proof-chip")).to_have_text(words)


def pour(page: Any, *moves: tuple[int, int]) -> None:
    """Makes moves."""
    for move in moves:
        for number in move:
            tube(page, number).click()
        expect(tube(page, move[0])).to_have_attribute("aria-pressed", "false")


def hinted(page: Any) -> tuple[int, int]:
    """Asks for a hint, and gives back the move that the arrow shows."""
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".pointer .arrow")).to_have_count(1)
    found = re.findall(r"tube (\d+)", page.locator(".level-notice p").inner_text())
    return int(found[0]), int(found[1])


def win(page: Any, *played: tuple[int, int], tubes: int = 7) -> int:
    """Plays the first level to its end by keys, with no move too many after those played; gives back how many."""
    letters = LEVELS["packs"]["ball-sort"]["easy"][0].split()[0]
    filled = [letters[start : start + 4] for start in range(0, len(letters), 4)]
    board = BallSort.from_text("|".join([*filled, *["-"] * (tubes - len(filled))]))
    for source, target in played:
        board = board.apply(Pour(source - 1, target - 1))
    plan = solve(board).plan or ()
    for move in plan:
        page.keyboard.type(f"{move.source + 1}{move.target + 1}")
    expect(page.get_by_role("button", name="Next level").first).to_be_focused()
    return len(plan)


def test_a_level_that_is_sent_opens_as_a_level_with_its_moves(page: Any, site: Site) -> None:
    pour(page, (1, 6))
    chip(page, "12 left")
    page.wait_for_url("**#1.*")
    link = page.url
    with site.visit(None, **PHONE) as other:
        other.goto(link)
        level(other, "Easy 1")
        chip(other, "12 left")
        expect(tube(other, 6)).to_have_attribute("aria-label", re.compile("room for 3"))
        other.goto(f"{site.address}?#level.water-sort.hard.7.30")
        level(other, "Hard 7", "Water sort")
        expect(other.locator(".level-notice p")).to_have_text(re.compile("^Sent to you: ★.☆ 30 moves.* Your turn[.]$"))
        expect(other.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_level_that_was_solved_with_a_hint_is_sent_with_its_stars(page: Any, site: Site) -> None:
    pour(page, hinted(page))
    _, moves = page.evaluate(GAME)
    win(page, *[(source + 1, target + 1) for source, target in moves])
    more(page, "Share")
    link = page.get_by_label("Link")
    expect(link).to_have_value(re.compile("#1[.]"))
    with site.visit(None, **PHONE) as other:
        other.goto(link.input_value())
        result(other, 2, "13 moves, the best possible, with a hint")


GAME = """async () => {
  const { unpack } = await (await import("./page/main.js")).$load("core/link.js");
  const { board, steps } = await unpack(location.hash.slice(1));
  return [board, steps.map((step) => step.move)];
}"""
"""The board in play, and the moves made."""


def result(page: Any, stars: int, words: str) -> None:
    expect(page.get_by_role("img", name=f"{stars} of 3 stars")).to_be_visible()
    expect(page.locator(".ended .sentence")).to_have_text(words)


def choose(page: Any, *buttons: str) -> None:
    page.get_by_title("Choose a level").click()
    for name in buttons:
        page.get_by_role("dialog").get_by_role("button", name=name, exact=True).first.click()


def test_play_lands_on_a_fresh_easy_board_that_fits(page: Any) -> None:
    level(page, "Easy 1")
    expect(page.locator(".level-screen .tube")).to_have_count(7)
    expect(page.locator(".level-screen .sign:visible")).to_have_count(0)  # no letters
    assert tube(page, 1).bounding_box()["width"] >= 50
    chip(page, f"{OPTIMUM} left")
    for name, puzzle, optimum in (("Easy 1", "Ball sort", OPTIMUM), ("Expert 100", "Water sort", 42)):
        choose(page, puzzle, name.split()[0], f"{name}, best possible {optimum}")
        level(page, name, puzzle)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            wait_until(partial(all_fits, page, [width, height]))  # when the board is drawn again


def test_the_first_screen_fills_the_window_and_is_not_scrolled(site: Site) -> None:
    with site.visit(None, **PHONE) as page:
        page.locator(".today .tube").first.wait_for()
        for size in [*SIZES, (390, 844), (820, 1180), (1366, 768)]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            wait_until(partial(is_in_the_middle, page, size))  # when it is drawn again


def test_a_tap_on_todays_level_begins_it_and_another_one_comes_after_it(site: Site) -> None:
    with site.visit(None, **PHONE) as page:
        page.locator(".today .tube").nth(1).tap()
        expect(tube(page, 2)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".level-name small")).to_contain_text("daily level")
        page.locator(".tube[data-target]").first.tap()
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()
        stands = page.locator(".tube").evaluate_all(LABELS)
        page.get_by_role("button", name="Home").click()
        page.get_by_role("button", name="Continue", exact=True).wait_for()
        assert page.locator(".today .tube").evaluate_all(LABELS) == stands  # and not its start
        days = "[0, 1, 3].map((ago) => Math.floor(Date.now() / 86_400_000) - ago).reverse()"
        page.evaluate(f"localStorage.setItem('bsp-sat results', JSON.stringify({{ best: {{}}, days: {days} }}))")
        reload(page)
        expect(page.locator(".today")).to_contain_text("Next level")
        expect(page.locator(".today")).to_contain_text("2 days in a row")
        page.get_by_role("img", name="Solved on 3 of the last 7 days").wait_for()
        page.get_by_role("button", name="Play", exact=True).click()
        level(page, re.compile(" 1$"))  # of the difficulty that this day's level has


LABELS = "all => all.map((each) => each.ariaLabel.split('. Move')[0])"
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shifted += each.value; })
  .observe({ type: "layout-shift", buffered: true });
"""


def test_nothing_on_the_first_screen_moves_when_todays_level_comes(site: Site) -> None:
    with site.visit(None, has_files=False, **PHONE) as page:
        waiting: list[Any] = []
        page.add_init_script(SHIFTS)
        page.route("**/levels.json", lambda route: waiting.append(route))
        reload(page)
        page.get_by_role("button", name="Play").wait_for()
        wait_until(lambda: page.evaluate("new Promise(requestAnimationFrame)") and waiting)
        page.evaluate("document.fonts.ready.then(() => requestAnimationFrame(() => (window.shifted = 0)))")
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        waiting.pop().continue_()
        page.locator(".today .tube").first.wait_for()
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate("window.shifted") == 0


def is_in_the_middle(page: Any, size: tuple[int, int]) -> bool:
    """Whether nothing has to be scrolled, and as much is free above the first screen as below."""
    ends = page.locator(".home > *")
    boxes = ends.evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
    above, below = (min(box["top"] for box in boxes), size[1] - max(box["bottom"] for box in boxes))
    return page.evaluate(SIZE) == [*size] and abs(above - below) < 20


def all_fits(page: Any, size: list[int]) -> bool:
    """Whether nothing has to be scrolled, and all that can be touched is in sight."""
    page.wait_for_timeout(20)
    wanted = page.locator(".level-screen .tube, .level-tools button, .level-screen .top button")
    boxes = wanted.evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
    return page.evaluate(SIZE) == size and all(
        0 <= box["left"] < box["right"] <= size[0] and 0 <= box["top"] < box["bottom"] <= size[1] for box in boxes
    )


@pytest.mark.slow
def test_letters_show_where_the_system_asks_for_contrast_or_somebody_wants_them(site: Site, page: Any) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_label("Letters on colours").check()
    page.keyboard.press("Escape")
    expect(page.locator(".level-screen .sign:visible")).to_have_count(20)
    reload(page)
    expect(page.locator(".level-screen .sign:visible")).to_have_count(20)
    with site.visit(None, **PHONE) as other:
        features = [{"name": "prefers-contrast", "value": "more"}]
        other.context.new_cdp_session(other).send("Emulation.setEmulatedMedia", {"features": features})
        begin(other)
        expect(other.locator(".level-screen .sign:visible")).to_have_count(20)


def test_a_level_is_solved_by_hints_and_enter_goes_on(page: Any) -> None:
    tube(page, 7).click()  # which is empty
    expect(page.locator(".level-notice p")).to_have_text("Nothing can move from tube 7 now.")
    for left in range(OPTIMUM, 0, -1):
        chip(page, f"{left} left")
        move = hinted(page)
        said = "^Move [a-z ]+ from tube {} to tube {}[.]$".format(*move)
        expect(page.locator(".level-notice p")).to_have_text(re.compile(said))
        pour(page, move)
    expect(page.get_by_role("button", name="Next level").first).to_be_focused()
    result(page, 2, "13 moves, the best possible, with a hint")
    expect(page.locator(".level-screen .tube[data-complete]")).to_have_count(5)
    heard(page, "Solved: 13 moves, the best possible, with a hint.")
    page.keyboard.press("Enter")
    level(page, "Easy 2")
    expect(page.locator(".tube:focus")).to_have_count(1)
    page.get_by_title("Choose a level").click()
    page.get_by_role("button", name="Easy 1, solved, 2 stars, best possible 13").wait_for()
    page.keyboard.press("Escape")
    page.get_by_title("Choose a level").click()
    page.get_by_text("1 of 100 solved, 2 of 300 stars.").wait_for()
    page.get_by_text("5 colours, 2 of 30 stars").wait_for()


@pytest.mark.slow
def test_lost_moves_are_marked_in_the_analysis_with_better_ones(page: Any, ask: Ask) -> None:
    pour(page, *BAD_START)
    win(page, *BAD_START)
    result(page, 2, "15 moves, best possible 13")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".moved [role=status]")).to_have_text(re.compile("^2 moves lost in"))
    board, moves = page.evaluate(GAME)
    lengths = [ask("solve", board=board, moves=moves[:made])["length"] for made in range(len(moves))] + [0]
    costs = [after + 1 - before for before, after in pairwise(lengths)]
    lost = [made for made, cost in enumerate(costs) if cost]
    expected = ["Move {}: {} → {}, +{}".format(m + 1, *(tube + 1 for tube in moves[m]), costs[m]) for m in lost]
    marked = page.locator(".move-list button:has(b)")
    assert marked.evaluate_all("all => all.map((each) => each.ariaLabel)") == expected
    page.get_by_role("button", name="2 moves lost in 2 places").click()
    says = re.compile(rf"^{expected[0].replace(':', ',').replace(', +', ', cost ')}[.] Better: (\d+) → (\d+)[.]$")
    expect(page.locator("#notice")).to_have_text(says)
    better = [int(number) - 1 for number in says.match(page.locator("#notice").inner_text()).groups()]
    after = ask("solve", board=board, moves=[*moves[: lost[0]], better])["length"]
    assert after == lengths[lost[0]] - 1


def is_beside(page: Any, size: tuple[int, int]) -> bool:
    """Whether all of the result is in the window, and below the board or to its right."""
    page.wait_for_timeout(20)
    board = page.locator(".level-screen .tubes").bounding_box()
    boxes = [each.bounding_box() for each in page.locator(".ended, .ended p, .ended button").all()]
    below = boxes[0]["y"] >= board["y"] + board["height"] or boxes[0]["x"] >= board["x"] + board["width"]
    ends = [(box["x"] + box["width"], box["y"] + box["height"]) for box in boxes]
    return bool(below and all(0 < right <= size[0] and 0 < bottom <= size[1] for right, bottom in ends))


@pytest.mark.sampled(every=2)
def test_a_win_leaves_the_board_in_sight_and_where_it_is(page: Any) -> None:
    before = tube(page, 1).bounding_box()
    win(page)
    expect(page.locator(".confetti")).to_have_count(0)  # none stays
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        wait_until(partial(is_beside, page, size))  # when the board is drawn again
        if size == SIZES[0]:
            assert tube(page, 1).bounding_box() == before


def test_a_hint_costs_a_star_and_says_so_before(page: Any) -> None:
    expect(page.get_by_role("button", name="Hint, costs a star")).to_have_text("Hint −★")
    hinted(page)
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_text("Hint")
    reload(page)
    page.get_by_role("button", name="Hint, costs a star").wait_for()
    win(page)
    result(page, 3, "13 moves, the best possible")  # nothing was played with the hint
    page.get_by_role("button", name="Play it again").click()
    pour(page, hinted(page))
    reload(page)
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_text("Hint")
    page.get_by_role("button", name="Undo").click()
    win(page)
    result(page, 2, "13 moves, the best possible, with a hint")


def test_a_result_is_shared_as_text_without_a_link(site: Site) -> None:
    with site.visit(None, permissions=["clipboard-read", "clipboard-write"]) as page:
        begin(page)
        for move in BAD_START:
            hinted(page)  # now the moves left are proved
            pour(page, move)
        hinted(page)
        win(page, *BAD_START)
        page.get_by_role("button", name="Share the result").click()
        expect(page.locator(".ended .sentence")).to_have_text("Copied: paste it anywhere.")
        title, stars, squares = page.evaluate("navigator.clipboard.readText()").splitlines()
        assert title == "Fewest Moves · Ball sort, easy 1"
        assert stars == "★★☆ 15 moves, best possible 13, with a hint"
        assert squares == "🟩🟨🟨" + 12 * "🟩"


def test_stars_are_forgotten_when_asked_and_come_back(page: Any) -> None:
    win(page)
    page.get_by_title("Choose a level").click()
    page.get_by_role("button", name="Forget what I solved").click()
    sheet = page.get_by_role("dialog", name="Forget what I solved")
    expect(sheet).to_contain_text("The stars of 1 level")
    below = "each => each.clientHeight - each.lastElementChild.offsetTop - each.lastElementChild.offsetHeight"
    assert sheet.evaluate(below) < 40  # a sheet is no higher than what it says
    stars = "Object.keys(JSON.parse(localStorage.getItem('bsp-sat results')).best).length"
    assert page.evaluate(stars) == 1
    sheet.get_by_role("button", name="Forget them").click()
    assert page.evaluate(stars) == 0
    sheet.get_by_role("button", name="Undo").click()
    assert page.evaluate(stars) == 1
    sheet.get_by_role("button", name="Forget them").click()
    page.keyboard.press("Escape")
    page.get_by_title("Choose a level").click()
    page.get_by_text("0 of 100 solved, 0 of 300 stars.").wait_for()


def test_the_rule_is_said_until_three_levels_are_solved_and_a_browser_that_keeps_nothing_is_named(page: Any) -> None:
    expect(page.locator(".level-line")).to_have_text("Move onto the same colour or into an empty tube.")
    best = {f"ball-sort easy {number}": 20 for number in (1, 2, 3)}
    page.evaluate("kept => localStorage.setItem('bsp-sat results', kept)", json.dumps({"best": best, "days": []}))
    reload(page)
    level(page, "Easy 1")
    expect(page.locator(".level-line")).to_have_text("")
    page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; 0")
    more(page, "Another level")
    expect(page.locator(".level-line")).to_contain_text("This browser keeps nothing")


def test_a_tube_can_be_added_and_costs_the_stars(page: Any) -> None:
    pour(page, BAD_START[0])
    page.get_by_role("button", name="Add a tube").click()
    expect(page.locator(".level-screen .tube")).to_have_count(8)
    expect(page.get_by_role("button", name="Add a tube")).to_be_disabled()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()  # the move is still made
    expect(page.locator(".proof-chip")).to_have_text(re.compile(r"^\d+ left$"))
    left = win(page, BAD_START[0], tubes=8)
    result(page, 1, f"{left + 1} moves, with a tube more")
    page.get_by_role("button", name="Play it again").click()
    expect(page.locator(".level-screen .tube")).to_have_count(7)
    chip(page, f"{OPTIMUM} left")


@pytest.mark.slow
def test_games_are_kept_in_a_list(page: Any, site: Site) -> None:
    pour(page, BAD_START[0])
    more(page, "Another level")
    level(page, "Easy 2")
    more(page, "Another level")
    level(page, "Easy 3")
    pour(page, BAD_START[0])
    kept = page.evaluate("JSON.parse(localStorage.getItem('bsp-sat games')).map((game) => game.board.name)")
    assert kept == ["Ball sort, easy 3", "Ball sort, easy 1"]
    more(page, "Your games")
    games = page.locator(".kept-games li")
    expect(games).to_have_text([re.compile("Ball sort, easy 3.*1 move"), re.compile("Ball sort, easy 1.*1 move")])
    games.last.get_by_role("button").first.click()
    level(page, "Easy 1")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    more(page, "Your games")
    page.get_by_role("button", name="Delete Ball sort, easy 3").click()
    expect(games).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Home").click()
    begin(page)
    level(page, "Easy 2")  # the first one that isn't begun
    page.get_by_role("button", name="Home").click()
    expect(page.get_by_role("button", name="Continue")).to_have_text("Continue Ball sort, easy 1")  # which is begun
    begin(page)
    level(page, "Easy 2")
    reload(page)
    level(page, "Easy 2")


@pytest.mark.slow
def test_the_daily_level_is_that_of_the_date(site: Site) -> None:
    with site.visit(None, has_files=False, **PHONE) as page:  # whose clock stays as it is set
        page.clock.set_fixed_time(datetime(2026, 3, 5, 12))
        begin(page)
        packs = [words for pack in LEVELS["packs"]["ball-sort"].values() for words in pack]
        number = 157 * (date(2026, 3, 5) - date(1970, 1, 1)).days % len(packs)
        name = f"{('Easy', 'Medium', 'Hard', 'Expert')[number // 100]} {number % 100 + 1}"
        choose(page, "Daily level")
        level(page, name, "Ball sort, daily level")
        chip(page, f"{packs[number].split()[1]} left")


def hide_moves_left(page: Any) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_label("Moves left").uncheck()
    page.keyboard.press("Escape")
    chip(page, "Analyse")


def test_the_proof_of_a_level_is_a_chip_that_opens_its_analysis(page: Any) -> None:
    chip(page, "13 left")
    page.locator(".proof-chip").click()
    expect(page.locator(".proof")).to_contain_text("No plan is shorter.")
    pour(page, *BAD_START)
    expect(page.locator(".proof")).to_contain_text("3 made, 15 in all, 2 more than the fewest")
    page.get_by_role("button", name="Close").click()
    chip(page, "12 left")
    expect(page.locator(".proof")).to_have_count(0)
    more(page, "Analyse this board")
    expect(page.get_by_role("slider", name="Moves made")).to_have_value("3")
    back(page)
    chip(page, "12 left")
    hide_moves_left(page)
    page.evaluate("window.announced = []")
    pour(page, (6, 7))
    hinted(page)
    pour(page, hinted(page))
    said = " ".join(page.evaluate("window.announced"))
    assert "Move " in said
    assert "proved" not in said
    back(page)
    page.get_by_role("button", name="Continue").click()  # and not the analysis, which was closed
    chip(page, "Analyse")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()


def test_a_lost_game_says_so_and_goes_back(page: Any) -> None:
    hide_moves_left(page)
    before = tube(page, 1).bounding_box()
    pour(page, *LOSING)
    expect(page.locator(".level-notice > button")).to_be_hidden()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".level-notice p")).to_have_text("Lost from here, proved.")
    heard(page, "Lost from here, proved. Take back 1 move.")
    assert tube(page, 1).bounding_box() == before  # the board hasn't been laid out again
    page.get_by_role("button", name="Take back 1").click()
    page.locator(".proof-chip").click()
    expect(page.locator(".proof .figure")).to_have_text(re.compile(r"^\d+$"))


def effects(page: Any) -> dict[str, int]:
    """How often something was moved, sounded and vibrated since last asked, and for how long at most."""
    counted: dict[str, int] = page.evaluate("() => { const { seen } = window; window.seen = nothing(); return seen; }")
    return counted


COUNT_EFFECTS = """
window.nothing = () => ({ moved: 0, longest: 0, sounds: 0, vibrations: 0, shaken: 0 });
window.seen = nothing();
Element.prototype.animate = new Proxy(Element.prototype.animate, { apply(animate, element, given) {
  window.seen.moved++;
  window.seen.shaken += element.classList.contains("tube");
  window.seen.longest = Math.max(window.seen.longest, given[1].duration + (given[1].delay ?? 0));
  return Reflect.apply(animate, element, given);
} });
AudioContext.prototype.createOscillator = new Proxy(AudioContext.prototype.createOscillator, {
  apply(create, audio, given) { window.seen.sounds++; return Reflect.apply(create, audio, given); } });
navigator.vibrate = () => { window.seen.vibrations++; return true; };
true;
"""


@pytest.mark.parametrize("puzzle", ["Ball sort", "Water sort"])
@pytest.mark.slow
def test_movement_sound_and_vibration_are_as_the_settings_say(site: Site, puzzle: str) -> None:
    pack = LEVELS["packs"][puzzle.lower().replace(" ", "-")]["easy"]
    with site.visit(None, **PHONE, reduced_motion="no-preference") as page:
        begin(page)
        choose(page, puzzle, "Easy", f"Easy 1, best possible {pack[0].split()[1]}")
        level(page, "Easy 1", puzzle)
        page.evaluate(COUNT_EFFECTS)
        pour(page, (1, 6))
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()
        seen = effects(page)
        assert seen["sounds"] == seen["vibrations"] == 0
        assert 0 < seen["longest"] <= 300
        expect(page.locator(".poured")).to_have_count(0)
        page.get_by_role("button", name="More").click()
        page.get_by_label("Sounds").check()
        page.get_by_label("Vibration").check()
        page.keyboard.press("Escape")
        effects(page)
        for motion, wanted in (("no-preference", [1, 1, 1]), ("reduce", [0, 0, 0])):
            page.emulate_media(reduced_motion=motion)
            tube(page, 7).click()  # which is empty
            expect(page.locator(".level-notice p")).to_have_text("Nothing can move from tube 7 now.")
            seen = effects(page)
            assert [seen["shaken"], seen["sounds"], seen["vibrations"]] == wanted
        pour(page, (6, 7))
        expect(tube(page, 6).locator(".cell")).to_have_count(0)
        assert effects(page)["moved"] == 0


def test_a_level_is_played_by_keys_alone(site: Site) -> None:
    with site.visit(None) as page:
        begin(page)
        expect(tube(page, 1)).to_be_focused()
        page.keyboard.type("26")
        chip(page, "12 left")
        page.keyboard.press("u")
        chip(page, "13 left")
        page.keyboard.press("y")
        chip(page, "12 left")
        page.keyboard.press("r")
        chip(page, "13 left")
        page.keyboard.press("h")
        expect(page.locator(".pointer .arrow")).to_have_count(1)
        heard(page, "Move ")
        page.keyboard.press("n")
        level(page, "Easy 2")
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        expect(tube(page, 1)).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Escape")
        expect(tube(page, 1)).to_have_attribute("aria-pressed", "false")


def test_back_closes_a_sheet_and_leaves_the_level(page: Any) -> None:
    pour(page, BAD_START[0])
    for name in ("More", "Choose a level"):
        page.get_by_role("button", name=name).or_(page.get_by_title(name)).first.click()
        page.locator("dialog[open]").wait_for()
        back(page)
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    more(page, "Another level")  # which takes the place of the sheet
    level(page, "Easy 2")
    choose(page, "Easy", "Easy 3, best possible 14")
    level(page, "Easy 3")
    page.get_by_role("button", name="More").click()
    page.keyboard.press("Escape")
    reload(page)
    level(page, "Easy 3")
    back(page)
    page.get_by_role("button", name="Solve a screenshot").wait_for()


def test_a_sheet_that_opens_while_another_closes_stays_and_two_that_close_at_once_leave_the_level(page: Any) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("dialog").wait_for()
    page.evaluate(
        """() => new Promise((left) => {
          addEventListener("popstate", () => setTimeout(left), { once: true });
          const sheet = document.querySelector("dialog[open]");
          sheet.addEventListener("close", () => document.querySelector(".level-name").click(), { once: true });
          sheet.close();
        })"""
    )
    expect(page.get_by_role("dialog", name="Levels")).to_be_visible()
    back(page)
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("dialog").wait_for()
    page.evaluate(
        """() => {
          [...document.querySelectorAll("dialog[open] button")].find((each) => each.innerText === "Your games").click();
          document.querySelector("dialog[open]").close();
        }"""
    )
    page.wait_for_timeout(300)  # in which the history may go back once too often
    level(page, "Easy 1")
    back(page)
    page.get_by_role("button", name="Solve a screenshot").wait_for()


def test_a_level_goes_on_after_the_server_was_away(site: Site) -> None:
    with site.visit(None, **PHONE) as page:
        page.route("**/levels.json", lambda route: route.abort())
        reload(page)  # the first screen may have them already: it shows today's
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("alert")).to_contain_text("The server doesn't answer.")
        page.unroute("**/levels.json")
        begin(page)
        page.route("**/api/**", lambda route: route.abort())
        more(page, "Another level")
        level(page, "Easy 2")
        site.complaints.clear()  # the browser says so too
