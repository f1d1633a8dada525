"""From a board to its moves, on a phone: by hand, move by move, back, and with a poor network."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from bsp_sat import BallSort, random_boards
from tests.support.browser import PHONE, SMALL, Site, back, left, made, reload
from tests.support.browser import packed as packed_board
from tests.support.naive_variants import Game
from tests.support.optional import needed

expect = needed("playwright.sync_api", "browser").expect

LEVEL = next(random_boards(BallSort, 12, 4, 2, seed=3)).to_json()
"""14 tubes, as large as phone games have them."""


def done(page: Any) -> Any:
    return page.get_by_role("button", name="Done, next")


def sentence(page: Any) -> Any:
    return page.locator(".follow .sentence")


def number_left(page: Any, number: int) -> None:
    expect(page.locator(".follow [role=status]")).to_have_text(f"{number} left, proved")


def enter_by_hand(page: Any, tubes: list[list[int]], taps: int = 0) -> int:
    """Enters a board of full tubes, by the colours' places in the palette, to the end; the number of taps."""
    page.get_by_role("button", name="Enter by hand").tap()
    page.locator(".entry-board .cell-slot").first.wait_for()
    swatches = page.locator(".enter .swatch")
    for tube in tubes:
        for colour in reversed(tube):
            if page.locator("[data-next]").count() == 0:
                return taps + 1
            swatches.nth(colour).tap()
            taps += 1
    return taps + 1


def test_what_was_entered_by_hand_is_there_when_the_page_is_loaded_again(page: Any) -> None:
    page.get_by_role("button", name="Enter by hand").tap()
    page.locator(".enter .swatch").first.tap()
    filled = page.locator(".cell-slot[data-filled]")
    expect(filled).to_have_count(1)
    words = filled.get_attribute("aria-label")
    reload(page)
    expect(filled).to_have_count(1)
    expect(filled).to_have_attribute("aria-label", words)
    page.get_by_role("button", name="More", exact=True).tap()
    page.get_by_role("button", name="Empty board").tap()  # while a sheet is open, which has a place of its own
    expect(filled).to_have_count(0)
    reload(page)
    expect(page.locator(".cell-slot").first).to_be_visible()
    expect(filled).to_have_count(0)


@pytest.mark.slow
def test_fourteen_tubes_are_entered_by_hand_in_sixty_taps(page: Any) -> None:
    names = sorted({colour for tube in LEVEL["tubes"] for colour in tube})
    tubes = [[names.index(colour) for colour in tube] for tube in LEVEL["tubes"] if tube]
    taps = enter_by_hand(page, tubes)
    assert page.locator("[data-next]").count() == 0  # all is filled in, the last ones by itself
    page.get_by_role("button", name="Show me the moves").tap()
    taps += 1
    expect(sentence(page)).to_have_text(re.compile(r"^\d+ → \d+, 1 [a-z ]+$"))
    assert taps <= 60
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollHeight") == 664
    cells = "all => all.map((tube) => tube.querySelectorAll('.cell').length)"
    assert page.locator(".follow .one-tube").evaluate_all(cells) == [4] * 12 + [0, 0]


def test_entering_is_undone_and_what_is_wrong_is_said_above_the_button(page: Any) -> None:
    enter_by_hand(page, [[0, 0, 0, 0], [0]])
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_role("button", name="Tube 2, cell 4 from the bottom: open, next")).to_be_visible()
    page.get_by_role("button", name="Fewer tubes").tap()
    expect(page.locator(".entry-tube")).to_have_count(13)
    page.get_by_role("button", name="Tube 3, cell 4").tap()
    page.locator(".enter .swatch").nth(1).tap()
    page.get_by_role("button", name="Tube 4, cell 4").tap()
    expect(page.get_by_role("alert")).to_have_text("Tube 3 has a gap below a colour.")
    expect(page.get_by_role("button", name="Show me the moves")).to_be_disabled()


def test_moves_are_offered_as_soon_as_there_may_be_some(page: Any) -> None:
    """Neither for no colours, nor for a part of one; and with a covered cell, which may be the rest."""
    page.get_by_role("button", name="Enter by hand").tap()
    solve = page.get_by_role("button", name="Show me the moves")
    what_to_do = page.get_by_text("Tap colours from the top; ? if covered.")
    expect(what_to_do).to_be_visible()
    expect(solve).to_be_disabled()
    for _ in range(4):
        expect(solve).to_be_disabled()
        page.locator(".enter .swatch").first.tap()
    expect(solve).to_be_enabled()
    expect(what_to_do).to_be_hidden()
    page.locator(".enter .swatch").nth(1).tap()
    expect(solve).to_be_disabled()
    page.get_by_role("button", name="Covered").tap()
    expect(solve).to_be_enabled()


