"""One compiled search: its arrays, which grow when they are full, and the plans that its states stand for.

The memory of a search is limited to a number of states. When it is used up, the open states are searched depth first,
with a limit on the plan length that rises by one each time (Korf's IDA*, 1985, from the frontier of A*: Sen and
Bagchi's MREC, 1989). That is slow, but needs no further memory, and the lower bound still rises.
"""

from array import array
from collections.abc import Sequence

from bsp_sat.backends.kernel.contents.alphabet import Alphabet, Content
from bsp_sat.backends.kernel.contents.arrays import Shape
from bsp_sat.backends.kernel.contents.ruled import AnyAlphabet, RuledAlphabet, RuledContent, alphabet_of
from bsp_sat.backends.kernel.native.layout import GROW, NO_INTS, PAUSED, Bytes, Ints
from bsp_sat.backends.kernel.native.memory import empty, fill, longer, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.backends.kernel.search import arrays
from bsp_sat.backends.kernel.search.arrays import NO_LIMIT, PlanOf, Scratch, Search, Store
from bsp_sat.backends.limits import MEGABYTE, available_bytes
from bsp_sat.backends.search.paths import plan_through
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import BallSort, Pour, SortPuzzle

ROOM = 1 << 14  # for states at first, as growing takes as long as some thousand expansions
BUCKETS = 1 << 16
MOST_SPARE = 4  # stores to keep: enough for the searches of one board
MOST_STATES = 1 << 30  # states are numbered in 32 bits
MEMORY_SHARE = 0.6  # share of the free memory
FEW_BYTES = 20 * MEGABYTE  # used without a check of the free memory, which would take longer

EXACT, SOME_PLAN = (1, 1), (1, 2)
"""Weights of cost and bound: for a shortest plan, and to find any plan soon."""

_spare: list[Store] = []


