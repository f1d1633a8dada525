"""Ways to close in on the optimum with the order encoding: configurations ``budget:…`` of run.py.

    below-any      a plan of any length first, then one by one from the lower bound
    below          one by one from the lower bound and nothing else, so that unsolvable boards are never recognised
    below-quick    a quick search first, then one by one from the lower bound: what backend sat does
    above-any      a plan of any length first, then always one move less
    above-quick    a quick search first, then always one move less
    bisect-any     a plan of any length first, then always half of what is open
    core           core-guided: RC2 of python-sat (Ignatiev, Morgado, Marques-Silva 2019), a soft clause an extra move

Figures of their own: ``first_plan``, its length, and ``first_plan_seconds``, since the backend started.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.sat.backend import DEFAULT_SOLVER
from bsp_sat.backends.search.weighted_astar import quick_plan
from bsp_sat.encoder.formula import Literal
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.encoder.order.formula import OrderFormula
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class Budget(Backend):
    """One of `STRATEGIES` on the order encoding, for boards whose models are all plans."""

    strategy: str
    solver: str = DEFAULT_SOLVER

    name = "budget"

    @property
    def encoding_name(self) -> str:
        """The order encoding's."""
        return "order"

    @property
    def solver_name(self) -> str:
        """The solver's name."""
        return self.solver

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds the optimum."""
        STRATEGIES[self.strategy](Interval(puzzle, report, self.solver))
        return "the board was called unsolvable"


class Interval:
    """What is known of one board's optimum, and a solver to ask for more."""

    def __init__(self, puzzle: AnyPuzzle, report: Report, solver: str) -> None:
        from pysat.solvers import Solver

        self.started = time.perf_counter()
        self.puzzle = puzzle
        self.report = report
        self.solver_name = solver
        self.lower = puzzle.lower_bound()
        self.upper: int | None = None
        self.solver = Solver(name=solver)
        self.fed = 0

    @cached_property
    def formula(self) -> OrderFormula:
        """Encoded when it is first asked for: a quick search comes before."""
        return Order().encode(self.puzzle)

    @property
    def open(self) -> bool:
        """The bounds differ."""
        return self.lower != self.upper

    def found(self, plan: Plan | None) -> bool:
        """Takes in a plan."""
        if plan is None:
            return False
        if self.upper is None:
            self.report.stats(first_plan=len(plan), first_plan_seconds=time.perf_counter() - self.started)
        self.report.plan(plan)
        self.upper = len(plan)
        return True

    def refuted(self, horizon: int) -> None:
        """Takes in that no plan has ``horizon`` moves or fewer."""
        self.lower = horizon + 1
        self.report.lower_bound(self.lower)

    def quick(self) -> bool:
        """Searches for a plan, and asks for one where that fails."""
        return self.found(quick_plan(self.puzzle)) or self.any()

    def any(self) -> bool:
        """Asks for a plan of any length."""
        return self._solve([], 0)

    def ask(self, horizon: int) -> None:
        """Asks for a plan of at most ``horizon`` moves."""
        if not self._solve(self.formula.at_horizon(horizon), horizon):
            self.refuted(horizon)

    def _solve(self, assumptions: list[Literal], horizon: int) -> bool:
        self.solver.append_formula(self.formula.clauses[self.fed :])
        self.fed = len(self.formula.clauses)
        satisfiable = self.solver.solve(assumptions=assumptions)
        return self.found(self.formula.decode(self.solver.get_model(), horizon) if satisfiable else None)


def climb(interval: Interval) -> None:
    """One by one from below."""
    while interval.open:
        interval.ask(interval.lower)


def descend(interval: Interval) -> None:
    """One by one from above."""
    while interval.open:
        assert interval.upper is not None
        interval.ask(interval.upper - 1)


def bisect(interval: Interval) -> None:
    """Half of what is open."""
    while interval.open:
        assert interval.upper is not None
        interval.ask((interval.lower + interval.upper - 1) // 2)


def follow_cores(interval: Interval) -> None:
    """Each core of soft clauses is a move more."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    class Reporting(RC2):
        def process_core(self) -> None:
            super().process_core()
            interval.refuted(interval.puzzle.lower_bound() + self.cost - 1)

    problem = WCNF()
    problem.extend(interval.formula.clauses)
    for literal in interval.formula.extra_moves():
        problem.append([-literal], weight=1)
    with Reporting(problem, solver=interval.solver_name) as solver:
        model = solver.compute()
        if model is not None:
            interval.found(interval.formula.decode(model, 0))


STRATEGIES: dict[str, Callable[[Interval], None]] = {
    "below-any": lambda interval: climb(interval) if interval.any() else None,
    "below": climb,
    "below-quick": lambda interval: climb(interval) if interval.quick() else None,
    "above-any": lambda interval: descend(interval) if interval.any() else None,
    "above-quick": lambda interval: descend(interval) if interval.quick() else None,
    "bisect-any": lambda interval: bisect(interval) if interval.any() else None,
    "core": follow_cores,
}
