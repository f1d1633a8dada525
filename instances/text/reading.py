"""Reads files as text, text as JSON, and the fields of boards from JSON.

Endless input and bottomless nesting are refused before memory is full. It reads:

* **files**, up to `MAX_BYTES`;
* **pipes**, up to the same size: ``bsp-sat show <(command)`` passes one as ``/dev/fd/63``. A pipe without a writer is
  refused after `WRITER_SECONDS`. With a writer it waits, as any program would: a slow writer can't be told from a
  silent one, and Ctrl-C works;
* **standard input**, as ``-`` or ``/dev/stdin``, whatever it is, up to the same size;
* no other **devices**: ``/dev/zero`` has no end, and reading others has side effects.
"""

import json
import os
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from operator import length_hint
from pathlib import Path
from types import NoneType, UnionType
from typing import IO, Annotated, Any, Literal, Self, Union, get_args, get_origin, get_type_hints

from bsp_sat.instances.errors import BoardError, NotJson
from bsp_sat.instances.text.words import short

MAX_BYTES = 100_000_000  # text and objects take several times as much memory
MAX_BOARDS = 100_000  # of one text; each takes some 10 kB while it is read
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The marks with which texts in UTF-16 begin."""
MAX_DEPTH = 100  # nested lists and objects; code that walks them may recurse
WRITER_SECONDS = 3.0
STANDARD_INPUT = ("-", "/dev/stdin")
CHUNK = 1 << 16


def in_words(name: str) -> str:
    """The name of a source in messages."""
    return "standard input" if name in STANDARD_INPUT else name


def read_text(name: str) -> str:
    """The text of a file, a pipe or standard input; raises as `read_bytes` does, and BoardError for what isn't text."""
    data = read_bytes(name)
    encoding = "utf-16" if data.startswith(UTF_16) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        kind = encoding.removesuffix("-sig").upper()
        raise BoardError(in_words(name), f"not {kind} text: byte {error.start} is 0x{data[error.start]:02x}") from None


def read_bytes(name: str) -> bytes:
    """The bytes of a file, a pipe or standard input; FileNotFoundError, or BoardError if it can't be read."""
    try:
        return _read_standard_input() if name in STANDARD_INPUT else _read_file(name)
    except FileNotFoundError:
        raise
    except IsADirectoryError:
        raise BoardError(name, f"it is a folder; name a file in it, such as {Path(name, 'board.json')}") from None
    except (OSError, ValueError) as error:  # no permission; a NUL in the name
        raise BoardError(in_words(name), getattr(error, "strerror", None) or str(error)) from None


def _read_standard_input() -> bytes:
    if sys.stdin is None:  # closed before the program started
        raise BoardError("standard input", "it is closed")
    return _bounded(sys.stdin.buffer, "-")


def _read_file(name: str) -> bytes:
    # Non-blocking: opening a pipe would wait for its writer. Checked once open, so that it can't be exchanged.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(Path(name), flags), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISFIFO(mode):
            return _read_pipe(file.fileno(), name)
        if not stat.S_ISREG(mode):
            raise BoardError(name, "expected a file, a pipe or - for standard input, found a device")
        return _bounded(file, name)


def _bounded(file: IO[bytes], name: str) -> bytes:
    data = file.read(MAX_BYTES + 1) or b""
    if len(data) > MAX_BYTES:
        raise _too_long(name)
    return data


def _read_pipe(pipe: int, name: str) -> bytes:
    """The bytes of a non-blocking pipe, until its writers have closed it."""
    import select  # `poll` doesn't exist on systems without such pipes

    coming = select.poll()
    coming.register(pipe, select.POLLIN)
    parts: list[bytes] = []
    size = 0
    deadline: float | None = time.monotonic() + WRITER_SECONDS
    while True:
        try:
            part = os.read(pipe, CHUNK)
        except BlockingIOError:  # there is a writer
            deadline = None
            coming.poll()
            continue
        if part:
            deadline = None
            parts.append(part)
            size += len(part)
            if size > MAX_BYTES:
                raise _too_long(name)
        elif deadline is None or coming.poll(0):  # the writers have gone, perhaps before this started
            return b"".join(parts)
        elif time.monotonic() > deadline:
            raise BoardError(name, f"no program has opened this pipe for writing within {WRITER_SECONDS:g} s")
        else:
            time.sleep(0.01)


def _too_long(name: str) -> BoardError:
    return BoardError(in_words(name), f"expected at most {MAX_BYTES // 1_000_000} MB, found more")


def check_number(boards: int, where: str = "") -> None:
    """Refuses more boards than one text may have, with a BoardError."""
    if boards > MAX_BOARDS:
        raise BoardError(where, f"expected at most {MAX_BOARDS:,} boards, found at least {boards:,}; split the pack")


TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"


def parse_json(text: str, first_line: int = 1) -> Any:
    """Parses one JSON value; messages count lines from ``first_line``.

    Raises NotJson for a syntax error, and BoardError for deep nesting, a number of thousands of digits, a lone
    surrogate, or a duplicate key.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys)
        if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
            raise BoardError("", f"not usable JSON: {TOO_DEEP}")
        if not text.isascii() or "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # refuses lone surrogates, which can't be encoded
    except json.JSONDecodeError as error:
        raise NotJson(text, error.pos, f"not JSON: {error.msg}", first_line) from None
    except RecursionError:
        raise BoardError("", f"not usable JSON: {TOO_DEEP}") from None
    except UnicodeEncodeError as error:
        raise BoardError("", f"not usable JSON: {error}") from None
    except ValueError:
        problem = f"expected numbers of at most {sys.get_int_max_str_digits():,} digits, found a longer one"
        raise BoardError("", f"not usable JSON: {problem}") from None
    return value


def _is_deep(value: Any) -> bool:
    """Whether lists and objects are nested more than `MAX_DEPTH` deep. Doesn't recurse."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        parts = [outer.values() if type(outer) is dict else outer for outer in level if type(outer) in (dict, list)]
        level = [inner for outer in parts for inner in outer]
        if not level:
            return False
    return True


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise BoardError(short(twice), "expected once, found twice in one object")
    return fields


MAX_SIZE = 10_000  # far above any game; keeps a mistyped number from filling memory
MAX_NAME = 64  # characters of a colour's name, or digits; answers repeat it with every ball
TOO_LARGE = 10**MAX_NAME

Check = Callable[[Any], Any]
"""Returns a value of a file as the field's value; raises `_Fault` if it is invalid."""


class _Fault(Exception):
    """A value isn't valid for its field: what was expected, None if it is missing, and the path, innermost first."""

    def __init__(self, problem: str | None, *path: int | str) -> None:
        self.problem = problem
        self.path = list(path)


def _expected(what: str, value: Any) -> _Fault:
    return _Fault(f"expected {what}, found {as_json(value)}")


# -- checks of single values -----------------------------------------------------------------------------------


def _text(value: Any) -> str:
    if type(value) is not str or not is_whole(value):
        raise _expected("a text", value)
    return value


