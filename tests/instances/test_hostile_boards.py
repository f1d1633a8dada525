"""Boards made to take long: read, or refused, in steps that grow with their size and nothing else.

Steps are lines of Python, which are the same on every machine. What C does in one of them, such as a search for a
pattern, is timed by benchmarks/reading.py.
"""

import json
from collections.abc import Callable
from itertools import pairwise, product
from random import Random
from string import ascii_lowercase

import pytest

from bsp_sat import BallSort
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.sorting.rules import Rules, TubeRule, can_be_filled
from bsp_sat.instances.text import reading
from tests.support.helpers import steps_of


def half_filled(tubes: int) -> str:
    """Tubes of capacities 1, 2, 3, …, with balls of one colour for half of the room."""
    balls = tubes * (tubes + 1) // 4
    contents = []
    for capacity in range(1, tubes + 1):
        contents.append(["a"] * min(balls, capacity))
        balls -= len(contents[-1])
    return json.dumps({"capacity": tubes, "capacities": list(range(1, tubes + 1)), "tubes": contents})


def of_many_sizes(tubes: int) -> str:
    capacities, contents = [1 + number % 60 for number in range(tubes)], [[number % 50] for number in range(tubes)]
    return json.dumps({"capacity": 60, "capacities": capacities, "tubes": contents})


def narrow_rows_before_a_wide_one(rows: int) -> str:
    return "a b\n" * rows + "c " * rows


def of_many_colours(tubes: int) -> str:
    names = list(map(str, range(tubes)))
    return json.dumps({"capacity": 1, "tubes": [[name] for name in names], "colours": dict.fromkeys(names, 1)})


def repeated_key(keys: int) -> str:
    return "{" + ", ".join(f'"{number}": 1' for number in [*range(keys), keys - 1]) + "}"


HOSTILE: dict[str, tuple[Callable[[int], str], int, str | None]] = {
    "capacities from 1 to 24": (half_filled, 24, None),
    "capacities from 1 to 400": (half_filled, 400, None),
    "tubes of many sizes and colours": (of_many_sizes, 300, None),
    "a key twice": (repeated_key, 1_000, "999: expected once, found twice"),
    "narrow rows before a wide one": (narrow_rows_before_a_wide_one, 500, None),
    "many colours, shown and counted": (of_many_colours, 2_000, "expected at most 255 colours"),
}


def grow_alike(small: str, large: str) -> bool:
    """Whether the steps to read, or to refuse, a text grow no more than its length and a tenth, which may be chance."""
    parse = steps_of(parse_instances, small), steps_of(parse_instances, large)
    return parse[1] / parse[0] < 1.1 * len(large) / len(small)


@pytest.mark.parametrize("name", HOSTILE)
def test_reading_takes_no_more_steps_than_the_board_is_large(name):
    board, size, problem = HOSTILE[name]
    assert grow_alike(board(size), board(2 * size))
    if problem is None:
        assert parse_instances(board(size))
    else:
        with pytest.raises(BoardError, match=problem):
            parse_instances(board(size))


def test_tubes_are_dealt_out_as_trying_all_ways_says():
    chance = Random(1)
    seen = set()
    for _ in range(300):
        capacities = [chance.randint(1, 6) for _ in range(chance.randint(1, 6))]
        counts = [chance.randint(1, 8) for _ in range(chance.randint(1, 3))]
        owners = product(range(len(counts) + 1), repeat=len(capacities))  # the last stands for no colour
        expected = any(
            all(
                sum(capacity for capacity, owner in zip(capacities, of, strict=True) if owner == colour) == count
                for colour, count in enumerate(counts)
            )
            for of in owners
        )
        assert can_be_filled(Rules(tuple(map(TubeRule, capacities)), tuple(counts))) is expected
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.parametrize(
    "more", [{"locked": [{"tube": 2, "until": 1}]}, {"hidden": [[False, True], [False, False], []]}, {"cork": False}]
)
def test_a_board_that_is_plain_after_all_is_written_as_it_is_read(more):
    """Its lock opens before the first move, or what covers it is gone."""
    (read,) = parse_instances(json.dumps({"capacity": 2, "tubes": [["a", "a"], ["b", "b"], []], **more}))
    assert parse_instances(json.dumps(read.to_json())) == [read]
    assert type(read.puzzle) is BallSort


