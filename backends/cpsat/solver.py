"""The CP-SAT solver, with the settings that all models share."""

from math import inf

from ortools.sat.python import cp_model

from bsp_sat.backends.backend import Report
from bsp_sat.backends.result import Asking, Asks, Question


class Solver:
    """CP-SAT with one worker, and with figures summed over the models of one board.

    Two workers take as long on most boards, and so twice the processor's time (benchmarks/measurements.md). For the
    layered model they are worse: its best search isn't among the first that several workers run.
    """

    def __init__(self, report: Report) -> None:
        self.cp = cp_model.CpSolver()
        self.cp.parameters.num_workers = 1
        self._report = report
        self.conflicts = 0
        self._branches = 0

    def ask(
        self,
        model: cp_model.CpModel,
        horizon: int | None,
        *,
        layers: int | None = None,
        exact: bool = False,
        effort: float = inf,
    ) -> bool | None:
        """Like `solve`, and reports the question; the other arguments are fields of `Question`."""
        asking = Asking(self)
        satisfiable = self.solve(model, effort=effort)
        asks = Asks.ANY if horizon is None else Asks.AT_MOST
        sizes = len(model.proto.variables), len(model.proto.constraints)
        self._report.solver_answered(Question(asks, horizon, layers, exact, *sizes, satisfiable, *asking.spent()))
        return satisfiable

    def solve(
        self, model: cp_model.CpModel, *, effort: float = inf, callback: cp_model.CpSolverSolutionCallback | None = None
    ) -> bool | None:
        """Whether ``model`` has a solution; with an objective, finds the best one, and calls back with each.

        None if ``effort``, in deterministic time (roughly seconds), wasn't enough to find out.
        """
        self.cp.parameters.max_deterministic_time = effort
        status = self.cp.solve(model, callback)
        self.conflicts += self.cp.num_conflicts
        self._branches += self.cp.num_branches
        self._report.stats(conflicts=self.conflicts, branches=self._branches)
        if status == cp_model.OPTIMAL or (status == cp_model.FEASIBLE and not model.has_objective()):
            return True
        if status == cp_model.INFEASIBLE:
            return False
        if status == cp_model.UNKNOWN and effort < inf:
            return None
        raise AssertionError(f"CP-SAT answered {self.cp.status_name(status)}")
