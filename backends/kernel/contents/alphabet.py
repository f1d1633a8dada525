"""Tube contents as small numbers: the alphabet of the compiled search.

A ball lands only on its own colour or in an empty tube. So a tube always holds either a **residue**, which is the lower
part of its original contents, with balls of the residue's top colour on it, or balls of one colour only. There are few
such contents (about ten a tube at capacity 4). Each gets a number. A state is the sorted list of its tubes' numbers,
and tables say what a move does to a tube. Number 0 is the empty tube.

Two alphabets are made, for the two state spaces of `bsp_sat.backends.kernel.search.compiled.loops`: for single moves a
step takes one ball off a tube, for homes it takes the whole top run. Compiled code makes both, see
`bsp_sat.backends.kernel.contents.compiled.alphabet`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from struct import calcsize
from typing import Any, NamedTuple

from bsp_sat.backends.kernel.contents.arrays import (
    AT,
    BASE,
    BY_HOMES,
    END,
    MIXED,
    MONOCHROME,
    NUMBERED_END,
    UNIFORM,
    WATER,
    Boards,
    Contents,
    Table,
)
from bsp_sat.backends.kernel.native.layout import NUMBERS_OF_ARRAY, Array, Layout, Longs, NumberRows, fields
from bsp_sat.backends.kernel.native.memory import address_of, array_of, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.instances.sorting import (
    TUBE_RULES,
    BallSort,
    SortPuzzle,
    TubeRule,
    block_count,
    bottom_run,
    may_end_in,
    most_homes,
    top_run,
)

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


RuledContent = tuple[bytes, TubeRule, int]
"""Balls, bottom first; the tube's rule; bits of the covered cells."""


class _Figures(NamedTuple):
    """The fields of `Contents` for one content; the defaults are those of an empty tube."""

    top: int = -1
    run: int = 0
    room: int = 0
    bottom: int = -1
    work: int = 0
    keep: int = 0
    kind: int = 0
    done: bool = True
    alone: bool = False
    gives: bool = False
    group: int = 0
    lock_colour: int = -1
    lock_tubes: int = 0
    complete: int = 0


