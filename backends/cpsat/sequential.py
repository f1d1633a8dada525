"""The sequential encoding as a CP-SAT model: plans of exactly ``horizon`` moves.

The same problem as `bsp_sat.encoder.sequential`, said with what CP-SAT has beyond clauses: a place holds exactly
one of the colours or nothing, heights are sums and change by the amount moved, and the work left (see
`bsp_sat.encoder.sequential.progress`) is one linear inequality a state instead of a unary counter. States are numbered
forwards, state 0 is the board.

As there, infeasible means that no shortest plan has ``horizon`` moves.
"""

from dataclasses import dataclass
from itertools import count, pairwise, product

from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

from bsp_sat.backends.backend import Report
from bsp_sat.backends.cpsat.solver import Solver
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import Pour, SortPuzzle, WaterSort


@dataclass(frozen=True)
class _State:
    """``place[i][p][c]``: place p of tube i, bottom first, holds colour c, or nothing where c is the last."""

    place: list[list[list[IntVar]]]

    def room(self, tube: int) -> IntVar:
        """The tube isn't full."""
        return self.place[tube][-1][-1]

    def empty(self, tube: int) -> IntVar:
        """The tube holds nothing."""
        return self.place[tube][0][-1]

    def height(self, tube: int) -> LinearExpr:
        """Number of balls in the tube."""
        places = self.place[tube]
        return len(places) - LinearExpr.sum([place[-1] for place in places])


@dataclass(frozen=True)
class _Step:
    """Source, target and colour of one move, one literal a choice."""

    source: list[IntVar]
    target: list[IntVar]
    colour: list[IntVar]


class SequentialModel:
    """A CP-SAT model whose solutions are plans of exactly ``horizon`` moves."""

    def __init__(self, puzzle: SortPuzzle, horizon: int) -> None:
        self.puzzle = puzzle
        self.model = CpModel()
        self.tubes = range(len(puzzle.tubes))
        self.places = range(puzzle.capacity)
        self.colours = range(len(puzzle.palette))
        self.states = [self._state() for _ in range(horizon + 1)]
        self._start(self.states[0])
        self._goal(self.states[-1])
        self.steps = [self._step(before, after) for before, after in pairwise(self.states)]
        for left, state in enumerate(reversed(self.states)):
            self._budget(state, left)

    def decode(self, solver: CpSolver) -> Plan:
        """The plan that a solution stands for."""

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
        return _State(place)

    def _start(self, state: _State) -> None:
        for i, tube in enumerate(self.puzzle.tubes):
            for p in self.places:
                self.model.add(state.place[i][p][tube[p] if p < len(tube) else -1] == 1)

    def _goal(self, state: _State) -> None:
        """One colour a tube; at the goal ``full`` no tube is half full and each colour has its tubes."""
        full = self.puzzle.goal == "full"
        for i in self.tubes:
            for lower, upper in pairwise(state.place[i]):
                if full:
                    self.model.add_implication(upper[-1], lower[-1])
                for c in self.colours:
                    self.model.add_bool_or(~lower[c], upper[c], upper[-1])
        if full:
            for c in self.colours:
                bottoms = [state.place[i][0][c] for i in self.tubes]
                self.model.add(LinearExpr.sum(bottoms) == self.puzzle.home_tubes(c))

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
            # The lowest of several empty tubes is as good as any.
            for lower in self.tubes[:i]:
                model.add_bool_or(~step.target[i], ~before.empty(i), ~before.empty(lower))
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
            for i in self.tubes:
                model.add_bool_or(~step.target[i], ~after.room(i), room_left)
                # The run ends at the source only where it is used up or the target is full.
                for p, c in product(self.places, self.colours):
                    above = [~after.place[i][p + 1][-1]] if p + 1 < most else []
                    model.add_bool_or(~step.source[i], ~step.colour[c], ~after.place[i][p][c], *above, ~room_left)

    def _colour_matches(self, before: _State, step: _Step) -> None:
        """The top balls of source and target have the colour of the move."""
        for i, p, c in product(self.tubes, self.places, self.colours):
            top = before.place[i][p]
            above = [~before.place[i][p + 1][-1]] if p + 1 < len(self.places) else []
            for end in (step.source[i], step.target[i]):
                self.model.add_bool_or(~end, ~step.colour[c], top[c], top[-1], *above)

    def _frame(self, before: _State, step: _Step, after: _State) -> None:
        """What stays keeps its colour; what leaves or arrives has the colour of the move."""
        for i, p, c in product(self.tubes, self.places, self.colours):
            then, now = before.place[i][p], after.place[i][p]
            self.model.add_bool_or(~then[c], now[c], now[-1])
            self.model.add_bool_or(~now[c], then[c], then[-1])
            self.model.add_bool_or(~then[c], ~now[-1], step.colour[c])
            self.model.add_bool_or(~now[c], ~then[-1], step.colour[c])

    def _budget(self, state: _State, left: int) -> None:
        """The work of a state with ``left`` moves to go is at most ``left``; a redundant constraint.

        A literal for what is at home only has to be false where nothing is: the solver may count less
        than there is, never more.
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
        """A literal that implies: ``place`` holds the home colour, and all below it does."""
        at_home = self.model.new_bool_var("")
        self.model.add_implication(at_home, ~place[-1])
        if below is not None:
            self.model.add_implication(at_home, below)
        for c in self.colours:
            self.model.add_bool_or(~at_home, ~place[c], home[c])
        return at_home


def climb_horizons(puzzle: SortPuzzle, solver: Solver, report: Report, max_steps: int | None) -> str:
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
        if solver.solve(model.model):
            report.plan(model.decode(solver.cp))
            break
    return f"no plan within {max_steps} moves"
