"""How Python hands arrays to compiled code: the types of arrays, and named tuples of them as one row of numbers.

Each program's arrays are named tuples, which its module `arrays` describes. Compiled code is called with the address
of 64-bit integers: each number of the tuple, and address, rows and columns of each array, in the order of the fields.
Named tuples may contain others. The types of the fields tell both sides what stands where.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_type_hints

if TYPE_CHECKING:
    Array = memoryview[Any]  # in compiled code one of numba's; only there a row is taken by its number alone
else:
    Array = memoryview  # which has no items' type at run time

Item = Literal["i", "I", "q", "Q", "d", "B"]
"""Formats of items: 32-bit integers with sign and without, 64-bit ones likewise, floats, bytes."""


class Layout(NamedTuple):
    """How an array stands in memory, which compiled code reads from the types of the named tuples below.

    Attributes:
        item: format of its items, see `bsp_sat.backends.kernel.native.memory`.
        dimensions: 1 or 2.
    """

    item: Item
    dimensions: int


Bytes = Annotated[Array, Layout("B", 1)]
Ints = Annotated[Array, Layout("i", 1)]
Longs = Annotated[Array, Layout("q", 1)]
Words = Annotated[Array, Layout("Q", 1)]
Floats = Annotated[Array, Layout("d", 1)]
IntRows = Annotated[Array, Layout("i", 2)]
WordRows = Annotated[Array, Layout("Q", 2)]

Numbers = Annotated[Array, Layout("I", 1)]
"""Of contents. Without sign, as numba would look at the sign of each index: a sixth of a search's time."""

NumberRows = Annotated[Array, Layout("I", 2)]

NO_BYTES: Bytes = memoryview(bytearray())
NO_INTS: Ints = memoryview(bytearray()).cast("i")
NO_WORDS: Words = memoryview(bytearray()).cast("Q")

NUMBERS_OF_ARRAY = 3
"""Address, rows and columns."""

GROW, GOAL, EXHAUSTED, PAUSED = range(4)
"""How compiled code ends: an array is full, a goal was found, nothing is left, the budget is used up."""


def fields(kind: type) -> Iterator[tuple[str, type | Layout]]:
    """The fields of a named tuple with what they are: a number, a truth, an array's layout, a named tuple."""
    for name, hint in get_type_hints(kind, include_extras=True).items():
        yield name, hint.__metadata__[0] if hasattr(hint, "__metadata__") else hint


def places(kind: type, first: int) -> tuple[Any, int]:
    """A named tuple with the place of each field instead of its value, and the place behind the last.

    Args:
        kind: the class of named tuples.
        first: the place of its first field.
    """
    at: list[Any] = []
    for _, field in fields(kind):
        if isinstance(field, Layout):
            at.append(first)
            first += NUMBERS_OF_ARRAY
        elif field in (int, bool):
            at.append(first)
            first += 1
        else:
            inner, first = places(field, first)
            at.append(inner)
    return kind(*at), first
