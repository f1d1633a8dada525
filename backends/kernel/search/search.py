"""One search of the engine, and the plans that it finds.

Its memory is limited. When it is used up, it goes on depth first, with a limit on the plan length that rises by one
each time (engine/search/depth.c): slow, but without further memory, and the lower bound still rises.
"""

from collections.abc import Callable, Sequence
from ctypes import POINTER, Structure, c_char, c_int32, c_int64, c_void_p
from functools import cache, partial
from math import inf

from bsp_sat.backends.beams import moves_of
from bsp_sat.backends.engine import FOUND, MEMORY, PAUSED, accepted, function, owned
from bsp_sat.backends.kernel.contents.alphabet import Content
from bsp_sat.backends.kernel.contents.ruled import AnyAlphabet, RuledContent, alphabet_of
from bsp_sat.backends.limits import MEGABYTE, MEMORY_SHARE, available_bytes
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import Pour, SortPuzzle

UNREACHABLE = 1 << 20
"""The distance, or the bound on it, from where no goal can be reached."""

NO_LIMIT = UNREACHABLE - 1
"""A limit on plans that keeps none out."""

FEW_BYTES = 20 * MEGABYTE  # used without a check of the free memory, which would take longer
SOME_MORE = 1.5  # growing by less isn't worth it

EXACT, SOME_PLAN = (1, 1), (1, 2)
"""Weights of cost and bound: for a shortest plan, and to find any plan soon."""


class Facts(Structure):
    """What a search has found: ``struct bspsat_facts`` in `engine/search/search.h`."""

    _fields_ = tuple((name, c_int64) for name in ("expansions", "states", "bytes", "rank", "cost", "cut", "deepening"))


