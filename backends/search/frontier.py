"""A* for tiles by whole frontiers: all boards with so many clicks and so large a bound are expanded at once, as arrays.

It is A* with the bound and the rules of `bsp_sat.instances.tiles`, ten times as fast as one board at a time. The
bound falls by one at most with a click (a click takes tiles from one run of columns), so boards can be
taken in order of clicks + bound, and among those of clicks: when such a bucket's turn comes, no board can
enter it any more. A board that was reached with fewer clicks has been expanded, in an earlier bucket with the same
bound. Boards are compared as wholes: a hash says which ones to compare. (Two boards under one hash may hide a third
that equals one of them; then it is expanded twice, which costs time only.)

A board is one row of an array: for each bit of a colour's number (from 1; 0 is empty) one unsigned integer a
column, whose bit y is that bit of the tile in row y. Floods, falls and bounds are a few operations on all rows.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.result import Status
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.tiles import Click, Tiles

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MAX_ROWS = 64
CHUNK = 1 << 14  # boards expanded at once: small enough for the processor's cache
BEAM = 1 << 13  # boards that the beam search keeps
BEAM_TILES = 3  # tiles that count as much as one click to come


@dataclass(frozen=True)
class Frontier(Backend):
    """A* for tiles on arrays.

    Attributes:
        bound: use the lower bound; without it this is breadth-first search.
        one_part: apply the pruning ``one-part`` of `bsp_sat.instances.tiles`.
        head_start: begin with a beam search, whose plan ends the search where it is a shortest one.
    """

    bound: bool = True
    one_part: bool = True
    head_start: bool = True

    name = "frontier"
    scope = Scope.of(Tiles)

    @property
    def proves(self) -> frozenset[Status]:
        """That a plan is shortest: every board can be cleared."""
        return frozenset({Status.OPTIMAL})

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses puzzles other than tiles, and columns of more than 64 tiles.

        Raises:
            Unsupported: naming what this backend is for.
        """
        super().check(puzzle)
        assert isinstance(puzzle, Tiles)
        if max(map(len, puzzle.columns)) > MAX_ROWS:
            raise Unsupported(f"backend {self.name} takes columns of at most {MAX_ROWS} tiles; try astar")

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds a shortest plan."""
        assert isinstance(puzzle, Tiles)
        import numpy as np  # imported here: only a process that solves pays for it

        boards = BoardArrays(puzzle)
        if self.head_start:
            plan = _beam(boards)
            if max_steps is None or len(plan) <= max_steps:
                report.plan(plan)
                max_steps = len(plan) - 1
        start = _Bucket.of(boards.start(), np.array([-1]), -1)
        total = int(boards.bounds(start.rows)[0]) if self.bound else 0
        waiting: dict[tuple[int, int], list[_Bucket]] = {(total, 0): [start]}
        done: list[tuple[int, _Bucket]] = []
        expansions = 0
        while waiting:
            total, clicks = key = min(waiting)
            report.lower_bound(total)
            if max_steps is not None and total > max_steps:
                return f"no plan within {max_steps} moves"
            seen = [earlier for bound, earlier in done if bound == total - clicks]
            bucket = _new(waiting.pop(key), seen)
            solved = np.flatnonzero(~bucket.rows.any(axis=1))
            if solved.size:
                report.plan(_trace([each for _, each in done], bucket, int(solved[0])))
                return ""
            for begin in range(0, len(bucket.rows), CHUNK):
                rows = bucket.rows[begin : begin + CHUNK]
                for column, which, after in boards.clicks(rows, one_part=self.one_part):
                    bounds = boards.bounds(after) if self.bound else np.zeros(len(after), np.int64)
                    totals = clicks + 1 + bounds
                    parents = expansions + begin + which
                    for value in np.unique(totals):
                        if max_steps is None or value <= max_steps:
                            these = totals == value
                            child = _Bucket.of(after[these], parents[these], column)
                            waiting.setdefault((int(value), clicks + 1), []).append(child)
            expansions += len(bucket.rows)
            if len(bucket.rows):
                done.append((total - clicks, bucket))
            report.progress(expansions)
        assert max_steps is not None, "every board can be cleared"
        report.lower_bound(max_steps + 1)
        return f"no plan within {max_steps} moves"


@dataclass(frozen=True)
class _Bucket:
    """Boards with their hashes, the boards they come from (numbered as expanded), and the columns clicked there."""

    rows: "Array"
    hashes: "Array"
    parents: "Array"
    columns: "Array"

    @classmethod
    def of(cls, rows: "Array", parents: "Array", column: int) -> "_Bucket":
        """Boards that are reached by clicks on one column."""
        import numpy as np

        multipliers = np.random.default_rng(0).integers(1 << 63, size=rows.shape[1], dtype=np.uint64)
        hashes = np.zeros(len(rows), np.uint64)
        for number, multiplier in enumerate(2 * multipliers + np.uint64(1)):
            hashes += rows[:, number] * multiplier
        return cls(rows, hashes, parents, np.full(len(rows), column, np.int16))

    def at(self, which: "Array") -> "_Bucket":
        """Some of the boards."""
        return _Bucket(self.rows[which], self.hashes[which], self.parents[which], self.columns[which])


def _new(parts: list[_Bucket], seen: list[_Bucket]) -> _Bucket:
    """All boards of the parts, equal ones once and those of ``seen`` left out, in order of their hashes."""
    import numpy as np

    whole = _Bucket(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.hashes for part in parts]),
        np.concatenate([part.parents for part in parts]),
        np.concatenate([part.columns for part in parts]),
    )
    whole = whole.at(np.argsort(whole.hashes))
    new = np.ones(len(whole.rows), bool)
    new[1:] = (whole.rows[1:] != whole.rows[:-1]).any(axis=1)
    for earlier in seen:
        place = np.minimum(np.searchsorted(earlier.hashes, whole.hashes), len(earlier.rows) - 1)
        maybe = np.flatnonzero(earlier.hashes[place] == whole.hashes)
        new[maybe] &= (earlier.rows[place[maybe]] != whole.rows[maybe]).any(axis=1)
    return whole.at(np.flatnonzero(new))


def _beam(boards: "BoardArrays") -> Plan:
    """A short plan: click by click, only the boards with the least bounds and the fewest tiles are kept."""
    import numpy as np

    layers = [_Bucket.of(boards.start(), np.array([-1]), -1)]
    before = 0
    while (rows := layers[-1].rows).any(axis=1).all():
        clicks = boards.clicks(rows, one_part=True)
        bucket = _new([_Bucket.of(after, before + which, column) for column, which, after in clicks], [])
        promise = BEAM_TILES * boards.bounds(bucket.rows) + boards.tiles(bucket.rows)
        before += len(rows)
        layers.append(bucket.at(np.argsort(promise, kind="stable")[:BEAM]))
    return _trace(layers[:-1], layers[-1], int(np.flatnonzero(~rows.any(axis=1))[0]))


def _trace(done: list[_Bucket], bucket: _Bucket, index: int) -> Plan:
    """The clicks that lead to one board of a bucket."""
    import numpy as np

    parents = np.concatenate([each.parents for each in done]) if done else np.array([], np.int64)
    columns = np.concatenate([each.columns for each in done]) if done else np.array([], np.int16)
    clicks = []
    board, column = int(bucket.parents[index]), int(bucket.columns[index])
    while board >= 0:
        clicks.append(Click(column))
        board, column = int(parents[board]), int(columns[board])
    return Plan(tuple(reversed(clicks)))


class BoardArrays:
    """The rules of tiles on arrays of boards: one row a board, plane after plane, in a plane column after column."""

    def __init__(self, puzzle: Tiles) -> None:
        import numpy as np

        self.puzzle = puzzle
        self.width = len(puzzle.columns)
        self.height = max(map(len, puzzle.columns))
        colours = max(1, len(puzzle.palette))  # an empty board may have none
        self.colours = range(1, colours + 1)
        self.planes = colours.bit_length()
        self.word: Any = next(
            word for bits, word in ((16, np.uint16), (32, np.uint32), (64, np.uint64)) if self.height <= bits
        )

    def start(self) -> "Array":
        """The array of the board alone."""
        import numpy as np

        words = [
            sum(((tile + 1) >> plane & 1) << y for y, tile in enumerate(column))
            for plane in range(self.planes)
            for column in self.puzzle.columns
        ]
        return np.array([words], self.word)

    def _split(self, rows: "Array") -> "Array":
        return rows.reshape(len(rows), self.planes, self.width)

    def _held(self, rows: "Array") -> "Array":
        """Whether each column holds each colour: indices board, column, colour."""
        import numpy as np

        planes = self._split(rows)
        held = []
        for colour in self.colours:
            tiles = np.full(planes[:, 0].shape, ~self.word(0), self.word)
            for plane in range(self.planes):
                tiles &= planes[:, plane] if colour >> plane & 1 else ~planes[:, plane]
            held.append(tiles != 0)
        return np.stack(held, axis=2)

    def bounds(self, rows: "Array") -> "Array":
        """The lower bound of each board: runs of columns that hold a colour."""
        import numpy as np

        held = self._held(rows)
        begins = held[:, :1].sum(axis=(1, 2)) + (held[:, 1:] & ~held[:, :-1]).sum(axis=(1, 2))
        return np.asarray(begins, np.int64)

    def tiles(self, rows: "Array") -> "Array":
        """The number of tiles left on each board."""
        import numpy as np

        occupied = np.bitwise_or.reduce(self._split(rows), axis=1)
        return np.asarray(np.bitwise_count(occupied).sum(axis=1), np.int64)

    def clicks(self, rows: "Array", *, one_part: bool) -> "list[tuple[int, Array, Array]]":
        """Every click on one group, at its first column: the column, the boards it is for, and the boards after it."""
        import numpy as np

        planes = self._split(rows)
        one = self.word(1)
        occupied = np.bitwise_or.reduce(planes, axis=1)
        differ_above = np.bitwise_or.reduce(planes ^ (planes >> one), axis=1)
        above = occupied & (occupied >> one) & ~differ_above  # bit y: rows y and y + 1 are of one colour
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
            group = self._flood(column, above[which], right[which])
            clickable[which] &= group & one == 0  # later columns of this group do the same
            found.append((column, which, self._fall(planes[which], group)))
        return found

    def _in_first_part(self, rows: "Array", filled: "Array") -> "Array":
        """Whether each column lies before the first border, behind a tile, that no colour crosses."""
        import numpy as np

        held = self._held(rows)
        border = filled[:, :-1] & ~(held[:, 1:] & held[:, :-1]).any(axis=2)
        inside = np.ones(filled.shape, bool)
        inside[:, 1:] = ~np.logical_or.accumulate(border, axis=1)
        return inside

    def _flood(self, column: int, above: "Array", right: "Array") -> "Array":
        """The group of a column's bottom tile: bit y of each column for row y."""
        import numpy as np

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

    def _fall(self, planes: "Array", group: "Array") -> "Array":
        """The boards without their groups."""
        import numpy as np

        one = self.word(1)
        for row in reversed(range(self.height)):
            below = self.word((1 << row) - 1)
            goes = ((group >> self.word(row)) & one != 0)[:, None, :]
            if goes.any():
                planes = np.where(goes, (planes & below) | ((planes >> one) & ~below), planes)
        return np.asarray(planes.reshape(len(planes), -1))
