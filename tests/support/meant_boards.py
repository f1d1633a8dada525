"""Boards written in the habits of public programs, and read: the writer knows what it meant.

`meant(random)` makes boards and one text of them, in a spelling chosen at random: the words for colours and for room,
which end of a tube is written first, the language or table, keys and wrappers, and noise that no reader should mind.
`outcome` says what became of it. None of it shares code with the readers.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bsp_sat import AmbiguousBoard, BoardError, load_instances

Tubes = list[list[Any]]

NAMES = ["red", "green", "blue", "yellow", "pink", "orange", "purple"]
PALETTES: dict[str, list[Any]] = {
    "names": NAMES, "upper": [name.upper() for name in NAMES], "title": [name.title() for name in NAMES],
    "letters": list("rgbypok"), "capitals": list("RGBYPOK"), "abc": list("abcdefg"), "from 1": [1, 2, 3, 4, 5, 6, 7],
    "from 0": [0, 1, 2, 3, 4, 5, 6],
    "hex": ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff", "#00ffff", "#808080"],
    "short hex": ["#f00", "#0f0", "#00f", "#ff0", "#f0f", "#0ff", "#888"], "emoji": list("🔴🟢🔵🟡🟣🟠🟤"),
    "hearts": ["❤️", "💚", "💙", "💛", "💜", "🧡", "🤎"], "flags": ["🇩🇪", "🇫🇷", "🇮🇹", "🇪🇸", "🇵🇹", "🇬🇷", "🇫🇮"],
    "numbered": [f"color{number}" for number in range(1, 8)],
    "german": ["rot", "grün", "blau", "gelb", "rosa", "orange", "lila"],
    "dashed": ["light-blue", "dark-blue", "light-green", "dark-green", "red", "pink", "brown"],
}  # fmt: skip
ONE_CHARACTER = {"letters", "capitals", "abc", "emoji", "hearts", "flags"}
ROOM = ["", None, -1, 0, "empty", "EMPTY", "-", ".", "_", "E", "none", "AIR", "X", " ", "Empty", "clear", "x"]
TUBE_KEYS = [
    "tubes", "bottles", "vials", "flasks", "stacks", "containers", "board", "puzzle", "columns", "data", "state",
    "initialState", "poles", "jars", "birds", "nuts", "grid", "glasses", "rods", "pegs", "layout", "initial_state",
]  # fmt: skip
BALL_KEYS = ["balls", "colors", "colours", "values", "contents", "layers", "items", "segments", "stack"]
CAPACITY_KEYS = ["capacity", "bottleCapacity", "tubeCapacity", "tube_size", "cap", "ballsPerTube", "tubeHeight"]
EMPTY_KEYS = ["emptyTubes", "extra_tubes", "numEmpty", "emptyVials", "empty_count"]
TOP_KEYS = ["topFirst", "top_first", "topToBottom"]
RULES = ['"frozenTubes": [1]', '"locked_bottles": {"2": "red"}', '"oneWay": [0]', '"bombs": [3]', '"gravity": "up"']
BESIDE = [{"id": 3}, {"name": "x"}, {"level": 7}, {"difficulty": "hard"}, {"moves": 12}, {"theme": "sky"}, {"seed": 5},
          {"stars": 3}, {"unlocked": True}, {"version": 2}, {"time": 90}]  # fmt: skip


@dataclass
class Case:
    """A text and what it means."""

    family: str  # the kind of spelling
    ending: str  # of the file's name
    data: bytes  # the file
    boards: list[Tubes]  # the boards meant, each a list of tubes from bottom to top
    capacities: list[int] | None  # where the text says them
    end_shown: bool  # whether the text shows or says which end of a tube is its top
    damaged: bool = False  # whether something is missing, so that it should be read only if all is there nevertheless
    rule: bool = False  # whether it names a rule that no reader can know
    marks: list[str] = field(default_factory=list)  # how it is spelled, for whoever looks at a fault


def canonical(tubes: Sequence[Sequence[Any]]) -> Tubes:
    """The same board with colours numbered in the order of their first cells."""
    names: dict[str, int] = {}
    return [[names.setdefault(str(colour), len(names)) for colour in tube] for tube in tubes]


# -- boards ----------------------------------------------------------------------------------------------


def _board(random: Random, capacity: int | None = None) -> tuple[Tubes, int]:
    """An unsolved board with room, its colours numbered from 0."""
    while True:
        capacity_ = capacity or random.choice([2, 3, 4, 4, 4, 5, 6])
        colours, empty = random.randint(2, 7), random.choice([1, 2, 2, 3])
        balls = [colour for colour in range(colours) for _ in range(capacity_)]
        if random.random() < 0.1:
            balls += [0] * capacity_
        random.shuffle(balls)
        filled = len(balls) // capacity_
        if random.random() < 0.35:
            tubes: Tubes = [[] for _ in range(filled + empty)]
            for ball in balls:
                random.choice([tube for tube in tubes if len(tube) < capacity_]).append(ball)
        else:
            tubes = [balls[at : at + capacity_] for at in range(0, len(balls), capacity_)] + [[]] * empty
        if random.random() < 0.15:
            random.shuffle(tubes)
        if max(map(len, tubes)) == capacity_ and any(len(set(tube)) > 1 for tube in tubes):
            return [list(tube) for tube in tubes], capacity_


# -- languages that write lists in brackets ---------------------------------------------------------------


def _quoted(value: Any) -> str:
    return "null" if value is None else json.dumps(value, ensure_ascii=False)


def _single(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else _quoted(value)


def _python(value: Any) -> str:
    return repr(value)


def _lower(before: str) -> Callable[[Any], str]:
    return lambda value: before + _symbol(value).lower()


def _symbol(value: Any) -> str:
    """A name of an enumeration."""
    return str(value).replace("-", "_").upper()


def _nested(before: str, opening: str, closing: str, inner: tuple[str, str], after: str, word: Callable[[Any], str],
            between: str = ", ") -> Callable[[Tubes, Random], str]:  # fmt: skip
    def write(rows: Tubes, random: Random) -> str:
        lines = random.random() < 0.4
        tubes = [inner[0] + between.join(map(word, row)) + inner[1] for row in rows]
        if lines:
            last = "," if random.random() < 0.3 and between == ", " else ""
            inside = "\n" + f"{between.rstrip()}\n".join("  " + tube for tube in tubes) + last + "\n"
        else:
            inside = random.choice([between, between, between.rstrip() or between]).join(tubes)
        return f"{before}{opening}{inside}{closing}{after}"

    return write


SQUARE = ("[", "]")
BRACES = ("{", "}")
LANGUAGES: dict[str, tuple[str, Callable[[Tubes, Random], str]]] = {
    "javascript": (".js", _nested("const LEVEL = ", *SQUARE, SQUARE, ";", _single)),
    "typescript": (".ts", _nested("export const level1: Color[][] = ", *SQUARE, SQUARE, ";\n", _quoted)),
    "export default": (".js", _nested("export default ", *SQUARE, SQUARE, "", _single)),
    "python": (".py", _nested("board = ", *SQUARE, SQUARE, "\n", _python)),
    "python typed": (".py", _nested("tubes: list[list[str]] = ", *SQUARE, SQUARE, "\n", _python)),
    "python call": (".py", _nested("game = Game(", *SQUARE, SQUARE, ")\n", _python)),
    "python enum": (".py", _nested("LEVEL_3 = ", *SQUARE, SQUARE, "", lambda value: f"Color.{_symbol(value)}")),
    "c": (".c", _nested("int level[][4] = ", *BRACES, BRACES, ";\n", _symbol)),
    "c quoted": (".c", _nested("static const char *level[][4] = ", *BRACES, BRACES, ";\n", _quoted)),
    "c++": (".cpp", _nested("std::vector<std::vector<std::string>> tubes", *BRACES, BRACES, ";", _quoted)),
    "c#": (".cs", _nested("var tubes = new string[][] ", *BRACES, ("new[] {", "}"), ";", _quoted)),
    "c# lists": (".cs", _nested("var levels = new List<List<Color>> ", *BRACES, ("new List<Color> { ", " }"), ";",
                                lambda value: f"Color.{str(value).title()}")),
    "java": (".java", _nested("String[][] board = ", *BRACES, BRACES, ";", _quoted)),
    "java lists": (".java", _nested("List<List<String>> t = ", "List.of(", ")", ("List.of(", ")"), ";", _quoted)),
    "kotlin": (".kt", _nested("val tubes = ", "listOf(", ")", ("mutableListOf(", ")"), "", _quoted)),
    "swift": (".swift", _nested("let tubes: [[Ball]] = ", *SQUARE, SQUARE, "", _lower("."))),
    "rust": (".rs", _nested("let tubes = ", "vec![", "]", ("vec![", "]"), ";", _quoted)),
    "go": (".go", _nested("var level = [][]string", *BRACES, BRACES, "\n", _quoted)),
    "lua": (".lua", _nested("local tubes = ", *BRACES, BRACES, "", _quoted)),
    "lua return": (".lua", _nested("return ", *BRACES, BRACES, "\n", _single)),
    "haskell": (".hs", _nested("board = ", *SQUARE, SQUARE, "", lambda value: _symbol(value).title())),
    "prolog": (".pl", _nested("puzzle(1, ", *SQUARE, SQUARE, ").", _lower(""))),
    "ruby": (".rb", _nested("TUBES = ", *SQUARE, SQUARE, ".freeze", _quoted)),
    "php": (".php", _nested("$tubes = ", "array(", ")", ("array(", ")"), ";", _single)),
    "dart": (".dart", _nested("final List<List<Color>> tubes = ", *SQUARE, SQUARE, ";", _lower("Colors."))),
    "gdscript": (".gd", _nested("var tubes := ", *SQUARE, SQUARE, "", _quoted)),
    "lisp": (".lisp", _nested("(defparameter *board* '", "(", ")", ("(", ")"), ")", _lower(""), " ")),
    "ocaml": (".ml", _nested("let board = ", *SQUARE, SQUARE, "", lambda value: _symbol(value).title(), "; ")),
    "elixir": (".ex", _nested("@tubes ", *SQUARE, SQUARE, "", _lower(":"))),
}  # fmt: skip
BARE = {"python enum", "c", "c# lists", "swift", "haskell", "prolog", "dart", "lisp", "ocaml", "elixir"}


# -- spellings -------------------------------------------------------------------------------------------


@dataclass
class Draft:
    """A board that is being written."""

    random: Random
    tubes: Tubes  # bottom first, with the words of the palette
    capacity: int
    palette: str  # the name of the words
    top: bool  # whether tubes are written from the top
    says_top: bool  # whether that may be said
    room: Any  # the word for room
    padded: bool  # whether free cells are written
    said: bool = False  # whether the text says which end is the top

    @property
    def single(self) -> bool:
        return self.palette in ONE_CHARACTER

    def row(self, tube: list[Any], pad: bool, room: Any = None) -> list[Any]:
        word = self.room if room is None else room
        missing = [word] * (self.capacity - len(tube)) if pad else []
        return missing + tube[::-1] if self.top else tube + missing

    def rows(self, pad: bool | None = None, room: Any = None) -> Tubes:
        return [self.row(tube, self.padded if pad is None else pad, room) for tube in self.tubes]

    @property
    def partial(self) -> bool:
        return any(0 < len(tube) < self.capacity for tube in self.tubes)

    def drawn(self, room: str) -> Tubes:
        """Rows of a drawing, the topmost first."""
        return [[tube[at] if at < len(tube) else room for tube in self.tubes] for at in reversed(range(self.capacity))]


class NotSo(Exception):
    """This board can't be written so."""


