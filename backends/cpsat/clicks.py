"""Tiles as a CP-SAT model, with the meaning of `bsp_sat.encoder.clicks`.

What CP-SAT has beyond clauses: the row of a tile is a sum, and the steps from the click to a tile are an integer,
which replaces one literal for every number of steps. States are numbered forwards, state 0 is the board.
"""

from itertools import combinations, pairwise
from typing import ClassVar

from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.tiles import Click, Tiles

Place = tuple[int, int]
"""Where a tile began: column and row."""

State = dict[Place, IntVar]
"""Whether each tile is left."""


class ClicksModel:
    """A CP-SAT model whose solutions are plans of exactly ``horizon`` clicks."""

    any_length: ClassVar[bool] = False

    def __init__(self, puzzle: AnyPuzzle, horizon: int) -> None:
        assert isinstance(puzzle, Tiles)
        self.model = CpModel()
        self.columns = range(len(puzzle.columns))
        self.colour = {(x, y): tile for x, column in enumerate(puzzle.columns) for y, tile in enumerate(column)}
        self.pairs = [
            (a, b) for a, b in combinations(self.colour, 2) if self.colour[a] == self.colour[b] and b[0] - a[0] <= 1
        ]
        states: list[State] = [{place: self._literal() for place in self.colour} for _ in range(horizon + 1)]
        for first, last in zip(states[0].values(), states[-1].values(), strict=True):
            self.model.add(first == 1)
            self.model.add(last == 0)
        self.clicks = [self._step(before, after) for before, after in pairwise(states)]
        for left, state in enumerate(reversed(states)):
            self._budget(state, left)

    def decode(self, solver: CpSolver) -> Plan:
        """The plan that a solution stands for."""
        return Plan(
            tuple(Click(next(x for x in self.columns if solver.boolean_value(click[x]))) for click in self.clicks)
        )

    def _literal(self) -> IntVar:
        return self.model.new_bool_var("")

    def _step(self, before: State, after: State) -> list[IntVar]:
        """One click: what hangs together with the clicked tile goes, and nothing else."""
        model = self.model
        click = [self._literal() for _ in self.columns]
        model.add_exactly_one(click)
        goes = {place: self._literal() for place in self.colour}
        row = {
            (x, y): LinearExpr.sum([before[x, lower] for lower in range(y)]) if y else LinearExpr.constant(0)
            for x, y in self.colour
        }
        reasons: dict[Place, list[IntVar]] = {}
        for (x, y), goer in goes.items():
            model.add(before[x, y] - after[x, y] == goer)
            root = self._literal()
            model.add_implication(root, click[x])
            model.add(row[x, y] == 0).only_enforce_if(root)
            reasons[x, y] = [root]
        for x in self.columns:  # the bottom tile of the clicked column goes
            model.add_bool_or(~click[x], *(reasons[place][0] for place in self.colour if place[0] == x))
        distance = {place: model.new_int_var(0, len(self.colour), "") for place in self.colour}
        for a, b in self.pairs:
            touch = self._touch(before, row, a, b)
            for one, other in ((a, b), (b, a)):
                model.add_bool_or(~touch, ~goes[one], goes[other])
                by = self._literal()  # ``one`` goes because ``other`` does
                reasons[one].append(by)
                model.add_implication(by, touch)
                model.add_implication(by, goes[other])
                model.add(distance[one] > distance[other]).only_enforce_if(by)
        for place, goer in goes.items():
            model.add_bool_or(~goer, *reasons[place])
            for reason in reasons[place]:
                model.add_implication(reason, goer)
        return click

    def _touch(self, state: State, row: dict[Place, LinearExpr], a: Place, b: Place) -> IntVar:
        """A literal that says that two tiles of one colour touch; ``a`` is below or on the left."""
        model, touch = self.model, self._literal()
        both = [~state[a], ~state[b]]
        model.add_implication(touch, state[a])
        model.add_implication(touch, state[b])
        if a[0] == b[0]:
            between = [state[a[0], y] for y in range(a[1] + 1, b[1])]
            model.add_bool_or(*both, *between, touch)
            for tile in between:
                model.add_implication(touch, ~tile)
            return touch
        lower, higher = self._literal(), self._literal()
        model.add(row[a] == row[b]).only_enforce_if(touch)
        model.add(row[a] < row[b]).only_enforce_if(lower)
        model.add(row[a] > row[b]).only_enforce_if(higher)
        model.add_bool_or(*both, touch, lower, higher)
        return touch

    def _budget(self, state: State, left: int) -> None:
        """No more runs of columns that hold a colour than clicks are left; a redundant constraint."""
        runs = []
        before: dict[int, IntVar] = {}
        for x in self.columns:
            tiles: dict[int, list[IntVar]] = {}
            for place, tile in state.items():
                if place[0] == x:
                    tiles.setdefault(self.colour[place], []).append(tile)
            holds = {colour: self._literal() for colour in tiles}
            for colour, literal in holds.items():
                self.model.add_max_equality(literal, tiles[colour])
                begins = self._literal()
                self.model.add_bool_or(~literal, begins, *([before[colour]] if colour in before else []))
                runs.append(begins)
            before = holds
        self.model.add(LinearExpr.sum(runs) <= left)
