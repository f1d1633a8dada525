"""The reachable positions of one board and the moves between them; `engine/graph` finds them.

Short searches that share their memory find distances and dead positions (docs/search.md), in the space of homes if the
board allows it.
"""

from collections.abc import Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p, create_string_buffer
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import mul
from typing import Any
from weakref import finalize

from bsp_sat.backends.engine import function
from bsp_sat.backends.kernel.contents.alphabet import has_homes, packed_board, packed_tubes
from bsp_sat.instances.sorting import SortPuzzle

FOUND, EXHAUSTED, PAUSED = 1, 2, 3
MEMORY = -1
UNREACHABLE = 1 << 20
NO_LIMIT = UNREACHABLE - 1
LIMBS = 4
EXACT, SOME_PLAN = (1, 1), (1, 5)

MOST_POSITIONS = 1 << 20
STEPS = 1 << 13  # of one call: at most some hundredths of a second
EXPANSIONS = 20_000  # the same
MOST_BYTES = 1 << 30  # that one search may take
FEW_BYTES = 1 << 22  # to clear more would take longer than most searches
Position = tuple[int, ...]
"""A position of a graph: the numbers of its tubes' contents, in descending order, as that graph assigns them."""


class TooFar(Exception):
    """Finding the distance of a position would take more than the allowed effort."""


class _Walked(Structure):
    """What is known of the positions of a walk, see `engine/graph/graph.h`."""

    _fields_ = (
        ("positions", c_int64),
        ("edges", c_int64),
        *((name, POINTER(c_int32)) for name in ("depth", "goal", "successors", "first", "target", "distance", "good")),
        ("plans", POINTER(c_uint64)),
        ("before", POINTER(c_double)),
        ("after", POINTER(c_double)),
    )


class _Facts(Structure):
    """What a search has found so far, see `engine/search/search.h`."""

    _fields_ = tuple(
        (name, c_int64) for name in ("expansions", "states", "bytes", "rank", "cost", "cut", "deepening")
    )


@dataclass(frozen=True)
class ShortestPlans:
    """All shortest plans of a board. The lists have an entry for each position on them, the board itself first.

    Attributes:
        number: the number of shortest plans, as `bsp_sat.backends.count` counts.
        chance: the probability that a uniformly drawn plan passes through the position.
        successors: the number of different next positions; 0 at goals.
        good: the number of different next positions on shortest plans.
        path: the positions along one of the plans.
    """

    number: int
    chance: Sequence[float]
    successors: Sequence[int]
    good: Sequence[int]
    path: list[Position]
    _walk: "_Walk"
    _places: Sequence[int]

    def position(self, number: int) -> Position:
        """The position with this index in the lists."""
        return self._walk.position(self._places[number])


class Reachable:
    """All positions that a game can reach from one position; games end at goals.

    Attributes:
        first: the first edge of each position, then the number of edges.
        target: the different next position of each edge.
        dead: for each position, whether no goal can be reached from it.
        on_plan: for each position, whether a shortest plan passes through it.
    """

    def __init__(self, walk: "_Walk") -> None:
        found, self._walk = walk.found, walk
        self.first: list[int] = found.first[: found.positions + 1]
        self.target: list[int] = found.target[: found.edges]
        self._distances: list[int] = found.distance[: found.positions]
        self.dead = [distance == UNREACHABLE for distance in self._distances]

    @cached_property
    def on_plan(self) -> list[bool]:
        """For each position, whether a shortest plan passes through it."""
        length, depths = self._distances[0], self._walk.found.depth[: len(self._distances)]
        return [depth + left == length for depth, left in zip(depths, self._distances, strict=True)]

    def __contains__(self, position: Position) -> bool:
        return self._walk.place(position) >= 0

    def distance(self, position: Position) -> int | None:
        """Fewest moves from one of the positions to a goal; None if no goal can be reached."""
        return _length(self._distances[self._walk.place(position)])


