"""Lengths of shortest plans of many boards, by one compiled search that is restarted for each.

The contents of all boards' tubes are numbered once; after that, a search costs little more than its expansions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bsp_sat.backends.engine import EXHAUSTED, FOUND
from bsp_sat.backends.kernel.backend import Kernel
from bsp_sat.backends.kernel.contents.ruled import RuledAlphabet
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.instances.sorting import UNKNOWN, Filling, Place, SortPuzzle, TubeRule

MOST_TEMPLATES = 1 << 14
TURN = 1_000_000
EACH_SEARCH = 25  # what a search costs beside its expansions, counted as such

_State = tuple[int, ...]
"""The sorted numbers of a position's tubes; equal for symmetric positions."""


@dataclass(frozen=True)
class _Filler:
    """A tube with unknown cells, whose part of a filling is ``chosen``, and its contents' numbers by that part."""

    tube: bytes
    levels: Sequence[int]
    chosen: slice
    numbers: dict[Filling, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Template:
    """A board with unknown cells, prepared for fillings. ``fillers``: the other tubes, with rule and covers."""

    known: Sequence[int]
    fillers: Sequence[tuple[_Filler, TubeRule, int]]
    lengths: dict[Filling, int | None] = field(default_factory=dict)


class Distances:
    """Lengths of shortest plans for positions reachable from some boards with the same rules; results are cached.

    The boards have no unknown cells. ``interrupt`` is called often, and may raise an exception to end the preparation.
    ``effort`` counts states expanded so far, and `EACH_SEARCH` for each search. Raises Unsupported if boards are too
    large for compiled code.
    """

    def __init__(self, boards: Sequence[SortPuzzle], interrupt: Callable[[], None] = lambda: None) -> None:
        first = boards[0]
        Kernel().check(first)
        self._first = first
        self._alphabet = RuledAlphabet(first, boards, interrupt)
        self._search: KernelSearch | None = None
        self.effort = 0
        self._known: dict[_State, int | None] = {}
        self._fillers: dict[tuple[int, bytes, int], _Filler] = {}
        self._templates: dict[tuple[tuple[bytes, ...], tuple[int, ...]], _Template] = {}

    def length(self, board: SortPuzzle) -> int | None:
        """Moves of a shortest plan; None if there is none, MemoryError if the search needs too much."""
        return self._length_of(tuple(sorted(self._alphabet.start(board))))

    def length_filled(self, board: SortPuzzle, cells: Sequence[Place], filling: Filling) -> int | None:
        """The length for a board whose unknown cells, a part of ``cells``, are filled by ``filling``.

        Cells that the player could already see count as known.
        """
        if not board.is_hidden:
            return self.length(board)
        if board.rules.locked or (board.stops_at_covers and board.to_see):  # what is to be seen makes a difference
            colours = dict(zip(cells, filling, strict=True))
            return self.length(board.with_cells({cell: colours[cell] for cell in board.unknown}))
        template = self._templates.get((board.tubes, board.covers)) or self._new_template(board, cells)
        try:
            return template.lengths[filling]
        except KeyError:
            length = template.lengths[filling] = self._length_of(self._filled(template, filling))
            return length

    def _filled(self, template: _Template, filling: Filling) -> _State:
        """The state of a board with its unknown cells filled."""
        numbers = list(template.known)
        for filler, rule, cover in template.fillers:
            chosen = filling[filler.chosen]
            number = filler.numbers.get(chosen)
            if number is None:
                full = bytearray(filler.tube)
                for level, colour in zip(filler.levels, chosen, strict=True):
                    full[level] = colour
                number = filler.numbers[chosen] = self._alphabet.number(bytes(full), rule, cover)
            numbers.append(number)
        numbers.sort()
        return tuple(numbers)

    def _new_template(self, board: SortPuzzle, cells: Sequence[Place]) -> _Template:
        known, fillers = [], []
        for place, (tube, rule, cover) in enumerate(zip(board.tubes, board.rules.tubes, board.covers, strict=True)):
            if UNKNOWN not in tube:
                known.append(self._alphabet.number(tube, rule, cover))
                continue
            filler = self._fillers.get((place, tube, cover))
            if filler is None:
                levels = [level for level, ball in enumerate(tube) if ball == UNKNOWN]
                numbers = [cells.index((place, level)) for level in levels]
                # The cells of a tube are contiguous, bottom first, and the topmost become known first.
                filler = _Filler(tube, levels, slice(numbers[0], numbers[-1] + 1))
                self._fillers[place, tube, cover] = filler
            fillers.append((filler, rule, cover))
        if len(self._templates) >= MOST_TEMPLATES:
            self._templates.clear()
        template = self._templates[board.tubes, board.covers] = _Template(known, fillers)
        return template

    def _length_of(self, state: _State) -> int | None:
        try:
            return self._known[state]
        except KeyError:
            length = self._known[state] = self._find(state)
            return length

    def _find(self, state: _State) -> int | None:
        if self._search is None or self._search.deepening:
            self._search = KernelSearch(self._first, by_homes=False, alphabet=self._alphabet)
        self._search.restart(state)
        while True:
            outcome = self._search.advance(NO_LIMIT, TURN)
            if self._search.deepening:
                raise MemoryError
            if outcome in (FOUND, EXHAUSTED):
                self.effort += EACH_SEARCH + self._search.expansions
                return self._search.goal_cost if outcome == FOUND else None
