"""The arrays that the compiled part of grading works on, and the numbers by which it and its callers agree."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bsp_sat.backends.kernel.arrays import Words
from bsp_sat.backends.kernel.contents import Ints

WALK, COUNT, MEASURE, LIST, PLAY, WANDER = range(6)
"""What the compiled function may be asked for: see the functions of `bsp_sat.grading.compiled` that are called so."""

COMPLETE, TOO_MANY = range(2)
"""How `WALK` ends: nothing is left out but what was asked to be, or an array is full."""

POSITIONS, EDGES, SPARE, STYLE, PLAYS, TALLIES = range(6)
"""Places of the tallies: positions; edges; whether finished tubes are spared; style of the players; plays."""

LIMBS = 4
"""64-bit words of an exact count, the least significant first."""

ANY, GREEDY = range(2)
"""Styles of simulated players, see `bsp_sat.grading.compiled.plays`."""

FAR = 1 << 20
"""A distance that says: no goal can be reached. Also a limit that keeps nothing out."""

Counts = NDArray[np.uint64]
Floats = NDArray[np.float64]


class Ground(NamedTuple):
    """Positions of one board, and the moves between them.

    Positions are numbered in the order in which a breadth-first walk meets them, the board itself being 0.

    Attributes:
        keys: [positions, words] packed positions.
        depth: [positions] fewest moves from the board.
        goal: [positions] 1 where the goal accepts it; no game goes on from there.
        nexts: [positions] the number of its different next positions, kept or not.
        good: [positions] those of them that are on shortest plans.
        first: [positions + 1] its first edge.
        target: [edges] a different next position that was kept.
        times: [edges] legal moves that lead there.
        distance: [positions] fewest moves to a goal, `FAR` where there is no way.
        plans: [positions, LIMBS] exact number of shortest plans from here.
        before: [positions] the shortest plans' beginnings that lead here.
        after: [positions] the number of `plans` again, rounded.
        table: hash table of position numbers, -1 where free; its length is a power of two.
        here: [words] the position in work, packed.
        next_keys: [next positions, words] those of one position, packed.
        next_times: [next positions] legal moves that lead there.
        choices: [tubes²] moves that a player may make, as source · tubes + target.
        chance: [1] state of the random numbers.
        tallies: see `POSITIONS`.
    """

    keys: Words
    depth: Ints
    goal: Ints
    nexts: Ints
    good: Ints
    first: Ints
    target: Ints
    times: Ints
    distance: Ints
    plans: Counts
    before: Floats
    after: Floats
    table: Ints
    here: Words
    next_keys: Words
    next_times: Ints
    choices: Ints
    chance: Words
    tallies: NDArray[np.int64]
