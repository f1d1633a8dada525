"""Whom the climb asks: a solver of python-sat, kept or new for each question, or a program outside."""

from collections import Counter

from bsp_sat.backends.backend import Report
from bsp_sat.backends.climb import Oracle
from bsp_sat.backends.outside import PROGRAMS, model_by
from bsp_sat.encoder.encoding import PlanFormula
from bsp_sat.encoder.formula import Literal, Model


def oracle_for(solver: str, formula: PlanFormula, report: Report) -> Oracle:
    """The one that answers soonest (docs/measurements/homes.md).

    Args:
        solver: the name of a program, or python-sat's of one of its own.
        formula: what it is asked about.
        report: gets figures.
    """
    if solver in PROGRAMS:
        return Outside(solver, report)
    return Fresh(solver, report) if formula.leaps else Incremental(solver, report)


class Incremental:
    """A solver that is fed a growing list of clauses, and keeps what it learned."""

    def __init__(self, name: str, report: Report) -> None:
        # Imported here, and below: only a process that solves pays for it.
        from pysat.solvers import Solver

        self._solver = Solver(name=name)
        self._report = report
        self._fed = 0

    def model_under(self, formula: PlanFormula, assumptions: list[Literal]) -> Model | None:
        """See `bsp_sat.backends.climb.Oracle`."""
        self._report.stats(variables=len(formula.names), clauses=len(formula.clauses))
        self._solver.append_formula(formula.clauses[self._fed :])
        self._fed = len(formula.clauses)
        satisfiable = self._solver.solve(assumptions=assumptions)
        self._report.stats(**(self._solver.accum_stats() or {}))
        model: Model | None = self._solver.get_model() if satisfiable else None
        return model


class Fresh:
    """A new solver for each question, with its assumptions as clauses, so that it simplifies the formula for good.

    For formulas that leap: the longest horizon takes most of the time, and what was learned before is worth less.
    """

    def __init__(self, name: str, report: Report) -> None:
        self._name = name
        self._report = report
        self._figures: Counter[str] = Counter()

    def model_under(self, formula: PlanFormula, assumptions: list[Literal]) -> Model | None:
        """See `bsp_sat.backends.climb.Oracle`."""
        from pysat.solvers import Solver

        self._report.stats(variables=len(formula.names), clauses=len(formula.clauses))
        with Solver(self._name, bootstrap_with=formula.clauses) as solver:
            solver.append_formula([[literal] for literal in assumptions])
            satisfiable = solver.solve()
            self._figures.update(solver.accum_stats() or {})
            model: Model | None = solver.get_model() if satisfiable else None
        self._report.stats(**self._figures)
        return model


class Outside:
    """A program, which is run for each question."""

    def __init__(self, name: str, report: Report) -> None:
        self._name = name
        self._report = report

    def model_under(self, formula: PlanFormula, assumptions: list[Literal]) -> Model | None:
        """See `bsp_sat.backends.climb.Oracle`."""
        self._report.stats(variables=len(formula.names), clauses=len(formula.clauses))
        clauses = [*formula.clauses, *([literal] for literal in assumptions)]
        return model_by(self._name, clauses, len(formula.names))
