"""What compiled code is handed for many boards."""

from typing import NamedTuple

from bsp_sat.backends.kernel.contents.arrays import NUMBERED_END
from bsp_sat.backends.kernel.native.layout import Bytes, IntRows, Longs, places
from bsp_sat.backends.kernel.search.arrays import Scratch, Store

UNFINISHED, NO_PLAN = -1, -2
"""Outcomes: a search takes more room or expansions than it may; no plan leads along the states that were found."""

OUTCOME, MOVES, SPENT, MOVES_END, ANSWER = range(5)
"""Places in an answer: `GOAL`, `EXHAUSTED` or `UNFINISHED`; moves of a shortest plan; expansions; where its plan ends
among all moves that were written."""

ITEM, BYTE, PHASE, WRITTEN, MOST_EXPANSIONS, PLANS, PROGRESS = range(7)
"""Places of the progress: the board or start in work; its first byte; see `NEXT`; moves written; expansions that one
search may take; whether plans are to be written."""

NEXT, SEARCHING, REACHED = range(3)
"""What comes next: to begin with a board, to go on with its search, to write down its plan."""


class Batch(NamedTuple):
    """Many boards, and their answers.

    Attributes:
        boards: packed boards, one behind the other, see `bsp_sat.backends.kernel.contents.arrays.FLAGS`.
        moves: source and target of each move of plans.
        arena: memory for their searches, see `ARENA_HEAD`.
        answers: [boards, ANSWER] see `OUTCOME`.
        progress: see `ITEM`.
    """

    boards: Bytes
    moves: Bytes
    arena: Longs
    answers: IntRows
    progress: Longs


class Searched(NamedTuple):
    """What an arena holds of a search behind its `bsp_sat.backends.kernel.contents.arrays.Numbered`.

    Attributes:
        scratch: room to work in.
        store: states and queue.
    """

    scratch: Scratch
    store: Store


SEARCHED_AT, ARENA_HEAD = places(Searched, NUMBERED_END)
"""The places of its arrays in the arena, and where the free memory begins."""
