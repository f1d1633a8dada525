"""The values of a text, and where they stand."""

import math
from collections.abc import Iterable, Mapping, Set
from enum import Enum
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
    """A value as JSON has it."""
    if depth > MAX_DEPTH:
        raise BoardError("", TOO_DEEP)
    if value is None or isinstance(value, str | int):
        return value.name if isinstance(value, Enum) else value
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, float):  # as tables have whole numbers, and NaN for room
        return int(value) if value.is_integer() else None if math.isnan(value) else value
    if hasattr(value, "tolist"):  # an array, or a number of one
        return plain_value(value.tolist(), depth + 1)
    if isinstance(value, Mapping):
        return {str(key): plain_value(each, depth + 1) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes | Set):
        return [plain_value(each, depth + 1) for each in value]
    raise BoardError("", f"expected lists of tubes, a text or a dictionary, found {short(repr(value))}")
