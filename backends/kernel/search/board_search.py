"""A search from one board that runs in slices: first for any plan, then for a shortest one."""

from bsp_sat.backends.engine import EXHAUSTED, FOUND
from bsp_sat.backends.kernel.contents.alphabet import has_homes
from bsp_sat.backends.kernel.contents.ruled import alphabet_of, has_rules
from bsp_sat.backends.kernel.search.search import EXACT, NO_LIMIT, SOME_PLAN, KernelSearch
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle


class Search:
    """A search of one board; each slice may improve the bound and the plan.

    Searches of the positions of one game share the tables of ``origin``, from which they are reachable. ``homes``
    searches in the space of homes if the board allows it. With ``any_plan_first`` the first plan needn't be a shortest
    one. Without ``memory_mb`` MB (10⁶ bytes) for states it takes the memory that is free when it is needed.
    """

    def __init__(
        self,
        board: SortPuzzle,
        *,
        origin: SortPuzzle | None = None,
        bound: int = 0,
        homes: bool = True,
        any_plan_first: bool = True,
        memory_mb: float | None = None,
    ) -> None:
        self.board = board
        self.bound = max(bound, board.lower_bound())
        self.plan: Plan | None = None
        self.dead = False
        self._origin = origin if origin is not None and has_rules(origin) else board
        self._by_homes = homes and has_homes(self._origin)
        self._memory_mb = memory_mb
        self._earlier = 0  # expansions of the search for any plan
        self._exact = not any_plan_first
        self._search = self._begin(EXACT if self._exact else SOME_PLAN)

    @property
    def expansions(self) -> int:
        """States expanded so far."""
        return self._earlier + self._search.expansions

    @property
    def settled(self) -> bool:
        """Whether a shortest plan is known, or the board is proved unsolvable."""
        return self.dead or (self.plan is not None and self.bound == len(self.plan))

    @property
    def ended(self) -> bool:
        """Whether the search is over: it is settled, or its memory is used up."""
        return self.settled or self._search.deepening

    def take(self, plan: Plan) -> None:
        """Takes a known plan of the board; from now on only shorter plans are searched for."""
        self.plan = plan
        if not self._exact:
            self._earlier = self._search.expansions
            self._exact = True
            self._search = self._begin(EXACT)

    def advance(self, expansions: int) -> None:
        """Expands about this number of states; does nothing if the search has `ended`."""
        if self.ended:
            return
        search, exact = self._search, self._exact
        outcome = search.advance(NO_LIMIT if self.plan is None else len(self.plan) - 1, expansions)
        if outcome == FOUND:
            plan = search.plan()
            plan.replay(self.board)
            self.take(plan)
            if exact:
                self.bound = len(plan)
        elif outcome == EXHAUSTED and self.plan is None:
            self.dead = True
        elif outcome == EXHAUSTED:
            assert self.plan is not None
            self.bound = len(self.plan)
        elif exact:
            self.bound = max(self.bound, search.rank if self.plan is None else min(search.rank, len(self.plan)))

    def _begin(self, weights: tuple[int, int]) -> KernelSearch:
        alphabet = alphabet_of(self._origin, by_homes=self._by_homes)
        return KernelSearch(
            self.board, by_homes=self._by_homes, weights=weights, memory_mb=self._memory_mb, alphabet=alphabet
        )
