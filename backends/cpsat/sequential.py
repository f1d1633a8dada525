"""The sequential encoding as a CP-SAT model: plans of exactly ``horizon`` moves.

The same problem as `bsp_sat.encoder.sequential`, with linear constraints: a place holds exactly one of the colours or
nothing, heights are sums and change by the amount moved, and the remaining work (see
`bsp_sat.encoder.sequential.work_counters`) is one linear inequality for each state instead of a unary counter. States
are numbered forwards, state 0 is the board.

As in the encoding, infeasible means that no shortest plan has ``horizon`` moves.
"""

from dataclasses import dataclass
from itertools import count, pairwise, product

from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

from bsp_sat.backends.backend import Report
from bsp_sat.backends.cpsat.solver import Solver
from bsp_sat.backends.question import Asks
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import Pour, SortPuzzle, WaterSort


@dataclass(frozen=True)
class _State:
    """``place[i][p][c]``: place p of tube i, bottom first, holds colour c; the last c stands for nothing."""

    place: list[list[list[IntVar]]]

    capacities: tuple[int, ...]

    def room(self, tube: int) -> IntVar:
        """A literal: the tube isn't full."""
        return self.place[tube][self.capacities[tube] - 1][-1]

    def empty(self, tube: int) -> IntVar:
        """A literal: the tube is empty."""
        return self.place[tube][0][-1]

    def height(self, tube: int) -> LinearExpr:
        """Number of balls in the tube."""
        places = self.place[tube]
        return len(places) - LinearExpr.sum([place[-1] for place in places])


@dataclass(frozen=True)
class _Step:
    """Source, target and colour of one move, with one literal for each choice."""

    source: list[IntVar]
    target: list[IntVar]
    colour: list[IntVar]


