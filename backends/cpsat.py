"""The native CP-SAT model, its horizon raised until it has a solution."""

from dataclasses import dataclass
from itertools import count

from bsp_sat.backends.backend import Report
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle


@dataclass(frozen=True)
class CpSat:
    """CP-SAT of ortools on the sequential model.

    Attributes:
        workers: parallel searches inside the solver; None for one a processor.
    """

    workers: int | None = None
    name: str = "cpsat"
    encoding_name: str | None = "sequential"
    solver_name: str | None = "cp-sat"

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses puzzles other than sort puzzles.

        Raises:
            Unsupported: naming what the model is for.
        """
        if not isinstance(puzzle, SortPuzzle):
            raise Unsupported(f"backend cpsat takes ball-sort and water-sort boards, not {puzzle.kind}")

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Raises the horizon until the model has a solution, or past ``max_steps``."""
        # Imported here: half a second that no other command need pay.
        from ortools.sat.python import cp_model

        from bsp_sat.backends.cpsat_model import SequentialModel

        assert isinstance(puzzle, SortPuzzle)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = self.workers or 0
        conflicts = branches = 0
        for horizon in count(puzzle.lower_bound()):
            report.lower_bound(horizon)
            if max_steps is not None and horizon > max_steps:
                break
            model = SequentialModel(puzzle, horizon)
            status = solver.solve(model.model)
            conflicts += solver.num_conflicts
            branches += solver.num_branches
            report.stats(horizon=horizon, conflicts=conflicts, branches=branches)
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                report.plan(model.decode(solver))
                return ""
            if status != cp_model.INFEASIBLE:
                raise AssertionError(f"CP-SAT answered {solver.status_name(status)}")
        return f"no plan within {max_steps} moves"
