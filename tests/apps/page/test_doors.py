"""Every door reads the same board from the same text: files, pipes, arguments, Python, the page and JavaScript."""

import enum
import json
import shutil
import subprocess
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import bsp_sat
from bsp_sat import AmbiguousBoard, BallSort, BoardError, load
from tests.support.command import bsp_sat as run
from tests.support.meant_boards import canonical
from tests.support.sources import ROOT

ASKED, REFUSED = "asked", "refused"
FIVE = [["r", "r", "g", "b"], ["g", "g", "b", "r"], ["b", "r", "g", "b"], [], []]
PADDED = [["r", "r", "g", "b"], ["g", "g", "b", "r"], ["b", "r", "g", "b"], [""] * 4, [""] * 4]
THREE = [["a", "b"], ["b", "a"], []]

TABLE: dict[str, tuple[str, Any]] = {  # a text, and its tubes or what becomes of it
    "letters": ("ab|ba|-", THREE),
    "lines of letters": ("ab\nba\n-\n", THREE),
    "the own form": (json.dumps({"puzzle": "ball-sort", "capacity": 4, "tubes": FIVE}), FIVE),
    "a list": (json.dumps(THREE), THREE),
    "padded with empty strings": (json.dumps({"capacity": 4, "tubes": PADDED}), FIVE),
    "padded with -1": (json.dumps({"capacity": 2, "tubes": [["a", "b"], ["b", "a"], [-1, -1]]}), THREE),
    "another key": (json.dumps({"bottles": FIVE, "bottleCapacity": 4}), FIVE),
    "a number of empty tubes": (json.dumps({"tubes": THREE[:2], "capacity": 2, "emptyTubes": 1}), THREE),
    "Python": ("board = [\n    ['a', 'b'],\n    ['b', 'a'],\n    [],\n]\n", THREE),
    "letters that spell a word for room": ("na|an|-", [["n", "a"], ["a", "n"], []]),
    "a tube drawn a ball shorter": ("gg|y.|pb|yp|bo|.|rr", ASKED),
    "words": ("red blue\nblue red\n-\n", THREE),
    "CSV": ("red,blue\nblue,red\n,\n", THREE),
    "emoji with variation selectors": ("☀️❤️|❤️☀️|-", THREE),
    "top first, said so": (json.dumps({"topFirst": True, "tubes": [["b", "a"], ["a", "b"], []]}), THREE),
    "a rule beside the own form": (json.dumps({"capacity": 2, "tubes": THREE, "locked_bottles": {"1": "a"}}), ASKED),
    "empty tubes beside the own form": (json.dumps({"capacity": 2, "tubes": THREE, "emptyTubes": 1}), THREE),
    "no empty tube": ("a b a b\nb a b a\n", ASKED),
    "a rule that isn't known": (json.dumps({"tubes": THREE, "frozenTubes": [1]}), ASKED),
    "nothing": (" \n", REFUSED),
    "counts that fill nothing": ("aab|ba|-", REFUSED),
}  # fmt: skip


def read_by(door: Callable[[], Any]) -> Any:
    """The tubes that a door of Python reads, or what becomes of the text."""
    try:
        return canonical(door().to_json()["tubes"])
    except AmbiguousBoard as error:
        return ASKED if error.readings else "asked without readings"
    except BoardError:
        return REFUSED


def shown(*words: str, stdin: str = "") -> Any:
    """The tubes that the command line reads."""
    found = run("show", "--format", "json", *words, stdin=stdin)
    if found.returncode == 0:
        return canonical(json.loads(found.stdout)["tubes"])
    assert found.returncode == 2
    return ASKED if "--" in found.stderr else REFUSED


def outcome(expected: Any) -> Any:
    return expected if isinstance(expected, str) else canonical(expected)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE)
def test_every_door_reads_the_same_board(text, expected, tmp_path, client):
    path = tmp_path / "board.txt"
    path.write_text(text, encoding="utf-8")
    response = client.post("/api/position", json={"board": text})
    answer = response.json()
    refused = ASKED if "readings" in answer else REFUSED
    found = {
        "a file": shown(str(path)),
        "a pipe": shown("-", stdin=text),
        "load": read_by(lambda: load(path)),
        "from_text": read_by(lambda: BallSort.from_text(text)),
        "board": read_by(lambda: bsp_sat.board(text)),
        "the page": canonical(answer["board"]["tubes"]) if response.status_code == 200 else refused,
    }
    if text.strip():  # a shell gives no other argument
        found["an argument"] = shown(text)
    assert found == dict.fromkeys(found, outcome(expected))


