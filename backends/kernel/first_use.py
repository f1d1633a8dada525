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
PATIENCE_SECONDS = 120.0  # after that the compiler has failed; the search compiles by itself, or says why it can't


@dataclass(frozen=True)
class WhileCompiling(Backend):
    """A* until there is compiled code; nothing where there is some already."""

    name = AStar.name
    complete = False

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Starts the compiler, and searches meanwhile; the figure ``compiling`` says so."""
        # Imported here: it loads numpy and a linker, which the parent process has no use for.
        from bsp_sat.backends.kernel import code

        if code.is_ready():
            return ""
        code.compile_in_background()
        report.stats(compiling=True)
        try:
            return AStar().run(puzzle, _UntilCompiled(report, code.is_ready), max_steps)
        except Ended:
            report.stats(compiling=False)
            return "the compiled search takes over"


class _UntilCompiled(Relay):
    """Ends the search that reports here when there is compiled code."""

    def __init__(self, report: Report, is_ready: Callable[[], bool]) -> None:
        super().__init__(report)
        self._is_ready = is_ready
        self._until = time.monotonic() + PATIENCE_SECONDS
        self._next_look = 0.0

    def look(self) -> None:
        """Looks, but not all the time.

        Raises:
            Ended: there is compiled code, or will be none.
        """
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            if self._is_ready() or now >= self._until:
                raise Ended
