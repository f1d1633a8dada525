"""Where the tubes are in the values of a text: under any key, in any wrapper, of one board or of many."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.spellings.beside import key_of_balls, may_be_of_tubes, said_by_tubes, said_in_object
from bsp_sat.instances.sorting.spellings.names import SURE_ROOM, end_named, is_named, role_of
from bsp_sat.instances.sorting.spellings.table import BLANK, NOTHING, Cell, Pack, Said, Table, Ways, dearer
from bsp_sat.instances.text.documents import COLOUR, Document
from bsp_sat.instances.text.graphemes import graphemes
from bsp_sat.instances.text.reading import MAX_NAME, check_number, parse_json
from bsp_sat.instances.text.values import Pair, Word
from bsp_sat.instances.text.words import counts

MAX_TIMES = 100
"""Of a colour in one entry, such as ``{"color": "red", "count": 2}``."""

OPENED = 2.0
"""What it costs that texts in values hold boards."""

_SEPARATORS = re.compile(r"[,;/|]")
_SPACE = re.compile(" ")
_MARKED = re.compile(r"\s*([,;/|\n])\s*|\s+")
_BETWEEN_TUBES = "\n", ";|/", ",", " "
"""Marks that stand between tubes, not between balls, where there are also marks that are farther behind here."""
_TUBE_NAME = re.compile(
    r"(tube|vial|bottle|flask|stack|t|b|v|c|col(umn)?|pole|bolt|jar|row|glass|cup|peg)?[ _#-]*(\d+|[a-z])",
    re.IGNORECASE,
)
_SLOT = re.compile(r"(slot|layer|ball|colou?r|cell|pos(?:ition)?|item|segment)[ _-]?\d{1,4}", re.IGNORECASE)
_COLOUR_KEYS = [re.compile(words, re.IGNORECASE) for words in ("colou?r|^c$", "kind|type|value|hex|name", "id$")]
_TIMES_KEY = re.compile(r"count|amount|qty|quantity|size|height|volume|units|layers", re.IGNORECASE)
_NO_TUBES = re.compile(
    r"steps|solutions?.*|moves|history|palette|plan|optimal.*|.*params?|colou?r_?names|rewards?|hints?|locked|accepts|"
    r"wanted|hidden|contents|colours|capacities|no_?in|no_?out|tube_?colours|dependencies",
    re.IGNORECASE,
)


def is_scalar(value: Any) -> bool:
    """Whether a value may be a cell by itself."""
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def letters(text: str) -> list[Cell]:
    """The cells of a tube written as one string: words where anything separates them, else signs.

    >>> letters("rgb"), letters("red, blue"), letters("-"), letters("#f00")
    (['r', 'g', 'b'], ['red', 'blue'], [], ['#f00'])
    """
    text = text.strip()
    if text.strip("()").casefold() in SURE_ROOM - {"."}:
        return []
    if _SEPARATORS.search(text):
        return [word.strip() for word in _SEPARATORS.split(text.strip(",;/| "))]
    return list(text.split() if len(text.split()) > 1 or COLOUR.fullmatch(text) else graphemes(text))


def packs_of_document(document: Document, said: Said = NOTHING) -> Iterator[Pack]:
    """Each way to see boards in the values of a text, beside which ``said`` stands, unless that contradicts itself."""
    yield from _packs(document, said)
    opened = Document(document.syntax, [item._replace(value=_opened(item.value)) for item in document.items])
    if opened != document:
        for pack in _packs(opened, said):
            yield dearer(pack, OPENED)


def _opened(value: Any) -> Any:
    """A value with what its texts hold: lists and objects of JSON, or the tubes of a board, ``"ABCD,DCBA,EEEE"``."""
    if isinstance(value, Pair):
        return value._replace(value=_opened(value.value))
    if isinstance(value, dict):
        opened, are_counted = {}, counts(re.sub(r"\D+", "", key) for key in value)  # else "level1" is about one
        for key, each in value.items():
            role = "" if are_counted else role_of(key)
            if role != "tubes" and _are_tubes(each):
                opened[key] = {"tubes": each}
            else:
                opened[key] = each if role in ("about", "steps") else _opened(each)
        return opened
    if isinstance(value, list):
        if value and is_scalar(value[0]) and len(str(value[0])) < len("[[1]]"):
            return value  # a tube: this spares looking at balls
        return [
            {"tubes": each} if _are_tubes(each) and _SEPARATORS.search("".join(each)) else _opened(each)
            for each in value
        ]
    if not isinstance(value, str) or len(value) < len("[[1]]"):
        return value
    if value.lstrip()[:1] in ("[", "{"):
        try:
            return parse_json(value)
        except BoardError:
            return value
    parts = _parts(value)
    filled = [part for part in parts if letters(part)]
    if len(parts) < 3:
        return value
    if 2 * len({*filled}) <= len(filled):  # what stands so often is a ball
        return parts
    return {"tubes": parts} if any(len(letters(part)) > 1 for part in filled) else value


def _are_tubes(value: Any) -> bool:
    """Whether a list may hold a text for each tube. In "red" and "navy blue" only some have marks: these are balls."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return False
    marked = [bool(_MARKED.search(each.strip())) for each in value if len(letters(each)) > 1]
    return len(marked) > 1 and len({*marked}) == 1