class KernelSearch:
    """A search from one board, which can be continued.

    It goes ``by_homes`` in the space of homes, see docs/search.md. If ``pruned``, it leaves out dominated moves, and in
    that space builds no children that the limit keeps out. A state's rank has weights of cost and bound; equal ones
    give shortest plans. It takes its ``share`` of ``memory_mb`` MB (10⁶ bytes); None for the memory that is free when
    it is needed. It ``is_spread`` if it goes by rounds, see `spread`. Raises MemoryError if there isn't enough to
    begin.
    """

    def __init__(
        self,
        puzzle: SortPuzzle,
        *,
        by_homes: bool,
        pruned: bool = True,
        weights: tuple[int, int] = EXACT,
        memory_mb: float | None = None,
        share: float = 1.0,
        alphabet: AnyAlphabet | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.alphabet = alphabet or alphabet_of(puzzle, by_homes=by_homes)
        self._by_homes = by_homes
        self._share = share
        self._limit = inf if memory_mb is None else share * memory_mb * MEGABYTE
        self._most_bytes = int(min(FEW_BYTES, self._limit))
        self._calls = 0  # since it was spread
        self.is_spread = False
        new = function("bspsat_search_new", c_void_p, c_void_p, *[c_int64] * 3)
        self._handle, self.close = owned(self, new(self.alphabet.handle, *weights, pruned), "bspsat_search_free")
        self._facts = function("bspsat_search_facts", POINTER(Facts), c_void_p)(self._handle).contents
        self.restart(self.alphabet.start(puzzle))

    @property
    def expansions(self) -> int:
        """States expanded so far."""
        return int(self._facts.expansions)

    @property
    def states(self) -> int:
        """States in memory."""
        return int(self._facts.states)

    @property
    def cut(self) -> bool:
        """Whether a limit on plan lengths left out a state; if not, an exhausted search has seen all states."""
        return bool(self._facts.cut)

    @property
    def deepening(self) -> bool:
        """Whether the memory is used up, so that the search goes on depth first."""
        return bool(self._facts.deepening)

    @property
    def rank(self) -> int:
        """The least rank in the queue; with both weights 1, a lower bound on all plans that aren't found yet."""
        return int(self._facts.rank)

    @property
    def goal_cost(self) -> int:
        """Moves to the goal that was found."""
        return int(self._facts.cost)

    def restart(self, numbers: Sequence[int]) -> None:
        """Restarts from another position of the same alphabet: the numbers of its tubes. Raises MemoryError."""
        self.is_spread = False
        start = function("bspsat_search_start", c_int64, c_void_p, c_void_p)
        accepted(start(self._handle, (c_int32 * len(numbers))(*numbers)), "numbers of a board's tubes")

    def advance(self, limit: int, budget: int) -> int:
        """Expands about ``budget`` states, for plans of at most ``limit`` moves; `NO_LIMIT` for plans of any length.

        It also pauses when the memory is used up. After that, a plan is proved shortest only if ``limit`` is at most
        the proved bound: the `rank` at that moment, plus one for each exhausted limit. Returns
        `bsp_sat.backends.engine.FOUND`, ``EXHAUSTED``, where `cut` tells whether longer plans are possible, or
        ``PAUSED``. Raises MemoryError if there isn't even enough to go on depth first.
        """
        run = function("bspsat_search_run", c_int64, c_void_p, *[c_int64] * 3)
        target = self.expansions + budget
        while True:
            outcome = run(self._handle, limit, target - self.expansions, self._most_bytes)
            self._calls += 1
            if outcome != MEMORY:
                return accepted(outcome, "a search with a start")
            if self.deepening:
                raise MemoryError
            if not self._may_have_more():
                accepted(function("bspsat_search_deepen", c_int64, c_void_p)(self._handle), "a search by rank")
                return PAUSED

    def spread(self) -> bool:
        """Makes the search go on by rounds, in which threads can take part; whether it does, as memory may be short."""
        if not self.is_spread and not self.deepening:
            self.is_spread = function("bspsat_search_spread", c_int64, c_void_p)(self._handle) == FOUND
            self._calls = 0
        return self.is_spread

    def helper(self) -> Callable[[], None]:
        """What a further thread calls to take part in the next call of `advance`, which may have begun by then."""
        return partial(function("bspsat_search_help", c_int64, c_void_p, c_int64), self._handle, self._calls + 1)

    def _may_have_more(self) -> bool:
        """Whether so much memory is free that it is worth it; other programs may have used some in the meantime."""
        if self._most_bytes >= self._limit:
            return False
        held, before = self._facts.bytes, self._most_bytes
        free = self._share * MEMORY_SHARE * (available_bytes() + held)
        self._most_bytes = int(min(free, self._limit))
        return self._most_bytes > SOME_MORE * max(before, held) or self._most_bytes >= self._limit

    def start_over(self) -> None:
        """Begins the depth-first search again, for a higher limit."""
        function("bspsat_search_again", c_int64, c_void_p)(self._handle)

    def states_within(self, limit: int = NO_LIMIT) -> tuple[Sequence[Content | RuledContent], memoryview]:
        """The states found so far, in the space of moves, that may be on plans of at most ``limit`` moves.

        Returns the contents by number; [states · (tubes + 1)] the numbers of each state, then the moves that lead to
        it.
        """
        columns = len(self.puzzle.tubes) + 1
        rows = memoryview((c_int32 * (self.states * columns))()).cast("B").cast("i")
        room = (c_char * 0).from_buffer(rows)
        listed = function("bspsat_search_states", c_int64, c_void_p, c_int64, c_void_p)(self._handle, limit, room)
        accepted(listed, "a search in the space of moves that isn't spread")
        return self.alphabet.contents, rows[: listed * columns]

    def plan(self) -> Plan:
        """The plan to the goal that was found. MemoryError if there isn't enough memory."""
        return plan_from(moves_of("bspsat_search_plan", self._handle))


def plan_from(moves: bytes) -> Plan:
    """The plan of moves in the form of the engine: source and target of each."""
    return Plan(tuple(map(_pour, moves[::2], moves[1::2])))


_pour = cache(Pour)  # plans share their moves: less to make, and for the collector to visit