class SequentialModel:
    """A CP-SAT model whose solutions are plans of exactly ``horizon`` moves."""

    def __init__(self, puzzle: SortPuzzle, horizon: int) -> None:
        self.puzzle = puzzle
        self.model = CpModel()
        self.tubes = range(len(puzzle.tubes))
        self.places = range(max(puzzle.capacities))
        self.colours = range(len(puzzle.palette))
        self.states = [self._state() for _ in range(horizon + 1)]
        self._start(self.states[0])
        self._goal(self.states[-1])
        self.opened: dict[int, IntVar] = {}
        self.steps = [self._step(before, after) for before, after in pairwise(self.states)]
        for left, state in enumerate(reversed(self.states)):
            self._budget(state, left)

    def decode(self, solver: CpSolver) -> Plan:
        """Decodes a solution into a plan."""

        def chosen(choices: list[IntVar]) -> int:
            return next(index for index, choice in enumerate(choices) if solver.boolean_value(choice))

        return Plan(tuple(Pour(chosen(step.source), chosen(step.target)) for step in self.steps))

    def _booleans(self, count: int) -> list[IntVar]:
        return [self.model.new_bool_var("") for _ in range(count)]

    def _state(self) -> _State:
        """Each place holds one colour or nothing, and nothing lies above nothing."""
        place = [[self._booleans(len(self.colours) + 1) for _ in self.places] for _ in self.tubes]
        for tube in place:
            for contents in tube:
                self.model.add_exactly_one(contents)
            for lower, upper in pairwise(tube):
                self.model.add_implication(lower[-1], upper[-1])
        for tube, capacity in zip(place, self.puzzle.capacities, strict=True):
            for contents in tube[capacity:]:
                self.model.add(contents[-1] == 1)
        return _State(place, self.puzzle.capacities)

    def _start(self, state: _State) -> None:
        for i, tube in enumerate(self.puzzle.tubes):
            for p in self.places:
                self.model.add(state.place[i][p][tube[p] if p < len(tube) else -1] == 1)

    def _goal(self, state: _State) -> None:
        """One colour a tube; for the goal ``full``, tubes are full or empty, and each colour fills all of its tubes."""
        full = self.puzzle.goal == "full"
        for i in self.tubes:
            for level, (lower, upper) in enumerate(pairwise(state.place[i]), start=1):
                if full and level < self.puzzle.capacities[i]:
                    self.model.add_implication(upper[-1], lower[-1])
                for c in self.colours:
                    self.model.add_bool_or(~lower[c], upper[c], upper[-1])
        for c in self.colours:
            bottoms = LinearExpr.sum([state.place[i][0][c] for i in self.tubes])
            if full and self.puzzle.is_plain:
                self.model.add(bottoms == self.puzzle.home_tubes(c))
            elif self.puzzle.goal == "gathered":
                self.model.add(bottoms <= 1)

    def _step(self, before: _State, after: _State) -> _Step:
        """One legal move from ``before`` to ``after``."""
        model = self.model
        step = _Step(*(self._booleans(count) for count in (len(self.tubes), len(self.tubes), len(self.colours))))
        for choice in (step.source, step.target, step.colour):
            model.add_exactly_one(choice)
        for i in self.tubes:
            model.add_bool_or(~step.source[i], ~step.target[i])
            model.add_implication(step.source[i], ~before.empty(i))
            model.add_implication(step.target[i], before.room(i))
            # Of several empty tubes, use only the first.
            for lower in self.tubes[:i]:
                if self.puzzle.is_plain or self.puzzle.rules.tubes[lower] == self.puzzle.rules.tubes[i]:
                    model.add_bool_or(~step.target[i], ~before.empty(i), ~before.empty(lower))
        if not self.puzzle.is_plain:
            self._rules(self.puzzle, before, step)
        self._amount(before, step, after)
        self._colour_matches(before, step)
        self._frame(before, step, after)
        return step

    def _amount(self, before: _State, step: _Step, after: _State) -> None:
        """Heights change by the amount moved: one ball, or all of the run that fits."""
        model, most = self.model, len(self.places)
        water = isinstance(self.puzzle, WaterSort)
        amount = model.new_int_var(1, most if water else 1, "")
        for i in self.tubes:
            change = after.height(i) - before.height(i)
            model.add(change == -amount).only_enforce_if(step.source[i])
            model.add(change == amount).only_enforce_if(step.target[i])
            model.add(change == 0).only_enforce_if(~step.source[i], ~step.target[i])
        if water:
            room_left = model.new_bool_var("")
            if not self.puzzle.rules.partial:
                self._take_all(before, step, amount)
            for i in self.tubes:
                model.add_bool_or(~step.target[i], ~after.room(i), room_left)
                # The pour ends only when the run is used up or the target is full.
                for p, c in product(self.places, self.colours):
                    above = [~after.place[i][p + 1][-1]] if p + 1 < most else []
                    model.add_bool_or(~step.source[i], ~step.colour[c], ~after.place[i][p][c], *above, ~room_left)

    def _rules(self, puzzle: SortPuzzle, before: _State, step: _Step) -> None:
        """The rules allow the step. Call it for steps in order: locks that have opened stay open."""
        model, rules = self.model, puzzle.rules
        complete = [self._complete(puzzle, before, i) for i in self.tubes] if rules.locked or rules.cork else []
        for place in rules.locked:
            lock = rules.tubes[place].lock
            assert lock is not None
            met, opened = self._booleans(2)
            if lock.colour is None:
                model.add(LinearExpr.sum(complete) >= (lock.tubes or 0)).only_enforce_if(met)
            else:
                # No ball of the colour is in a tube that isn't complete. Claiming less than there is allows less.
                for i, p in product(self.tubes, self.places):
                    model.add_bool_or(~met, ~before.place[i][p][lock.colour], complete[i])
            model.add_bool_or(~opened, met, *([self.opened[place]] if place in self.opened else []))
            self.opened[place] = opened
            model.add_implication(step.source[place], opened)
            model.add_implication(step.target[place], opened)
        for i, rule in enumerate(rules.tubes):
            if not rule.gives:
                model.add(step.source[i] == 0)
            if rules.cork:
                model.add_bool_or(~step.source[i], ~complete[i])
            for c in self.colours:
                if not rule.lets_in(c):
                    model.add_bool_or(~step.target[i], ~step.colour[c])

    def _complete(self, puzzle: SortPuzzle, state: _State, i: int) -> IntVar:
        """A literal that says whether a tube is complete, in both directions."""
        model, places = self.model, state.place[i]
        found = []
        for c, balls in enumerate(puzzle.rules.counts):
            for size in {puzzle.capacities[i], *([] if puzzle.goal == "full" else [balls])}:
                if size <= min(balls, puzzle.capacities[i]):
                    of_colour = model.new_bool_var("")
                    cells = [place[c] for place in places[:size]]
                    model.add_bool_and(cells).only_enforce_if(of_colour)
                    model.add_bool_or(of_colour, *(~cell for cell in cells))
                    if size < len(places):  # and nothing lies on them
                        alone = model.new_bool_var("")
                        model.add_bool_and(of_colour, places[size][-1]).only_enforce_if(alone)
                        model.add_bool_or(alone, ~of_colour, ~places[size][-1])
                        of_colour = alone
                    found.append(of_colour)
        complete = model.new_bool_var("")
        model.add_bool_or(found).only_enforce_if(complete)
        for each in found:
            model.add_implication(each, complete)
        return complete

    def _take_all(self, before: _State, step: _Step, amount: IntVar) -> None:
        """The whole run moves: the ball below it, ``amount`` places under the top, has another colour."""
        for i, c in product(self.tubes, self.colours):
            for height in range(2, len(self.places) + 1):
                tube = before.place[i]
                above = [~tube[height][-1]] if height < len(self.places) else []
                for size in range(1, height):
                    # A tube of this height whose run has more than ``size`` balls gives more than ``size``.
                    run = [~tube[level][c] for level in range(height - 1 - size, height)]
                    more = self.model.new_bool_var("")
                    self.model.add(amount > size).only_enforce_if(more)
                    self.model.add_bool_or(~step.source[i], *run, *above, more)

    def _colour_matches(self, before: _State, step: _Step) -> None:
        """The top balls of source and target have the colour of the move."""
        for i, p, c in product(self.tubes, self.places, self.colours):
            top = before.place[i][p]
            above = [~before.place[i][p + 1][-1]] if p + 1 < len(self.places) else []
            for end in (step.source[i], step.target[i]):
                self.model.add_bool_or(~end, ~step.colour[c], top[c], top[-1], *above)

    def _frame(self, before: _State, step: _Step, after: _State) -> None:
        """Balls that stay keep their colour; balls that leave or arrive have the colour of the move."""
        for i, p, c in product(self.tubes, self.places, self.colours):
            then, now = before.place[i][p], after.place[i][p]
            self.model.add_bool_or(~then[c], now[c], now[-1])
            self.model.add_bool_or(~now[c], then[c], then[-1])
            self.model.add_bool_or(~then[c], ~now[-1], step.colour[c])
            self.model.add_bool_or(~now[c], ~then[-1], step.colour[c])

    def _budget(self, state: _State, left: int) -> None:
        """The work of a state with ``left`` moves to go is at most ``left``; a redundant constraint.

        The literals "is at home" are implications in one direction: the solver may count fewer balls at home than there
        are, never more.
        """
        homes = [tube[0] for tube in self.states[-1].place]
        done: list[IntVar] = []
        if isinstance(self.puzzle, WaterSort):
            changes = []
            for i in self.tubes:
                done.append(self._at_home(state.place[i][0], homes[i], None))
                for lower, upper in pairwise(state.place[i]):
                    change = self.model.new_bool_var("")
                    changes.append(change)
                    for c in self.colours:
                        self.model.add_bool_or(~lower[c], upper[c], upper[-1], change)
            blocks = LinearExpr.sum(changes) + len(self.tubes) - LinearExpr.sum([state.empty(i) for i in self.tubes])
            self.model.add(blocks - LinearExpr.sum(done) <= left)
        else:
            for i in self.tubes:
                below = None
                for place in state.place[i]:
                    below = self._at_home(place, homes[i], below)
                    done.append(below)
            self.model.add(sum(map(len, self.puzzle.tubes)) - LinearExpr.sum(done) <= left)

    def _at_home(self, place: list[IntVar], home: list[IntVar], below: IntVar | None) -> IntVar:
        """A literal that implies that ``place`` and all places below it hold the home colour."""
        at_home = self.model.new_bool_var("")
        self.model.add_implication(at_home, ~place[-1])
        if below is not None:
            self.model.add_implication(at_home, below)
        for c in self.colours:
            self.model.add_bool_or(~at_home, ~place[c], home[c])
        return at_home


def raise_horizons(puzzle: SortPuzzle, solver: Solver, report: Report, max_steps: int | None) -> str:
    """Raises the horizon, from the lower bound, until there is a plan, or past ``max_steps``.

    Returns:
        Why it stopped, for a result that isn't settled.
    """
    for horizon in count(puzzle.lower_bound()):
        report.lower_bound(horizon)
        if max_steps is not None and horizon > max_steps:
            break
        report.stats(horizon=horizon)
        model = SequentialModel(puzzle, horizon)
        if solver.ask(model.model, horizon, asks=Asks.EXACTLY):
            report.plan(model.decode(solver.cp))
            break
    return ""
