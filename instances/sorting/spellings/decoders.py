"""Notations that separators and brackets alone don't read: each is rewritten as values, or as a tube a line.

To read another one, write a function like those here, and an entry in `DECODERS` with an example, which is tested. It
takes a look at each character, never guesses (None, if the text is something else), and leaves out nothing that says
more than where a ball is.
"""

import json
import re
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from bsp_sat.instances.errors import BoardError, NotJson
from bsp_sat.instances.sorting.spellings.names import end_named, is_named
from bsp_sat.instances.sorting.spellings.table import rows_of_csv
from bsp_sat.instances.text.brackets import read_brackets
from bsp_sat.instances.text.reading import MAX_DEPTH, TOO_DEEP, parse_json
from bsp_sat.instances.text.words import counts, parse_number, short

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NOT_READ = "isn't read: expected the tubes as lists, or a line each"

_HEX = re.compile(r"(?m)^([ \t]*(?:- )?(\w+):)[ \t]+((?:[0-9a-f]{8})+)[ \t]*\r?$")
_SEVERAL = re.compile(r"[,;/| \[]")
"""What a cell with all tubes of a board has in it."""
_NOTHING = re.compile(r"(?m)^([ \t]*(?:- )?(\w+):)[ \t]*\r?$(?!\n[ \t]+-)")
_R_LIST = re.compile(r"(?m)^\[\[\d+\]\]\n(?:\[1\] ([^\n]*)|character\(0\)|numeric\(0\)|integer\(0\)|NULL)\n?")
_R_HEADING = re.compile(r"(?m)^[ \t]*(?:\[,\d+\][ \t]*)+\r?\n")
_R_ROW = re.compile(r"(?m)^[ \t]*\[\d+,\]([^\r\n]*)")
_PLACED = re.compile(r"(?:tube|bottle|vial|flask|stack|pole|col(?:umn)?|x)\D{0,9}", re.IGNORECASE)
"""What the number of a tube stands beside."""
_PLACE = re.compile(r"y|pos\w*|row|slot|level|layer|index|height|place", re.IGNORECASE)
_COLOUR = re.compile(r"c|colou?r\w{0,9}|ball|value|kind|type|id", re.IGNORECASE)
_FACT = re.compile(r"\(\w+ (\w+?)(\d{1,4}) ([^\W\d]\w*) \w+?(\d{1,4})\)")
_PUSHED = re.compile(r"(\w*)(?:\[(\d{1,4})\])?\.(?:push(?:_back)?|add|append)\(\s*[\"']?([\w#]{1,40})[\"']?\s*\);?")
_BLOCK = re.compile(r"\s*(\w+)\s*\{((?:\s*\w+:\s*\w+)*)\s*\}")
_ARRAY = re.compile(r"\barray2d\(\s*1\.\.(\d{1,3})\s*,\s*1\.\.(\d{1,3})\s*,\s*\[([^\[\]()]*)\]\s*\)")
_TIMES = re.compile(r"\[([^\[\],]{1,20}|\[\])\]\s*\*\s*(\d{1,2})\b")
_CELLS = r"[ \t]*(?:[\[(][^\[\]()\n][\])][ \t]*){2,}"
_BEGUN = re.compile(
    r"(?m)^(?:[^\n=]{0,60}[^\w\n=])?(\w{1,40})[ \t]*:?=[ \t]*([^\n,'\"]{2,60})\n+(?=[ \t]*\1[ \t]?\[[01]\][ \t]*=)"
)
_INSERT = re.compile(r"(?i)\bINSERT\s+INTO\s+([^\s()]{1,80})\s*\(([^()]{1,400})\)\s*VALUES\b")
_BEFORE = re.compile(r"(?i)\s*(?:--[^\n]*\n\s*|(?:CREATE|DROP|DELETE|BEGIN)\b[^;]*;\s*)*")
"""What makes the table into which rows are inserted."""
_BALL_EACH = re.compile(r"\s*\D{0,20}(\d{1,4})\s*[,;\t]\s*\D{0,20}(\d{1,4})\s*[,;\t]\s*\"?([^\W\d][\w -]*)\"?\s*")