Text = tuple[str, str, bool]
"""The ending of the file, the text, and whether it shows where the top is (by padding beside balls)."""


def _json(value: Any, random: Random) -> str:
    return json.dumps(value, indent=random.choice([None, None, 1, 2, 4]), ensure_ascii=random.random() < 0.4,
                      separators=random.choice([None, (",", ":")]))  # fmt: skip


def _beside(draft: Draft, fields: dict[str, Any]) -> dict[str, Any]:
    random = draft.random
    if random.random() < 0.5:
        fields[random.choice(CAPACITY_KEYS)] = draft.capacity
    if random.random() < 0.4:
        fields.update(random.choice([*BESIDE, {"numTubes": len(draft.tubes)}, {"tubeCount": len(draft.tubes)},
                                     {"numColors": len({ball for tube in draft.tubes for ball in tube})}]))  # fmt: skip
    if draft.top and draft.says_top:
        fields[random.choice(TOP_KEYS)] = True
        draft.said = True
    if draft.top and not draft.said and {"tubes", "capacity"} <= fields.keys():
        raise NotSo  # the project's own form has the bottom first
    items = list(fields.items())
    random.shuffle(items)
    return dict(items)


def _json_list(draft: Draft) -> Text:
    return draft.random.choice([".json", ".txt"]), _json(draft.rows(), draft.random), draft.padded and draft.partial


