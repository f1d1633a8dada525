"""Solves many boards in one call of compiled code, without Python between tables, searches and plans.

This is for thousands of boards that take milliseconds each. Each board gets one exact search, in the space of homes if
possible; they use the same memory one after the other. A board that needs more memory comes back unsettled;
`bsp_sat.backends.kernel.search.board_search.Search` or the backend can solve it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bsp_sat.backends.kernel.backend import MAX_CAPACITY, MAX_COLOURS, MAX_TUBES
from bsp_sat.backends.kernel.batches import arrays
from bsp_sat.backends.kernel.batches.arrays import ANSWER, ARENA_HEAD, NO_PLAN, SEARCHED_AT, Batch
from bsp_sat.backends.kernel.contents.alphabet import has_homes, new_arena, packed_board
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, GOAL, NO_BYTES, Longs
from bsp_sat.backends.kernel.native.memory import address_of, array_of, fill, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.backends.kernel.search.search import BUCKETS, plan_from
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle

ARENA_WORDS = 1 << 21  # 16 MB: a hundred thousand states
MOST_EXPANSIONS = 100_000  # about a tenth of a second
SLICE = 20_000  # expansions of one call, between two checks for interrupts
FIRST_CHUNK, MOST_CHUNK = 8, 256  # boards of one call; the first call has few, so that answers come soon
HEADS = BUCKETS // 2  # words of an arena, with two heads each
MOVES_ROOM = 1 << 15  # space for the plans of one call


class Answer(NamedTuple):
    """The answer for one board.

    Attributes:
        length: moves of a shortest plan; None if there is none, or it wasn't found.
        dead: whether the board is proved unsolvable.
        expansions: number of expansions.
        plan: a shortest plan, if plans were asked for.
    """

    length: int | None
    dead: bool
    expansions: int
    plan: Plan | None = None

    @property
    def settled(self) -> bool:
        """Whether the length is known or the board is proved unsolvable; if not, the search reached a limit."""
        return self.dead or self.length is not None


NOT_TAKEN = Answer(None, dead=False, expansions=0)

_spare: list[Longs] = []
"""Free arenas of the usual size, to be reused: making one takes longer than solving a small board."""


def solve_boards(
    boards: Iterable[SortPuzzle],
    *,
    plans: bool = True,
    most_expansions: int = MOST_EXPANSIONS,
    words: int = ARENA_WORDS,
    go_on: Callable[[], bool] = lambda: True,
) -> Iterator[Answer]:
    """Solves boards in order, some dozens ahead of the answers that the caller takes.

    Args:
        boards: boards of any size. Boards with rules or covered cells, and those that are too large for packed states,
            come back unsettled.
        plans: whether plans are wanted, not only their lengths.
        most_expansions: limit for each board; beyond it the board comes back unsettled.
        words: memory for tables and states, in 64-bit words.
        go_on: called from time to time after the first answer; whether to go on.

    Raises:
        BoardError: a board's parts don't fit together.

    Yields:
        An answer for each board, in order, or for the first ones where ``go_on`` ended the work.
    """
    waiting = iter(boards)
    arena = _spare.pop() if _spare and words == ARENA_WORDS else _search_arena(words)
    size = FIRST_CHUNK
    try:
        while chunk := list(islice(waiting, size)):
            size = min(2 * size, MOST_CHUNK)
            taken = [_is_taken(board) for board in chunk]
            packed = [
                packed_board(board, by_homes=has_homes(board))
                for board, takes in zip(chunk, taken, strict=True)
                if takes
            ]
            answers = _answers(arena, packed, go_on, plans=plans, most_expansions=most_expansions)
            for takes in taken:
                if (answer := next(answers, None) if takes else NOT_TAKEN) is None:
                    return
                yield answer
            if not go_on():
                return
    finally:
        if words == ARENA_WORDS:
            fill(_heads(arena), -1)  # an unfinished search leaves states in the queue
            _spare.append(arena)


def _is_taken(board: SortPuzzle) -> bool:
    board.check()  # compiled code looks colours up without a check
    return (
        board.is_plain
        and len(board.tubes) <= MAX_TUBES
        and board.capacity <= MAX_CAPACITY
        and len(board.palette) <= MAX_COLOURS
    )


def _search_arena(words: int) -> Longs:
    """Memory for searches, with an empty queue."""
    arena = new_arena(words, ARENA_HEAD + HEADS)
    fill(_heads(arena), -1)
    at = SEARCHED_AT.store.heads
    arena[at], arena[at + 1], arena[at + 2] = address_of(arena) + 8 * ARENA_HEAD, BUCKETS, 1
    return arena


def _heads(arena: Longs) -> Longs:
    """The heads of the queue's buckets."""
    return arena[ARENA_HEAD : ARENA_HEAD + HEADS]


def _answers(
    arena: Longs, boards: Sequence[bytes], go_on: Callable[[], bool], *, plans: bool, most_expansions: int
) -> Iterator[Answer]:
    """The answers for packed boards, as far as ``go_on`` lets it go on."""
    if not boards:
        return
    rows = zeros("i", len(boards), ANSWER)
    answers = rows.cast("B").cast("i")
    moves = zeros("B", 2 * MOVES_ROOM) if plans else NO_BYTES
    progress = zeros("q", arrays.PROGRESS)
    progress[arrays.MOST_EXPANSIONS], progress[arrays.PLANS] = most_expansions, plans
    call = Call(Batch(array_of("B", b"".join(boards)), moves, arena, rows, progress))
    outcome = None
    done = 0
    while outcome != EXHAUSTED and (not done or go_on()):
        outcome = call("go_on", SLICE)
        assert outcome != NO_PLAN, "a search found a state that no move leads to"
        first, begin = done, 0
        done = progress[arrays.ITEM]
        found = iter(answers[first * ANSWER : done * ANSWER].tolist())
        written = moves[: 2 * progress[arrays.WRITTEN]].tobytes()
        progress[arrays.WRITTEN] = 0
        for ended, length, expansions, end in zip(found, found, found, found, strict=True):
            if ended == GOAL:
                yield Answer(length, False, expansions, plan_from(written[begin : 2 * end]) if plans else None)
            else:
                yield Answer(None, ended == EXHAUSTED, expansions)
            begin = 2 * end
