"""Boards and plans that can't be used, with what the one line of refusal must contain; and damage to good ones."""

import copy
from random import Random
from typing import Any, NamedTuple


class Malformed(NamedTuple):
    contents: bytes
    message: str
    """A part of it that names the place or the fault."""

    @property
    def name(self) -> str:
        """What the test of it is called."""
        return self.message


def _each(cases: list[tuple[bytes | str, str]]) -> list[Malformed]:
    return [Malformed(each.encode() if isinstance(each, str) else each, message) for each, message in cases]


_GOOD = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}'

MALFORMED_BOARDS = _each([
    # bytes
    (b"", "found nothing"),
    (b" \n\t\r\n", "found nothing"),
    (b"\xef\xbb\xbf", "found nothing"),
    (b'{"capacity": 2, "tubes": [["gr\xfcn"]]}', "not UTF-8 text: byte 30 is 0xfc"),
    (_GOOD.encode("utf-16") + b"x", "not UTF-16 text: byte"),
    (bytes(range(256)), "not UTF-8 text"),
    (b"\x89PNG\r\n\x1a\n", "not UTF-8 text: byte 0 is 0x89"),
    # JSON syntax
    ("{", "line 1, column 2: not JSON"),
    (_GOOD[:-5], "not JSON"),
    ('{"capacity": 2, "tubes": [[],,[]]}', "not JSON"),
    ("{'capacity': 2, 'tubes': []}", "tubes: expected at least one tube, found none"),
    ("{'capacity': 2, 'tubes': [", "line 1, column 27: not JSON"),
    ('{"capacity": None, "tubes": [[]]}', "capacity: expected a whole number, found null"),
    ('{"capacity": 2, // two\n "tubes": [[]]}', "expected a board, found no ball"),
    ('{\n  "capacity": 2,\n  "tubes": [', "line 3"),
    ("[" * 100_000, "not usable JSON"),
    ("[" * 100_000 + "\n" + "]" * 100_000, "not usable JSON"),
    ('{"capacity": ' + "1" * 5000 + ', "tubes": [[]]}', "expected numbers of at most 4,300 digits"),
    (f"[{_GOOD}, 1]", "tubes[0]: expected a list, found "),
    (f'[{_GOOD},\n{{"capacity": 2}}]', "[1]: expected a board, found no tubes"),
    ('{"capacity": 2, "capacity": 3, "tubes": [[]]}', "capacity: expected once, found twice"),
    ('{"a\\nb": 2, "a\\nb": 3}', "expected once, found twice"),
    # JSON Lines
    (f"{_GOOD}\n{{nonsense}}\n", "line 2, column 2: not JSON"),
    (f'{_GOOD}\n\n{{"capacity": 2}}\n', "line 3: expected a board, found no tubes"),
    (f"{_GOOD}\n5\n", "line 2: expected a board, found no tubes"),
    # sort boards
    ("{}", "tubes: missing, but a ball-sort board needs it"),
    ('{"capacity": 2}', "tubes: missing, but a ball-sort board needs it"),
    ('{"capacity": 2, "tubes": []}', "tubes: expected at least one tube, found none"),
    ('{"capacity": 2, "tubes": ["ab"]}', "1 of colour 'a' cannot fill whole tubes of 2"),
    ('{"capacity": 2, "tubes": [["a", "b"], ["b", null], [null]]}',
        "1 of colour 'a' cannot fill whole tubes of 2"),
    ('{"puzzle": "ball-sort", "capacity": 3, "tubes": [["a", "b", "c"], ["d", "e", null]]}',
        "but 10 balls missing of the colours with a name (2 of 'a', 2 of 'b', 2 of 'c', 2 more colours); "),
    ('{"capacity": 1, "tubes": [["a"]], "hidden": [[]]}', "hidden[0]: expected 1 value,"),
    ('{"capacity": 1, "tubes": [["a"]], "hidden": [[true], []]}', "hidden: expected 1 list,"),
    ('{"capacity": 1, "tubes": [["a"]], "capacities": [1, 1]}', "capacities: expected 1"),
    ('{"capacity": 2, "tubes": [["a", "a"], []], "capacities": [1, 2]}', "tubes[0]: expected at"),
    ('{"capacity": 1, "tubes": [["a"]], "locked": [{"tube": 1, "until": 1}]}',
        "locked[0].tube: expected a tube from 0 to 0, found 1"),
    ('{"capacity": 1, "tubes": [["a"]], "locked": [{"tube": 0, "until": "b"}]}',
        "locked[0].until: expected a colour of the board"),
    ('{"capacity": 1, "tubes": [["a"]], "accepts": {"0": ["b"]}}', "accepts.0: expected a colour"),
    ('{"capacity": 1, "tubes": [["a"]], "accepts": {"x": ["a"]}}', "accepts.x: expected a tube"),
    ('{"capacity": 1, "tubes": [["a"]], "no_in": [7]}', "no_in[0]: expected a tube from 0 to 0"),
    ('{"capacity": 1, "tubes": [["a"], ["a"]], "goal": "gathered"}', "no tube holds the 2 balls"),
    ('{"capacity": 2, "tubes": [["a", "a"], ["a", null]], "colours": {"a": 2, "b": 2}}',
        "3 balls of colour 'a' show, but there are 2"),
    ('{"capacity": 2, "tubes": [["a", "a"], ["b", "b"]], "capacities": [3, 2]}', "the tubes can't be dealt out"),
    ('{"capacity": 1, "tubes": [["a"]], "hidden": [[true]], "drain": true}', "drain: expected no covered"),
    ("ab|[ab", "line 1: expected a ] after ["),
    ("locked 1 until b\nab|ab", "line 1: expected locked TUBE colour C"),
    ("partial maybe\nab|ab", "line 1: expected partial allowed or refused"),
    ('{"capacity": 1, "tubes": [["\\ud800"]]}', "not usable JSON"),
    (r"""{x: "\ud800", tubes: [["a", "b"], ["b", "a"], []]}""", "expected whole characters, found half of one"),
    ('{"capacity": NaN, "tubes": [[]]}', "capacity: expected a whole number from 1 to 10000, found NaN"),
    ('{"capacity": 2, "tubes": [["a", "a"], ["b", "b", "b"]]}',
        "tubes[1]: expected at most 2 balls (the capacity), found 3"),
    ('{"capacity": 2, "tubes": [["a", "b"], ["a"]]}', "1 of colour 'b' cannot fill"),
    (f'{{"capacity": 2, "tubes": [["a", "{"b" * 5000}"], ["a"]]}}', "colour of at most 64"),
    (f'{{"puzzle": "tiles", "columns": [["{"b" * 65}"]]}}', "columns[0][0]: expected a"),
    ('{"capacity": 1, "tubes": [[]], "capacities": [1e999]}', "capacities[0]: expected"),
    ('{"capacity": 2, "goal": "monochrome", "tubes": [["a", "b"]]}', "need 2 tubes to be kept apart"),
    ('{"puzzle": "sudoku", "tubes": [[]]}', "puzzle: expected one of ball-sort, water-sort,"),
    ('{"puzzle": "\\udfff", "tubes": [[]]}', "not usable JSON"),
    ('{"capacity": 2, "tubes": [[]], "optimal": {"ball\\nsort": -1}}', "optimal"),
    ('{"capacity": 1, "tubes": [' + ", ".join(f"[{colour}]" for colour in range(1, 258)) + "]}",
        "expected at most 256 colours, found 257"),
    ('{"capacity": 2, "tubes": [[]], "optimal": {"' + "k" * 5000 + '": -1}}', "optimal." + "k" * 57 + "...: expected"),
    ('{"' + "k" * 5000 + '": 2, "' + "k" * 5000 + '": 3}', "k" * 57 + "...: expected"),
    # tiles
    ('{"puzzle": "tiles"}', "columns: missing, but a tiles board needs it"),
    ('{"puzzle": "tiles", "columns": []}', "columns: expected at least one column"),
    (f'{{"puzzle": "tiles", "columns": {[[tile] for tile in range(257)]}}}', "columns: expected at most 256 colours"),
    ('{"puzzle": "tiles", "columns": [[1, null]]}', "columns[0][1]: expected a colour"),
    # shot
    ('{"puzzle": "shot"}', "balls: missing, but a shot board needs it"),
    ('{"puzzle": "shot", "balls": []}', "balls: expected at least one ball, found none"),
    ('{"puzzle": "shot", "balls": [[0, -1]]}', "balls[0][1]: expected 0 or more"),
    ('{"puzzle": "shot", "balls": [[0, 0], [7, 0]]}', "balls[1]: expected a place inside 7×9"),
    ('{"puzzle": "shot", "balls": [[0]]}', "balls[0][1]: missing"),
    ('{"puzzle": "shot", "balls": [[0, 0, 0]]}', "balls[0]"),
    ('{"puzzle": "shot", "balls": [[0, 0.5]]}', "balls[0][1]: expected a whole number"),
    ('{"puzzle": "shot", "balls": [[1, 1], [1, 1]]}', "balls[1]: expected one ball"),
    ('{"puzzle": "shot", "width": 101, "balls": [[0, 0]]}', "width: expected at most 100, found"),
    ('{"puzzle": "shot", "width": 0, "balls": [[0, 0]]}', "width: expected 1 or more"),
    # text
    ("# a board\n# that is not there\n", "expected a board, found no tube"),
    ("ab||ba", "line 1: expected a tube between two |"),
    ("ab\na b\n-", "line 2: expected one character a ball"),
    ("ab|b-a|-", "line 1: expected one character a ball, or -"),
    ("ab|b}a|-", "line 1: expected one character a ball"),
    ("ab|b\x07|-", "line 1: expected one character a ball"),
    ("capacity 0\nab|ba|-", "line 1: expected capacity as a positive number, found '0'"),
    ("capacity four\nab|ba|-", "line 1: expected capacity as a positive number"),
    ("capacity " + "1" * 5000 + "\nab|ba|-", "line 1: expected capacity"),
    ("capacity 2\nab|bba|-", "tubes[1]: expected at most 2 balls"),
    ("# x\ngoal sorted\nab|ba|-", "line 2: expected goal full or monochrome or"),
    ("aab|b|-", "cannot fill whole tubes of 3"),
])  # fmt: skip


