"""Raising the horizon of a formula until it has a model: the loop of every solver that takes clauses.

The first horizon is the puzzle's lower bound, and each refuted one raises it. Where no plan is known before, encodings
that can ask for a plan of any length are asked for one: no model means that the board is unsolvable. With the
others an unsolvable board is never recognised, and only a limit stops the loop. docs/measurements/strategies.md
compares this with other ways to close in on the optimum.

Where an encoding has models that are no plans (its ``exact`` assumptions exclude them), a horizon counts as
refuted only if it is without these assumptions. From the first one that isn't, plans may still be found, but the
lower bound stays where it is.

Where the last refutation is what takes the time (`PlanFormula.leaps`) and a plan is known, only the lower half of the
horizons between the bound and that plan is tried one by one; then the longest one that is open is asked for.
"""

import time
from dataclasses import asdict, dataclass
from typing import Protocol

from bsp_sat.backends.backend import Report
from bsp_sat.backends.search.weighted_astar import report_within
from bsp_sat.encoder.encoding import PlanFormula
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

TOO_WEAK = "the encoding is too weak here: refutations need assumptions that not all plans meet"


class ClauseSolver(Protocol):
    """A SAT solver, asked about a growing formula."""

    @property
    def conflicts(self) -> int | None:
        """Conflicts in all answers so far; None where the solver doesn't count them."""

    def model_under(self, formula: PlanFormula, assumptions: list[Literal]) -> Model | None:
        """A model of all clauses that ``formula`` has by now and of ``assumptions``; None if there is none."""


@dataclass(frozen=True)
class Question:
    """One question to a SAT solver, with its answer.

    Attributes:
        horizon: plans of how many moves are asked for; None for any length.
        exact: whether models were restricted to plans (`PlanFormula.exact`); a refutation then proves nothing.
        variables: size of the formula.
        clauses: likewise, without the assumptions.
        satisfiable: the answer.
        conflicts: how many it took; None where the solver doesn't count them.
        seconds: wall time of the solver.
    """

    horizon: int | None
    exact: bool
    variables: int
    clauses: int
    satisfiable: bool
    conflicts: int | None
    seconds: float


class Questions:
    """Asks SAT solvers, and reports all questions so far as the figure ``questions``."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._asked: list[Question] = []

    def model(
        self,
        solver: ClauseSolver,
        formula: PlanFormula,
        assumptions: list[Literal],
        horizon: int | None,
        *,
        exact: bool,
    ) -> Model | None:
        """A model at a horizon; None if there is none."""
        began, before = time.perf_counter(), solver.conflicts
        model = solver.model_under(formula, [*assumptions, *(formula.exact if exact else [])])
        seconds, after = time.perf_counter() - began, solver.conflicts
        conflicts = None if after is None else after - (before or 0)
        sizes = len(formula.names), len(formula.clauses)
        exact = exact and bool(formula.exact)
        self._asked.append(Question(horizon, exact, *sizes, model is not None, conflicts, round(seconds, 6)))
        self._report.stats(questions=[asdict(question) for question in self._asked])
        return model


def raise_horizon(
    puzzle: AnyPuzzle,
    formula: PlanFormula,
    solver: ClauseSolver,
    report: Report,
    questions: Questions,
    max_steps: int | None,
    *,
    solvable: bool = False,
) -> str:
    """Raises the horizon until there is a model, or past ``max_steps``.

    Args:
        puzzle: the board.
        formula: its formula, which grows.
        solver: what answers the questions.
        report: where facts go.
        questions: those asked so far.
        max_steps: longest plan of interest; None for no limit.
        solvable: whether a plan is known already; if not, one of any length is asked for first.

    Returns:
        Why it stopped, for a result that isn't settled.
    """
    if not solvable:
        answer = ask_for_any(formula, solver, report, questions, max_steps)
        if answer.reason is not None:
            return answer.reason
        max_steps = answer.max_steps
    proved = True
    bound = lowest = puzzle.lower_bound()
    while True:
        if proved:
            report.lower_bound(bound)
        if max_steps is not None and bound > max_steps:
            break
        horizon = bound
        if formula.leaps and max_steps is not None and 2 * (bound - lowest) >= max_steps - lowest:
            horizon = max_steps
        report.stats(horizon=horizon)
        assumptions = formula.at_horizon(horizon)
        found = _plan_under(formula, solver, questions, assumptions, horizon)
        if found is None:
            proved = proved and _refuted(formula, solver, questions, assumptions, horizon)
            bound = horizon + 1
            continue
        report.plan(found)
        if len(found) <= bound:
            break
        max_steps = len(found) - 1
    return f"no plan within {max_steps} moves" if proved else TOO_WEAK


@dataclass(frozen=True)
class AnyLength:
    """What is known after a query for any plan.

    Attributes:
        reason: why nothing is left to ask, None where something is.
        max_steps: longest plan of interest by now.
    """

    reason: str | None
    max_steps: int | None


def ask_for_any(
    formula: PlanFormula, solver: ClauseSolver, report: Report, questions: Questions, max_steps: int | None
) -> AnyLength:
    """Asks for a plan of any length, where the encoding can, and reports what comes of it."""
    anything = formula.at_any_length()
    if anything is None:
        return AnyLength(None, max_steps)
    plan = _plan_under(formula, solver, questions, anything, None)
    if plan is not None:
        return AnyLength(None, report_within(report, plan, max_steps))
    if _refuted(formula, solver, questions, anything, None):
        report.unsolvable("unsatisfiable without a bound on the length")
        return AnyLength("", max_steps)
    return AnyLength(TOO_WEAK, max_steps)


def _plan_under(
    formula: PlanFormula, solver: ClauseSolver, questions: Questions, assumptions: list[Literal], horizon: int | None
) -> Plan | None:
    model = questions.model(solver, formula, assumptions, horizon, exact=True)
    return None if model is None else formula.decode(model, horizon or 0)


def _refuted(
    formula: PlanFormula, solver: ClauseSolver, questions: Questions, assumptions: list[Literal], horizon: int | None
) -> bool:
    """Whether there is no model at all, where there is no plan."""
    return not formula.exact or questions.model(solver, formula, assumptions, horizon, exact=False) is None
