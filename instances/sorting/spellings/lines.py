"""Boards in lines of text: letters, words, tables and drawings. Each layout is a way to see cells in the lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, permutations
from textwrap import dedent
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.notation import ROOM, TUBES_IN, one_is_shorter, parse_tubes, split_bars, split_settings
from bsp_sat.instances.sorting.rules import UNKNOWN_BALL
from bsp_sat.instances.sorting.spellings.beside import said_in_lines, said_in_settings, without_sizes
from bsp_sat.instances.sorting.spellings.names import SURE_ROOM
from bsp_sat.instances.sorting.spellings.shapes import letters
from bsp_sat.instances.sorting.spellings.table import BLANK, Cell, Pack, Said, Table, Ways, dearer, rows_of_csv
from bsp_sat.instances.text.graphemes import graphemes
from bsp_sat.instances.text.reading import check_number
from bsp_sat.instances.text.words import counts, parse_number, quantity

Rows = list[list[Cell]]

MARKS_AS_USUAL = str.maketrans("│┃║｜、，；", "|||||,,;"[1:])
"""What stands for a bar, a comma or a semicolon."""
MARKS = ("-", "_")
"""Empty tubes by themselves."""
BLANK_LINES = ("blank lines are empty tubes",)
ONE_SHORTER = 3.2
"""What it costs that one tube is drawn one ball shorter than all others: a ball may be lost. It is asked about."""
MAYBE_A_TUBE = 2.0
"""What it costs that a line of dashes is a ruler, where it may be a tube as high: it is asked about."""
ALL_TUBES = 3.2
"""What it costs that a number above is that of empty tubes, where it isn't below that of the tubes below it."""
ACROSS = 2.2
"""What it costs to see tubes between bars with spaces around them, as tables have; or words between bars without.
A table that has no room is asked about beside them."""
APART = 2.5
"""What it costs to see a table in bars that stand closer around a ball than between balls, as walls of tubes do."""
SPELT_ROOM = 2.0
"""What it costs that letters spell a word for room, where the letters alone are a board too."""

