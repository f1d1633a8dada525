"""Runs the compiled search on one board: a plan in milliseconds, then a shortest plan with its proof.

A* over packed states takes turns with **scouts**: searches that weigh the bound more than the cost so far, and find
plans soon (Pohl 1970). Their plans are reported at once, and A* leaves out states that can't lead to a shorter plan.
Late positions of a plan are easy even on hard boards. So the end of a plan is improved by exact searches from earlier
and earlier positions, as long as these are quick. If the search is stopped, there is usually a plan and a proved bound.
"""

from collections.abc import Generator
from contextlib import closing

from bsp_sat.backends.backend import Report
from bsp_sat.backends.kernel.contents.alphabet import has_homes
from bsp_sat.backends.kernel.contents.ruled import RuledAlphabet
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, GOAL, PAUSED
from bsp_sat.backends.kernel.native.memory import zeros
from bsp_sat.backends.kernel.search.arrays import NO_LIMIT
from bsp_sat.backends.kernel.search.search import KernelSearch
from bsp_sat.backends.search.paths import plan_through, report_exhausted
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import Pour, SortPuzzle

FIRST_TURN = 2_000  # expansions of the first turn: a few milliseconds
LAST_TURN = 2_000_000
"""The longest turn, in expansions times tubes²: some hundredths of a second on boards of any size. In this process and
in a browser's tab nothing is heard during a turn."""

SCOUT_WEIGHTS = ((1, 4), (1, 2), (2, 3), (4, 5))
SCOUT_SHARE = 4  # A* gets this many times the scouts' expansions
SCOUT_EXPANSIONS = 20_000  # expansions for each weight; more each time that all weights have been tried
SCOUT_GROWTH = 4
SCOUT_MEMORY = 0.1
TAIL_STEP = 8  # moves
TAIL_EXPANSIONS = 20_000


class KernelRun:
    """The search of one board; `bsp_sat.backends.kernel.backend.Kernel` has the options."""

    def __init__(
        self,
        puzzle: SortPuzzle,
        report: Report,
        max_steps: int | None,
        *,
        homes: bool,
        memory_mb: float | None,
        deepens: bool,
    ) -> None:
        self.puzzle = puzzle
        self.report = report
        self.max_steps = max_steps
        self.by_homes = homes and has_homes(puzzle)
        self.memory_mb = memory_mb
        self.deepens = deepens
        self.best: Plan | None = None

    @property
    def limit(self) -> int:
        """The longest plan still of interest."""
        limit = NO_LIMIT if self.max_steps is None else self.max_steps
        return limit if self.best is None else min(limit, len(self.best) - 1)

    def until_settled(self, max_expansions: float) -> str:
        """Lets A* and the scouts take turns, until A* has made about ``max_expansions`` expansions.

        Raises:
            MemoryError: the memory is used up, and the search may not go on depth first.
        """
        exact = self._search((1, 1), 1 - SCOUT_MEMORY)
        with closing(exact), closing(self._scouts()) as scouts:
            return self._in_turns(exact, scouts, max_expansions)

    def _in_turns(self, exact: KernelSearch, scouts: Generator[int, int, None], max_expansions: float) -> str:
        next(scouts)
        turn = FIRST_TURN
        scouted = 0
        threshold = 0  # limit of the depth-first search after the memory is used up
        while True:
            limit = min(self.limit, threshold) if exact.deepening else self.limit
            outcome = exact.advance(limit, turn)
            self.report.progress(exact.expansions, states=exact.states, scout_expansions=scouted)
            if outcome == GOAL:
                self._take(exact)
                assert self.best is not None
                assert len(self.best) <= threshold or not exact.deepening
                return self._settle()
            if outcome == EXHAUSTED and (limit == self.limit or not exact.cut):
                return self._settle(cut=exact.cut)
            if outcome == EXHAUSTED:
                threshold += 1
                exact.start_over()
            threshold = max(threshold, exact.rank)
            self.report.lower_bound(min(threshold, self.limit + 1))
            if exact.deepening and not self.deepens:
                raise MemoryError
            if exact.expansions >= max_expansions:
                return f"not settled by {exact.expansions:,} expansions"
            scouted += scouts.send(turn // SCOUT_SHARE)
            turn = min(2 * turn, LAST_TURN // len(self.puzzle.tubes) ** 2)

    def _scouts(self) -> Generator[int, int, None]:
        """Searches with the number of expansions sent, and yields the number used; at first until there is a plan."""
        allowance = SCOUT_EXPANSIONS
        first = True
        mended: Plan | None = None
        budget = yield 0
        while True:
            for weights in SCOUT_WEIGHTS:
                with closing(self._search(weights, SCOUT_MEMORY)) as scout:
                    while scout.expansions < allowance and not scout.deepening:
                        before = scout.expansions
                        outcome = scout.advance(self.limit, allowance if self.best is None and first else budget)
                        if outcome == GOAL:
                            self._take(scout)
                        budget = yield scout.expansions - before
                        if outcome != PAUSED:
                            break
            allowance *= SCOUT_GROWTH
            first = False
            if self.best is not None and self.best is not mended:
                budget = yield self._mend_tail()
                mended = self.best

    def _mend_tail(self) -> int:
        """Improves the end of the best plan by exact searches from earlier and earlier positions, while they are quick.

        Returns:
            The number of expansions.
        """
        assert self.best is not None
        moves = self.best.moves
        positions = [self.puzzle]
        for move in moves:
            assert isinstance(move, Pour)
            positions.append(positions[-1].apply(move))
        expansions = 0
        for start in range(len(moves) - TAIL_STEP, 0, -TAIL_STEP):
            with closing(self._search((1, 1), SCOUT_MEMORY, positions[start])) as search:
                outcome = search.advance(len(moves) - start - 1, TAIL_EXPANSIONS)
                expansions += search.expansions
                if outcome == GOAL:
                    moves = (*moves[:start], *plan_of(search))
                    self._report(Plan(moves))
                elif outcome == PAUSED:
                    break
        return expansions

    def _search(self, weights: tuple[int, int], share: float, start: SortPuzzle | None = None) -> KernelSearch:
        return KernelSearch(
            start or self.puzzle, by_homes=self.by_homes, weights=weights, memory_mb=self.memory_mb, share=share
        )

    def _take(self, search: KernelSearch) -> None:
        """Reports the plan that a search found."""
        self._report(plan_of(search))

    def _report(self, plan: Plan) -> None:
        self.best = plan
        self.report.plan(plan)

    def _settle(self, *, cut: bool = False) -> str:
        """Reports what follows if there are no further plans within the limit."""
        if self.best is None:
            return report_exhausted(self.report, self.max_steps, cut)
        self.report.lower_bound(len(self.best))
        return ""


SOME_MOVES = 1 << 10


def plan_of(search: KernelSearch) -> Plan:
    """The plan to the goal that a search has found."""
    puzzle, alphabet = search.puzzle, search.alphabet
    if isinstance(alphabet, RuledAlphabet):
        states = map(sorted, search.states_on_way()[1:])
        return plan_through(puzzle, states, lambda position: sorted(filter(None, alphabet.start(position)[0])))
    moves = zeros("B", 2 * SOME_MOVES)
    made = search.write_plan(moves)
    if made > SOME_MOVES:
        moves = zeros("B", 2 * made)
        search.write_plan(moves)
    return plan_from(moves[: 2 * made].tobytes())


def plan_from(moves: bytes) -> Plan:
    """The plan of moves in the form of compiled code: source and target of each."""
    return Plan(tuple(map(Pour, moves[::2], moves[1::2])))