def _parts(text: str) -> list[str]:
    """The tubes of a board in one text; none where that isn't clear.

    >>> _parts("ABAB, BABA, -"), _parts("red,blue; blue,red; -"), _parts("red;blue|blue;red")
    (['ABAB', 'BABA', '-'], ['red,blue', 'blue,red', '-'], ['red;blue', 'blue;red'])
    """
    text = _MARKED.sub(lambda mark: mark[1] or " ", text.strip())
    alike = next(([mark for mark in marks if mark in text] for marks in _BETWEEN_TUBES if {*marks} & {*text}), [])
    inner = _SEPARATORS if len(alike) > 1 else _SPACE if alike == [","] and " " in text else None
    for mark in alike:
        parts = text.split(mark)
        if inner is None or all(inner.search(part) or not letters(part) for part in parts):
            return parts
    return []


def _packs(document: Document, said: Said) -> Iterator[Pack]:
    values = [item.value for item in document.items]
    if all(isinstance(value, Pair) for value in values):
        named: dict[str, list[Any]] = {}
        for pair in values:
            named.setdefault(pair.key, []).append(pair)
        # Tubes or boards of one name, such as tubes[0] = {1, 2}.
        several = {key: [each.value for each in pairs] for key, pairs in named.items() if len(pairs) > 1}
        one = len(named) == 1 and all(isinstance(each, list) and all(map(is_scalar, each)) for _, each in values)
        values = [[value.value for value in values]] if one else [dict(values) | several]
    if len(values) > 1:
        yield from _packs_of_several(document, said)
    elif found := _boards(values[0], said):
        yield found
        if len(found) == 1 and isinstance(values[0], dict) and "tubes" in values[0]:
            yield from _other_boards(values[0], found[0])


def _other_boards(value: Mapping[str, Any], board: Table) -> Iterator[Pack]:
    """Boards of as many tubes beside ``tubes``: an initial state and a present one."""
    for key, each in value.items():
        if not _NO_TUBES.fullmatch(key) and isinstance(each, list) and len(each) == len(board.rows):
            other = _board(each, board.said)
            if other is not None and other.rows != board.rows:
                yield [other]


