"""Planning as satisfiability: the horizon is raised until the formula has a model.

`bsp_sat.backends.sat.horizon_loop` is the loop, `bsp_sat.backends.sat.solvers` has the solvers.
"""

from dataclasses import dataclass
from functools import partial

from bsp_sat.backends.backend import Choice, Report
from bsp_sat.backends.sat import DEFAULT_SOLVER, SOLVERS
from bsp_sat.backends.sat.encoding_backend import ENCODING, HEAD_START, EncodingBackend
from bsp_sat.backends.sat.external_programs import PROGRAMS, installed
from bsp_sat.backends.sat.horizon_loop import raise_horizon
from bsp_sat.backends.sat.solvers import GUIDED, clause_solver_for
from bsp_sat.instances.puzzle import AnyPuzzle

FASTEST = {"homes": "glucose42"}
"""By encoding, where that is another than `DEFAULT_SOLVER` (benchmarks/measurements.md)."""


@dataclass(frozen=True)
class Sat(EncodingBackend):
    """A CNF encoding and a solver.

    ``solver``: one of `SOLVERS`, or of `PROGRAMS`; None for the one that suits the encoding, and for the one that finds
    models with a guide fastest.
    """

    solver: str | None = None

    name = "sat"
    rests_on = "the encoding (docs/encodings.md), and the solver wherever it says no"
    choices = (ENCODING, Choice("solver", lambda: {name: name for name in (*SOLVERS, *PROGRAMS)}, "solver"), HEAD_START)

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that the encoding refuses (without a choice, all encodings), and a missing program."""
        super().check(puzzle)
        if self.solver in PROGRAMS:
            installed(self.solver)

    @property
    def solver_name(self) -> str:
        return self.solver or FASTEST.get(self.encoding_name or "", DEFAULT_SOLVER)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Raises the horizon until there is a model, or past ``max_steps``."""
        start = self.start(puzzle, report, max_steps)
        chosen = self.for_board(puzzle)
        guided = GUIDED if self.solver is None else None
        solver_for = partial(clause_solver_for, chosen.solver_name, report=report, guided=guided)
        return raise_horizon(puzzle, chosen.chosen(puzzle), solver_for, report, start)
