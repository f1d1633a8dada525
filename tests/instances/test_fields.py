"""Fields of board files: what is taken as it is, and what is refused with its path, what was expected and found."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from bsp_sat import BallSort, BoardError
from bsp_sat.instances.files import instance_of, parse_instances
from bsp_sat.instances.sorting.rules import SortFields
from bsp_sat.instances.text.reading import MAX_NAME, AnswerField, BoardFields, Place, Size

PLAIN = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", 1], [1, "a"], []], "name": "n", "source": None}
LONG = "n" * (MAX_NAME + 1)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"optimal": {"ball-sort": 3, "water-sort": "unknown"}},
        {"other": [None]},
        {"tubes": [["é", None, "\U0001f7e5", "", -3]]},
        {"hidden": [[True, False]], "colours": {"": 1, "a": 10_000}, "accepts": {"0": ["a", 1]}, "partial": False},
        {"locked": [{"tube": 0, "until": {"x": [None]}}], "no_in": [0, 10_000], "order": "top-down", "reveal": "cell"},
    ],
)
def test_what_is_right_is_taken_as_it_is(more):
    fields = SortFields.read(PLAIN | more, "ball-sort")
    assert {name: value for name, value in vars(fields).items() if name in PLAIN | more} == {
        name: value for name, value in (PLAIN | more).items() if name not in ("puzzle", "other")
    }
    assert (fields.goal, fields.cork, fields.capacities, fields.contents) == ("full", False, [], [])


WRONG = [
    *[("capacity", value, "capacity: expected a whole number, found ") for value in (True, 2.0, "2", None, [2])],
    ("capacity", 0, "capacity: expected 1 or more, found 0"),
    ("capacity", 10_001, "capacity: expected 10000 or less, found 10001"),
    *[("tubes", value, "tubes: expected a list, found ") for value in (None, {}, "ab", ())],
    *[("tubes", [[], value], "tubes[1]: expected a list, found ") for value in (None, {}, "ab", ())],
    *[("tubes", [["a", value]], "tubes[0][1]: expected a colour (a text or a whole number), found ")
      for value in (True, 1.0, ["a"], {}, float("nan"))],
    *[("tubes", [["a", value]], "tubes[0][1]: expected a colour of at most 64 characters, found ")
      for value in (LONG, 10**64, -10**64)],
    ("tubes", [["a", "\ud800"]], "tubes[0][1]: expected a text, found "),
    *[("name", value, "name: expected a text, found ") for value in (1, "\ud800", ["n"], True)],
    ("source", [], "source: expected a text, found []"),
    ("optimal", 3, "optimal: expected an object, found 3"),
    *[("optimal", {"ball-sort": value}, 'optimal.ball-sort: expected a number of moves, "unsolvable" or "unknown"')
      for value in (-1, True, "none", [], 3.0, None)],
    *[("goal", value, "goal: expected 'full', 'monochrome', 'gathered', 'wanted' or 'coloured', found ")
      for value in ("half", None, 1, [])],
    ("order", "upwards", "order: expected 'bottom-up' or 'top-down', found \"upwards\""),
    *[("cork", value, "cork: expected true or false, found ") for value in (1, 0, None, "true", [])],
    ("hidden", [[True], [1]], "hidden[1][0]: expected true or false, found 1"),
    ("colours", {"a": 0}, "colours.a: expected 1 or more, found 0"),
    ("colours", {LONG: 1}, f"colours.{LONG[:57]}...: expected a colour of at most 64 characters, found "),
    ("accepts", {"0": ["a", None]}, "accepts.0[1]: expected a colour (a text or a whole number), found null"),
    ("locked", [{}, 1], "locked[1]: expected an object, found 1"),
    ("no_in", [0, -1], "no_in[1]: expected 0 or more, found -1"),
    ("contents", [["a", None]], "contents[0][1]: expected a colour (a text or a whole number), found null"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "message"), WRONG, ids=lambda value: repr(value)[:40])
def test_what_is_wrong_is_refused_with_its_path(key, value, message):
    with pytest.raises(BoardError) as caught:
        SortFields.read(PLAIN | {key: value}, "ball-sort")
    assert str(caught.value).startswith(message.replace("\ud800", "\\ud800"))


def test_faults_of_the_position_come_first():
    with pytest.raises(BoardError, match=r"^tubes: missing, but a ball-sort board needs it$"):
        SortFields.read({"name": 1, "capacity": 2}, "ball-sort")


@dataclass(kw_only=True)
class Kinds(BoardFields):
    sizes: dict[str, list[Size | None]]
    places: list[Place]
    word: Literal["one"] = "one"
    whole: int = 0
    anything: Any = None
    optimal: AnswerField | None = None


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"sizes": {"a": [1, 0]}}, "sizes.a[1]: expected 1 or more, found 0"),
        ({"places": [[0, 0], [1]]}, "places[1][1]: missing, but a kinds board needs it"),
        ({"places": [[1, 2, 3]]}, "places[0]: expected a place, [x, y], found [1, 2, 3]"),
        ({"places": [[1, "2"]]}, 'places[0][1]: expected a whole number, found "2"'),
        ({"word": "two"}, "word: expected 'one', found \"two\""),
        ({"whole": 1.0}, "whole: expected a whole number, found 1.0"),
    ],
)
def test_all_types_that_a_puzzle_may_use(more, problem):
    right = {"sizes": {"a": [1, None]}, "places": [[3, 4]], "whole": -(10**30), "anything": {"x": [1.5]}}
    read = Kinds.read({**right, "optimal": None}, "kinds")
    assert (read.sizes, read.places, read.whole, read.anything) == ({"a": [1, None]}, [(3, 4)], -(10**30), {"x": [1.5]})
    with pytest.raises(BoardError) as caught:
        Kinds.read(right | more, "kinds")
    assert str(caught.value) == problem


@pytest.mark.parametrize("kind", [float, list, set[int], int | str, tuple[int, int]])
def test_other_types_are_no_fields(kind):
    made = dataclass(kw_only=True)(type("Made", (BoardFields,), {"__annotations__": {"value": kind}, "value": None}))
    with pytest.raises(TypeError, match="no field of a board file"):
        made.read({}, "made")


class TestNamesOfColours:
    """They are limited wherever they come from, as answers repeat them."""

    LONGEST = "é" * MAX_NAME

    def test_the_longest_names_are_taken(self):
        (found,) = parse_instances(json.dumps({"capacity": 1, "tubes": [[self.LONGEST], [10**63], [-(10**63)]]}))
        assert found.puzzle.palette == (self.LONGEST, 10**63, -(10**63))

    @pytest.mark.parametrize(
        ("board", "where"),
        [
            ({"capacity": 1, "tubes": [["a"], [LONG]]}, r"tubes\[1\]\[0\]"),
            ({"capacity": 1, "tubes": [[int("1" * 65)]]}, r"tubes\[0\]\[0\]"),
            ({"capacity": 1, "tubes": [["a"], [None]], "colours": {"a": 1, LONG: 1}}, r"colours\.n{57}\.\.\."),
            ({"capacity": 1, "tubes": [["a"]], "accepts": {"0": [LONG]}}, r"accepts\.0\[0\]"),
            ({"capacity": 1, "tubes": [["a"]], "contents": [[LONG]]}, r"contents\[0\]\[0\]"),
            ({"puzzle": "tiles", "columns": [["a"], [LONG]]}, r"columns\[1\]\[0\]"),
        ],
    )
    def test_names_longer_than_that_are_refused(self, board, where):
        with pytest.raises(BoardError, match=rf"^{where}: expected a colour of at most 64 characters, found "):
            instance_of(board)

    def test_a_long_key_is_cut_short_in_messages(self):
        for key in (LONG, "1" * 100 + "x"):
            with pytest.raises(BoardError, match=r"^accepts\..{57}\.\.\.: expected a tube from 0 to 0, found "):
                instance_of({"capacity": 1, "tubes": [["a"]], "accepts": {key: ["a"]}})

    def test_names_are_short_in_the_notations_of_others_too(self):
        with pytest.raises(BoardError, match="expected a colour of at most 64 characters"):
            parse_instances(f"1\n2\n- {LONG}\n- {LONG}\n")


def test_a_board_in_an_object_may_be_read_from_what_python_made():
    fields = {"capacity": 1, "tubes": [["a"], []]}
    assert BallSort.from_json(fields).to_json() == {"puzzle": "ball-sort", **fields}
