"""Clauses of the sequential encoding for rules of tubes (`bsp_sat.instances.sorting.position`).

Where any ball may go in, the target's colour doesn't matter. Places above a tube's capacity stay empty; sources,
targets and colours that the rules forbid are excluded from the choice of a move. Locks and corks depend on which tubes
are complete:

    complete(r, i)   tube i is complete in state r: of one colour, and full, or with every ball of its colour
    met(r, k)        the k-th lock's condition holds in state r
    open(r, k)       the k-th lock's condition holds in state r or held in an earlier state, r + 1 or above

All of them are defined in both directions, so that a plan still has one model.

Devices: `break_symmetry` applies only between tubes with equal rules, and forbids moving one-colour tubes only where
they never need to (`SortPuzzle.keeps_uniform`). `order_commuting` is off if there are locks, as a move may open a tube
that the next one needs. The budget stays valid, as rules only forbid moves. Where balls leave at the bottom, this and
`order_commuting` are off: the first counts bottom runs that stay, the second rests on a ball that moves twice in a row.
"""

from itertools import pairwise

from bsp_sat.encoder.counters import unary_sum
from bsp_sat.encoder.formula import Formula, Literal
from bsp_sat.encoder.sequential.variables import MoveVariables, StateVariables
from bsp_sat.instances.sorting import SortPuzzle


class RuleClauses:
    """The clauses that rules add to one sequential formula."""

    def __init__(self, formula: Formula, puzzle: SortPuzzle) -> None:
        self.formula = formula
        self.puzzle = puzzle
        self.rules = puzzle.rules
        self.locks = {place: self.rules.tubes[place].lock for place in self.rules.locked}
        self._complete: list[list[Literal]] = []
        self._met: list[dict[int, Literal]] = []
        self._open: list[dict[int, Literal]] = []

    @property
    def orders_commuting(self) -> bool:
        """Whether two moves that could be swapped without rules still can."""
        return not self.locks and not self.rules.drain

    def alike(self, first: int, second: int) -> bool:
        """Whether two tubes have the same rules."""
        return self.rules.tubes[first] == self.rules.tubes[second]

    def add_state(self, left: int, state: StateVariables) -> None:
        """Adds the clauses of the state with ``left`` moves to go; call it for states in ascending order."""
        formula = self.formula
        for fill, rule in zip(state.fill, self.rules.tubes, strict=True):
            for place in fill[rule.capacity :]:
                formula.add(-place)
        if not self.locks and not self.rules.cork:
            return
        self._complete.append([self._is_complete(left, i, state) for i in range(len(state.fill))])
        met = {place: self._is_met(left, place, state) for place in self.locks}
        opened = {place: formula.variable("open", left, place) for place in self.locks}
        if self._open:
            for place, after in self._open[-1].items():
                formula.add(-self._met[-1][place], after)
                formula.add(-opened[place], after)
                formula.add(-after, self._met[-1][place], opened[place])
        self._met.append(met)
        self._open.append(opened)

    def _is_complete(self, left: int, i: int, state: StateVariables) -> Literal:
        fill, capacity = state.fill[i], self.rules.tubes[i].capacity
        enough = [fill[capacity - 1]]
        if self.puzzle.goal != "full":
            for colour, count in enumerate(self.rules.counts):
                if count < capacity:
                    name = ("all-there", left, i, colour)
                    enough.append(self.formula.define_and(name, [state.top[i][colour], fill[count - 1]]))
        some = self.formula.define_or(("enough", left, i), enough)
        return self.formula.define_and(("complete", left, i), [state.uniform[i], some])

    def _is_met(self, left: int, place: int, state: StateVariables) -> Literal:
        lock = self.locks[place]
        assert lock is not None
        complete = self._complete[-1]
        if lock.tubes is not None:
            if lock.colour is not None:
                complete = [
                    self.formula.define_and(("complete-of", left, place, i), [each, state.top[i][lock.colour]])
                    for i, each in enumerate(complete)
                ]
            number = unary_sum(self.formula, [[each] for each in complete], ("complete-tubes", left, place))
            return number[lock.tubes - 1]
        assert lock.colour is not None
        strays = [
            self.formula.define_and(("stray", left, place, i, p), [cell[lock.colour], -complete[i]])
            for i, places in enumerate(state.cell)
            for p, cell in enumerate(places)
        ]
        return -self.formula.define_or(("strays", left, place), strays)

    def add_goal(self, state: StateVariables) -> None:
        """Adds the goal's conditions beyond tubes of one colour."""
        for fill, rule in zip(state.fill, self.rules.tubes, strict=True):
            for lower, upper in pairwise(fill[: rule.capacity] if self.puzzle.goal == "full" else ()):
                self.formula.add(-lower, upper)
        if self.puzzle.goal == "gathered":
            for colour in range(len(self.rules.counts)):
                self.formula.at_most_one([cell[0][colour] for cell in state.cell])
        if self.puzzle.goal == "coloured":
            for fill, cell, rule in zip(state.fill, state.cell, self.rules.tubes, strict=True):
                self.formula.add(-fill[0], *([] if rule.colour is None else [cell[0][rule.colour]]))

    def add_choice(self, state: StateVariables, move: MoveVariables) -> None:
        """The rules allow the move from the newest state."""
        formula = self.formula
        for i, rule in enumerate(self.rules.tubes):
            formula.add(-move.target[i], -state.fill[i][rule.capacity - 1])
            if not rule.gives:
                formula.add(-move.source[i])
            for colour in range(len(self.rules.counts)):
                if not rule.lets_in(colour):
                    formula.add(-move.target[i], -move.colour[colour])
            if rule.lock is not None:
                for end in (move.source[i], move.target[i]):
                    formula.add(-end, self._open[-1][i])
            if self.rules.cork:
                for end in (move.source[i], move.target[i]):
                    formula.add(-end, -self._complete[-1][i])

    def add_amount(self, taken: list[Literal], room: list[Literal]) -> None:
        """If partial pours are refused, the target has room for the whole top run."""
        if not self.rules.partial:
            for gives, fits in zip(taken, room, strict=True):
                self.formula.add(-gives, fits)

    def add_start(self, start: Literal) -> None:
        """If the newest state is the board, only locks whose condition holds in it are open."""
        if self._open:
            for place, opened in self._open[-1].items():
                self.formula.add(-start, -opened, self._met[-1][place])
                self.formula.add(-start, opened, -self._met[-1][place])
