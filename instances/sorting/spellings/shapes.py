"""Where the tubes are in the values of a text: under any key, in any wrapper, of one board or of many."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.rules import SortFields
from bsp_sat.instances.sorting.spellings.names import (
    SURE_ROOM,
    end_named,
    is_named,
    kind_named,
    plain,
    role_of,
)
from bsp_sat.instances.sorting.spellings.table import NOTHING, Cell, Pack, Said, Table
from bsp_sat.instances.text.documents import Document
from bsp_sat.instances.text.graphemes import graphemes
from bsp_sat.instances.text.reading import MAX_SIZE, as_json
from bsp_sat.instances.text.values import Pair, Word

FIELDS = SortFields.position_keys() - {"puzzle", "tubes", "capacity", "order"}
"""Keys of the project's own format that are passed on as they are."""

MAX_TIMES = 100
"""Of a colour in one entry, such as ``{"color": "red", "count": 2}``."""

_SEPARATORS = re.compile(r"[,;/|]")
_TUBE_NAME = re.compile(
    r"(tube|vial|bottle|flask|stack|t|b|v|c|col(umn)?|pole|bolt|jar|row|glass|cup|peg)?[ _#-]*(\d+|[a-z])",
    re.IGNORECASE,
)
_COLOUR_KEY = re.compile(r"colou?r|^c$|kind|type|value|hex|id$|name", re.IGNORECASE)
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

    >>> letters("rgb"), letters("red, blue"), letters("-")
    (['r', 'g', 'b'], ['red', 'blue'], [])
    """
    text = text.strip()
    if text.casefold() in SURE_ROOM - {"."}:
        return []
    if _SEPARATORS.search(text):
        return [word.strip() for word in _SEPARATORS.split(text.strip(",;/| "))]
    return list(text.split() if len(text.split()) > 1 else graphemes(text))


def packs_of_document(document: Document, said: Said = NOTHING) -> Iterator[Pack]:
    """Each way to see boards in the values of a text, beside which ``said`` stands.

    Raises:
        BoardError: what is said contradicts itself.
    """
    values = [item.value for item in document.items]
    if len(values) == 1 and not isinstance(values[0], Pair):
        if found := _boards(values[0], said):
            yield found
    elif all(isinstance(value, Pair) for value in values):
        named: dict[str, Any] = {}
        for value in values:
            named.setdefault(value.key, value.value)
        if found := _boards(named, said):
            yield found
    else:
        yield from _packs_of_several(document, said)


def _packs_of_several(document: Document, said: Said) -> Iterator[Pack]:
    """Values side by side, perhaps after settings: tubes of one board, or boards."""
    items = document.items
    said = _said({item.value.key: item.value.value for item in items if isinstance(item.value, Pair)}, said)
    words = [str(item.value) for item in items if not isinstance(item.value, list | dict | Pair)]
    groups = [item for item in items if isinstance(item.value, list | dict)]
    if len(words) > 2 * len(groups) + 8:
        return
    said = _said_in_words(" ".join(words[:12]), said)
    board = _board([item.value for item in groups], said) if len(groups) > 1 else None
    if board is None:
        found = []
        for item in items:
            if isinstance(item.value, list | dict | Pair):
                one = _boards(item.value, said)
                places = [f"{item.line} {table.place}".strip() if len(one) > 1 else f"{item.line}" for table in one]
                found += [replace(table, place=place) for table, place in zip(one, places, strict=True)]
        if found:
            yield found
        return
    lines: dict[int, list[Any]] = {}
    for item in groups:
        lines.setdefault(item.line, []).append(item.value)
    if 1 < len(lines) < len(groups) and all(len(line) > 1 for line in lines.values()):
        pack = [_board(line, said, f"{number}") for number, line in lines.items()]
        if None not in pack:
            yield [table for table in pack if table is not None]
            board = replace(board, cost=2.5)
    if document.syntax == "lines":
        board = replace(board, cost=board.cost + 3.5, notes=(*board.notes, "each line is a tube"))
    yield [board]


def _said_in_words(words: str, said: Said) -> Said:
    """What words before the tubes say."""
    if found := re.search(r"capacity (\d{1,5})", words):
        said = replace(said, capacity=int(found[1]), exact=True)
    if found := re.search(r"goal (\w{1,20})", words):
        said = replace(said, fields={**said.fields, "goal": found[1]})
    end = end_named(words)
    return said if end is None else replace(said, top_first=end)


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
    return found if sum(bool(table.rows) for table in found) * 2 > len(found) else []


def _boards_of_object(value: Mapping[str, Any], outer: Said, place: str) -> Pack:
    tubes = [
        key for key, each in value.items() if isinstance(each, list | dict | str) and _TUBE_NAME.fullmatch(str(key))
    ]
    if len(tubes) > 1 and len(tubes) >= len(value) - 3 and not any(is_named(key, "kind") for key in tubes):
        said = _said({key: each for key, each in value.items() if key not in tubes}, outer)
        if (board := _board([value[key] for key in tubes], said, place)) is not None:
            return [board]
    inner = {key: _split(key, each) for key, each in value.items()}
    inner = {key: each for key, each in inner.items() if isinstance(each, list | dict | tuple)}
    nested = {key: each for key, each in inner.items() if key == "tubes" or not _NO_TUBES.fullmatch(str(key))}
    said = _said(value, outer)
    found = {
        key: boards
        for key, each in nested.items()
        if (boards := _boards(each, said, f"{place} {key}".strip(), sure=key == "tubes"))
    }
    if "tubes" in found or len(found) > 1:
        chosen = {"tubes"} if "tubes" in found else {key for key in found if is_named(key, "tubes")}
        found = {key: boards for key, boards in found.items() if key in chosen} or found
    if not found:
        return _cut(value, said, place)
    about = {key: each for key, each in said.about.items() if key not in found}  # boards aren't about one another
    boards = [
        replace(table, said=replace(table.said, about=about)) if table.said.about is said.about else table
        for each in found.values()
        for table in each
    ]
    if len(boards) == 1:  # the key of its tubes is no name of a board
        (key,) = found
        own = key == "tubes" and said.exact and all(isinstance(tube, list) for tube in value[key])
        board = replace(boards[0], place=place, own=own)
        return [replace(board, ways="rows" if own else board.ways, null_is_unknown=key == "tubes")]
    return boards


def _split(key: str, value: Any) -> Any:
    """The tubes of one string, such as ``"ABCD,DCBA,EEEE"``; any other value as it is."""
    if isinstance(value, str) and is_named(key, "tubes") and len(parts := re.split(r"[,;|/\n]", value.strip())) > 2:
        return [part.strip() for part in parts]
    return value


def _cut(value: Mapping[str, Any], said: Said, place: str) -> Pack:
    """The board of one list of balls, cut by the capacity."""
    size = said.capacity
    for key, balls in value.items():
        if (
            size
            and isinstance(balls, list)
            and is_named(key, "balls", "tubes")
            and balls
            and all(map(is_scalar, balls))
        ):
            rows = [balls[start : start + size] for start in range(0, len(balls), size)]
            return [Table(rows, said, cost=0.5, notes=("one list, cut by the capacity",), place=place)]
    return []


def _board(values: Sequence[Any], said: Said, place: str = "") -> Table | None:
    """The board whose tubes these are; None if they are no tubes."""
    if not values:
        return None
    if all(isinstance(value, str) for value in values):
        rows = _rows_of_strings(values)
        return None if rows is None else Table(rows, said, place=place)
    if any(is_scalar(value) and not isinstance(value, str) for value in values):
        return None
    if all(isinstance(value, list) and (not value or (len(value) == 1 and type(value[0]) is Word)) for value in values):
        return _board(["".join(value) for value in values], said, place)  # [rgb] [bgr] []: letters in brackets
    triples = any(isinstance(value, list) and value and all(map(_is_triple, value)) for value in values)
    triples = triples and _largest(values) > 20
    rows_or_none = [_tube(value, triples) for value in values]
    rows = [row for row in rows_or_none if row is not None]
    if len(rows) < len(values) or not any(rows):
        return None
    said = _said_by_tubes([value for value in values if isinstance(value, dict)], said)
    square = len(set(map(len, rows))) == 1 and bool(rows[0]) and all(isinstance(value, list) for value in values)
    return Table(rows, said, "both" if square else "rows", place=place)


def _rows_of_strings(values: Sequence[str]) -> list[list[Cell]] | None:
    if all(len(graphemes(value.strip())) <= 1 for value in values):
        return None
    split = [_SEPARATORS.search(value) or len(value.split()) > 1 for value in values]
    if any(split):  # then one word alone is one ball
        return [
            letters(value) if there or value.strip().casefold() in SURE_ROOM else [value.strip()]
            for value, there in zip(values, split, strict=True)
        ]
    return [letters(value) for value in values]


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
    if isinstance(value, dict):
        return _tube_of_object(value, triples)
    return None


def _tube_of_object(value: Mapping[str, Any], triples: bool) -> list[Cell] | None:
    lists = {key: each for key, each in value.items() if isinstance(each, list | tuple)}
    if len(lists) > 1:
        lists = {key: each for key, each in lists.items() if is_named(key, "balls")} or lists
    if len(lists) == 1 and not any(isinstance(each, dict) for each in value.values()):
        ((key, balls),) = lists.items()
        return _tube(balls, triples) if is_named(key, "balls", "tubes") or plain(key) == "values" else None
    strings = [each for key, each in value.items() if isinstance(each, str) and is_named(key, "balls")]
    return letters(strings[0]) if not lists and len(strings) == 1 else None


def _cells(value: Any) -> list[Cell] | None:
    """A ball, or as many as an object counts; None if it is none."""
    if is_scalar(value):
        return [int(value) if isinstance(value, float) and value.is_integer() else value]
    if not isinstance(value, dict) or len(value) > 5 or not all(map(is_scalar, value.values())):
        return None
    if set("rgb") <= value.keys() <= set("rgba"):
        return [str(tuple(value.values()))]
    colours = [each for key, each in value.items() if _COLOUR_KEY.search(key)] or [
        each for each in value.values() if isinstance(each, str)
    ]
    times = [each for key, each in value.items() if _TIMES_KEY.search(key) and isinstance(each, int)]
    if not colours:
        return None
    return [colours[0]] * (times[0] if times and 0 < times[0] < MAX_TIMES else 1)


def _is_triple(value: Any) -> bool:
    """Whether a value may be a colour in parts of red, green and blue, perhaps with opacity."""
    return (
        isinstance(value, list | tuple)
        and len(value) in (3, 4)
        and all(isinstance(part, int | float) and not isinstance(part, bool) and 0 <= part <= 255 for part in value)
    )


def _largest(values: Sequence[Any]) -> float:
    tubes = (value for value in values if isinstance(value, list))
    return max((part for tube in tubes for ball in tube if _is_triple(ball) for part in ball), default=0)


# -- what stands beside tubes ------------------------------------------------------------------------------------


def _said(value: Mapping[str, Any], outer: Said) -> Said:
    """What an object says about the boards inside it."""
    said = replace(outer, about={})
    about: dict[str, Any] = {}
    for key, each in value.items():
        found = _said_by(str(key), each, said)
        if found is None:
            about[key] = each
        else:
            said = found
    return replace(said, about=about)


def _said_by(key: str, value: Any, said: Said) -> Said | None:
    """What one key says; None if it is only about the board."""
    if key in FIELDS and not (key in ("columns", "balls") and isinstance(value, list)):
        return replace(said, fields={**said.fields, key: value})
    if key == "order" and end_named(str(value)) is None:
        return replace(said, fields={**said.fields, key: value})
    role, whole = role_of(key), isinstance(value, int) and not isinstance(value, bool)
    if role == "steps" and (steps := _steps(value)):
        return replace(said, steps=steps)
    if is_named(key, "capacity") and whole and 0 < value <= MAX_SIZE:
        return replace(said, capacity=value, exact=said.exact or key == "capacity")
    if key == "capacity" and whole:
        raise BoardError(key, f"expected a number from 1 to {MAX_SIZE}, found {value}")
    if is_named(key, "empty") and whole and 0 <= value < MAX_SIZE:
        return replace(said, empty=value)
    if is_named(key, "count", "tubes") and plain(key) not in _NUMBERS and whole and 0 < value < MAX_SIZE:
        return replace(said, count=value)
    if role in ("top first", "bottom first") and isinstance(value, bool | int):
        return replace(said, top_first=bool(value) == (role == "top first"))
    if role == "end" and isinstance(value, str) and (end := end_named(value)) is not None:
        if said.top_first not in (None, end):
            raise BoardError(key, f"expected what stands beside it, found {as_json(value)}")
        return replace(said, top_first=end)
    if role == "kind" and isinstance(value, str) and (kind := kind_named(value)):
        return replace(said, kind=kind)
    if role in ("rule", "own") and value not in (None, False, 0, "", [], {}):
        return replace(said, rules=(*said.rules, key))
    return None


_NUMBERS = {"level", "levels", "puzzle", "test", "start", "data", "position", "problem", "map", "board"}
"""Names of tubes that count boards, where they have a number."""


def _steps(value: Any) -> tuple[tuple[int, int], ...]:
    """Recorded moves, as pairs of tubes; none if they are something else."""
    steps = []
    for step in value if isinstance(value, list) else ():
        if not (isinstance(step, list | tuple) and len(step) == 2 and all(type(tube) is int for tube in step)):
            return ()
        steps.append((step[0], step[1]))
    return tuple(steps)


def _said_by_tubes(tubes: Sequence[Mapping[str, Any]], said: Said) -> Said:
    """What objects that are tubes say: a common capacity, and rules of their own."""
    capacities = {
        each for tube in tubes for key, each in tube.items() if is_named(key, "capacity") and type(each) is int
    }
    rules = {
        str(key): None
        for tube in tubes
        for key, each in tube.items()
        if role_of(str(key)) in ("rule", "own") and each not in (None, False, 0, "", [], {}, -1)
    }
    if len(capacities) == 1:
        said = replace(said, capacity=capacities.pop())
    return replace(said, rules=(*said.rules, *rules)) if rules else said
