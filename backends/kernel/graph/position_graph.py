"""The reachable positions of one board and the moves between them, for grading.

Short searches that share their arrays find distances and dead positions (docs/search.md), in the space of homes if the
board allows it. Separate compiled code enumerates positions, counts plans and simulates players.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import mul

from bsp_sat.backends.kernel.contents.alphabet import Alphabet, has_homes
from bsp_sat.backends.kernel.graph import arrays
from bsp_sat.backends.kernel.graph.arrays import Graph, Walk
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, GOAL, GROW, PAUSED, Ints, WordRows
from bsp_sat.backends.kernel.native.memory import copy, empty, fill, flat, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.backends.kernel.search.arrays import FIRST_STATES, NO_LIMIT, UNREACHABLE
from bsp_sat.backends.kernel.search.search import EXACT, SOME_PLAN, KernelSearch, scratch_for, shape_for, unpacked
from bsp_sat.instances.sorting import SortPuzzle

FIRST_POSITIONS = 1 << 13
MOST_POSITIONS = 1 << 20
EDGES_EACH = 12
BUCKETS = 1 << 15  # clearing and scanning more would take longer than most searches
Position = tuple[int, ...]
"""A position of a graph: the numbers of its tubes' contents, in descending order, as that graph assigns them."""


class TooFar(Exception):
    """Finding the distance of a position would take more than the allowed effort."""


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
    _graph: "PositionGraph"
    _keys: WordRows
    _places: Sequence[int]

    def position(self, number: int) -> Position:
        """The position with this index in the lists."""
        return self._graph.unpacked(self._keys, self._places[number])


@dataclass(frozen=True)
class Reachable:
    """All positions that a game can reach from one position; games end at goals.

    Attributes:
        first: the first edge of each position, then the number of edges.
        target: the different next position of each edge.
    """

    first: Ints
    target: Ints
    _graph: "PositionGraph"
    _keys: WordRows
    _depths: Ints
    _distances: Ints

    @cached_property
    def dead(self) -> list[bool]:
        """For each position, whether no goal can be reached from it."""
        return [distance == UNREACHABLE for distance in self._distances]

    @cached_property
    def on_plan(self) -> list[bool]:
        """For each position, whether a shortest plan passes through it."""
        length = self._distances[0]
        return [depth + left == length for depth, left in zip(self._depths, self._distances, strict=True)]

    @cached_property
    def _distance(self) -> dict[tuple[int, ...], int]:
        """Distances by packed position."""
        words = flat(self._keys)
        each = len(words) // len(self._keys)
        return dict(zip(zip(*[iter(words)] * each, strict=True), self._distances, strict=True))

    def __contains__(self, position: Position) -> bool:
        return self._graph.packed(position) in self._distance

    def distance(self, position: Position) -> int | None:
        """Fewest moves from one of the positions to a goal; None if no goal can be reached."""
        return _length(self._distance[self._graph.packed(position)])