_LABEL = re.compile(
    r"\s*(?:[-*•]\s+(?=\w+\s?\d+\s?:))?(?:\[?(?:tube|vial|bottle|flask|stack|column|pole|bolt|row)\s?#?\s?"
    r"(?:\d{1,4}|[A-Z])\s?[:.)=\]-]?|#?\d{1,4}(?:\s?[:)]|\.)(?=\s|$|\[)|[A-Z]\d{0,3}\s?[:)](?=\s|$)"
    r"|[a-z]\d{0,3}\s?(?:=|->)|[-*•]\s(?=\S))\s*",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s*(?:[-*•]\s+)?[\[(]?(?P<word>[^\W\d]{0,20}\.?\s?(?:[#№]|n[°º.]|nr\.)?)\s?(?P<number>\d{1,4})[^\W\d]{0,2}"
    r"(?:\ufe0f?\u20e3|\s?(?:[\])]?\s?(?:[:：、]|=(?!\s*[\[({])|->)|[\])]|(?<!\s)\.(?!\d)))\s*"
)
"""A label in any language, if it counts 1, 2, 3…, with the same word before each number."""

_WORD = r"[^\W_][\w'#]{0,40}"
_APART = re.compile(rf"{_WORD}(?P<mark> ?(?:[+>→]|->) ?|[-.:])(?:{_WORD}(?P=mark))*{_WORD}|[\W_]{{1,4}}|\(?\w+\)?")
"""A tube whose balls have the same mark between them, or one without any: a sign or a word for room, or one ball."""

_MARK = re.compile(r"[,;/]")
_RUN = re.compile(r"(?P<colour>[^\W\d]+)(?P<balls>\d{1,2})|(?P<number>\d{1,2})(?P<of>[^\W\d]+)")
_RULE = re.compile(r"(?m)^[ \t]*-{3,}[ \t\r]*$")
_RULER = re.compile(r"[\s┼├┤┘┌┐┴┬╯╝'`|]*[-+=─━═╰╚└][\s+\-=─━┼├┤└┘┌┐┴┬╰╯╚╝═'`|]*|(?:\s*\\_+/)+\s*")


def packs_of_lines(text: str) -> Iterator[Pack]:
    """Each way to see boards in the lines of a text. Raises BoardError for a malformed setting."""
    settings, lines = split_settings(text)
    said, body = said_in_lines(lines, said_in_settings(settings))
    filled = [at for at, line in enumerate(body) if line.strip() or "\t" in line]
    if not filled:
        return
    if (own := _with_own_signs(text, said)) is not None:
        sizes_drawn = own.said.fields.get("capacities", ()) if "capacities" not in said.fields else ()
        if _RULE.fullmatch(body[filled[0]]) and sizes_drawn and sizes_drawn[0] not in sizes_drawn[1:]:
            yield [replace(own, cost=ONE_SHORTER, doubt="the first line may be a ruler")]
            others = packs_of_lines(_RULE.sub("", text, count=1))
            yield from (dearer(pack, MAYBE_A_TUBE, doubt="the first line may be a tube") for pack in others)
            return
        spaced = _bars_of_a_table([body[at] for at in filled])
        yield [replace(own, cost=own.cost + ACROSS * bool(spaced))]
        if spaced is None:
            return
    blank_at_end = len(body) - filled[-1] - 1
    body = body[filled[0] : filled[-1] + 1]
    own_notation = settings["capacity"] is not None or settings["goal"] != "full"  # then the first line is a tube
    splits = [(body, dict[str, Any]())] if own_notation else [*without_sizes(body)]
    may_be_a_tube = _are_rows_alike(body) or splits[0][1].get("capacity", 0) is None  # or numbers that fit badly
    for rest, sizes in splits:
        cost = 0.0 if sizes or len(splits) == 1 else 1.0 if may_be_a_tube else 2.0
        for pack in _laid_out(rest):
            pack = [replace(table, ways="rows") if sizes and table.ways == "both" else table for table in pack]
            if sizes.keys() == {"empty"} and sizes["empty"] >= sum(len(table.rows) for table in pack):
                doubt = "the number above may be that of all tubes"
                pack = [replace(table, cost=ALL_TUBES, doubt=doubt) for table in pack]
            yield _beside(pack, replace(said, **sizes), cost, settings.get(TUBES_IN))
            if len(pack) == 1 and (unknown := _unknown_layers(pack[0])) is not None:
                yield _beside([unknown], replace(said, **sizes, top_first=True), cost, "columns")
    if blank_at_end > 1:  # they may be empty tubes
        more = replace(said, empty=blank_at_end - text.endswith("\n") + 1)
        alone = (pack for pack in _laid_out(body) if len(pack) == 1)
        full = (pack for pack in alone if all(pack[0].rows) and BLANK not in chain(*pack[0].rows))
        for (table,) in islice(full, 1):
            yield _beside([replace(table, cost=3.2, notes=BLANK_LINES)], more, 0.0, settings.get(TUBES_IN))


def _unknown_layers(table: Table) -> Table | None:
    """Rows from the top of which the last are dots: balls that nobody has seen. None if these aren't all dots."""
    dots = [{*row} == {ROOM} for row in table.rows]
    seen = dots.index(True) if True in dots else 0
    if not seen or not all(dots[seen:]) or any(ROOM in row for row in table.rows[:seen]):
        return None
    rows = [*table.rows[:seen], *([UNKNOWN_BALL] * len(row) for row in table.rows[seen:])]
    return replace(table, rows=rows, own=False, cost=1.0, doubt='"." is an unknown ball')


def _bars_of_a_table(lines: Sequence[str]) -> bool | None:
    """Whether spaces stand around the bars of lines that may be a table; None if they can't be one."""
    if len(lines) < 2 or len({line.count("|") for line in lines}) > 1 or "|" not in lines[0]:
        return None
    return all(re.search(r"\S +\| +\S", line) for line in lines)


def _are_rows_alike(body: Sequence[str]) -> bool:
    """Whether all lines but empty tubes have as many commas and semicolons, and some: the first may be a row, too."""
    marks = {(line.count(","), line.count(";")) for line in body if line.strip(" -_")}
    return len(marks) == 1 and marks != {(0, 0)}


def _beside(pack: Pack, said: Said, cost: float, way: Ways | None) -> Pack:
    """Tables with what is said beside them."""
    found: Pack = []
    for table in pack:
        beside = replace(said, capacity=table.said.capacity or said.capacity)
        found.append(replace(table, said=beside, ways=way or table.ways, cost=table.cost + cost))
    return found


def own_fields(text: str) -> dict[str, Any]:
    """The fields of the JSON format for a text in the project's own notation. Raises BoardError if it isn't."""
    settings, lines = split_settings(text)
    return parse_tubes(settings, [line.partition("#")[0].strip() for line in lines])


def _with_own_signs(text: str, said: Said) -> Table | None:
    """The board of a text with covered balls, or room that shows other capacities, which only the own notation has."""
    try:
        fields = own_fields(text)
    except BoardError:
        return None
    tubes = fields["tubes"]
    plain = "," in text or ("hidden" not in fields and len(set(fields.get("capacities", ()))) < 2)
    if plain or any(len(graphemes("".join(filter(None, tube)))) < len([*filter(None, tube)]) for tube in tubes):
        return None  # signs of several characters, too
    rows = [[UNKNOWN_BALL if ball is None else ball for ball in tube] for tube in tubes]
    more = {**said.fields} | {key: fields[key] for key in ("hidden", "capacities") if key in fields}
    lost = one_is_shorter(fields) and "capacities" not in said.fields
    sizes = fields.get("capacities", [])
    doubt = ""
    if lost:
        doubt = f"tube {sizes.index(min(sizes)) + 1} has {quantity(min(sizes), 'cell')}, all others {max(sizes)}"
    said = replace(said, capacity=fields["capacity"], exact=True, fields=more)
    return Table(rows, said, cost=ONE_SHORTER * lost, doubt=doubt, lines=True, own=True)


# -- layouts: each gives ways to see the lines, or None if they aren't laid out so ----------------------------------


def _laid_out(body: Sequence[str]) -> Iterator[Pack]:
    """What each layout sees in lines."""
    body = [line.translate(MARKS_AS_USUAL) for line in body]
    tabbed = any("\t" in line.strip() for line in body)  # then a tab at an end is an empty cell
    if len(body) > 3 and _are_numbers_below(*body[-3:]):
        body = body[:-2]
    filled = [line for line in body if (line if tabbed else line.strip())]
    if not filled:
        return
    if (packs := _framed(filled)) is not None:
        yield from packs
        return
    if tabbed:
        labels = zip(_counted(filled), filled, strict=False)
        behind = [re.sub(r"^\W? ?", "", line[label.end("number") :]) for label, line in labels if label]
        if any(line and line[0] != "\t" for line in behind):  # the labels are no cells of their own
            filled = behind
        yield _grid([[*map(_cell, line.split("\t"))] for line in filled], "both")
        return
    lines = _without_labels(filled)
    labelled = lines != [line.strip() for line in filled]
    lines = _with_commas(lines)
    cost = 0.0
    if any("|" in line for line in filled) and all(map(_LABEL.match, filled)):  # words, or boards of letters
        yield _grid([[] if line.casefold() in SURE_ROOM else [*map(_cell, line.split("|"))] for line in lines])
        if not all(part.strip() for line in lines for part in line.split("|")):  # bars aren't between tubes, then
            return
        cost = 2.0
    for each in (_between_bars, _delimited, _words_in_one_line, _lines_of_letters, _spaced):
        if (packs := each(lines, body)) is not None:
            for pack in packs:
                yield dearer(pack, cost, own=False) if labelled else pack
            return


def _are_numbers_below(row: str, ruler: str, line: str) -> bool:
    """Whether a line has the numbers of the tubes above, below a ruler too wide for a mark of an empty tube."""
    wide = len(ruler.strip()) >= max(5, len(row.strip())) and _RULER.fullmatch(ruler)
    return bool(wide) and len(line.split()) == len(row.split()) and counts(line.split())


def _grid(
    rows: Rows, ways: Ways = "rows", cost: float = 0.0, *, own: bool = False, capacity: int | None = None
) -> Pack:
    return [Table(rows, Said(capacity), ways, cost, lines=True, own=own)]


def _several(boards: Sequence[Rows], cost: float = 0.0) -> Pack:
    check_number(len(boards))
    return [Table(rows, cost=cost, lines=True, place=str(number)) for number, rows in enumerate(boards, start=1)]


def _cell(word: str) -> Cell:
    word = word.strip()
    word = word[1:-1] if len(word) > 1 and word[0] == word[-1] == "'" else word
    return word.strip('"').strip() or BLANK


def _tube(text: str, *, words: bool = False, marked: bool = False) -> list[Cell]:
    if marked and not _MARK.search(text):
        return [text]  # one ball, as others have marks between them
    if text.casefold() in SURE_ROOM - {"."}:
        return []
    if text[:1] == "[" and text[-1:] == "]":
        text = text[1:-1]
    return list(text.split()) if words else letters(text)


def _framed(lines: Sequence[str]) -> list[Pack] | None:
    """Lines that begin and end with a bar: a tube each, ``|b| |r|``, or a table, ``| b | a |``."""
    lines = lines[:-1] if counts(re.findall(r"[^\s()]+", lines[-1])) else lines  # the numbers of the tubes
    inside = [line.strip() for line in lines if not _RULER.fullmatch(line) or line.strip() in MARKS]
    if len(inside) < 2 or not all(len(line) > 1 and line[0] == line[-1] == "|" for line in inside):
        return None
    cells = [line[1:-1].split("|") for line in inside]
    if len(set(map(len, cells))) > 1:
        return None
    rows = [[*map(_cell, row)] for row in cells]
    across = [*zip(*cells, strict=True)]
    blank = [not any(map(str.strip, column)) for column in across]
    table = [_grid(rows, "columns"), _grid(rows, cost=1.0)]
    spaced = [cell.strip() for cell in chain(*cells) if cell.strip() and cell[0] == cell[-1] == " "]  # from the bars
    if len(across) > 3 and len(across) % 2 and all(blank[::2]) and not all(blank):  # double walls, ||b||r||
        return [_grid([row[1::2] for row in rows], "columns"), *(table if spaced else [])]
    worded = any(len(graphemes(cell)) > 1 for cell in spaced)
    if len(across) % 2 == 0 or len(across) < 3 or not all(blank[1::2]) or all(blank[::2]) or worded:
        return table
    gaps, widths = {len(text) for column in across[1::2] for text in column}, {len(column[0]) for column in across[::2]}
    drawn = _grid([row[::2] for row in rows], "columns")
    if len(gaps) == 1 and max(gaps) < 2 <= min(widths) + 1:
        return [drawn]
    apart = APART if len(gaps) == 1 and gaps.isdisjoint(widths) else 0.5  # walls stand otherwise than cells
    return [drawn, *(dearer(pack, apart) for pack in table)]


def _without_labels(lines: Sequence[str]) -> list[str]:
    """The lines without names or numbers of tubes, brackets around them, and separators at their ends."""
    labels = _counted(lines) or [_LABEL.match(line) for line in lines]
    labelled = len(lines) > 1 and sum(map(bool, labels)) * 10 >= 9 * len(lines)
    dashes = any(label and label[0].strip() in ("-", "*") for label in labels)
    are_room = sum(line.split().count("-") for line in lines) > len(lines)
    if dashes and (are_room or len({len(line.split()) for line in lines}) == 1):
        labelled = False
    stripped = []
    for each, label in zip(lines, labels, strict=True):
        line = each[label.end() :].strip() if label and labelled else each.strip()
        if labelled:
            line = re.sub(r"[\[\](){}]", "", line).strip()
        elif bracketed := re.fullmatch(r"[\[(]([^\[\]()]*)[\])],*", line):
            line = bracketed[1].strip()
        line = quoted[2] if (quoted := re.fullmatch(r"""(["'])([^"']*)\1[;,]?""", line)) else line
        stripped.append(line[:-1].rstrip() if line[-1:] in (";", ",") and line.count(line[-1]) == 1 else line)
    return stripped


def _counted(lines: Sequence[str]) -> list[re.Match[str] | None]:
    """The labels of lines that count them; none if they don't."""
    found = [*map(_COUNTED.match, lines)]
    numbers = [int(label["number"]) for label in found if label]
    balls = [line[label.end() :] for line, label in zip(lines, found, strict=True) if label]
    if "\u20e3" in "".join(balls):  # signs of digits are balls
        return []
    one_word = len({label["word"].casefold() for label in found if label}) == 1
    return found if len(numbers) == len(lines) and counts(numbers) and one_word else []


def _with_commas(lines: list[str]) -> list[str]:
    """The lines, or the words of the only line, with commas in place of another mark that is between any two balls."""
    alone = len(lines) == 1  # in lines, : and . may follow a number, as other marks may that count
    tubes = lines[0].split() if alone else lines
    found = [*map(_APART.fullmatch, tubes)]
    marks = [match["mark"] for match in found if match and match["mark"]]
    if None in found or len({*marks}) != 1 or len(marks) < 2 or (marks[0] in ":." and not alone):
        return lines
    if alone and marks[0] == "-" and any(len(piece) > 1 for tube in tubes for piece in tube.split("-")):
        return lines  # it may stand between tubes
    if counts(re.sub(r"\D", "", tube.split(marks[0])[0]) for tube in tubes):
        return lines
    return [tube.replace(marks[0], ",") if re.search(r"[^\W_]", tube) else "-" for tube in tubes]


def _between_bars(lines: Sequence[str], _: Sequence[str]) -> list[Pack] | None:
    """Tubes between bars: of one board, or a board a line."""
    if not any("|" in line for line in lines) or (len(lines) == 1 and "," in lines[0] and lines[0][0] != "|"):
        return None
    parts = [[part.strip() for part in split_bars(line)] for line in lines]
    texts = [*chain(*parts)]
    if not all(texts):
        raise BoardError("", "expected a tube between two |, found nothing (write - for empty)")
    worded = any(len(text.split()) > 1 for text in texts)
    cells = _grid([[*map(_cell, line)] for line in parts], "both")
    if not worded and all(len(graphemes(text)) == 1 for text in texts):
        return [cells]
    numbers = {text for text in texts if text.isdecimal()}
    spaced, long = _bars_of_a_table(lines), any(len(number) > 1 for number in numbers)
    if spaced is None and long and len(lines) > 1 and numbers | SURE_ROOM >= {*texts}:  # tubes of as many as they hold
        spaced = all(" | " in line for line in lines if "|" in line)
    if not worded and spaced is not None:
        surely = spaced or long
        drawn = [[replace(cells[0], cost=0.0 if surely else ACROSS)]] if surely or SURE_ROOM & {*texts} else []
        tubes = _tubes_between_bars(parts, texts, worded=False)
        return [*drawn, *(dearer(pack, ACROSS * spaced) for pack in tubes)]
    return _tubes_between_bars(parts, texts, worded=worded)


def _tubes_between_bars(parts: Sequence[Sequence[str]], texts: Sequence[str], *, worded: bool) -> list[Pack]:
    """Tubes of words or of letters: of one board, or a board a line."""
    marked = any(map(_MARK.search, texts))
    boards = [[_tube(part, words=worded, marked=marked) for part in line] for line in parts]
    tubes = [*chain(*boards)]
    fewest = min(map(len, parts)) if len(parts) > 1 else 0
    if fewest > 2:
        return [_several(boards), _grid(tubes, cost=2.5)]
    several = [_several(boards, cost=1.0)] if fewest == 2 else []
    return [*several, *([_grid(tubes)] if worded else _letters_or_room(texts, tubes))]


def _letters_or_room(texts: Sequence[str], tubes: Rows) -> list[Pack]:
    """Tubes of letters, as they are, if they fit; else those that spell a word for room, such as ``na``, are empty."""
    spelt = [list(text) if text.isascii() and text.isalpha() else tube for text, tube in zip(texts, tubes, strict=True)]
    if spelt == tubes or not any(tubes):
        return [_grid(tubes, own=True)]
    return [_grid(spelt, own=True), _grid(tubes, cost=SPELT_ROOM)]


def _delimited(lines: Sequence[str], _: Sequence[str]) -> list[Pack] | None:
    """Cells separated by commas, semicolons or slashes; or tubes in one line."""
    number, mark = max((sum(mark in line for line in lines), mark) for mark in ",;/")
    alone = all(mark in line or len(line.split()) < 2 for line in lines)
    if not number or not (number * 2 > len(lines) or alone):
        return None
    if len(lines) == 1:
        return _delimited_line(lines[0], mark)
    if all(sum(bool(part.strip()) for part in line.split(mark)) <= 1 for line in lines):
        return None
    rows = [[*map(_cell, row)] for row in rows_of_csv(lines, mark)]
    marked = any(cell is not BLANK and _MARK.search(cell) for row in rows for cell in row)
    boards = [[[] if cell is BLANK else _tube(cell, marked=marked) for cell in row] for row in rows]
    several = [_several(boards, cost=1.0)] if marked or all(len(tube) != 1 for row in boards for tube in row) else []
    ended = all(len(row) > 1 and row[-1] is BLANK for row in rows)
    if ended and len(set(map(len, rows))) == 1:
        return [_grid([row[:-1] for row in rows], cost=0.3), _grid(rows, "both")]
    ended = ended and all(row[0] is not BLANK for row in rows)
    return [_grid([row[:-1] for row in rows]) if ended else _grid(rows, "both"), *several]


def _delimited_line(line: str, mark: str) -> list[Pack]:
    if ";" in line and "," in line:
        parts = [part for part in line.split(";") if part.strip()]
        sizes = []
        while parts and (size := parse_number(parts[0].strip())) is not None:
            sizes.append(size)
            parts = parts[1:]
        return [_grid([[*map(_cell, part.split(","))] for part in parts], capacity=sizes[1] if sizes[1:] else None)]
    if ":" in line and "," in line:  # boards apart by dashes, tubes by colons
        boards = [[[*map(_cell, tube.split(","))] for tube in board.split(":")] for board in line.split("-")]
        return [_several(boards)]
    if len(marks := [each for each in ",;/|" if each in line]) > 1:
        return [_with_marks(line, *pair) for pair in permutations(marks, 2)]
    parts = _with_commas([part.strip() for part in line.split(mark)])
    return [_grid([*map(_tube, parts)])] if any(len(graphemes(part)) > 1 for part in parts) else []


def _with_marks(line: str, tube: str, ball: str) -> Pack:
    """Tubes in one line with one mark between them, and another between balls, which is usual more often."""
    parts = [part.strip() for part in line.split(tube)]
    alone = any(ball not in part and part.casefold() not in SURE_ROOM for part in parts)
    rows = [[*map(_cell, part.split(ball))] if ball in part else _tube(part) for part in parts]
    return _grid(rows, cost=ACROSS * ((alone or line.count(tube) > line.count(ball)) + (alone and ball == "|")))


def _words_in_one_line(lines: Sequence[str], _: Sequence[str]) -> list[Pack] | None:
    """A tube a word."""
    words = [word.strip("\"'") or "-" for word in lines[0].split()]
    if len(lines) > 1 or len(words) < 2 or not any(len(graphemes(word)) > 1 for word in words):
        return None
    return [[replace(table, own=False) for table in pack] for pack in _letters_or_room(words, [*map(_tube, words)])]


def _lines_of_letters(lines: Sequence[str], body: Sequence[str]) -> list[Pack] | None:
    """A tube a line, and a ball a sign; or a row of all tubes a line."""
    if any(len(line.split()) > 1 for line in lines):
        return None
    rows = [*map(_tube, lines)]
    packs = _letters_or_room(lines, rows)
    if len(set(map(len, rows))) == 1 and rows[0] and len(rows) > 1:
        packs.append(_grid(rows, "columns", cost=2.0))
    return [*packs, *_gaps_as_tubes(rows, body, cost=2.0)]


def _gaps_as_tubes(rows: Rows, body: Sequence[str], cost: float) -> list[Pack]:
    """The rows, with an empty tube for each blank line inside."""
    tubes = iter(rows)
    with_gaps = [next(tubes) if line.strip() else [] for line in body]
    return [[Table(with_gaps, cost=cost, notes=BLANK_LINES, lines=True)]] if len(with_gaps) > len(rows) else []


def _spaced(lines: Sequence[str], body: Sequence[str]) -> list[Pack]:
    """Words separated by spaces, where a gap may be room by its position."""
    tokens = [line.split() for line in lines]
    flat = [*chain(*tokens)]
    filled = [line for line in body if line.strip()]
    signs = all(len(graphemes(word)) == 1 for word in flat)
    ragged = signs and len(set(map(len, tokens))) > 1
    packs: list[Pack] = []
    if ragged and any(re.search(r"^\s|\s{3,}", line) for line in filled) and (rows := _by_position(filled)):
        packs.append(_grid(rows, "columns", cost=0.5))
    if (named := _without_names(tokens, signs=signs)) is not None:
        return [*packs, _grid(named, "both")]
    if runs := _runs(tokens, flat):
        packs.append(_grid(runs, cost=1.0))
    bare = [[word.strip('"') for word in row] for row in tokens]
    rows = [[] if line.casefold() in SURE_ROOM else row for line, row in zip(lines, bare, strict=True)]
    gaps = _gaps_as_tubes(rows, body, cost=1.0 if [] in rows else 0.2)
    gappy = ragged and any(re.search(r"\S\s{3,}\S|^ ", line) for line in dedent("\n".join(filled)).split("\n"))
    packs += [*gaps, _grid(rows, "rows" if [] in rows else "both", cost=1.0 * bool(gaps) + 2.5 * gappy)]
    worded = not signs and all(len(graphemes(word)) > 1 or word in MARKS for word in flat)
    if worded and not any(word.startswith("#") for word in flat):  # each word a tube of letters
        packs.append(_grid([*map(_tube, flat)], cost=3.0))
        if len(tokens) > 1 and all(len(row) > 2 for row in tokens):
            packs.append(_several([[*map(_tube, row)] for row in tokens], cost=0.5))
    return packs


def _by_position(lines: Sequence[str]) -> Rows | None:
    """Cells at every second or fourth column, with blanks between."""
    rows = [graphemes(line) for line in lines]
    width = max(map(len, rows))
    for step in (2, 4):
        if all(sign == " " for row in rows for place, sign in enumerate(row) if place % step):
            padded = [row + [" "] * (width - len(row)) for row in rows]
            return [[BLANK if sign == " " else sign for sign in row[::step]] for row in padded]
    return None


def _without_names(tokens: Sequence[list[str]], *, signs: bool) -> Rows | None:
    """Rows without names above and at the left, as data frames are printed; None if they have none."""
    heads, rest = tokens[0], tokens[1:]
    longer = bool(rest) and all(len(row) == len(heads) + 1 for row in rest)
    if not longer or not SURE_ROOM.isdisjoint(map(str.casefold, heads)):
        return None
    named = not signs and {word for row in rest for word in row[1:]}.isdisjoint(heads)
    numbered = len(rest) > 1 and rest[0][0] == "0" and counts(row[0] for row in rest)
    return [[*map(_cell, row[1:])] for row in rest] if named or numbered else None


def _runs(tokens: Sequence[list[str]], flat: Sequence[str]) -> Rows:
    """Balls with their numbers, ``R2 G1`` or ``2R 1G``, as balls; none if they have none."""
    runs = {word: _RUN.fullmatch(word) for word in flat if word not in SURE_ROOM}
    full = {word: run for word, run in runs.items() if run is not None}
    found = {word: (run["colour"] or run["of"], int(run["balls"] or run["number"])) for word, run in full.items()}
    if len(found) < len(runs) or len({colour for colour, _ in found.values()}) in (1, len(found)):  # color1, color2
        return []
    return [[found[word][0] for word in row if word in found for _ in range(found[word][1])] for row in tokens]
