"""A* with an admissible bound: the readable reference for the other searches.

The queue is ordered by cost so far plus lower bound (`bsp_sat.backends.search.best_first`). The least sum in the queue
is a lower bound on every plan, as every plan that isn't found yet passes through a state in the queue.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import methodcaller
from typing import Any

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.search.best_first import BestFirst
from bsp_sat.backends.search.paths import REPORT_EVERY, report_exhausted
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class AStar(Backend):
    """A* over canonical states.

    ``bound`` uses the puzzle's lower bound, or a function of your own that gives a position's; without it, this is
    Dijkstra's algorithm. It is ``admissible`` if no plan from a position ever has fewer moves than it says. If not, it
    only guides the search, and no plan is proved to be a shortest one. With more than ``max_states`` in memory, the
    search gives up.
    """

    bound: bool | Callable[[Any], float] = True
    admissible: bool = True
    prunings: frozenset[str] | None = None
    symmetry: bool = True
    max_states: int | None = None

    name = "astar"
    rests_on = "the rules, their lower bound and their prunings (docs/search.md)"
    counts = "expansions"

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        prunings = puzzle.prunings if self.prunings is None else self.prunings
        bound_of = self.bound if callable(self.bound) else methodcaller("lower_bound") if self.bound else lambda _: 0
        cut = False

        def following(state: AnyPuzzle) -> Iterator[AnyPuzzle]:
            for move in state.pruned_moves(prunings):
                child = state.after_legal(move)
                yield child.canonical() if self.symmetry else child

        def rank(state: AnyPuzzle, cost: int) -> float | None:
            nonlocal cut
            total = cost + bound_of(state)
            least = total if self.admissible else cost + state.lower_bound()
            if max_steps is not None and least > max_steps and cost > 0:
                cut = True
                return None
            return total

        search = BestFirst(self._state(puzzle), following, rank, deepest_first=True)
        proved = expansions = 0
        for total, cost, state in search:
            if self.admissible and total > proved:
                report.lower_bound(proved := int(total))
            if state.is_goal():
                report.progress(expansions, states=len(search.reached))
                report.plan(Plan.through(puzzle, search.path_to(state)[1:], self._state))
                if self.admissible:
                    report.lower_bound(cost)
                return ""
            if self.max_states is not None and len(search.reached) > self.max_states:
                report.progress(expansions, states=len(search.reached))
                return f"more than {self.max_states} states"
            expansions += 1
            if expansions % REPORT_EVERY == 0:
                report.progress(expansions, states=len(search.reached))
        report.progress(expansions, states=len(search.reached))
        return report_exhausted(report, max_steps, cut)

    def _state(self, position: AnyPuzzle) -> AnyPuzzle:
        return position.canonical() if self.symmetry else position