class PositionGraph:
    """The reachable positions of one board.

    Args:
        board: the board.
        effort: limit for the distance of one position, in expansions times tubes²; beyond it, the distance is unknown.

    Attributes:
        board: the board.
        expansions: expansions of all searches so far.
    """

    def __init__(self, board: SortPuzzle, effort: int) -> None:
        self.board = board
        self._alphabet = Alphabet(board, by_homes=False)
        self._shape = shape_for(self._alphabet)
        self._scratch = scratch_for(self._alphabet, self._shape)
        self._tallies = zeros("q", arrays.TALLIES)
        self._chance = zeros("Q", 1)
        self._allocate(FIRST_POSITIONS)
        self.expansions = 0
        self._most = effort // len(board.tubes) ** 2
        self._known: dict[Position, int] = {}
        self._alive: set[Position] = set()
        self._searches: dict[tuple[int, int], KernelSearch] = {}

    # -- positions -------------------------------------------------------------------------------------

    @cached_property
    def start(self) -> Position:
        """The board itself."""
        numbers, _ = self._alphabet.start(self.board)
        return tuple(sorted(numbers, reverse=True))

    @cached_property
    def _tubes(self) -> list[bytes]:
        return [tube for tube, _ in self._alphabet.contents]

    def board_of(self, position: Position) -> SortPuzzle:
        """The position as a board, with its tubes in some order."""
        board = self.board
        return type(board)(tuple(self._tubes[number] for number in position), board.capacity, board.goal, board.palette)

    def successors(self, position: Position) -> list[Position]:
        """The different next positions; a goal has some too."""
        self._scratch.state[:] = array("I", position)
        tubes = self._shape.tubes
        numbers = self._arrays.next_numbers[: self._call("list_unpacked") * tubes].tolist()
        return list(zip(*[iter(numbers)] * tubes, strict=True))

    def unpacked(self, keys: WordRows, place: int) -> Position:
        """Unpacks one of several packed positions."""
        return tuple(unpacked(self._shape, [keys[place, word] for word in range(self._shape.words)]))

    def packed(self, position: Position) -> tuple[int, ...]:
        """Packs a position into words."""
        bits, per_word = self._shape.bits, self._shape.per_word
        words = (position[first : first + per_word] for first in range(0, len(position), per_word))
        return tuple(sum(number << bits * place for place, number in enumerate(word)) for word in words)

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
            if outcome == GOAL:
                self._alive.add(position)
        return self._known.get(position) == UNREACHABLE

    def _search(self, position: Position, weights: tuple[int, int]) -> int:
        """Runs one search from a position; returns `GOAL`, `EXHAUSTED` or `PAUSED`."""
        numbers, homes = self._translated(position)
        search = self._searches.get(weights)
        if search is None:
            search = self._searches[weights] = KernelSearch(
                self.board, by_homes=self._by_homes, weights=weights, alphabet=self._search_alphabet,
                states=FIRST_STATES, buckets=BUCKETS, grows=False,
            )  # fmt: skip
        search.restart(numbers, homes)
        outcome = search.advance(NO_LIMIT, self._most)
        if outcome == GROW:  # the shared arrays are too small: use a separate search
            search = KernelSearch(self.board_of(position), by_homes=self._by_homes, weights=weights)
            outcome = search.advance(NO_LIMIT, self._most)
        self.expansions += search.expansions
        if outcome == GOAL and weights == EXACT:
            self._known[position] = search.goal_cost
        elif outcome == EXHAUSTED:
            self._known[position] = UNREACHABLE
        return outcome

    @cached_property
    def _by_homes(self) -> bool:
        return has_homes(self.board)

    @cached_property
    def _search_alphabet(self) -> Alphabet:
        """The alphabet of the searches, which differs from that of positions in the space of homes."""
        return Alphabet(self.board, by_homes=self._by_homes, further=filter(None, self._tubes))

    @cached_property
    def _translations(self) -> tuple[list[int], list[int]]:
        """For each number, the searches' number, and the bit of the open home that it is: states leave homes out."""
        numbers = self._search_alphabet.table(self._tubes).numbers.tolist()
        return [max(0, number) for number in numbers], [0 if number >= 0 else 1 << -1 - number for number in numbers]

    def _translated(self, position: Position) -> tuple[list[int], int]:
        """The position as a state of the searches."""
        numbers, homes = self._translations
        open_homes = 0
        for number in position:
            open_homes |= homes[number]
        return [numbers[number] for number in position], open_homes

    # -- walks -----------------------------------------------------------------------------------------

    def shortest_plans(self, length: int) -> ShortestPlans | None:
        """The shortest plans of the board; ``length`` is its optimum.

        None if there are too many plans, or they pass through too many positions.
        """
        walked = self._walk(self.start, limit=length)
        if walked is None or self._call("count", length):
            return None
        graph, (positions, _) = self._arrays, walked
        after = graph.after[:positions].tolist()  # 0 for positions that aren't on shortest plans
        weights = map(mul, graph.before[:positions], after)
        path = [0]
        while not graph.goal[path[-1]]:
            at = path[-1]
            targets = graph.target[graph.first[at] : graph.first[at + 1]]
            path.append(next(to for to in targets if graph.depth[to] == graph.depth[at] + 1 and after[to]))
        return ShortestPlans(
            number=sum(graph.plans[0, limb] << 64 * limb for limb in range(arrays.LIMBS)),
            chance=[weight / after[0] for weight in compress(weights, after)],
            successors=list(compress(graph.successors[:positions], after)),
            good=list(compress(graph.good[:positions], after)),
            path=[self.unpacked(graph.keys, place) for place in path],
            _graph=self,
            _keys=copy(graph.keys[:positions]),
            _places=list(compress(range(positions), after)),
        )

    def reachable(self, start: Position, most: int, *, spare: bool = False) -> Reachable | None:
        """All positions that can be reached from ``start``; None if there are more than ``most``.

        Args:
            start: the initial position.
            most: the largest number of positions.
            spare: never move balls out of full tubes that hold every ball of their colour.
        """
        walked = self._walk(start, most=most, spare=spare)
        if walked is None:
            return None
        self._call("measure")
        graph, (positions, edges) = self._arrays, walked
        return Reachable(
            first=copy(graph.first[: positions + 1]),
            target=copy(graph.target[:edges]),
            _graph=self,
            _keys=copy(graph.keys[:positions]),
            _depths=copy(graph.depth[:positions]),
            _distances=copy(graph.distance[:positions]),
        )

    def _walk(
        self, start: Position, *, limit: int = NO_LIMIT, most: int = MOST_POSITIONS, spare: bool = False
    ) -> tuple[int, int] | None:
        """Lists positions, see `bsp_sat.backends.kernel.graph.compiled.walks.walk`; the next walk overwrites them.

        Returns:
            The numbers of positions and edges; None if there are too many.
        """
        self._tallies[arrays.SPARE] = spare
        while True:
            self._scratch.state[:] = array("I", start)
            fill(self._arrays.table, -1)
            ended = self._call("walk", limit)
            positions, edges = (self._tallies[place] for place in (arrays.POSITIONS, arrays.EDGES))
            room = len(self._arrays.keys)
            if ended == arrays.COMPLETE or positions >= most or room >= MOST_POSITIONS:
                return (positions, edges) if ended == arrays.COMPLETE and positions <= most else None
            self._allocate(2 * room)

    # -- players ---------------------------------------------------------------------------------------

    def plays(self, seed: int, plays: int, most: int, *, greedy: bool) -> int:
        """The number of simulated plays, of ``plays``, that solve the board within ``most`` moves.

        `bsp_sat.backends.kernel.graph.compiled.plays` describes the two players.
        """
        self._tallies[arrays.STYLE] = arrays.GREEDY if greedy else arrays.ANY
        return self._play("play", seed, plays, most)

    def wandered(self, seed: int, plays: int, most: int) -> list[Position]:
        """The positions of ``plays`` random plays, each after a uniformly random number of moves, 1 to ``most``."""
        assert plays <= len(self._arrays.keys)
        self._play("wander", seed, plays, most)
        return [self.unpacked(self._arrays.keys, play) for play in range(plays)]

    def _play(self, task: str, seed: int, plays: int, most: int) -> int:
        self._tallies[arrays.PLAYS] = plays
        self._chance[0] = seed
        self._scratch.kept[:] = array("I", self.start)
        return self._call(task, most)

    def _allocate(self, positions: int) -> None:
        edges, words, moves = EDGES_EACH * positions, self._shape.words, self._shape.tubes**2

        def ints(places: int) -> Ints:
            return empty("i", places)

        self._arrays = Graph(
            keys=empty("Q", positions, words),
            depth=ints(positions),
            goal=ints(positions),
            successors=ints(positions),
            good=ints(positions),
            first=ints(positions + 1),
            target=ints(edges),
            times=ints(edges),
            distance=ints(positions),
            plans=empty("Q", positions, arrays.LIMBS),
            before=empty("d", positions),
            after=empty("d", positions),
            table=ints(4 * positions),
            here=empty("Q", words),
            next_keys=empty("Q", moves, words),
            next_times=ints(moves),
            next_numbers=ints(moves * self._shape.tubes),
            choices=ints(moves),
            chance=self._chance,
            tallies=self._tallies,
        )
        self._call = Call(Walk(self._alphabet.tables, self._shape, self._scratch, self._arrays))


def _length(distance: int) -> int | None:
    return None if distance == UNREACHABLE else distance
