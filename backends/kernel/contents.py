"""Tube contents as small numbers: the alphabet of the compiled search.

A ball lands only on its own colour or in an empty tube. So a tube always holds either a **residue**, which is the lower
part of its original contents, with balls of the residue's top colour on it, or balls of one colour only. There are few
such contents (about ten a tube at capacity 4). Each gets a number. A state is the sorted list of its tubes' numbers,
and tables say what a move does to a tube. Number 0 is the empty tube.

Two alphabets are made, for the two state spaces of `bsp_sat.backends.kernel.compiled.loops`: for single moves a step
takes one ball off a tube, for homes it takes the whole top run. Compiled code makes both, see
`bsp_sat.backends.kernel.compiled.alphabet`.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from struct import calcsize
from typing import get_type_hints

from bsp_sat.backends.kernel import arrays
from bsp_sat.backends.kernel.arrays import (
    ARENA_HEAD,
    ARRAYS_AT,
    BY_HOMES,
    MONOCHROME,
    NO_BYTES,
    NO_INTS,
    NUMBERS_OF_ARRAY,
    WATER,
    Array,
    Contents,
    Layout,
    Longs,
    Packed,
    Shape,
    Table,
)
from bsp_sat.backends.kernel.calls import Call
from bsp_sat.backends.kernel.memory import address_of, array_of, zeros
from bsp_sat.backends.kernel.shared_library import BATCH
from bsp_sat.instances.sorting import BallSort, SortPuzzle

Content = tuple[bytes, int]
"""Balls, bottom first, and kind (0 for the empty tube)."""

FIRST_WORDS = 1 << 12  # initial size of an arena for tables
CONTENTS_AT = {
    ARRAYS_AT + NUMBERS_OF_ARRAY * number: hint.__metadata__[0]
    for number, hint in enumerate(get_type_hints(Contents, include_extras=True).values())
}
"""The places of the arrays of `Contents` in an arena's head, with their layouts."""

NO_TABLE = Table(*(NO_INTS for _ in Table._fields))

NO_SHAPE = Shape(*[0] * len(Shape._fields))  # type: ignore[arg-type]  # zeros for flags, too


def has_homes(puzzle: SortPuzzle) -> bool:
    """Whether the space of homes can be searched: plain ball sort, each colour filling one tube."""
    return isinstance(puzzle, BallSort) and not puzzle.features()


def packed_board(puzzle: SortPuzzle, *, by_homes: bool) -> bytes:
    """A board without rules for tubes, packed for compiled code: see `bsp_sat.backends.kernel.arrays.FLAGS`."""
    flags = puzzle.whole_run * WATER | (puzzle.goal != "full") * MONOCHROME | by_homes * BY_HOMES
    return bytes((flags, puzzle.capacity, len(puzzle.palette), len(puzzle.tubes))) + packed_tubes(puzzle.tubes)


def packed_tubes(tubes: Sequence[bytes]) -> bytes:
    """The number of balls of each tube, then all balls."""
    return bytes(map(len, tubes)) + b"".join(tubes)


def new_arena(words: int, used: int = 0) -> Longs:
    """Memory in which compiled code places its arrays, see `bsp_sat.backends.kernel.arrays.ARENA_ARRAYS`.

    Args:
        words: number of 64-bit words, without the head.
        used: number of words after the head that the caller uses for something else.
    """
    arena = zeros("q", ARENA_HEAD + words)
    begin = address_of(arena)
    arena[arrays.BASE] = begin + 8 * (ARENA_HEAD + used)
    arena[arrays.END] = begin + 8 * len(arena)
    return arena


class Alphabet:
    """The contents that a board's tubes can have, numbered.

    Args:
        puzzle: the board.
        by_homes: whether a step takes a whole top run, see the module docstring.
        further: tubes of other positions at which searches will start.

    Attributes:
        puzzle: the board.
        by_homes: as given.
    """

    def __init__(self, puzzle: SortPuzzle, *, by_homes: bool, further: Iterable[bytes] = ()) -> None:
        self.puzzle = puzzle
        self.by_homes = by_homes
        more = list(further)
        packed = array_of("B", packed_board(puzzle, by_homes=by_homes) + packed_tubes(more))
        words, contents = FIRST_WORDS, 0
        while contents == 0:
            self._arena = new_arena(words)
            call = Call(BATCH, NO_SHAPE, Packed(packed, NO_BYTES, self._arena), NO_TABLE)
            contents = call(arrays.TABLES, len(more))
            words *= 4

    @cached_property
    def tables(self) -> Contents:
        """The lookup tables, which are never changed."""
        return Contents(*(self._view(layout, place) for place, layout in CONTENTS_AT.items()))

    def _view(self, layout: Layout, place: int) -> Array:
        """The array at a place of the arena's head."""
        address, rows, columns = self._arena[place : place + NUMBERS_OF_ARRAY]
        if layout.dimensions == 2 and not rows * columns:
            return zeros(layout.item, max(1, rows), max(1, columns))
        begin = address - address_of(self._arena)
        data: Array = self._arena.cast("B")[begin : begin + rows * columns * calcsize(layout.item)]
        if layout.dimensions == 1:
            return data.cast(layout.item)
        return data.cast(layout.item, (rows, columns))

    @cached_property
    def contents(self) -> list[Content]:
        """The contents by number."""
        tables = self.tables
        tubes = [b""] * len(tables.top)
        for number in sorted(range(1, len(tubes)), key=tables.room.__getitem__, reverse=True):
            taken = tables.run[number] if self.by_homes else 1
            tubes[number] = tubes[tables.less[number]] + bytes([tables.top[number]]) * taken
        return list(zip(tubes, tables.kind, strict=True))

    def table(self, tubes: Sequence[bytes]) -> Table:
        """The numbers of tubes, and the open homes; in the space of homes, full tubes of one colour are homes."""
        table = Table(*(zeros("i", len(tubes)) for _ in Table._fields))
        packed = Packed(array_of("B", packed_tubes(tubes)), NO_BYTES, self._arena)
        known = Call(BATCH, NO_SHAPE, packed, table)(arrays.NUMBERS, self.by_homes)
        assert known, "a tube can't come up on the board"
        return table

    def start(self, board: SortPuzzle) -> tuple[list[int], int]:
        """The numbers of a board's tubes, with 0 for open homes, and a bit set of the colours with open homes."""
        numbers = self.table(board.tubes).numbers
        return [max(0, number) for number in numbers], sum(1 << -1 - number for number in numbers if number < 0)