def follow(page: Any, board: dict[str, Any], look: dict[str, Any] | None = None) -> None:
    """Opens a board in the solver."""
    page.evaluate("(packed) => history.pushState({ screen: 'follow' }, '', packed)", f"#{packed_board(board, look)}")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")


def test_a_plan_is_followed_with_one_tap_a_move(page: Any) -> None:
    follow(page, SMALL)
    number_left(page, 3)
    expect(sentence(page)).to_have_text(re.compile("^(1 → 3, 1 b|2 → 3, 1 a)$"))  # both are shortest
    bright = page.locator(".follow .one-tube:not([data-dim])")
    numbers = bright.evaluate_all("all => all.map((tube) => Number(tube.dataset.tube) + 1)")
    assert numbers == [int(sentence(page).inner_text()[0]), 3]
    assert page.locator(".follow .arrow").count() == 1
    for number in (2, 1):
        before = sentence(page).inner_text()
        done(page).tap()
        number_left(page, number)
        expect(sentence(page)).not_to_have_text(before)
    page.get_by_role("button", name="‹ Back").tap()
    number_left(page, 2)
    reload(page)
    number_left(page, 2)
    page.get_by_role("button", name="All moves").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Proved: there is no shorter way.")
    page.get_by_role("button", name=re.compile("^3[.]")).tap()
    number_left(page, 1)
    done(page).tap()
    expect(sentence(page)).to_have_text("Solved.")


def test_a_board_that_looks_different_is_corrected(page: Any) -> None:
    follow(page, {**SMALL, "tubes": [["a", "b"], ["b", "a"], [], []]})
    number_left(page, 3)
    done(page).tap()
    number_left(page, 2)
    page.get_by_role("button", name="Mine looks different").tap()
    expect(sentence(page)).to_have_text("Does your game look like this?")
    page.get_by_role("button", name="‹ Back").tap()
    page.get_by_role("button", name="Correct the board").tap()
    page.get_by_role("button", name="Tube 1, cell 2 from the bottom: b").tap()
    page.locator(".enter [data-colour=a]").tap()
    page.get_by_role("button", name="Tube 2, cell 2 from the bottom: a").tap()
    page.locator(".enter [data-colour=b]").tap()
    page.get_by_role("button", name="Show me the moves").tap()
    expect(sentence(page)).to_have_text("Solved.")
    back(page)
    page.get_by_role("button", name="Undo").wait_for()


def test_a_board_without_solution_says_so_and_may_have_one_with_another_tube(page: Any, site: Site) -> None:
    board = {**SMALL, "tubes": [["a", "b"], ["b", "a"]]}
    follow(page, board, {"rows": [1, 1], "colours": {}})
    expect(sentence(page)).to_have_text("This board has no solution.")
    expect(page.locator(".follow .now")).to_contain_text("With one tube more: 3 moves.")
    page.get_by_role("button", name="Correct the board").tap()
    page.locator(".cell-slot").first.wait_for()
    back(page)
    page.get_by_role("button", name="Try with one more tube").tap()
    number_left(page, 3)
    where = "all => all.map((tube) => tube.getAttribute('transform').split(' ')[1])"
    spots = page.locator(".follow .one-tube").evaluate_all(where)
    assert spots[0] != spots[1] == spots[2]  # the game's rows, and the new tube at their end
    page.goto("about:blank")
    page.goto(f"{site.address}#{packed_board(board)}")
    page.get_by_role("button", name="One more tube").tap()
    left(page, 3)


def test_more_tubes_go_with_capacities_and_covered_cells(page: Any) -> None:
    """Where nothing solves the board, whatever is covered."""
    board = {"puzzle": "ball-sort", "capacity": 3, "capacities": [3, 2, 1], "goal": "monochrome"}
    board |= {"tubes": [[None, "a", "b"], ["b", "a"], ["a"]], "hidden": [[True, False, False], [False] * 2, [False]]}
    board |= {"colours": {"a": 4, "b": 2}}
    follow(page, board)
    expect(sentence(page)).to_have_text("This board has no solution.")
    page.get_by_role("button", name="Try with one more tube").tap()
    expect(sentence(page)).to_have_text(re.compile(r"^\d → \d"))
    expect(page.locator(".follow .one-tube")).to_have_count(4)