UNIT = 2_000  # characters
REPEATED = {  # by syntax: what comes first, what is repeated, and what comes last
    "brackets that open": ("", "[", ""),
    "calls that open": ("", "f(", ""),
    "empty lists": ("[", "[],", "]"),
    "calls": ("", "f(a,b);", ""),
    "quotes": ("", '"', ""),
    "backslashes": ('["', "\\", '"]'),
    "comments that open": ("", "/*", ""),
    "comments": ("[", "//\n", "]"),
    "comments of Haskell that open": ("", "{- }", ""),
    "comments of Lua that open": ("", "--[[1] ]\n", ""),
    "imports": ("", "from ", ""),
    "marks between and inside tubes": ("", "a/b,", "-"),
    "chained calls": ("[Tube()", ".apply ", "]"),
    "types": ("[a] ", ":: ", ""),
    "a ball a line": ("", "word\nlonger\n", "word"),
    "a line for each ball": ("tube,position,colour\n", "1,1,a\n", ""),
    "XML": ("<a>", "<b>a b</b><b>b a</b>", "</a>"),
    "rows of a database": ("INSERT INTO a (b) VALUES ", "('a b'), ('b a'), ", "('')"),
    "lists of Unity": ("--- !u!\n", "n: 0100000002000000\n", ""),
    "keys of balls": ('{"tubes": [[', '{"color": "a", "m": 1},', '{"color": "b"}], []]}'),
    "tabs": ("", "\t", "a"),
    "spaces": ("a", " ", "b"),
    "spaces after a number": ("1", " ", "b"),
    "spaces in a line without a label": ("1: a\n" * 10, " ", "b"),
    "nearly a ruler": ("", "- ", "a"),
    "line ends": ("a", "\r\n", "b"),
    "cells in brackets, and then a sign": ("", "[a]", "!"),
    "letters": ("", "ab\nba\n", "-\n"),
    "bars": ("", "ab|ba|", "-\n"),
    "words": ("", "red blue\nblue red\n", "-\n"),
    "labels": ("", "Tube 1: a b\n", ""),
    "drawings": ("", "|a| |b|\n", "--- ---\n"),
    "CSV": ("", "red,blue\nblue,red\n", ",\n"),
    "a wide CSV": ("", "a,", "b\n"),
    "boards a line": ("", "ab|ba|-\n", ""),
    "boards between blank lines": ("", "ab\nba\n-\n\n", ""),
    "JSON Lines": ("", '{"tubes": [["a","b"],["b","a"],[]]}\n', ""),
    "levels": ('{"levels": [', '{"tubes": [["a","b"],["b","a"],[]]},', "{}]}"),
    "keys": ('{"tubes": [["a","b"],["b","a"],[]]', ', "frozen": 1', "}"),
    "Python": ("x = [\n", "  ['a', 'b'],\n", "]\n"),
    "numpy": ("[", "[1 2]\n ", "]"),
    "YAML": ("tubes:\n", "  - [a, b]\n", ""),
    "TOML": ("tubes = [\n", '["a", "b"],\n', "]\n"),
    "TOML tables": ("", "[a]\n", ""),
    ".asset": ("%YAML 1.1\n--- !u!114 &1\nM:\n  tubes:\n", "  - balls: [1, 2]\n", ""),
    "emoji": ("", "🔴🟢", ""),
    "variation selectors": ("", "\ufe0f", ""),
    "joined emoji": ("", "👩\u200d", ""),
    "NUL": ("", "\0", ""),
    "blank lines after a heading": ("[a]", "\n", "!"),
    "blank lines before a key": ("a: b\n", " \n", "!: "),
    "a word that a table may begin with": ("", "tube ", "!"),
    "digits": ("[", "1", "]"),
    "a long word": ("[['", "a", "']]"),
    "assignments": ("", "x = ", ""),
    "strings that are never closed in a list": ("[", "'a',", ""),
    "numbered lines": ("", "1: a\n", ""),
    "blank comments": ("", "# \t \n", "("),
    "a ruler between bars": ("|", "-", "x|\n|a|"),
    "dots above numbers": ("", "· ", "\n" + " ".join(map(str, range(1, 501)))),
    "lone surrogates": ("", "\ud800", ""),
}


