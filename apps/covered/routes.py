"""Routes: known moves to the next place where something is learnt.

A route to a **cell** is a sequence of moves after which, for every filling, an unknown cell is revealed or the board is
solved, with no position before it in which fillings differ. A route to a **question** leads to a position in which they
do: a lock may have opened, a tube be corked, the board be solved, or a known top reveal a cell of its colour below it.

The **cost** of a route is its moves, plus the mean over the fillings of what is left after it (`Hindsight.left`). The
cheapest one is found by A*. What is left falls by at most one with each move, so the moves so far plus the mean at a
position never exceed the cost of a route through it. That has two consequences:

* the first route that A* finishes is a cheapest one, unless a limit ended the search for others (when the effort for
  lengths is used up, the route that is expected to be cheapest is taken);
* lengths are searched only as far as they are needed: a position waits in the queue with what its lengths add up to by
  then, where the length of its parent less one stands for a length that hasn't been searched.

Without fillings nothing is left after a route, and the cheapest one is a shortest one.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from math import inf

from bsp_sat.apps.covered.effects import NOTHING
from bsp_sat.apps.covered.exact import moves_of
from bsp_sat.apps.covered.hindsight import Hindsight
from bsp_sat.apps.covered.knowledge import Knowledge, key_up_to_exchange
from bsp_sat.instances.sorting import Filling, Pour, SortPuzzle

MOST_POSITIONS = 20_000  # expanded for a shortest route
MOST_BEFORE_PLANS = 1_000  # the same, where a plan for a filling leads to something, too
MOST_WEIGHED = 300  # expanded for a cheapest one
MOST_EFFORT = 900_000  # states expanded for lengths, with those for fillings, until a route found so far has to do


class Reach(IntEnum):
    """What a route leads to."""

    NOTHING = 0
    QUESTION = 1
    CELL = 2


@dataclass(frozen=True)
class Route:
    """A route. ``complete``: whether the search came to its end: there is no cheaper one, or none at all."""

    moves: tuple[Pour, ...]
    end: SortPuzzle
    reach: Reach
    complete: bool


@dataclass(eq=False)
class _Waiting:
    """A position in the queue, as it is known if nothing is learnt there.

    ``reach`` is what a route that ends here leads to, if one does; ``lengths`` what is left for each filling, that of
    the parent less one if it isn't searched yet; ``open`` the places of those fillings, the next one last.
    """

    board: SortPuzzle
    moves: tuple[Pour, ...]
    reach: Reach
    lengths: list[float]
    open: list[int] | None = None

    @property
    def key(self) -> object:
        """Equal for positions of which one is enough."""
        return key_up_to_exchange(self.board), self.reach

    @property
    def cost(self) -> float:
        """The least cost of a route through it, times the number of fillings."""
        return len(self.moves) * max(1, len(self.lengths)) + sum(self.lengths)


@dataclass(frozen=True)
class Routes:
    """The search for routes. ``left_open``: keys of positions whose questions aren't asked again."""

    knowledge: Knowledge
    hindsight: Hindsight
    left_open: Collection[object]
    # By how much lengths were greater than they had to be, and how many were searched; both by the filling's place.
    _raised: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    _searched: Counter[int] = field(default_factory=Counter)

    def cheapest(self, board: SortPuzzle, least: Reach) -> Route:
        """A cheapest route that leads to ``least`` or more."""
        return self._cheapest_route(board, least, self.hindsight.fillings, MOST_WEIGHED)

    def shortest(self, board: SortPuzzle, most: int = MOST_POSITIONS) -> Route:
        """A shortest route to a cell, or to a question if none leads to a cell, among ``most`` positions."""
        to_cell = self._cheapest_route(board, Reach.CELL, (), most)
        return to_cell if to_cell.moves else self._cheapest_route(board, Reach.QUESTION, (), most)

    def by_plan(self, board: SortPuzzle, filling: Filling) -> Route:
        """The moves of a shortest plan for a filling, which has one, up to where something is learnt."""
        moves: list[Pour] = []
        while True:
            lengths = {move: self.hindsight.length(board.after_legal(move), filling) for move in moves_of(board)}
            move = min(lengths, key=lambda each: inf if (length := lengths[each]) is None else length)
            moves.append(move)
            after = board.after_legal(move)
            reach, silent = self._unless_revealed(after)
            if reach or silent is None:
                return Route(tuple(moves), after, reach, complete=False)
            board = silent

    def _cheapest_route(self, board: SortPuzzle, least: Reach, fillings: Sequence[Filling], most: int) -> Route:
        """A* for a cheapest route."""
        most_effort = max(MOST_EFFORT, self.hindsight.effort + MOST_EFFORT // 2)
        start = _Waiting(board, (), Reach.NOTHING, [self.hindsight.left(board, filling) for filling in fillings], [])
        number = count()
        queue = [(start.cost, 0, next(number), start)]
        fewest = {start.key: 0}
        expanded, complete = 0, True
        while queue and self.hindsight.effort <= most_effort:
            _, rank, _, here = heappop(queue)
            if not here.reach and expanded >= most:
                complete = False
                continue
            least_other = queue[0][0] if queue else inf
            self._search_lengths(here, least_other, most_effort)
            if here.open or here.cost > least_other:
                heappush(queue, (here.cost, rank, next(number), here))
            elif here.reach:
                return Route(here.moves, here.board, here.reach, complete)
            elif fewest[here.key] == len(here.moves):
                expanded += 1
                for after in self._positions_after(here, least):
                    key, moves = after.key, len(after.moves)
                    if moves < fewest.get(key, moves + 1):
                        fewest[key] = moves
                        heappush(queue, (after.cost, -moves, next(number), after))
        if ends := [here for *_, here in queue if here.reach]:
            best = min(ends, key=self._expected_cost)
            return Route(best.moves, best.board, best.reach, complete=False)
        return Route((), board, Reach.NOTHING, complete and not queue)

    def _search_lengths(self, here: _Waiting, limit: float, most_effort: int) -> None:
        """Searches lengths for a position, as long as neither its cost nor the effort is above a limit."""
        if here.open is None:  # those that were often longer than expected come first
            here.open = sorted(range(len(here.lengths)), key=self._raised.__getitem__)
        cost = here.cost
        while here.open and cost <= limit and self.hindsight.effort <= most_effort:
            place = here.open.pop()
            left = self.hindsight.left(here.board, self.hindsight.fillings[place])
            cost += left - here.lengths[place]
            self._raised[place] += left - here.lengths[place]
            self._searched[place] += 1
            here.lengths[place] = left

    def _expected_cost(self, here: _Waiting) -> float:
        """The cost of a route, with lengths that aren't searched raised as much as others were for their fillings."""
        open_ = range(len(here.lengths)) if here.open is None else here.open
        return here.cost + sum(self._raised[place] / max(1, self._searched[place]) for place in open_)

    def _positions_after(self, here: _Waiting, least: Reach) -> Iterator[_Waiting]:
        """The positions one move on."""
        lengths = [length - 1 for length in here.lengths]
        for move in moves_of(here.board):
            after = here.board.after_legal(move)
            reach, silent = self._unless_revealed(after)
            if reach >= least:
                yield _Waiting(after, (*here.moves, move), reach, [*lengths])
            elif silent is not None:
                yield _Waiting(silent, (*here.moves, move), Reach.NOTHING, [*lengths])

    def _unless_revealed(self, board: SortPuzzle) -> tuple[Reach, SortPuzzle | None]:
        """What a position may reveal, and what is known of it if it reveals nothing; None if it certainly does."""
        if board.to_see:
            return Reach.CELL, None
        board = board.looked()
        possible = self.knowledge.effects(board)
        if possible.in_doubt is None and possible.sure.solved:
            return Reach.CELL, None
        if possible.in_doubt is None and possible.sure.opened:
            return self._unless_revealed(board.open_locks(possible.sure.opened))
        may_reveal = len(possible.some) > 1 and key_up_to_exchange(board) not in self.left_open
        is_question = may_reveal or bool(self.knowledge.may_show(board))
        may_be_silent = possible.in_doubt is None or not possible.complete or NOTHING in possible.some
        return Reach.QUESTION if is_question else Reach.NOTHING, board if may_be_silent else None