def _json_object(draft: Draft) -> Text:
    fields = _beside(draft, {draft.random.choice(TUBE_KEYS): draft.rows()})
    return ".json", _json(fields, draft.random), draft.padded and draft.partial


def _json_nested(draft: Draft) -> Text:
    inner = _beside(draft, {draft.random.choice(TUBE_KEYS): draft.rows()})
    wrapped = draft.random.choice(
        [{"level": inner}, {"levels": [inner]}, [inner], {"data": {"level": inner}}, {"version": 1, "puzzle": inner}]
    )
    return ".json", _json(wrapped, draft.random), draft.padded and draft.partial


def _json_tube_objects(draft: Draft) -> Text:
    key, random = draft.random.choice(BALL_KEYS), draft.random
    beside = random.choice([{}, {"capacity": draft.capacity}, {"selected": False}])
    tubes = [
        {**({"id": at} if random.random() < 0.5 else {}), key: row, **beside} for at, row in enumerate(draft.rows())
    ]
    value = tubes if random.random() < 0.4 else {random.choice(TUBE_KEYS): tubes}
    return ".json", _json(value, random), draft.padded and draft.partial


def _json_ball_objects(draft: Draft) -> Text:
    key = draft.random.choice(["color", "colour", "type"])
    rows = [[{key: ball} for ball in row] for row in draft.rows(pad=False)]
    return ".json", _json({draft.random.choice(TUBE_KEYS): rows}, draft.random), False


