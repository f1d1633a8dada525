"""Boards and plans that can't be used, with what the one line of refusal must contain; and damage to good ones."""

import copy
from random import Random
from typing import Any, NamedTuple


class Malformed(NamedTuple):
    name: str
    contents: bytes
    message: str
    """A part of the message that names the place or the fault."""


def _board(name: str, contents: bytes | str, message: str) -> Malformed:
    return Malformed(name, contents.encode() if isinstance(contents, str) else contents, message)


_GOOD = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}'

MALFORMED_BOARDS = [
    # bytes
    _board("empty-file", b"", "empty file"),
    _board("only-white-space", b" \n\t\r\n", "empty file"),
    _board("only-a-byte-order-mark", b"\xef\xbb\xbf", "empty file"),
    _board("latin-1", b'{"capacity": 2, "tubes": [["gr\xfcn"]]}', "not UTF-8 text: byte 30 is 0xfc"),
    _board("utf-16", _GOOD.encode("utf-16"), "not UTF-8 text: byte 0"),
    _board("binary", bytes(range(256)), "not UTF-8 text"),
    _board("png", b"\x89PNG\r\n\x1a\n", "not UTF-8 text: byte 0 is 0x89"),
    # JSON syntax
    _board("open-brace", "{", "line 1, column 2: not JSON"),
    _board("cut-off", _GOOD[:-5], "not JSON"),
    _board("two-commas", '{"capacity": 2, "tubes": [[],,[]]}', "not JSON"),
    _board("single-quotes", "{'capacity': 2, 'tubes': []}", "tubes: expected at least one tube, found none"),
    _board("single-quotes-cut-off", "{'capacity': 2, 'tubes': [", "line 1, column 27: not JSON"),
    _board("python-none", '{"capacity": None, "tubes": [[]]}', "capacity: expected a valid integer, found null"),
    _board("comment-in-json", '{"capacity": 2, // two\n "tubes": [[]]}', "line 1, column 17: not JSON"),
    _board("two-objects-on-a-line", _GOOD + _GOOD, "not JSON: Extra data"),
    _board("pretty-printed-and-cut-off", '{\n  "capacity": 2,\n  "tubes": [', "line 3"),
    _board("nested-too-deeply", "[" * 100_000, "not usable JSON"),
    _board("nested-too-deeply-on-several-lines", "[" * 100_000 + "\n" + "]" * 100_000, "not usable JSON"),
    _board("a-number-of-5000-digits", '{"capacity": ' + "1" * 5000 + ', "tubes": [[]]}', "not usable JSON"),
    _board("array-of-a-board-and-a-number", f"[{_GOOD}, 1]", "expected a board as a JSON object, found list"),
    _board("array-of-boards-the-second-without-tubes", f'[{_GOOD},\n{{"capacity": 2}}]', "[1]: tubes: missing"),
    _board("key-twice", '{"capacity": 2, "capacity": 3, "tubes": [[]]}', "capacity: expected once, found twice"),
    _board("key-with-a-line-break-twice", '{"a\\nb": 2, "a\\nb": 3}', "expected once, found twice"),
    # JSON Lines
    _board("second-line-is-no-json", f"{_GOOD}\n{{nonsense}}\n", "line 2, column 2: not JSON"),
    _board("third-line-has-no-tubes", f'{_GOOD}\n\n{{"capacity": 2}}\n', "line 3: tubes: missing"),
    _board("second-line-is-a-number", f"{_GOOD}\n5\n", "line 2: expected a board as a JSON object, found int"),
    # sort boards
    _board("empty-object", "{}", "tubes: missing, but a ball-sort board needs it"),
    _board("no-tubes", '{"capacity": 2}', "tubes: missing, but a ball-sort board needs it"),
    _board("tubes-empty", '{"capacity": 2, "tubes": []}', "tubes: expected at least one tube, found none"),
    _board("tube-a-string", '{"capacity": 2, "tubes": ["ab"]}', "1 of colour 'a' cannot fill whole tubes of 2"),
    _board("unknown-cells-and-no-colours-for-them", '{"capacity": 2, "tubes": [["a", "b"], ["b", null], [null]]}',
        "2 cells are unknown, but 1 balls are missing of the colours with a name (1 of 'a'); the other 1 cells"),
    _board("hidden-of-other-length", '{"capacity": 1, "tubes": [["a"]], "hidden": [[]]}',
        "hidden[0]: expected 1 values"),
    _board("hidden-of-other-tubes", '{"capacity": 1, "tubes": [["a"]], "hidden": [[true], []]}',
        "hidden: expected 1 lists"),
    _board("capacities-of-other-tubes", '{"capacity": 1, "tubes": [["a"]], "capacities": [1, 1]}',
        "capacities: expected 1"),
    _board("above-its-capacity", '{"capacity": 2, "tubes": [["a", "a"], []], "capacities": [1, 2]}',
        "tubes[0]: expected at"),
    _board("lock-of-no-tube", '{"capacity": 1, "tubes": [["a"]], "locked": [{"tube": 1, "until": 1}]}',
        "locked[0].tube: expected a tube from 0 to 0, found 1"),
    _board("lock-of-no-colour", '{"capacity": 1, "tubes": [["a"]], "locked": [{"tube": 0, "until": "b"}]}',
        "locked[0].until: expected a colour of the board"),
    _board("accepts-no-colour", '{"capacity": 1, "tubes": [["a"]], "accepts": {"0": ["b"]}}',
        "accepts.0: expected a colour"),
    _board("accepts-no-tube", '{"capacity": 1, "tubes": [["a"]], "accepts": {"x": ["a"]}}',
        "accepts.x: expected a tube"),
    _board("no-in-no-tube", '{"capacity": 1, "tubes": [["a"]], "no_in": [7]}', "no_in[0]: expected a tube from 0 to 0"),
    _board("too-many-to-gather", '{"capacity": 1, "tubes": [["a"], ["a"]], "goal": "gathered"}',
        "no tube holds the 2 balls"),
    _board("more-than-counted", '{"capacity": 2, "tubes": [["a", "a"], ["a", null]], "colours": {"a": 2, "b": 2}}',
        "3 balls of colour 'a' show, but there are 2"),
    _board("no-tubes-to-fill", '{"capacity": 2, "tubes": [["a", "a"], ["b", "b"]], "capacities": [3, 2]}',
        "the tubes can't be dealt out"),
    _board("text-bracket-open", "ab|[ab", "line 1: expected a ] after ["),
    _board("text-lock-of-nothing", "locked 1 until b\nab|ab", "line 1: expected locked TUBE colour C"),
    _board("text-partial-maybe", "partial maybe\nab|ab", "line 1: expected partial allowed or refused"),
    _board("colour-half-a-character", '{"capacity": 1, "tubes": [["\\ud800"]]}', "not usable JSON"),
    _board("capacity-nan", '{"capacity": NaN, "tubes": [[]]}', "capacity: expected a valid integer, found NaN"),
    _board("tube-above-capacity", '{"capacity": 2, "tubes": [["a", "a"], ["b", "b", "b"]]}',
        "tubes[1]: expected at most 2 balls (the capacity), found 3"),
    _board("count-fills-no-tube", '{"capacity": 2, "tubes": [["a", "b"], ["a"]]}', "1 of colour 'b' cannot fill"),
    _board("colour-without-end", f'{{"capacity": 2, "tubes": [["a", "{"b" * 5000}"], ["a"]]}}', "colour of at most 64"),
    _board("tile-without-end", f'{{"puzzle": "tiles", "columns": [["{"b" * 65}"]]}}', "columns[0][0]: expected a"),
    _board("capacities-beyond-use", '{"capacity": 1, "tubes": [[]], "capacities": [1e999]}', "capacities[0]: expected"),
    _board("too-few-tubes", '{"capacity": 2, "goal": "monochrome", "tubes": [["a", "b"]]}',
        "need 2 tubes to be kept apart"),
    _board("puzzle-unknown", '{"puzzle": "sudoku", "tubes": [[]]}', "puzzle: expected one of ball-sort, water-sort,"),
    _board("puzzle-half-a-character", '{"puzzle": "\\udfff", "tubes": [[]]}', "not usable JSON"),
    _board("optimal-of-a-rule-with-a-line-break", '{"capacity": 2, "tubes": [[]], "optimal": {"ball\\nsort": -1}}',
        "optimal"),
    _board("too-many-colours", '{"capacity": 1, "tubes": [' + ", ".join(f"[{colour}]" for colour in range(257)) + "]}",
        "expected at most 256 colours, found 257"),
    _board("key-of-5000-characters", '{"capacity": 2, "tubes": [[]], "optimal": {"' + "k" * 5000 + '": -1}}',
        "optimal." + "k" * 57 + "...: expected"),
    _board("key-of-5000-characters-twice", '{"' + "k" * 5000 + '": 2, "' + "k" * 5000 + '": 3}',
        "k" * 57 + "...: expected"),
    # tiles
    _board("tiles-no-columns", '{"puzzle": "tiles"}', "columns: missing, but a tiles board needs it"),
    _board("tiles-columns-empty", '{"puzzle": "tiles", "columns": []}', "columns: expected at least one column"),
    _board("tiles-of-too-many-colours", f'{{"puzzle": "tiles", "columns": {[[tile] for tile in range(257)]}}}',
        "columns: expected at most 256 colours"),
    _board("tiles-null", '{"puzzle": "tiles", "columns": [[1, null]]}', "columns[0][1]: expected a colour"),
    # shot
    _board("shot-no-balls", '{"puzzle": "shot"}', "balls: missing, but a shot board needs it"),
    _board("shot-balls-empty", '{"puzzle": "shot", "balls": []}', "balls: expected at least one ball, found none"),
    _board("shot-negative", '{"puzzle": "shot", "balls": [[0, -1]]}', "balls[0][1]: expected greater than or equal"),
    _board("shot-outside", '{"puzzle": "shot", "balls": [[0, 0], [7, 0]]}', "balls[1]: expected a place inside 7×9"),
    _board("shot-one-coordinate", '{"puzzle": "shot", "balls": [[0]]}', "balls[0][1]: missing"),
    _board("shot-three-coordinates", '{"puzzle": "shot", "balls": [[0, 0, 0]]}', "balls[0]"),
    _board("shot-a-fraction", '{"puzzle": "shot", "balls": [[0, 0.5]]}', "balls[0][1]: expected a valid integer"),
    _board("shot-one-place-twice", '{"puzzle": "shot", "balls": [[1, 1], [1, 1]]}', "balls[1]: expected one ball"),
    _board("shot-too-wide", '{"puzzle": "shot", "width": 101, "balls": [[0, 0]]}',
        "width: expected at most 100, found"),
    _board("shot-no-width", '{"puzzle": "shot", "width": 0, "balls": [[0, 0]]}', "width: expected greater than"),
    # text
    _board("text-only-comments", "# a board\n# that is not there\n", "expected a board, found no tube"),
    _board("text-nothing-between-bars", "ab||ba", "line 1: expected a tube between two |"),
    _board("text-spaces-in-a-tube", "ab\na b\n-", "line 2: expected one character a ball"),
    _board("text-a-dash-among-balls", "ab|b-a|-", "line 1: expected one character a ball, or -"),
    _board("text-braces", "ab|b}a|-", "line 1: expected one character a ball"),
    _board("text-a-control-character", "ab|b\x07|-", "line 1: expected one character a ball"),
    _board("text-capacity-zero", "capacity 0\nab|ba|-", "line 1: expected capacity as a positive number, found '0'"),
    _board("text-capacity-a-word", "capacity four\nab|ba|-", "line 1: expected capacity as a positive number"),
    _board("text-capacity-of-5000-digits", "capacity " + "1" * 5000 + "\nab|ba|-", "line 1: expected capacity"),
    _board("text-capacity-exceeded", "capacity 2\nab|bba|-", "tubes[1]: expected at most 2 balls"),
    _board("text-goal-unknown", "# x\ngoal sorted\nab|ba|-", "line 2: expected goal full or monochrome or"),
    _board("text-count-fills-no-tube", "aab|b|-", "cannot fill whole tubes of 3"),
]  # fmt: skip


