"""One backend, and another where the first gives up."""

from dataclasses import dataclass, replace
from typing import Any, Self

from bsp_sat.backends.backend import Backend, Report, SearchBackend
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class InTurn(SearchBackend):
    """``first``, and ``then`` if it ends without an answer.

    Attributes:
        first: a backend that gives up soon.
        then: the backend for the rest.
    """

    first: Backend
    then: Backend

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.first.name}+{self.then.name}"

    def within(self, memory_mb: float) -> Self:
        """Both, with choices that suit so much memory."""
        return replace(self, first=self.first.within(memory_mb), then=self.then.within(memory_mb))

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses what either refuses."""
        self.first.check(puzzle)
        self.then.check(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Runs both, as far as it takes."""
        first = _Stage(report)
        given_up = self.first.run(puzzle, first, max_steps)
        return given_up if report.settled else self.then.run(puzzle, _Stage(report, first.expansions), max_steps)


class _Stage:
    """A report on one of two backends: the expansions before count too.

    Attributes:
        expansions: the sum so far.
    """

    def __init__(self, report: Report, before: int = 0) -> None:
        self._report = report
        self._before = self.expansions = before

    @property
    def settled(self) -> bool:
        """See `Report.settled`."""
        return self._report.settled

    def lower_bound(self, bound: int) -> None:
        """See `Report.lower_bound`."""
        self._report.lower_bound(bound)

    def plan(self, plan: Plan) -> None:
        """See `Report.plan`."""
        self._report.plan(plan)

    def unsolvable(self, proof: str) -> None:
        """See `Report.unsolvable`."""
        self._report.unsolvable(proof)

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        self.expansions = self._before + figures.get("expansions", 0)
        self._report.stats(**{**figures, "expansions": self.expansions})
