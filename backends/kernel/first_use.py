"""The readable A* for as long as the compiled search is being compiled, once per installation.

The compiler runs in a process of its own, which goes on when the board is settled or a limit ends the run: so the
next board has the compiled search, however short its time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bsp_sat.backends.backend import Backend, Ended, Relay, Report
from bsp_sat.backends.search.astar import AStar
from bsp_sat.instances.puzzle import AnyPuzzle

LOOK_SECONDS = 0.1
START_SECONDS = 5.0  # until the compiler has said that it is at work; when it has failed the search compiles by itself


@dataclass(frozen=True)
class WhileCompiling(Backend):
    """A* until there is compiled code; nothing where there is some already, or can be none that is kept."""

    name = AStar.name
    complete = False

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Starts the compiler, and searches meanwhile; the figure ``compiling`` says so."""
        # Imported here: it loads numpy and a linker, which the parent process has no use for.
        from bsp_sat.backends.kernel import code

        if code.file() is not None or not code.can_be_kept():
            return ""
        code.compile_in_background()
        report.stats(compiling=True)
        try:
            return AStar().run(puzzle, _WhileCompiling(report, code.file, code.is_being_made), max_steps)
        except Ended:
            report.stats(compiling=False)
            return "the compiled search takes over"


class _WhileCompiling(Relay):
    """Ends the search that reports here when there is compiled code, or nobody who makes it."""

    def __init__(self, report: Report, file: Callable[[], Path | None], is_being_made: Callable[[], bool]) -> None:
        super().__init__(report)
        self._file = file
        self._is_being_made = is_being_made
        self._began = time.monotonic()
        self._next_look = 0.0

    def look(self) -> None:
        """Looks, but not all the time.

        Raises:
            Ended: there is compiled code, or will be none.
        """
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            starting = now - self._began < START_SECONDS
            if self._file() is not None or not (starting or self._is_being_made()):
                raise Ended
