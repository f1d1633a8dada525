"""The compiled search as a backend: a plan in milliseconds, then a shortest plan with its proof.

A* over packed states takes turns with a **beam search**, which finds plans soon and better ones later, but proves
nothing. Easy boards are settled before it begins. Then it goes alone for a while, and after that with a quarter of the
effort. While there is no plan, weighted A* looks for one too, as dead ends stop it on other boards than the beam. Plans
are reported at once, and A* leaves out states that can't lead to a shorter one.
"""

from contextlib import closing
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Self

from bsp_sat.backends.backend import Backend, Choice, Report
from bsp_sat.backends.engine import EXHAUSTED, FOUND, PAUSED, check_library, missing_library
from bsp_sat.backends.kernel.contents.alphabet import has_homes
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.backends.search.paths import report_exhausted
from bsp_sat.instances.errors import BackendError, Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import (
    ANYWHERE,
    COLOURED,
    COVERED,
    MONOCHROME,
    SEVERAL_HOMES,
    TUBE_RULES,
    WANTED,
    BallSort,
    SortPuzzle,
    WaterSort,
)

if TYPE_CHECKING:
    from bsp_sat.backends.kernel.search.beam import Beam

PROCESS_MB = 120  # memory of the process without states
STATES_SHARE = 0.9
LEAST_MB = 1.0
MAX_COLOURS, MAX_CAPACITY, MAX_TUBES = 64, 64, 128

SPREAD_EFFORT = 10_000_000  # expansions times tubes²: a few hundredths of a second; then several threads pay
FIRST_TURN = 2_000  # expansions of the first turn: a few milliseconds
LAST_TURN = 2_000_000
"""The longest turn, in expansions times tubes²: some hundredths of a second on boards of any size. In this process and
in a browser's tab nothing is heard during a turn."""

SPREAD_TURNS = 4  # times as many, since a turn also begins and ends for all threads

BEAM_FROM = 5_000_000  # A* alone, in expansions times tubes²: easy boards need no beam
BEAM_ALONE = 8_000_000
"""What the beam then does alone, in expansions times tubes²: about a tenth of a second."""
BEAM_AGAIN, SMALL_GAP = 1_000_000_000, 12
"""If there is a plan by then, at most that many moves over the bound, A* goes on alone until here, in expansions times
tubes²: a few seconds settle most such boards."""
BEAM_EARLY = 200_000  # expansions that the beam makes first if its plan is farther: some three quarters of a second
BEAM_SHARE = 8
"""Otherwise A* gets this many times the beam's expansions, which take two to four times as long as its own."""
BEAM_MEMORY = 0.1

ANY_PLAN = (1, 8)  # weights of cost and bound for weighted A*; benchmarks/tried.md compares others
ANY_PLAN_ALONE = 20_000  # expansions of it alone: some hundredths of a second
ANY_PLAN_SHARE = 2  # then A* gets this many times its expansions, while there is no plan
ANY_PLAN_MEMORY = 0.1
EXACT_MEMORY = 1 - BEAM_MEMORY - ANY_PLAN_MEMORY


