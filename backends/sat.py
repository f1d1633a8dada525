"""Planning as satisfiability: the horizon is raised until the formula has a model.

One solver lives through all horizons. Each horizon adds its clauses to those before and asks under an
assumption, so that what was learned stays. The first horizon is the puzzle's lower bound, and each refuted
one raises it.

A quick search gives an upper bound before that, below which the climb ends. Where it finds no plan, encodings that
can ask for a plan of any length are asked for one: no model means that the board is unsolvable. With the
others an unsolvable board is never recognised, some limit has to stop the climb. docs/measurements/strategies.md
compares this with other ways to close in on the optimum.

Where an encoding has models that are no plans (its ``exact`` assumptions exclude them), a horizon counts as
refuted only if it is without these assumptions. From the first one that isn't, plans may still be found, but the
lower bound stays where it is.
"""

from dataclasses import dataclass
from itertools import count

from bsp_sat.backends.backend import BackendDefaults, Report
from bsp_sat.backends.search.quick import quick_plan, report_within
from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.encoder.registry import ENCODINGS, check_encoding
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle

TOO_WEAK = "the encoding is too weak here: refutations need assumptions that not all plans meet"

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
        check_encoding(self.encoding, puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Raises the horizon until there is a model, or past ``max_steps``."""
        plan = quick_plan(puzzle) if self.head_start else None
        if plan is not None:
            max_steps = report_within(report, plan, max_steps)
        formula = self.encoding.encode(puzzle)
        oracle = _Oracle(self.solver, report)
        anything = formula.at_any_length()
        if plan is None and anything is not None:
            model = oracle.model_of(formula, anything)
            if model is not None:
                max_steps = report_within(report, formula.decode(model, 0), max_steps)
            elif oracle.refutes(formula, anything):
                report.unsolvable("unsatisfiable without a bound on the length")
                return ""
            else:
                return TOO_WEAK
        proved = True
        for horizon in count(puzzle.lower_bound()):
            if proved:
                report.lower_bound(horizon)
            if max_steps is not None and horizon > max_steps:
                break
            report.stats(horizon=horizon)
            assumptions = formula.at_horizon(horizon)
            model = oracle.model_of(formula, assumptions)
            if model is not None:
                report.plan(formula.decode(model, horizon))
                break
            proved = proved and oracle.refutes(formula, assumptions)
        return f"no plan within {max_steps} moves" if proved else TOO_WEAK


class _Oracle:
    """A solver that is fed a growing list of clauses."""

    def __init__(self, name: str, report: Report) -> None:
        # Imported here: only a process that solves pays for it.
        from pysat.solvers import Solver

        self._solver = Solver(name=name)
        self._report = report
        self._fed = 0

    def model_of(self, formula: PlanFormula, assumptions: list[Literal]) -> Model | None:
        """A model, that is a plan, of what ``formula`` has grown to; None where there is none."""
        return self._model_under(formula, [*assumptions, *formula.exact])

    def refutes(self, formula: PlanFormula, assumptions: list[Literal]) -> bool:
        """Whether it has no model at all, where it has no plan."""
        return not formula.exact or self._model_under(formula, assumptions) is None

    def _model_under(self, formula: PlanFormula, assumptions: list[Literal]) -> Model | None:
        self._report.stats(variables=len(formula.names), clauses=len(formula.clauses))
        self._solver.append_formula(formula.clauses[self._fed :])
        self._fed = len(formula.clauses)
        satisfiable = self._solver.solve(assumptions=assumptions)
        self._report.stats(**(self._solver.accum_stats() or {}))
        model: Model | None = self._solver.get_model() if satisfiable else None
        return model
