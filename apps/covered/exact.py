"""Provably best strategies, by AND-OR search over what is known.

A **node** is what a player knows: a board with unknown cells, and the fillings that agree with it. A move leads to one
node for each outcome that may be seen (`bsp_sat.apps.covered.looking`). The value of a node is the least number of
moves that a strategy needs from there, in the worst case or for all fillings together.

* **Bound.** No strategy is quicker for a filling than a player who knows it. So the worst case is at least the greatest
  exact length among the fillings, and the total at least their sum (`Distances`). A move shortens a filling's length by
  at most one, which bounds the sum before the lengths of all fillings after a move are known.
* **One filling left** means that everything is known: the value is the exact length.
* **Limits.** A node returns its value if that is at most a limit, else a bound above the limit, and stores either. The
  limit falls with each move, so that the search ends; at the root it starts at the bound and rises to what is returned.
* **Prunings.** The moves that no known position needs (`SortPuzzle.pruned_moves`): the arguments of instances/README.md
  turn a plan into one without them, move by move, whatever else is on the board; moves between known tubes reveal
  nothing that the changed plan doesn't. In ball sort, and in water sort if pours stop at covers, only `one-empty` is
  used: the arguments for the others need whole tubes of known balls.

Positions equal up to the order of tubes of equal rules count as one, if all balls of these tubes are known. Lengths
don't depend on the names of colours; they are asked for with nameless colours numbered as at the start.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from bsp_sat.apps.covered.board import Cells, up_to_exchange
from bsp_sat.apps.covered.effects import NOTHING
from bsp_sat.apps.covered.looking import SeenCase, seen_cases
from bsp_sat.apps.covered.strategy import Branch, Strategy
from bsp_sat.backends.kernel import Distances
from bsp_sat.instances.sorting import Filling, Pour, SortPuzzle

Fillings = tuple[Filling, ...]
Key = tuple[object, ...]

Value = float
"""A number of moves, or a bound on it; infinite if no strategy leads to the goal."""

MOST_EXTRA = 40  # moves above the bound at the root; beyond, no strategy is found
STEPS = 50  # limits on the sum of moves rise by at least one for this many fillings


@dataclass
class BestStrategy:
    """What is known about the best strategy. ``bound``: a proved bound on its value."""

    bound: int
    value: int | None = None
    strategy: Strategy | None = None


@dataclass
class _Option:
    """A move, the position after it, and the parts of the fillings, once computed."""

    move: Pour
    after: SortPuzzle
    parts: list[SeenCase] | None = None


class AndOr:
    """The search for one board: for the worst case, or with ``counts_all`` for all fillings together, the average."""

    def __init__(
        self, cells: Cells, distances: Distances, interrupt: Callable[[], None] = lambda: None, *, counts_all: bool
    ) -> None:
        self.cells = cells
        self.distances = distances
        self.counts_all = counts_all
        self.interrupt = interrupt
        self.nodes = 0
        self._bounds: dict[Key, Value] = {}
        self._values: dict[Key, Value] = {}
        self._moves: dict[Key, Pour] = {}

    def best(self, parts: Sequence[SeenCase], answer: BestStrategy) -> None:
        """Puts the best strategy from the start, where one of ``parts`` is seen, and its bounds in ``answer``."""
        bound = answer.bound
        fillings = sum(len(part.fillings) for part in parts)
        step = max(1, fillings // STEPS) if self.counts_all else 1
        most = bound + MOST_EXTRA * (fillings if self.counts_all else 1)
        limit = bound
        while limit <= most:
            found = self.value_of(parts, limit)
            if found == inf:
                break
            answer.bound = max(answer.bound, int(found))
            if found <= limit:
                answer.value = answer.bound
                answer.strategy = self.strategy(parts)
                return
            limit = max(int(found), limit + step)

    def value_of(self, parts: Sequence[SeenCase], limit: Value) -> Value:
        """The value of several parts together if it is at most ``limit``, else a bound above it."""
        bounds = [self.bound(part) for part in parts]
        for number in sorted(range(len(parts)), key=lambda number: -len(parts[number].fillings)):
            if self._sum_or_most(bounds) > limit:
                break
            part = parts[number]
            left = limit - sum(bounds) + bounds[number] if self.counts_all else limit
            bounds[number] = 0 if part.effects.solved else self.value(part.board, part.fillings, left)
        return self._sum_or_most(bounds)

    def _sum_or_most(self, values: Sequence[Value]) -> Value:
        return sum(values) if self.counts_all else max(values)

    def bound(self, part: SeenCase) -> Value:
        """A cheap bound on a part's value: the stored one, or the length of its first filling."""
        if part.effects.solved:
            return 0
        key = self.key(part.board, part.fillings)
        if (value := self._values.get(key)) is not None:
            return value
        least = len(part.fillings) if self.counts_all else 1
        return max(least, self._bounds.get(key, 0))

    # -- nodes ---------------------------------------------------------------------------------------------

    def length(self, board: SortPuzzle, filling: Filling) -> Value:
        """The exact length for a player who knows the filling."""
        board, filling = self.cells.numbered(board, filling)
        length = self.distances.length_filled(board, self.cells.places, filling)
        return inf if length is None else length

    def key(self, board: SortPuzzle, fillings: Fillings) -> Key:
        """The key of a node."""
        return *up_to_exchange(board), fillings

    def value(self, board: SortPuzzle, fillings: Fillings, limit: Value) -> Value:
        """The value of a node if it is at most ``limit``, else a bound above it."""
        if len(fillings) == 1:
            return self.length(board, fillings[0])
        key = self.key(board, fillings)
        if (value := self._values.get(key)) is not None:
            return value
        low = self._bounds.get(key, 0)
        if low > limit:
            return low
        lengths = [self.length(board, filling) for filling in fillings]
        low = max(low, self._sum_or_most(lengths))
        if low <= limit:
            hardest = sorted(range(len(fillings)), key=lambda number: -lengths[number])
            options = self._moves_in_order(board, fillings, hardest)
        step = 0
        while low <= limit:
            # Raise its limit slowly: all that other parts leave over would allow a long useless search.
            asked = min(limit, low + step)
            self.interrupt()
            self.nodes += 1
            best = inf
            for option in options:
                value = self._value_after(option, fillings, lengths, hardest, min(asked, best - 1))
                if value < best:
                    best = value
                    if value <= asked:
                        self._moves[key] = option.move
                if best <= low:
                    break
            if best <= asked:
                self._values[key] = best
                return best
            low = best
            step += max(1, len(fillings) // STEPS) if self.counts_all else 1
        self._bounds[key] = low
        return low

    def _moves_in_order(self, board: SortPuzzle, fillings: Fillings, hardest: Sequence[int]) -> list[_Option]:
        """The moves, the most promising first, by lengths of a few hard fillings."""
        probes = [fillings[number] for number in hardest[:2]]
        ranked = []
        for order, move in enumerate(moves_of(board)):
            after = board.after_legal(move)
            needed = [self.length(after, probe) for probe in probes]
            ranked.append((max(needed), sum(needed), order, move, after))
        ranked.sort(key=lambda entry: entry[:3])
        return [_Option(move, after) for _, _, _, move, after in ranked]

    def _value_after(
        self, option: _Option, fillings: Fillings, lengths: Sequence[Value], hardest: Sequence[int], limit: Value
    ) -> Value:
        """The value after a move if it is at most ``limit``, else a bound above it."""
        cost = len(fillings) if self.counts_all else 1
        low = max(0, self._sum_or_most(lengths) - cost)  # a move shortens each by one at most
        for number in hardest:
            after = self.length(option.after, fillings[number])
            low = low + after - (lengths[number] - 1) if self.counts_all else max(low, after)
            if low + cost > limit:
                return low + cost
        if option.parts is None:
            option.parts = seen_cases(option.after, self.cells, fillings)
        return cost + self.value_of(option.parts, limit - cost)

    # -- strategies ------------------------------------------------------------------------------------------

    def strategy(self, parts: Sequence[SeenCase]) -> Strategy:
        """The strategy found, for the outcomes that may be seen."""
        if len(parts) == 1 and not parts[0].seen and parts[0].effects[:2] == NOTHING[:2]:
            return self._strategy_for(parts[0])
        branches = []
        for part in parts:
            palette = part.board.palette
            see = tuple((place, level, palette[colour]) for (place, level), colour in part.seen)
            branches.append(Branch(see, *part.effects, self._strategy_for(part)))
        return Strategy((), tuple(branches))

    def _strategy_for(self, part: SeenCase) -> Strategy:
        if part.effects.solved:
            return Strategy(())
        board, fillings = part.board, part.fillings
        if len(fillings) == 1:
            board, filling = self.cells.numbered(board, fillings[0])
            position = self.cells.filled(board, filling) if board.is_hidden else board
            return Strategy(tuple(shortest_plan(position, self.distances.length)))
        move = self._move_of(board, fillings)
        rest = self.strategy(seen_cases(board.after_legal(move), self.cells, fillings))
        return Strategy((move, *rest.moves), rest.then)

    def _move_of(self, board: SortPuzzle, fillings: Fillings) -> Pour:
        """A move with the stored value. The stored move may be for tubes in another order."""
        key = self.key(board, fillings)
        value = self._values[key]
        remembered = self._moves[key]
        cost = len(fillings) if self.counts_all else 1
        moves = list(moves_of(board))
        for move in sorted(moves, key=lambda move: move != remembered):
            parts = seen_cases(board.after_legal(move), self.cells, fillings)
            if cost + self.value_of(parts, value - cost) <= value:
                return move
        raise AssertionError("no move has the value that was found")


def shortest_plan(position: SortPuzzle, length_of: Callable[[SortPuzzle], int | None]) -> Iterator[Pour]:
    """A shortest plan of a position that has one, and in which all is known, by the lengths of those after it."""
    while left := length_of(position):
        for move in moves_of(position):
            after = position.after_legal(move)
            length = length_of(after)
            if length is not None and length < left:
                break
        else:
            raise AssertionError("no move shortens the plan")
        yield move
        position = after


def moves_of(board: SortPuzzle) -> Iterator[Pour]:
    """The moves to try.

    The prunings hold with unknown cells, as what they leave out moves only balls that are known, between tubes that
    can be exchanged: see README.md.
    """
    plain_water = board.whole_run and not board.stops_at_covers
    return board.pruned_moves(frozenset(board.prunings if plain_water else {"finished", "one-empty"}))
