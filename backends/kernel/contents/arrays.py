"""What compiled code is handed of a board: its tubes' contents as numbers, with tables of what they are."""

from typing import NamedTuple

from bsp_sat.backends.kernel.native.layout import (
    NO_INTS,
    NO_WORDS,
    Bytes,
    IntRows,
    Ints,
    Longs,
    NumberRows,
    Numbers,
    Words,
    places,
)

MIXED, UNIFORM, TEMPORARY = 1, 2, 3
"""Kinds of contents: several colours; one colour; one colour in a tube that isn't that colour's home."""


class Shape(NamedTuple):
    """How states of a board are built and compared.

    Attributes:
        tubes: number of tubes.
        bits: bits of a packed number.
        per_word: numbers in a word.
        words: words of a packed state.
        by_homes: whether the space is that of homes, with the open homes in the last word.
        pruned: whether the space of moves leaves dominated moves out, and that of homes doesn't build children that the
            limit keeps out.
        one_ball: whether a move takes one ball (ball sort) or as many as fit.
        rank_keeps: whether some colour doesn't keep exactly its best bottom run.
        cost_weight: weight of the cost so far in the order of states.
        bound_weight: weight of the bound in the order of states; more than the cost's gives plans sooner, not shortest.
        ruled: whether tubes have rules, see `bsp_sat.backends.kernel.contents.ruled`; only in the space of moves.
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


class Contents(NamedTuple):
    """The contents of a board's tubes; all arrays but ``founded``, ``homes`` and ``counts`` are indexed by number.

    Attributes:
        top: colour on top, -1 for the empty tube.
        run: balls in the top run.
        room: balls that still fit.
        bottom: colour at the bottom, -1 for the empty tube.
        work: moves that the contents cost if nothing stays: balls (ball sort) or blocks (water sort).
        keep: moves saved where the bottom run stays.
        stays: balls of the bottom run.
        blocks: [contents, colours] blocks of each colour, for the bound of boards whose colours fill several tubes.
        kind: 0, `MIXED`, `UNIFORM` or `TEMPORARY`.
        less: what is left when one ball, or in the space of homes the top run, is gone.
        more: with one more ball of the top colour; 0 where that can't happen.
        colours: bit set of the colours in it.
        done: 1 where the goal accepts it.
        alone: 1 for a full tube with every ball of its colour.
        founded: [colours, capacity + 1] number of the contents of one colour in a tube that was empty; where tubes have
            rules [groups · colours, capacity + 1].
        homes: [colours] tubes that the colour fills in the end; 0 for all that it stands at the bottom of.
        gives: 1 where the tube may be a source. This and what follows is only where tubes have rules.
        takes: bit set of the colours that may be put in.
        group: number of the tube's rule.
        opens: number of the same contents when the lock has opened, -1 where there is none.
        lock_colour: colour that opens the lock when it is complete, -1 for none.
        lock_tubes: number of complete tubes that opens it.
        complete: balls of a complete tube, 0 for others.
        counts: [colours] balls of each.
    """

    top: Ints
    run: Ints
    room: Ints
    bottom: Ints
    work: Ints
    keep: Ints
    stays: Ints
    blocks: IntRows
    kind: Ints
    less: Numbers
    more: Numbers
    colours: Words
    done: Ints
    alone: Ints
    founded: NumberRows
    homes: Ints
    gives: Ints = NO_INTS
    takes: Words = NO_WORDS
    group: Ints = NO_INTS
    opens: Ints = NO_INTS
    lock_colour: Ints = NO_INTS
    lock_tubes: Ints = NO_INTS
    complete: Ints = NO_INTS
    counts: Ints = NO_INTS


# -- boards as bytes ---------------------------------------------------------------------------------------

WATER, MONOCHROME, BY_HOMES = 1, 2, 4
"""Bits of a packed board's first byte: water sort; the goal ``monochrome``; the space of homes."""

FLAGS, CAPACITY, COLOURS, TUBES, LOADS = range(5)
"""Places in a packed board: those bits, balls a tube, colours, tubes; from the last on one byte a tube, its balls. Then
come the balls of all tubes, bottom first."""


class Table(NamedTuple):
    """A board's tubes in their order.

    Attributes:
        numbers: [tubes] of their contents; -1 - colour for the open home of a colour.
        after: [tubes] the same, after a step that is tried.
        decided: [tubes] the same, after a decision that is tried.
        sorted: [tubes] room to compare them in.
    """

    numbers: Ints
    after: Ints
    decided: Ints
    sorted: Ints


class Trie(NamedTuple):
    """What tubes can hold, as runs on top of each other: a node is a run with all that lies beneath it.

    A content is a node and its number of balls. The first nodes are the runs that lie on nothing, by colour.

    Attributes:
        colour: [nodes] of the run.
        beneath: [nodes] the node beneath, -1 for none.
        height: [nodes] balls beneath.
        child: [nodes] a node right above, -1 for none.
        sibling: [nodes] another one above the same node, -1 for none.
        bottom: [nodes] colour at the bottom.
        stays: [nodes] balls of the bottom run, 0 where it is this one.
        alike: [nodes] balls beneath that have the colour at the bottom.
        runs: [nodes] number of runs, with this one.
        number: [nodes, capacity + 1] of each content by its balls, -1 where there is none.
    """

    colour: Ints
    beneath: Ints
    height: Ints
    child: Ints
    sibling: Ints
    bottom: Ints
    stays: Ints
    alike: Ints
    runs: Ints
    number: IntRows


# -- arenas ------------------------------------------------------------------------------------------------


class Numbered(NamedTuple):
    """What compiled code makes of a board.

    Attributes:
        contents: the tables.
        shape: how its states are built.
        trie: the contents.
        table: its tubes.
    """

    contents: Contents
    shape: Shape
    trie: Trie
    table: Table


BASE, END, CURSOR, NODES, CONTENTS, MOST_STATES, NUMBERED = range(7)
"""Places in an arena, which is memory that compiled code lays out: the address from which on it is free, and that of
its end, which the caller fills in; the address up to which it is used; nodes of the trie; contents; states that there
is room for; the first of the numbers of a `Numbered`, and behind those come a search's."""

AT, NUMBERED_END = places(Numbered, NUMBERED)
"""The places of the arrays and numbers of an arena's `Numbered`."""


class Boards(NamedTuple):
    """Boards as bytes, and what is made of them.

    Attributes:
        boards: packed boards, one behind the other, see `FLAGS`; or tubes alone, see `LOADS`.
        arena: memory for it.
        numbers: [tubes] receives the numbers of tubes that are looked up, see `Table`.
    """

    boards: Bytes
    arena: Longs
    numbers: Ints = NO_INTS
