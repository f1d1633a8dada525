"""A plan within a fraction of a second, often a shortest one, and nothing proved.

A* whose bound counts several times finds a first plan after few expansions, as it hardly ever goes back to a
state with fewer moves behind it (Pohl 1970). The more the bound counts the sooner, the less the shorter the
plan: so it runs several times, and each run looks only at what would be shorter than the best plan so far.
docs/measurements/strategies.md has figures.
"""

from heapq import heappop, heappush
from itertools import count

from bsp_sat.backends.backend import Report
from bsp_sat.backends.search.paths import path_to, plan_along
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

WEIGHTS = (4, 2, 1.5)
MAX_EXPANSIONS = 3_000  # of each run, a fraction of a second


def quick_plan(puzzle: AnyPuzzle, max_expansions: int = MAX_EXPANSIONS) -> Plan | None:
    """The best of several plans, or None where none is found soon, which proves nothing."""
    best = None
    for weight in WEIGHTS:
        plan = _weighted_search(puzzle, weight, max_expansions, best)
        if plan is None and best is None:
            return None  # lesser weights take longer
        best = plan or best
    return best


def report_within(report: Report, plan: Plan, max_steps: int | None) -> int | None:
    """Reports a plan of interest; returns the longest plan that is of interest now."""
    if max_steps is not None and len(plan) > max_steps:
        return max_steps
    report.plan(plan)
    return len(plan) - 1


def _weighted_search(puzzle: AnyPuzzle, weight: float, max_expansions: int, best: Plan | None) -> Plan | None:
    start = puzzle.canonical()
    costs = {start: 0}
    parents: dict[AnyPuzzle, AnyPuzzle | None] = {start: None}
    newest_first = count(0, -1)
    queue = [(weight * start.lower_bound(), next(newest_first), 0, start)]
    for _ in range(max_expansions):
        if not queue:
            break
        _, _, cost, state = heappop(queue)
        if state.is_goal():
            return plan_along(puzzle, path_to(state, parents), symmetry=True)
        for move in state.pruned_moves(puzzle.prunings):
            child = state.apply(move).canonical()
            if child not in costs or cost + 1 < costs[child]:
                bound = child.lower_bound()
                if best is None or cost + 1 + bound < len(best):
                    costs[child] = cost + 1
                    parents[child] = state
                    heappush(queue, (cost + 1 + weight * bound, next(newest_first), cost + 1, child))
    return None
