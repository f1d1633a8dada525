"""The reachable positions of one board and the moves between them; `engine/graph` finds them.

Short searches find distances and dead positions (docs/search.md), in the space of homes if the board allows it.
"""

from collections.abc import Iterator, Sequence
from ctypes import POINTER, Structure, byref, c_double, c_int32, c_int64, c_uint64, c_void_p
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import mul

from bsp_sat.backends.engine import EXHAUSTED, FOUND, PAUSED, accepted, function, owned
from bsp_sat.backends.kernel.contents.alphabet import Alphabet, has_homes
from bsp_sat.backends.kernel.search.search import EXACT, NO_LIMIT, SOME_PLAN, UNREACHABLE, KernelSearch
from bsp_sat.instances.sorting import SortPuzzle

MOST_POSITIONS = 1 << 20
STEPS = 1 << 20  # of one call, times tubes²: at most some hundredths of a second
EXPANSIONS = 20_000  # the same, on small boards; a call ends sooner on large ones
FEW_STATES = 1 << 14  # to clear more would take longer than most searches
LIMBS = 4  # 64-bit words of an exact number
A_POSITION = "numbers of tubes in descending order"
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


@dataclass(frozen=True)
class ShortestPlans:
    """All shortest plans of a board, as many as `bsp_sat.backends.count` counts.

    The lists have an entry for each position on them, the board itself first: ``chance`` is the probability that a
    uniformly drawn plan passes through it, ``successors`` the number of different next positions, 0 at goals, and
    ``good`` that of those on shortest plans.
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

    ``first`` has the first edge of each position, then the number of edges, and ``target`` the next position of each
    edge. No goal can be reached from positions that are ``dead``, and a shortest plan passes those ``on_plan``.
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

    Beyond ``effort``, in expansions times tubes², the distance of a position is unknown. One call looks at ``steps``
    positions. All methods raise MemoryError if there isn't enough.
    """

    def __init__(self, board: SortPuzzle, effort: int) -> None:
        self.board = board
        self.expansions = 0
        self._alphabet = Alphabet(board, by_homes=False)
        self._numbers = c_int32 * len(board.tubes)
        made = function("bspsat_graph_new", c_void_p, c_void_p)(self._alphabet.handle)
        self.graph, _ = owned(self, made, "bspsat_graph_free")
        self._most = effort // len(board.tubes) ** 2
        self.steps = max(1, STEPS // len(board.tubes) ** 2)
        self._known: dict[Position, int] = {}
        self._alive: set[Position] = set()
        self._searches: dict[tuple[int, int], KernelSearch] = {}

    # -- positions -------------------------------------------------------------------------------------

    @cached_property
    def start(self) -> Position:
        """The board itself."""
        return tuple(sorted(self._alphabet.start(self.board), reverse=True))

    @cached_property
    def _tubes(self) -> list[bytes]:
        return [tube for tube, _ in self._alphabet.contents]

    def board_of(self, position: Position) -> SortPuzzle:
        """The position as a board, with its tubes in some order."""
        board = self.board
        return type(board)(tuple(self._tubes[number] for number in position), board.capacity, board.goal, board.palette)

    def successors(self, position: Position) -> list[Position]:
        """The different next positions; a goal has some too."""
        list_next = function("bspsat_graph_next", c_int64, c_void_p, c_void_p, c_void_p)
        found = POINTER(c_int32)()
        count = accepted(list_next(self.graph, self._numbers(*position), byref(found)), A_POSITION)
        return self._positions(found[: count * len(position)])

    def _positions(self, numbers: Sequence[int]) -> list[Position]:
        return list(zip(*[iter(numbers)] * len(self.board.tubes), strict=True))

    # -- distances -------------------------------------------------------------------------------------

    def distance(self, position: Position) -> int | None:
        """Fewest moves to a goal; None if no goal can be reached, TooFar if finding out takes too much effort."""
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
        search = self._searches.get(weights)
        if search is None:
            alphabet = self._search_alphabet
            search = KernelSearch(self.board, by_homes=alphabet.by_homes, weights=weights, alphabet=alphabet)
            self._searches[weights] = search
        search.restart([self._translation[number] for number in position])
        outcome = PAUSED
        while outcome == PAUSED and search.expansions < self._most:
            outcome = search.advance(NO_LIMIT, min(EXPANSIONS, self._most - search.expansions))
            if search.deepening:  # the memory is used up: a plan that it finds from here on needn't be a shortest one
                outcome = PAUSED
                break
        self.expansions += search.expansions
        if outcome == FOUND and weights == EXACT:
            self._known[position] = search.goal_cost
        elif outcome == EXHAUSTED:
            self._known[position] = UNREACHABLE
        if search.states > FEW_STATES:
            del self._searches[weights]
        return outcome

    @cached_property
    def _search_alphabet(self) -> Alphabet:
        """The alphabet of the searches, which differs from that of positions in the space of homes."""
        return Alphabet(self.board, by_homes=has_homes(self.board), further=filter(None, self._tubes))

    @cached_property
    def _translation(self) -> list[int]:
        """For each number, that of the searches."""
        return self._search_alphabet.numbers(self._tubes)

    # -- walks -----------------------------------------------------------------------------------------

    def shortest_plans(self, length: int) -> ShortestPlans | None:
        """The shortest plans of the board, of its optimum's length; None if they or their positions are too many."""
        walk = _Walk(self, self.start, limit=length)
        if not (walk.run_task("bspsat_walk_on") and walk.run_task("bspsat_walk_count", length)):
            return None
        found, positions = walk.found, walk.found.positions
        after = found.after[:positions]  # 0 for positions that aren't on shortest plans
        weights = map(mul, found.before[:positions], after)
        path = [0]
        while not found.goal[path[-1]]:
            at = path[-1]
            targets = found.target[found.first[at] : found.first[at + 1]]
            path.append(next(to for to in targets if found.depth[to] == found.depth[at] + 1 and after[to]))
        return ShortestPlans(
            number=sum(found.plans[limb] << 64 * limb for limb in range(LIMBS)),
            chance=[weight / after[0] for weight in compress(weights, after)],
            successors=list(compress(found.successors[:positions], after)),
            good=list(compress(found.good[:positions], after)),
            path=[walk.position(place) for place in path],
            _walk=walk,
            _places=list(compress(range(positions), after)),
        )

    def reachable(self, start: Position, most: int, *, spare: bool = False) -> Reachable | None:
        """All positions that can be reached from ``start``; None if there are more than ``most``.

        With ``spare``, balls never leave full tubes that hold every ball of their colour.
        """
        walk = _Walk(self, start, most=most, spare=spare)
        return Reachable(walk) if walk.run_task("bspsat_walk_on") and walk.run_task("bspsat_walk_measure") else None

    # -- players ---------------------------------------------------------------------------------------

    def plays(self, seed: int, plays: int, most: int, *, greedy: bool) -> int:
        """How many of ``plays`` simulated plays (`engine/graph/plays.c`) solve the board within ``most`` moves."""
        play = function("bspsat_graph_play", c_int64, c_void_p, c_void_p, c_void_p, *[c_int64] * 3)
        start, chance, solved = self._numbers(*self.start), c_uint64(seed), 0
        for each in self._some_at_once(plays, most):
            solved += accepted(play(self.graph, start, byref(chance), each, most, greedy), A_POSITION)
        return solved

    def wandered(self, seed: int, plays: int, most: int) -> list[Position]:
        """The positions of ``plays`` random plays, each after a uniformly random number of moves, 1 to ``most``."""
        wander = function("bspsat_graph_wander", c_int64, c_void_p, c_void_p, c_void_p, c_int64, c_int64, c_void_p)
        start, chance, positions = self._numbers(*self.start), c_uint64(seed), []
        for each in self._some_at_once(plays, most):
            found = (c_int32 * (each * len(start)))()
            accepted(wander(self.graph, start, byref(chance), each, most, found), f"{A_POSITION} and a move at least")
            positions += self._positions(found[:])
        return positions

    def _some_at_once(self, plays: int, most: int) -> Iterator[int]:
        """Plays of at most ``most`` moves, as numbers of those that one call makes."""
        each = max(1, self.steps // max(1, most))
        for done in range(0, plays, each):
            yield min(each, plays - done)


class _Walk:
    """A walk through positions of a graph, and what is known of them."""

    def __init__(
        self,
        graph: PositionGraph,
        start: Position,
        *,
        limit: int = NO_LIMIT,
        most: int = MOST_POSITIONS,
        spare: bool = False,
    ) -> None:
        self._graph = graph  # whose memory it uses
        self._numbers = c_int32 * len(start)
        make = function("bspsat_walk_new", c_void_p, c_void_p, c_void_p, *[c_int64] * 3)
        made = make(graph.graph, self._numbers(*start), limit, min(most, MOST_POSITIONS), spare)
        self._walk, _ = owned(self, made, "bspsat_walk_free")
        self.found = _Walked()

    def run_task(self, name: str, *arguments: int) -> bool:
        """Does one of the long tasks to its end; False where there is too much."""
        task = function(name, c_int64, c_void_p, *[c_int64] * len(arguments), c_int64)
        outcome = PAUSED
        while outcome == PAUSED:
            outcome = accepted(task(self._walk, *arguments, self._graph.steps), "a walk that is ready for that")
        function("bspsat_walk_positions", None, c_void_p, c_void_p)(self._walk, byref(self.found))
        return outcome == EXHAUSTED

    def position(self, place: int) -> Position:
        """One of the positions."""
        numbers = self._numbers()
        read = function("bspsat_walk_position", c_int64, c_void_p, c_int64, c_void_p)
        accepted(read(self._walk, place, numbers), "one of the positions")
        return tuple(numbers)

    def place(self, position: Position) -> int:
        """The place of a position; -1 if it isn't among them."""
        place: int = function("bspsat_walk_place", c_int64, c_void_p, c_void_p)(self._walk, self._numbers(*position))
        return place


def _length(distance: int) -> int | None:
    return None if distance == UNREACHABLE else distance