BAR = """
(before) => {
  const question = document.querySelector(".now .question");
  const buttons = [...document.querySelectorAll(".now .question button, .now .done")];
  const words = document.querySelector(".now .sentence")?.innerText ?? "";
  const at = localStorage["bsp-sat games"] + (question ? words : "");
  const complaint = document.querySelector(".now [role=alert]")?.innerText ?? "";
  const names = buttons.map((each) => each.ariaLabel ?? each.innerText);
  return at !== before && buttons.length > 0 && { at, words, names, complaint };
}
"""
"""What the page says and offers, as soon as it is about another step, or another question (the address comes late)."""

TAP = """
(name) => {
  const buttons = [...document.querySelectorAll(".now button")];
  buttons.find((each) => (each.ariaLabel ?? each.innerText) === name).click();
}
"""


def covered_board(chance: random.Random, puzzle: str, reveal: str) -> Game:
    """A board that can be solved, with all covered that games cover: all cells but the top, or the run at the top."""
    while True:
        balls = [colour for colour in ("red", "blue", "green") for _ in range(4)]
        chance.shuffle(balls)
        tubes = [balls[:4], balls[4:8], balls[8:], [], []]
        hidden = [[True] * len(tube) for tube in tubes]
        game = Game({"puzzle": puzzle, "capacity": 4, "tubes": tubes, "reveal": reveal, "hidden": hidden})
        if game.optimum() is not None:
            return game


def player_follows(page: Any, game: Game, said: dict[str, Any]) -> set[str]:
    """Follows the page's advice to the end, and answers it as the game shows; gives back what was asked."""
    shown, _, _, _ = game.seen(game.start())
    board = {**said, "tubes": shown, "hidden": [[ball is None for ball in tube] for tube in shown]}
    before = page.evaluate("localStorage['bsp-sat games']")
    follow(page, board)
    state, new, asked = game.start(), dict[str, str](), set[str]()
    for _ in range(300):
        bar = page.wait_for_function(BAR, arg=before).json_value()
        before, words, names = bar["at"], bar["words"], bar["names"]
        assert bar["complaint"] == ""
        if words == "Solved.":
            assert game.is_goal(state)
            return asked
        if words == "Start the level again.":
            state, answer = game.start(), "I have, go on"
        elif move := re.match(r"(\d+) → (\d+)", words):
            state, answer = game.moves(state)[int(move[1]) - 1, int(move[2]) - 1], "Done, next ›"
        else:
            question, place = re.fullmatch(r"(What came up in|How many on top of) tube (\d)\?", words).groups()
            asked.add(question.split()[0])
            tube, covered = state.tubes[int(place) - 1], state.covered[int(place) - 1]
            colour = tube[-1]
            run = [ball for ball, cover in zip(tube, covered, strict=True) if not cover]
            length = next((at for at, ball in enumerate(reversed(run)) if ball != colour), len(run))
            if question.startswith("How"):
                answer = str(length)
            else:
                fresh = [name for name in names if name.startswith("new colour") and name not in new.values()]
                if colour not in names and colour not in new and fresh:  # it was deduced
                    new[colour] = fresh[0]
                answer = new.get(colour, colour)
                if answer not in names:
                    answer, new[colour] = "A new colour", f"new colour {len(new) + 1}"
        page.evaluate(TAP, answer)
    raise AssertionError("the game doesn't end")


@pytest.mark.parametrize("puzzle", ["water-sort", pytest.param("ball-sort", marks=pytest.mark.slow)])
@pytest.mark.parametrize("reveal", ["run", pytest.param("cell", marks=pytest.mark.slow)])
def test_games_with_covered_cells_are_played_to_their_ends(
    page: Any, puzzle: str, reveal: str, one_in: Callable[[int], int]
) -> None:
    """Where all cells of a colour that touch come up, a page that hears of one of them is at odds with the game."""
    chance = random.Random(f"{puzzle} {reveal}")
    asked = set[str]()
    for number in range(0, 6, one_in(6)):
        board = {"puzzle": puzzle, "capacity": 4}
        if reveal != ("run" if puzzle == "water-sort" else "cell"):  # as is usual
            board["reveal"] = reveal
        if number % 2:
            board["colours"] = dict.fromkeys(("red", "blue", "green"), 4)
        asked |= player_follows(page, covered_board(chance, puzzle, reveal), board)
    assert asked == ({"What", "How"} if reveal == "run" else {"What"})


