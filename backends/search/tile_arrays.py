"""The rules of tiles on arrays: each step (reach, removal, bound) is a few operations on all boards at once.

A board is one row of an array. Colours are numbered from 1, and 0 is empty. For each bit of these numbers there is a
plane with one unsigned integer for each column; its bit y is that bit of the tile in row y.
"""

from typing import Any

import numpy as np

from bsp_sat.instances.tiles import Tiles

Array = np.ndarray[Any, Any]


class TileArrays:
    """The rules of tiles on arrays: one board in each row, plane after plane; each plane column after column."""

    def __init__(self, puzzle: Tiles) -> None:
        self.puzzle = puzzle
        self.width = len(puzzle.columns)
        self.height = max(map(len, puzzle.columns))
        colours = max(1, len(puzzle.palette))  # an empty board may have none
        self.colours = range(1, colours + 1)
        self.planes = colours.bit_length()
        words = (16, np.uint16), (32, np.uint32), (64, np.uint64)
        self.word: Any = next(word for bits, word in words if self.height <= bits)

    def start(self) -> Array:
        """The array with only the start."""
        words = [
            sum(((tile + 1) >> plane & 1) << y for y, tile in enumerate(column))
            for plane in range(self.planes)
            for column in self.puzzle.columns
        ]
        return np.array([words], self.word)

    def _planes_of(self, rows: Array) -> Array:
        return rows.reshape(len(rows), self.planes, self.width)

    def _has_colours(self, rows: Array) -> Array:
        """Whether each column holds each colour: indices board, column, colour."""
        planes = self._planes_of(rows)
        held = []
        for colour in self.colours:
            tiles = np.full(planes[:, 0].shape, ~self.word(0), self.word)
            for plane in range(self.planes):
                tiles &= planes[:, plane] if colour >> plane & 1 else ~planes[:, plane]
            held.append(tiles != 0)
        return np.stack(held, axis=2)

    def bounds(self, rows: Array) -> Array:
        """The lower bound of each board: the number of runs of columns that hold a colour."""
        held = self._has_colours(rows)
        begins = held[:, :1].sum(axis=(1, 2)) + (held[:, 1:] & ~held[:, :-1]).sum(axis=(1, 2))
        return np.asarray(begins, np.int64)

    def clicks(self, rows: Array, *, one_part: bool) -> list[tuple[int, Array, Array]]:
        """One click for each group, at its first column: column, boards that allow it, boards after it."""
        planes = self._planes_of(rows)
        one = self.word(1)
        occupied = np.bitwise_or.reduce(planes, axis=1)
        differ_above = np.bitwise_or.reduce(planes ^ (planes >> one), axis=1)
        above = occupied & (occupied >> one) & ~differ_above  # bit y: rows y and y + 1 have one colour
        differ_right = np.bitwise_or.reduce(planes[:, :, 1:] ^ planes[:, :, :-1], axis=1)
        right = occupied[:, 1:] & occupied[:, :-1] & ~differ_right
        clickable = occupied & one != 0
        if one_part:
            clickable &= self._in_first_part(rows, occupied != 0)
        found = []
        for column in range(self.width):
            which = np.flatnonzero(clickable[:, column])
            if which.size == 0:
                continue
            group = self._group_of(column, above[which], right[which])
            clickable[which] &= group & one == 0  # clicks on other columns of this group have the same effect
            found.append((column, which, self._without_groups(planes[which], group)))
        return found

    def _in_first_part(self, rows: Array, filled: Array) -> Array:
        """Whether each column comes before the first border, after some tile, that no colour crosses."""
        held = self._has_colours(rows)
        border = filled[:, :-1] & ~(held[:, 1:] & held[:, :-1]).any(axis=2)
        inside = np.ones(filled.shape, bool)
        inside[:, 1:] = ~np.logical_or.accumulate(border, axis=1)
        return inside

    def _group_of(self, column: int, above: Array, right: Array) -> Array:
        """The group of a column's bottom tile; bit y of each column stands for row y."""
        one = self.word(1)
        group = np.zeros_like(above)
        group[:, column] = one
        while True:
            grown = group | (group & above) << one | (group >> one) & above
            grown[:, 1:] |= group[:, :-1] & right
            grown[:, :-1] |= group[:, 1:] & right
            if np.array_equal(grown, group):
                return group
            group = grown

    def _without_groups(self, planes: Array, group: Array) -> Array:
        one = self.word(1)
        for row in reversed(range(self.height)):
            below = self.word((1 << row) - 1)
            goes = ((group >> self.word(row)) & one != 0)[:, None, :]
            if goes.any():
                planes = np.where(goes, (planes & below) | ((planes >> one) & ~below), planes)
        return np.asarray(planes.reshape(len(planes), -1))
