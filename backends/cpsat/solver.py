"""CP-SAT as all of its models use it."""

from math import inf

from ortools.sat.python.cp_model import (
    FEASIBLE,
    INFEASIBLE,
    OPTIMAL,
    UNKNOWN,
    CpModel,
    CpSolver,
    CpSolverSolutionCallback,
)

from bsp_sat.backends.backend import Report


class Solver:
    """CP-SAT, and its figures added up over the models of one board.

    Attributes:
        cp: the solver itself, for its parameters and the values of the last solution.
        conflicts: in all models so far.
    """

    def __init__(self, workers: int, report: Report) -> None:
        self.cp = CpSolver()
        self.cp.parameters.num_workers = workers
        self._report = report
        self.conflicts = 0
        self._branches = 0

    def solve(
        self, model: CpModel, *, effort: float = inf, callback: CpSolverSolutionCallback | None = None
    ) -> bool | None:
        """Whether ``model`` has a solution, the best one where it has an objective.

        Args:
            model: what to solve.
            effort: deterministic time, roughly seconds.
            callback: told of each solution.

        Returns:
            None if the effort didn't suffice to find out.
        """
        self.cp.parameters.max_deterministic_time = effort
        status = self.cp.solve(model, callback)
        self.conflicts += self.cp.num_conflicts
        self._branches += self.cp.num_branches
        self._report.stats(conflicts=self.conflicts, branches=self._branches)
        if status == OPTIMAL or (status == FEASIBLE and not model.has_objective()):
            return True
        if status == INFEASIBLE:
            return False
        if status == UNKNOWN and effort < inf:
            return None
        raise AssertionError(f"CP-SAT answered {self.cp.status_name(status)}")