def _json_map(draft: Draft) -> Text:
    before = draft.random.choice(["tube", "", "Tube ", "T", "bottle_"])
    tubes = {f"{before}{at}": row for at, row in enumerate(draft.rows(), draft.random.choice([0, 1]))}
    value = tubes if draft.random.random() < 0.6 else {draft.random.choice(TUBE_KEYS): tubes}
    return ".json", _json(value, draft.random), draft.padded and draft.partial


def _json_strings(draft: Draft) -> Text:
    if not draft.single:
        raise NotSo
    pad, room = draft.random.random() < 0.3, draft.random.choice("._-")
    strings = ["".join(row) for row in draft.rows(pad, room)]
    value = strings if draft.random.random() < 0.5 else _beside(draft, {draft.random.choice(TUBE_KEYS): strings})
    return ".json", _json(value, draft.random), pad and draft.partial


def _json_joined(draft: Draft) -> Text:
    """Tubes as strings of words with commas."""
    strings = [",".join(map(str, row)) for row in draft.rows(pad=False)]
    return ".json", _json({draft.random.choice(TUBE_KEYS): strings}, draft.random), False


def _one_text(draft: Draft) -> Text:
    """All tubes in one text, with marks of two kinds: in JSON, as an attribute of XML, or in a row of a table."""
    between, mark = draft.random.choice([(";", ","), ("|", ","), ("/", ","), ("; ", ", "), ("|", " ")])
    if draft.top and draft.says_top:
        raise NotSo
    text = between.join(mark.join(map(str, row)) or draft.random.choice("-_") for row in draft.rows(False))
    key = draft.random.choice(TUBE_KEYS)
    if key == "puzzle":  # has a meaning in JSON
        raise NotSo
    form = draft.random.choice([".json", ".xml", ".csv"])
    xml, table = f"<level id='1' {key}='{text}'/>", f'id,{key}\n1,"{text}"\n'
    return form, {".json": _json({key: text}, draft.random), ".xml": xml, ".csv": table}[form], False


def _one_list(draft: Draft) -> Text:
    """All places in one list, or one text, to be cut by the capacity."""
    cells = [cell for row in draft.rows(True, draft.random.choice(["", "-", "."])) for cell in row]
    value = cells if draft.random.random() < 0.5 else ",".join(map(str, cells))
    fields = {draft.random.choice(["data", "cells", "tubes", "board"]): value}
    return ".json", _json({**fields, draft.random.choice(CAPACITY_KEYS): draft.capacity}, draft.random), draft.partial


def _json_counted(draft: Draft) -> Text:
    """Filled tubes, and the number of empty ones."""
    filled = [tube for tube in draft.tubes if tube]
    if any(len(tube) < draft.capacity for tube in filled):
        raise NotSo
    empty = len(draft.tubes) - len(filled)
    draft.tubes = [*filled, *([] for _ in range(empty))]
    rows = draft.rows(pad=False)[: len(filled)]
    fields = _beside(draft, {draft.random.choice(TUBE_KEYS[:12]): rows, draft.random.choice(EMPTY_KEYS): empty})
    return ".json", _json(fields, draft.random), False


def _json_indices(draft: Draft) -> Text:
    """Tubes of indices into a list of colours."""
    words = list(dict.fromkeys(ball for tube in draft.tubes for ball in tube))
    if all(isinstance(word, int) for word in words):
        raise NotSo
    rows = [[words.index(ball) for ball in row] for row in draft.rows(pad=False)]
    return ".json", _json({"colors": words, draft.random.choice(TUBE_KEYS): rows}, draft.random), False


def _language(draft: Draft) -> Text:
    name = draft.random.choice(list(LANGUAGES))
    ending, write = LANGUAGES[name]
    pad = draft.padded
    if name in BARE:
        if not all(str(ball).replace("-", "_").isidentifier() for tube in draft.tubes for ball in tube):
            raise NotSo
        draft.room = draft.random.choice(["EMPTY", "NONE"])
    elif draft.room is None and not name.startswith("python"):
        raise NotSo
    return draft.random.choice([ending, ending, ".txt"]), write(draft.rows(pad), draft.random), pad and draft.partial


def _word_lines(draft: Draft) -> Text:
    room = draft.random.choice(["-", ".", "_", "empty", "x", "0"])
    if room == "0" and draft.palette == "from 0":
        raise NotSo
    pad = draft.padded
    between = draft.random.choice([" ", "  ", ", ", ",", "/", ";", "\t"])
    lines = [between.join(map(str, row)) or "-" for row in draft.rows(pad, room)]
    return ".txt", "\n".join(lines) + "\n", pad and draft.partial


def _letter_lines(draft: Draft) -> Text:
    if not draft.single:
        raise NotSo
    pad, room = draft.padded, draft.random.choice("._-")
    between = draft.random.choice(["\n", "\n", "\n", "|", " | ", ",", " ", "\n\n"])
    if between == "\n\n" and not pad:
        raise NotSo
    return ".txt", between.join("".join(row) or "-" for row in draft.rows(pad, room)) + "\n", pad and draft.partial


