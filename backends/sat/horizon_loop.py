"""The horizon loop: raises the horizon of a formula until it has a model. All solvers of clauses use it.

The first horizon is the puzzle's lower bound, and each refuted horizon raises the bound. If no plan is known yet, and
the encoding can ask for a plan of any length, that is asked first: no model means that the board is unsolvable. Other
encodings never recognise an unsolvable board, and only a limit stops the loop. benchmarks/measurements.md
compares this with other ways to approach the optimum.

Some encodings have models that aren't plans (the ``exact`` assumptions exclude them). For these, a horizon counts as
refuted only if it is refuted without the assumptions. After the first horizon for which that fails, plans may still be
found, but the lower bound doesn't rise any more.

If the last refutation takes most of the time (`PlanFormula.leaps`) and a plan is known, only the lower half of the
horizons between the bound and that plan is tried one by one; then comes the longest horizon that is still open.

A quick search may give a **guide**: a plan that says where a plan is, and how it looks (`PlanFormula.likely`), and is
never reported. The loop goes up to its length, where the formula must have a model of its own.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from bsp_sat.backends.backend import Report
from bsp_sat.backends.result import Asking, Asks, Counting, Question
from bsp_sat.backends.sat.encoding_backend import Start
from bsp_sat.backends.search.weighted_astar import report_within
from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.instances.errors import BackendError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

TOO_WEAK = "the encoding is too weak here: refutations need assumptions that not all plans meet"


class ClauseSolver(Counting, Protocol):
    """A SAT solver, asked about a growing formula."""

    def model_under(
        self, formula: PlanFormula, assumptions: list[Literal], likely: Sequence[Literal] = ()
    ) -> Model | None:
        """A model of the current clauses of ``formula`` and of ``assumptions``; None if there is none.

        Literals that are ``likely`` to hold in a model change the time that it takes, not the answer.
        """


class _Asked(NamedTuple):
    """A formula, and the solver that is asked about it; the answers are reported."""

    formula: PlanFormula
    solver: ClauseSolver
    report: Report

    def model(
        self, assumptions: list[Literal], horizon: int | None, *, exact: bool, likely: Sequence[Literal] = ()
    ) -> Model | None:
        """A model at a horizon, None for any length; None if there is none."""
        formula, asking = self.formula, Asking(self.solver)
        model = self.solver.model_under(formula, [*assumptions, *(formula.exact if exact else [])], likely)
        asks = Asks.ANY if horizon is None else Asks.EXACTLY if formula.exactly else Asks.AT_MOST
        is_exact, sizes = exact and bool(formula.exact), (len(formula.names), len(formula.clauses))
        answer = Question(asks, horizon, None, is_exact, *sizes, model is not None, *asking.spent())
        self.report.solver_answered(answer)
        return model

    def plan(self, assumptions: list[Literal], horizon: int | None, likely: Sequence[Literal] = ()) -> Plan | None:
        """The plan of such a model."""
        model = self.model(assumptions, horizon, exact=True, likely=likely)
        return None if model is None else self.formula.decode(model, horizon or 0)

    def is_refuted(self, assumptions: list[Literal], horizon: int | None) -> bool:
        """Whether a horizon without a plan is refuted: there is no model without the ``exact`` assumptions either."""
        return not self.formula.exact or self.model(assumptions, horizon, exact=False) is None

    def plan_of_any_length(self) -> tuple[str | None, Plan | None]:
        """Asks for a plan of any length, if the encoding can; returns why no question is left, or None, and a plan."""
        anything = self.formula.at_any_length()
        if anything is None:
            return None, None
        plan = self.plan(anything, None)
        if plan is not None:
            return None, plan
        if self.is_refuted(anything, None):
            self.report.unsolvable("unsatisfiable without a bound on the length")
            return "", None
        return TOO_WEAK, None


def raise_horizon(
    puzzle: AnyPuzzle,
    encoding: Encoding,
    solver_for: Callable[[PlanFormula], ClauseSolver],
    report: Report,
    start: Start,
) -> str:
    """Raises the horizon until there is a model, or past the longest plan of interest.

    Where nothing is known yet, a plan of any length is asked for first, by `Encoding.for_any_length`. Returns why it
    stopped, if the board isn't settled. BackendError if the encoding is wrong: a plan has more moves than its horizon,
    or there is a plan at a horizon that was refuted.
    """

    def asked_of(chosen: Encoding) -> _Asked:
        formula = chosen.encode(puzzle)
        return _Asked(formula, solver_for(formula), report)

    asked = asked_of(encoding)
    formula = asked.formula
    solvable, guide, max_steps = start
    if not solvable:
        other = encoding.for_any_length()
        reason, plan = (asked if other is encoding else asked_of(other)).plan_of_any_length()
        if reason is not None:
            return reason
        if plan is not None:
            max_steps = report_within(report, plan, max_steps)
    guided = None if guide is None else len(guide)
    most = max_steps if guided is None else guided - 1  # the longest horizon of which nothing is known
    proved = True
    bound = lowest = puzzle.lower_bound()
    while True:
        if proved:
            report.lower_bound(bound)
        if most is not None and bound > most and bound != guided:
            break
        horizon = bound
        if formula.leaps and most is not None and most >= bound and 2 * (bound - lowest) >= most - lowest:
            horizon = most
        report.stats(horizon=horizon)
        assumptions = formula.at_horizon(horizon)
        likely = formula.likely(guide) if guide is not None and horizon == guided else ()
        found = asked.plan(assumptions, horizon, likely)
        if found is None:
            refuted = asked.is_refuted(assumptions, horizon)
            if refuted and horizon == guided:
                raise BackendError(f"{encoding.name} refuted {horizon} moves, and there is such a plan")
            proved = proved and refuted
            bound = horizon + 1
            continue
        if len(found) > horizon:
            raise BackendError(f"{encoding.name} found a plan of {len(found)} moves, asked for at most {horizon}")
        report.plan(found)
        if len(found) <= bound:
            break
        most, guided = len(found) - 1, None
    return TOO_WEAK