def repeated(name: str, length: int) -> str:
    """A text of about so many characters."""
    first, middle, last = REPEATED[name]
    number = length // len(middle) // 12 * 12  # counts that fill tubes stay so
    return first + middle * number + last


@pytest.mark.parametrize("name", REPEATED)
def test_twice_the_text_takes_about_twice_the_steps(name):
    assert grow_alike(repeated(name, UNIT), repeated(name, 2 * UNIT))


def test_a_cell_that_is_too_long_for_a_table_is_refused():
    with pytest.raises(BoardError):
        parse_instances('tube,balls\n1,"' + 200_000 * "a" + '"\n2,b')


def test_a_map_of_boards_takes_steps_that_grow_with_their_number():
    tubes = [["a", "b"], ["b", "a"], []]
    texts = [json.dumps({f"lv{number}": tubes for number in range(boards)}) for boards in (100, 200)]
    assert grow_alike(*texts)
    (board, *_) = parse_instances(texts[0])
    assert board.about == {}


@pytest.mark.parametrize(
    "text",
    ["- " * 20_001, "- a " * 20_001, "red blue " * 11_000, "red blue\nblue red\n" * 5_500, "-" * 20_001],
    ids=["dashes", "dashes and letters", "words", "lines of words", "letters"],
)
def test_what_is_larger_than_any_board_is_refused_before_it_is_tried_in_many_ways(text):
    with pytest.raises(BoardError, match="expected at most 20,000 balls and as many tubes, found"):
        parse_instances(text)


def test_a_long_phrase_about_the_top_end_takes_steps_in_proportion():
    def text(spaces):
        return json.dumps({"order": "top" + " " * spaces, "tubes": [["a", "b"], ["b", "a"], []]})

    assert grow_alike(text(10_000), text(20_000))
    with pytest.raises(BoardError, match="order: "):
        parse_instances(text(20_000))


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\n" + "".join(f"{name}: &{name} [*{last}, *{last}]\n" for last, name in pairwise(ascii_lowercase)),
        "tubes: &a\n  - *a\n",
        "".join("  " * depth + "a:\n" for depth in range(2_000)) + "- b\n",
        "- " * 10_000 + "a",
        "a = " + "[" * 10_000,
        "[" * 100_000 + "]" * 100_000,
        "f(" * 50_000 + ")" * 50_000,
    ],
    ids=[
        "aliases of aliases",
        "a list in itself",
        "deep YAML",
        "deep lists of YAML",
        "deep TOML",
        "deep JSON",
        "deep calls",
    ],
)
def test_what_would_grow_or_nest_without_bounds_is_refused(text):
    with pytest.raises(BoardError):
        parse_instances(text)


def test_two_megabytes_of_boards_are_refused_before_they_are_read():
    text = "ab|ba|-\n" * 250_000
    with pytest.raises(BoardError, match=r"^expected at most 100,000 boards, found at least 250,000; split the pack$"):
        parse_instances(text)
    assert steps_of(parse_instances, text) < 5 * 250_000  # reading them takes thousands a board


@pytest.mark.parametrize(
    "text",
    [
        "ab|ba|-\n" * 101,
        "ab\nba\n-\n\n" * 101,
        "ab\n" * 101 * 20,
        '{"capacity": 2, "tubes": []}\n' * 101,
        '{"levels": [' + '{"tubes": ["ab", "ba"]}, ' * 101 + "{}]}",
        "[" + '{"tubes": []}, ' * 101 + "{}]",
        json.dumps({f"level {number}": ["ab", "ba", "--"] for number in range(101)}),
    ],
    ids=["a line each", "between blank lines", "letters", "JSON Lines", "levels", "a list", "a map"],
)
def test_more_boards_than_a_text_may_have_are_refused(text, monkeypatch):
    monkeypatch.setattr(reading, "MAX_BOARDS", 100)
    with pytest.raises(BoardError, match=r"expected at most 100 boards, found at least 10[12]; split the pack"):
        parse_instances(text)
