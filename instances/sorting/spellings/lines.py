"""Boards in lines of text: letters, words, tables and drawings. Each layout is a way to see cells in the lines."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.notation import (
    SETTINGS,
    TUBES_IN,
    Settings,
    one_is_shorter,
    parse_tubes,
    split_bars,
    split_settings,
)
from bsp_sat.instances.sorting.rules import UNKNOWN_BALL
from bsp_sat.instances.sorting.spellings.names import SURE_ROOM, end_named, is_named, kind_named
from bsp_sat.instances.sorting.spellings.shapes import letters
from bsp_sat.instances.sorting.spellings.table import BLANK, Cell, Pack, Said, Table, Ways
from bsp_sat.instances.text.graphemes import graphemes
from bsp_sat.instances.text.words import parse_number

Rows = list[list[Cell]]

BARS = str.maketrans("│┃║", "|||")
LONGEST_HEADING = 80
ONE_SHORTER = 3.2
"""What it costs that one tube is drawn one ball shorter than all others: a ball may be lost. It is asked about."""
SPELT_ROOM = 2.0
"""What it costs that letters spell a word for room, where the letters alone are a board too."""

_COMMENT = re.compile(
    r"\s*(?:(?i:level|stage|puzzle)\s#?\d{1,6}\s?:?$|//|%(?=\s)|#(?![0-9a-fA-F]{3,8}\b)|--\s+[A-Za-z]{2})"
)
_COMMENT_AT_END = re.compile(r"\s(?:#(?![0-9a-fA-F]{3,8}\b)|//).*$")
_LABEL = re.compile(
    r"\s*(?:(?:tube|vial|bottle|flask|stack|column|pole|bolt|reagenzglas|röhrchen|glas|tubo|frasco|row)\s?#?\s?"
    r"(?:\d{1,4}|[A-Z])\s?[:.)=\]-]?|\d{1,4}(?:\s?[:)]|\.)(?=\s|$|\[)|[A-Z]\d{0,3}\s?[:)](?=\s|$)|[a-z]\d{0,3}\s?(?:=|->)|[-*•]\s(?=\S))\s*",
    re.IGNORECASE,
)
_SETTING = re.compile(r" *([A-Za-z][A-Za-z _-]{1,24}?) ?[:=]? +(\S.{0,60})$")
_R_HEADING = re.compile(r"\s*(?:\[,\d+\]\s*)+$")
_R_LABEL = re.compile(r"(?<!\s)\s*\[\d+,\]\s*")
_QUERY = re.compile(r"[?&]\w{0,20}(?:tubes|board|state|level)\w{0,20}=([^&\s]+)")
_QUERY_CAPACITY = re.compile(r"[?&]\w{0,20}cap\w{0,20}=(\d{1,4})")
_SIZES = re.compile(r"\s*+\d{1,3}(?:(?:\s*+[x×;,]\s*+|\s++)\d{1,3}){0,2}\s*+")
_RUN = re.compile(r"([^\W\d]+)(\d{1,2})")
_RULER = re.compile(r"[\s┼├┤┘┌┐┴┬╯╝'`|]*[-+=─━═╰╚└][\s+\-=─━┼├┤└┘┌┐┴┬╰╯╚╝═'`|]*")
MARKS = ("-", "_")
"""Empty tubes by themselves."""


@dataclass(frozen=True)
class Grid:
    """Cells as one layout sees them.

    Attributes:
        rows: the cells; of several boards, a list for each.
        ways, cost, notes: as in `Table`.
        top_first: whether the first cell of a tube is its top, if the layout says so.
        several: whether ``rows`` are boards.
        said: what the layout says beside them.
        only: whether no other layout is to be tried.
        own: whether it is in the project's own notation.
    """

    rows: Any
    ways: Ways = "rows"
    cost: float = 0.0
    notes: tuple[str, ...] = ()
    top_first: bool | None = None
    several: bool = False
    said: dict[str, Any] | None = None
    only: bool = False
    own: bool = False


def packs_of_lines(text: str) -> Iterator[Pack]:
    """Each way to see boards in the lines of a text.

    Raises:
        BoardError: a line with a setting is malformed.
    """
    settings, lines = split_settings(text)
    said, body = _said_in_lines(lines, said_in_settings(settings))
    way = settings.get(TUBES_IN)
    ended = len(body)
    while ended and not body[ended - 1].strip() and "\t" not in body[ended - 1]:
        ended -= 1
    blank_at_end, body = len(body) - ended, body[:ended]
    while body and not body[0].strip() and "\t" not in body[0]:
        body = body[1:]
    if not body:
        return
    if (own := _with_own_signs(settings, lines, said)) is not None:
        yield [own]
        return
    own_notation = settings["capacity"] is not None or settings["goal"] != "full"  # then the first line is a tube
    splits = [(body, dict[str, Any]())] if own_notation else [*_without_sizes(body)]
    for rest, sizes in splits:
        cost = 0.0 if sizes or len(splits) == 1 else 2.0
        for grid in _grids(rest):
            rows = replace(grid, ways="rows") if sizes and grid.ways == "both" else grid
            yield _pack(rows, replace(said, **sizes), cost, way)
            if grid.only:
                break
    if blank_at_end > 1:  # they may be empty tubes
        empty = blank_at_end - text.endswith("\n") + 1
        for grid in _grids(body):
            if not grid.several and all(grid.rows) and not any(BLANK in row for row in grid.rows):
                note = ("blank lines at the end are empty tubes",)
                yield _pack(replace(grid, cost=3.2, notes=note), replace(said, empty=empty), 0.0, way)
                break


def body_of(text: str) -> list[str]:
    """The lines of a text without settings and comments.

    Raises:
        BoardError: a line with a setting is malformed.
    """
    settings, lines = split_settings(text)
    return [line for line in _said_in_lines(lines, said_in_settings(settings))[1] if line.strip()]


def own_fields(text: str) -> dict[str, Any]:
    """The fields of the JSON format for a text in the project's own notation.

    Raises:
        BoardError: it isn't.
    """
    settings, lines = split_settings(text)
    return parse_tubes(settings, [line.partition("#")[0].strip() for line in lines])


def is_r_heading(line: str) -> bool:
    """Whether a line numbers the columns of a matrix as R prints it."""
    return _R_HEADING.fullmatch(line) is not None


def has_covers(fields: Mapping[str, Any]) -> bool:
    """Whether fields have covered balls, and none on top: brackets around whole tubes are those of lists."""
    covered = [tube for tube in fields.get("hidden", ()) if any(tube)]
    return bool(covered) and not any(tube[-1] for tube in covered)


def _with_own_signs(settings: Settings, lines: Sequence[str], said: Said) -> Table | None:
    """The board of a text with covered balls, or room that shows other capacities, which only the own notation has."""
    try:
        fields = parse_tubes(settings, [line.partition("#")[0].strip() for line in lines])
    except BoardError:
        return None
    if "hidden" not in fields and len(set(fields.get("capacities", ()))) < 2:
        return None
    if any(len(graphemes("".join(filter(None, tube)))) < len(list(filter(None, tube))) for tube in fields["tubes"]):
        return None  # signs of several characters
    rows = [[UNKNOWN_BALL if ball is None else ball for ball in tube] for tube in fields["tubes"]]
    others: dict[str, Any] = {key: fields[key] for key in ("hidden", "capacities") if key in fields}
    return Table(
        rows,
        replace(said, capacity=fields["capacity"], exact=True, fields={**said.fields, **others}),
        cost=ONE_SHORTER if one_is_shorter(fields) and "capacities" not in settings else 0.0,
        lines=True,
        own=True,
    )


def _pack(grid: Grid, said: Said, cost: float, way: str | None) -> Pack:
    if grid.top_first is not None:
        said = replace(said, top_first=grid.top_first)
    said = replace(said, **(grid.said or {}))
    boards: list[Rows] = grid.rows if grid.several else [grid.rows]
    ways: Ways = "rows" if way == "rows" else "columns" if way == "columns" else grid.ways
    return [
        Table(
            rows,
            said,
            ways,
            grid.cost + cost,
            grid.notes,
            lines=True,
            own=grid.own,
            place=str(number) if grid.several else "",
        )
        for number, rows in enumerate(boards, start=1)
    ]


# -- what is said beside the tubes -------------------------------------------------------------------------------


def said_in_settings(settings: Settings) -> Said:
    """What lines of the project's own settings say."""
    others = {key: value for key, value in settings.items() if key not in ("capacity", "order", TUBES_IN)}
    if others.get("goal") == "full":
        del others["goal"]
    order = settings.get("order")
    top_first = None if order is None else order == "top-down"
    return Said(
        settings.get("capacity"), top_first=top_first, fields=others, exact=settings.get("capacity") is not None
    )