class PositionGraph:
    """The reachable positions of one board.

    Args:
        board: the board.
        effort: limit for the distance of one position, in expansions times tubes²; beyond it, the distance is unknown.

    Attributes:
        board: the board.
        expansions: expansions of all searches so far.

    Raises:
        MemoryError: there isn't enough memory; as all methods do.
    """

    def __init__(self, board: SortPuzzle, effort: int) -> None:
        self.board = board
        self.expansions = 0
        self._count = len(board.tubes)
        self._numbers = c_int32 * self._count
        self._board = self._new_board(by_homes=False)
        self._graph = _checked(function("bspsat_graph_new", c_void_p, c_void_p)(self._board))
        finalize(self, function("bspsat_graph_free", None, c_void_p), self._graph)
        self._most = effort // self._count**2
        self._known: dict[Position, int] = {}
        self._alive: set[Position] = set()
        self._searches: dict[tuple[int, int], Any] = {}

    def _new_board(self, *, by_homes: bool, further: Sequence[bytes] = ()) -> int:
        """A board with numbered contents, also of further tubes."""
        packed = packed_board(self.board, by_homes=by_homes) + packed_tubes(further)
        make = function("bspsat_board_new", c_int64, c_char_p, c_int64, c_int64, c_void_p)
        board = c_void_p()
        if make(packed, len(packed), len(further), byref(board)) != FOUND:
            raise MemoryError
        address = _checked(board.value)
        finalize(self, function("bspsat_board_free", None, c_void_p), address)
        return address

    def _numbers_of(self, board: int, tubes: Sequence[bytes]) -> list[int]:
        """The numbers of tubes on a board; -1 - colour for homes."""
        look_up = function("bspsat_board_numbers", c_int64, c_void_p, c_char_p, c_int64, c_void_p)
        numbers = (c_int32 * len(tubes))()
        assert look_up(board, packed_tubes(tubes), len(tubes), numbers) == FOUND, "a tube can't come up on the board"
        return numbers[:]

    # -- positions -------------------------------------------------------------------------------------

    @cached_property
    def start(self) -> Position:
        """The board itself."""
        return tuple(sorted(self._numbers_of(self._board, self.board.tubes), reverse=True))

    @cached_property
    def _tubes(self) -> list[bytes]:
        """What each number stands for."""
        write = function("bspsat_graph_contents", c_int64, c_void_p, c_char_p)
        each = 1 + self.board.capacity
        tubes = create_string_buffer(each * write(self._graph, None))
        write(self._graph, tubes)
        rows = (tubes[at : at + each] for at in range(0, len(tubes), each))
        return [row[1 : 1 + row[0]] for row in rows]

    def board_of(self, position: Position) -> SortPuzzle:
        """The position as a board, with its tubes in some order."""
        board = self.board
        return type(board)(tuple(self._tubes[number] for number in position), board.capacity, board.goal, board.palette)

    def successors(self, position: Position) -> list[Position]:
        """The different next positions; a goal has some too."""
        list_next = function("bspsat_graph_next", c_int64, c_void_p, c_void_p, c_void_p)
        found = POINTER(c_int32)()
        count = list_next(self._graph, self._numbers(*position), byref(found))
        return self._positions(found[: count * self._count])

    def _positions(self, numbers: Sequence[int]) -> list[Position]:
        return list(zip(*[iter(numbers)] * self._count, strict=True))

    # -- distances -------------------------------------------------------------------------------------

    def distance(self, position: Position) -> int | None:
        """Fewest moves to a goal; None if no goal can be reached.

        Raises:
            TooFar: finding out takes more than the allowed effort.
        """
        if position not in self._known and self._search(position, EXACT) == PAUSED:
            raise TooFar
        return _length(self._known[position])

    def is_dead(self, position: Position) -> bool | None:
        """Whether no goal can be reached; None if finding out takes more than the allowed effort."""
        if position not in self._known and position not in self._alive:
            outcome = self._search(position, SOME_PLAN)
            if outcome == PAUSED:
                return None
            if outcome == FOUND:
                self._alive.add(position)
        return self._known.get(position) == UNREACHABLE

    def _search(self, position: Position, weights: tuple[int, int]) -> int:
        """Runs one search from a position; returns `FOUND`, `EXHAUSTED` or `PAUSED`."""
        search = self._searches.get(weights) or self._new_search(weights)
        begin = function("bspsat_search_start", c_int64, c_void_p, c_void_p)
        run = function("bspsat_search_run", c_int64, c_void_p, *[c_int64] * 3)
        facts = function("bspsat_search_facts", POINTER(_Facts), c_void_p)(search).contents
        outcome = begin(search, self._numbers(*(self._translation[number] for number in position)))
        if outcome == FOUND:
            outcome = PAUSED
        while outcome == PAUSED and facts.expansions < self._most and not facts.deepening:
            outcome = run(search, NO_LIMIT, min(EXPANSIONS, self._most - facts.expansions), MOST_BYTES)
        if outcome == MEMORY:
            raise MemoryError
        if facts.deepening:  # the memory is used up, so that a plan that it finds needn't be a shortest one
            outcome = PAUSED
        self.expansions += facts.expansions
        if outcome == FOUND and weights == EXACT:
            self._known[position] = facts.cost
        elif outcome == EXHAUSTED:
            self._known[position] = UNREACHABLE
        if facts.bytes > FEW_BYTES:
            self._searches.pop(weights)()
        return outcome
