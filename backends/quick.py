"""A plan within milliseconds, not a shortest one.

A* whose bound counts several times finds a first plan after few expansions, as it hardly ever goes back to a
state with fewer moves behind it (Pohl 1970). docs/strategies.md has figures: how soon, and how long the plans are.
"""

from heapq import heappop, heappush
from itertools import count

from bsp_sat.backends.search import path_to, plan_along
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

WEIGHT = 4
MAX_EXPANSIONS = 10_000  # less than a second


def quick_plan(puzzle: AnyPuzzle, max_expansions: int = MAX_EXPANSIONS) -> Plan | None:
    """Some plan, or None where none is found soon, which proves nothing."""
    start = puzzle.canonical()
    costs = {start: 0}
    parents: dict[AnyPuzzle, AnyPuzzle | None] = {start: None}
    newest_first = count(0, -1)
    queue = [(WEIGHT * start.lower_bound(), next(newest_first), 0, start)]
    for _ in range(max_expansions):
        if not queue:
            break
        _, _, cost, state = heappop(queue)
        if state.is_goal():
            return plan_along(puzzle, path_to(state, parents), symmetry=True)
        for move in state.pruned_moves(puzzle.prunings):
            child = state.apply(move).canonical()
            if child not in costs or cost + 1 < costs[child]:
                costs[child] = cost + 1
                parents[child] = state
                heappush(queue, (cost + 1 + WEIGHT * child.lower_bound(), next(newest_first), cost + 1, child))
    return None