def test_javascript_reads_the_same_boards_or_does_not_take_them():
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: apt-get install nodejs")
    engine = ROOT / "apps" / "page" / "page" / "engine" / "engine.js"
    given = [json.loads(text) if text.startswith(("{", "[")) else text for text, _ in TABLE.values()]
    program = f"""
        import {{ NotTaken, readBoard }} from {json.dumps(engine.as_uri())};
        for (const board of {json.dumps(given)}) {{
            try {{ console.log(JSON.stringify(readBoard(board).tubes)); }}
            catch (error) {{ if (!(error instanceof NotTaken)) throw error; console.log("null"); }}
        }}
    """
    ran = subprocess.run([node, "--input-type=module", "-e", program], capture_output=True, text=True, check=True)
    found = dict(zip(TABLE, map(json.loads, ran.stdout.splitlines()), strict=True))
    taken = {name: canonical(tubes) for name, tubes in found.items() if tubes is not None}
    assert taken.keys() >= {"letters", "the own form"}
    assert taken == {name: outcome(TABLE[name][1]) for name in taken}


class Colour(enum.Enum):
    A = 1
    B = 2


ARRAY = numpy.array([[1, 2], [2, 1], [0, 0]])
VALUES: dict[str, tuple[Any, Any]] = {
    "lists": (THREE, THREE),
    "tuples with a deque": ((("a", "b"), deque(["b", "a"]), ()), THREE),
    "strings": (["ab", "ba", ""], THREE),
    "a dictionary": ({"vials": THREE, "capacity": 2}, THREE),
    "members of an enumeration": ([[Colour.A, Colour.B], [Colour.B, Colour.A], []], THREE),
    "an array": (ARRAY, THREE),
    "an array of numbers with a fraction": (ARRAY.astype(float), THREE),
    "an array with NaN": (numpy.where(ARRAY == 0, numpy.nan, ARRAY), THREE),
    "rows of an array": ([*ARRAY], THREE),
    "generators": ((iter(tube) for tube in THREE), THREE),
    "a board": (BallSort.from_text("ab|ba|-"), THREE),
    "an instance": (bsp_sat.Instance(BallSort.from_text("ab|ba|-")), THREE),
    "a list without room": ([["a", "b"], ["b", "a"]], ASKED),
    "a number": (7, REFUSED),
    "nothing": (None, REFUSED),
    "an object": (object(), REFUSED),
    "a set": ({"ab", "ba"}, REFUSED),
    "bytes": (b"ab|ba|-", REFUSED),
    "colours that are none": ([[1.5, 2], [2, 1.5], []], REFUSED),
}


@pytest.mark.parametrize(("value", "expected"), VALUES.values(), ids=VALUES)
def test_a_value_of_python_is_read_as_the_board_that_it_holds(value, expected):
    assert read_by(lambda: bsp_sat.board(value)) == outcome(expected)


def test_a_value_that_holds_itself_is_refused():
    tubes: list[Any] = []
    tubes.append(tubes)
    with pytest.raises(BoardError, match="100 levels"):
        bsp_sat.board(tubes)


def test_a_board_becomes_one_of_another_kind():
    assert isinstance(bsp_sat.board(BallSort.from_text("ab|ba|-"), "water-sort"), bsp_sat.WaterSort)


def test_each_choice_of_a_question_gives_the_board_that_it_shows(client):
    text = TABLE["no empty tube"][0]
    readings = client.post("/api/position", json={"board": text}).json()["readings"]
    assert len(readings) > 1
    for reading in readings:
        assert {"words", "doubts", "option", "choices", "board", "colours"} == reading.keys()
        answer = client.post("/api/position", json={"board": text, "choices": reading["choices"]}).json()
        assert answer["board"] == reading["board"]


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (7, "choices: expected an object, found 7"),
        ({"tubes": 1}, "unknown key 'tubes'"),
        ({"read_as": 0}, "choices.read_as: expected the number of a reading, from 1, found 0"),
        ({"tubes_in": "piles"}, 'choices.tubes_in: expected rows or columns, found "piles"'),
        ({"room": "x"}, 'choices.room: expected a list of words, found "x"'),
        ({"empty": 10**9}, "choices.empty: expected a number up to 100, found 1000000000"),
    ],
)
def test_choices_that_are_none_are_refused(ask, choices, words):
    assert words in ask("position", board="ab|ba|-", choices=choices)
