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
from typing import Protocol

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
        """A model of formula and assumptions, None without one; ``likely`` literals change the time alone."""


def model_at(
    solver: ClauseSolver,
    formula: PlanFormula,
    assumptions: list[Literal],
    horizon: int | None,
    report: Report,
    *,
    exact: bool,
    likely: Sequence[Literal] = (),
) -> Model | None:
    """A model at a horizon, None for any length; None if there is none. Reports the question."""
    asking = Asking(solver)
    model = solver.model_under(formula, [*assumptions, *(formula.exact if exact else [])], likely)
    conflicts, seconds = asking.spent()
    report.solver_answered(
        Question(
            Asks.ANY if horizon is None else Asks.EXACTLY if formula.exactly else Asks.AT_MOST,
            horizon,
            layers=None,
            exact=exact and bool(formula.exact),
            variables=len(formula.names),
            clauses=len(formula.clauses),
            satisfiable=model is not None,
            conflicts=conflicts,
            seconds=seconds,
        )
    )
    return model


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
    formula = encoding.encode(puzzle)
    solver = solver_for(formula)
    solvable, guide, max_steps = start
    if not solvable:
        asked = encoding.for_any_length()
        anything = formula if asked is encoding else asked.encode(puzzle)
        reason, plan = ask_for_any(anything, solver if asked is encoding else solver_for(anything), report)
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
        found = _plan_under(formula, solver, report, assumptions, horizon, likely)
        if found is None:
            refuted = _refuted(formula, solver, report, assumptions, horizon)
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


def ask_for_any(formula: PlanFormula, solver: ClauseSolver, report: Report) -> tuple[str | None, Plan | None]:
    """Asks for a plan of any length, if the encoding can; returns why no question is left, or None, and a plan."""
    anything = formula.at_any_length()
    if anything is None:
        return None, None
    plan = _plan_under(formula, solver, report, anything, None)
    if plan is not None:
        return None, plan
    if _refuted(formula, solver, report, anything, None):
        report.unsolvable("unsatisfiable without a bound on the length")
        return "", None
    return TOO_WEAK, None


def _plan_under(
    formula: PlanFormula,
    solver: ClauseSolver,
    report: Report,
    assumptions: list[Literal],
    horizon: int | None,
    likely: Sequence[Literal] = (),
) -> Plan | None:
    model = model_at(solver, formula, assumptions, horizon, report, exact=True, likely=likely)
    return None if model is None else formula.decode(model, horizon or 0)


def _refuted(
    formula: PlanFormula, solver: ClauseSolver, report: Report, assumptions: list[Literal], horizon: int | None
) -> bool:
    """Whether a horizon without a plan is refuted: there is no model without the ``exact`` assumptions either."""
    return not formula.exact or model_at(solver, formula, assumptions, horizon, report, exact=False) is None