def _packs_of_several(document: Document, said: Said) -> Iterator[Pack]:
    """Values side by side, perhaps after settings: tubes of one board, or boards."""
    items = document.items
    said = said_in_object(dict(item.value for item in items if isinstance(item.value, Pair)), said)
    groups = [item for item in items if isinstance(item.value, list | dict)]
    words = [str(item.value) for item in items if not isinstance(item.value, list | dict | Pair)]
    if len(words) > 2 * len(groups) + 8:
        return
    if (end := end_named(" ".join(words[:12]))) is not None:
        said = replace(said, top_first=end)
    board = _board([item.value for item in groups], said) if len(groups) > 1 else None
    if board is None:
        found: Pack = []
        for item in items:
            boards = _boards(item.value, said)
            if not boards and document.syntax == "lines":
                boards = [Table([], said)]
            inside = [f" {table.place}" if len(boards) > 1 and table.place else "" for table in boards]
            found += [replace(table, place=f"{item.line}{at}") for table, at in zip(boards, inside, strict=True)]
        if found:
            yield found
        return
    lines = [[item.value for item in line] for _, line in groupby(groups, attrgetter("line"))]
    if 1 < len(lines) < len(groups) and all(len(line) > 1 for line in lines):
        places = dict.fromkeys(str(item.line) for item in groups)
        pack = [_board(line, said, place) for line, place in zip(lines, places, strict=True)]
        if None not in pack:
            yield [table for table in pack if table is not None]
            board = replace(board, cost=2.5)
    if document.syntax == "lines":
        board = replace(board, cost=board.cost + 3.5, notes=(*board.notes, "each line is a tube"))
    yield [board]


# -- boards in values --------------------------------------------------------------------------------------------


def _boards(value: Any, said: Said, place: str = "", *, sure: bool = False) -> Pack:
    """The boards in a value, in order; one tube is a board only if it is ``sure`` that tubes stand there."""
    if isinstance(value, Pair):
        return _boards({value.key: value.value}, said, place)
    if isinstance(value, dict):
        return _boards_of_object(value, said, place)
    if not isinstance(value, list | tuple):
        return []
    if (board := _board(value, said, place)) is not None and (len(value) > 1 or sure):
        return [board]
    found: Pack = []
    for number, each in enumerate(value, start=1):
        inside = _boards(each, said, f"{place} {number}".strip())
        if not inside and each and not isinstance(each, Word | int if not found else Word):  # a number before them
            inside = [Table([], said, place=f"{place} {number}".strip())]
        found += inside
        check_number(len(found), place)
    return found if sum(bool(table.rows) for table in found) * 2 > len(found) else []


def _boards_of_object(value: Mapping[str, Any], outer: Said, place: str) -> Pack:
    tubes = {
        key: each for key, each in value.items() if isinstance(each, list | dict | str) and _TUBE_NAME.fullmatch(key)
    }
    if len(tubes) > 1 and len(tubes) >= len(value) - 3 and not any(is_named(key, "kind") for key in tubes):
        said = said_in_object({key: each for key, each in value.items() if key not in tubes}, outer)
        if (board := _board([*tubes.values()], said, place)) is not None:
            return [board]
    said = said_in_object(value, outer)
    inner = {key: each for key, each in value.items() if key == "tubes" or not _NO_TUBES.fullmatch(key)}
    found = {}
    for key, each in inner.items():
        end = end_named(key)  # a key may itself say which end is the top
        under = said if end is None else replace(said, top_first=end)
        if boards := _boards(each, under, f"{place} {key}".strip(), sure=key == "tubes"):
            found[key] = boards
    if "tubes" in found:
        found = {"tubes": found["tubes"]}
    elif len(found) > 1:
        cells = [{cell for table in boards for row in table.rows for cell in row} for boards in found.values()]
        names = [key for key in found if isinstance(value[key], list) and {*map(type, value[key])} == {str}]
        names = [key for key in names if not any(not each or _SEPARATORS.search(each) for each in value[key])]
        for key in [key for key in names if any({*value[key]} >= colours > set() for colours in cells)]:
            del found[key]  # which names the colours of another
        found = {key: boards for key, boards in found.items() if is_named(key, "tubes")} or found
    if not found:
        return _cut(value, said, place)
    about = {key: each for key, each in said.about.items() if key not in found}  # boards aren't about one another
    tables = chain(*found.values())
    boards = [replace(t, said=replace(t.said, about=about)) if t.said.about is said.about else t for t in tables]
    check_number(len(boards), place)
    if len(boards) > 1:
        return boards
    (key,), (board,) = found, boards
    if rules := [each for each, items in about.items() if may_be_of_tubes(each, items, board.rows)]:
        board = replace(board, said=replace(board.said, rules=(*board.said.rules, *rules)))
    own = key == "tubes" and said.exact and all(isinstance(tube, list) for tube in value[key])
    ways: Ways = "rows" if own else board.ways
    return [replace(board, place=place, own=own, ways=ways, null_is_unknown=key == "tubes")]


