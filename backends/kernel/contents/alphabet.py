"""Tube contents as small numbers: the alphabet of the compiled search.

A ball lands only on its own colour or in an empty tube. So a tube always holds either a **residue**, which is the lower
part of its original contents, with balls of the residue's top colour on it, or balls of one colour only. There are few
such contents (about ten a tube at capacity 4). Each gets a number. A state is the sorted list of its tubes' numbers,
and tables say what a move does to a tube. Number 0 is the empty tube.

Two alphabets are made, for the two state spaces of `bsp_sat.backends.kernel.search.compiled.loops`: for single moves a
step takes one ball off a tube, for homes it takes the whole top run. Compiled code makes both, see
`bsp_sat.backends.kernel.contents.compiled.alphabet`.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from struct import calcsize
from typing import Any

from bsp_sat.backends.kernel.contents.arrays import (
    AT,
    BASE,
    BY_HOMES,
    END,
    MONOCHROME,
    NUMBERED_END,
    WATER,
    Boards,
    Contents,
    Table,
)
from bsp_sat.backends.kernel.native.layout import NUMBERS_OF_ARRAY, Array, Layout, Longs, fields
from bsp_sat.backends.kernel.native.memory import address_of, array_of, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.instances.sorting import BallSort, SortPuzzle

Content = tuple[bytes, int]
"""Balls, bottom first, and kind (0 for the empty tube)."""

FIRST_WORDS = 1 << 12  # initial size of an arena for tables


def has_homes(puzzle: SortPuzzle) -> bool:
    """Whether the space of homes can be searched: plain ball sort, each colour filling one tube."""
    return isinstance(puzzle, BallSort) and not puzzle.features()


def packed_board(puzzle: SortPuzzle, *, by_homes: bool) -> bytes:
    """A board without rules for tubes, packed: see `bsp_sat.backends.kernel.contents.arrays.FLAGS`."""
    flags = puzzle.whole_run * WATER | (puzzle.goal != "full") * MONOCHROME | by_homes * BY_HOMES
    return bytes((flags, puzzle.capacity, len(puzzle.palette), len(puzzle.tubes))) + packed_tubes(puzzle.tubes)


def packed_tubes(tubes: Sequence[bytes]) -> bytes:
    """The number of balls of each tube, then all balls."""
    return bytes(map(len, tubes)) + b"".join(tubes)


def new_arena(words: int, head: int) -> Longs:
    """Memory in which compiled code lays out arrays, see `bsp_sat.backends.kernel.contents.arrays.BASE`.

    Args:
        words: number of 64-bit words, without the head.
        head: number of words before those that are free.
    """
    arena = zeros("q", head + words)
    begin = address_of(arena)
    arena[BASE], arena[END] = begin + 8 * head, begin + 8 * len(arena)
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
            self._arena = new_arena(words, NUMBERED_END)
            contents = Call(Boards(packed, self._arena))("number_board", len(more))
            words *= 4

    @cached_property
    def tables(self) -> Contents:
        """The lookup tables, which are never changed."""
        layouts: Any = (layout for _, layout in fields(Contents))  # arrays all
        return Contents(*map(self._view, layouts, AT.contents))

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
        boards = Boards(array_of("B", packed_tubes(tubes)), self._arena, table.numbers)
        known = Call(boards)("look_up_tubes", self.by_homes)
        assert known, "a tube can't come up on the board"
        return table

    def start(self, board: SortPuzzle) -> tuple[list[int], int]:
        """The numbers of a board's tubes, with 0 for open homes, and a bit set of the colours with open homes."""
        numbers = self.table(board.tubes).numbers
        return [max(0, number) for number in numbers], sum(1 << -1 - number for number in numbers if number < 0)
