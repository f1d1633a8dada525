"""CP-SAT of ortools, for any encoding: with an integer model if there is one, or else with the clauses.

The integer models (`bsp_sat.backends.cpsat.sequential`, `bsp_sat.backends.cpsat.layered`) replace many clauses by
integers and linear inequalities. docs/measurements.md has the measurements behind the choice.
"""

from dataclasses import dataclass

from bsp_sat.backends.backend import Report
from bsp_sat.backends.sat.encoding_backend import ENCODING, EncodingBackend
from bsp_sat.backends.sat.horizon_loop import raise_horizon
from bsp_sat.backends.search.borders import Borders
from bsp_sat.backends.search.weighted_astar import quick_plan, report_within
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.instances.optional import need
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import (
    COVERED,
    MONOCHROME,
    SEVERAL_HOMES,
    TUBE_RULES,
    BallSort,
    SortPuzzle,
    WaterSort,
)

NATIVE = {
    "layered": Scope.of(BallSort, features=(MONOCHROME, SEVERAL_HOMES)),
    "sequential": Scope.of(BallSort, WaterSort, features={MONOCHROME, SEVERAL_HOMES, *TUBE_RULES} - {COVERED}),
}
"""For each encoding, the boards that its integer model takes."""

HEAD_START_TABLES = 500_000  # half a minute at most


@dataclass(frozen=True)
class CpSat(EncodingBackend):
    """CP-SAT on an encoding.

    Attributes:
        workers: parallel searches inside the solver; None for one on each processor, but a single one for the layered
            model, whose best search isn't among the first that several workers run.
        head_start: begin with a quick search (`bsp_sat.backends.search.weighted_astar`). If that finds no plan, the
            layered model also tries the border argument (`bsp_sat.backends.search.borders`).
        native: use the integer model if there is one; otherwise always the clauses.
        break_symmetry: for the layered model, see `bsp_sat.backends.cpsat.layered`.
    """

    workers: int | None = None
    head_start: bool = True
    native: bool = True
    break_symmetry: bool = True

    name = "cpsat"
    rests_on = "the encoding (docs/encodings.md), and CP-SAT wherever it says no"
    choices = (ENCODING,)

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that the encoding refuses, and all where OR-Tools isn't installed."""
        super().check(puzzle)
        need("ortools", f"backend {self.name}")

    @property
    def solver_name(self) -> str:
        """CP-SAT."""
        return "cp-sat"

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Solves one model with an objective, or one for each horizon up to ``max_steps``."""
        plan = quick_plan(puzzle) if self.head_start else None
        if plan is not None:
            max_steps = report_within(report, plan, max_steps)
        encoding = self.chosen(puzzle)
        if not self.native or encoding.name not in NATIVE or NATIVE[encoding.name].refusal(puzzle) is not None:
            return self._solve_clauses(encoding, puzzle, report, max_steps, plan is not None)
        # Imported here, like all modules that need ortools, which takes half a second to load.
        from bsp_sat.backends.cpsat.layered import LayeredLoop
        from bsp_sat.backends.cpsat.sequential import raise_horizons
        from bsp_sat.backends.cpsat.solver import Solver

        assert isinstance(puzzle, SortPuzzle)
        if encoding.name == "sequential":
            return raise_horizons(puzzle, Solver(self.workers or 0, report), report, max_steps)
        assert isinstance(puzzle, BallSort)
        if self.head_start and plan is None:
            Borders(HEAD_START_TABLES).run(puzzle, report)
            if report.settled:
                report.stats(settled_by=Borders.name)
                return ""
        layers = LayeredLoop(puzzle, Solver(self.workers or 1, report), report, break_symmetry=self.break_symmetry)
        return layers.run(max_steps, solvable=plan is not None)

    def _solve_clauses(
        self, encoding: Encoding, puzzle: AnyPuzzle, report: Report, max_steps: int | None, solvable: bool
    ) -> str:
        """Solves one model with an objective if models are plans of any length, or else one for each horizon."""
        from bsp_sat.backends.cpsat.clauses import CpSatClauseSolver, minimise
        from bsp_sat.backends.cpsat.solver import Solver

        solver = Solver(self.workers or 0, report)
        formula = encoding.encode(puzzle)
        anything = formula.at_any_length()
        if anything is not None and not formula.exact:
            return minimise(puzzle, formula, anything, solver, report, max_steps)
        asked = CpSatClauseSolver(solver, report)
        return raise_horizon(puzzle, formula, asked, report, max_steps, solvable=solvable)