MALFORMED_PLANS = [
    # for a ball-sort board
    Malformed("open-bracket", b"[", "line 1, column 2: not JSON"),
    Malformed("cut-off", b'{"plan": [[0, 1], [', "not JSON"),
    Malformed("no-plan", b'{"status": "unknown"}', 'expected a list of moves under "plan", found none'),
    Malformed("plan-null", b'{"plan": null}', 'expected a list of moves under "plan", found none'),
    Malformed("strategies", b'{"plan": null, "strategy": {"moves": []}}', "found strategies for hidden cells"),
    Malformed("plan-a-number", b'{"plan": 3}', 'expected a list of moves under "plan", found'),
    Malformed("move-a-number", b"[[0, 2], 3]", "plan[1]: expected [from, to] with two tube numbers, found 3"),
    Malformed("move-of-three", b"[[0, 1, 2]]", "plan[0]: expected [from, to]"),
    Malformed("move-of-one", b"[[0]]", "plan[0]: expected [from, to]"),
    Malformed("move-of-fractions", b"[[0, 1.0]]", "plan[0]: expected [from, to]"),
    Malformed("move-of-booleans", b"[[true, false]]", "plan[0]: expected [from, to]"),
    Malformed("move-of-strings", b'[["0", "1"]]', "plan[0]: expected [from, to]"),
    Malformed("move-of-nulls", b"[[null, null]]", "plan[0]: expected [from, to]"),
    Malformed("nested-too-deeply", b"[" * 100_000, "not a plan"),
    Malformed("a-number-of-5000-digits", b"[[" + b"1" * 5000 + b", 0]]", "not a plan"),
    Malformed("text-one-number", b"1 2\n3\n", "line 2: expected two tube numbers, FROM TO, found '3'"),
    Malformed("text-words", b"move one to two", "line 1: expected two tube numbers"),
    Malformed("text-tube-zero", b"1 2\n0 1\n", "line 2: tube 0: plans in text count tubes from 1"),
    Malformed("text-negative", b"-1 2", "line 1: expected two tube numbers"),
    Malformed("text-fractions", b"1.5 2.5", "line 1: expected two tube numbers"),
    Malformed("text-a-number-of-5000-digits", b"1" * 5000 + b" 2", "line 1"),
]


