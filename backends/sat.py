"""Planning as satisfiability: the horizon is raised until the formula has a model (`bsp_sat.backends.climb`).

One solver lives through all horizons. Each horizon adds its clauses to those before and asks under an
assumption, so that what was learned stays. A quick search gives an upper bound before that, below which the climb ends.
"""

from dataclasses import dataclass

from bsp_sat.backends.backend import BackendDefaults, Report
from bsp_sat.backends.climb import climb
from bsp_sat.backends.search.quick import quick_plan, report_within
from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle

DEFAULT_SOLVER = "cadical195"

SOLVERS = (
    "cadical103", "cadical153", "cadical195", "glucose3", "glucose4", "glucose42", "gluecard3", "gluecard4",
    "lingeling", "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22", "minisat-gh",
)  # fmt: skip
"""python-sat's solvers that answer under assumptions, by its own names."""


def solver_named(name: str) -> str:
    """Checks a solver's name.

    Raises:
        Unsupported: naming the solvers there are.
    """
    if name not in SOLVERS:
        raise Unsupported(f"unknown solver {name!r}, expected one of {', '.join(SOLVERS)}")
    return name


@dataclass(frozen=True)
class Sat(BackendDefaults):
    """A CNF encoding and a solver of python-sat.

    Attributes:
        encoding: how boards become clauses.
        solver: one of `SOLVERS`.
        head_start: begin with a quick search; without it every plan comes from a formula.
    """

    encoding: Encoding = ENCODINGS["order"]
    solver: str = DEFAULT_SOLVER
    head_start: bool = True
    name: str = "sat"

    @property
    def encoding_name(self) -> str:
        """The encoding's name."""
        return self.encoding.name

    @property
    def solver_name(self) -> str:
        """The solver's name."""
        return self.solver

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses what the encoding refuses."""
        self.encoding.check(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Raises the horizon until there is a model, or past ``max_steps``."""
        plan = quick_plan(puzzle) if self.head_start else None
        if plan is not None:
            max_steps = report_within(report, plan, max_steps)
        oracle = _Oracle(self.solver, report)
        return climb(puzzle, self.encoding.encode(puzzle), oracle, report, max_steps, solvable=plan is not None)


class _Oracle:
    """A solver that is fed a growing list of clauses."""

    def __init__(self, name: str, report: Report) -> None:
        # Imported here: only a process that solves pays for it.
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
