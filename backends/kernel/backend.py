"""The compiled search as a backend; `bsp_sat.backends.kernel.search.run` does the work."""

from dataclasses import dataclass, replace
from math import inf
from typing import Self

from bsp_sat.backends.backend import Backend, Choice, Report
from bsp_sat.backends.kernel.native import shared_library
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, TUBE_RULES, BallSort, SortPuzzle, WaterSort

PROCESS_MB = 120  # memory of the process without states
STATES_SHARE = 0.9
LEAST_MB = 1.0
MAX_COLOURS, MAX_CAPACITY, MAX_TUBES = 64, 64, 128


@dataclass(frozen=True)
class Kernel(Backend):
    """A* and its scouts in compiled code.

    Attributes:
        homes: search in the space of homes if the board allows it, see docs/search.md.
        memory_mb: memory for states in MB (10⁶ bytes); None for a large part of the free memory. When it is used up,
            the search goes on depth first.
        deepens: whether it goes on then; if not, it ends with a MemoryError.
        max_expansions: give up after about this number of expansions; None for never.
    """

    homes: bool = True
    memory_mb: float | None = None
    deepens: bool = True
    max_expansions: int | None = None

    name = "kernel"
    rests_on = "the rules as compiled, their lower bound and their prunings (docs/search.md)"
    counts = "expansions"
    scope = Scope.of(BallSort, WaterSort, features=(MONOCHROME, SEVERAL_HOMES, *TUBE_RULES))
    choices = (Choice("homes", lambda: {"homes": True, "moves": False}, "space"),)

    def within(self, memory_mb: float) -> Self:
        """The backend with memory for fewer states; when that is used up, it goes on depth first."""
        return replace(self, memory_mb=max(LEAST_MB, STATES_SHARE * (memory_mb - PROCESS_MB)))

    def sharing(self, memory_mb: float) -> Self:
        """The backend with memory for fewer states; when that is used up, it ends with a MemoryError."""
        return replace(self.within(memory_mb), deepens=False)

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that are too large for packed states, and all boards if there is no library.

        Raises:
            Unsupported: the message names the limit, or says how to get the library.
        """
        super().check(puzzle)
        shared_library.check_library()
        assert isinstance(puzzle, SortPuzzle)
        for what, found, most in (
            ("colours", len(puzzle.palette), MAX_COLOURS),
            ("balls a tube", max(puzzle.capacities), MAX_CAPACITY),
            ("tubes", len(puzzle.tubes), MAX_TUBES),
        ):
            if found > most:
                raise Unsupported(f"backend kernel takes up to {most} {what}, the board has {found}; use astar")

    def prepare(self) -> None:
        """Loads the library, if there is one, and the modules that call it."""
        # Imported here, as only a process that searches needs it.
        from bsp_sat.backends.kernel.search import run  # noqa: F401 - loads it

        shared_library.missing_library()

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds some plan, then a shortest one, or exhausts the search space."""
        assert isinstance(puzzle, SortPuzzle)
        # Imported here, as only a process that searches needs it.
        from bsp_sat.backends.kernel.search.run import KernelRun

        run = KernelRun(puzzle, report, max_steps, homes=self.homes, memory_mb=self.memory_mb, deepens=self.deepens)
        return run.until_settled(inf if self.max_expansions is None else self.max_expansions)