# -- damage, by a seeded chance ------------------------------------------------------------------------------

NASTY_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 4, 7, 255, 256, 257, 10**4, 2**31, 2**63, 10**30, 0.0, 1.5, -0.5, 1e308,
    float("nan"), float("inf"), "", "a", "0", "-", "\n", "\x1b[2J", "\u202e", "\ud800", "é", "a" * 300, [], [[]], {},
    [None], {"": None}, "ball-sort", "water-sort", "tiles", "shot", "full", "monochrome", "top-down", "optimal",
    "feasible", "unsolvable", "unknown", "failed", "up", "left",
]  # fmt: skip
"""What a value of a JSON file may be taken for, or made to."""

NASTY_BYTES = [
    b"", b" ", b"\n", b"\r\n", b"\t", b"\0", b"\x1b", b"\x7f", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\x85",
    b"\xd9\xa3", b"-", b"|", b"#", b"[", b"]", b"{", b"}", b'"', b"\\", b",", b":", b"0", b"9", b"1e9", b"-1",
    b"null", b"NaN", b"->", b";", b".", b"capacity ", b"goal ", b"[" * 200, b"1" * 5000,
]  # fmt: skip
"""What may stand anywhere in a text."""


def damaged_bytes(chance: Random, data: bytes, most: int = 4) -> bytes:
    """Up to a given number of places changed, taken out, doubled, moved or filled with something else."""
    for _ in range(chance.randint(1, most)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice((0, 1, 1, 2, 5, 40)))
        part = data[start:end]
        to = chance.randint(0, len(data))
        match chance.randrange(7):
            case 0:
                data = data[:start] + bytes(byte ^ 1 << chance.randrange(8) for byte in part) + data[end:]
            case 1:
                data = data[:start] + data[end:]
            case 2:
                data = data[:end] + part + data[end:]
            case 3:
                data = data[:to] + part + data[to:]
            case 4 | 5:
                data = data[:start] + chance.choice(NASTY_BYTES) + data[end:]
            case 6:
                data = data[:start] if chance.random() < 0.2 else data[:start] + data[start:end][::-1] + data[end:]
    return data