def _said_in_lines(lines: Sequence[str], said: Said) -> tuple[Said, list[str]]:
    """What further lines say beside the tubes, and the lines without them, without comments."""
    body = []
    for each in lines:
        line = each.rstrip("\r")
        comment = _COMMENT.match(line)
        at_end = None if comment else _COMMENT_AT_END.search(line)
        words = line if at_end is None else at_end[0]
        end = end_named(words) if len(words) < LONGEST_HEADING else None
        if end is not None:
            said = replace(said, top_first=end)
        if end is not None and at_end is None:
            continue
        if (setting := _setting(line, said)) is not None:
            said = setting
        elif not comment:
            body.append(_COMMENT_AT_END.sub("", line) if not line.lstrip().startswith("#") else line)
    return said, body


def _setting(line: str, said: Said) -> Said | None:
    """What a line such as ``empty tubes: 2`` or ``game = water sort`` says; None if it is none."""
    found = _SETTING.fullmatch(line)
    if found is None or found[1] in SETTINGS:
        return None
    number = parse_number(found[2].strip(" ;,."))
    if number is not None and is_named(found[1], "capacity"):
        return replace(said, capacity=number)
    if number is not None and is_named(found[1], "empty"):
        return replace(said, empty=number)
    if is_named(found[1], "kind") and (kind := kind_named(found[2])) and ":" in line + found[2]:
        return replace(said, kind=kind)
    return None