def _cut(value: Mapping[str, Any], said: Said, place: str) -> Pack:
    """The board of one list of balls, cut by the capacity."""
    size = said.capacity or 0
    for key, balls in value.items():
        named = isinstance(balls, list) and is_named(key, "balls", "tubes")
        if size and named and balls and all(map(is_scalar, balls)):
            rows = [balls[start : start + size] for start in range(0, len(balls), size)]
            return [Table(rows, said, cost=0.5, notes=("one list, cut by the capacity",), place=place)]
    return []


def _board(values: Sequence[Any], said: Said, place: str = "") -> Table | None:
    """The board whose tubes these are; None if they are no tubes."""
    if not values:
        return None
    if all(map(_is_named_tube, values)):
        inner = [next(iter(value.values())) for value in values]
        values = ["" if each is None else str(each) if is_scalar(each) else each for each in inner]
    values = [*map(_with_its_argument, values)]
    if not said.exact and any(isinstance(value, list) for value in values):
        values = [[] if value is None else value for value in values]
    if all(isinstance(value, str) for value in values):
        rows = None if _are_balls(values, said.capacity) else _rows_of_strings(values)
        if rows is None:
            return None
        signs = all(isinstance(cell, str) and len(graphemes(cell)) == 1 for row in rows for cell in row)
        drawn = signs and len(set(map(len, values))) == 1
        return Table(rows, said, "both" if drawn else "rows", place=place)
    if any(is_scalar(value) and not isinstance(value, str) for value in values):
        return None
    short = [value for value in values if isinstance(value, list) and len(value) < 2]
    alone = [
        "".join(value) for value in short if all(isinstance(each, str) and len(each) <= MAX_NAME for each in value)
    ]
    if len(alone) == len(values) and max(map(len, alone)) > 1 and not said.exact:
        return _board(alone, said, place)  # [rgb] [bgr] [], or Tube("rgb")
    balls = [ball for value in values if isinstance(value, list) for ball in value if _is_triple(ball)]
    triples = any(isinstance(value, list) and value and all(map(_is_triple, value)) for value in values)
    triples = triples and max(map(max, balls)) > 20  # else four small numbers are a tube
    rows_or_none = [_tube(value, triples) for value in values]
    rows = [row for row in rows_or_none if row is not None]
    if len(rows) < len(values) or not any(rows) or all(map(_are_more, values, rows)):
        return None
    said = said_by_tubes(values, rows, said)
    square = len(set(map(len, rows))) == 1 and bool(rows[0]) and all(isinstance(value, list) for value in values)
    return Table(rows, said, "both" if square else "rows", place=place)


def _are_more(value: Any, balls: Sequence[Cell]) -> bool:
    """Whether there are more balls in an object than the capacity that it says, as of a whole board."""
    sizes = [each for key, each in value.items() if is_named(key, "capacity")] if isinstance(value, dict) else []
    return any(type(size) is int and size < len(balls) for size in sizes)


def _with_its_argument(value: Any) -> Any:
    """A value, or, of a list of balls with something beside it, as in ``Tube([…], true)``, an object that says it."""
    if not isinstance(value, list) or len(value) != 2 or isinstance(value[0], list) == isinstance(value[1], list):
        return value
    balls, argument = value if isinstance(value[0], list) else value[::-1]
    if is_scalar(argument) or isinstance(argument, bool):
        argument = {"argument": argument}
    return {**argument, "values": balls} if isinstance(argument, dict) and "values" not in argument else value


def _is_named_tube(value: Any) -> bool:
    """Whether a value is a tube with its name, such as ``{"Tube 1": […]}``."""
    named = isinstance(value, dict) and all(key[-1:].isdigit() and _TUBE_NAME.fullmatch(key) for key in value)
    return named and len(value) == 1