def test_the_last_game_is_offered_and_back_goes_back(page: Any) -> None:
    enter_by_hand(page, [])
    back(page)
    page.get_by_role("button", name="Learn").tap()
    page.get_by_role("button", name=re.compile("level-80$")).tap()
    page.get_by_role("button", name="Play it").tap()
    left(page, 38)
    for place in (2, 9):
        page.locator(f'#board .tube[data-place="{place}"]').tap()
    left(page, 37)
    back(page)
    page.get_by_role("heading", name="Learn").wait_for()
    back(page)
    page.get_by_role("button", name="Continue level-80").tap()
    left(page, 37)
    made(page, 1)
    page.get_by_role("button", name="Home").tap()
    page.get_by_role("button", name="Make levels").tap()
    page.get_by_role("heading", name="Make levels").wait_for()


def test_names_of_colours_are_text_and_no_markup_nor_amounts(page: Any) -> None:
    """Also those that objects in the browser have from the start."""
    follow(page, {**SMALL, "tubes": [["4", "5"], ["5", "4"], []]})
    expect(sentence(page)).to_have_text(re.compile("^(1 → 3, 1 colour 5|2 → 3, 1 colour 4)$"))
    hostile = ["constructor", "__proto__", "<b>"]
    tubes = [[hostile[0], hostile[1]], [hostile[1], hostile[0]], [hostile[2], hostile[2]], []]
    board = {"puzzle": "water-sort", "capacity": 2, "tubes": tubes}
    follow(page, board, {"rows": [2, 2], "colours": {"<b>": "red;"}})
    expect(sentence(page)).to_contain_text(re.compile("constructor|__proto__"))
    number_left(page, 3)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Correct the board").tap()
    page.get_by_role("button", name="Tube 1, cell 1 from the bottom: constructor").wait_for()
    page.get_by_role("button", name="Back").tap()
    number_left(page, 3)
    page.get_by_role("button", name="Back", exact=True).tap()  # it was opened from outside
    page.get_by_role("button", name="Solve a screenshot").wait_for()


def test_a_server_that_goes_away_and_comes_back(page: Any, site: Site) -> None:
    page.route("**/more.js", lambda route: route.abort())
    page.get_by_role("button", name="Enter by hand").tap()
    expect(page.get_by_role("alert")).to_contain_text("The server doesn't answer.")
    page.get_by_role("button", name="Home").tap()
    page.get_by_role("button", name="Enter by hand").tap()
    expect(page.get_by_role("alert")).to_contain_text("The server doesn't answer.")
    page.unroute("**/more.js")
    page.get_by_role("button", name="Try again").tap()
    page.locator(".cell-slot").first.wait_for()
    follow(page, LEVEL)
    expect(page.locator(".follow [role=status]")).to_contain_text("proved")
    page.route("**/api/**", lambda route: route.abort())
    before = sentence(page).inner_text()
    done(page).tap()
    expect(sentence(page)).not_to_have_text(before)
    expect(page.locator(".follow [role=alert]")).to_have_count(0)
    site.complaints.clear()  # the browser says so too


@pytest.mark.slow
def test_a_slow_network_shows_that_something_is_on_its_way(site: Site) -> None:
    """50 kB/s from the first byte: the first screen, and the moves of a board entered by hand."""
    with site.visit(None, has_files=False, **PHONE) as page:
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        rates = {"downloadThroughput": 50_000, "uploadThroughput": 50_000, "latency": 100, "offline": False}
        network.send("Network.emulateNetworkConditions", rates)
        reload(page)
        page.get_by_role("button", name="Enter by hand").tap()
        page.locator(".cell-slot").first.wait_for()
        for what, times in (("tubes", 10), ("colours", 0)):
            for _ in range(times):
                page.get_by_role("button", name=f"Fewer {what}").tap()
        page.get_by_label("Cells in a tube").select_option("2")
        for place in (0, 1, 1):
            page.locator(".enter .swatch").nth(place).tap()
        page.get_by_role("button", name="Show me the moves").tap()
        number_left(page, 3)
