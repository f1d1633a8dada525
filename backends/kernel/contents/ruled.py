"""Tube contents as small numbers, like `bsp_sat.backends.kernel.contents.alphabet`, for tubes with rules.

A number stands for the contents of a tube, its rule, and its covered cells if they make a difference. So tubes with
equal rules and contents are interchangeable in the search, and others aren't. When a lock opens, the number changes to
that of the same contents under the open rule. Number 0 is the empty tube under the first rule; empty tubes under other
rules have their own numbers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import POINTER, byref, c_int32, c_int64, c_uint64
from functools import cached_property, lru_cache
from typing import NamedTuple

from bsp_sat.backends.kernel.contents.alphabet import MIXED, UNIFORM, Alphabet, Tables, handle_of
from bsp_sat.instances.sorting import (
    COLOURED,
    TUBE_RULES,
    WANTED,
    SortPuzzle,
    TubeRule,
    block_count,
    bottom_run,
    may_end_in,
    most_homes,
    moves_to_fill,
    top_run,
)

RuledContent = tuple[bytes, TubeRule, int]
"""Balls, bottom first; the tube's rule; bits of the covered cells."""


class _Figures(NamedTuple):
    """The fields of `Tables` for one content; the defaults are those of an empty tube.

    Top and bottom are the ends where balls leave and where they may stay, even where balls leave at the bottom.
    """

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
    needs: int = 0
    afresh: int = 0


