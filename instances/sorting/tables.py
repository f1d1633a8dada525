"""Sort boards in other spellings than the project's own, as tables of cells.

Which board a table is, `bsp_sat.instances.sorting.fitting` finds out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.notation import split_bars
from bsp_sat.instances.sorting.rules import UNKNOWN_BALL
from bsp_sat.instances.text.reading import as_json

Rows = list[list[Any]]
"""Cells: a colour, `UNKNOWN_BALL`, or None for room. What is no colour is refused with the fields of the board."""

ROOM = {"", "empty", "none", "null", "nan"}
UNKNOWN_WORDS = {"unknown", "hidden"}
_BARS = str.maketrans("│┃║", "|||")
_BORDER = re.compile(r"\+[-+=]*|(?=.*---)\|[-:| ]*")
_LABEL = re.compile(r"(?:[^\W\d]{1,20} ?)?\d{1,3}\s*[:.)]\s*(.*)")
_HEADING = re.compile(r"(.*): (ball-sort|water-sort), \d+ colours?, \d+ tubes of ([0-9]{1,9})(?:, goal (\w+))?(.*)")


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
        for key in settings.keys() & others.keys():
            if settings[key] not in (None, "full", others[key]):  # None and full are what no line need say
                problem = f"expected {as_json(settings[key])}, as a line beside it says, found {as_json(others[key])}"
                raise BoardError(key, problem)
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
    lines = [part.strip(" ") for line in text.split("\n") for part in split_bars(line)]
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
    spaced = any(len(line.split()) > 1 for line in lines)
    return next(found, None if spaced else "/" if any("/" in line for line in lines) else "")


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        word = value.strip().strip("\"'")
        if word.casefold() in UNKNOWN_WORDS:
            return UNKNOWN_BALL
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
