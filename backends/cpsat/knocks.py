"""Shot as a CP-SAT model, with the meaning of `bsp_sat.encoder.knocks`.

What CP-SAT has beyond clauses: exactly one of all knocks is chosen, a place shifts as often as knocks that reach it are
chosen, and each state has one ball less than the one before, a redundant sum.
"""

from itertools import pairwise, product
from typing import ClassVar

from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import DIRECTIONS, Knock, Shot

State = dict[tuple[int, int], IntVar]


class KnocksModel:
    """A CP-SAT model whose solutions are plans of exactly ``horizon`` moves."""

    any_length: ClassVar[bool] = True

    def __init__(self, puzzle: AnyPuzzle, horizon: int) -> None:
        assert isinstance(puzzle, Shot)
        self.model = CpModel()
        columns, rows = zip(*puzzle.balls, strict=True)  # balls stay within the least rectangle around them
        self.places = list(product(range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)))
        states: list[State] = [
            {place: self.model.new_bool_var("") for place in self.places} for _ in range(horizon + 1)
        ]
        for place in self.places:
            self.model.add(states[0][place] == (place in puzzle.balls))
        for step, state in enumerate(states):
            self.model.add(LinearExpr.sum(list(state.values())) == len(puzzle.balls) - step)
        self.steps = [self._step(before, after) for before, after in pairwise(states)]

    def decode(self, solver: CpSolver) -> Plan:
        """The plan that a solution stands for."""
        return Plan(tuple(next(knock for knock, it in step.items() if solver.boolean_value(it)) for step in self.steps))

    def _step(self, before: State, after: State) -> dict[Knock, IntVar]:
        """One legal knock from ``before`` to ``after``."""
        model = self.model
        knocks: dict[Knock, IntVar] = {}
        reached: dict[tuple[str, int, int], list[IntVar]] = {
            (name, x, y): [] for name in DIRECTIONS for x, y in self.places
        }
        for (x, y), (direction, (dx, dy)) in product(self.places, DIRECTIONS.items()):
            ahead = [(x + dx * steps, y + dy * steps) for steps in range(1, len(self.places))]
            ahead = [place for place in ahead if place in before]
            if len(ahead) > 1:
                knock = knocks[Knock(x, y, direction)] = model.new_bool_var("")
                model.add_implication(knock, before[x, y])
                model.add_implication(knock, ~before[ahead[0]])
                model.add_bool_or(~knock, *(before[place] for place in ahead[1:]))
                for place in [(x, y), *ahead]:
                    reached[direction, *place].append(knock)
        model.add_exactly_one(knocks.values())
        for x, y in self.places:
            shifts = []
            for direction, (dx, dy) in DIRECTIONS.items():
                shift = model.new_bool_var("")
                model.add(LinearExpr.sum(reached[direction, x, y]) == shift)
                shifts.append(shift)
                source = before.get((x + dx, y + dy), 0)
                model.add(after[x, y] == source).only_enforce_if(shift)
            model.add(after[x, y] == before[x, y]).only_enforce_if(*(~shift for shift in shifts))
        return knocks