def _without_sizes(body: Sequence[str]) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    """The lines after numbers that say how many tubes there are, and what they say; then all lines."""
    filled = [line for line in body if line.strip()]
    heads = []
    for line in filled[:3]:
        if not _SIZES.fullmatch(line):
            break
        heads.append([int(number) for number in re.findall(r"\d+", line)])
    for taken in range(len(heads), 0, -1):
        if taken == 1 or all(len(head) == 1 for head in heads[:taken]):
            sizes = _sizes_of(list(chain(*heads[:taken])), filled[taken:], filled[0])
            if sizes is not None:
                yield body[body.index(filled[taken - 1]) + 1 :], sizes
                break
    yield body, {}


def _sizes_of(numbers: list[int], rest: Sequence[str], first: str) -> dict[str, Any] | None:
    """What numbers before tubes say, such as tubes and capacity, or full and empty tubes; None if nothing."""
    if not rest or ("\t" in first and first.count("\t") == rest[0].count("\t")):  # a row of the table
        return None
    words = {len(re.findall(r"[^\s,;]+", line)) for line in rest if line.strip(" -")} or {0}
    signs = {len(graphemes(line.strip())) for line in rest}
    among_balls = any(first.strip() in line for line in rest)
    if max(words) == 1 and (len(first.strip()) == max(signs) or among_balls):  # digits are balls there too
        return None
    if len(numbers) > 1 and numbers[0] >= len(rest) and 1 < numbers[1] >= min(max(words), max(signs)):
        fits = numbers[1] in (max(words), max(signs))
        if fits or max(words) == numbers[1] - 1 or any(numbers[2:3]):
            return {"capacity": numbers[1] if fits else None, "count": numbers[0]}
    if len(numbers) == 2 and numbers[0] == len(rest) and len(words) == 1:
        return {"empty": numbers[1], "exact": True}
    if len(numbers) == 2 and "x" in first and numbers[1] == len(rest):
        return {"count": numbers[0]}
    if len(numbers) == 1 and numbers[0] < 10 and max(signs) > 1 and (len(words) == 1 or len(signs) == 1):
        return {"empty": numbers[0]}
    return None


