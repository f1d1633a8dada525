"""Sort boards in other spellings than the project's own: first a table of cells, then the board that it can be.

The tubes may be the rows or the columns of the table, with either end as the bottom. What fits is taken: counts that
fill whole tubes, and room at one end alone, the same in all tubes, which is the top. If nothing shows the top, rows
begin at the bottom and columns are upright. If rows and columns both fit, neither is taken. Room is never invented.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import itemgetter
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import READ_AS
from bsp_sat.instances.sorting.notation import TUBES_IN, UNKNOWN_BALL, guess_capacity, parse_tubes, split_settings
from bsp_sat.instances.text.fields import as_json
from bsp_sat.instances.text.literals import is_literal, read_literal
from bsp_sat.instances.text.words import parse_number

Rows = list[list[Any]]
"""Cells: a colour, `UNKNOWN_BALL`, or None for room. What is no colour is refused with the fields of the board."""

Reader = Callable[[Mapping[str, Any]], object]
"""Makes the position from the fields of the JSON format; raises a BoardError if they don't fit."""

ROOM = {"", "empty", "none", "null", "nan"}
ORDERS = {
    "rows": {"bottom-up": "each from bottom to top", "top-down": "each from top to bottom"},
    "columns": {"top-down": "in columns, the top row first", "bottom-up": "in columns, the bottom row first"},
}
"""The orders in which tubes are written, the usual one first, in words."""

_BARS = str.maketrans("│┃║", "|||")
_SEPARATED = re.compile(r"[^\s|]\s+[^\s|]|[\t,;:]|^[|│┃║].*[|│┃║]\s*[|│┃║]")
_COMMENT = re.compile(r"#(?![0-9a-fA-F]{6}\b).*")  # what looks like a colour is one
_BORDER = re.compile(r"\+[-+=]*|(?=.*---)\|[-:| ]*")
_LABEL = re.compile(r"(?:[^\W\d]{1,20} ?)?\d{1,3}\s*[:.)]\s*(.*)")
_HEADING = re.compile(r"(.*): (ball-sort|water-sort), \d+ colours?, \d+ tubes of (\d+)(?:, goal (\w+))?(.*)")


@dataclass(frozen=True)
class Table:
    """Cells, and what is known about them.

    Attributes:
        rows: the cells.
        fields: other fields of the JSON format.
        tubes: ``rows`` or ``columns``; empty if what fits decides.
        added: how many empty tubes there are beside the table.
        loose: whether the first row may be sizes or names, and the last column nothing.
        whole: whether it is certain that no empty tube is left out.
        notes: what else was found, for the sentence.
    """

    rows: Rows
    fields: Mapping[str, Any] = field(default_factory=dict)
    tubes: str = ""
    added: int = 0
    loose: bool = False
    whole: bool = False
    notes: tuple[str, ...] = ()


def fields_of_text(text: str, read: Reader) -> dict[str, Any]:
    """The fields of the JSON format for a text in any spelling; the project's own comes first.

    Args:
        text: the board.
        read: says what fits.

    Raises:
        BoardError: no spelling fits, or two readings do.
    """
    settings, lines = split_settings(text)
    bare = [_COMMENT.sub("", line).strip(" \r") for line in lines]
    columns = settings.get(TUBES_IN) == "columns"
    separated = columns or any(map(_SEPARATED.search, bare))
    try:
        fields = parse_tubes(settings, [line.partition("#")[0].strip() for line in lines])
        if separated:
            read(fields)
        if not columns:
            return fields
    except BoardError as error:
        if not separated or not any(line.strip() for line in bare):
            raise
        own = error
    if is_literal(text := "\n".join(lines)):
        return board_of(table_of_value(read_literal(text), settings), read)
    tabbed = any("\t" in line.strip() for line in bare)  # then a tab at an end is an empty cell
    table = table_of_lines([line for line in bare if (line if tabbed else line.strip())], settings)
    try:
        return board_of(table, read)
    except BoardError:
        filled = [len(row) > 1 for row in table.rows if row != [None]]
        if columns or 2 * sum(filled) > len(filled):
            raise
        raise own from None  # hardly any line has what separates cells


# -- from values and lines to a table ------------------------------------------------------------------------------


def table_of_value(value: Any, settings: Mapping[str, Any]) -> Table:
    """The table of a list of tubes, which are lists or strings, or of an object that has one under ``tubes``.

    Raises:
        BoardError: it is neither.
    """
    if isinstance(value, dict) and isinstance(value.get("tubes"), list):
        tubes = [  # in an object null is an unknown ball
            [UNKNOWN_BALL if ball is None else ball for ball in tube] if isinstance(tube, list) else tube
            for tube in value["tubes"]
        ]
        others = {key: each for key, each in value.items() if key != "tubes"}
        return replace(table_of_value(tubes, {**settings, **others}), tubes="rows", whole="capacity" in others)
    if not isinstance(value, list) or any(isinstance(tube, dict) for tube in value):
        raise BoardError("", f"expected a board as a JSON object, found {type(value).__name__}")
    if not value:
        raise BoardError("tubes", "expected at least one tube, found none")
    for place, tube in enumerate(value):
        if not isinstance(tube, list | str) or any(isinstance(ball, list | dict) for ball in tube):
            raise BoardError(f"tubes[{place}]", f"expected a valid list or a string, found {as_json(tube)}")
    lines = [tube for tube in value if isinstance(tube, str)]
    strings = iter(_split(lines, _separator(lines)))
    return Table([next(strings) if isinstance(tube, str) else list(map(_cell, tube)) for tube in value], settings)


