"""What a solver is asked while a horizon is raised, and its answer."""

import time
from enum import StrEnum
from typing import NamedTuple, Protocol


class Asks(StrEnum):
    """What is bounded by the horizon of a question."""

    AT_MOST = "at most"
    """Is there a plan of at most that many moves?"""

    EXACTLY = "exactly"
    """Is there a plan of exactly that many moves?"""

    ANY = "any"
    """Is there a plan at all?"""


class Question(NamedTuple):
    """One question to a SAT solver or to CP-SAT: is there a plan within a horizon?

    Attributes:
        asks: what is asked about the number of moves.
        horizon: number of moves; None for any.
        layers: most layers of moves, where an integer model bounds them (`bsp_sat.backends.cpsat.layered`); else None.
        exact: whether the formula leaves plans out that the horizon allows, as `PlanFormula.exact` or too few layers
            may do; the answer "no" then proves nothing.
        variables: number of variables of the formula.
        clauses: number of clauses of the formula, without the assumptions; constraints of an integer model.
        satisfiable: the answer; None if the solver gave up.
        conflicts: conflicts for this answer; None if the solver doesn't count them.
        seconds: wall time of the solver.
    """

    asks: Asks
    horizon: int | None
    layers: int | None
    exact: bool
    variables: int
    clauses: int
    satisfiable: bool | None
    conflicts: int | None
    seconds: float

    @property
    def refutes(self) -> bool:
        """Whether the answer proves that there is no such plan."""
        return self.satisfiable is False and not self.exact


class Counting(Protocol):
    """A solver that may count its conflicts."""

    @property
    def conflicts(self) -> int | None:
        """Conflicts in all answers so far; None if the solver doesn't count them."""


class Asking:
    """Measures what a solver needs for one question; made just before the solver is called."""

    def __init__(self, solver: Counting) -> None:
        self._solver, self._before, self._began = solver, solver.conflicts, time.perf_counter()

    def spent(self) -> tuple[int | None, float]:
        """Conflicts, None if the solver doesn't count them, and seconds."""
        seconds, after = time.perf_counter() - self._began, self._solver.conflicts
        return None if after is None else after - (self._before or 0), round(seconds, 6)