def _csv_rows(draft: Draft) -> Text:
    ending, between = draft.random.choice([(".csv", ","), (".csv", ";"), (".tsv", "\t"), (".txt", "\t")])
    room = draft.random.choice(["", "", "empty", "-", "NA"])
    lines = [between.join(map(str, row)) for row in draft.rows(True, room)]
    return ending, "\n".join(lines) + "\n", draft.partial


def _csv_columns(draft: Draft) -> Text:
    ending, between = draft.random.choice([(".csv", ","), (".csv", ";"), (".tsv", "\t")])
    room = draft.random.choice(["", "", "-"])
    head = [between.join(f"{draft.random.choice(['T'])}{at}" for at in range(1, len(draft.tubes) + 1))]
    lines = [between.join(map(str, row)) for row in draft.drawn(room)]
    return ending, "\n".join((head if draft.random.random() < 0.5 else []) + lines) + "\n", True


def _drawing(draft: Draft) -> Text:
    form, random = draft.random.choice(["dots", "bars", "cells", "emoji"]), draft.random
    if form == "dots":
        room = random.choice([".", "-", "_", "·"])
        width = max(len(str(ball)) for tube in draft.tubes for ball in tube)
        lines = [" ".join(str(cell).ljust(width) for cell in row).rstrip() for row in draft.drawn(room)]
        return ".txt", "\n".join(lines), True
    if form == "bars":
        if not draft.single or draft.palette in ("emoji", "hearts", "flags"):
            raise NotSo
        lines = [" ".join(f"|{cell}|" for cell in row) for row in draft.drawn(" ")]
        foot = random.choice([" ".join(["---"] * len(draft.tubes)), " ".join(["+-+"] * len(draft.tubes)),
                              " ".join(f" {at % 10} " for at in range(1, len(draft.tubes) + 1))])  # fmt: skip
        return ".txt", "\n".join([*lines, foot]), True
    if form == "emoji":
        if draft.palette != "emoji":
            raise NotSo
        between = random.choice(["", " "])
        return (".txt", "\n".join(between.join(row) for row in draft.drawn(random.choice("⬜⬛⚪"))), True)
    lines = ["| " + " | ".join(str(cell) or " " for cell in row) + " |" for row in draft.drawn("")]
    if random.random() < 0.5:
        head = "| " + " | ".join(f"T{at}" for at in range(1, len(draft.tubes) + 1)) + " |"
        lines[:0] = [head, "|" + "---|" * len(draft.tubes)]
    return random.choice([".md", ".txt"]), "\n".join(lines) + "\n", True


def _labelled(draft: Draft) -> Text:
    random = draft.random
    head = random.choice(["Tube {}: ", "{}. ", "{}) ", "Bottle {}: ", "{}: ", "T{} = ", "#{}: ", "- Tube {}: "])
    between = random.choice([", ", " ", ",", " | "]) if not head.startswith("#") else ", "
    first = random.choice([0, 1, 1])
    draft.said = draft.top and draft.says_top
    over = random.choice(["top to bottom:\n", "(top to bottom)\n"]) if draft.said else ""
    empty = random.choice(["", "-", "empty", "(empty)"])
    lines = [
        head.format(at) + (between.join(map(str, row)) or empty) for at, row in enumerate(draft.rows(False), first)
    ]
    return random.choice([".txt", ".md"]), over + "\n".join(lines) + "\n", False


def _bracket_lines(draft: Draft) -> Text:
    opening, closing = draft.random.choice(["[]", "[]", "()"])
    between = draft.random.choice([" ", ", ", ","])
    tubes = [opening + between.join(map(str, row)) + closing for row in draft.rows(False)]
    return ".txt", draft.random.choice(["\n", "\n", " ", ", "]).join(tubes) + "\n", False


def _numbers_first(draft: Draft) -> Text:
    filled = [tube for tube in draft.tubes if tube]
    if any(len(tube) < draft.capacity for tube in filled):
        raise NotSo
    draft.tubes = [*filled, *([] for _ in range(len(draft.tubes) - len(filled)))]
    rows = draft.rows(False)[: len(filled)]
    lines = "".join(" ".join(map(str, row)) + "\n" for row in rows)
    return ".txt", f"{len(draft.tubes)} {draft.capacity}\n{lines}", False


def _settings(draft: Draft) -> Text:
    if not draft.single:
        raise NotSo
    sign = draft.random.choice([": ", " = ", " "])
    lines = ["".join(row) or "-" for row in draft.rows(False)]
    return ".txt", f"capacity{sign}{draft.capacity}\n" + "\n".join(lines) + "\n", False


def _plain_in_yaml(word: Any) -> str:
    return (
        json.dumps(word, ensure_ascii=False) if isinstance(word, str) and (len(word) == 1 or "#" in word) else str(word)
    )