def table_of_lines(lines: Sequence[str], settings: Mapping[str, Any]) -> Table:
    """The table of lines of words or characters, perhaps with bars or labels.

    Raises:
        BoardError: a drawing leaves out what matters.
    """
    lines = [line.translate(_BARS) for line in lines]
    drawing = _drawing(lines)
    if drawing is not None:
        return drawing
    barred = [line[1:-1] for line in lines if not _BORDER.fullmatch(line)]
    if len(lines) > 1 and lines[0][0] in "|+" and all(line[0] == line[-1] == "|" for line in lines if line[0] != "+"):
        table = Table(_split(barred, "|"), settings)
        if len(table.rows[0]) > 4 and not any(chain(*(row[1::2] for row in table.rows))):
            raise BoardError("", "gaps between tubes look like empty tubes: expected one bar between two tubes")
        return table
    text = "\n".join(lines)
    text = text.replace(";", "\n").strip() if "," in text else text
    lines = [part.strip(" ") for line in text.split("\n") for part in line.strip("|").split("|")]
    labels = [_LABEL.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(labels):
        lines = [label[1] for label in labels if label]
    if len(lines) == 1:  # tubes side by side
        lines = lines[0].split(_separator(lines) or None) or lines
    separator = _separator(lines)
    return Table(_split(lines, separator), settings, loose=separator != "")


def _split(lines: Sequence[str], separator: str | None) -> Rows:
    """The cells of lines; the separator is None for white space, and empty if cells are characters."""
    split = [list(line.strip("\"'")) if separator == "" else line.split(separator) for line in lines]
    return [[*map(_cell, cells)] or [None] for cells in split]


def _separator(lines: Sequence[str]) -> str | None:
    """What separates the cells of all lines."""
    found = (separator for separator in "\t;," if any(separator in line for line in lines))
    return next(found, None if any(len(line.split()) > 1 for line in lines) else "")


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        word = value.strip().strip("\"'")
        return None if word.casefold() in ROOM or not word.strip("-_.·") else word
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return None if value == -1 or value != value else value  # NaN is room


def _drawing(lines: Sequence[str]) -> Table | None:
    """What `bsp-sat show` draws: rows from the top, the tubes' numbers, and the names of the symbols."""
    heading = _HEADING.fullmatch(lines[0])
    rows = [line.split() for line in lines[bool(heading) :]]
    end = next((end for end in range(1, len(rows)) if rows[end] == list(map(str, range(1, len(rows[0]) + 1)))), 0)
    if not end or not any("·" in row for row in rows[:end]) or len({len(row) for row in rows[: end + 1]}) > 1:
        return None
    names: dict[str, str] = {}
    for line in lines[bool(heading) + end + 1 :]:
        words = re.split(r"\s{2,}", line)
        if any(len(symbol) > 1 for symbol in words[::2]):
            break
        names.update(zip(words[::2], words[1::2], strict=False))
    fields: dict[str, Any] = {"order": "top-down"}
    if heading:
        if heading[5]:
            raise BoardError("line 1", "this drawing doesn't show all of the board: use `show --format json`")
        fields |= {"name": heading[1], "puzzle": heading[2], "capacity": int(heading[3]), "goal": heading[4] or "full"}
    cells = [[_cell(names.get(symbol, symbol)) for symbol in row] for row in rows[:end]]
    return Table(cells, fields, "columns", whole=True, notes=("drawn by bsp-sat show",))


# -- from a table to a board ---------------------------------------------------------------------------------------


def board_of(table: Table, read: Reader) -> dict[str, Any]:
    """The fields of the JSON format for what fits, with what it is taken for under `READ_AS`.

    Args:
        table: the table.
        read: says what fits.

    Raises:
        BoardError: nothing fits, or both rows and columns can be tubes.
    """
    refusals: dict[str, BoardError] = {}
    for variant in _variants(table):
        fitting: list[tuple[bool, dict[str, Any]]] = []
        for way in _ways(variant):
            try:
                fields = _fields(variant, way)
                read(fields)
                fitting.append((fields["order"] != next(iter(ORDERS[way])), fields))
            except BoardError as error:
                refusals.setdefault(way, error)
        if len(fitting) == 2 and fitting[0][0] == fitting[1][0]:
            rows, columns = (fields[READ_AS].partition(";")[0] for _, fields in fitting)
            problem = f"its rows can be tubes ({rows}), and so can its columns ({columns})"
            raise BoardError("", f"{problem}; a line before it says which: tubes-in rows, or tubes-in columns")
        if fitting:
            return min(fitting, key=itemgetter(0))[1]
    if len(set(map(str, refusals.values()))) == 1:
        raise refusals.popitem()[1]
    raise BoardError("", "; ".join(f"with tubes in {way}, {error}" for way, error in refusals.items()))


def _variants(table: Table) -> Iterator[Table]:
    """The table without sizes before it, as it is, and without names of tubes or an empty last column."""
    rows = table.rows
    if table.loose and len(rows) > 1:
        yield from _without_sizes(table)
    yield table
    if table.loose and len(rows) > 1 and len({len(row) for row in rows}) == 1:
        if None not in rows[0] and len(rows[0]) == len({*rows[0]} - set(chain(*rows[1:]))):
            yield replace(table, rows=rows[1:], notes=("the first row names the tubes",))
        if all(row[-1] is None for row in rows):
            yield replace(table, rows=[row[:-1] for row in rows])


def _without_sizes(table: Table) -> Iterator[Table]:
    """Without two numbers before it: of full and empty tubes, or of all tubes and their capacity."""
    length = 1 if len(table.rows[0]) > 1 else 2
    sizes = [parse_number(str(size)) for size in chain(*table.rows[:length])]
    rows = table.rows[length:]
    if len({len(row) for row in rows}) == 1:
        match sizes:
            case [int(full), int(empty)] if full == len(rows) and length == 1 and not any(None in row for row in rows):
                yield replace(table, rows=rows, tubes="rows", added=empty, whole=True)
            case [int(tubes), int(capacity)] if tubes >= len(rows) and capacity == len(rows[0]):
                fields = {**table.fields, "capacity": capacity}
                added = tubes - len(rows)
                yield replace(table, rows=rows, fields=fields, tubes="rows", added=added, whole=added > 0)


def _ways(table: Table) -> Sequence[str]:
    """Whether the rows, the columns or both may be the tubes."""
    if said := table.tubes or table.fields.get(TUBES_IN):
        return [str(said)]
    widths = {len(row) for row in table.rows}
    return ["rows", "columns"] if len(widths) == 1 < len(table.rows) and widths != {0} else ["rows"]


def _fields(table: Table, way: str) -> dict[str, Any]:
    """The fields of the board with tubes in ``rows`` or ``columns``, and what it is taken for."""
    tubes = table.rows
    if way == "columns":
        if len({len(row) for row in tubes}) > 1:
            raise BoardError("", "expected rows of one length, as the tubes are in columns")
        tubes = [list(column) for column in zip(*tubes, strict=True)]
    orders = [*ORDERS[way]]
    if "order" in table.fields:
        if table.fields["order"] not in orders:
            raise BoardError("order", f"expected {' or '.join(orders)}, found {as_json(table.fields['order'])}")
        orders = [table.fields["order"]]
    notes = list(table.notes)
    if not table.whole and len({len(tube) for tube in tubes}) == 1 and not any(None in tube for tube in tubes):
        for mark in ("0", "e", "E"):
            emptied = [[None if str(ball) == mark else ball for ball in tube] for tube in tubes]
            if emptied != tubes and any(_room_is_above(emptied, order) for order in orders):
                tubes = emptied
                notes.append(f"{mark} is room")
                break
    order = next((order for order in orders if _room_is_above(tubes, order)), None)
    if order is None:
        place = next(place for place, tube in enumerate(tubes) if not _room_is_above([tube], orders[0]))
        raise BoardError(f"tube {place + 1}", f"expected room at the top alone, found {as_json(tubes[place])}")
    balls = [[None if ball == UNKNOWN_BALL else ball for ball in tube if ball is not None] for tube in tubes]
    balls += [[]] * table.added
    capacity = table.fields.get("capacity")
    if not capacity:
        drawn = any(None in tube and len(tube) > 1 for tube in tubes)
        capacity = max(map(len, tubes)) if drawn else guess_capacity(balls)
        notes.append(f"capacity {capacity} inferred")
    if not table.whole and not any(balls):
        raise BoardError("", "expected a board, found no ball")
    if not table.whole and all(len(tube) == capacity for tube in balls):
        problem = "no tube is empty or has room: expected each empty tube as a line -, or [] in a list"
        raise BoardError("", f"{problem}; tiles are read with --puzzle tiles")
    if table.added:
        notes.append(f"{table.added} more empty, as the numbers before it say")
    empty = f", {balls.count([])} of them empty" if [] in balls else ""
    words = f"{len(balls)} tube{'s' if len(balls) != 1 else ''}{empty}, {ORDERS[way][order]}"
    others = {key: value for key, value in table.fields.items() if key != TUBES_IN}
    notes = [", ".join(notes)] if notes else []
    return {**others, "tubes": balls, "capacity": capacity, "order": order, READ_AS: "; ".join([words, *notes])}


def _room_is_above(tubes: Rows, order: str) -> bool:
    """Whether None is in no tube but at its top."""
    for tube in tubes:
        height = len(tube) - tube.count(None)
        if None in (tube[:height] if order == "bottom-up" else tube[len(tube) - height :]):
            return False
    return True