def damaged_json(chance: Random, value: Any, most: int = 3) -> Any:
    """A copy of a JSON value with up to a given number of parts replaced, taken out, doubled, exchanged or added."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, most)):
        value = _damaged_once(chance, value)
    return value


def _damaged_once(chance: Random, value: Any) -> Any:
    inside = [(holder, key) for holder in _holders(value) for key in _keys(holder)]
    if not inside or chance.random() < 0.01:
        return _nasty(chance)
    holder, key = chance.choice(inside)
    other_holder, other_key = chance.choice(inside)
    number = holder[key]
    match chance.randrange(7):
        case 0:
            holder[key] = _nasty(chance)
        case 1:
            del holder[key]
        case 2:
            added = copy.deepcopy(other_holder[other_key])
            if isinstance(holder, list):
                holder.insert(key, added)
            else:
                holder[key] = added
        case 3:
            first, second = copy.deepcopy((holder[key], other_holder[other_key]))
            holder[key], other_holder[other_key] = second, first
        case 4:
            if isinstance(number, int):
                holder[key] = number + chance.choice((-1, 1))
            elif isinstance(number, list):
                chance.shuffle(number)
        case 5:
            if isinstance(holder, dict):
                holder[
                    chance.choice(("puzzle", "capacity", "tubes", "goal", "order", "x", "", "status", "plan", "length"))
                ] = _nasty(chance)
            else:
                chance.shuffle(holder)
        case 6:
            if isinstance(number, int | str):
                holder[key] = str(number) if isinstance(number, int) else number[::-1]
            else:
                holder[key] = [number]
    return value


def _nasty(chance: Random) -> Any:
    """A copy: what is put into a value may be damaged in its turn."""
    return copy.deepcopy(chance.choice(NASTY_VALUES))


def _holders(value: Any) -> list[Any]:
    """All lists and objects in a value, itself included."""
    found, level = [], [value]
    while level:
        found += [each for each in level if isinstance(each, list | dict)]
        level = [inner for each in level for inner in _parts(each)]
    return found


def _parts(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))
