"""Tiles: click tiles of the bottom row away, group by group.

A click on the bottom tile of a column removes its whole connected group of one colour; the tiles
above fall, but no column closes up. The goal is an empty board. Clicks elsewhere add nothing: a group
may be clicked only where it reaches the bottom row.

Source: Rajeev R. Sharma, *Solving the turtle tiles puzzle game using Python*, 17 November 2022 (the
daily "Figure" puzzle).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self

from bsp_sat.instances.errors import BoardError, PlanError
from bsp_sat.instances.puzzle import Cell, Colour, Picture
from bsp_sat.instances.symbols import symbols_for
from bsp_sat.instances.words import parse_number, short


class Click(NamedTuple):
    """A click on the bottom tile of ``column``, counted from 0."""

    column: int


@dataclass(frozen=True)
class Tiles:
    """A board of coloured tiles.

    Attributes:
        columns: one byte string a column, one byte a tile, bottom first; a byte is an index into ``palette``.
        palette: the colours as the user named them.
    """

    columns: tuple[bytes, ...]
    palette: tuple[Colour, ...]

    kind: ClassVar[str] = "tiles"
    move_key: ClassVar[str] = "columns to click, counted from 1, left to right (from 0 in --json)"
    prunings: ClassVar[frozenset[str]] = frozenset({"one-click-a-group"})

    @classmethod
    def from_columns(cls, columns: Sequence[Sequence[Colour]]) -> Self:
        """Builds a board from columns of colours, bottom first.

        Raises:
            BoardError: no column, or more colours than a byte can tell apart.
        """
        if not columns:
            raise BoardError("columns", "expected at least one column, found none")
        palette = tuple(dict.fromkeys(chain.from_iterable(columns)))
        if len(palette) > 256:
            raise BoardError("columns", f"expected at most 256 colours, found {len(palette)}")
        index = {colour: number for number, colour in enumerate(palette)}
        return cls(tuple(bytes(index[tile] for tile in column) for column in columns), palette)

    def legal_moves(self) -> Iterator[Click]:
        """A click on each column that has a tile left."""
        return (Click(number) for number, column in enumerate(self.columns) if column)

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Click]:
        """Clicks, with ``one-click-a-group`` only the first column of each group: the rest do the same."""
        seen: set[tuple[int, int]] = set()
        for move in self.legal_moves():
            if "one-click-a-group" in prunings:
                if (move.column, 0) in seen:
                    continue
                seen |= self._group(move.column)
            yield move

    def _group(self, column: int) -> set[tuple[int, int]]:
        """The places (column, row) of the one-colour group of a column's bottom tile."""
        colour = self.columns[column][0]
        group = {(column, 0)}
        edge = [(column, 0)]
        while edge:
            x, y = edge.pop()
            for place in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if place not in group and self._colour_at(*place) == colour:
                    group.add(place)
                    edge.append(place)
        return group

    def _colour_at(self, x: int, y: int) -> int | None:
        if 0 <= x < len(self.columns) and 0 <= y < len(self.columns[x]):
            return self.columns[x][y]
        return None

    def apply(self, move: Click) -> Self:
        """The board without the clicked group, the tiles above fallen."""
        group = self._group(move.column)
        columns = tuple(
            bytes(tile for y, tile in enumerate(column) if (x, y) not in group) for x, column in enumerate(self.columns)
        )
        return type(self)(columns, self.palette)

    def refusal(self, move: Click) -> str | None:
        """Why the click is illegal, None where it is legal."""
        if not 0 <= move.column < len(self.columns):
            return f"there is no column {move.column + 1}, the board has {len(self.columns)}"
        return None if self.columns[move.column] else f"column {move.column + 1} is empty"

    def is_goal(self) -> bool:
        """Whether no tile is left."""
        return not any(self.columns)

    def lower_bound(self) -> int:
        """The number of colours left: a click removes tiles of one colour."""
        return len(set().union(*self.columns))

    def canonical(self) -> Self:
        """The board itself."""
        return self

    def unfinished(self) -> str:
        """How many tiles are left."""
        left = sum(map(len, self.columns))
        return f"{left} tile{'s' if left != 1 else ''} left" if left else ""

    def misreading(self) -> tuple[str, Self] | None:
        """None: every tiles board can be cleared, however it was read."""
        return None

    def to_json(self) -> dict[str, Any]:
        """``puzzle`` and ``columns``."""
        return {
            "puzzle": self.kind,
            "columns": [[self.palette[tile] for tile in col] for col in self.columns],
        }

    def to_text(self) -> str:
        """Not offered.

        Raises:
            BoardError: always; tiles boards are written as JSON.
        """
        raise BoardError("", "tiles boards have no text notation, use JSON")

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

    @staticmethod
    def move_to_json(move: Click) -> int:
        """The column, counted from 0."""
        return move.column

    def describe(self, move: Click) -> str:
        """The column, counted from 1, and the colour that goes."""
        colour = self._colour_at(move.column, 0)
        return f"{move.column + 1}" + ("" if colour is None else f"  {self.palette[colour]}")

    def summary(self) -> str:
        """For example ``tiles, 5 colours, 5 columns``."""
        return f"{self.kind}, {len(self.palette)} colours, {len(self.columns)} columns"

    def picture(self) -> Picture:
        """Columns as they stand, ``·`` where nothing is left."""
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