# -- layouts -----------------------------------------------------------------------------------------------------


def _grids(body: Sequence[str]) -> Iterator[Grid]:
    """What each layout sees in lines."""
    body = [_R_LABEL.sub("", line.translate(BARS)) for line in body if not _R_HEADING.fullmatch(line)]
    tabbed = any("\t" in line.strip() for line in body)  # then a tab at an end is an empty cell
    filled = [line for line in body if (line if tabbed else line.strip())]
    if not filled:
        return
    for layout in (_url, _framed):
        if (grids := layout(filled)) is not None:
            yield from grids
            return
    if tabbed:
        yield from _separated_by_tabs(filled)
        return
    unlabelled = _without_labels(filled)
    cost = 0.0
    if any("|" in line for line in filled) and all(map(_LABEL.match, filled)):  # words, or boards of letters
        yield Grid([[] if line.casefold() in SURE_ROOM else list(map(_cell, line.split("|"))) for line in unlabelled])
        cost = 2.0
    for layout in (_between_bars, _delimited, _words_in_one_line, _lines_of_letters):
        if (grids := layout(unlabelled)) is not None:
            plain = unlabelled == [line.strip() for line in filled]
            yield from (grid if plain else replace(grid, own=False, cost=grid.cost + cost) for grid in grids)
            if layout is _lines_of_letters:
                yield from _with_gaps_as_tubes(body, unlabelled)
            return
    yield from _spaced(body, unlabelled)


def _cell(word: str) -> Cell:
    return word.strip().strip('"').strip() or BLANK


def _url(lines: Sequence[str]) -> list[Grid] | None:
    if not re.match(r"data:|https?:|\?\w{1,20}=", lines[0]):
        return None
    tubes, capacity = _QUERY.search(lines[0]), _QUERY_CAPACITY.search(lines[0])
    if tubes is None:
        return []
    separators = r"[,;|]" if re.search(r"[,;|]", tubes[1]) else "-"
    rows = [letters(tube) for tube in re.split(separators, tubes[1])]
    return [Grid(rows, cost=1.0, said={"capacity": int(capacity[1])} if capacity else None)]


def _framed(lines: Sequence[str]) -> list[Grid] | None:
    """Lines that begin and end with a bar: a tube each, ``|b| |r|``, or a table, ``| b | a |``."""
    numbers = [*map(str, range(1, len(lines[-1].split()) + 1))]  # of the tubes, below them
    lines = lines[:-1] if lines[-1].split() == numbers else lines
    inside = [line.strip() for line in lines if not _RULER.fullmatch(line) or line.strip() in MARKS]
    if len(inside) < 2 or not all(len(line) > 1 and line[0] == line[-1] == "|" for line in inside):
        return None
    cells = [line[1:-1].split("|") for line in inside]
    if len(set(map(len, cells))) > 1:
        return None
    empty = [not any(cell.strip() for cell in column) for column in zip(*cells, strict=True)]
    apart = len(empty) > 1 and len(empty) % 2 == 1 and all(empty[1::2]) and not all(empty[::2])
    gap = len(cells[0][1]) if apart else 0
    drawn: list[Grid] = []
    if apart and all(len(cell) == gap for row in cells for cell in row[1::2]) and gap <= min(map(len, cells[0][::2])):
        signs = all(len(graphemes(cell.strip())) <= 1 for row in cells for cell in row)
        if gap < 2 or (signs and gap < 4):
            drawn = [Grid([[_cell(cell) for cell in row[::2]] for row in cells], "columns", only=gap < 2)]
    if drawn and gap < 2:
        return drawn
    rows = [[_cell(cell) for cell in row] for row in cells]
    return [*drawn, Grid(rows, "columns"), Grid(rows, "rows", cost=1.0)]