class RuledAlphabet:
    """The contents that a board's tubes can have, numbered, under rules of tubes.

    A number stands for the contents of a tube, its rule, and its covered cells if they make a difference. So tubes with
    equal rules and contents are interchangeable in the search, and others aren't. When a lock opens, the number changes
    to that of the same contents under the open rule. Number 0 is the empty tube under the first rule; empty tubes under
    other rules have their own numbers.

    Attributes:
        puzzle: the board.
        numbers: the number of each content.
        contents: by number.
    """

    def __init__(
        self,
        puzzle: SortPuzzle,
        boards: Iterable[SortPuzzle] | None = None,
        look_up: Callable[[], None] = lambda: None,
    ) -> None:
        """Numbers the contents reachable from ``boards`` under the rules of ``puzzle``; by default from ``puzzle``.

        ``look_up`` is called for each board, and may raise an exception to end the preparation.
        """
        self.puzzle = puzzle
        self._covered = puzzle.stops_at_covers
        rules = puzzle.rules
        boards = [puzzle] if boards is None else list(boards)
        self._rules = dict.fromkeys(
            [rules, *(board.rules for board in boards)]
        )  # they differ by locks that have opened
        all_rules = (rule for each in self._rules for tube in each.tubes for rule in (tube, tube.base))
        self.groups = list(dict.fromkeys(all_rules))
        self._group_of = {rule: number for number, rule in enumerate(self.groups)}
        self.numbers: dict[RuledContent, int] = {(b"", self.groups[0], 0): 0}
        self.contents: list[RuledContent] = [(b"", self.groups[0], 0)]
        self._less: list[int] = []
        self._more: list[int] = []
        self._opens: list[int] = []
        waiting: list[RuledContent] = [(b"", rule, 0) for rule in self.groups]
        for rule in self.groups:
            for colour in range(len(puzzle.palette)):
                if rule.lock is None and rule.lets_in(colour):
                    waiting += [(bytes([colour]) * load, rule, 0) for load in range(1, rule.capacity + 1)]
        self._take(waiting)
        for board in boards:
            look_up()
            self._take(self._of(board))

    def _of(self, board: SortPuzzle) -> list[RuledContent]:
        covers: Sequence[int] = board.covers if self._covered else (0,) * len(board.tubes)
        return list(zip(board.tubes, board.rules.tubes, covers, strict=True))

    def _take(self, waiting: Sequence[RuledContent]) -> None:
        """Numbers contents and all contents reachable from them."""
        for content in waiting:
            self._number(content)
        while len(self._less) < len(self.contents):
            content = self.contents[len(self._less)]
            tube, rule, cover = content
            self._opens.append(-1 if rule.lock is None else self._number((tube, rule.base, self._seen(tube, cover))))
            still = rule.lock is not None or not tube
            self._less.append(0 if still else self._number((tube[:-1], rule, self._seen(tube[:-1], cover))))
            grows = not still and len(tube) < rule.capacity and rule.lets_in(tube[-1])
            self._more.append(self._number((tube + tube[-1:], rule, cover)) if grows else 0)

    def _number(self, content: RuledContent) -> int:
        number = self.numbers.setdefault(content, len(self.contents))
        if number == len(self.contents):
            self.contents.append(content)
        return number

    @staticmethod
    def _seen(tube: bytes, cover: int) -> int:
        """The cells of a tube that stay covered when its top cell can be seen."""
        return cover & ((1 << max(0, len(tube) - 1)) - 1)

    def number(self, tube: bytes, rule: TubeRule, cover: int) -> int:
        """The number of the contents of a tube."""
        return self.numbers[tube, rule, cover if self._covered else 0]

    def start(self, board: SortPuzzle) -> tuple[list[int], int]:
        """The numbers of a board's tubes, and 0: there are no open homes in this space."""
        return [self.numbers[content] for content in self._of(board)], 0

    @cached_property
    def tables(self) -> Contents:
        """The lookup tables, which are never changed."""
        puzzle, rules = self.puzzle, self.puzzle.rules
        keeps = self._keeps()
        rows = [self._figures(content, keeps) for content in self.contents]
        columns = (array_of("i", column) for column in zip(*rows, strict=True))
        return Contents(
            **dict(zip(_Figures._fields, columns, strict=True)),
            stays=zeros("i", len(rows)),
            blocks=zeros("i", 1, max(1, len(puzzle.palette))),
            less=array_of("I", self._less),
            more=array_of("I", self._more),
            colours=zeros("Q", 1),
            founded=self._founded(len(puzzle.palette)),
            homes=array_of("i", most_homes(rules, puzzle.goal)),
            takes=array_of("Q", [self._takes(tube, rule) for tube, rule, _ in self.contents]),
            opens=array_of("i", self._opens),
            counts=array_of("i", rules.counts),
        )

    def _keeps(self) -> dict[TubeRule, Sequence[bool]]:
        """For each rule and colour, whether a bottom run of the colour may stay in a tube with that rule."""
        keeps = {
            rule: row
            for rules in self._rules
            for rule, row in zip(rules.tubes, may_end_in(rules, self.puzzle.goal), strict=True)
        }
        return {**keeps, **{rule.base: row for rule, row in keeps.items()}}

    def _figures(self, content: RuledContent, keeps: Mapping[TubeRule, Sequence[bool]]) -> "_Figures":
        tube, rule, cover = content
        puzzle, rules, goal, lock = self.puzzle, self.puzzle.rules, self.puzzle.goal, rule.lock
        size, group = len(tube), self._group_of[rule]
        lock_colour = -1 if lock is None or lock.colour is None else lock.colour
        lock_tubes = 0 if lock is None or lock.tubes is None else lock.tubes
        if not tube:
            return _Figures(room=rule.capacity, group=group, lock_colour=lock_colour, lock_tubes=lock_tubes)
        stays = bottom_run(tube)
        uniform = stays == size
        all_there = uniform and size == rules.counts[tube[0]]
        full = uniform and size == rule.capacity
        complete = full or (goal != "full" and all_there)
        done = {"full": full, "gathered": all_there}.get(goal, uniform)
        settled = stays == rule.capacity if goal == "full" else stays == rules.counts[tube[0]]
        may_keep = keeps[rule][tube[0]] or settled or goal == "monochrome"
        swaps = puzzle.whole_run or not rules.cork  # an empty tube of the same rule is as good
        return _Figures(
            top=tube[-1],
            run=min(top_run(tube), size - cover.bit_length()),
            room=rule.capacity - size,
            bottom=tube[0],
            work=block_count(tube) if puzzle.whole_run else size,
            keep=0 if not may_keep else 1 if puzzle.whole_run else stays,
            kind=UNIFORM if uniform and not cover and swaps else MIXED,
            done=done,
            alone=rules.tubes_alike and done and all_there,
            gives=lock is None and rule.gives and not (rules.cork and complete),
            group=group,
            lock_colour=lock_colour,
            lock_tubes=lock_tubes,
            complete=size if complete else 0,
        )

    def _takes(self, tube: bytes, rule: TubeRule) -> int:
        """The colours that the tube accepts now, as bits."""
        if rule.lock is not None or not rule.takes or len(tube) >= rule.capacity:
            return 0
        let_in = range(len(self.puzzle.palette)) if rule.accepts is None else rule.accepts
        return sum(1 << colour for colour in let_in if not tube or tube[-1] == colour)

    def _founded(self, colours: int) -> NumberRows:
        """[groups · colours, capacity + 1] number of the contents of one colour in a tube that was empty."""
        founded = zeros("I", max(1, len(self.groups) * colours), self.puzzle.rules.tallest + 1)
        for number, rule in enumerate(self.groups):
            for colour in range(colours):
                for load in range(1, rule.capacity + 1):
                    content = (bytes([colour]) * load, rule, 0)
                    founded[number * colours + colour, load] = self.numbers.get(content, 0)
        return founded


def has_rules(puzzle: SortPuzzle) -> bool:
    """Whether the search needs `RuledAlphabet` for a board, as its moves or its goal differ from the plain ones."""
    return not puzzle.is_plain and not puzzle.features().isdisjoint(TUBE_RULES)


AnyAlphabet = Alphabet | RuledAlphabet


@lru_cache(maxsize=2)  # for all searches of one board
def alphabet_of(puzzle: SortPuzzle, *, by_homes: bool) -> AnyAlphabet:
    """The alphabet of a board, made once for all searches from it."""
    return RuledAlphabet(puzzle) if has_rules(puzzle) else Alphabet(puzzle, by_homes=by_homes)
