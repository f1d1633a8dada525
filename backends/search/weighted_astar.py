"""Weighted A*: finds a plan in a fraction of a second, often a shortest one, but proves nothing.

A* with a weight above 1 on the bound finds a first plan after few expansions, as it rarely returns to states with fewer
moves (Pohl 1970). Large weights find plans sooner, small weights find shorter ones. So it runs several times with
falling weights, and each run only considers states that may lead to a plan shorter than the best so far.
"""

from collections.abc import Iterator
from itertools import islice

from bsp_sat.backends.backend import Report
from bsp_sat.backends.search.best_first import BestFirst
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

WEIGHTS = (4, 2, 1.5)
MAX_EXPANSIONS = 3_000  # expansions of each run: a fraction of a second


def quick_plan(puzzle: AnyPuzzle, max_expansions: int = MAX_EXPANSIONS) -> Plan | None:
    """The best of several plans, or None if none is found soon (which proves nothing)."""
    best = None
    for weight in WEIGHTS:
        plan = _weighted_search(puzzle, weight, max_expansions, best)
        if plan is None and best is None:
            return None  # smaller weights take longer
        best = plan or best
    return best


def report_within(report: Report, plan: Plan, max_steps: int | None) -> int | None:
    """Reports a plan if it is of interest; returns the longest length that is still of interest."""
    if max_steps is not None and len(plan) > max_steps:
        return max_steps
    report.plan(plan)
    return len(plan) - 1


def _weighted_search(puzzle: AnyPuzzle, weight: float, max_expansions: int, best: Plan | None) -> Plan | None:
    def following(state: AnyPuzzle) -> Iterator[AnyPuzzle]:
        return (state.after_legal(move).canonical() for move in state.pruned_moves(puzzle.prunings))

    def rank(state: AnyPuzzle, cost: int) -> float | None:
        bound = state.lower_bound()
        return cost + weight * bound if best is None or cost + bound < len(best) else None

    search = BestFirst(puzzle.canonical(), following, rank)
    for _, _, state in islice(search, max_expansions):
        if state.is_goal():
            return Plan.through(puzzle, search.path_to(state)[1:], lambda position: position.canonical())
    return None
