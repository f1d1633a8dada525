"""Tube contents as small numbers: the alphabet of the engine's searches.

A ball lands only on its own colour or in an empty tube. So a tube always holds either a **residue**, which is the lower
part of its original contents, with balls of the residue's top colour on it, or balls of one colour only. There are few
such contents (about ten a tube at capacity 4). Each gets a number. A state is the sorted list of its tubes' numbers,
and tables say what a move does to a tube. Number 0 is the empty tube.

Two alphabets are made, for the two state spaces of docs/search.md: for single moves a step takes one ball off a tube,
for homes it takes the whole top run. `engine/contents` makes both.
"""

from collections.abc import Iterable, Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_uint64, c_void_p
from functools import cached_property
from typing import Any

from bsp_sat.backends.engine import accepted, function, owned
from bsp_sat.instances.sorting import BallSort, SortPuzzle

Content = tuple[bytes, int]
"""Balls, bottom first, and kind (0 for the empty tube)."""

WATER, MONOCHROME, BY_HOMES = 1, 2, 4
"""Bits of a packed board's first byte: water sort; the goal ``monochrome``; the space of homes."""

MIXED, UNIFORM, TEMPORARY = 1, 2, 3
"""Kinds of contents: several colours; one colour; one colour in a tube that isn't that colour's home."""

_INTS, _SETS = POINTER(c_int32), POINTER(c_uint64)


class Tables(Structure):
    """The tables of all contents: ``struct bspsat_tables`` in `engine/contents/board.h` says what they hold."""

    _fields_ = (
        *((name, c_int64) for name in ("numbers", "colours", "capacity", "groups")),
        *((name, _INTS) for name in ("top", "run", "room", "bottom", "work", "keep", "stays", "kind", "less", "more")),
        *(("done", _INTS), ("alone", _INTS), ("colours_in", _SETS), ("blocks", _INTS), ("founded", _INTS)),
        *(("homes", _INTS), ("counts", _INTS), ("gives", _INTS), ("takes", _SETS), ("group", _INTS), ("opens", _INTS)),
        *(("lock_colour", _INTS), ("lock_tubes", _INTS), ("complete", _INTS)),
        *(("needs", _INTS), ("afresh", _INTS), ("fills", _INTS)),
    )


def has_homes(puzzle: SortPuzzle) -> bool:
    """Whether the space of homes can be searched: plain ball sort, each colour filling one tube."""
    return isinstance(puzzle, BallSort) and not puzzle.features()


def packed_board(puzzle: SortPuzzle, *, by_homes: bool) -> bytes:
    """A board without rules for tubes, packed as in `engine/contents/board.h`."""
    flags = puzzle.whole_run * WATER | (puzzle.goal != "full") * MONOCHROME | by_homes * BY_HOMES
    return bytes((flags, puzzle.capacity, len(puzzle.palette), len(puzzle.tubes))) + packed_tubes(puzzle.tubes)


def packed_tubes(tubes: Sequence[bytes]) -> bytes:
    """The number of balls of each tube, then all balls."""
    return bytes(map(len, tubes)) + b"".join(tubes)


def handle_of(owner: object, name: str, types: Sequence[Any], *arguments: Any) -> int:
    """A board of the engine, made by one of its functions; it goes with its owner. Raises MemoryError."""
    make, made = function(name, c_int64, *types, POINTER(c_void_p)), c_void_p()
    accepted(make(*arguments, byref(made)), "a board within its limits")
    return owned(owner, made.value, "bspsat_board_free")[0]


class Alphabet:
    """The contents, numbered, of a board's tubes, and ``further`` ones where searches start. Raises MemoryError."""

    def __init__(self, puzzle: SortPuzzle, *, by_homes: bool, further: Iterable[bytes] = ()) -> None:
        self.puzzle = puzzle
        self.by_homes = by_homes
        more = list(further)
        packed = packed_board(puzzle, by_homes=by_homes) + packed_tubes(more)
        self.handle = handle_of(self, "bspsat_board_new", (c_char_p, c_int64, c_int64), packed, len(packed), len(more))

    @cached_property
    def tables(self) -> Any:
        """The lookup tables, which are never changed; they stay as long as this."""
        return function("bspsat_board_tables", POINTER(Tables), c_void_p)(self.handle).contents

    @cached_property
    def contents(self) -> list[Content]:
        """The contents by number."""
        tables = self.tables
        tubes = [b""] * tables.numbers
        room = tables.room[: len(tubes)]
        for number in sorted(range(1, len(tubes)), key=room.__getitem__, reverse=True):
            taken = tables.run[number] if self.by_homes else 1
            tubes[number] = tubes[tables.less[number]] + bytes([tables.top[number]]) * taken
        return list(zip(tubes, tables.kind[: len(tubes)], strict=True))

    def numbers(self, tubes: Sequence[bytes]) -> list[int]:
        """The numbers of tubes; in the space of homes -1 - colour for a full tube of one colour, which is its home."""
        numbers = (c_int32 * len(tubes))()
        board_numbers = function("bspsat_board_numbers", c_int64, c_void_p, c_char_p, c_int64, c_void_p)
        found = board_numbers(self.handle, packed_tubes(tubes), len(tubes), numbers)
        accepted(found, "tubes that can come up on the board")
        return list(numbers)

    def start(self, board: SortPuzzle) -> list[int]:
        """The numbers of a board's tubes."""
        return self.numbers(board.tubes)
