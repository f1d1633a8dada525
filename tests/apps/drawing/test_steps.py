"""Plans to step through, and what notebooks show."""

import re
from html import unescape
from xml.etree import ElementTree as ET

import pytest

import bsp_sat
from bsp_sat.apps.drawing.draw import film_of
from bsp_sat.apps.drawing.shapes import Disc
from bsp_sat.apps.drawing.steps import size
from bsp_sat.instances.files import load_instance, parse_instances
from tests.support.browser import browser_for
from tests.support.pancakes import Pancakes

HOSTILE = '{"puzzle": "ball-sort", "capacity": 1, "tubes": [["</style><script>alert(1)</script>"], []]}'

WHERE = """at => {
  document.getElementById("m" + at).click();
  const seen = [];
  for (const disc of document.querySelectorAll("circle")) {
    const box = disc.getBoundingClientRect(), frame = disc.ownerSVGElement.getBoundingClientRect();
    if (getComputedStyle(disc.closest("g")).opacity > 0.5)
      seen.push([box.x + box.width / 2 - frame.x, box.y + box.height / 2 - frame.y]);
  }
  const texts = [...document.querySelectorAll("text")].filter(each => / of /.test(each.textContent));
  const shown = texts.filter(each => getComputedStyle(each.closest("g")).opacity > 0.5);
  return [seen, shown.map(each => each.textContent)];
}"""


def discs(film, position):
    """The centres of all discs at rest after a number of moves, by the film's own times."""
    found = []
    for piece in film.pieces:
        key = piece.at_time(position)
        if key.opacity > 0.5:
            found += [
                (key.place.x + disc.centre.x, key.place.y + disc.centre.y)
                for disc in piece.shapes
                if isinstance(disc, Disc)
            ]
    return rounded(found)


def rounded(places):
    return sorted((round(x), round(y)) for x, y in places)


@pytest.fixture(scope="module")
def page():
    with browser_for("") as site:
        page = site.browser.new_page(viewport={"width": 1000, "height": 900})
        site.listen(page)
        yield page


@pytest.mark.parametrize("name", ["level-80", "shot-literate"])
def test_each_button_shows_the_position_after_its_move(name, page):
    board = bsp_sat.load(name)
    moves = bsp_sat.solve(board).plan.moves
    film = film_of(board, moves)
    page.set_content(bsp_sat.draw(board, moves, "html").decode())
    for position in (0, 1, len(moves) // 2, len(moves), 2):
        places, captions = page.evaluate(WHERE, position)
        assert rounded(places) == discs(film, position), position
        assert [caption.split(":")[0] for caption in captions] == [f"{position} of {len(moves)}"]
    page.get_by_text("Next ›").locator("visible=true").click()
    assert page.locator("#m3").is_checked()
    page.keyboard.press("ArrowLeft")  # the label has passed its focus on
    assert page.locator("#m2").is_checked()
    width, height = size(film)
    box = page.locator("form").bounding_box()
    assert box["width"] <= width
    assert box["height"] <= height
    page.set_content(bsp_sat.solve(board)._repr_html_())
    frame = page.frame_locator("iframe")
    frame.get_by_text("Next ›").locator("visible=true").click()
    assert frame.locator("#m1").is_checked()


def test_the_page_has_no_scripts_and_asks_for_nothing():
    page = bsp_sat.draw(bsp_sat.load("level-80"), form="html").decode()
    assert "<input" not in page
    (hostile,) = parse_instances(HOSTILE)
    for text in (page, bsp_sat.draw(hostile.puzzle, [bsp_sat.Pour(0, 1)], "html").decode()):
        assert "<script" not in text
        assert text.count("</style>") == text.count("<style>")
        assert re.findall(r"(?:src|href|url\()", text) == []


class TestNotebooks:
    @pytest.mark.parametrize("name", ["level-80", "shot-literate", "tiles-2022-11-16"])
    def test_a_board_in_a_notebook_shows_itself(self, name):
        instance = load_instance(name)
        assert ET.fromstring(instance._repr_svg_()).tag.endswith("svg")
        assert instance.puzzle._repr_svg_() == bsp_sat.draw(instance.puzzle).decode()

    def test_a_puzzle_without_an_artist_shows_its_text(self):
        assert Pancakes((2, 1))._repr_svg_() is None
        assert bsp_sat.solve(Pancakes((2, 1)), "astar")._repr_html_() == "<p>Optimal: 1 move. No plan is shorter.</p>"

    def test_a_result_in_a_notebook_shows_its_plan(self):
        board = bsp_sat.load("level-80")
        result = bsp_sat.solve(board)
        shown = result._repr_html_()
        assert shown.startswith("<p>Optimal: 38 moves. No plan is shorter.</p><iframe sandbox ")
        (document,) = re.findall(r'srcdoc="([^"]*)"', shown)
        assert unescape(document).encode() == bsp_sat.draw(board, result.plan.moves, "html")

    def test_a_result_without_a_plan_shows_its_board(self):
        board = bsp_sat.BallSort.from_text("021|012|012|-")
        result = bsp_sat.solve(board)
        shown = result._repr_html_()
        assert (
            "Unsolvable: no plan exists, proved (every position that can be reached was looked at).<br>Note: " in shown
        )
        assert "&lt;svg" in shown
        assert "&lt;input" not in shown

    def test_grades_in_a_notebook_are_a_table(self):
        grades = bsp_sat.grade(bsp_sat.load("level-80"), ["optimum", "bound_gap"])
        assert "<tr><td>optimum<td>38<td>" in grades._repr_html_()
        assert "Optimal. Class: " in grades._repr_html_()