class KernelSearch:
    """A search from one board, which can be continued.

    Args:
        puzzle: the board.
        by_homes: whether to search in the space of homes, see `bsp_sat.backends.kernel.search.compiled.loops`.
        pruned: leave out dominated moves; in the space of homes, don't build children that the limit keeps out.
        weights: weights of cost and bound in a state's rank; equal weights give shortest plans.
        memory_mb: MB (10⁶ bytes) to use for states; None for the memory that is free when they are needed.
        share: this search's share of that memory.
        alphabet: the numbered contents, if known already: those of a board from which this one is reachable.
        states: number of states to make room for at first, a power of two; None for `ROOM`.
        buckets: initial number of buckets of the queue, a power of two; both small for short searches that restart
            often.
        grows: whether full arrays are made longer; if not, `advance` ends with `GROW`.

    Attributes:
        puzzle: the board.
        alphabet: the numbered contents.
        deepening: whether the memory is used up, so that the search goes on depth first.
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
        states: int | None = None,
        buckets: int = BUCKETS,
        grows: bool = True,
    ) -> None:
        self.puzzle = puzzle
        self.deepening = False
        self._cut_in_memory = False
        self.alphabet = alphabet or alphabet_of(puzzle, by_homes=by_homes)
        self._shape = shape_for(self.alphabet, pruned=pruned, weights=weights)
        self._scratch = scratch_for(self.alphabet, self._shape)
        self._grows = grows
        # A state has a key, three figures, up to four places in the table, and at most one entry in the queue.
        self._bytes_each = self._shape.words * 8 + 12 + 4 * 4 + 12
        self._most_bytes = None if memory_mb is None else share * memory_mb * MEGABYTE
        self._share = share
        states = states or ROOM
        entries = states if grows else 2 * states
        self._work_on(_first_store(self._shape.words, states, buckets, entries))
        self._begin_at(*self.alphabet.start(puzzle))

    def _work_on(self, store: Store) -> None:
        self._store = store
        self._call = Call(Search(self.alphabet.tables, self._shape, self._scratch, store))

    def _begin_at(self, numbers: Sequence[int], homes: int) -> None:
        self._scratch.child[:] = array("I", numbers)
        self._scratch.key[-1] = homes

    @property
    def expansions(self) -> int:
        """States expanded so far."""
        return int(self._store.counters[arrays.EXPANSIONS])

    @property
    def states(self) -> int:
        """States in memory."""
        return int(self._store.counters[arrays.STATES])

    @property
    def cut(self) -> bool:
        """Whether a limit on plan lengths left out a state; if not, an exhausted search has seen all states."""
        return self._cut_in_memory or bool(self._store.counters[arrays.CUT])

    @property
    def rank(self) -> int:
        """The least rank in the queue; with both weights 1, a lower bound on all plans that aren't found yet."""
        return int(self._store.counters[arrays.BUCKET]) // arrays.TIES

    def restart(self, numbers: Sequence[int], homes: int = 0) -> None:
        """Restarts from another state of the same alphabet; not allowed after the memory is used up."""
        assert not self.deepening
        if self.states:
            _clear(self._store)
        self._begin_at(numbers, homes)

    def close(self) -> None:
        """Ends the search, and passes its arrays on to other searches; don't use the search after that."""
        store = self._store
        del self._store, self._call
        if len(store.keys) == ROOM + arrays.STACK and len(store.heads) == BUCKETS and len(_spare) < MOST_SPARE:
            _spare.append(store)

    @property
    def goal_cost(self) -> int:
        """Moves to the goal that was found."""
        return int(self._store.cost[self._store.counters[arrays.FOUND]])

    def advance(self, limit: int, budget: int) -> int:
        """Expands about ``budget`` states, for plans of at most ``limit`` moves; `NO_LIMIT` for plans of any length.

        It also pauses when the memory is used up. After that, a plan is proved shortest only if ``limit`` is at most
        the proved bound: the `rank` at that moment, plus one for each exhausted limit.

        Returns:
            `bsp_sat.backends.kernel.native.layout.GROW` or one of the constants next to it. After `EXHAUSTED`, `cut`
            tells whether longer plans are possible.
        """
        target = self.expansions + budget
        while (left := target - self.expansions) > 0:
            if self.deepening:
                outcome = self._call("deepen", limit, left)
                if outcome == GROW:
                    raise MemoryError
                return outcome
            outcome = self._call("advance", limit, left)
            if outcome != GROW or not self._grows:
                return outcome
            if not self._grow():
                break
        return PAUSED

    def start_over(self) -> None:
        """Restarts the depth-first search at the first open state, for a higher limit."""
        counters = self._store.counters
        counters[arrays.CUT] = counters[arrays.STACKED] = counters[arrays.FRONTIER] = 0

    def _grow(self) -> bool:
        """Makes the full arrays longer; False if there is no memory for that, and the search goes on depth first."""
        counters = self._store.counters
        room = len(self._store.keys) - arrays.STACK
        full = self.states == room
        more = self._next_room(room) - room if full else 0
        if full and more < room / 2:  # for a while a part of the old arrays is there beside the new ones
            self._end_growth()
            return False
        store = self._store._asdict()
        del self._store, self._call  # so that each array goes when it has been copied
        if full:
            store["table"] = None
            for name in ("keys", "cost", "bound", "parent"):
                store[name] = longer(store[name], more)
            store["table"] = _free(_table_size(room + more))
        entries, buckets = len(store["entry"]), len(store["heads"])
        few_entries = counters[arrays.ENTRIES] >= entries - 1  # even if an entry has just been freed
        if few_entries:
            store["entry"] = longer(store["entry"], entries)
        if not full and not few_entries:
            store["heads"] = longer(store["heads"], buckets)
            fill(store["heads"][buckets:], -1)
        self._work_on(Store(**store))
        if full:
            self._call("refill")
        return True

    def _next_room(self, room: int) -> int:
        """The states to make room for after ``room``: twice as many, or so that later doublings use the memory up.

        Other programs may have used some in the meantime. Less than ``room`` where there is no more.
        """
        held = room * self._bytes_each
        most: float = FEW_BYTES
        if 2 * held > FEW_BYTES:
            most = self._share * MEMORY_SHARE * (available_bytes() + held)
        if self._most_bytes is not None:
            most = min(most, self._most_bytes)
        if 2 * held <= min(most, FEW_BYTES):
            return 2 * room
        states = min(MOST_STATES, int(most / self._bytes_each))
        while states >= 3 * room:
            states //= 2
        return states

    def _end_growth(self) -> None:
        """Switches to depth-first search from all states in the queue, those with the least rank first."""
        self._work_on(self._store._replace(frontier=empty("i", self._store.counters[arrays.ENTRIES])))
        waiting = self._call("line_up")
        frontier = self._store.frontier[:waiting]
        self._work_on(self._store._replace(entry=empty("i", 1, 3), heads=_free(1), frontier=frontier))
        self._cut_in_memory = self.cut
        self.deepening = True
        self.start_over()

    def states_within(self, limit: int = NO_LIMIT) -> tuple[Sequence[Content | RuledContent], Ints]:
        """The states found so far, in the space of moves, that may be on plans of at most ``limit`` moves.

        Returns:
            The contents by number; [states · (tubes + 1)] the numbers of each state, then the moves that lead to it.
        """
        assert not self._shape.by_homes
        columns = self._shape.tubes + 1
        rows = empty("i", self.states * columns)
        self._work_on(self._store._replace(rows=rows))
        listed = self._call("list_states", limit)
        self._work_on(self._store._replace(rows=NO_INTS))
        return self.alphabet.contents, rows[: listed * columns]

    # -- plans -----------------------------------------------------------------------------------------

    def states_on_way(self) -> list[list[int]]:
        """The states from the start to the goal that was found, each as its numbers without 0."""
        store, shape = self._store, self._shape
        states = []
        state = int(store.counters[arrays.FOUND])
        while state >= 0:
            words = [store.keys[state, word] for word in range(shape.words)]
            states.append([number for number in unpacked(shape, words) if number])
            state = int(store.parent[state])
        return states[::-1]

    def write_plan(self, moves: Bytes) -> int:
        """Writes the plan to the goal that was found, for boards without rules for tubes.

        Args:
            moves: receives source and target of each move, as far as there is room.

        Returns:
            The number of moves.
        """
        assert isinstance(self.alphabet, Alphabet)
        search = Search(self.alphabet.tables, self._shape, self._scratch, self._store)
        made = Call(PlanOf(search, self.alphabet.table(self.puzzle.tubes), moves))("write_plan", 0)
        assert made >= 0, "a search found a state that no move leads to"
        return made


