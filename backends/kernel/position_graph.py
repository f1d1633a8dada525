"""The positions that can come up on one board, and the moves between them: what grading asks about.

Distances and dead ends are found by short searches that share their arrays (docs/kernel.md), in the space of homes
where the board allows it. Walks, counts and simulated players are compiled code of their own.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import mul

from bsp_sat.backends.kernel import arrays
from bsp_sat.backends.kernel.arrays import GOAL, GROW, NO_LIMIT, PAUSED, UNREACHABLE, Graph, Ints, WordRows
from bsp_sat.backends.kernel.calls import Call
from bsp_sat.backends.kernel.contents import Alphabet, has_homes
from bsp_sat.backends.kernel.library import GRADING
from bsp_sat.backends.kernel.memory import copy, empty, fill, flat, zeros
from bsp_sat.backends.kernel.search import EXACT, SOME_PLAN, KernelSearch, scratch_for, shape_for, unpacked
from bsp_sat.instances.sorting import SortPuzzle

FIRST_POSITIONS = 1 << 13
MOST_POSITIONS = 1 << 20
EDGES_EACH = 12
BUCKETS = 1 << 15  # clearing and looking through more would take longer than most searches
Position = tuple[int, ...]
"""A position of a graph: its tubes' contents as numbers, from high to low. Only that graph knows what they mean."""


class TooFar(Exception):
    """The distance of a position takes more than the effort that is allowed."""


