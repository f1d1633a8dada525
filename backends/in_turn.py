"""One backend, and another where the first gives up.

The readable A* settles small boards before numba, on which the compiled search rests, has even started. So the
default tries it on a few states first.
"""

from dataclasses import dataclass, replace
from typing import Self

from bsp_sat.backends.backend import Backend, Report, SearchBackend
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
        given_up = self.first.run(puzzle, report, max_steps)
        return given_up and self.then.run(puzzle, report, max_steps)