def _yaml(draft: Draft) -> Text:
    random = draft.random
    key, rows = random.choice(TUBE_KEYS), draft.rows(False)
    form = random.choice(["flow", "block", "unity", "bare"])
    over = f"{random.choice(CAPACITY_KEYS)}: {draft.capacity}\n" if random.random() < 0.5 else ""
    flow = ["[" + ", ".join(map(_plain_in_yaml, row)) + "]" for row in rows]
    if form == "flow":
        return random.choice([".yaml", ".yml"]), over + f"{key}:\n" + "".join(f"  - {line}\n" for line in flow), False
    if form == "bare":
        return ".yaml", "".join(f"- {line}\n" for line in flow), False
    block = [
        "".join(
            f"{mark} {_plain_in_yaml(ball)}\n"
            for mark, ball in zip(["  - -"] + ["    -"] * len(row), row, strict=False)
        )
        or "  - []\n"
        for row in rows
    ]
    if form == "block":
        return ".yaml", over + f"{key}:\n" + "".join(block), False
    if draft.palette not in ("from 0", "from 1"):
        raise NotSo
    head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Level3\n"
    ball_key = random.choice(BALL_KEYS)
    tubes = [
        "  - " + f"{ball_key}:" + (" []\n" if not row else "\n" + "".join(f"    - {ball}\n" for ball in row))
        for row in rows
    ]
    return ".asset", head + f"  {key}:\n" + "".join(tubes), False


def _toml(draft: Draft) -> Text:
    key, random = draft.random.choice(TUBE_KEYS), draft.random
    over = f"{random.choice(CAPACITY_KEYS)} = {draft.capacity}\n" if random.random() < 0.5 else ""
    lines = [json.dumps(row, ensure_ascii=False) for row in draft.rows(False)]
    table = random.choice(["", "", "[level]\n", "[[levels]]\n"])
    return ".toml", table + over + f"{key} = [\n" + "".join(f"  {line},\n" for line in lines) + "]\n", False


