"""How far positions of one board are from a goal: many short searches that share their tables and arrays.

Each is A* as in `bsp_sat.backends.kernel`, in the space of homes where the board allows it, and the same arguments hold
(docs/kernel.md). What doesn't end within the effort allowed is not known, and said to be.
"""

import numpy as np

from bsp_sat.backends.kernel import arrays
from bsp_sat.backends.kernel.arrays import EXHAUSTED, GOAL, GROW, PAUSED, Store
from bsp_sat.backends.kernel.backend import Kernel
from bsp_sat.backends.kernel.code import Compiled
from bsp_sat.backends.kernel.contents import UNIFORM, Alphabet, content_of
from bsp_sat.backends.kernel.search import UNLIMITED, KernelSearch, scratch_for, shape_for
from bsp_sat.grading.arrays import FAR
from bsp_sat.grading.ground import Field, Numbers
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort, SortPuzzle, WaterSort

STATES = 1 << 12
BUCKETS = 1 << 15  # clearing and looking through more would take longer than most searches
HASTY = (1, 2)  # weights of cost and bound that give some plan soon
EFFORT = 20_000_000
"""Expansions times tubes² for one position, a second or so; beyond that it isn't known."""


class Oracle:
    """Distances of the positions of one board; what was found is remembered.

    Attributes:
        field: the board's positions.
        expansions: expansions of all searches so far.
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self.expansions = 0
        self._known: dict[Numbers, int] = {}  # `FAR` where no goal can be reached
        self._alive: set[Numbers] = set()
        self._most = EFFORT // len(field.puzzle.tubes) ** 2
        by_homes = fits_homes(field.puzzle)
        tubes = [tube for tube, _ in field.alphabet.numbers if tube]
        alphabet = Alphabet(field.puzzle, by_homes=by_homes, further=tubes)
        self._numbers = [alphabet.numbers[content_of(tube)] for tube, _ in field.alphabet.numbers]
        # In the space of homes a full tube of one colour is an open home, and stands in no state.
        self._home = [0] * len(self._numbers)
        if by_homes:
            for number, (tube, kind) in enumerate(field.alphabet.numbers):
                if kind == UNIFORM and len(tube) == field.puzzle.capacity:
                    self._home[number] = 1 << tube[0]
                    self._numbers[number] = 0
        exact, hasty = (shape_for(alphabet, weights=weights) for weights in ((1, 1), HASTY))
        self._scratch = scratch_for(alphabet, exact)
        self._exact, self._hasty = (Compiled(alphabet.tables, shape, self._scratch) for shape in (exact, hasty))
        places = STATES + arrays.STACK
        self._store = Store(
            keys=np.zeros((places, exact.words), np.uint64),
            cost=np.zeros(places, np.int32),
            bound=np.zeros(places, np.int32),
            parent=np.zeros(places, np.int32),
            table=np.zeros(4 * STATES, np.int32),
            heads=np.zeros(BUCKETS, np.int32),
            entry=np.zeros((2 * STATES, 3), np.int32),
            counters=np.zeros(arrays.COUNTERS, np.int64),
        )

    def distance(self, position: Numbers) -> int | None:
        """Fewest moves to a goal, `FAR` where none can be reached, None where that takes more than the effort."""
        if position not in self._known:
            outcome = self._search(self._exact, position)
            if outcome == PAUSED:
                return None
            self._known[position] = self._cost if outcome == GOAL else FAR
        return self._known[position]

    def is_dead(self, position: Numbers) -> bool | None:
        """Whether no goal can be reached; None where that takes more than the effort."""
        if position in self._known:
            return self._known[position] == FAR
        if position not in self._alive:
            outcome = self._search(self._hasty, position)
            if outcome == PAUSED:
                return None
            if outcome == EXHAUSTED:
                self._known[position] = FAR
                return True
            self._alive.add(position)
        return False

    def _search(self, compiled: Compiled, position: Numbers) -> int:
        """`GOAL`, `EXHAUSTED` or `PAUSED` of one search; then `_cost` has the moves found."""
        store, counters = self._store, self._store.counters
        store.table.fill(-1)
        store.heads.fill(-1)
        counters[:] = 0
        counters[arrays.RECYCLED] = counters[arrays.STACKED] = -1
        self._scratch.child[:] = [self._numbers[number] for number in position]
        homes = 0
        for number in position:
            homes |= self._home[number]
        self._scratch.key[-1] = homes
        outcome = compiled.search(store, UNLIMITED, self._most)
        if outcome == GROW:
            return self._again(position, exact=compiled is self._exact)
        self.expansions += int(counters[arrays.EXPANSIONS])
        if outcome == GOAL:
            self._cost = int(store.cost[counters[arrays.FOUND]])
        return outcome

    def _again(self, position: Numbers, *, exact: bool) -> int:
        """The same for a position that takes more room."""
        puzzle = self.field.puzzle_of(position)
        search = KernelSearch(puzzle, by_homes=fits_homes(puzzle), weights=(1, 1) if exact else HASTY)
        outcome = search.advance(UNLIMITED, self._most)
        self.expansions += search.expansions
        if outcome == GOAL:
            self._cost = search.way()[-1].cost
        return outcome


SCOPE = Scope.of(BallSort, WaterSort, features=(MONOCHROME, SEVERAL_HOMES))
"""What can be graded."""


def check_board(puzzle: AnyPuzzle, who: str = "grading", scope: Scope = SCOPE) -> None:
    """Refuses a board outside a scope, and one that compiled code has no packed positions for.

    Raises:
        Unsupported: saying what it is, or naming the limit.
    """
    scope.check(who, puzzle)
    try:
        Kernel().check(puzzle)
    except Unsupported as error:
        reason = str(error).partition(";")[0]
        raise Unsupported(f"grades and hints need the compiled search, and {reason}") from None


def fits_homes(puzzle: SortPuzzle) -> bool:
    """Whether the space of homes can be searched: ball sort, each colour filling one tube."""
    return isinstance(puzzle, BallSort) and not puzzle.features()
