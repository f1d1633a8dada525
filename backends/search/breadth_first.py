"""Breadth-first search: level by level, so the first goal is nearest.

It uses only the rules and the symmetry of the puzzle: an independent check of backends that use bounds and prunings.
"""

from dataclasses import dataclass

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.search.paths import REPORT_EVERY, path_to, report_exhausted
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class BreadthFirst(Backend):
    """Breadth-first search over canonical states."""

    symmetry: bool = True
    max_states: int | None = None

    name = "bfs"
    rests_on = "the rules alone"
    counts = "expansions"

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        start = self._state(puzzle)
        parents: dict[AnyPuzzle, AnyPuzzle | None] = {start: None}
        level = [start]
        depth = expansions = 0
        while level:
            report.lower_bound(depth)
            report.progress(expansions, states=len(parents))
            for state in level:
                if state.is_goal():
                    report.plan(Plan.through(puzzle, path_to(state, parents)[1:], self._state))
                    return ""
            if depth == max_steps:
                return report_exhausted(report, max_steps, cut=True)
            following = []
            for state in level:
                expansions += 1
                if expansions % REPORT_EVERY == 0:
                    report.progress(expansions, states=len(parents))
                    if self.max_states is not None and len(parents) > self.max_states:
                        return f"more than {self.max_states:,} states"
                for move in state.legal_moves():
                    child = self._state(state.after_legal(move))
                    if child not in parents:
                        parents[child] = state
                        following.append(child)
            level = following
            depth += 1
        return report_exhausted(report, max_steps, cut=False)

    def _state(self, position: AnyPuzzle) -> AnyPuzzle:
        return position.canonical() if self.symmetry else position
