"""The compiled search on boards whose balls go anywhere: a plan at once, better ones by beams, then A*.

Beams of rising width take turns with A*, whose limit is one below the best plan. When the search is stopped, there is a
plan and a proved bound. In water sort, and where balls leave at the bottom, A* is alone.
"""

from contextlib import closing
from math import inf

from bsp_sat.backends.backend import Report
from bsp_sat.backends.engine import EXHAUSTED, FOUND
from bsp_sat.backends.kernel.anywhere.search import MOST_STEPS, AnywhereSearch
from bsp_sat.backends.kernel.search.search import NO_LIMIT
from bsp_sat.backends.search.paths import report_exhausted
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle

FIRST_TURN = 1_000_000  # steps of some nanoseconds each
BEAMS = (1, 3, 10, 32, 100, 316, 1_000)
BEAMS_AT_ONCE = 4
BEAM_STEPS = 300_000_000
BEAM_SHARE = 4  # A* gets this many times the beams' steps


def solve_anywhere(
    puzzle: SortPuzzle, report: Report, max_steps: int | None, memory_mb: float | None, max_expansions: int | None
) -> str:
    """Finds some plan, then a shortest one, or exhausts the search space; see `Backend.run`. Raises MemoryError."""
    most = inf if max_expansions is None else max_expansions
    best: Plan | None = None
    with closing(AnywhereSearch(puzzle, memory_mb=memory_mb)) as search:

        def limit() -> int:
            longest = NO_LIMIT if max_steps is None else max_steps
            return longest if best is None else min(longest, len(best) - 1)

        def look_up() -> None:
            report.progress(search.expansions, states=search.states)

        def better(plan: Plan | None) -> None:
            nonlocal best
            if plan is not None and len(plan) <= limit():
                best = plan
                report.plan(plan)

        better(search.sure_plan())
        by_ball = not (puzzle.whole_run or puzzle.rules.drain)
        widths = list(reversed(BEAMS)) if by_ball else []
        turn, steps = FIRST_TURN, 0
        while True:
            outcome = search.advance(limit(), turn)
            look_up()
            if outcome == FOUND:
                better(search.plan())
            if outcome in (FOUND, EXHAUSTED):
                if best is None:
                    return report_exhausted(report, max_steps, search.cut)
                report.lower_bound(len(best))
                return ""
            report.lower_bound(min(search.rank, limit() + 1))
            if search.expansions >= most:
                return f"not settled by {search.expansions:,} expansions"
            steps += turn
            while widths and steps >= BEAM_SHARE * BEAM_STEPS * (len(BEAMS) + 1 - BEAMS_AT_ONCE - len(widths)):
                better(search.beam_plan(widths.pop(), limit(), BEAM_STEPS, look_up))
            turn = min(2 * turn, MOST_STEPS)
