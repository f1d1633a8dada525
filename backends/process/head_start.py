"""A backend for large boards, and a light one that may answer before the other has even started.

A process takes a moment to start and the compiled search longer to load, and in this time the readable A* settles most
boards of a game. So the default has both.
"""

from dataclasses import dataclass, replace
from typing import Self

from bsp_sat.backends.backend import Backend, Report, SearchBackend
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class HeadStart(SearchBackend):
    """``main``, and ``light`` in the process of the supervisor while that of ``main`` starts.

    `bsp_sat.backends.process.supervisor` sees to that; where a process has been started before, for another board,
    ``main`` is alone.

    Attributes:
        light: a backend that gives up after a second at most, with little memory, and reports several times by then.
        main: the backend for what is left.
    """

    light: Backend
    main: Backend

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.light.name}+{self.main.name}"

    def within(self, memory_mb: float) -> Self:
        """With a main backend that suits so much memory."""
        return replace(self, main=self.main.within(memory_mb))

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses what either refuses."""
        self.light.check(puzzle)
        self.main.check(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Runs the main backend."""
        return self.main.run(puzzle, report, max_steps)