@dataclass(frozen=True)
class Kernel(Backend):
    """A* and a beam search in compiled code.

    With ``homes`` it searches in the space of homes if the board allows it, see docs/search.md. States take
    ``memory_mb`` MB (10⁶ bytes), or a large part of the free memory; then the search goes on depth first, or ends with
    a MemoryError unless it ``deepens``. It gives up after about ``max_expansions``. ``cores`` are threads for the
    exact search; what it finds doesn't depend on their number.
    """

    homes: bool = True
    memory_mb: float | None = None
    deepens: bool = True
    max_expansions: int | None = None
    cores: int = field(default=1, compare=False)

    name = "kernel"
    rests_on = "the rules as compiled, their lower bound and their prunings (docs/search.md)"
    counts = "expansions"
    scope = Scope.of(BallSort, WaterSort, features=(ANYWHERE, COLOURED, MONOCHROME, SEVERAL_HOMES, WANTED, *TUBE_RULES))
    choices = (Choice("homes", lambda: {"homes": True, "moves": False}, "space"),)

    def within(self, memory_mb: float) -> Self:
        """The backend with memory for fewer states; when that is used up, it goes on depth first."""
        return replace(self, memory_mb=max(LEAST_MB, STATES_SHARE * (memory_mb - PROCESS_MB)))

    def sharing(self, memory_mb: float) -> Self:
        """The backend with memory for fewer states; when that is used up, it ends with a MemoryError."""
        return replace(self.within(memory_mb), deepens=False)

    def on_cores(self, cores: int) -> Self:
        return replace(self, cores=cores)

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that are too large for packed states, and all if there is no library, and says so."""
        super().check(puzzle)
        check_library()
        assert isinstance(puzzle, SortPuzzle)
        if {ANYWHERE, COVERED} <= puzzle.features():  # its positions say of no ball whether it is covered
            raise Unsupported(f"backend kernel takes no {puzzle.kind} boards with {ANYWHERE} and {COVERED}; use astar")
        for what, found, most in (
            ("colours", len(puzzle.palette), MAX_COLOURS),
            ("balls a tube", max(puzzle.capacities), MAX_CAPACITY),
            ("tubes", len(puzzle.tubes), MAX_TUBES),
        ):
            if found > most:
                raise Unsupported(f"backend kernel takes up to {most} {what}, the board has {found}; use astar")

    def prepare(self) -> None:
        missing_library()

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        assert isinstance(puzzle, SortPuzzle)
        if puzzle.rules.anywhere:
            # Imported here, as the beam below: most boards need neither.
            from bsp_sat.backends.kernel.anywhere.solving import solve_anywhere

            return solve_anywhere(puzzle, report, max_steps, self.memory_mb, self.max_expansions)
        return KernelRun(self, puzzle, report, max_steps).until_settled()


class KernelRun:
    """The search of one board, with the options of `Kernel`."""

    def __init__(self, options: Kernel, puzzle: SortPuzzle, report: Report, max_steps: int | None) -> None:
        self.options = options
        self.puzzle = puzzle
        self.report = report
        self.max_steps = max_steps
        self.by_homes = options.homes and has_homes(puzzle)
        self.best: Plan | None = None
        self.beam: Beam | None = None
        self.weighted: KernelSearch | None = None
        self.longest_turn = max(1, LAST_TURN // len(puzzle.tubes) ** 2)

    @property
    def limit(self) -> int:
        """The longest plan still of interest."""
        limit = NO_LIMIT if self.max_steps is None else self.max_steps
        return limit if self.best is None else min(limit, len(self.best) - 1)

    def until_settled(self) -> str:
        """Lets A* and the beam take turns, until A* has made about as many expansions as it may. Raises MemoryError."""
        memory_mb = self.options.memory_mb
        exact = KernelSearch(self.puzzle, by_homes=self.by_homes, memory_mb=memory_mb, share=EXACT_MEMORY)
        with closing(exact):
            try:
                return self._in_turns(exact)
            finally:
                self._end_beam()

    def _in_turns(self, exact: KernelSearch) -> str:
        tubes = len(self.puzzle.tubes)
        most = inf if self.options.max_expansions is None else self.options.max_expansions
        turn = FIRST_TURN
        alone = True  # whether A* is, before the beam begins
        threshold = 0  # limit of the depth-first search after the memory is used up
        while True:
            whole = self.limit
            limit = min(whole, threshold) if exact.deepening else whole
            spreads = exact.expansions * tubes**2 >= SPREAD_EFFORT and not exact.deepening and exact.spread()
            outcome = self._turn_of_all(exact, limit, turn) if spreads else exact.advance(limit, turn)
            self.report.progress(exact.expansions, states=exact.states)
            if outcome == FOUND:
                plan = exact.plan()
                if exact.deepening and len(plan) > threshold:
                    raise BackendError(f"a plan of {len(plan)} moves was found for a limit of {threshold}")
                self._report(plan, "the exact search")
                return self._settle()
            if outcome == EXHAUSTED and (limit == whole or not exact.cut):
                return self._settle(cut=exact.cut)
            if outcome == EXHAUSTED:
                threshold += 1
                exact.start_over()
            threshold = max(threshold, exact.rank)
            self.report.lower_bound(min(threshold, self.limit + 1))
            if exact.deepening and not self.options.deepens:
                raise MemoryError
            if exact.expansions >= most:
                return f"not settled by {exact.expansions:,} expansions"
            if alone and exact.expansions * tubes**2 >= BEAM_FROM:
                alone = False
                self._begin_others()
            elif not spreads:
                self._advance_others(exact, turn)
            turn = min(2 * turn, (SPREAD_TURNS if spreads else 1) * LAST_TURN // tubes**2)

    def _turn_of_all(self, exact: KernelSearch, limit: int, turn: int) -> int:
        """A turn of both; returns how A*'s ended. That depends neither on the threads nor on what the beam finds."""
        if self.options.cores == 1:
            self._advance_others(exact, turn)
            return exact.advance(limit, turn)
        # Imported here: most boards are settled before, and it loads `logging`.
        from concurrent.futures import ThreadPoolExecutor

        helper = exact.helper()
        with ThreadPoolExecutor(self.options.cores - 1) as threads:
            going = threads.submit(exact.advance, limit, turn)
            for _ in range(self.options.cores - 2):
                threads.submit(helper)
            try:
                self._advance_others(exact, turn)
            finally:
                helper()
        return going.result()

    def _begin_others(self) -> None:
        """Lets the beam go alone for a while, then weighted A* if there is no plan."""
        from bsp_sat.backends.kernel.search.beam import Beam

        memory_mb = self.options.memory_mb
        self.beam = Beam(self.puzzle, by_homes=self.by_homes, memory_mb=memory_mb, share=BEAM_MEMORY)
        self._advance_beam(BEAM_ALONE // len(self.puzzle.tubes) ** 2)
        if self.best is None:
            self.weighted = KernelSearch(
                self.puzzle, by_homes=self.by_homes, weights=ANY_PLAN, memory_mb=memory_mb, share=ANY_PLAN_MEMORY
            )
            self._advance_weighted(ANY_PLAN_ALONE)

    def _advance_others(self, exact: KernelSearch, turn: int) -> None:
        """Lets the others go on beside a turn of A*."""
        self._advance_beam(self._beam_turn(exact, turn))
        self._advance_weighted(turn // ANY_PLAN_SHARE)

    def _beam_turn(self, exact: KernelSearch, turn: int) -> int:
        """The expansions that the beam may make beside a turn of A*: twice its share while there is no plan."""
        if self.best is None:
            return 2 * turn // BEAM_SHARE
        gap = self.limit + 1 - exact.rank
        may_be_settled_soon = gap <= SMALL_GAP and exact.expansions * len(self.puzzle.tubes) ** 2 < BEAM_AGAIN
        if may_be_settled_soon:
            return 0
        is_early = self.beam is not None and self.beam.expansions < BEAM_EARLY
        return BEAM_SHARE * turn if is_early and gap > SMALL_GAP else turn // BEAM_SHARE

    def _advance_beam(self, budget: int) -> None:
        """Lets the beam expand about this number of states, in turns, and ends it where it can find nothing more."""
        while self.beam is not None and budget > 0 and not self.report.settled:
            before = self.beam.expansions
            outcome = self.beam.advance(self.limit, min(budget, self.longest_turn))
            budget -= max(1, self.beam.expansions - before)
            if outcome == FOUND:
                self._report(self.beam.plan(), "a beam search")
            elif outcome != PAUSED:
                self._end_beam()

    def _advance_weighted(self, budget: int) -> None:
        """Lets weighted A* expand about this number of states, in turns, until there is a plan or no memory."""
        while self.weighted is not None and budget > 0:
            before = self.weighted.expansions
            outcome = self.weighted.advance(self.limit, min(budget, self.longest_turn))
            budget -= max(1, self.weighted.expansions - before)
            if outcome == FOUND:
                self._report(self.weighted.plan(), "weighted A*")
            if self.best is not None or outcome == EXHAUSTED or self.weighted.deepening:
                self.weighted = None

    def _end_beam(self) -> None:
        if self.beam is not None:
            self.beam.close()
            self.beam = None

    def _report(self, plan: Plan, by: str) -> None:
        self.best = plan
        self.report.stats(plan_by=by)
        self.report.plan(plan)

    def _settle(self, *, cut: bool = False) -> str:
        """Reports what follows if there are no further plans within the limit."""
        if self.best is None:
            return report_exhausted(self.report, self.max_steps, cut)
        self.report.lower_bound(len(self.best))
        return ""