class Decoder(NamedTuple):
    """A notation: its name for messages, what texts in it hold, and where it is used.

    ``decode`` rewrites such a text, to None if it can't; there is none if the notation isn't read at all. The example
    is a text in it, and the tubes that it means, bottom first, each ball by its first sign.
    """

    name: str
    signs: re.Pattern[str]
    decode: Callable[[str], str | None] | None = None
    source: str = ""
    example: tuple[str, str] = ("", "")


def _unity(text: str) -> str | None:
    names = {found[2] for found in _HEX.finditer(text)}  # lists of numbers; those without any have no digits
    text = _NOTHING.sub(lambda found: f"{found[1]} []" if found[2] in names else found[0], text)

    def numbers(found: re.Match[str]) -> str:
        return f"{found[1]} {[*struct.unpack(f'<{len(found[3]) // 8}i', bytes.fromhex(found[3]))]}"

    return _HEX.sub(numbers, text)


def _r_matrix(text: str) -> str | None:
    return _R_ROW.sub(lambda row: "\t".join(row[1].split()), _R_HEADING.sub("", text))  # so none are sizes


def _ball_each(text: str) -> str | None:
    """A heading, then a tube, a place and a colour in each line."""
    found = [_BALL_EACH.fullmatch(line) for line in text.strip().split("\n")[1:]]
    balls = [(int(ball[1]), int(ball[2]), ball[3].strip()) for ball in found if ball]
    if not found:
        return None
    if len(balls) < len(found):
        raise BoardError("", f"a table with a line for each ball {NOT_READ}")
    return json.dumps({"tubes": _tubes_of(balls)})


def _tubes_of(balls: list[tuple[int, int, Any]]) -> list[list[Any]]:
    """The tubes of balls, each with its tube and its place. None may be missing: what isn't there may be empty."""
    tubes = {number: [*tube] for number, tube in groupby(sorted(balls, key=itemgetter(0, 1)), itemgetter(0))}
    places = [[place for _, place, _ in tube] for tube in tubes.values()]
    first = min(map(min, places), default=0)
    for counted in ([*tubes], *places):
        if first > 1 or counted != [*range(counted[0], counted[0] + len(counted))]:
            raise BoardError("", f"expected tubes and places counted in order, found {short(str(counted))}")
    return [[colour for *_, colour in tube] for tube in tubes.values()]


def _tube_a_row(text: str) -> str | None:
    """A heading, then a tube in each row: its number, all its balls in one cell, and what else is said of it."""
    lines = [line.strip().strip("|") for line in text.strip().split("\n") if not re.fullmatch(r"\s*\|[|\s:+-]+", line)]
    table = rows_of_csv(lines, "|" if "|" in lines[0] else ",")
    heads, *rows = [[cell.strip() for cell in row] for row in table]
    places = [at for at, head in enumerate(heads) if is_named(head.split(" ")[0], "balls")]
    if len(places) != 1 or {*map(len, rows)} != {len(heads)} or not counts(row[0] for row in rows):
        return None
    order = {"order": heads[places[0]]} if end_named(heads[places[0]]) is not None else {}
    heads[places[0]] = "balls"
    return json.dumps({**order, "tubes": [dict(zip(heads, row, strict=True)) for row in rows]})


def _board_a_row(text: str) -> str | None:
    """A heading, then a board in each row: all its tubes in one cell, and what else is said of it."""
    lines = text.strip().split("\n")
    mark = max(",;\t", key=lines[0].count)
    heads, *rows = [[cell.strip() for cell in row] for row in rows_of_csv([f"{line}\n" for line in lines], mark)]
    if {*map(len, rows)} != {len({*heads})}:
        return None
    columns = dict(zip(heads, zip(*rows, strict=True), strict=True))
    if sum(is_named(head, "tubes") and all(map(_SEVERAL.search, cells)) for head, cells in columns.items()) != 1:
        return None
    said = [[cell if (number := parse_number(cell)) is None else number for cell in row] for row in rows]
    return json.dumps([dict(zip(heads, row, strict=True)) for row in said])


