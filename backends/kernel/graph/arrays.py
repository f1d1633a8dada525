"""What the compiled position graph is handed."""

from typing import NamedTuple

from bsp_sat.backends.kernel.contents.arrays import Contents, Shape
from bsp_sat.backends.kernel.native.layout import Floats, Ints, Longs, WordRows, Words
from bsp_sat.backends.kernel.search.arrays import Scratch

COMPLETE, TOO_MANY = range(2)
"""How a walk ends: nothing is left out but what was asked to be, or an array is full."""

POSITIONS, EDGES, SPARE, STYLE, PLAYS, TALLIES = range(6)
"""Places of the tallies: positions; edges; whether finished tubes are spared; style of the players; plays."""

LIMBS = 4
"""64-bit words of an exact count, the least significant first."""

ANY, GREEDY = range(2)
"""Styles of simulated players, see `bsp_sat.backends.kernel.graph.compiled.plays`."""


class Graph(NamedTuple):
    """Positions of one board, and the moves between them.

    Positions are numbered in the order in which a breadth-first walk meets them, the board itself being 0.

    Attributes:
        keys: [positions, words] packed positions.
        depth: [positions] fewest moves from the board.
        goal: [positions] 1 where the goal accepts it; no game goes on from there.
        successors: [positions] the number of its different next positions, kept or not.
        good: [positions] those of them that are on shortest plans.
        first: [positions + 1] its first edge.
        target: [edges] a different next position that was kept.
        times: [edges] legal moves that lead there.
        distance: [positions] fewest moves to a goal, `UNREACHABLE` where there is no way.
        plans: [positions, LIMBS] exact number of shortest plans from here.
        before: [positions] the shortest plans' beginnings that lead here.
        after: [positions] the number of `plans` again, rounded.
        table: hash table of position numbers, -1 where free; its length is a power of two.
        here: [words] the position in work, packed.
        next_keys: [next positions, words] those of one position, packed.
        next_times: [next positions] legal moves that lead there.
        next_numbers: [next positions · tubes] those that `list_unpacked` lists.
        choices: [tubes²] moves that a player may make, as source · tubes + target.
        chance: [1] state of the random numbers.
        tallies: see `POSITIONS`.
    """

    keys: WordRows
    depth: Ints
    goal: Ints
    successors: Ints
    good: Ints
    first: Ints
    target: Ints
    times: Ints
    distance: Ints
    plans: WordRows
    before: Floats
    after: Floats
    table: Ints
    here: Words
    next_keys: WordRows
    next_times: Ints
    next_numbers: Ints
    choices: Ints
    chance: Words
    tallies: Longs


class Walk(NamedTuple):
    """A graph, and what its positions are made of.

    Attributes:
        contents: of the board's tubes.
        shape: of positions.
        scratch: room to work in.
        graph: the positions.
    """

    contents: Contents
    shape: Shape
    scratch: Scratch
    graph: Graph
