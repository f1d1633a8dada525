"""A* with an admissible bound: the searches' reference, written to be read.

States wait in order of cost so far plus lower bound. A state whose cost drops is put back, so that
the first goal taken out is optimal for every admissible bound, consistent or not (Hart, Nilsson and
Raphael 1968). The sum at the front of the queue is itself a bound on every plan: all plans still
to be found pass through the queue. Only whole states are compared.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.search.paths import REPORT_EVERY, path_to, plan_along, report_exhausted
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class AStar(Backend):
    """A* over canonical states.

    Attributes:
        bound: use the puzzle's lower bound; without it this is Dijkstra's search.
        prunings: safe pruning rules to apply; None for all the puzzle has.
        symmetry: treat symmetric positions as one.
        max_states: give up with more states than that in memory; None for no limit.
    """

    bound: bool = True
    prunings: frozenset[str] | None = None
    symmetry: bool = True
    max_states: int | None = None

    name = "astar"

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds a shortest plan, or exhausts the search space."""
        prunings = puzzle.prunings if self.prunings is None else self.prunings
        start = puzzle.canonical() if self.symmetry else puzzle
        costs = {start: 0}
        parents: dict[AnyPuzzle, AnyPuzzle | None] = {start: None}
        newest_first = count(0, -1)
        queue = [(self._estimate(start), 0, next(newest_first), start)]
        proved = expansions = 0
        cut = False
        while queue:
            total, negative_cost, _, state = heappop(queue)
            cost = -negative_cost
            if cost > costs[state]:
                continue  # reached more cheaply since it was put in
            if total > proved:
                report.lower_bound(proved := total)
            if state.is_goal():
                report.progress(expansions, states=len(costs))
                report.plan(plan_along(puzzle, path_to(state, parents), symmetry=self.symmetry))
                report.lower_bound(cost)
                return ""
            if self.max_states is not None and len(costs) > self.max_states:
                report.progress(expansions, states=len(costs))
                return f"more than {self.max_states} states"
            expansions += 1
            if expansions % REPORT_EVERY == 0:
                report.progress(expansions, states=len(costs))
            for move in state.pruned_moves(prunings):
                child = state.apply(move)
                if self.symmetry:
                    child = child.canonical()
                if child in costs and costs[child] <= cost + 1:
                    continue
                total = cost + 1 + self._estimate(child)
                if max_steps is not None and total > max_steps:
                    cut = True
                    continue
                costs[child] = cost + 1
                parents[child] = state
                heappush(queue, (total, -cost - 1, next(newest_first), child))
        report.progress(expansions, states=len(costs))
        return report_exhausted(report, max_steps, cut)

    def _estimate(self, state: AnyPuzzle) -> int:
        return state.lower_bound() if self.bound else 0
