"""The values of a text, and where they stand."""

import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from os import PathLike
from typing import Any, NamedTuple

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.text.reading import MAX_DEPTH, TOO_DEEP
from bsp_sat.instances.text.words import short


class Word(str):
    """A bare name, without quotes."""

    __slots__ = ()


class Pair(NamedTuple):
    """A value with its name."""

    key: str
    value: Any


class Item(NamedTuple):
    """A value, or a `Pair`, and its line, counted from 1."""

    line: int
    value: Any


def plain_value(value: Any, depth: int = 0) -> Any:
    """A value as JSON has it; of a data frame the rows, of a dataclass an object. Raises BoardError for other types."""
    if depth > MAX_DEPTH:
        raise BoardError("", TOO_DEEP)
    expected = "expected lists of tubes, a text or a dictionary"
    if depth == 0 and isinstance(value, int | float | None):
        raise BoardError("", f"{expected}, found {short(repr(value))}")
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):  # as tables have whole numbers, and NaN for room
        return int(value) if value.is_integer() else None if math.isnan(value) else value
    if isinstance(value, PathLike):
        raise BoardError("", f"expected a board, found the path of one; load({str(value)!r}) reads it")
    if isinstance(value, bytes | bytearray | memoryview):
        raise BoardError("", f"{expected}, found {short(repr(value))}; .decode() makes text of bytes")
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain_value(getattr(value, each.name), depth + 1) for each in fields(value)}
    if hasattr(value, "to_numpy"):  # a data frame; what it yields are only the names of its columns
        value = value.to_numpy()
    if hasattr(value, "tolist"):  # an array, or a number of one
        return plain_value(value.tolist(), depth + 1)
    if isinstance(value, Mapping):
        return {str(key): plain_value(each, depth + 1) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, Set | type):
        return [plain_value(each, depth + 1) for each in value]
    raise BoardError("", f"{expected}, found {short(repr(value))}")