MALFORMED_PLANS = _each([
    # for a ball-sort board
    (b"[", "line 1, column 2: not JSON"),
    (b'{"plan": [[0, 1], [', "not JSON"),
    (b'{"status": "unknown"}', 'expected a list of moves under "plan", found none'),
    (b'{"plan": null}', 'expected a list of moves under "plan", found none'),
    (b'{"plan": null, "strategy": {"moves": []}}', "found strategies for hidden cells"),
    (b'{"plan": 3}', 'expected a list of moves under "plan", found'),
    (b"[[0, 2], 3]", "plan[1]: expected [from, to] with two tube numbers, found 3"),
    (b"[[0, 1, 2]]", "plan[0]: expected [from, to]"),
    (b"[[0]]", "plan[0]: expected [from, to]"),
    (b"[[0, 1.0]]", "plan[0]: expected [from, to]"),
    (b"[[true, false]]", "plan[0]: expected [from, to]"),
    (b'[["0", "1"]]', "plan[0]: expected [from, to]"),
    (b"[[null, null]]", "plan[0]: expected [from, to]"),
    (b"[" * 100_000, "not a plan"),
    (b"[[" + b"1" * 5000 + b", 0]]", "not a plan"),
    (b"1 2\n3\n", "line 2: expected two tube numbers, FROM TO, found '3'"),
    (b"move one to two", "line 1: expected two tube numbers"),
    (b"1 2\n0 1\n", "line 2: tube 0: plans in text count tubes from 1"),
    (b"-1 2", "line 1: expected two tube numbers"),
    (b"1.5 2.5", "line 1: expected two tube numbers"),
    (b"1" * 5000 + b" 2", "line 1"),
])  # fmt: skip


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