def _separated_by_tabs(lines: Sequence[str]) -> Iterator[Grid]:
    yield Grid([[_cell(cell) for cell in line.split("\t")] for line in lines], "both")


def _without_labels(lines: Sequence[str]) -> list[str]:
    """The lines without names or numbers of tubes, brackets around them, and separators at their ends."""
    labelled = len(lines) > 1 and sum(bool(_LABEL.match(line)) for line in lines) * 10 >= 9 * len(lines)
    dashes = [line for line in lines if re.match(r"\s*[-*]\s", line)]
    are_room = sum(line.split().count("-") for line in lines) > len(lines)
    if dashes and (are_room or len({len(line.split()) for line in lines}) == 1):
        labelled = False
    stripped = []
    for each in lines:
        label = _LABEL.match(each) if labelled else None
        line = each.strip() if label is None else each[label.end() :].strip()
        if labelled:
            line = re.sub(r"[\[\](){}]", "", line).strip()
        elif (
            line[:1] in ("[", "(")
            and line.rstrip(",")[-1:] in ("]", ")")
            and not re.search(r"[\[\]()]", line.rstrip(",")[1:-1])
        ):
            line = line.rstrip(",")[1:-1].strip()
        if line[-1:] in (";", ",") and line.count(line[-1]) == 1:
            line = line[:-1].rstrip()
        stripped.append(line)
    return stripped


def _between_bars(lines: Sequence[str]) -> list[Grid] | None:
    """Tubes between bars: of one board, or a board a line; or in one column of a table with commas."""
    if not any("|" in line for line in lines):
        return None
    heads = [head.strip() for head in lines[0].split(",")]
    if (
        len(heads) > 1
        and "|" not in lines[0]
        and (places := [at for at, head in enumerate(heads) if is_named(head, "tubes")])
    ):
        lines = [row[places[0]].strip() for row in csv.reader(lines[1:]) if len(row) == len(heads)]
    parts = [[part.strip() for part in split_bars(line)] for line in lines]
    if not all(part for line in parts for part in line):
        raise BoardError("", "expected a tube between two |, found nothing (write - for empty)")
    worded = any(len(part.split()) > 1 for line in parts for part in line)
    if not worded and all(len(graphemes(part)) == 1 for line in parts for part in line):
        return [Grid([list(map(_cell, line)) for line in parts], "both")]
    split = [[_tube(part, words=worded) for part in line] for line in parts]
    if len(parts) > 1 and all(len(line) > 2 for line in parts):
        return [Grid(split, several=True), Grid(list(chain(*split)), cost=2.5)]
    tubes = list(chain(*split))
    return [Grid(tubes)] if worded else _letters_or_room(list(chain(*parts)), tubes)


def _letters_or_room(texts: Sequence[str], tubes: Rows) -> list[Grid]:
    """Tubes of letters, as they are, if they fit; else those that spell a word for room, such as ``na``, are empty."""
    spelt = [list(text) if text.isascii() and text.isalpha() else tube for text, tube in zip(texts, tubes, strict=True)]
    if spelt == tubes or not any(tubes):
        return [Grid(tubes, own=True)]
    return [Grid(spelt, own=True), Grid(tubes, cost=SPELT_ROOM)]


def _tube(text: str, *, words: bool) -> list[Cell]:
    if text.casefold() in SURE_ROOM - {"."}:
        return []
    if text[:1] == "[" and text[-1:] == "]":
        text = text[1:-1]
    return list(text.split()) if words else letters(text)