def shape_for(alphabet: AnyAlphabet, *, pruned: bool = True, weights: tuple[int, int] = (1, 1)) -> Shape:
    """The layout of states for an alphabet's board; ``pruned`` and ``weights`` as in `KernelSearch`."""
    puzzle = alphabet.puzzle
    tubes = len(puzzle.tubes)
    ruled = isinstance(alphabet, RuledAlphabet)
    by_homes = isinstance(alphabet, Alphabet) and alphabet.by_homes
    bits = len(alphabet.tables.top).bit_length()
    per_word = 64 // bits
    return Shape(
        tubes=tubes,
        bits=bits,
        per_word=per_word,
        words=-(-tubes // per_word) + by_homes,
        by_homes=by_homes,
        pruned=pruned,
        one_ball=isinstance(puzzle, BallSort),
        rank_keeps=ruled or any(homes != 1 for homes in alphabet.tables.homes),
        cost_weight=weights[0],
        bound_weight=weights[1],
        ruled=ruled,
        locked=any(number >= 0 for number in alphabet.tables.opens),
        whole_pours=not puzzle.rules.partial,
    )


def scratch_for(alphabet: AnyAlphabet, shape: Shape) -> Scratch:
    """Working memory for searches of an alphabet's board."""
    tubes, colours = shape.tubes, len(alphabet.puzzle.palette)
    return Scratch(
        state=zeros("I", tubes),
        child=zeros("I", tubes),
        kept=zeros("I", tubes),
        key=zeros("Q", shape.words),
        best=_ints(colours),
        ranks=_ints(max(1, colours), max(alphabet.puzzle.capacities) + 1),
        longest=_ints(colours),
        savings=_ints(colours),
        targets=_ints(tubes),
        amounts=_ints(tubes),
        loads=_ints(colours),
        fullest=_ints(colours),
        most_room=_ints(colours),
    )


def unpacked(shape: Shape, words: Sequence[int]) -> list[int]:
    """The numbers in a packed state, one for each tube."""
    ones = (1 << shape.bits) - 1
    shifts = range(0, shape.per_word * shape.bits, shape.bits)
    states = words[: shape.words - shape.by_homes]
    return [word >> shift & ones for word in states for shift in shifts][: shape.tubes]


def _first_store(words: int, states: int, buckets: int, entries: int) -> Store:
    """An empty store; if possible a used one, as making a new one takes as long as an easy search."""
    try:
        store: Store | None = _spare.pop()  # atomic, as several threads may search at once
    except IndexError:
        store = None
    places = states + arrays.STACK
    if store is None or (store.keys.shape, len(store.heads), len(store.entry)) != ((places, words), buckets, entries):
        store = Store(
            keys=empty("Q", places, words),
            cost=empty("i", places),
            bound=empty("i", places),
            parent=empty("i", places),
            table=empty("i", _table_size(states)),
            heads=empty("i", buckets),
            entry=empty("i", entries, 3),
            frontier=NO_INTS,
            counters=zeros("q", arrays.COUNTERS),
        )
    _clear(store)
    return store


def _table_size(states: int) -> int:
    """The size of the hash table for a number of states: a power of two, two to four places a state."""
    return 1 << (2 * states - 1).bit_length()


def _clear(store: Store) -> None:
    """Empties a store; old values in its other arrays are never read."""
    fill(store.heads, -1)
    fill(store.table, -1)
    fill(store.counters, 0)
    store.counters[arrays.RECYCLED] = store.counters[arrays.STACKED] = -1


def _ints(*shape: int) -> Ints:
    return zeros("i", *shape)


def _free(places: int) -> Ints:
    free = empty("i", places)
    fill(free, -1)
    return free


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
