"""Tiles: click tiles of the bottom row away, group by group.

A click on the bottom tile of a column removes its whole connected group of one colour; the tiles above fall, but
columns don't close up. The goal is an empty board. A group can be clicked only if it reaches the bottom row; other
clicks would add nothing.

Every board can be cleared. Tiles never move sideways, so the columns that hold a colour fall into runs of
neighbours, and a click takes tiles of one colour from one run: that is the lower bound, and where neighbouring
columns share no colour the board falls into parts that never meet (instances/README.md).

Source: Rajeev R. Sharma, *Solving the turtle tiles puzzle game using Python*, 17 November 2022 (the
daily "Figure" puzzle).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from random import Random
from typing import Any, ClassVar, NamedTuple, Self

from bsp_sat.instances.errors import BoardError, PlanError
from bsp_sat.instances.puzzle import (
    READ_AS,
    Cell,
    Colour,
    Generator,
    Number,
    Picture,
    Puzzle,
    check_colours,
    colour_in_words,
    symbols_for,
)
from bsp_sat.instances.text.reading import MAX_SIZE, BoardFields, ColourField
from bsp_sat.instances.text.words import parse_number, quantity, short

MAX_COLOURS = 256  # a column is a byte string
MAX_SIDE = 1000  # of random boards; a million tiles


class Click(NamedTuple):
    """A click on the bottom tile of ``column``, counted from 0."""

    column: int

    def __str__(self) -> str:
        """The column, counted from 1, as plans in text have it."""
        return f"{self.column + 1}"


@dataclass(kw_only=True)
class TilesFields(BoardFields):
    """The fields of a tiles board's file. ``columns``: colours, bottom first."""

    columns: list[list[ColourField]]


def _random_fields(chance: Random, columns: int, rows: int, colours: int) -> TilesFields:
    return TilesFields(columns=[[chance.randrange(colours) for _ in range(rows)] for _ in range(columns)])


