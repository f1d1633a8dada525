"""Any encoding's clauses as a CP-SAT model: a Boolean for each variable, and one of its literals for each clause.

If an encoding can ask for plans of any length, and all its models are plans, one model is enough: the objective is the
number of moves, CP-SAT finds bounds on it by itself, and infeasible means that the board is unsolvable. Otherwise the
horizon is raised (`bsp_sat.backends.sat.horizon_loop`), with a new model for each question. Assumptions become fixed
literals, and CP-SAT keeps no learned clauses between models.

The objective is sound by the contract of ``extra_moves`` in `bsp_sat.encoder.encoding.PlanFormula`: a plan has no more
moves than its model costs, and some shortest plan has a model that costs exactly its moves. So the least cost is the
least number of moves, a bound on one is a bound on the other, and if no model costs ``max_steps`` or less, no plan is
that short.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import ceil, inf

from ortools.sat.python.cp_model import CpModel, CpSolverSolutionCallback, IntVar, LinearExpr, LiteralT

from bsp_sat.backends.backend import Report
from bsp_sat.backends.cpsat.solver import Solver
from bsp_sat.backends.result import Asking, Asks, Question
from bsp_sat.encoder.encoding import PlanFormula
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.instances.errors import BackendError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

HINT_CONFLICTS = 10_000
ROUNDING = 1e-6  # CP-SAT reports its bound as a floating-point number


class ClauseModel:
    """The clauses of a formula, as they grow."""

    def __init__(self, formula: PlanFormula) -> None:
        self.model = CpModel()
        self._variables: list[IntVar] = []
        self._formula = formula
        self._clauses = 0
        self._fixed: list[Literal] = []
        self.grow()

    def grow(self) -> None:
        """Adds what the formula has got since."""
        while len(self._variables) < len(self._formula.names):
            self._variables.append(self.model.new_bool_var(""))
        for clause in islice(self._formula.clauses, self._clauses, None):
            self.model.add_bool_or([self.literal(literal) for literal in clause])
        self._clauses = len(self._formula.clauses)

    def literal(self, literal: Literal) -> LiteralT:
        """A literal of the formula in the model."""
        variable = self._variables[abs(literal) - 1]
        return variable if literal > 0 else ~variable

    def fix(self, literals: Iterable[Literal]) -> None:
        """Has these literals hold, and lets go of those that had to hold before."""
        for literal in self._fixed:
            self._set_range(literal, 0, 1)
        self._fixed = list(literals)
        for literal in self._fixed:
            self._set_range(literal, literal > 0, literal > 0)

    def _set_range(self, literal: Literal, least: int, most: int) -> None:
        domain = self.model.proto.variables[abs(literal) - 1].domain
        domain[0], domain[1] = least, most

    def hint(self, likely: Iterable[Literal]) -> None:
        """Has the solver try literals that are likely to hold in a solution."""
        self.model.clear_hints()  # type: ignore[no-untyped-call]  # OR-Tools gives it no types
        for literal in {abs(literal): literal for literal in likely}.values():  # CP-SAT refuses two hints for one
            self.model.add_hint(self._variables[abs(literal) - 1], literal > 0)

    def values(self, holds: Callable[[LiteralT], bool]) -> Model:
        """A solution as a model of the formula; ``holds`` gives the values of literals."""
        return [v if holds(variable) else -v for v, variable in enumerate(self._variables, start=1)]


class CpSatClauseSolver:
    """A solver for `bsp_sat.backends.sat.horizon_loop`: CP-SAT starts again at each question, on a model that grows.

    Without CP-SAT's presolve, which takes longer than the search, and with hints that it follows for longer than by
    default (benchmarks/measurements.md).
    """

    def __init__(self, formula: PlanFormula, solver: Solver, report: Report) -> None:
        solver.cp.parameters.cp_model_presolve = False
        solver.cp.parameters.hint_conflict_limit = HINT_CONFLICTS
        self._asked = ClauseModel(formula)
        self._solver = solver
        self._report = report

    @property
    def conflicts(self) -> int:
        """The conflicts in all answers so far."""
        return self._solver.conflicts

    def model_under(
        self, formula: PlanFormula, assumptions: list[Literal], likely: Sequence[Literal] = ()
    ) -> Model | None:
        """See `bsp_sat.backends.sat.horizon_loop.ClauseSolver`."""
        self._report.stats(variables=len(formula.names), clauses=len(formula.clauses))
        asked = self._asked
        asked.grow()
        asked.fix(assumptions)
        asked.hint(likely)
        return asked.values(self._solver.cp.boolean_value) if self._solver.solve(asked.model) else None


def minimise(
    puzzle: AnyPuzzle,
    formula: PlanFormula,
    anything: list[Literal],
    solver: Solver,
    report: Report,
    max_steps: int | None,
    guide: Plan | None = None,
) -> str:
    """Finds a shortest plan, or proves that none has ``max_steps`` moves or fewer, or that there is none.

    All models of the formula must be plans; ``anything`` are the assumptions that ask for a plan of any length, and
    ``guide`` is a plan of interest to look for solutions with. Returns why it stopped, for a result that isn't settled.
    Raises BackendError if there is no solution as good as the guide: the encoding is wrong.
    """
    if guide is not None:
        max_steps = len(guide)
    prices = Counter(formula.extra_moves())
    asked = ClauseModel(formula)
    asked.fix(anything)
    report.stats(variables=len(formula.names), clauses=len(formula.clauses))
    literals = [asked.literal(literal) for literal in prices]
    moves = puzzle.lower_bound() + LinearExpr.weighted_sum(literals, list(prices.values()))
    asked.model.minimize(moves)
    if max_steps is not None:
        asked.model.add(moves <= max_steps)
    if guide is not None:
        asked.hint(formula.likely(guide))
    reporter = Reporter(formula, asked, report, max_steps, puzzle.lower_bound(), solver)
    solver.cp.best_bound_callback = reporter.on_bound
    if solver.solve(asked.model, callback=reporter):
        reporter.refuted_below(round(solver.cp.objective_value))
    elif guide is not None:
        raise BackendError(f"the formula refuted {max_steps} moves, and there is such a plan")
    elif max_steps is None:
        reporter.answered(None, satisfiable=False)
        report.unsolvable("infeasible without a bound on the length")
    else:
        reporter.refuted_below(max_steps + 1)
    return ""


class Reporter(CpSolverSolutionCallback):
    """Reports the plan of each solution and each bound when CP-SAT finds them; CP-SAT makes one call at a time.

    A plan answers the question whether there is one of its length, and a bound whether there is a shorter one. So they
    are reported as such questions too, and a run that is cut short says what it has found out.
    """

    def __init__(
        self,
        formula: PlanFormula,
        asked: ClauseModel,
        report: Report,
        max_steps: int | None,
        bound: int,
        solver: Solver,
    ) -> None:
        super().__init__()
        self._formula = formula
        self._asked = asked
        self._report = report
        self._most = inf if max_steps is None else max_steps
        self._bound = bound
        self._solver = solver
        self._asking = Asking(solver)

    def on_solution_callback(self) -> None:
        """Called with a better solution."""
        plan = self._formula.decode(self._asked.values(self.boolean_value), 0)
        self.answered(len(plan), satisfiable=True)
        self._report.plan(plan)

    def on_bound(self, bound: float) -> None:
        """Called with a better bound on the objective; there may still be plans longer than ``max_steps``."""
        self.refuted_below(int(min(ceil(bound - ROUNDING), self._most + 1)))

    def refuted_below(self, bound: int) -> None:
        """Reports that no plan has fewer moves."""
        if bound > self._bound:
            self._bound = bound
            self.answered(bound - 1, satisfiable=False)
        self._report.lower_bound(bound)

    def answered(self, horizon: int | None, *, satisfiable: bool) -> None:
        """Reports the question whether there is a plan of at most so many moves, None for any, and its answer."""
        asks = Asks.ANY if horizon is None else Asks.AT_MOST
        model = self._asked.model.proto
        sizes = len(model.variables), len(model.constraints)
        self._report.solver_answered(Question(asks, horizon, None, False, *sizes, satisfiable, *self._asking.spent()))
        self._asking = Asking(self._solver)
