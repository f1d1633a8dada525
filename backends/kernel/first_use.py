"""The readable A* for as long as the compiled search is being compiled, once per installation.

The compiler runs in a process of its own, which goes on when the board is settled or a limit ends the run: so the
next board has the compiled search, however short its time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from bsp_sat.backends.backend import Backend, Ended, Relay, Report
from bsp_sat.backends.search.astar import AStar
from bsp_sat.instances.puzzle import AnyPuzzle

LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class WhileCompiling(Backend):
    """A* until there is compiled code; nothing where there is some already, or can be none that is kept."""

    name = AStar.name
    complete = False

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Starts the compiler, and searches meanwhile; the figure ``compiling`` says so."""
        # Imported here: it loads a linker, which the parent process has no use for.
        from bsp_sat.backends.kernel.machine_code import SEARCH_CODE

        compilation = SEARCH_CODE.compile_in_background()
        if compilation is None:
            return ""
        report.stats(compiling=True)
        try:
            return AStar().run(puzzle, _Until(compilation.is_over, report), max_steps)
        except Ended:
            report.stats(compiling=False)
            return "the compiled search takes over"


class _Until(Relay):
    """Ends the search that reports here when something is over."""

    def __init__(self, is_over: Callable[[], bool], report: Report) -> None:
        super().__init__(report)
        self._is_over = is_over
        self._next_look = 0.0

    def look(self) -> None:
        """Looks, but not all the time.

        Raises:
            Ended: it is over.
        """
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            if self._is_over():
                raise Ended
