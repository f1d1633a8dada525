"""The arrays that the compiled search works on, and the numbers by which it and its callers understand each other."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bsp_sat.backends.kernel.contents import Ints

Words = NDArray[np.uint64]

GROW, GOAL, EXHAUSTED, PAUSED = range(4)
"""How a search ends: an array is full, a goal was taken out, no state is left, the budget is used up."""

STATES, ENTRIES, RECYCLED, BUCKET, EXPANSIONS, FOUND, CUT, STACKED, FRONTIER, COUNTERS = range(10)
"""Places of the counters: states; entries made; first of the entries to use again; bucket in work; expansions; the
goal's state; whether a state was left out for the limit on plans; states on the stack of `deepen`, -1 before; open
states that `deepen` has taken."""

SEARCH, DEEPEN, REFILL = range(3)
"""What the compiled function may be asked for."""

TASK, LIMIT, BUDGET, SHAPE_AT, ARRAYS_AT = 0, 1, 2, 3, 16
"""Places in its argument: the task, its numbers, the fields of the `Shape`, and by array address, rows and columns."""

TIES = 256  # buckets for each rank: of equals, the state with the least bound goes first
STACK = 1 << 16  # places for states that `deepen` needs: a plan's steps times the states after each
NEVER = 1 << 20  # a bound that says: no way to the goal


class Shape(NamedTuple):
    """How states of a board are built and compared.

    Attributes:
        tubes: number of tubes.
        bits: bits of a packed number.
        per_word: numbers in a word.
        words: words of a packed state.
        by_homes: whether the space is that of homes, with the open homes in the last word.
        pruned: whether the space of moves leaves dominated moves out.
        one_ball: whether a move takes one ball (ball sort) or as many as fit.
        rank_keeps: whether some colour doesn't keep exactly its best bottom run.
        cost_weight: weight of the cost so far in the order of states.
        bound_weight: weight of the bound in the order of states; more than the cost's gives plans sooner, not shortest.
        ruled: whether tubes have rules, see `bsp_sat.backends.kernel.ruled`; only in the space of moves.
        locked: whether some of them are locked.
        whole_pours: whether partial pours are refused.
    """

    tubes: int
    bits: int
    per_word: int
    words: int
    by_homes: bool
    pruned: bool
    one_ball: bool
    rank_keeps: bool
    cost_weight: int
    bound_weight: int
    ruled: bool = False
    locked: bool = False
    whole_pours: bool = False


class Store(NamedTuple):
    """All states so far, and the queue.

    Attributes:
        keys: [states, words] packed states; here and in the next three `STACK` places stay free for `deepen`.
        cost: [states] moves of the best way found.
        bound: [states] lower bound on the moves to the goal.
        parent: [states] the state before on that way, -1 for the start.
        table: hash table of state numbers, -1 where free; its length is a power of two.
        heads: [buckets] first entry of each bucket, -1 where empty.
        entry: [entries, 3] state, cost when it was put in (-1 since it was taken out), next entry of the bucket.
        counters: see `STATES`.
    """

    keys: Words
    cost: Ints
    bound: Ints
    parent: Ints
    table: Ints
    heads: Ints
    entry: Ints
    counters: NDArray[np.int64]


class Scratch(NamedTuple):
    """Room to work in.

    Attributes:
        state: [tubes] the numbers of the state in work.
        child: [tubes] the numbers of a state after it.
        kept: [tubes] the same, kept while a variant of it is in work.
        key: [words] a packed state.
        best: [colours] figures by colour.
        ranks: [colours, capacity + 1] how many bottom runs of a colour are worth so much.
        longest: [colours] longest bottom run of a colour.
        targets: [tubes] places in ``state``.
        amounts: [tubes] balls for each of them.
        loads: [colours] most balls of a colour in a temporary.
        fullest: [colours] number of the fullest tube of one colour that has room, -1 for none.
        most_room: [colours] most room in a tube of one colour.
    """

    state: Ints
    child: Ints
    kept: Ints
    key: Words
    best: Ints
    ranks: Ints
    longest: Ints
    targets: Ints
    amounts: Ints
    loads: Ints
    fullest: Ints
    most_room: Ints
