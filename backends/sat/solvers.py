"""The solvers of `sat`: python-sat's, incremental or fresh for each question, and external programs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bsp_sat.backends.backend import Report
from bsp_sat.backends.sat.external_programs import PROGRAMS, model_by
from bsp_sat.backends.sat.horizon_loop import ClauseSolver
from bsp_sat.encoder.encoding import PlanFormula
from bsp_sat.encoder.formula import Literal, Model


def _solver(name: str, clauses: Sequence[Sequence[Literal]] = ()) -> Any:
    from pysat.solvers import Solver  # only a process that solves needs it

    return Solver(name, bootstrap_with=clauses)


GUIDED = "cadical195"
"""Follows likely literals best: on level-80 it needs a thousand conflicts with them, where glucose4 needs 77,000."""


def clause_solver_for(solver: str, formula: PlanFormula, report: Report, *, guided: str | None = None) -> ClauseSolver:
    """The fastest way to use a solver for a formula (benchmarks/tried.md)."""
    if solver in PROGRAMS:
        return ExternalSolver(solver, report)
    return FreshSolver(solver, report, guided) if formula.leaps else IncrementalSolver(solver, report)


class FreshSolver:
    """A new solver for each question. Assumptions become clauses, with which the solver can simplify the formula.

    For formulas that leap: the longest horizon takes most of the time, and clauses learned before it help less.
    """

    def __init__(self, name: str, report: Report, guided: str | None = None) -> None:
        self._name = name
        self._guided = guided or name
        self._report = report
        self._figures: Counter[str] = Counter()

    @property
    def conflicts(self) -> int | None:
        """See `bsp_sat.backends.sat.horizon_loop.ClauseSolver`; None for programs, which aren't asked."""
        return self._figures.get("conflicts")

    def model_under(
        self, formula: PlanFormula, assumptions: list[Literal], likely: Sequence[Literal] = ()
    ) -> Model | None:
        """See `bsp_sat.backends.sat.horizon_loop.ClauseSolver`."""
        self._report.stats(variables=len(formula.names), clauses=len(formula.clauses))
        model = self._model(formula, assumptions, likely)
        self._report.stats(**self._figures)
        return model

    def _model(self, formula: PlanFormula, assumptions: list[Literal], likely: Sequence[Literal]) -> Model | None:
        with _solver(self._guided if likely else self._name, formula.clauses) as solver:
            solver.append_formula([[literal] for literal in assumptions])
            if likely:
                solver.set_phases(likely)
            satisfiable = solver.solve()
            self._figures.update(solver.accum_stats() or {})
            model: Model | None = solver.get_model() if satisfiable else None
        return model


class IncrementalSolver(FreshSolver):
    """One solver for all questions: it gets the new clauses each time, and keeps its learned clauses."""

    def __init__(self, name: str, report: Report) -> None:
        super().__init__(name, report)
        self._solver = _solver(name)
        self._fed = 0

    def _model(self, formula: PlanFormula, assumptions: list[Literal], likely: Sequence[Literal]) -> Model | None:
        self._solver.append_formula(formula.clauses[self._fed :])
        self._fed = len(formula.clauses)
        if likely:
            self._solver.set_phases(likely)
        satisfiable = self._solver.solve(assumptions=assumptions)
        self._figures = Counter(self._solver.accum_stats() or {})
        model: Model | None = self._solver.get_model() if satisfiable else None
        return model


class ExternalSolver(FreshSolver):
    """An external program, started once for each question."""

    def _model(self, formula: PlanFormula, assumptions: list[Literal], likely: Sequence[Literal]) -> Model | None:
        clauses = [*formula.clauses, *([literal] for literal in assumptions)]
        return model_by(self._name, clauses, len(formula.names))