def _named_by_numbers(text: str) -> str | None:
    """A list that is begun without contents, and then each of its tubes, by its number."""
    begun = _BEGUN.search(text)
    if begun is None:
        return None
    name, size = begun[1], re.search(r"\d+(?=\D*$)", begun[2])
    rest = re.sub(rf"\n[ \t]*return[ \t]+{name};?\s*\Z", "", text[begun.end() :])
    numbers = [*map(int, re.findall(rf"(?m)^[ \t]*{name}[ \t]?\[(\d{{1,4}})\]", rest))]
    if numbers != [*range(numbers[0], numbers[0] + len(numbers))] or (size and int(size[0]) != len(numbers)):
        wanted = f"{size[0]} tubes, " if size else ""
        raise BoardError("", f"expected {wanted}each named once, in order, found {name} {short(str(numbers))}")
    return text[: begun.start()] + rest


def _facts(text: str) -> str | None:
    """A ball in each pair of brackets: a tube, a colour and a place."""
    found = _FACT.findall(text)
    if _FACT.sub("", text).strip() or not all(_PLACED.fullmatch(tube) for tube, *_ in found):
        return None
    return json.dumps({"tubes": _tubes_of([(int(tube), int(place), colour) for _, tube, colour, place in found])})


def _records(text: str) -> str | None:
    """A list of objects with a tube, a place and a colour each, perhaps in an object that says more."""
    value = parse_json(text)
    beside = value if isinstance(value, dict) else {"balls": value}
    lists = {key: each for key, each in beside.items() if isinstance(each, list) and each}
    if len(lists) != 1:
        return None
    ((key, balls),) = lists.items()
    names = [*balls[0]] if isinstance(balls[0], dict) else []
    known = len(names) == 3 and all(map(re.Pattern.fullmatch, (_PLACED, _PLACE, _COLOUR), names))
    if not known or any({*ball} != {*names} for ball in balls):
        return None
    placed = [(*(parse_number(str(ball[name])) for name in names[:2]), ball[names[2]]) for ball in balls]
    found = [(tube, place, colour) for tube, place, colour in placed if tube is not None and place is not None]
    return json.dumps({**beside, key: None, "tubes": _tubes_of(found)}) if len(found) == len(balls) else None


def _pushed(text: str) -> str | None:
    """A call for each ball, the bottom one of a tube first."""
    found = [_PUSHED.fullmatch(line.strip()) for line in text.splitlines() if line.strip()]
    tubes = [(call[1], call[2]) for call in found if call]
    names = [*dict.fromkeys(tubes)]
    if len(tubes) < len(found) or len(names) < 2:
        return None
    numbers = [int(re.sub(r"\D", "", number or name) or -1) for name, number in names]
    if not counts(numbers) and {*numbers} != {-1}:
        return None
    balls = [call[3] for call in found if call]
    rows = [[ball for ball, tube in zip(balls, tubes, strict=True) if tube == name] for name in names]
    return json.dumps({"tubes": rows, "bottomFirst": True})


def _table_of_html(text: str) -> str | None:
    rows = re.findall(r"<tr[^<>]*>(.*?)</tr>", text, re.DOTALL)
    cells = [re.findall(r"<t[dh][^<>]*>([^<>]*)</t[dh]>", row) for row in rows]
    left = re.sub(r"</?(?:table|thead|tbody|tr|td|th|html|body)\b[^<>]*>", "", text)
    said = "".join(chain.from_iterable(cells))
    return "\n".join(",".join(row) or "-" for row in cells) if "".join(left.split()) == "".join(said.split()) else None


