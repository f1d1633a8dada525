"""Notations with signs of their own: drawings of ``show``, and those of three other programs.

`bsp_sat.instances.sorting.other_notations` describes two of these, and writes them. The third, lieoric
(github.com/lieoric/water-sort-counterexample), has a key and its value a line: ``height``, ``colors``, ``empty``, and a
``column`` for each full tube, a digit or letter a ball, bottom first.
"""

import re
from collections.abc import Sequence
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.other_notations import DRAINS, FLAGS, LETTERS
from bsp_sat.instances.sorting.rules import UNKNOWN_BALL
from bsp_sat.instances.sorting.spellings.table import BLANK, Said, Table
from bsp_sat.instances.text.words import parse_number, quantity, short

CELLS = {**LETTERS, "E": BLANK, "?": UNKNOWN_BALL}

_BALLS = f"[E?{''.join(LETTERS)}]+"
_TUBE = re.compile(f"(?:!([{''.join(LETTERS)}])(?:,({_BALLS}))?|({_BALLS}))")
_KEY = re.compile(r"(height|colors|empty|column)(?:[ \t]*=[ \t]*|[ \t]+)(\w[\w \t]*)")
_HEADING = re.compile(r"(.*): (ball-sort|water-sort), \d+ colours?, \d+ tubes of ([0-9]{1,9})(?:, goal (\w+))?(.*)")


def table_in_a_notation(text: str) -> Table | None:
    """The board of a text in one of these notations, or a BoardError; None if it is in none."""
    lines = [line for each in text.splitlines() if (line := each.partition("#")[0].strip())]
    if not lines:
        return None
    found = _drawing(text.splitlines()) or _sshcrack(lines) or _lieoric(lines)
    return found or (None if "\t" in text and lines[0] != "i" else _frozenfrank(lines))


def _drawing(lines: Sequence[str]) -> Table | None:
    """What `bsp-sat show` draws: rows from the top, the tubes' numbers, and the names of the symbols."""
    lines = [line.strip(" \r") for line in lines if line.strip()]
    lines = lines[lines[0].startswith("Read as ") :]
    heading = _HEADING.fullmatch(lines[0]) if lines else None
    rows = [line.split() for line in lines[bool(heading) :]]
    numbers = list(map(str, range(1, len(rows[0]) + 1))) if rows else []
    end = next((end for end in range(1, len(rows)) if rows[end] == numbers), 0)
    if not end or not any("·" in row for row in rows[:end]) or len({len(row) for row in rows[: end + 1]}) > 1:
        return None
    names: dict[str, str] = {}
    for line in lines[bool(heading) + end + 1 :]:
        words = re.split(r"\s{2,}", line)
        if any(len(symbol) > 1 for symbol in words[::2]):
            break
        names.update(zip(words[::2], words[1::2], strict=False))
    fields: dict[str, Any] = {}
    capacity = None
    if heading:
        if heading[5]:
            raise BoardError("line 1", "this drawing doesn't show all of the board: use `show --format json`")
        fields, capacity = ({"goal": heading[4]} if heading[4] else {}), int(heading[3])
    about = {"name": heading[1]} if heading else {}
    said = Said(capacity, top_first=True, kind=heading[2] if heading else "", fields=fields, about=about, exact=True)
    cells = [[BLANK if symbol == "·" else names.get(symbol, symbol) for symbol in row] for row in rows[:end]]
    return Table(cells, said, "columns", notes=("drawn by bsp-sat show",))


def _sshcrack(lines: Sequence[str]) -> Table | None:
    words = lines[0].split() if len(lines) == 1 else []
    found = [match for word in words if (match := _TUBE.fullmatch(word))]
    heights = {len(match[2] or match[3]) for match in found if match[2] or match[3]}
    if len(words) < 2 or len(found) < len(words) or len(heights) != 1:
        return None
    (capacity,) = heights
    there = "".join(match[2] or match[3] or "" for match in found)
    colours = {ball for ball in there if ball in LETTERS} | {match[1] for match in found if match[1]}
    bare = "" if len(there.replace("E", "")) == capacity * len(colours) else "?" * capacity
    rows = [[CELLS[ball] for ball in match[2] or match[3] or bare] for match in found]
    locked = [{"tube": place, "until": LETTERS[match[1]]} for place, match in enumerate(found) if match[1]]
    fields = {"reveal": "cell", **({"locked": locked} if locked else {})}
    said = Said(capacity, top_first=True, kind="water-sort", fields=fields, exact=True)
    return Table(rows, said, notes=("the notation sshcrack",))


def _lieoric(lines: Sequence[str]) -> Table | None:
    found = [match.groups() for line in lines if (match := _KEY.fullmatch(line))]
    columns = [[*"".join(value.split()).upper()] for key, value in found if key == "column"]
    said = {key: value.strip() for key, value in found if key != "column"}
    if not columns or len(found) < len(lines) or len(said) < len(found) - len(columns):
        return None
    numbers = {key: parse_number(value) for key, value in said.items()}
    for key in ("height", "colors", "empty"):
        if numbers.get(key) is None:
            raise BoardError(key, f"expected a number in a line {key}=, found {short(repr(said.get(key)))}")
    if numbers["colors"] != len(columns):
        raise BoardError("colors", f"expected as many as lines column=, {len(columns)}, found {numbers['colors']}")
    beside = Said(numbers["height"], numbers["empty"], top_first=False, kind="water-sort", exact=True)
    return Table(columns, beside, notes=("the notation lieoric",))


def _frozenfrank(lines: Sequence[str]) -> Table | None:
    marked = lines[0] == "i" and lines.count("i") == 1  # else several boards
    lines = lines[lines[0] == "i" :]
    number = parse_number(lines[1]) if len(lines) > 2 else None
    widths = {len(line.split()) for line in lines[2:]}
    if number != len(lines) - 2 or len(widths) != 1 or widths == {1}:
        if marked and number and widths != {1}:
            found = f"{quantity(len(lines) - 2, 'line')} of {' or '.join(map(str, sorted(widths)))}"
            raise BoardError("", f"expected {quantity(number, 'tube')} of one height below their number, found {found}")
        return None
    name, *flags = lines[0].split()
    if unknown := [flag for flag in flags if flag not in FLAGS]:
        if any(map(str.isdecimal, flags)):  # balls, then
            return None
        raise BoardError("flags", f"expected {', '.join(FLAGS)}, found {short(unknown[0])!r}")
    rows = [[BLANK if code == "-" else code for code in line.split()] for line in lines[2:]]
    about = {"name": name, **({"flags": flags} if flags else {})}
    fields = {"reveal": "run"} if DRAINS.isdisjoint(flags) else {"drain": True}
    said = Said(len(rows[0]), top_first=True, kind="water-sort", fields=fields, about=about, exact=True)
    return Table(rows, said, notes=("the notation frozenfrank",))