def _printed(draft: Draft) -> Text:
    """Values as numpy, pandas, R and deques print them."""
    random = draft.random
    form = random.choice(["numpy", "array", "pandas", "R", "deque", "tube"])
    if form in ("deque", "tube"):
        rows = [repr(row) for row in draft.rows(False)]
        made = [f"deque({row})" if form == "deque" else f"Tube(capacity={draft.capacity}, balls={row})" for row in rows]
        return ".txt", "[" + ", ".join(made) + "]\n", False
    if form == "pandas":
        cells = [[str(cell) for cell in row] for row in draft.drawn("NaN")]
        head = ["", *(f"t{at}" for at in range(1, len(draft.tubes) + 1))]
        table = [head, *([str(at), *row] for at, row in enumerate(cells))]
        widths = [max(len(row[at]) for row in table) for at in range(len(head))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
        return ".txt", "\n".join(lines) + "\n", True
    if draft.palette != "from 1":
        raise NotSo
    rows_ = draft.rows(True, random.choice([0, -1]))
    if form == "R":
        head = "     " + " ".join(f"[,{at}]" for at in range(1, draft.capacity + 1)) + "\n"
        lines = [f"[{at},] " + " ".join(f"{cell:4}" for cell in row) + "\n" for at, row in enumerate(rows_, 1)]
        return ".txt", head + "".join(lines), draft.partial
    body = ",\n       ".join(str(row) for row in rows_)
    text = f"array([{body}])" if form == "array" else f"[{body}]".replace(",", "")
    return random.choice([".py", ".txt"]), text, draft.partial


SPELLINGS: dict[str, tuple[int, Callable[[Draft], Text]]] = {  # how often, and the writer
    "JSON list": (3, _json_list),
    "JSON object": (4, _json_object),
    "JSON in wrappers": (3, _json_nested),
    "JSON tubes as objects": (2, _json_tube_objects),
    "JSON balls as objects": (1, _json_ball_objects),
    "JSON map of tubes": (2, _json_map),
    "JSON strings": (2, _json_strings),
    "JSON joined strings": (1, _json_joined),
    "one text with marks of two kinds": (2, _one_text),
    "one list, to be cut": (1, _one_list),
    "JSON with a count of empty tubes": (1, _json_counted),
    "JSON indices into colours": (1, _json_indices),
    "programming languages": (8, _language),
    "lines of words": (3, _word_lines),
    "lines of letters": (3, _letter_lines),
    "CSV, tubes in rows": (2, _csv_rows),
    "CSV, tubes in columns": (2, _csv_columns),
    "drawings and tables": (3, _drawing),
    "labelled lines": (2, _labelled),
    "lines in brackets": (2, _bracket_lines),
    "numbers first": (1, _numbers_first),
    "settings first": (1, _settings),
    "YAML and .asset": (3, _yaml),
    "TOML": (1, _toml),
    "printed values": (2, _printed),
}
PACK = "packs"


def _pack(draft: Draft, others: list[Tubes]) -> Text:
    """Several boards, written alike."""
    random, all_ = draft.random, [draft.tubes, *others]
    form = random.choice(["levels", "list", "map", "objects", "jsonl", "lines", "blank lines", "yaml documents"])
    first = draft.tubes
    shown = draft.padded and any(0 < len(tube) < draft.capacity for tubes in all_ for tube in tubes)
    if form in ("lines", "blank lines"):
        if not draft.single:
            raise NotSo
        strings = []
        for draft.tubes in all_:
            strings.append(["".join(row) or "-" for row in draft.rows(False)])
        draft.tubes = first
        inner, outer = ("|", "\n") if form == "lines" else ("\n", "\n\n")
        return ".txt", outer.join(inner.join(each) for each in strings) + "\n", False
    values = []
    for draft.tubes in all_:
        values.append(draft.rows())
    draft.tubes, key = first, random.choice(TUBE_KEYS)
    if form == "jsonl":
        if draft.top and key == "tubes":
            raise NotSo
        whole = [value if key < "m" else {key: value, "capacity": draft.capacity} for value in values]
        return ".jsonl", "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in whole), shown
    if form == "yaml documents":
        return ".yaml", "".join(f"---\n{key}: {json.dumps(value)}\n" for value in values), shown
    value = {
        "levels": {
            random.choice(["levels", "puzzles", "stages"]): [{"id": at, key: each} for at, each in enumerate(values, 1)]
        },
        "list": values,
        "map": {f"{random.choice(['level', ''])}{at}": each for at, each in enumerate(values, 1)},
        "objects": [{key: each} for each in values],
    }[form]
    return ".json", _json(value, random), shown


# -- noise -----------------------------------------------------------------------------------------------

MARKS = {"//": "json js ts c cpp cs java kt swift rs go dart php", "--": "lua hs", "%": "pl", ";": "lisp",
         "#": "py rb gd ex yaml yml toml txt"}  # fmt: skip
COMMENTS = {f".{ending}": mark for mark, endings in MARKS.items() for ending in endings.split()}
NOISE = ["CRLF", "byte order mark", "spaces", "blank first", "comment", "tail", "trailing comma", "UTF-16", "fence",
         "single quotes", "quoted mail", "indent", "lost ball", "lost bracket", "rule"]  # fmt: skip


def _noisy(case: Case, text: str, noise: str, single: bool, random: Random) -> str:
    """The text with some noise, as long as it stays a text of its kind."""
    is_json = case.ending == ".json"
    bracketed = text.lstrip()[:1] in ("[", "{")
    if noise == "CRLF":
        return text.replace("\n", "\r\n")
    if noise == "spaces" and case.ending not in (".tsv", ".csv") and "\t" not in text and "\r" not in text:
        return "\n".join(line + " " * random.randint(0, 2) for line in text.split("\n"))
    if noise == "blank first" and case.ending != ".asset":
        return "\n" * random.randint(1, 2) + text
    if noise == "comment" and case.ending in COMMENTS and case.family != "labelled lines":
        return f"{COMMENTS[case.ending]} level 3\n{text}"
    if noise == "tail":
        return text + random.choice(["\n", "\n\n", " "])
    if noise == "trailing comma" and is_json and bracketed:
        body = text.rstrip()
        return body[:-1].rstrip() + "," + body[-1]
    if noise == "single quotes" and is_json:
        return text.replace('"', "'")
    if noise == "fence" and case.ending in (".json", ".py", ".txt", ".js") and case.family != "labelled lines":
        body = text.rstrip("\n")  # tabs at the end are cells
        return f"```{case.ending[1:]}\n{body}\n```\n"
    if noise == "quoted mail" and case.family in ("lines of letters", "lines of words", "labelled lines"):
        return "".join(f"> {line}\n" for line in text.rstrip("\n").split("\n"))
    if noise == "indent" and case.ending in (".json", ".py", ".js", ".txt") and "drawing" not in case.family:
        return "\n".join("    " + line if line.strip() else line for line in text.split("\n"))
    if noise == "lost ball" and single and case.family in ("lines of letters", "JSON strings"):
        balls = {ball for tubes in case.boards for tube in tubes for ball in tube}
        places = [at for at, character in enumerate(text) if character in balls]
        if places:
            at = random.choice(places)
            case.damaged = True
            return text[:at] + text[at + 1 :]
    if noise == "lost bracket" and is_json:
        places = [at for at, character in enumerate(text) if character in "[]{}"]
        at = random.choice(places)
        case.damaged = True
        return text[:at] + text[at + 1 :]
    if noise == "rule" and is_json and case.family == "JSON object" and text.startswith("{"):
        case.rule = True
        return text.replace("{", "{" + random.choice(RULES) + ", ", 1)
    return text


def meant(random: Random) -> Case:
    """A text in a spelling chosen at random, and what it means."""
    names = [*SPELLINGS, PACK]
    while True:
        family = random.choices(names, [*(often for often, _ in SPELLINGS.values()), 3])[0]
        numbers, capacity = _board(random)
        palette = random.choice(list(PALETTES))
        words = PALETTES[palette]
        tubes = [[words[colour] for colour in tube] for tube in numbers]
        room = random.choice([word for word in ROOM if word not in words or (word == 0 and palette != "from 0")])
        if room == 0 and palette == "from 0":
            continue
        draft = Draft(
            random, tubes, capacity, palette, random.random() < 0.3, random.random() < 0.5, room, random.random() < 0.4
        )
        others: list[Tubes] = []
        try:
            if family == PACK:
                others = [_board(random, capacity)[0] for _ in range(random.randint(1, 3))]
                others = [[[words[colour] for colour in tube] for tube in each] for each in others]
                ending, text, shown = _pack(draft, others)
            else:
                ending, text, shown = SPELLINGS[family][1](draft)
        except NotSo:
            continue
        boards = [draft.tubes, *others]
        drawn = family in ("CSV, tubes in columns", "drawings and tables") or "NaN" in text
        marks = [palette, *(["top first"] if draft.top else []), *([f"room {room!r}"] if draft.padded else [])]
        case = Case(
            family,
            ending,
            b"",
            boards,
            [capacity] * len(boards),
            shown or drawn or draft.said or not draft.top,
            marks=marks,
        )
        noises = random.sample(NOISE, random.choice([0, 0, 1, 1, 2]))
        for noise in noises:
            before, text = text, _noisy(case, text, noise, draft.single, random)
            if text != before:
                marks.append(noise)
        encoding = random.choice(["utf-16", "utf-16-le", "utf-16-be"]) if "UTF-16" in noises else "utf-8"
        mark = "\ufeff" if encoding != "utf-16" and ("byte order mark" in noises or encoding.endswith("e")) else ""
        case.data = (mark + text).encode(encoding)
        if encoding != "utf-8" or mark:
            marks.append(f"{encoding} with a byte order mark")
        return case


# -- what became of it -----------------------------------------------------------------------------------

RIGHT, ASKED, REFUSED, OTHER_END, WRONG = "right", "asked", "refused", "other end named", "wrong"
RULE_DROPPED, NOT_OFFERED, CHOICE_FAILS = "rule dropped", "not offered", "a choice gives another board"
FAULTS = (WRONG, RULE_DROPPED, NOT_OFFERED, CHOICE_FAILS)


def outcome(case: Case, folder: Path) -> tuple[str, str]:
    """What becomes of a case that is read from a file, and what the reader says."""
    path = folder / f"case{case.ending}"
    path.write_bytes(case.data)
    wanted = [canonical(tubes) for tubes in case.boards]
    try:
        found = load_instances(path)
    except AmbiguousBoard as error:
        offered = [[canonical(each.puzzle.to_json()["tubes"]) for each in reading.boards] for reading in error.readings]
        turned = [[[tube[::-1] for tube in tubes] for tubes in boards] for boards in offered]
        if not case.end_shown:
            offered += [[canonical(tubes) for tubes in boards] for boards in turned]
        for reading in error.readings:
            try:
                picked = load_instances(path, choices=reading.choices)
            except BoardError as refusal:
                return CHOICE_FAILS, f"{error}: {reading.option!r} gives: {refusal}"
            if [each.puzzle for each in picked] != [each.puzzle for each in reading.boards]:
                return CHOICE_FAILS, f"{error}: {reading.option!r} gives: {picked[0].read_as}"
        if wanted in offered or case.damaged:
            return ASKED, str(error)
        return NOT_OFFERED, f"{error} {[reading.words for reading in error.readings]}"
    except BoardError as error:
        return REFUSED, str(error)
    said = found[0].read_as
    fields = [instance.puzzle.to_json() for instance in found]
    capacities = [each["capacity"] for each in fields]
    if [canonical(each["tubes"]) for each in fields] == wanted and case.capacities in (None, capacities):
        return (RULE_DROPPED, said) if case.rule else (RIGHT, said)
    others = [(instance.other_end or instance).puzzle for instance in found]  # some are the same turned round
    if not case.end_shown and [canonical(each.to_json()["tubes"]) for each in others] == wanted:
        return OTHER_END, said
    return WRONG, f"{said} {[each['tubes'] for each in fields]}"[:400]


def ways() -> list[tuple[str, str, Case]]:
    """Ways in which public programs store levels, each written anew: its name, whether it must be read, and the case.

    ``read``: right is the only good outcome; ``ask``: the reader can't know; ``either``: right, or a refusal.
    """
    found = []
    path = Path(__file__).parents[1] / "data" / "ways.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        way = json.loads(line)
        data = way["text"].encode(way["encoding"])
        shown = not way.get("top_unknown", False)
        found.append((way["name"], way["must"], Case(way["name"], way["ext"], data, way["boards"], None, shown)))
    return found
