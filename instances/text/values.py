"""The values of a text, and where they stand."""

from typing import Any, NamedTuple


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