def _tabular(text: str) -> str | None:
    inside = re.fullmatch(r"\s*\\begin\{tabular\}\{[^{}]*\}(.*)\\end\{tabular\}\s*", text, re.DOTALL)
    rows = re.sub(r"\\hline", "", inside[1] if inside else "").strip().removesuffix(r"\\").split(r"\\")
    return "\n".join(",".join(cell.strip() for cell in row.split("&")) for row in rows) if inside else None


def _settings_file(text: str) -> str | None:
    _, *parts = re.split(r"(?m)^\s*\[(\w+)\][^\S\n]*$", text)
    fields = [
        [(key, said.strip()) for key, said in re.findall(r"(?m)^\s*(\w+)\s*=(.*)$", part)] for part in parts[1::2]
    ]
    once = all(len({key for key, _ in each}) == len(each) for each in [*fields, [(name, "") for name in parts[::2]]])
    return json.dumps(dict(zip(parts[::2], map(dict, fields), strict=True))) if once else None


def _notebook(text: str) -> str | None:
    cells = parse_json(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def _blocks(text: str) -> str | None:
    blocks = _BLOCK.findall(text)
    found = [re.findall(r"(\w+):\s*(\w+)", block) for _, block in blocks]
    one_name = len({name for name, _ in blocks}) == len({name for block in found for name, _ in block}) == 1
    return json.dumps([[ball for _, ball in block] for block in found]) if one_name else None


def _cut_list(text: str) -> str | None:
    def cut(found: re.Match[str]) -> str:
        rows, size, balls = int(found[1]), int(found[2]), found[3].split(",")
        if rows * size != len(balls):
            raise BoardError("", f"expected {rows * size} values in array2d, found {len(balls)}")
        return f"[[{'],['.join(','.join(balls[at : at + size]) for at in range(0, len(balls), size))}]]"

    return _ARRAY.sub(cut, text)


def _multiplied(text: str) -> str | None:
    text = _TIMES.sub(lambda found: f"[{', '.join([found[1]] * int(found[2]))}]", text)
    return re.sub(r"\]\s*\+\s*\[", ", ", text)


def _link(text: str) -> str | None:
    """What a link says: the tubes, and what stands beside them, under the same keys."""
    said = {key: unquote(value) for key, value in re.findall(r"[?&#](\w{1,40})=([^&\s]*)", text)}
    named = [key for key, value in said.items() if key == "t" or re.search("tubes|board|state|level", key)]
    if not named:
        return None
    key = max(named, key=lambda key: len(said[key]))
    mark = next((mark for mark in ",;|" if mark in said[key]), "-")
    tubes = [re.sub(r"(?<=\w\w)\.(?=\w\w)", ",", tube) for tube in said.pop(key).split(mark)]  # else it is room
    return json.dumps({**said, "tubes": tubes})


def _in_brackets(text: str) -> str | None:
    """Rows of cells in brackets, each a sign or a space, and perhaps the numbers of the tubes below."""
    rows = [row for line in text.split("\n") if (row := re.findall(r"[\[(](.)[\])]", line))]
    drawn = len({*map(len, rows)}) == 1 < len(rows[0])
    return "\n".join(f"|{'|'.join(row)}|" for row in rows) if drawn and any(" " in row for row in rows) else None


def _between_ends(text: str) -> str | None:
    """Rows, before the first of which stands that it is the top one, and before the last that it is the bottom."""
    rows = re.sub(r"(?im)^[ \t]*(?:top|bottom)[ \t]*:", "", text).strip().split("\n")
    return "\n".join(["order top-down", "tubes-in columns", *rows])


def _groups_of_lines(text: str) -> str | None:
    """A ball a line, and a blank line between tubes."""
    tubes = ["".join(group.split()) for group in re.split(r"\n\s*\n", text.strip())]
    return "\n".join(tubes) if len(tubes) > 1 and any(len(tube) > 1 for tube in tubes) else None


def _ball_a_line(text: str) -> str | None:
    """The number of tubes, then a ball a line."""
    number, *balls = text.split()
    size, rest = divmod(len(balls), int(number))
    if rest or size < 2 or len({*map(len, balls)}) < 2 or 2 * len({*balls}) > len(balls):  # tubes of letters, then
        return None
    return json.dumps([balls[at : at + size] for at in range(0, len(balls), size)])


def _until_a_mark(text: str) -> str | None:
    """A ball a line, and one word after each tube."""
    *balls, mark = text.split()
    tubes = [part.split() for part in "\n".join([*balls, ""]).split(f"{mark}\n")]
    sizes = [len(tube) for tube in tubes if tube]
    alike = len(sizes) > 1 and len({*sizes}) == 1 < sizes[0]
    alike = alike and all(len(ball) != len(mark) or ball == mark for ball in balls)
    return json.dumps(tubes) if alike and not all(tubes) else None


def _kinds_of_lines(text: str) -> str | None:
    """Colours, then tubes, each line with the letter of its kind before it."""
    lines = [line.split(";") for line in text.split()]
    kinds = [*dict.fromkeys(line[0] for line in lines)]
    colours = {line[1] for line in lines if line[0] == kinds[0]}
    tubes = [[ball for ball in line[1:] if ball] for line in lines if line[0] != kinds[0]]
    return json.dumps(tubes) if len(kinds) == 2 and {ball for tube in tubes for ball in tube} == colours else None


def _inserted(text: str) -> str:
    """Rows of a table of a database, each an object with the names of its columns."""
    before, *parts = _INSERT.split(text)
    tables = {name.strip('"`').casefold() for name in parts[::3]}  # of several each may be a board
    columns = [[name.strip(' \t\r\n"`') for name in each.split(",")] for each in parts[1::3]]
    found = [
        (names, item.value)
        for names, values in zip(columns, parts[2::3], strict=True)
        for item in read_brackets(values)
    ]
    fits = all(isinstance(row, list) and len(row) == len(names) for names, row in found)
    if not fits or len(tables) > 1 or _BEFORE.fullmatch(before) is None:
        place = before.count("\n") + 1
        raise BoardError(f"line {place}", f"more than the rows of one table of a database {NOT_READ}")
    rows = [dict(zip(names, row, strict=True)) for names, row in found]
    return _with_remarks(rows, re.findall(r"--(.*)", text))


def _with_remarks(value: Any, remarks: list[str]) -> str:
    """What was decoded, with the remark that says which end is the top."""
    ends = [remark for remark in remarks if end_named(remark) is not None]
    return decoded(json.dumps({"order": ends[0], "tubes": value} if ends else value))


def _xml(text: str) -> str | None:
    """The only element of a text."""
    from xml.etree import ElementTree  # which hardly any text needs

    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # a short text of these may stand for an endless one
        raise BoardError("", "expected XML without <!DOCTYPE and <!ENTITY")
    try:
        (value,) = _of_elements([ElementTree.fromstring(text.strip("\ufeff \t\r\n"))])
    except ElementTree.ParseError as error:
        raise BoardError(f"line {error.position[0]}", f"no XML, {str(error).partition(':')[0]}") from None
    return _with_remarks(value, re.findall(r"<!--([^<>]*)-->", text))


def _of_elements(elements: "list[Element]", depth: int = 0) -> list[Any]:
    """Of each element of one name its text, or an object of its attributes and of the elements in it, by name.

    Those are a list where any of these elements has several of a name; alone, they are all that it says.
    """
    if depth > MAX_DEPTH:
        raise BoardError("", TOO_DEEP)
    inside: dict[str, list[Element]] = {}
    for child in chain(*elements):
        inside.setdefault(child.tag, []).append(child)
    values = {name: iter(_of_elements(children, depth + 1)) for name, children in inside.items()}
    several = {name for each in elements for name, times in Counter(child.tag for child in each).items() if times > 1}
    (only,) = several if len(several) == 1 else ("",)
    found: list[Any] = []
    for each in elements:
        text = (each.text or "").strip()
        fields: dict[str, Any] = {only: []} if only and not text else {}  # an element without any of it is empty
        for child in each:
            value = next(values[child.tag])
            if child.tag in several:
                fields.setdefault(child.tag, []).append(value)
            else:
                fields[child.tag] = value
        if not fields.keys().isdisjoint(each.attrib) or any((child.tail or "").strip() for child in each):
            raise BoardError("", f"expected a name once and no text between elements in <{short(each.tag)}>")
        beside = {**each.attrib, **({"values": text} if text else {})}
        if fields.keys() == {only} and not beside:
            found.append(fields[only])
        else:
            found.append({**beside, **fields} if fields or each.attrib else text)
    return found


DECODERS = (
    Decoder("Unity's list of numbers in hexadecimal", _HEX, _unity, "assets of Unity: eight digits a number",
            ("--- !u!114 &1\ntubes:\n- balls: 0100000002000000\n- balls: 0200000001000000\n- balls: \n", "12 21 ")),
    Decoder("a list of R", _R_LIST, lambda text: _R_LIST.sub(lambda tube: tube[1] or "-", text), "print(list(…))",
            ("[[1]]\n[1] 1 2\n\n[[2]]\n[1] 2 1\n\n[[3]]\nNULL\n", "12 21 ")),
    Decoder("a matrix of R", _R_HEADING, _r_matrix, "print(matrix(…))",
            ("   [,1] [,2] [,3]\n[1,]  4    1   NA\n[2,]  4    1   NA\n[3,]  1    4   NA\n[4,]  1    4   NA\n",
             "1144 4411 ")),
    Decoder("a list of Julia", re.compile(r"\A\s*\S+(?: |-element )(?:Vector|Matrix|Array)\{[^\n]*:(?=\n)"),
            lambda text: text.lstrip().partition("\n")[2], "the prompt of Julia",
            ('3-element Vector{String}:\n "ab"\n "ba"\n ""', "ab ba ")),
    Decoder("rows of a database", _INSERT, _inserted, "SQL",
            ("INSERT INTO tubes (id, balls) VALUES (1, 'rb'), (2, 'br');\nINSERT INTO tubes (id, balls) VALUES (3, '')",
             "rb br ")),
    Decoder("a table with a line for each ball", re.compile(r"\A(?=[^\n]*\btube\b)[^\n]*\bposition\b"), _ball_each,
            "tables of statistics",
            ("tube,position,color\n1,1,r\n1,2,b\n2,1,b\n2,2,r\n2,3,r\n2,4,g\n3,1,g\n3,2,b\n4,1,g\n4,2,r\n4,3,b\n4,4,g",
             "rb brrg gb grbg")),
    Decoder("a table with a row for each tube", re.compile(r"(?i)\A[\s|]*(?:tube|bottle|vial|flask|#|no)\b[^\n]*[|,]"),
            _tube_a_row, "posts, sheets", ("| Tube | Balls |\n|---|---|\n| 1 | r b |\n| 2 | b r |\n| 3 | |", "rb br ")),
    Decoder("a table with a row for each board", re.compile(r"\A\s*+[\w \"]+(?:[,;\t][\w \"]+)+\r?\n"), _board_a_row,
            "sheets", ('id,tubes\n1,"r,b;b,r;-"', "rb br ")),
    Decoder("a list whose tubes are named by their numbers", _BEGUN, _named_by_numbers, "programs",
            ('local t = {}\nt[1] = {"r", "b"}\nt[2] = {"b", "r"}\nt[3] = {}\nreturn t', "rb br ")),
    Decoder("a resource of Godot", re.compile(r"\A\[gd_resource "),
            lambda text: re.sub(r"(?m)^\[(?:gd_resource|ext_resource|resource)\b[^\n]*\n", "", text), "Godot",
            ('[gd_resource type="Resource"]\n[resource]\nsize = 2\ntubes = [[1, 2], [2, 1], []]', "12 21 ")),
    Decoder("a ball a line below their number",
            re.compile(r"\A\s*[1-9]\d?\s*\n(?:[^\W\d]\w*\s*\n){3,}[^\W\d]\w*\s*\Z"), _ball_a_line, "github.com/batzilo",
            ("3\nOrange\nBlue\nBlue\nOrange\nEmpty\nEmpty\n", "OB BO ")),
    Decoder("a ball a line, and a word after each tube",
            re.compile(r"\A(?:\w{2,}\s*\n){3,}\w{2,}\s*\Z"), _until_a_mark, "github.com/brucevahldick",
            ("FF0000\n00FF00\nbrk\n00FF00\nFF0000\nbrk\nbrk", "F0 0F ")),
    Decoder("lines with the letter of their kind", re.compile(r"\A(?:[A-Z];[^\s]*\s+){3,}"), _kinds_of_lines,
            "github.com/guilhermelange", ("C;AZUL;#0000FF\nC;ROSA;#FF1493\nT;AZUL;ROSA\nT;ROSA;AZUL\nT;\n", "AR RA ")),
    Decoder("facts, a ball each", _FACT, _facts, "PDDL",
            ("(in tube1 r pos1)\n(in tube2 b pos1)\n(in tube2 r pos2)\n(in tube3 b pos1)", "r br b")),
    Decoder("objects, a ball each", re.compile(r'\A\s*[\[{][^{}]*\[?\s*\{"(?i:tube|bottle|col|x)[^{}\[\]]*\}\s*,'),
            _records, "grids of games",
            ('[{"x": 0, "y": 0, "c": 1}, {"x": 1, "y": 0, "c": 2}, {"x": 1, "y": 1, "c": 1}, {"x": 2, "y": 0, "c": 2}]',
             "1 21 2")),
    Decoder("a program with a call for each ball", re.compile(rf"\A(?:\s*{_PUSHED.pattern}\s*)+\Z"), _pushed,
            "programs", ("a.push('r')\nb.push('b')\nb.push('r')\nc.push('b')", "r br b")),
    Decoder("a table of HTML", re.compile(r"\A\s*<table\b"), _table_of_html, "pages",
            ("<table><tr><td>r</td><td>b</td></tr><tr><td>b</td><td>r</td></tr><tr></tr></table>", "rb br ")),
    Decoder("a table of LaTeX", re.compile(r"\A\s*\\begin\{tabular\}"), _tabular, "papers",
            ("\\begin{tabular}{cc}\nr & b \\\\\nb & r \\\\\nempty\n\\end{tabular}", "rb br ")),
    Decoder("a settings file (.ini)", re.compile(r"\A(?:\s*\[\w+\][^\S\n]*(?:\n\s*\w+\s*=[^\n]*)+)+\s*\Z"),
            _settings_file, "programs of Windows", ("[level]\ntube1=r,b\ntube2=b,r\ntube3=", "rb br ")),
    Decoder("a notebook", re.compile(r'\A\s*\{\s*"cells"\s*:\s*\[\s*\{\s*"cell_type"'), _notebook, "Jupyter",
            ('{"cells": [{"cell_type": "code", "source": ["t = [[1, 2], [2, 1], []]"]}]}', "12 21 ")),
    Decoder("blocks with the same name before each value", re.compile(rf"\A(?:{_BLOCK.pattern})+\s*\Z"), _blocks,
            "text of protocol buffers", ("tube { ball: R ball: B }\ntube { ball: B ball: R }\ntube { }", "RB BR ")),
    Decoder("a list of MiniZinc, cut by its sizes", _ARRAY, _cut_list, "MiniZinc",
            ("T = array2d(1..3, 1..2, [1, 2, 2, 1, 0, 0]);", "12 21 ")),
    Decoder("rows of MiniZinc", re.compile(r"\[\|[^\[\]|]*\|[^\[\]]*\|\]"),
            lambda text: text.replace("[|", "[[").replace("|]", "]]").replace("|", "],["), "MiniZinc",
            ("T = [|1, 2|2, 1|0, 0|];", "12 21 ")),
    Decoder("lists of words of Elixir", re.compile(r"~w\(([^()\n]*)\)"),
            lambda text: re.sub(r"~w\(([^()\n]*)\)", lambda found: json.dumps(found[1].split()), text), "Elixir, Ruby",
            ("[~w(r b), ~w(b r), []]", "rb br ")),
    Decoder("members of enumerations", re.compile(r"<\w+\.(\w+): [^<>\n]{1,20}>"),
            lambda text: re.sub(r"<\w+\.(\w+): [^<>\n]{1,20}>", r"\1", text), "print(…) of Python",
            ("[[<Ball.R: 1>, <Ball.B: 2>], [<Ball.B: 2>, <Ball.R: 1>], []]", "RB BR ")),
    Decoder("lists that are multiplied", _TIMES, _multiplied, "Python",
            ('tubes = [["r", "b"], ["b", "r"]] + [[]] * 1', "rb br ")),
    Decoder("lists made for a size", re.compile(r"\bVec::with_capacity\(\d{1,4}\)"),
            lambda text: re.sub(r"\bVec::with_capacity\(\d{1,4}\)", "[]", text), "Rust",
            ("vec![vec![1, 2], vec![2, 1], Vec::with_capacity(2)]", "12 21 ")),
    Decoder("a link", re.compile(r"\A\s*(?:https?:[^\s?#]{0,200})?[?#]\w{1,40}=\S*\s*\Z"), _link, "addresses of games",
            ("https://example.org/play?tubes=ab,ba,&cap=2", "ab ba ")),
    Decoder("rows of cells in brackets",
            re.compile(rf"\A{_CELLS}(?:\n{_CELLS})+(?:\n[ \t]*(?:0 +)?1 +2\b[\d ]*)?\s*\Z"),
            _in_brackets, "drawings", ("[r] [b] [ ]\n[b] [r] [ ]\n 1   2   3", "br rb ")),
    Decoder("rows from the top to the bottom",
            re.compile(r"(?i)\A[ \t]*top[ \t]*:[^\n]*\n(?:[^\n]*\n)*[ \t]*bottom[ \t]*:[^\n]*\s*\Z"), _between_ends,
            "posts", ("top:    r b -\nbottom: b r -", "br rb ")),
    Decoder("a ball a line, and a blank line after each tube",
            re.compile(r"\A(?:[^\S\n]*\S[^\S\n]*(?:\n|\Z)|[^\S\n]*\n)+\Z"), _groups_of_lines, "posts",
            ("r\nb\n\nb\nr\n\n-", "rb br ")),
    Decoder("XML", re.compile(r"\A\s*<(?:!|\?xml|[A-Za-z])"), _xml, "programs",
            ('<level size="2"><tube>r b</tube><tube>b r</tube><tube/></level>', "rb br ")),
    Decoder("a program that fills tubes ball by ball", re.compile(r"\.(?:push|push_back|add|append)\(")),
    Decoder("YAML in which yes, no, on or off is a colour without quotes",
            re.compile(r"(?m)^[^\S\n]*-[^\n]*\b(?:yes|no|on|off)\b")),
)  # fmt: skip
"""The notations. No sign may take more than a look at each character."""


def decoded(text: str) -> str:
    """A text, rewritten if it is in one of these notations."""
    for each in DECODERS:
        if each.decode and each.signs.search(text):
            with suppress(NotJson, LookupError, TypeError, ValueError):  # it isn't built like that
                if (found := each.decode(text)) is not None:
                    return found
    return text


def not_read(text: str) -> str:
    """The notation of a text that isn't read; empty if it is in none."""
    return next((each.name for each in DECODERS if each.decode is None and each.signs.search(text)), "")
