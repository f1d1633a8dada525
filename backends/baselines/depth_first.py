"""Plain depth-first search, in two variants.

A stack of states and a set of states already seen, marked when they are put on the stack. The plan is the
first one found, rarely a short one. The two variants differ in which states count as equal: equal boards, or
boards with equal sorted tubes. They follow the blog post *Solving a game called "ball sort puzzle"* move by move, and
so find its plans of 452 and 65 moves for level 80.
"""

from dataclasses import dataclass
from typing import ClassVar

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.result import Status
from bsp_sat.backends.search.paths import REPORT_EVERY, path_to, report_exhausted
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.words import quantity


@dataclass(frozen=True)
class DepthFirst(Backend):
    """Depth-first search; complete, but its plans aren't short."""

    name = "dfs"
    proves = frozenset({Status.UNSOLVABLE})  # nothing about the length of plans

    symmetry: ClassVar[bool] = False
    """Whether positions that differ by a symmetry count as seen."""

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds some plan, or exhausts the search space.

        With ``max_steps`` it doesn't go deeper. States that were seen at a large depth aren't visited again at a
        smaller one, so finding no plan then proves nothing.
        """
        parents: dict[AnyPuzzle, AnyPuzzle | None] = {puzzle: None}
        seen = {self._mark(puzzle)}
        stack = [(puzzle, 0)]
        expansions = 0
        cut = False
        while stack:
            state, depth = stack.pop()
            if state.is_goal():
                report.progress(expansions, states=len(seen))
                report.plan(Plan.through(puzzle, path_to(state, parents)[1:], lambda position: position))
                return "depth-first search stops at its first plan"
            expansions += 1
            if expansions % REPORT_EVERY == 0:
                report.progress(expansions, states=len(seen))
            if depth == max_steps:
                cut = True
                continue
            for move in state.legal_moves():
                child = state.after_legal(move)
                mark = self._mark(child)
                if mark not in seen:
                    seen.add(mark)
                    parents[child] = state
                    stack.append((child, depth + 1))
        report.progress(expansions, states=len(seen))
        if cut:
            return f"depth-first search found no plan within {quantity(max_steps, 'move')}"
        return report_exhausted(report, max_steps, cut)

    def _mark(self, state: AnyPuzzle) -> AnyPuzzle:
        return state.canonical() if self.symmetry else state


@dataclass(frozen=True)
class DepthFirstSorted(DepthFirst):
    """The variant that compares boards with their tubes sorted."""

    name = "dfs-sorted"
    symmetry = True
