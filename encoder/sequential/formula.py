"""The textbook encoding as clauses: one move a step, and the contents of every place in every state.

Steps are numbered by the moves that are left: state r has r moves to go, state 0 is a goal, and move r
leads from state r to state r − 1. Raising the horizon adds a state in front of the others; all earlier
clauses, learned ones included, stay true. Only the start is an assumption: ``start(h)`` says that
state h is the board.

Variables (n tubes of capacity h, C colours)
    fill(r, i, p)      tube i holds more than p balls                         n·h a state
    cell(r, i, p, c)   place p of tube i, bottom first, holds colour c        n·h·C
    top(r, i, c)       the top ball of tube i is of colour c                  n·C
    from(r, i), to(r, i), colour(r, c)      source, target, colour of move r  2n + C a move
    same(r, i, p)      places p − 1 and p of tube i hold one colour           n·(h − 1) a state
    uniform(r, i)      tube i holds balls of one colour only                  n
    water only: run(r, i, k), taken(r, k), room(r, k), amount(r, k): see `_water_amount`

Clause groups
    `_state`       places fill from the bottom, one colour a place            O(n·h·C²) a state
    `_goal`        state 0 is a goal
    `_choice`      one source, one target, one colour; the move is legal      O(n² + n·C) a move
    `_heights`     ball: one ball leaves the source and lands on the target   O(n·h)
                   water: as many as run and room allow                       O(n·h²)
    `_frame`       other balls stay; arriving balls have the move's colour    O(n·h·C)
    `_start`       start(h) implies that state h is the board

Three devices prune; each can be switched off, and without them the models at horizon h are the plans of
exactly h moves, one each.
    break_symmetry    `_break_symmetry`: of several empty targets the first, no one-colour tube into an empty one
    order_commuting   `_order_commuting`: two consecutive moves that could be swapped are in order of their sources
    budget            `encoder.sequential.work_counters`: the remaining work never exceeds the remaining moves

What UNSAT at horizon h means: without devices, or with the budget alone, no plan has exactly h moves; with the
other two, no shortest plan has exactly h moves. Either way, UNSAT at every horizon from a lower bound up to h means
that no plan has h moves or fewer. It never means unsolvable.

Why the devices are sound together: take a shortest plan that never moves a one-colour tube into an empty one
(instances/README.md shows that there is one), and among those the one whose sequence of (source, target) pairs is
lexicographically least. If it used an empty target other than the first, exchanging the two empty tubes from there on
would give a lesser sequence; if two swappable moves were out of order, swapping them would. Neither change moves a
one-colour tube into an empty one. The budget holds in every plan.

Source: bounded planning as satisfiability, Kautz and Selman, ECAI 1992.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import ClassVar

from bsp_sat.encoder.encoding import Encoding, PlanFormula, numbers_of_colours
from bsp_sat.encoder.formula import Literal, Model, chosen, clause_group
from bsp_sat.encoder.sequential.rules import RuleClauses
from bsp_sat.encoder.sequential.variables import MoveVariables, StateVariables
from bsp_sat.encoder.sequential.work_counters import WorkCounters
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import (
    ANYWHERE,
    COLOURED,
    COVERED,
    MONOCHROME,
    SEVERAL_HOMES,
    TUBE_RULES,
    BallSort,
    Pour,
    SortPuzzle,
    WaterSort,
)

Amounts = Sequence[Sequence[Literal]]
"""By k, literals one of which holds unless exactly k + 1 balls move; in ball sort none, for the one that does."""


class SequentialFormula(PlanFormula):
    """The sequential encoding of one board, up to its ``horizon`` so far, −1 before the first."""

    exactly = True
    meanings: ClassVar[Mapping[str, str]] = {
        "fill(r,i,p)": "place {p} of tube {i} is filled in state {r}",
        "cell(r,i,p,c)": "place {p} of tube {i} holds colour {c} in state {r}",
        "top(r,i,c)": "the top ball of tube {i} is of colour {c} in state {r}",
        "same(r,i,p)": "place {p} of tube {i} and the one below hold one colour in state {r}",
        "uniform(r,i)": "tube {i} holds balls of one colour only in state {r}",
        "from(r,i)": "move {r} takes from tube {i}",
        "to(r,i)": "move {r} goes to tube {i}",
        "colour(r,c)": "move {r} takes colour {c}",
        "to-empty(r)": "move {r} goes to an empty tube",
        "run(r,i,k)": "the run of tube {i} that moves has more than {k} balls in state {r}",
        "amount(r,k)": "move {r} takes more than {k} balls",
        "start(r)": "state {r} is the board",
        "differs(r,i,p)": "place {p} of tube {i} and the one below differ in state {r}",
        "stays(r,i)": "the bottom ball of tube {i} in state {r} has the tube's final colour",
        "advances(r)": "move {r} leaves one ball (or run) less to move",
        "retreats(r)": "move {r} leaves one ball (or run) more to move",
        "work(r,k)": "more than {k} balls (or runs) have to move after state {r}",
        "loss(i,k)": "bottom runs of tubes 0 to {i} that must move have more than {k} balls (or runs)",
    }

    def __init__(self, puzzle: SortPuzzle, *, break_symmetry: bool, order_commuting: bool, budget: bool) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.break_symmetry = break_symmetry
        self.rules = None if puzzle.is_plain else RuleClauses(self, puzzle)
        self.order_commuting = order_commuting and (self.rules is None or self.rules.orders_commuting)
        self.drain = puzzle.rules.drain
        self.budget = budget and not self.drain
        self.tubes = range(len(puzzle.tubes))
        self.places = range(max(puzzle.capacities))
        self.colours = range(len(puzzle.palette))
        self.horizon = -1
        self.states: list[StateVariables] = []
        self.moves: list[MoveVariables] = []
        self.work_counters: WorkCounters | None = None

    def numbering(self) -> list[str]:
        return [
            "move r leads from state r, with r moves to go, to state r - 1; state 0 is a goal",
            "tubes, places from the bottom, and colours count from 0",
            *numbers_of_colours(self.puzzle.palette),
        ]

    def at_horizon(self, horizon: int) -> list[Literal]:
        """Raises the formula to ``horizon`` and returns the assumptions that ask for a plan of that length.

        Under them, the formula is satisfiable if and only if a plan of exactly ``horizon`` moves exists (with devices:
        provided that there is no shorter plan).

        ValueError if a larger horizon was asked for before. Its additional states would have to lead to the board, and
        there may be no such states.
        """
        if horizon < self.horizon:
            raise ValueError(f"horizons must be asked for in ascending order, {self.horizon} came before {horizon}")
        while self.horizon < horizon:
            self._raise_horizon()
        return [self._start(horizon)]

    def decode(self, model: Model, horizon: int) -> Plan:
        moves = reversed(self.moves[:horizon])
        return Plan(tuple(Pour(chosen(move.source, model), chosen(move.target, model)) for move in moves))

    def _raise_horizon(self) -> None:
        self.horizon += 1
        state = self._state(self.horizon)
        self.states.append(state)
        if self.rules is not None:
            self.rules.add_state(self.horizon, state)
        if self.horizon == 0:
            self._goal(state)
            if self.budget:
                self.work_counters = WorkCounters(self, self.puzzle, state)
            return
        after = self.states[-2]
        move = self._choice(self.horizon, state)
        amounts = self._water_amount(self.horizon, state, move) if isinstance(self.puzzle, WaterSort) else [[]]
        self._heights(state, move, after, amounts)
        self._frame(state, move, after, amounts)
        if self.break_symmetry:
            self._break_symmetry(state, move)
        if self.order_commuting and self.moves:
            self._order_commuting(move, self.moves[-1])
        if self.work_counters is not None:
            self.work_counters.add_step(state, move, after)
        self.moves.append(move)

    @clause_group
    def _state(self, left: int) -> StateVariables:
        """Places fill from the bottom, and a filled place has one colour; the top colours follow from that."""
        fill = [self.variables(len(self.places), "fill", left, i) for i in self.tubes]
        cell = [[self.variables(len(self.colours), "cell", left, i, p) for p in self.places] for i in self.tubes]
        top = [self.variables(len(self.colours), "top", left, i) for i in self.tubes]
        for i, p in product(self.tubes, self.places):
            if p:
                self.add(-fill[i][p], fill[i][p - 1])
            self.add(-fill[i][p], *cell[i][p])
            self.at_most_one(cell[i][p])
            above = [fill[i][p + 1]] if p + 1 < len(self.places) else []
            for c in self.colours:
                self.add(-cell[i][p][c], fill[i][p])
                self.add(-fill[i][p], *above, -cell[i][p][c], top[i][c])
                self.add(-fill[i][p], *above, cell[i][p][c], -top[i][c])
        for i, c in product(self.tubes, self.colours):
            self.add(fill[i][0], -top[i][c])
        same = [self._same(left, i, fill[i], cell[i]) for i in self.tubes]
        uniform = [self._uniform(left, i, fill[i], same[i]) for i in self.tubes]
        return StateVariables(fill, cell, top, same, uniform)

    def _same(self, left: int, i: int, fill: list[Literal], cell: list[list[Literal]]) -> list[Literal]:
        same = [fill[0]]
        for p in self.places[1:]:
            same.append(self.variable("same", left, i, p))
            self.add(-same[p], fill[p])
            for c in self.colours:
                self.add(-cell[p][c], -cell[p - 1][c], same[p])
                self.add(-cell[p][c], cell[p - 1][c], -same[p])
        return same

    def _uniform(self, left: int, i: int, fill: list[Literal], same: list[Literal]) -> Literal:
        """The tube isn't empty, and all its balls have one colour."""
        uniform = self.variable("uniform", left, i)
        self.add(-uniform, fill[0])
        differs = []
        for p in self.places[1:]:
            self.add(-uniform, -fill[p], same[p])
            differs.append(self.define_and(("differs", left, i, p), [fill[p], -same[p]]))
        self.add(uniform, -fill[0], *differs)
        return uniform

    @clause_group
    def _goal(self, state: StateVariables) -> None:
        """All balls of a tube have one colour; for the goal ``full``, every tube is also full or empty."""
        if self.rules is not None:
            self.rules.add_goal(state)
        for i in self.tubes:
            for p in self.places[1:]:
                if self.puzzle.goal == "full" and self.rules is None:
                    self.add(-state.fill[i][p - 1], state.fill[i][p])
                for c in self.colours:
                    self.add(-state.cell[i][p - 1][c], -state.fill[i][p], state.cell[i][p][c])

    @clause_group
    def _choice(self, left: int, state: StateVariables) -> MoveVariables:
        """One source, one target, one colour; the source has the colour on top, and the target accepts it."""
        source = self.variables(len(self.tubes), "from", left)
        target = self.variables(len(self.tubes), "to", left)
        colour = self.variables(len(self.colours), "colour", left)
        to_empty = self.variable("to-empty", left)
        for choice in (source, target, colour):
            self.exactly_one(choice)
        for i in self.tubes:
            self.add(-source[i], -target[i])
            self.add(-source[i], state.fill[i][0])
            self.add(-target[i], -state.fill[i][-1])
            self.add(-target[i], state.fill[i][0], to_empty)
            self.add(-target[i], -state.fill[i][0], -to_empty)
            for c in self.colours:
                self.add(-source[i], -colour[c], state.cell[i][0][c] if self.drain else state.top[i][c])
                if self.rules is None or not self.puzzle.rules.tubes[i].any_top:
                    self.add(-target[i], -state.fill[i][0], -colour[c], state.top[i][c])
        move = MoveVariables(source, target, colour, to_empty)
        if self.rules is not None:
            self.rules.add_choice(state, move)
        return move

    @clause_group
    def _water_amount(self, left: int, state: StateVariables, move: MoveVariables) -> Amounts:
        """As many balls are poured as the run and the room allow.

        ``amount[k]`` says that there are more than k.

        ``run(i, k)`` says that the run of tube i that moves has more than k balls, ``taken(k)`` that the source's has
        more than k, ``room(k)`` that the target has room for more than k.
        """
        height = len(self.places)
        capacities = self.puzzle.capacities
        taken = self.variables(height, "taken", left)
        room = self.variables(height, "room", left)
        for i in self.tubes:
            run = self._bottom_run(left, state, i) if self.drain else self._top_run(left, state, i)
            for k in self.places:
                self.add(-move.source[i], -run[k], taken[k])
                self.add(-move.source[i], run[k], -taken[k])
                if k < capacities[i]:
                    self.add(-move.target[i], -state.fill[i][capacities[i] - 1 - k], -room[k])
                    self.add(-move.target[i], state.fill[i][capacities[i] - 1 - k], room[k])
                else:
                    self.add(-move.target[i], -room[k])
        if self.rules is not None:
            self.rules.add_amount(taken, room)
        amount = [self.define_and(("amount", left, k), [taken[k], room[k]]) for k in self.places]
        return [[-more, *amount[k + 1 : k + 2]] for k, more in enumerate(amount)]

    def _top_run(self, left: int, state: StateVariables, i: int) -> list[Literal]:
        fill, same = state.fill[i], state.same[i]
        run = self.variables(len(self.places), "run", left, i)
        self.add(-fill[0], run[0])
        self.add(fill[0], -run[0])
        for k in self.places[1:]:
            self.add(-run[k], run[k - 1])
            self.add(-run[k], fill[k])
            for p in self.places[k:]:  # p is the top place, so the run has more than k iff it reaches p − k
                top = [-fill[p], *([fill[p + 1]] if p + 1 < len(self.places) else [])]
                self.add(*top, -run[k], same[p - k + 1])
                self.add(*top, -run[k - 1], -same[p - k + 1], run[k])
        return run

    def _bottom_run(self, left: int, state: StateVariables, i: int) -> list[Literal]:
        run = [state.fill[i][0]]
        for k in self.places[1:]:
            run.append(self.define_and(("run", left, i, k), [run[k - 1], state.same[i][k]]))
        return run

    @clause_group
    def _heights(self, state: StateVariables, move: MoveVariables, after: StateVariables, amounts: Amounts) -> None:
        """How full each tube is after the move."""
        height = len(self.places)
        for i in self.tubes:
            before, then = state.fill[i], after.fill[i]
            source, target = move.source[i], move.target[i]
            for p in self.places:
                self.add(-then[p], before[p], target)
                self.add(then[p], -before[p], source)
                for k, exactly in enumerate(amounts):
                    # k + 1 balls move: p is filled in the source afterwards if p + k + 1 was before; target: reversed.
                    self.add(-source, *exactly, -then[p], *([before[p + k + 1]] if p + k + 1 < height else []))
                    if p + k + 1 < height:
                        self.add(-source, *exactly, then[p], -before[p + k + 1])
                    self.add(-target, *exactly, then[p], *([-before[p - k - 1]] if p > k else []))
                    if p > k:
                        self.add(-target, *exactly, -then[p], before[p - k - 1])

    @clause_group
    def _frame(self, state: StateVariables, move: MoveVariables, after: StateVariables, amounts: Amounts) -> None:
        """A ball that stays keeps its place, or slides down in a drained source; others have the move's colour."""
        for i, p, c in product(self.tubes, self.places, self.colours):
            before, then = state.cell[i][p][c], after.cell[i][p][c]
            drained = [move.source[i]] if self.drain else []
            self.add(-before, -after.fill[i][p], then, *drained)
            self.add(-then, -state.fill[i][p], before, *drained)
            self.add(state.fill[i][p], -after.fill[i][p], -move.colour[c], then)
            for k, exactly in enumerate(amounts if self.drain else ()):
                if p + k + 1 < len(self.places):
                    above = state.cell[i][p + k + 1][c]
                    self.add(-move.source[i], *exactly, -above, then)
                    self.add(-move.source[i], *exactly, above, -then)

    @clause_group
    def _start(self, horizon: int) -> Literal:
        """State h is the board, if start(h) holds; returns start(h)."""
        start = self.variable("start", horizon)
        state = self.states[horizon]
        for i, tube in enumerate(self.puzzle.tubes):
            for p in self.places:
                if p < len(tube):
                    self.add(-start, state.cell[i][p][tube[p]])
                else:
                    self.add(-start, -state.fill[i][p])
        if self.rules is not None:
            self.rules.add_start(start)
        if self.work_counters is not None:
            self.work_counters.add_start(start, horizon)
        return start

    @clause_group
    def _break_symmetry(self, state: StateVariables, move: MoveVariables) -> None:
        """An empty target is the first empty tube, and the source isn't a one-colour tube."""
        if self.rules is not None:
            self._break_symmetry_of_rules(self.rules, state, move)
            return
        for i in self.tubes:
            for lower in self.tubes[:i]:
                self.add(-move.target[i], -move.to_empty, state.fill[lower][0])
            self.add(-move.source[i], -move.to_empty, -state.uniform[i])

    def _break_symmetry_of_rules(self, rules: RuleClauses, state: StateVariables, move: MoveVariables) -> None:
        """The same between tubes of equal rules."""
        for i, j in product(self.tubes, self.tubes):
            if j < i and rules.alike(i, j):
                self.add(-move.target[i], -move.to_empty, state.fill[j][0])
            if self.puzzle.keeps_uniform and rules.alike(i, j):
                self.add(-move.source[i], -move.target[j], -move.to_empty, -state.uniform[i])

    @clause_group
    def _order_commuting(self, move: MoveVariables, following: MoveVariables) -> None:
        """Of two moves in a row that could be swapped, the one with the lower source comes first.

        Moves on four different tubes can be swapped. In ball sort, so can two moves to one target that wasn't empty
        (swapping moves into an empty tube might move a one-colour tube there), unless balls go anywhere and their
        order on the target matters; and two moves of one colour from one source, which are ordered by their targets.
        No ball moves twice in a row, as it could have gone to the last place at once.
        """
        ball = not isinstance(self.puzzle, WaterSort)
        for a, c in product(self.tubes, self.tubes):
            if c < a:
                late = [-move.source[a], -following.source[c], following.target[a]]
                for b in self.tubes:
                    if b not in (a, c):
                        self.add(*late, -move.target[b], following.target[b])
                if ball and not self.puzzle.rules.anywhere:
                    self.add(*late, move.to_empty)
        if ball:
            again = self.variable("again", len(self.moves))
            for a in self.tubes:
                self.add(-move.target[a], -following.source[a])
                for c in self.colours:
                    one_source = [-move.source[a], -following.source[a]]
                    self.add(*one_source, -move.colour[c], -following.colour[c], again)
                for lower in self.tubes[:a]:
                    self.add(-again, -move.target[a], -following.target[lower])


@dataclass(frozen=True)
class Sequential(Encoding):
    """The sequential encoding and its devices.

    ``break_symmetry`` uses only the first of several empty tubes, and never moves a one-colour tube into one.
    ``order_commuting`` allows one order of two moves that could be swapped; ``budget`` bounds work by the moves left.
    """

    break_symmetry: bool = True
    order_commuting: bool = True
    budget: bool = True

    name = "sequential"
    scope = Scope(
        (BallSort.kind, WaterSort.kind),
        frozenset({ANYWHERE, COLOURED, MONOCHROME, SEVERAL_HOMES, *TUBE_RULES} - {COVERED}),
    )

    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        assert isinstance(puzzle, SortPuzzle)
        return SequentialFormula(puzzle, **asdict(self))


SEQUENTIAL = Sequential()
