"""Values as programs of any language write and print them: lists, objects, words and numbers. Nothing is evaluated.

One tolerant reader for JSON with comments, JavaScript, Python, C and its relatives, Java, Kotlin, Rust, Go, Lua,
Haskell, OCaml, Prolog, Lisp, R, MATLAB, and what they print. Brackets of any kind hold values, with or without commas;
``:``, ``=``, ``=>`` and their relatives name the value that follows. What is called (``Tube.of(…)``), declared
(``int[][] tubes = …``) or constructed (``new int[] {…}``) doesn't matter. Semicolons between several values separate
rows, between single ones values. Comments of all these languages are passed over.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from bsp_sat.instances.errors import BoardError, NotJson
from bsp_sat.instances.text.reading import MAX_DEPTH, MAX_NAME, TOO_DEEP, is_whole
from bsp_sat.instances.text.values import Item, Pair, Word
from bsp_sat.instances.text.words import short

CLOSING = {"[": "]", "(": ")", "{": "}"}
_NULL = ("null", "None", "nil", "undefined", "Nothing", "NULL", "nullptr", "NA", "nan", "NaN")
CONSTANTS = {**dict.fromkeys(_NULL), "true": True, "True": True, "false": False, "False": False}
KEYWORDS = re.compile(
    "new|const|let|var|val|final|public|static|private|protected|internal|readonly|return|mut|auto|export|default|"
    "local|enum|struct|pub|def|my|our|unsigned|constexpr|inline"
)
MAX_WORD = 10 * MAX_NAME

_TOKEN = re.compile(
    r"""(?P<between>(?<=[\])}])[ ]?\b(?:as|satisfies)[ ][\w.]{1,40}(?:\[\])*        # of TypeScript
      |[ \t\r\n\f\v\ufeff]+
      |/\*(?:[^*]|\*(?!/))*+\*/                                    # comments, the possessive way; two with a limit,
      |\{-(?:[^-]|-(?!\})){0,400}+-\}|--\[\[(?:[^\]]|\](?!\])){0,400}+\]\]      # as they may begin something else
      |(?<![:\w])//[^\n]*|(?<![^\s,;\]})])--[ \t][^\n]*|\#(?![0-9a-fA-F]{3,8}\b)[^\n]*|(?<!\S)%(?![\[{w])[^\n]*
      |(?<=\w)\(\)\s?\.\w{1,20}[ ]?(?=[({\[])                             # Bottle().apply {, new Tube().fill(
      |(?<=[\])}]\s)::[ ][^\n={}]{1,60}(?=\n|$)|(?<=\[)\||\|(?=\])          # types of Haskell, [| of F#
      |(?<=[\w>\]])[*&]+|(?<!\S)[*&@$\\]+(?=[\w\[({])|(?<![\w'])'(?=\()|[@$](?=\w)|(?<![^\s\[({,]):(?=[A-Za-z])
      |%[wi]?(?=[\[({])|<\?php\b|\.(?=\s|$)
      |(?<=[\])}"'])\.\w{1,20}(?:\(\)|(?![\w(]))                                   # .to_string(), .freeze
      |(?<=[\w>:])<[^<>()\[\]{}"'\n]{0,80}  # generic types, three deep
      (?:<[^<>()\[\]{}"'\n]{0,80}(?:<[^<>()\[\]{}"'\n]{0,80}>[^<>()\[\]{}"'\n]{0,80})?>[^<>()\[\]{}"'\n]{0,80})?>
      |\bnew\b[ \t]*(?:[\w.]{1,60}[ \t]?)?(?:<[\w<>, ]{0,60}>)?(?:\[[\d, ]{0,8}\]){0,4}
      (?:\(\)(?=\s{0,9}\{)|(?=\s{0,9}[({]))
      |(?<![^\s\[({,=])(?:\.(?=[^\W\d])|<[\w<>, ?]{1,80}>(?=\s?[\[{])|[A-Z]\w{0,40}(?=\[\]\s?[\],)]))  # Swift, …
      |(?:\[\d{0,4}\]){1,4}\*?[A-Za-z][\w.]{0,60}[ \t]?(?=\{)                      # []int{
      |(?<=\w)(?:\[[\d, ]{0,8}\]){1,4}(?=\s{0,3}(?:=|[A-Za-z_]))                # tubes[5][4] =
      |(?<!\w)(?:import|using|package|from|\#include)\b[^\n\[({]{0,200}\n)
    |(?P<string>"(?:[^"\\\n\ud800-\udfff]|\\.)*+"|'(?:[^'\\\n\ud800-\udfff]|\\.)*+'|`[^`]*+`)
    |(?P<open>[\[({])
    |(?P<close>[\])}])
    |(?P<name_of>=>|:=|<-|->|::(?!\w)|=(?!=)|:(?!:))
    |(?P<comma>[,;])
    |(?P<colour>\#[0-9a-fA-F]{3,8}\b)
    |(?P<number>[+-]?\d{1,400}(?:\.\d*)?(?![\w.]))
    |(?P<word>[^\W\d][\w]*(?:(?:\.|::|-)[^\W\d]\w*)*[!?]?|[\w]+)
    |(?P<sign>\.\.\.|[-_.·*~?•]{1,8}|[^\x00-\x7f\ud800-\udfff]+)""",
    re.VERBOSE,
)


_CALLED = re.compile(r"(?:<[^<>()\n]{0,80}>)?\(")


@dataclass
class _Part:
    """What has been read since an opening bracket; none for the whole text.

    ``key`` is the name of the value that comes next; ``comma`` says whether a comma came last.
    """

    bracket: str = ""
    line: int = 1
    items: list[Item] = field(default_factory=list)
    key: str | None = None
    comma: bool = False
    rows: list[int] = field(default_factory=list)

    def add(self, line: int, value: Any) -> None:
        self.items.append(Item(line, value if self.key is None else Pair(self.key, value)))
        self.key, self.comma = None, False

    def name(self, line: int) -> bool:
        """Makes a name of what stands before ``:`` or ``=``; whether something may."""
        if self.key is not None or not self.items:
            return self.bracket != "" and self.key is None  # a symbol, such as :red
        last = self.items.pop().value
        if not self.bracket:  # types may stand around the name: int[][] tubes = …, tubes: list[str] = …
            while self.items and self.items[-1].line == line and not isinstance(last, Pair):
                item = self.items[-1].value
                if isinstance(item, list | Word | Pair) and not isinstance(last, Word):
                    last = item
                elif not isinstance(item, Word):
                    break
                self.items.pop()
        key = last.key if isinstance(last, Pair) else last
        if isinstance(key, list) and len(key) == 1:
            key = key[0]  # ["tubes"] = …, of Lua
        if not isinstance(key, str | int):
            return False
        self.key = str(key)
        return True

    def value(self) -> Any:
        values = [item.value for item in self.items]
        rows = [values[start:end] for start, end in zip([0, *self.rows], [*self.rows, len(values)], strict=True)]
        if self.rows and any(len(row) > 1 for row in rows):
            return [row for row in rows if row]
        fields = dict(value for value in values if isinstance(value, Pair))
        others = [value for value in values if not isinstance(value, Pair)]
        if fields and others:
            fields.setdefault("values", others[0] if len(others) == 1 and isinstance(others[0], list) else others)
        return fields or others

    def repeats_a_key(self) -> bool:
        keys = [item.value.key for item in self.items if isinstance(item.value, Pair)]
        return len(set(keys)) < len(keys)


def read_brackets(text: str) -> list[Item]:
    """The values and named values of a text, in linear time; NotJson names a place, BoardError deep nesting."""
    parts, place, line = [_Part()], 0, 1
    while found := _TOKEN.match(text, place):
        kind, token, part = found.lastgroup, found[0], parts[-1]
        too_long = len(token) > MAX_WORD and kind != "between"
        if kind == "open":
            parts.append(_Part(token, line))
            if len(parts) > MAX_DEPTH + 1:
                raise BoardError("", TOO_DEEP)
        elif kind == "close":
            if token != CLOSING.get(part.bracket) or part.key is not None or part.repeats_a_key():
                break
            parts.pop()
            parts[-1].add(part.line, part.value())
        elif kind == "comma":
            if (part.comma or part.key is not None or not part.items) and token == ",":
                break
            if token == ";" and part.bracket:
                part.rows.append(len(part.items))
            part.comma = token == ","
        elif kind == "name_of":
            if not part.name(line):
                break
        elif token == "..." or too_long or (found.group("sign") == "." and text[place - 1 : place] in tuple(")]}\"'")):
            break
        elif kind == "word":
            # What is called, indexed as a macro, or begins a structure is passed over.
            called = _CALLED.match(text, found.end()) or (token[-1] == "!" and text.startswith("[", found.end()))
            structure = token[:1].isupper() and text[found.end() : found.end() + 2].lstrip(" ").startswith("{")
            if not (called or structure or KEYWORDS.fullmatch(token)):
                part.add(line, _word(token))
        elif kind != "between":
            part.add(line, _scalar(kind, token))
        line += token.count("\n")
        place = found.end()
    part = parts[-1]
    if place < len(text) or part.bracket:
        needed = "a value" + (f" or {CLOSING[part.bracket]}" if part.bracket and part.key is None else "")
        met = repr(short(text[place:].split(maxsplit=1)[0], 20)) if text[place:].strip() else "the end"
        raise NotJson(text, place, f"not JSON, nor a list of another language: expected {needed}, found {met}")
    return part.items


def _word(token: str) -> Any:
    if token in CONSTANTS:
        return CONSTANTS[token]
    return Word(re.split(r"\.|::", token)[-1]) if len(token) <= MAX_WORD else Word(token[:MAX_WORD])


def _scalar(kind: str | None, token: str) -> Any:
    if kind == "number" and len(token) <= MAX_NAME:
        whole, _, rest = token.partition(".")
        return int(whole) if not rest.strip("0") else Word(token)
    if kind == "string":
        inside = token[1:-1] if token[0] == '"' else token[1:-1].replace("\\'", "'").replace('"', '\\"')
        try:
            text = str(json.loads(f'"{inside}"'))
        except ValueError:
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        if not is_whole(text):
            raise BoardError("", f"expected whole characters, found half of one in {short(token)}")
        return text
    return Word(token)
