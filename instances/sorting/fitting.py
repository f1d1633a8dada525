"""Sort boards in any spelling: the board that a table of cells can be.

The tubes may be the rows or the columns of the table, with either end as the bottom. What fits is taken: counts that
fill whole tubes, and room at one end alone, the same in all tubes, which is the top. If nothing shows the top, rows
begin at the bottom and columns are upright. If rows and columns both fit, neither is taken. Room is never invented.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import READ_AS
from bsp_sat.instances.sorting.notation import (
    EMPTY,
    TUBES_IN,
    guess_capacity,
    lacks_room,
    parse_tubes,
    split_settings,
)
from bsp_sat.instances.sorting.rules import UNKNOWN_BALL
from bsp_sat.instances.sorting.tables import Rows, Table, table_of_lines, table_of_value
from bsp_sat.instances.text.literals import is_literal, read_literal
from bsp_sat.instances.text.reading import as_json
from bsp_sat.instances.text.words import parse_number, quantity

Reader = Callable[[Mapping[str, Any]], object]
"""Makes the position from the fields of the JSON format; raises a BoardError if they don't fit."""

ORDERS = {
    "rows": {"bottom-up": "each from bottom to top", "top-down": "each from top to bottom"},
    "columns": {"top-down": "in columns, the top row first", "bottom-up": "in columns, the bottom row first"},
}
"""The orders in which tubes are written, the usual one first, in words."""

NO_ROOM = "no tube is empty or has room"

_SEPARATED = re.compile(r"[^\s|]\s+[^\s|]|[\t,;:/]|^[|│┃║].*[|│┃║]\s*[|│┃║]")
_COMMENT = re.compile(r"#(?![0-9a-fA-F]{6}\b).*")  # what looks like a colour is one


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
        unsaid = not settings["capacity"] and lacks_room(fields)
        if separated or unsaid:
            read(fields)
        if unsaid:
            problem = (
                f"expected {EMPTY} for each empty tube, or a line `capacity {fields['capacity']}` if there is none"
            )
            raise BoardError("", f"{NO_ROOM}: {problem}")
        if not columns:
            return fields
    except BoardError as error:
        if not separated or not any(line.strip() for line in bare) or (not columns and _is_setting_misspelt(bare)):
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


def _is_setting_misspelt(lines: Sequence[str]) -> bool:
    """Whether a line of words is among lines of letters, and no other line has any of its words."""
    filled = [line.split() for line in lines if line.strip(" -_")]
    words = Counter(chain.from_iterable(map(set, filled)))
    strange = [line for line in filled if len(line) > 1 and all(words[word] == 1 for word in line)]
    return bool(strange) and 2 * sum(len(line) > 1 for line in filled) <= len(filled)


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
    tubes, orders = _tubes(table, way), _orders(table, way)
    tubes, mark = _emptied(table, tubes, orders)
    order = next((order for order in orders if _room_is_above(tubes, order)), None)
    if order is None:
        place = next(place for place, tube in enumerate(tubes) if not _room_is_above([tube], orders[0]))
        problem = f"expected room only at the top, found {as_json(tubes[place])}; an unknown ball is {UNKNOWN_BALL}"
        raise BoardError(f"tube {place + 1}", problem)
    balls = [[None if ball == UNKNOWN_BALL else ball for ball in tube if ball is not None] for tube in tubes]
    balls += [[]] * table.added
    notes = [*table.notes, f"{mark} is room"] if mark else [*table.notes]
    capacity = table.fields.get("capacity")
    if not capacity:
        drawn = any(None in tube and len(tube) > 1 for tube in tubes)
        capacity = max(map(len, tubes)) if drawn else guess_capacity(balls)
        notes.append(f"capacity {capacity} inferred")
    if not table.whole and not any(balls):
        raise BoardError("", "expected a board, found no ball")
    if not table.whole and all(len(tube) == capacity for tube in balls):
        problem = f"{NO_ROOM}: expected each empty tube as a line -, or [] in a list"
        raise BoardError("", f"{problem}; tiles are read with --puzzle tiles")
    if table.added:
        notes.append(f"{table.added} more empty, as the numbers before it say")
    empty = f", {balls.count([])} of them empty" if [] in balls else ""
    words = f"{quantity(len(balls), 'tube')}{empty}, {ORDERS[way][order]}"
    read_as = f"{words}; {', '.join(notes)}" if notes else words
    others = {key: value for key, value in table.fields.items() if key != TUBES_IN}
    return {**others, "tubes": balls, "capacity": capacity, "order": order, READ_AS: read_as}


def _tubes(table: Table, way: str) -> Rows:
    """The rows, or the columns."""
    if way == "rows":
        return table.rows
    if len({len(row) for row in table.rows}) > 1:
        raise BoardError("", "expected rows of one length, as the tubes are in columns")
    return [list(column) for column in zip(*table.rows, strict=True)]


def _orders(table: Table, way: str) -> list[str]:
    """The orders to try: the one that the fields name, or else both, the usual one first."""
    orders = [*ORDERS[way]]
    if (said := table.fields.get("order", orders[0])) not in orders:
        raise BoardError("order", f"expected {' or '.join(orders)}, found {as_json(said)}")
    return [said] if "order" in table.fields else orders


def _emptied(table: Table, tubes: Rows, orders: Sequence[str]) -> tuple[Rows, str]:
    """The tubes with room for a mark that can only mean that, and the mark; itself and nothing if there is none."""
    if not table.whole and len({len(tube) for tube in tubes}) == 1 and not any(None in tube for tube in tubes):
        for mark in ("0", "e", "E"):
            emptied = [[None if str(ball) == mark else ball for ball in tube] for tube in tubes]
            if emptied != tubes and any(_room_is_above(emptied, order) for order in orders):
                return emptied, mark
    return tubes, ""


def _room_is_above(tubes: Rows, order: str) -> bool:
    """Whether None is in no tube but at its top."""
    for tube in tubes:
        height = len(tube) - tube.count(None)
        if None in (tube[:height] if order == "bottom-up" else tube[len(tube) - height :]):
            return False
    return True
