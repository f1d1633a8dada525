"""Exact lengths of shortest plans for filled positions: one compiled search, started again and again.

The contents that tubes can have under any of some fillings are numbered once (`bsp_sat.backends.kernel.ruled`); then a
search costs little more than its expansions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bsp_sat.backends.kernel.arrays import EXHAUSTED, GOAL
from bsp_sat.backends.kernel.backend import Kernel
from bsp_sat.backends.kernel.ruled import RuledAlphabet
from bsp_sat.backends.kernel.search import UNLIMITED, KernelSearch
from bsp_sat.instances.sorting import UNKNOWN, Filling, HiddenSort, Place, RuledSort

Numbers = tuple[int, ...]
MANY_STATES = 1 << 17  # a search with more is made anew, as emptying it takes longer than making it
TURN = 1_000_000


Template = tuple[list[int], list[tuple[int, bytes, int, list[tuple[int, int]]]]]
"""Numbers of tubes without unknown cells; of the others place, balls, covers, and levels with places in fillings."""


@dataclass(frozen=True)
class Cells:
    """The unknown cells of a board, to which fillings give colours, in their order."""

    places: tuple[Place, ...]

    def filled(self, board: HiddenSort, filling: Filling) -> RuledSort:
        """The position with all unknown cells as ``filling`` has them."""
        colours = dict(zip(self.places, filling, strict=True))
        found = board.told({place: colours[place] for place in board.unknown})
        assert isinstance(found, RuledSort)
        return found


class Oracle:
    """Lengths of shortest plans for positions that come of some boards under the same rules.

    Attributes:
        solves: how many searches were made.
    """

    ENDLESS: ClassVar[int] = 1 << 18
    """The length where there is no plan."""

    def __init__(self, boards: Sequence[RuledSort]) -> None:
        first = boards[0]
        Kernel().check(first)
        self._first = first
        self._alphabet = RuledAlphabet(first, boards)
        self._search: KernelSearch | None = None
        self._known: dict[Numbers, int] = {}
        self._filled: dict[tuple[int, bytes, int, tuple[int, ...]], int] = {}
        self._template_of: tuple[HiddenSort | None, Template] = (None, ([], []))
        self.solves = 0

    def numbers(self, board: RuledSort) -> Numbers:
        """What stands for a position and all that differ from it by a symmetry."""
        return tuple(sorted(self._alphabet.start(board)))

    def length(self, board: RuledSort) -> int:
        """Moves of a shortest plan; `ENDLESS` where there is none."""
        return self.length_of(self.numbers(board))

    def length_of(self, numbers: Numbers) -> int:
        """The same for `numbers`."""
        known = self._known.get(numbers)
        if known is None:
            known = self._known[numbers] = self._solve(numbers)
        return known

    def of_filling(self, board: RuledSort, cells: Cells, filling: Filling) -> int:
        """The length for a board with its unknown cells, some of ``cells``, as ``filling`` has them."""
        if not isinstance(board, HiddenSort):
            return self.length(board)
        if board.rules.locked:  # what nobody sees may open one
            return self.length(cells.filled(board, filling))
        known, unknown = self._template(board, cells)
        numbers = list(known)
        for place, tube, cover, places in unknown:
            chosen = tuple(filling[number] for _, number in places)
            found = self._filled.get((place, tube, cover, chosen))
            if found is None:
                full = bytearray(tube)
                for (level, _), colour in zip(places, chosen, strict=True):
                    full[level] = colour
                found = self._alphabet.number(bytes(full), board.rules.tubes[place], cover)
                self._filled[place, tube, cover, chosen] = found
            numbers.append(found)
        numbers.sort()
        return self.length_of(tuple(numbers))

    def _template(self, board: HiddenSort, cells: Cells) -> "Template":
        """What the numbers of a board's fillings have in common, and what is to be filled in."""
        if board is not self._template_of[0]:
            index = {place: number for number, place in enumerate(cells.places)}
            known, unknown = [], []
            for place, (tube, rule, cover) in enumerate(zip(board.tubes, board.rules.tubes, board.covers, strict=True)):
                if UNKNOWN in tube:
                    levels = [(level, index[place, level]) for level, ball in enumerate(tube) if ball == UNKNOWN]
                    unknown.append((place, tube, cover, levels))
                else:
                    known.append(self._alphabet.number(tube, rule, cover))
            self._template_of = board, (known, unknown)
        return self._template_of[1]

    def _solve(self, numbers: Numbers) -> int:
        self.solves += 1
        if self._search is None or self._search.states > MANY_STATES:
            self._search = KernelSearch(self._first, by_homes=False, alphabet=self._alphabet, start=numbers)
        else:
            self._search.restart(numbers)
        while True:
            outcome = self._search.advance(UNLIMITED, TURN)
            if self._search.deepening:
                raise MemoryError
            if outcome == GOAL:
                return self._search.goal_cost
            if outcome == EXHAUSTED:
                return self.ENDLESS