def _delimited(lines: Sequence[str]) -> list[Grid] | None:
    """Cells separated by commas, semicolons or slashes; or tubes in one line."""
    number, mark = max((sum(mark in line for line in lines), mark) for mark in ",;/")
    alone = all(mark in line or len(line.split()) < 2 for line in lines)
    if not number or not (number * 2 > len(lines) or alone):
        return None
    if len(lines) == 1:
        return _delimited_line(lines[0], mark)
    if all(sum(bool(part.strip()) for part in line.split(mark)) <= 1 for line in lines):
        return None
    rows = [[_cell(cell) for cell in row] for row in csv.reader(lines, delimiter=mark, skipinitialspace=True)]
    if len(set(map(len, rows))) == 1 and all(row[-1] is BLANK for row in rows):
        return [Grid([row[:-1] for row in rows], "rows", cost=0.3), Grid(rows, "both")]
    ended = all(len(row) > 1 and row[-1] is BLANK and row[0] is not BLANK for row in rows)
    return [Grid([row[:-1] for row in rows] if ended else rows, "rows" if ended else "both")]


def _delimited_line(line: str, mark: str) -> list[Grid]:
    if ";" in line and "," in line:
        parts = [part for part in line.split(";") if part.strip()]
        sizes = []
        while parts and (size := parse_number(parts[0].strip())) is not None:
            sizes.append(size)
            parts = parts[1:]
        said = {"capacity": sizes[1]} if len(sizes) > 1 else None
        return [Grid([list(map(_cell, part.split(","))) for part in parts], said=said)]
    if ":" in line and "," in line:  # boards apart by dashes, tubes by colons
        boards = [[list(map(_cell, tube.split(","))) for tube in board.split(":")] for board in line.split("-")]
        return [Grid(boards, several=True)]
    parts = [part.strip() for part in line.split(mark)]
    return (
        [Grid([_tube(part, words=False) for part in parts])] if any(len(graphemes(part)) > 1 for part in parts) else []
    )


def _words_in_one_line(lines: Sequence[str]) -> list[Grid] | None:
    """A tube a word."""
    words = [word.strip("\"'") for word in lines[0].split()]
    if len(lines) > 1 or len(words) < 2 or not any(len(graphemes(word)) > 1 for word in words):
        return None
    return [Grid([[] if word in ("", *MARKS) else list(graphemes(word)) for word in words])]


def _lines_of_letters(lines: Sequence[str]) -> list[Grid] | None:
    """A tube a line, and a ball a sign; or a row of all tubes a line."""
    if any(len(line.split()) > 1 for line in lines):
        return None
    rows: Rows = [_tube(line, words=False) for line in lines]
    grids = _letters_or_room(lines, rows)
    if len(set(map(len, rows))) == 1 and rows[0] and len(rows) > 1:
        grids.append(Grid(rows, "columns", cost=2.0))
    return grids


def _with_gaps_as_tubes(body: Sequence[str], lines: Sequence[str]) -> Iterator[Grid]:
    """As before, with each blank line inside for an empty tube."""
    if any(not line.strip() for line in body):
        tubes = iter(lines)
        yield Grid([_tube(next(tubes), words=False) if line.strip() else [] for line in body], cost=2.0)