def _are_balls(values: Sequence[str], capacity: int | None) -> bool:
    """Whether words are balls that fill tubes, each so often as tubes of letters are hardly ever alike."""
    words = Counter(word for value in values if (word := value.strip().casefold()) not in SURE_ROOM)
    often = all(times % capacity == 0 if capacity else min(times, len(words)) > 2 for times in words.values())
    return often and min((len(graphemes(word)) for word in words), default=0) > 2


def _rows_of_strings(values: Sequence[str]) -> list[list[Cell]] | None:
    if all(len(letters(value)) <= 1 for value in values):
        return None
    marked = any(map(_SEPARATORS.search, values))  # then what has none is one ball, such as "light blue"
    words = [value.strip() for value in values if not _SEPARATORS.search(value) and (marked or len(value.split()) < 2)]
    if len(words) == len(values):
        return [*map(letters, values)]
    alone = set(filter(letters, words))  # one ball each
    return [[value.strip()] if value.strip() in alone else letters(value) for value in values]


def _tube(value: Any, triples: bool) -> list[Cell] | None:
    """The cells of a value that may be a tube; None if it is none."""
    if isinstance(value, str):
        return letters(value)
    if isinstance(value, list | tuple):
        if triples and all(map(_is_triple, value)):
            return [str(tuple(each)) for each in value]
        if len(value) == 1 and isinstance(value[0], list):  # Tube([…])
            return _tube(value[0], triples)
        cells = [_cells(each) for each in value]
        return None if None in cells else [cell for part in cells if part is not None for cell in part]
    return _tube_of_object(value, triples) if isinstance(value, dict) else None


def _tube_of_object(value: Mapping[str, Any], triples: bool) -> list[Cell] | None:
    lists = [each for each in value.values() if isinstance(each, list | tuple)]
    plainly = not any(isinstance(each, dict) for each in value.values())
    if plainly and (key := key_of_balls(value)) is not None:
        return _tube(value[key], triples)
    slots = {_SLOT.fullmatch(key) for key in value}
    if counts(value) or (len(value) > 1 and None not in slots and len({slot[1] for slot in slots if slot}) == 1):
        return [*value.values()] if all(map(is_scalar, value.values())) else None
    strings = [each for key, each in value.items() if isinstance(each, str) and is_named(key, "balls")]
    return letters(strings[0]) if not lists and len(strings) == 1 else None


def _cells(value: Any) -> list[Cell] | None:
    """A ball, or as many as an object counts; None if it is none."""
    if is_scalar(value):
        return [int(value) if isinstance(value, float) and value.is_integer() else value]
    if value == {}:  # a place without a ball
        return [BLANK]
    if isinstance(value, dict) and "values" in value:  # Ball(red, hidden=True)
        return _cells(value["values"])
    if isinstance(value, list) and len(value) == 1 and is_scalar(value[0]):  # Ball(red)
        return value
    if not isinstance(value, dict) or len(value) > 6 or any(isinstance(each, list) for each in value.values()):
        return None
    inner = [each for each in value.values() if isinstance(each, dict)]
    if inner:  # an object around a ball
        return _cells(inner[0]) if len(inner) == 1 else None
    if set("rgb") <= value.keys() <= set("rgba"):
        return [str(tuple(value.values()))]
    named = [[each for key, each in value.items() if key_of.search(key)] for key_of in _COLOUR_KEYS]
    colours = next(filter(None, named), [each for each in value.values() if isinstance(each, str)])
    times = [each for key, each in value.items() if _TIMES_KEY.search(key) and isinstance(each, int)]
    return colours[:1] * (times[0] if times and 0 < times[0] < MAX_TIMES else 1) or None


def _is_triple(value: Any) -> bool:
    """Whether a value may be a colour in parts of red, green and blue, perhaps with opacity."""
    parts: Sequence[Any] = value if isinstance(value, list | tuple) and len(value) in (3, 4) else [None]
    return all(type(part) in (int, float) and 0 <= part <= 255 for part in parts)