@dataclass(frozen=True, repr=False)
class Tiles(Puzzle[Click]):
    """Coloured tiles in columns.

    ``columns``: a byte string for each column with a byte for each tile, bottom first; bytes are indices into
    ``palette``.
    """

    columns: tuple[bytes, ...]
    palette: tuple[Colour, ...]

    kind: ClassVar[str] = "tiles"
    move_key: ClassVar[str] = "columns to click (numbered from 1 at the left; --json counts from 0)"
    prunings: ClassVar[frozenset[str]] = frozenset({"one-click-a-group", "one-part"})
    renamings: ClassVar[frozenset[str]] = frozenset({"one-click-a-group"})
    fields_type: ClassVar[type[TilesFields]] = TilesFields
    generator: ClassVar[Generator] = Generator(
        command="tiles",
        summary="Fill a grid with tiles of random colours.",
        numbers={
            "columns": Number("Columns.", most=MAX_SIDE, default=5),
            "rows": Number("Tiles in each column.", most=MAX_SIDE, default=5),
            "colours": Number("Colours to draw from.", most=MAX_COLOURS, default=4),
        },
        board_name="tiles-{columns}x{rows}-c{colours}",
        make=_random_fields,
        decidable=False,
    )

    @classmethod
    def fields_of_value(cls, value: Any) -> Mapping[str, Any]:
        """Takes a list for the columns."""
        if not isinstance(value, list) or any(isinstance(column, dict) for column in value):
            return super().fields_of_value(value)
        return {"columns": value, READ_AS: f"{quantity(len(value), 'column')}, each from bottom to top"}

    @classmethod
    def from_columns(cls, columns: Sequence[Sequence[Colour]]) -> Self:
        """The position with these columns of colours, bottom first. Raises BoardError for none, or too many colours."""
        palette = tuple(dict.fromkeys(chain.from_iterable(columns)))
        if len(palette) > MAX_COLOURS:
            raise BoardError("columns", f"expected at most {MAX_COLOURS} colours, found {len(palette)}")
        index = {colour: number for number, colour in enumerate(palette)}
        position = cls(tuple(bytes(index[tile] for tile in column) for column in columns), palette)
        position.check()
        return position

    def __repr__(self) -> str:
        try:
            self.check()
        except BoardError:
            return f"{type(self).__name__}({self.columns!r}, {self.palette!r})"
        return f"{type(self).__name__}.from_columns({self.to_json()['columns']!r})"

    @classmethod
    def from_fields(cls, fields: TilesFields) -> Self:
        return cls.from_columns(fields.columns)

    def check(self) -> None:
        check_colours("columns", self.columns, self.palette)
        if not self.columns:
            raise BoardError("columns", "expected at least one column, found none")

    def legal_moves(self) -> Iterator[Click]:
        """A click on each column that isn't empty."""
        return (Click(number) for number, column in enumerate(self.columns) if column)

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Click]:
        """Clicks without those that the named rules leave out.

        ``one-click-a-group``: only the first column of each group, as the others have the same effect. ``one-part``:
        only clicks in the first of the parts that never meet, as clicks in different parts can be swapped.
        """
        end = len(self.columns)
        if "one-part" in prunings:
            first = next((number for number, column in enumerate(self.columns) if column), 0)
            masks = map(colour_mask, self.columns[first:])
            end = next((right for right, (a, b) in enumerate(pairwise(masks), first + 1) if not a & b), end)
        if "one-click-a-group" in prunings:
            return (Click(number) for number in _groups(self.columns)[0] if number < end)
        return (Click(number) for number, column in enumerate(self.columns[:end]) if column)

    def after_legal(self, move: Click) -> Self:
        """The position after the clicked group is removed and the tiles above have fallen."""
        columns = list(self.columns)
        for x, rows in self.group(move).items():
            left = bytearray(columns[x])
            for row in sorted(rows, reverse=True):
                del left[row]
            columns[x] = bytes(left)
        return type(self)(tuple(columns), self.palette)

    def group(self, move: Click) -> dict[int, list[int]]:
        """The tiles that a legal click removes: their rows from the bottom, by column."""
        (column,) = move
        return _groups(self.columns)[1][column]

    def refusal(self, move: Click) -> str | None:
        (column,) = move
        if not 0 <= column < len(self.columns):
            return f"there is no column {column + 1}, the board has {len(self.columns)}"
        return None if self.columns[column] else f"column {column + 1} is empty"

    def is_goal(self) -> bool:
        return not any(self.columns)

    def lower_bound(self) -> int:
        """The runs of neighbouring columns that hold a colour, counted over all colours. A click changes one run."""
        before = bound = 0
        for column in self.columns:
            mask = colour_mask(column)
            bound += (mask & ~before).bit_count()
            before = mask
        return bound

    def unfinished(self) -> str:
        left = sum(map(len, self.columns))
        return f"{quantity(left, 'tile')} left" if left else ""

    def to_json(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "columns": [[self.palette[tile] for tile in col] for col in self.columns]}

    @classmethod
    def move_from_json(cls, value: Any) -> Click:
        """Reads a column number, counted from 0."""
        if type(value) is not int:
            raise PlanError(f"expected a column number, found {short(repr(value))}")
        return Click(value)

    @classmethod
    def move_from_text(cls, words: list[str]) -> Click:
        """Reads a column number, counted from 1; anything after that, such as the colour, is ignored."""
        number = parse_number(words[0])
        if not number:
            raise PlanError(f"expected a column number, counted from 1, found {short(' '.join(words))!r}")
        return Click(number - 1)

    def moves_from_text(self, words: list[str]) -> list[Click]:
        """Reads one move, or a number above that of any column, such as ``10010012``: a column a digit, from 0."""
        if len(words) == 1 and (parse_number(words[0]) or 0) > MAX_SIZE:
            return [Click(int(digit)) for digit in words[0]]
        return [self.move_from_text(words)]

    @staticmethod
    def move_to_json(move: Click) -> int:
        (column,) = move
        return column

    def describe(self, move: Click) -> str:
        """The column, counted from 1, and the colour that is removed."""
        (column,) = move
        tiles = self.columns[column] if 0 <= column < len(self.columns) else b""
        return f"{column + 1}" + (f"  {colour_in_words(self.palette[tiles[0]])}" if tiles else "")

    def summary(self) -> str:
        return f"{self.kind}, {quantity(len(self.palette), 'colour')}, {quantity(len(self.columns), 'column')}"

    def picture(self) -> Picture:
        """The columns, with ``·`` for removed tiles."""
        symbols = symbols_for(self.palette)
        rows = tuple(
            tuple(
                Cell(symbols[column[y]], self.palette[column[y]]) if y < len(column) else Cell("·")
                for column in self.columns
            )
            for y in reversed(range(max(map(len, self.columns), default=0)))
        )
        header = tuple(str(number) for number in range(1, len(self.columns) + 1))
        return Picture(rows, header, tuple(zip(symbols, self.palette, strict=True)))


@lru_cache(maxsize=1 << 12)
def colour_mask(column: bytes) -> int:
    """The colours in a column as a bit mask."""
    return sum(1 << colour for colour in set(column))


@lru_cache(maxsize=16)  # a search asks for the moves of a position and then for the result of each
def _groups(columns: tuple[bytes, ...]) -> tuple[list[int], dict[int, dict[int, list[int]]]]:
    """The first column of each one-colour group that reaches the bottom row.

    And, for each column that has tiles, the group of its bottom tile as the rows that it takes, by column.
    """
    # A byte for each place, column after column, with a place above each column that equals no colour.
    stride = max(map(len, columns)) + 1
    left_of_board = [-1] * stride
    places = left_of_board + [tile for column in columns for tile in (*column, *left_of_board[len(column) :])]
    places += left_of_board
    firsts: list[int] = []
    groups: dict[int, dict[int, list[int]]] = {}
    for number, column in enumerate(columns):
        if column and number not in groups:
            firsts.append(number)
            colour = column[0]
            edge = [stride * (number + 1)]
            places[edge[0]] = -1
            group: dict[int, list[int]] = {}
            for place in edge:
                x, y = divmod(place, stride)
                group.setdefault(x - 1, []).append(y)
                if y == 0:
                    groups[x - 1] = group
                for neighbour in (place - 1, place + 1, place - stride, place + stride):
                    if places[neighbour] == colour:
                        places[neighbour] = -1
                        edge.append(neighbour)
    return firsts, groups
