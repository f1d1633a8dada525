"""Values as programs write and print them: Python and its relatives, and numpy. They are parsed, never evaluated.

Lists have any brackets, with or without commas: ``[[1, 2], (3, 4)]``, ``{{1, 2}, {3, 4}}``, printed arrays. A name
before parentheses makes a list of what they hold, or is passed over if that is a list: ``Tube.of(RED, BLUE)``,
``np.array([[1, 2]])``. Other names are strings, from their last dot on (``Color.RED``); None is None. A value may be
assigned to a name, and values side by side are a list.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from bsp_sat.instances.errors import BoardError, NotJson
from bsp_sat.instances.text.reading import MAX_DEPTH, MAX_NAME, TOO_DEEP
from bsp_sat.instances.text.words import short

NOTHING = {"None", "null", "nil", "nan", "NaN", "undefined"}
CLOSING = {"[": "]", "(": ")", "{": "}"}
OF_ARRAYS = {"dtype"}
"""Named arguments that say nothing about the board."""

_TOKEN = re.compile(
    r"""(?P<between>\s+|\#[^\n]*)
    |(?P<string>"[^"\\\n\ud800-\udfff]*"|'[^'\\\n\ud800-\udfff]*')  # without lone surrogates, which can't be encoded
    |(?P<number>[+-]?[0-9]+(?:\.0*)?(?![\w.]))
    |(?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    |(?P<mark>[\[\](){},;:=])""",
    re.VERBOSE,
)
_START = re.compile(r"\s*([\[({]|[^\W\d][\w.\[\], :]{0,80}[=:(]\s*($|[\[({]|[^\W\d][\w.]{0,80}[(=]))")


@dataclass
class _Part:
    """What has been read since an opening bracket (none for the whole text), which may be called by a name.

    ``key`` is the name of the value that comes next, and ``comma`` says whether a comma came last.
    """

    bracket: str = ""
    called: bool = False
    items: list[Any] = field(default_factory=list)
    fields: dict[Any, Any] = field(default_factory=dict)
    key: int | str | None = None
    comma: bool = False

    def add(self, value: Any) -> None:
        if self.key is None:
            self.items.append(value)
        else:
            self.fields[self.key] = value
        self.key, self.comma = None, False

    def mark(self, mark: str) -> bool:
        """Takes a comma, or makes a name of what stands before ``:`` or ``=``; whether the mark may stand here."""
        if self.key is not None or self.comma:
            return mark == ";"
        if mark in ",;":
            self.comma = bool(self.items or self.fields)
            return self.comma
        if mark == "=" and not self.bracket:  # types may stand around the name: int[][] tubes = …, tubes: list = …
            words = [item for item in self.items if isinstance(item, str)] or [*self.fields][-1:]
            self.fields.pop(words[-1] if words else None, None)
            self.items = words
        if self.items and isinstance(self.items[-1], str | int):
            self.key = self.items.pop()
        self.items = [] if mark == "=" and not self.bracket else self.items
        return self.key is not None and self.key not in self.fields

    def value(self) -> Any:
        if self.fields and not self.items:
            return self.fields
        single = len(self.items) == 1
        if self.called or not self.bracket:
            return self.items[0] if single and isinstance(self.items[0], list | dict) else self.items
        return self.items[0] if single and self.bracket == "(" and not self.comma else self.items


def is_literal(text: str) -> bool:
    """Whether the first line that is no comment begins like a value: with a bracket, perhaps after a name."""
    lines = (line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#"))
    return _START.match(next(lines, "")) is not None


def read_literal(text: str) -> Any:
    """The value that a text spells: lists, objects, strings, whole numbers and None. Takes linear time.

    Raises:
        NotJson: it spells none, naming line and column.
        BoardError: it is nested too deeply.
    """
    parts, place, called = [_Part()], 0, False
    while found := _TOKEN.match(text, place):
        kind, token, part = found.lastgroup, found[0], parts[-1]
        if token in CLOSING:
            parts.append(_Part(token, called))
            if len(parts) > MAX_DEPTH + 1:
                raise BoardError("", TOO_DEEP)
        elif token == CLOSING.get(part.bracket) and _is_whole(part):
            parts.pop()
            parts[-1].add(part.value())
        elif kind == "mark":
            if token in "])}" or not part.mark(token):
                break
        elif kind != "between" and not text.startswith("(", found.end()):
            part.add(_scalar(kind, token))
        called = kind == "name" and text.startswith("(", found.end())
        place = found.end()
    part = parts[-1]
    if place < len(text) or part.bracket or not _is_whole(part):
        needed = "a value" + (f" or {CLOSING[part.bracket]}" if part.bracket and part.key is None else "")
        met = repr(short(text[place:].split(maxsplit=1)[0], 20)) if text[place:].strip() else "the end"
        raise NotJson(text, place, f"not JSON, nor a list of another language: expected {needed}, found {met}")
    if (len(part.fields) > 1 and "tubes" not in part.fields) or (part.items[1:] and dict in map(type, part.items)):
        raise NotJson(text, 0, "expected one board, found several values")
    return next(iter(part.fields.values())) if len(part.fields) == 1 else part.value()


def _is_whole(part: _Part) -> bool:
    return part.key is None and (not part.items or part.fields.keys() <= OF_ARRAYS)


def _scalar(kind: str | None, token: str) -> int | str | None:
    if kind == "number" and len(token) <= MAX_NAME:
        return int(token.partition(".")[0])
    if kind == "name":
        return None if token in NOTHING else token.rpartition(".")[2]
    return token.strip(token[0]) if kind == "string" else token
