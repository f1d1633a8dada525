"""CP-SAT of ortools, on the clauses of any encoding, or on the layered model, which counts balls in integers."""

from dataclasses import dataclass, replace
from typing import Self

from bsp_sat.backends.backend import Choice, Report
from bsp_sat.backends.cpsat import LAYERED, clauses, layered
from bsp_sat.backends.cpsat import solver as cp_sat
from bsp_sat.backends.result import Status
from bsp_sat.backends.sat.encoding_backend import ENCODING, HEAD_START, EncodingBackend, Start
from bsp_sat.backends.sat.horizon_loop import raise_horizon
from bsp_sat.backends.search.borders import Borders
from bsp_sat.encoder.registry import encoding_for
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import BallSort

HEAD_START_TABLES = 500_000  # half a minute at most


@dataclass(frozen=True)
class CpSat(EncodingBackend):
    """CP-SAT on an encoding, or on the layered model.

    Without a choice, the layered model is used for boards that it takes and that no encoding can prove unsolvable. If
    the quick search finds no plan, the border argument comes before that model (`bsp_sat.backends.search.borders`).
    """

    layered: bool = False
    break_symmetry: bool = True

    name = "cpsat"
    solver_name = "cp-sat"
    rests_on = "the encoding (docs/encodings.md), and CP-SAT wherever it says no"
    choices = (ENCODING, Choice("layered", lambda: {"layered": True}, "model"), HEAD_START)

    def __post_init__(self) -> None:
        """Refuses two models."""
        if self.layered and self.encoding is not None:
            raise Unsupported(f"backend cpsat: expected one encoding, found {self.encoding.name!r} and 'layered'")

    @property
    def proves(self) -> frozenset[Status]:
        """Both answers by the layered model; with an encoding, what that can prove."""
        return frozenset({Status.OPTIMAL, Status.UNSOLVABLE}) if self.layered else super().proves

    @property
    def encoding_name(self) -> str | None:
        """The name of the encoding or of the model; None if none is chosen yet."""
        return "layered" if self.layered else super().encoding_name

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that the model refuses, and all where OR-Tools isn't installed."""
        if self.layered:
            LAYERED.check("the layered model", puzzle)
        else:
            super().check(puzzle)
        need("ortools", f"backend {self.name}")

    def for_board(self, puzzle: AnyPuzzle) -> Self:
        self.check(puzzle)
        if self.layered:
            return self
        if self.encoding is None and LAYERED.refusal(puzzle) is None and not encoding_for(puzzle).any_length:
            return replace(self, layered=True)
        return super().for_board(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Solves one model with an objective, or one for each horizon up to ``max_steps``."""
        start = self.start(puzzle, report, max_steps)
        chosen = self.for_board(puzzle)
        if chosen.layered:
            assert isinstance(puzzle, BallSort)
            return self._solve_layers(puzzle, report, start)
        return chosen._solve_clauses(puzzle, report, start)

    def _solve_layers(self, puzzle: BallSort, report: Report, start: Start) -> str:
        if (self.guide or self.head_start) and not start.solvable:
            Borders(HEAD_START_TABLES).run(puzzle, report)
            if report.settled:
                report.stats(settled_by=Borders.name)
                return ""
        layers = layered.LayeredLoop(puzzle, cp_sat.Solver(report), report, break_symmetry=self.break_symmetry)
        return layers.run(start.max_steps, solvable=start.solvable)

    def _solve_clauses(self, puzzle: AnyPuzzle, report: Report, start: Start) -> str:
        """Solves one model with an objective if models are plans of any length, or else one for each horizon."""
        solver = cp_sat.Solver(report)
        encoding = self.chosen(puzzle)
        if encoding.any_length:
            formula = encoding.encode(puzzle)
            anything = formula.at_any_length()
            assert anything is not None
            if not formula.exact:
                return clauses.minimise(puzzle, formula, anything, solver, report, start.max_steps, start.guide)
        return raise_horizon(
            puzzle, encoding, lambda formula: clauses.CpSatClauseSolver(formula, solver, report), report, start
        )
