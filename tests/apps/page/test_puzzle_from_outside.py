"""A puzzle that a program has added is shown and played on the page, and nothing that it lacks is a bug."""

import pytest

from bsp_sat import PUZZLES
from tests.support.browser import back, browsing, enter, left, made, more, says
from tests.support.pancakes import Pancakes
from tests.support.sources import ROOT

STACK = "pancakes 3 1 4 2 5"
PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from bsp_sat import PUZZLES
from tests.support.pancakes import Pancakes
PUZZLES[Pancakes.kind] = Pancakes
"""


@pytest.fixture
def _registered(monkeypatch):
    monkeypatch.setitem(PUZZLES, Pancakes.kind, Pancakes)


@pytest.mark.usefixtures("_registered")
class TestAnswers:
    def test_the_position_of_a_foreign_puzzle_has_its_moves(self, ask):
        found = ask("position", board=STACK, moves=[[4]])
        assert (found["puzzle"], found["text"]) == ("pancakes", "pancakes 2 4 1 3 5\n")
        assert found["board"] == {"puzzle": "pancakes", "stack": [3, 1, 4, 2, 5]}
        assert (found["legal"], found["words"][0]) == ([[2], [3], [4], [5]], "Move: 2")
        assert (found["last"], found["effect"], found["goal"]) == ("Moved: 4", {}, False)
        rows = [[[str(size), None]] for size in (2, 4, 1, 3, 5)]
        assert found["picture"] == {"rows": rows, "header": [""], "move_key": Pancakes.move_key}
        assert ask("position", board=STACK, moves=[[6]]) == "move 1 (6) is illegal: there is no flip of 6"

    def test_a_foreign_puzzle_is_solved_and_its_plan_checked(self, ask):
        found = ask("solve", board=STACK)
        assert (found["status"], found["length"]) == ("optimal", 4)
        assert ask("position", board=STACK, moves=found["plan"])["goal"]

    @pytest.mark.parametrize(
        ("path", "words"),
        [
            ("draw", "pancakes boards can't be drawn"),
            ("hint", "hint takes ball-sort and water-sort boards, not pancakes"),
            ("grade", "grading takes ball-sort and water-sort boards, this is pancakes"),
            ("explore", "this board has no hidden cells"),
            ("horizons", "no encoding takes pancakes boards yet"),
            ("formula", "no encoding takes pancakes boards yet"),
        ],
    )
    def test_what_is_not_for_a_foreign_puzzle_says_so(self, ask, path, words):
        answer = ask(path, board=STACK)
        assert isinstance(answer, str)
        assert words in answer
        assert "bug" not in answer

    def test_a_foreign_puzzle_has_no_certificate_and_says_so(self, ask):
        assert "pancakes" in ask("certificate", board=STACK)["certificate"]["error"]

    def test_boards_of_a_foreign_puzzle_are_imported(self, ask):
        text = '{"puzzle": "pancakes", "stack": [2, 1]}\n{"puzzle": "ball-sort", "tubes": [["a"]], "capacity": 1}\n'
        first, second = ask("import", text=text)["boards"]
        assert (first["puzzle"], first["summary"]) == ("pancakes", "pancakes, a stack of 2")
        assert second["puzzle"] == "ball-sort"

    def test_why_a_foreign_puzzle_needs_its_moves(self, ask):
        found = ask("why", board=STACK)
        assert (found["status"], found["length"], found["positions"]) == ("optimal", 4, None)
        assert found["sentences"][0].startswith(f"Every plan has {found['bound']} move")

    def test_a_foreign_board_that_is_too_large_is_refused(self, ask):
        stack = list(range(1, 2_600))
        answer = ask("position", board={"puzzle": "pancakes", "stack": stack})
        assert answer.endswith("at most 100 columns and 2,500 places, found 1 and 2,599")

    def test_numbers_with_too_many_digits_are_refused(self, ask):
        assert "stack[0]: expected a whole number" in ask("position", board="pancakes " + "1" * 5_000)


def test_without_its_registration_the_server_knows_no_pancakes(ask):
    assert "expected one of" in ask("position", board={"puzzle": "pancakes", "stack": [1]})


@pytest.mark.slow
def test_a_foreign_puzzle_is_played_on_the_page():
    with browsing(PROGRAM) as site, site.visit("level-80") as page:
        left(page, 38)
        enter(page, STACK)
        left(page, 4)
        cells = page.locator(".picture td")
        assert cells.all_inner_texts() == ["3", "1", "4", "2", "5"]
        assert page.get_by_text(Pancakes.move_key).is_visible()
        page.get_by_role("button", name="Move: 4").click()
        made(page, 1)
        assert cells.all_inner_texts() == ["2", "4", "1", "3", "5"]
        page.keyboard.press("h")
        page.locator(".moves [data-hint]").wait_for()
        page.keyboard.press("u")
        made(page, 0)
        page.get_by_role("button", name="Solve", exact=True).click()
        page.locator(".timeline input[max='4']").wait_for()
        for count in range(1, 5):
            page.keyboard.press("y")
            made(page, count)
        says(page, "goal", "Solved")
        more(page, "Another board")
        page.get_by_role("button", name="Draw").click()
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("button", name="The board in play").click()
        back(page)
        enter(page, "ab|ba|-")
        left(page, 3)