def is_whole(text: str) -> bool:
    """Whether a string has no lone surrogates, which can't be encoded."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise _expected("true or false", value)
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise _expected("a whole number", value)
    return value


def _between(least: int, most: int) -> Check:
    def check(value: Any) -> int:
        if _number(value) < least:
            raise _expected(f"{least} or more", value)
        if value > most:
            raise _expected(f"{most} or less", value)
        return value  # type: ignore[no-any-return]  # `_number` has looked at it

    return check


def _colour(value: Any) -> int | str:
    if type(value) is str:
        if len(value) <= MAX_NAME:
            return value if value.isascii() else _text(value)
    elif type(value) is int:
        if abs(value) < TOO_LARGE:
            return value
    else:
        raise _expected("a colour (a text or a whole number)", value)
    raise _expected(f"a colour of at most {MAX_NAME} characters", value)


def check_colour(where: str, value: Any) -> None:
    """Refuses a value that no file can have as a colour, with a BoardError."""
    try:
        _colour(value)
    except _Fault as fault:
        raise BoardError(where, str(fault.problem)) from None


def _colour_name(value: Any) -> str:
    return _colour(_text(value))  # type: ignore[return-value]  # a string stays one


def _answer(value: Any) -> int | str:
    if (type(value) is int and value >= 0) or (type(value) is str and value in ("unsolvable", "unknown")):
        return value
    raise _expected('a number of moves, "unsolvable" or "unknown"', value)


_coordinate = _between(0, MAX_SIZE)


def _place(value: Any) -> tuple[int, int]:
    x_and_y = _list_of(_coordinate)(value)
    if len(x_and_y) < 2:
        raise _Fault(None, len(x_and_y))
    if len(x_and_y) > 2:
        raise _expected("a place, [x, y]", value)
    return x_and_y[0], x_and_y[1]


ColourField = Annotated[int | str, _colour]
"""A colour, as the user names it."""

ColourName = Annotated[str, _colour_name]
"""A colour as a key, which is always a string."""

Size = Annotated[int, _between(1, MAX_SIZE)]
"""A length, from 1."""

Coordinate = Annotated[int, _coordinate]
"""A place on a line, from 0."""

Place = Annotated[tuple[int, int], _place]
"""A place on a grid, ``[x, y]``."""

AnswerField = Annotated[Any, _answer]
"""A known answer."""


# -- checks of what holds others -------------------------------------------------------------------------------


def _list_of(check: Check) -> Check:
    def check_all(value: Any) -> list[Any]:
        if type(value) is not list:
            raise _expected("a list", value)
        unchecked = iter(value)
        try:
            return list(map(check, unchecked))
        except _Fault as fault:
            fault.path.append(len(value) - length_hint(unchecked) - 1)
            raise

    return check_all


def _object_of(check_key: Check, check: Check) -> Check:
    def check_all(value: Any) -> dict[Any, Any]:
        if type(value) is not dict:
            raise _expected("an object", value)
        checked = {}
        for key, each in value.items():
            try:
                checked[check_key(key)] = check(each)
            except _Fault as fault:
                fault.path.append(str(key))
                raise
        return checked

    return check_all


def _one_of(words: tuple[str, ...]) -> Check:
    *others, last = map(repr, words)
    choice = f"{', '.join(others)} or {last}" if others else last

    def check(value: Any) -> Any:
        if type(value) is not str or value not in words:
            raise _expected(choice, value)
        return value

    return check


def _or_null(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


_PLAIN: Mapping[Any, Check] = {str: _text, bool: _truth, int: _number, Any: lambda value: value}


def _check_for(kind: Any) -> Check:
    """The check for a field's type; a TypeError is a fault of the puzzle's author."""
    arguments = get_args(kind)
    match get_origin(kind):
        case None if kind in _PLAIN:
            return _PLAIN[kind]
        case origin if origin is Annotated:
            check: Check = arguments[1]
            return check
        case origin if origin is Literal:
            return _one_of(arguments)
        case origin if origin is list:
            return _list_of(_check_for(arguments[0]))
        case origin if origin is dict:
            return _object_of(*map(_check_for, arguments))
        case origin if origin in (Union, UnionType) and len(arguments) == 2 and arguments[1] is NoneType:
            return _or_null(_check_for(arguments[0]))
    raise TypeError(f"no field of a board file can be of the type {kind}")


# -- fields ----------------------------------------------------------------------------------------------------

ABOUT = "about the board"
"""Metadata of a field that a puzzle adds but that is no part of the position."""


@dataclass(kw_only=True)
class BoardFields:
    """The keys that every puzzle has. They are metadata; the keys that a puzzle adds make up the position.

    A puzzle lists its keys, with types and defaults, in a dataclass derived from this. It may override the type of a
    key of this class, which remains metadata. Conditions on several values together are checked by the puzzle. Other
    keys are allowed.

    The types are those of Python, ``list[…]``, ``dict[str, …]``, ``… | None``, ``Literal[…]``, ``int``, ``str``,
    ``bool`` and ``Any``, and the more specific ones defined here. Values are checked strictly and not converted, except
    for places, which are lists in JSON. ``optimal`` is the known answer, never used to solve.
    """

    name: str | None = None
    source: str | None = None
    optimal: AnswerField = None

    @classmethod
    @cache
    def position_keys(cls) -> frozenset[str]:
        """The keys that make up the position. All others are metadata, such as those with `ABOUT`."""
        own = {field.name for field in fields(cls) if ABOUT not in field.metadata}
        own -= {field.name for field in fields(BoardFields)}
        return frozenset({"puzzle"} | own)

    def about(self) -> dict[str, Any]:
        """The puzzle's own fields that are metadata."""
        own = {field.name: getattr(self, field.name) for field in fields(self) if ABOUT in field.metadata}
        return {name: value for name, value in own.items() if value}

    @classmethod
    @cache
    def _checks(cls) -> Mapping[str, tuple[Check, bool]]:
        """Each key's check, and whether it is required. Keys of the position come first: their errors matter most."""
        kinds = get_type_hints(cls, include_extras=True)
        checks = {
            field.name: (_check_for(kinds[field.name]), field.default is MISSING and field.default_factory is MISSING)
            for field in fields(cls)
        }
        return dict(sorted(checks.items(), key=lambda item: item[0] not in cls.position_keys()))

    @classmethod
    def read(cls, data: Mapping[str, Any], kind: str) -> Self:
        """Checks the types of a JSON object, but for keys without a field.

        Raises BoardError with the path of the first error, preferably in the position, what was expected and what was
        found.
        """
        read = {}
        for name, (check, needed) in cls._checks().items():
            try:
                if name in data:
                    read[name] = check(data[name])
                elif needed:
                    raise _Fault(None)
            except _Fault as fault:
                problem = fault.problem or f"missing, but a {kind} board needs it"
                raise BoardError(_path(name, *reversed(fault.path)), problem) from None
        return cls(**read)


def _path(*steps: int | str) -> str:
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{short(step)}" if path else short(step)
    return path


def as_json(value: Any) -> str:
    """A value as JSON, shortened if it is long."""
    return short(json.dumps(value, ensure_ascii=False, default=repr))
