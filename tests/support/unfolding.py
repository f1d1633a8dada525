"""Unfolding, an encoding from outside the package: what 1, 2, 3 … moves lead to, written out.

For tiny boards of any puzzle. It knows no rule: it plays every move of every position, as breadth-first search does,
and leaves to the solver which way to go. Positions are numbered in the order in which they are found.

Variables
    goes(t, p, …)   move t, counted from 0, is the one named, made in position p, and nothing shorter leads where it
                    leads to                                                                       1 a move found
    made(t)         there is a move t                                                              1 a step
    ends(h)         one of the first h moves leads to a goal                                       1 a horizon

Clause groups
    `_step`         at most one move a step; it is made where one of the moves before it led to    O(moves²)
    `at_horizon`    one of the first h moves leads to a goal

A shortest plan visits only positions that nothing shorter leads to, so it is a model; and a model is a chain of moves
from the board, up to the goal, from where no move goes on. So UNSAT at horizon h means that no plan has h moves or
fewer; and when all positions are found, that there is no plan. At the length of a shortest plan, models and shortest
plans correspond one to one.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from bsp_sat import AnyPuzzle, Encoding, Move, Plan, PlanFormula, Unsat, Unsupported
from bsp_sat.encoder.formula import Literal, Model

MOST_POSITIONS = 500


@dataclass(frozen=True)
class Unfolding(Encoding):
    """The unfolding encoding; it has no choices."""

    name = "unfolding"
    unsat = Unsat.UP_TO
    any_length = True

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that lead to many positions: their number is nothing that a scope can say."""
        super().check(puzzle)
        if leads_far(puzzle):
            raise Unsupported(f"the {self.name} encoding takes boards that lead to {MOST_POSITIONS} positions at most")

    def formula_of(self, puzzle: AnyPuzzle) -> "UnfoldingFormula":
        """Nothing yet: each horizon adds its moves."""
        return UnfoldingFormula(puzzle)


class UnfoldingFormula(PlanFormula):
    """The unfolding of one board, for any number of horizons."""

    def __init__(self, puzzle: AnyPuzzle) -> None:
        super().__init__()
        self.lower_bound = puzzle.lower_bound()
        self.solved = puzzle.is_goal()
        self.numbers = {puzzle: 0}
        self.ways: dict[AnyPuzzle, list[Literal]] = {puzzle: []}  # the newest positions, and the moves that lead there
        self.moves: list[dict[Literal, Move]] = []
        self.made: list[Literal] = []
        self.goals: list[list[Literal]] = []

    def at_horizon(self, horizon: int) -> list[Literal]:
        """One of the first ``horizon`` moves leads to a goal."""
        while len(self.moves) < horizon:
            self._step()
        if self.solved and horizon >= 0:
            return []
        goals = [literal for step in self.goals[: max(0, horizon)] for literal in step]
        return [self.define_or(("ends", horizon), goals)]

    def at_any_length(self) -> list[Literal]:
        """The same, with all positions found."""
        self._find_all()
        return self.at_horizon(len(self.moves))

    def extra_moves(self) -> list[Literal]:
        """The moves after as many as the lower bound says."""
        self._find_all()
        return self.made[self.lower_bound :]

    def decode(self, model: Model, horizon: int) -> Plan:
        """The moves that are true, of those that the model knows."""
        true = {literal for literal in model if literal > 0}
        return Plan(tuple(move for step in self.moves for literal, move in step.items() if literal in true))

    def _find_all(self) -> None:
        while self.ways:
            self._step()

    def _step(self) -> None:
        step, before = len(self.moves), dict(self.numbers)
        ways: dict[AnyPuzzle, list[Literal]] = defaultdict(list)
        moves: dict[Literal, Move] = {}
        goals: list[Literal] = []
        for position, arriving in self.ways.items():
            for move in [] if position.is_goal() else position.pruned_moves(position.renamings):
                after = position.apply(move)
                if after in before:
                    continue
                goes = self.variable("goes", step, self.numbers[position], *move)
                moves[goes] = move
                ways[after].append(goes)
                self.numbers.setdefault(after, len(self.numbers))
                if step:
                    self.add(-goes, *arriving)
                if after.is_goal():
                    goals.append(goes)
        self.at_most_one(moves)
        self.moves.append(moves)
        self.made.append(self.define_or(("made", step), list(moves)))
        self.goals.append(goals)
        self.ways = ways


@cache
def leads_far(puzzle: AnyPuzzle) -> bool:
    """Whether ``puzzle`` leads to more than `MOST_POSITIONS` positions."""
    seen = {puzzle}
    queue = [puzzle]
    while queue and len(seen) <= MOST_POSITIONS:
        position = queue.pop()
        for after in map(position.apply, position.legal_moves()):
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return len(seen) > MOST_POSITIONS
