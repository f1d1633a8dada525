"""What a text holds: its values, whatever language it is written in, each with its line.

The plain readers come first: JSON, then JSON Lines. YAML and TOML are read by libraries, imported for a text that looks
like one; programs and what they print by `bsp_sat.instances.text.brackets`.
"""

import json
import re
from typing import Any, NamedTuple

from bsp_sat.instances.errors import BoardError, NotJson
from bsp_sat.instances.optional import need
from bsp_sat.instances.text.brackets import read_brackets
from bsp_sat.instances.text.reading import MAX_DEPTH, TOO_DEEP, check_number, parse_json
from bsp_sat.instances.text.values import Item, Pair

MAX_YAML = 1_000_000
"""Characters of a YAML text: its library takes 20 s for as many where it isn't compiled."""

_TOML = re.compile(r"^[\w.-]+[ \t]*=[ \t]*\[[ \t]*$|^\[\[?[A-Za-z][\w.-]*\]\]?[ \t]*$", re.MULTILINE)
_YAML_KEY = re.compile(r"^[ \t]*(?:-[ ]+)?[\w\"'][\w \"'-]{0,60}:(?:[ \t]|$)", re.MULTILINE)
_YAML_NESTED = re.compile(r"(?:(?:- |  )- [^\s-]\S*\n|- \[[^\n]*\]\n)+")
_YAML_LIST = re.compile(r"^[ \t]*-(?:[ \t]|$)", re.MULTILINE)
COLOUR = re.compile(r"(?<![^\s\[,])#(?:[0-9a-fA-F]{3,4}){1,2}(?=[\s\],]|$)")
"""A colour by its parts of red, green and blue."""
_YAML_NOT = re.compile(r"^%.*$|^--- !u!.*$", re.MULTILINE)
"""What Unity adds to YAML."""


_LITERAL = re.compile(r"\s*[^\W\d][\w.]{0,80}(?:[\w.\[\], :]{0,80}[=:])?\s*[\[({]")
"""A value after a name, as in ``tubes = [``."""


class Document(NamedTuple):
    """The values and named values of a text side by side; its syntax is json, lines (of it), yaml, toml or brackets."""

    syntax: str
    items: list[Item]

    def value(self) -> Any:
        """The only value, or a list of all, without their names."""
        values = [item.value.value if isinstance(item.value, Pair) else item.value for item in self.items]
        return values[0] if len(values) == 1 else values


def read_document(text: str) -> Document | None:
    """The values of a text; None if it can only be lines of words or letters.

    Raises NotJson if it begins like a value and is none, with the error of the reader that came further, and BoardError
    if it is nested too deeply, or has a key twice.
    """
    problem: NotJson | None = None
    begins = text.lstrip("\ufeff \t\r\n")[:1]
    looks_like_it = begins in ("{", "[", "(") or _LITERAL.match(text) is not None
    if begins in ("{", "[", '"'):
        try:
            return Document("json", [Item(1, parse_json(text))])
        except NotJson as error:
            problem = error
        if lines := json_lines(text):
            return Document("lines", lines)
    if (document := _document_of_library(text)) is not None:
        return document
    try:
        items = read_brackets(text)
    except NotJson as error:
        if not looks_like_it:
            return None
        raise (error if problem is None or error.place > problem.place else problem) from None
    values = [item.value.value if isinstance(item.value, Pair) else item.value for item in items]
    return Document("brackets", items) if any(isinstance(value, list | dict) for value in values) else None


def json_lines(text: str) -> list[Item]:
    """The values of lines that are JSON each; none if the first isn't."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    try:
        json.loads(lines[0][1])
    except (RecursionError, ValueError):
        return []
    if len(lines) < 2 or lines[0][1].lstrip()[:1] not in ("{", "["):
        return []
    check_number(len(lines))
    items = []
    for number, line in lines:
        try:
            items.append(Item(number, parse_json(line, number)))
        except NotJson:
            if lines[0][1].lstrip().startswith("["):
                return []
            raise
        except BoardError as error:
            raise error.within(f"line {number}") from None
    return items


def _document_of_library(text: str) -> Document | None:
    """The value of a text in TOML or YAML; None if it looks like neither."""
    if _TOML.search(text):
        import tomllib

        try:
            return Document("toml", [Item(1, tomllib.loads(text))])
        except (ValueError, RecursionError):
            return None
    several = text.lstrip().partition("\n")[0].rstrip() == "---"
    listed = several or (_YAML_LIST.search(text) and text.lstrip()[:1] not in ("[", "{"))
    if _YAML_NESTED.fullmatch(text.strip() + "\n") or (_YAML_KEY.search(text) and listed):
        value = _yaml(text)
        return Document("yaml", [Item(1, value)]) if isinstance(value, list | dict) else None
    return None


def _yaml(text: str) -> Any:
    """The value of a YAML text; None if it is none. Raises Unsupported if the library isn't installed."""
    if len(text) > MAX_YAML:
        raise BoardError("", f"expected at most {MAX_YAML:,} characters of YAML, found {len(text):,}")
    if _may_be_deep(text):
        raise BoardError("", TOO_DEEP)
    need("yaml", "reading YAML")
    import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if "<<" in text and any(isinstance(each, yaml.AliasEvent) for each in yaml.parse(text, loader)):
            raise BoardError("", "expected YAML without merge keys, found <<")  # the library copies each
        # A colour would begin a comment there.
        documents = [*yaml.load_all(COLOUR.sub(r'"\g<0>"', _YAML_NOT.sub("", text)), loader)]
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return None
    value = documents[0] if len(documents) == 1 else documents
    if "*" in text:
        _check_aliases(value)
    return json.loads(json.dumps(value, default=str, skipkeys=True))  # keys are texts, dates too


def _check_aliases(value: Any) -> None:
    """Refuses values that grow without bounds: an alias may stand for a list of aliases, and so on, or hold itself."""
    level, seen = [value], 0
    for _ in range(MAX_DEPTH + 1):
        parts = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        seen += sum(map(len, parts))
        if seen > MAX_YAML:
            raise BoardError("", f"expected at most {MAX_YAML:,} values, as often as aliases (*) name them")
        level = [each for part in parts for each in part]
    if level:
        raise BoardError("", TOO_DEEP)


def _may_be_deep(text: str) -> bool:
    """Whether a YAML text may be nested more than `MAX_DEPTH` deep: by brackets, or by columns and dashes."""
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            return True
    return any(len(line) - len(line.lstrip(" -?")) > 2 * MAX_DEPTH for line in text.split("\n"))
