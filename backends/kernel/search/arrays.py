"""What the compiled search is handed: its board's contents, the states so far, and room to work in."""

from typing import NamedTuple

from bsp_sat.backends.kernel.contents.arrays import Contents, Shape, Table
from bsp_sat.backends.kernel.native.layout import (
    NO_INTS,
    Bytes,
    IntRows,
    Ints,
    Longs,
    Numbers,
    WordRows,
    Words,
)

UNREACHABLE = 1 << 20
"""The distance, or the bound on it, from where no goal can be reached."""

NO_LIMIT = UNREACHABLE - 1
"""A limit on moves that keeps nothing else out."""


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
        savings: [colours] moves saved where a bottom run of a colour stays.
        targets: [tubes] places in ``state``.
        amounts: [tubes] balls for each of them.
        loads: [colours] most balls of a colour in a temporary.
        fullest: [colours] number of the fullest tube of one colour that has room, -1 for none.
        most_room: [colours] most room in a tube of one colour.
    """

    state: Numbers
    child: Numbers
    kept: Numbers
    key: Words
    best: Ints
    ranks: IntRows
    longest: Ints
    savings: Ints
    targets: Ints
    amounts: Ints
    loads: Ints
    fullest: Ints
    most_room: Ints


STATES, ENTRIES, RECYCLED, BUCKET, EXPANSIONS, FOUND, CUT, STACKED, FRONTIER, COUNTERS = range(10)
"""Places of the counters: states; entries made; first of the entries to use again; bucket in work; expansions; the
goal's state; whether a state was left out for the limit on plans; states on the stack of `deepen`, -1 before; open
states that `deepen` has taken."""

TIES = 256  # buckets for each rank: of equals, the state with the least bound goes first
FIRST_STATES = 1 << 12  # that there is room for at first
STACK = 1 << 16  # places for states that `deepen` needs: a plan's steps times the states after each


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
        frontier: [open states] those that `deepen` begins at; none before the memory is used up.
        counters: see `STATES`.
        rows: [states · (tubes + 1)] what `list_states` lists: the numbers of each state, then its cost.
    """

    keys: WordRows
    cost: Ints
    bound: Ints
    parent: Ints
    table: Ints
    heads: Ints
    entry: IntRows
    frontier: Ints
    counters: Longs
    rows: Ints = NO_INTS


class Search(NamedTuple):
    """A search.

    Attributes:
        contents: of its board's tubes.
        shape: of its states.
        scratch: room to work in.
        store: states and queue.
    """

    contents: Contents
    shape: Shape
    scratch: Scratch
    store: Store


class PlanOf(NamedTuple):
    """A search that has found a goal, and room for its plan.

    Attributes:
        search: the search; what is in ``scratch`` is lost.
        table: the board that it began at; holds the solved board in the end.
        moves: source and target of each move, as far as there is room.
    """

    search: Search
    table: Table
    moves: Bytes