def _spaced(body: Sequence[str], lines: Sequence[str]) -> Iterator[Grid]:
    """Words separated by spaces, where a gap may be room by its position."""
    tokens = [line.split() for line in lines]
    flat = list(chain(*tokens))
    signs = all(len(graphemes(word)) == 1 for word in flat)
    gaps = any(re.search(r"^\s|\s{3,}", line) for line in body if line.strip()) and len(set(map(len, tokens))) > 1
    if signs and gaps and (rows := _by_position([line for line in body if line.strip()])):
        yield Grid(rows, "columns", cost=0.5)
    gappy = signs and gaps and any(re.search(r"\S\s{3,}\S", line) or line.startswith(" ") for line in body)
    if not signs and (named := _without_names(tokens)) is not None:
        yield Grid(named, "both")
        return
    if _is_numbered(tokens):
        yield Grid([list(map(_cell, row[1:])) for row in tokens[1:]], "both")
    if (drawn := _above_numbers(tokens)) is not None:
        yield Grid(drawn, "columns")
        return
    yield from _runs(tokens, flat)
    rows = [
        [] if line.casefold() in SURE_ROOM else [word.strip('"') for word in row]
        for line, row in zip(lines, tokens, strict=True)
    ]
    inside = any(not line.strip() for line in body)
    if inside:
        tubes = iter(rows)
        gaps_as_tubes = [next(tubes) if line.strip() else [] for line in body]
        yield Grid(gaps_as_tubes, cost=1.0 if [] in rows else 0.2)
    yield Grid(rows, "rows" if [] in rows else "both", cost=1.0 * inside + 2.5 * gappy)
    worded = not signs and all(len(graphemes(word)) > 1 or word in MARKS for word in flat)
    if worded and not any(word.startswith("#") for word in flat):  # each word a tube of letters
        yield Grid([_tube(word, words=False) for word in flat], cost=3.0)
        if len(tokens) > 1 and all(len(row) > 2 for row in tokens):
            yield Grid([[_tube(word, words=False) for word in row] for row in tokens], cost=0.5, several=True)


def _by_position(lines: Sequence[str]) -> Rows | None:
    """Cells at every second or fourth column, with blanks between."""
    rows = [graphemes(line) for line in lines]
    width = max(map(len, rows))
    for step in (2, 4):
        if all(sign == " " for row in rows for place, sign in enumerate(row) if place % step):
            padded = [row + [" "] * (width - len(row)) for row in rows]
            return [[BLANK if sign == " " else sign for sign in row[::step]] for row in padded]
    return None


def _without_names(tokens: Sequence[list[str]]) -> Rows | None:
    """Rows without names above and at the left, as data frames are printed; None if they have none."""
    heads, rest = tokens[0], tokens[1:]
    longer = bool(rest) and all(len(row) == len(heads) + 1 for row in rest)
    if (
        longer
        and SURE_ROOM.isdisjoint(map(str.casefold, heads))
        and not set(heads) & {word for row in rest for word in row[1:]}
    ):
        return [list(map(_cell, row[1:])) for row in rest]
    return None


def _is_numbered(tokens: Sequence[list[str]]) -> bool:
    heads, rest = tokens[0], tokens[1:]
    return len(rest) > 1 and all(
        len(row) == len(heads) + 1 and row[0] == str(number) for number, row in enumerate(rest)
    )


def _above_numbers(tokens: Sequence[list[str]]) -> Rows | None:
    """The rows above the numbers of the tubes, as in a drawing; None if there are none."""
    for end, row in enumerate(tokens):
        if end and len(row) > 1 and row == [str(number) for number in range(1, len(row) + 1)]:
            above = [each for each in tokens[:end] if len(each) == len(row)]
            if len(above) == end and (end == len(tokens) - 1 or any("·" in each for each in above)):
                return (
                    [[BLANK if word == "·" else word for word in each] for each in above]
                    if any("·" in each for each in above)
                    else None
                )
    return None


def _runs(tokens: Sequence[list[str]], flat: Sequence[str]) -> Iterator[Grid]:
    """Balls with their numbers: ``R2 G1``."""
    runs = {word: found for word in flat if word not in SURE_ROOM and (found := _RUN.fullmatch(word))}
    if (
        runs
        and len(runs) == len({word for word in flat if word not in SURE_ROOM})
        and len({run[1] for run in runs.values()}) < len(runs)
    ):
        yield Grid(
            [[run[1] for word in row if (run := runs.get(word)) for _ in range(int(run[2]))] for row in tokens],
            cost=1.0,
        )
