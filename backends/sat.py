"""Planning as satisfiability: the horizon is raised until the formula has a model (`bsp_sat.backends.climb`).

One solver lives through all horizons. Each horizon adds its clauses to those before and asks under an
assumption, so that what was learned stays. A quick search gives an upper bound before that, below which the climb ends.
"""

from dataclasses import dataclass

from bsp_sat.backends.backend import Choice, Report
from bsp_sat.backends.climb import ask_for_any, climb
from bsp_sat.backends.encoded import ENCODING, Encoded
from bsp_sat.backends.result import Status
from bsp_sat.backends.search.quick import quick_plan, report_within
from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.encoder.registry import suiting_encoding
from bsp_sat.instances.puzzle import AnyPuzzle

DEFAULT_SOLVER = "cadical195"

SOLVERS = (
    "cadical103", "cadical153", "cadical195", "glucose3", "glucose4", "glucose42", "gluecard3", "gluecard4",
    "lingeling", "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22", "minisat-gh",
)  # fmt: skip
"""python-sat's solvers that answer under assumptions, by its own names."""


@dataclass(frozen=True)
class Sat(Encoded):
    """A CNF encoding and a solver of python-sat.

    Attributes:
        solver: one of `SOLVERS`.
        head_start: begin with a quick search; without it every plan comes from a formula.
    """

    solver: str = DEFAULT_SOLVER
    head_start: bool = True

    name = "sat"
    choices = (ENCODING, Choice("solver", lambda: {name: name for name in SOLVERS}, "solver"))

    def best_for(self, puzzle: AnyPuzzle) -> Encoding:
        """The one that suits the board; the first that takes it where none does."""
        return suiting_encoding(puzzle)

    @property
    def proves(self) -> frozenset[Status]:
        """A length always, and ``unsolvable`` where an encoding can be asked for a plan of any length."""
        any_length = self.encoding is None or self.encoding.for_any_length().any_length
        return frozenset({Status.OPTIMAL, Status.UNSOLVABLE} if any_length else {Status.OPTIMAL})

    @property
    def solver_name(self) -> str:
        """The solver's name."""
        return self.solver

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Raises the horizon until there is a model, or past ``max_steps``."""
        plan = quick_plan(puzzle) if self.head_start else None
        if plan is not None:
            max_steps = report_within(report, plan, max_steps)
        oracle = _Oracle(self.solver, report)
        encoding = self.chosen(puzzle)
        asked = encoding.for_any_length()
        if plan is None and asked is not encoding:
            # In an oracle of its own: it has nothing to say about lengths.
            answer = ask_for_any(asked.encode(puzzle), _Oracle(self.solver, report), report, max_steps)
            if answer.reason is not None:
                return answer.reason
            max_steps = answer.max_steps
        return climb(puzzle, encoding.encode(puzzle), oracle, report, max_steps, solvable=plan is not None)


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