class RuledAlphabet:
    """The contents that a board's tubes can have, numbered."""

    def __init__(
        self,
        puzzle: SortPuzzle,
        boards: Iterable[SortPuzzle] | None = None,
        interrupt: Callable[[], None] = lambda: None,
    ) -> None:
        """Numbers the contents reachable from ``boards`` under the rules of ``puzzle``; by default from ``puzzle``.

        ``interrupt`` is called for each board, and may raise an exception to end the preparation.
        """
        self.puzzle = puzzle
        self._covered = puzzle.stops_at_covers
        rules = puzzle.rules
        boards = [puzzle] if boards is None else list(boards)
        # They differ by locks that have opened.
        self._rules = dict.fromkeys([rules, *(board.rules for board in boards)])
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
        self._number_reachable(waiting)
        for board in boards:
            interrupt()
            self._number_reachable(self._contents_of(board))

    def _contents_of(self, board: SortPuzzle) -> list[RuledContent]:
        covers: Sequence[int] = board.covers if self._covered else (0,) * len(board.tubes)
        return list(zip(board.tubes, board.rules.tubes, covers, strict=True))

    def _number_reachable(self, waiting: Sequence[RuledContent]) -> None:
        """Numbers contents and all contents reachable from them."""
        for content in waiting:
            self._add(content)
        while len(self._less) < len(self.contents):
            content = self.contents[len(self._less)]
            tube, rule, cover = content
            opened = tube, rule.base, self._covered_below(tube, cover)
            self._opens.append(-1 if rule.lock is None else self._add(opened))
            still = rule.lock is not None or not tube
            less = tube[1:] if self.puzzle.rules.drain else tube[:-1]
            self._less.append(0 if still else self._add((less, rule, self._covered_below(less, cover))))
            grows = not still and len(tube) < rule.capacity and rule.lets_in(tube[-1])
            self._more.append(self._add((tube + tube[-1:], rule, cover)) if grows else 0)

    def _add(self, content: RuledContent) -> int:
        number = self.numbers.setdefault(content, len(self.contents))
        if number == len(self.contents):
            self.contents.append(content)
        return number

    @staticmethod
    def _covered_below(tube: bytes, cover: int) -> int:
        """The cells of a tube that stay covered when its top cell can be seen."""
        return cover & ((1 << max(0, len(tube) - 1)) - 1)

    def number(self, tube: bytes, rule: TubeRule, cover: int) -> int:
        """The number of the contents of a tube."""
        return self.numbers[tube, rule, cover if self._covered else 0]

    def start(self, board: SortPuzzle) -> list[int]:
        """The numbers of a board's tubes."""
        return [self.numbers[content] for content in self._contents_of(board)]

    @cached_property
    def handle(self) -> int:
        """The engine's ``struct bspsat_board``, with tables of all contents. Raises MemoryError."""
        puzzle, rules = self.puzzle, self.puzzle.rules
        keeps = self._colours_that_stay()
        rows = [self._figures_of(content, keeps) for content in self.contents]
        columns: dict[str, Sequence[int]] = dict(zip(_Figures._fields, zip(*rows, strict=True), strict=True))
        columns |= {"less": self._less, "more": self._more, "opens": self._opens}
        columns |= {"founded": self._of_one_colour(), "homes": most_homes(rules, puzzle.goal), "counts": rules.counts}
        if puzzle.goal == "wanted":
            columns |= {"homes": rules.wanted, "fills": self._tubes_by_moves()}
        else:
            del columns["needs"], columns["afresh"]
        takes = [self._accepted_colours(tube, rule) for tube, rule, _ in self.contents]
        tables = Tables(
            numbers=len(rows),
            colours=len(puzzle.palette),
            capacity=rules.tallest,
            groups=len(self.groups),
            takes=(c_uint64 * len(takes))(*takes),
            **{name: (c_int32 * len(column))(*column) for name, column in columns.items()},
        )
        shape = len(puzzle.tubes), not puzzle.whole_run, not rules.partial
        types = POINTER(Tables), c_int64, c_int64, c_int64
        return handle_of(self, "bspsat_board_of_tables", types, byref(tables), *shape)

    def _colours_that_stay(self) -> dict[TubeRule, Sequence[bool]]:
        """For each rule and colour, whether a bottom run of the colour may stay in a tube with that rule."""
        keeps = {
            rule: row
            for rules in self._rules
            for rule, row in zip(rules.tubes, may_end_in(rules, self.puzzle.goal), strict=True)
        }
        return {**keeps, **{rule.base: row for rule, row in keeps.items()}}

    def _figures_of(self, content: RuledContent, keeps: Mapping[TubeRule, Sequence[bool]]) -> "_Figures":
        tube, rule, cover = content
        puzzle, rules, goal, lock = self.puzzle, self.puzzle.rules, self.puzzle.goal, rule.lock
        size, group = len(tube), self._group_of[rule]
        lock_colour = -1 if lock is None or lock.colour is None else lock.colour
        lock_tubes = 0 if lock is None or lock.tubes is None else lock.tubes
        if not tube:
            return _Figures(room=rule.capacity, group=group, lock_colour=lock_colour, lock_tubes=lock_tubes)
        tube = tube[::-1] if rules.drain else tube
        stays = bottom_run(tube)
        uniform = stays == size
        all_there = uniform and size == rules.counts[tube[0]]
        full = uniform and size == rule.capacity
        complete = full or (all_there and goal not in ("full", "wanted"))
        own = rule.colour == tube[0]
        done = {"full": full, "gathered": all_there, "coloured": uniform and own}.get(goal, uniform)
        settled = {"full": stays == rule.capacity, "coloured": own}.get(goal, stays == rules.counts[tube[0]])
        may_keep = keeps[rule][tube[0]] or settled or goal == "monochrome"
        return _Figures(
            top=tube[-1],
            run=min(top_run(tube), size - cover.bit_length()),
            room=rule.capacity - size,
            bottom=tube[0],
            work=block_count(tube) if puzzle.whole_run else size,
            keep=0 if not may_keep else 1 if puzzle.whole_run else stays,
            kind=UNIFORM if uniform and not cover and puzzle.keeps_uniform else MIXED,
            done=done,
            # as `SortPuzzle._finished`
            alone=rules.tubes_alike and done and all_there and goal != "wanted" and not rules.drain,
            gives=lock is None and rule.gives and not (rules.cork and complete),
            group=group,
            lock_colour=lock_colour,
            lock_tubes=lock_tubes,
            complete=size if complete else 0,
            needs=self._moves_to_fill(tube, rule, tube[0]),
            afresh=self._moves_to_fill(b"", rule, tube[0]),
        )

    def _accepted_colours(self, tube: bytes, rule: TubeRule) -> int:
        """The colours that the tube accepts now, as bits."""
        if rule.lock is not None or not rule.takes or len(tube) >= rule.capacity:
            return 0
        let_in = range(len(self.puzzle.palette)) if rule.accepts is None else rule.accepts
        return sum(1 << colour for colour in let_in if not tube or tube[-1] == colour)

    def _moves_to_fill(self, tube: bytes, rule: TubeRule, colour: int) -> int:
        """What a tube, from the end at which balls may stay, needs to be full of a colour, where that is wanted."""
        need = moves_to_fill(tube, rule, colour, whole_run=self.puzzle.whole_run)
        return self.puzzle.rules.tallest + 1 if need is None else need

    def _tubes_by_moves(self) -> list[int]:
        """By colour and number of moves, how many tubes so many would fill with the colour, if all were empty."""
        rules = self.puzzle.rules
        return [
            sum(self._moves_to_fill(b"", rule, colour) == moves for rule in rules.tubes)
            for colour in range(len(self.puzzle.palette))
            for moves in range(rules.tallest + 1)
        ]

    def _of_one_colour(self) -> list[int]:
        """The contents of one colour in a tube that was empty: by rule, colour and number of balls, 0 for none."""
        loads = range(self.puzzle.rules.tallest + 1)
        return [
            self.numbers.get((bytes([colour]) * load, rule, 0), 0) if load else 0
            for rule in self.groups
            for colour in range(len(self.puzzle.palette))
            for load in loads
        ]


def has_rules(puzzle: SortPuzzle) -> bool:
    """Whether the search needs `RuledAlphabet` for a board, as its moves or its goal differ from the plain ones."""
    return not puzzle.is_plain and not puzzle.features().isdisjoint({COLOURED, WANTED, *TUBE_RULES})


AnyAlphabet = Alphabet | RuledAlphabet


@lru_cache(maxsize=2)  # for all searches of one board
def alphabet_of(puzzle: SortPuzzle, *, by_homes: bool) -> AnyAlphabet:
    """The alphabet of a board, made once for all searches from it."""
    return RuledAlphabet(puzzle) if has_rules(puzzle) else Alphabet(puzzle, by_homes=by_homes)