@dataclass(frozen=True)
class ShortestPlans:
    """All shortest plans of a board; lists by position on one, the board itself first.

    Attributes:
        number: how many there are, as `bsp_sat.backends.count` counts.
        chance: of passing through a position with a plan drawn uniformly.
        successors: different next positions; 0 at goals.
        good: those of them that are on shortest plans.
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
        """One of the positions, by its place in the lists."""
        return self._graph.unpacked(self._keys, self._places[number])


@dataclass(frozen=True)
class Reachable:
    """All positions that a game can come to from one; it ends at a goal.

    Attributes:
        first: by position, its first edge; then the end.
        target: by edge, a different next position.
    """

    first: Ints
    target: Ints
    _graph: "PositionGraph"
    _keys: WordRows
    _depths: Ints
    _distances: Ints

    @cached_property
    def dead(self) -> list[bool]:
        """By position, whether no goal can be reached from it."""
        return [distance == UNREACHABLE for distance in self._distances]

    @cached_property
    def on_plan(self) -> list[bool]:
        """By position, whether a shortest plan passes through it."""
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
        """Fewest moves from one of the positions to a goal; None where none can be reached."""
        return _length(self._distance[self._graph.packed(position)])


class PositionGraph:
    """The positions that can come up on one board.

    Args:
        board: the board.
        effort: expansions times tubes² for the distance of one position; beyond that it isn't known.

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
        """The board that a position is, its tubes in some order."""
        board = self.board
        return type(board)(tuple(self._tubes[number] for number in position), board.capacity, board.goal, board.palette)

    def successors(self, position: Position) -> list[Position]:
        """The different next positions; those of a goal as well."""
        self._scratch.state[:] = array("I", position)
        tubes = self._shape.tubes
        numbers = self._arrays.next_numbers[: self._call(arrays.LIST) * tubes].tolist()
        return list(zip(*[iter(numbers)] * tubes, strict=True))

    def unpacked(self, keys: WordRows, place: int) -> Position:
        """One of some packed positions, unpacked."""
        return tuple(unpacked(self._shape, [keys[place, word] for word in range(self._shape.words)]))

    def packed(self, position: Position) -> tuple[int, ...]:
        """The words of a packed position."""
        bits, per_word = self._shape.bits, self._shape.per_word
        words = (position[first : first + per_word] for first in range(0, len(position), per_word))
        return tuple(sum(number << bits * place for place, number in enumerate(word)) for word in words)

    # -- distances -------------------------------------------------------------------------------------

    def distance(self, position: Position) -> int | None:
        """Fewest moves to a goal; None where none can be reached.

        Raises:
            TooFar: that takes more than the effort.
        """
        if position not in self._known and self._search(position, EXACT) == PAUSED:
            raise TooFar
        return _length(self._known[position])

    def is_dead(self, position: Position) -> bool | None:
        """Whether no goal can be reached; None where that takes more than the effort."""
        if position not in self._known and position not in self._alive:
            outcome = self._search(position, SOME_PLAN)
            if outcome == PAUSED:
                return None
            if outcome == GOAL:
                self._alive.add(position)
        return self._known.get(position) == UNREACHABLE

    def _search(self, position: Position, weights: tuple[int, int]) -> int:
        """`GOAL`, `EXHAUSTED` or `PAUSED` of one search, which knows more of the position then."""
        numbers, homes = self._translated(position)
        search = self._searches.get(weights)
        if search is None:
            search = self._searches[weights] = KernelSearch(
                self.board, by_homes=self._by_homes, weights=weights, alphabet=self._search_alphabet, buckets=BUCKETS,
                grows=False,
            )  # fmt: skip
        search.restart(numbers, homes)
        outcome = search.advance(NO_LIMIT, self._most)
        if outcome == GROW:  # it takes more room: a search of its own
            search = KernelSearch(self.board_of(position), by_homes=self._by_homes, weights=weights)
            outcome = search.advance(NO_LIMIT, self._most)
        self.expansions += search.expansions
        if outcome == GOAL and weights == EXACT:
            self._known[position] = search.goal_cost
        elif outcome == arrays.EXHAUSTED:
            self._known[position] = UNREACHABLE
        return outcome

    @cached_property
    def _by_homes(self) -> bool:
        return has_homes(self.board)

    @cached_property
    def _search_alphabet(self) -> Alphabet:
        """The contents that searches number: in the space of homes others are states."""
        return Alphabet(self.board, by_homes=self._by_homes, further=filter(None, self._tubes))

    @cached_property
    def _translations(self) -> tuple[list[int], list[int]]:
        """By number its number to searches, and the open home that it is as a bit: that stands in no state."""
        numbers = self._search_alphabet.table(self._tubes).numbers.tolist()
        return [max(0, number) for number in numbers], [0 if number >= 0 else 1 << -1 - number for number in numbers]

    def _translated(self, position: Position) -> tuple[list[int], int]:
        """The state of a search that a position is."""
        numbers, homes = self._translations
        open_homes = 0
        for number in position:
            open_homes |= homes[number]
        return [numbers[number] for number in position], open_homes

    # -- walks -----------------------------------------------------------------------------------------

    def shortest_plans(self, length: int) -> ShortestPlans | None:
        """The plans of the board that have ``length`` moves, which is the least number.

        None where they pass through too many positions, or are too many.
        """
        walked = self._walk(self.start, limit=length)
        if walked is None or self._call(arrays.COUNT, length):
            return None
        graph, (positions, _) = self._arrays, walked
        after = graph.after[:positions].tolist()  # 0 away from all plans
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
        """All positions that can come up from ``start`` on.

        Args:
            start: where the games begin.
            most: give up beyond so many positions, with None.
            spare: leave tubes alone that hold every ball of their colour, as many as a tube takes.
        """
        walked = self._walk(start, most=most, spare=spare)
        if walked is None:
            return None
        self._call(arrays.MEASURE)
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
        """Lists positions as `bsp_sat.backends.kernel.compiled.walks.walk` does; the next walk writes over them.

        Returns:
            How many positions and edges there are; None where they are too many.
        """
        self._tallies[arrays.SPARE] = spare
        while True:
            self._scratch.state[:] = array("I", start)
            fill(self._arrays.table, -1)
            ended = self._call(arrays.WALK, limit)
            positions, edges = (self._tallies[place] for place in (arrays.POSITIONS, arrays.EDGES))
            room = len(self._arrays.keys)
            if ended == arrays.COMPLETE or positions >= most or room >= MOST_POSITIONS:
                return (positions, edges) if ended == arrays.COMPLETE and positions <= most else None
            self._allocate(2 * room)

    # -- players ---------------------------------------------------------------------------------------

    def plays(self, seed: int, plays: int, most: int, *, greedy: bool) -> int:
        """How many of so many simulated plays solve the board within ``most`` moves.

        See `bsp_sat.backends.kernel.compiled.plays` for the two players.
        """
        self._tallies[arrays.STYLE] = arrays.GREEDY if greedy else arrays.ANY
        return self._play(arrays.PLAY, seed, plays, most)

    def wandered(self, seed: int, plays: int, most: int) -> list[Position]:
        """Where so many plays are, each after 1 to ``most`` moves; each number of moves has the same chance."""
        assert plays <= len(self._arrays.keys)
        self._play(arrays.WANDER, seed, plays, most)
        return [self.unpacked(self._arrays.keys, play) for play in range(plays)]

    def _play(self, task: int, seed: int, plays: int, most: int) -> int:
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
        self._call = Call(GRADING, self._shape, self._alphabet.tables, self._scratch, self._arrays)


def _length(distance: int) -> int | None:
    return None if distance == UNREACHABLE else distance
