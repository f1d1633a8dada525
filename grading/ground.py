"""One board's positions in compiled code: walks through them, plans counted, players simulated."""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bsp_sat.backends.kernel.arrays import LIMIT, TASK
from bsp_sat.backends.kernel.code import argument
from bsp_sat.backends.kernel.contents import Alphabet, Ints, content_of
from bsp_sat.backends.kernel.search import scratch_for, shape_for
from bsp_sat.grading import arrays
from bsp_sat.grading.arrays import FAR, Ground
from bsp_sat.grading.compiled_code import function
from bsp_sat.instances.sorting import SortPuzzle

FIRST_POSITIONS = 1 << 13
MOST_POSITIONS = 1 << 20
EDGES_EACH = 12

Numbers = tuple[int, ...]
"""A position: its tubes' contents as numbers, from high to low."""


@dataclass(frozen=True)
class Walk:
    """What a walk found; the arrays are views that the next walk writes over.

    Attributes:
        complete: whether nothing is missing.
        ground: the arrays.
        positions: how many positions there are.
        edges: how many edges.
    """

    complete: bool
    ground: Ground
    positions: int
    edges: int


class Field:
    """The positions that can come up on one board."""

    def __init__(self, puzzle: SortPuzzle) -> None:
        self.puzzle = puzzle
        self.alphabet = Alphabet(puzzle, by_homes=False)
        self._contents = self.alphabet.tables
        self._shape = shape_for(self.alphabet)
        self._scratch = scratch_for(self.alphabet, self._shape)
        self._function = function()
        self._tallies = np.zeros(arrays.TALLIES, np.int64)
        self._chance = np.zeros(1, np.uint64)
        self._allocate(FIRST_POSITIONS)

    @cached_property
    def start(self) -> Numbers:
        """The board itself."""
        return self.numbers_of(self.puzzle)

    @cached_property
    def _tubes(self) -> list[bytes]:
        return [tube for tube, _ in self.alphabet.numbers]

    def numbers_of(self, position: SortPuzzle) -> Numbers:
        """A position that can come up."""
        return tuple(sorted((self.alphabet.numbers[content_of(tube)] for tube in position.tubes), reverse=True))

    def puzzle_of(self, numbers: Numbers) -> SortPuzzle:
        """The puzzle that a position is, its tubes in some order."""
        puzzle = self.puzzle
        return type(puzzle)(
            tuple(self._tubes[number] for number in numbers), puzzle.capacity, puzzle.goal, puzzle.palette
        )

    def walk(self, start: Numbers, *, limit: int = FAR, most: int = MOST_POSITIONS, spare: bool = False) -> Walk:
        """Lists positions from ``start`` on with the moves between them, as `bsp_sat.grading.compiled.walks.walk` does.

        Args:
            start: where it begins.
            limit: longest plan of interest, from there.
            most: give up beyond so many positions.
            spare: leave tubes alone that hold every ball of their colour, as many as a tube takes.
        """
        self._tallies[arrays.SPARE] = spare
        while True:
            self._scratch.state[:] = start
            self._ground.table.fill(-1)
            ended = self._call(arrays.WALK, limit)
            positions, edges = (int(self._tallies[place]) for place in (arrays.POSITIONS, arrays.EDGES))
            room = len(self._ground.keys)
            if ended == arrays.COMPLETE or positions >= most or room >= MOST_POSITIONS:
                return Walk(ended == arrays.COMPLETE and positions <= most, self._ground, positions, edges)
            self._allocate(2 * room)

    def measure(self) -> None:
        """After a complete walk without limit: the distance of each position to a goal."""
        self._call(arrays.MEASURE)

    def count(self, length: int) -> bool:
        """After a complete walk with the plans' length as its limit: counts them; False where they are too many."""
        return self._call(arrays.COUNT, length) == 0

    def nexts(self, position: Numbers) -> list[Numbers]:
        """The different next positions; those of a goal as well."""
        self._tallies[arrays.SPARE] = False
        self._scratch.state[:] = position
        found = self._call(arrays.LIST)
        return self.unpacked(self._ground.next_keys[:found])

    def plays(self, seed: int, style: int, plays: int, most: int) -> int:
        """How many of so many simulated plays solve the board within ``most`` moves."""
        self._tallies[arrays.STYLE], self._tallies[arrays.PLAYS] = style, plays
        self._chance[0] = seed
        self._scratch.kept[:] = self.start
        return self._call(arrays.PLAY, most)

    def wandered(self, seed: int, plays: int, most: int) -> list[Numbers]:
        """Where so many plays are, each after 1 to ``most`` moves; see `bsp_sat.grading.compiled.plays.wander`."""
        assert plays <= len(self._ground.keys)
        self._tallies[arrays.PLAYS] = plays
        self._chance[0] = seed
        self._scratch.kept[:] = self.start
        self._call(arrays.WANDER, most)
        return self.unpacked(self._ground.keys[:plays])

    def unpacked(self, keys: NDArray[np.uint64]) -> list[Numbers]:
        """Packed positions, as numbers."""
        shape = self._shape
        shifts = np.arange(shape.per_word, dtype=np.uint64) * np.uint64(shape.bits)
        numbers = keys[:, :, np.newaxis] >> shifts & np.uint64((1 << shape.bits) - 1)
        flat = numbers.reshape(len(keys), shape.words * shape.per_word)[:, : shape.tubes]
        return list(map(tuple, flat.tolist()))

    def _call(self, task: int, limit: int = 0) -> int:
        self._argument[TASK], self._argument[LIMIT] = task, limit
        return self._function(self._argument.ctypes.data)

    def _allocate(self, positions: int) -> None:
        edges, words, moves = EDGES_EACH * positions, self._shape.words, self._shape.tubes**2

        def ints(places: int) -> Ints:
            return np.zeros(places, np.int32)

        self._ground = Ground(
            keys=np.zeros((positions, words), np.uint64),
            depth=ints(positions),
            goal=ints(positions),
            nexts=ints(positions),
            good=ints(positions),
            first=ints(positions + 1),
            target=ints(edges),
            times=ints(edges),
            distance=ints(positions),
            plans=np.zeros((positions, arrays.LIMBS), np.uint64),
            before=np.zeros(positions),
            after=np.zeros(positions),
            table=np.full(4 * positions, -1, np.int32),
            here=np.zeros(words, np.uint64),
            next_keys=np.zeros((moves, words), np.uint64),
            next_times=ints(moves),
            choices=ints(moves),
            chance=self._chance,
            tallies=self._tallies,
        )
        self._argument = argument(self._shape, chain(self._contents, self._scratch, self._ground))
