"""Solves many boards in one call of compiled code, without Python between tables, searches and plans.

Each board gets one exact search, in the space of homes if possible; they use the same memory one after the other. One
that needs more comes back unsettled; `bsp_sat.backends.kernel.search.board_search.Search` or the backend can solve it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_void_p, string_at
from itertools import islice
from typing import NamedTuple

from bsp_sat.backends.engine import EXHAUSTED, FOUND, PAUSED, accepted, function, owned
from bsp_sat.backends.kernel.backend import MAX_CAPACITY, MAX_COLOURS, MAX_TUBES
from bsp_sat.backends.kernel.contents.alphabet import has_homes, packed_board
from bsp_sat.backends.kernel.search.search import plan_from
from bsp_sat.backends.limits import MEGABYTE
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle

MOST_BYTES = 16 * MEGABYTE  # a hundred thousand states
MOST_EXPANSIONS = 100_000  # about a tenth of a second
SLICE = 20_000  # expansions of one call, between two checks for interrupts
FIRST_CHUNK, MOST_CHUNK = 8, 256  # boards of one call; the first call has few, so that answers come soon


class Answer(NamedTuple):
    """The answer for one board. ``length``: moves of a shortest plan; None if there is none, or it wasn't found."""

    length: int | None
    dead: bool
    expansions: int
    plan: Plan | None = None

    @property
    def settled(self) -> bool:
        """Whether the length is known or the board is proved unsolvable; if not, the search reached a limit."""
        return self.dead or self.length is not None


NOT_TAKEN = Answer(None, dead=False, expansions=0)


def solve_boards(
    boards: Iterable[SortPuzzle],
    *,
    plans: bool = True,
    most_expansions: int = MOST_EXPANSIONS,
    most_bytes: int = MOST_BYTES,
    go_on: Callable[[], bool] = lambda: True,
) -> Iterator[Answer]:
    """Solves boards in order, some dozens ahead of the answers that the caller takes.

    Boards with rules or covered cells, and those that are too large for packed states, come back unsettled; so do those
    beyond ``most_expansions`` or ``most_bytes`` for states. Without ``plans`` only their lengths are wanted. After the
    first answer ``go_on`` is asked from time to time whether to; if not, the other boards are left out. Raises
    BoardError if a board's parts don't fit together.
    """
    waiting = iter(boards)
    size = FIRST_CHUNK
    with closing(_Batch()) as batch:
        while chunk := list(islice(waiting, size)):
            size = min(2 * size, MOST_CHUNK)
            taken = [_is_taken(board) for board in chunk]
            packed = [
                packed_board(board, by_homes=has_homes(board))
                for board, takes in zip(chunk, taken, strict=True)
                if takes
            ]
            answers = batch.answers(packed, go_on, plans, most_expansions, most_bytes)
            for takes in taken:
                if (answer := next(answers, None) if takes else NOT_TAKEN) is None:
                    return
                yield answer
            if not go_on():
                return


def _is_taken(board: SortPuzzle) -> bool:
    board.check()  # compiled code looks colours up without a check
    return (
        board.is_plain
        and len(board.tubes) <= MAX_TUBES
        and board.capacity <= MAX_CAPACITY
        and len(board.palette) <= MAX_COLOURS
    )


class _Found(Structure):
    """``struct bspsat_answer`` in `engine/batches/batches.h`."""

    _fields_ = tuple((name, c_int32) for name in ("status", "moves", "expansions", "end"))


class _Batch:
    """The engine's room for many boards."""

    def __init__(self) -> None:
        self._handle, self.close = owned(self, function("bspsat_batch_new", c_void_p)(), "bspsat_batch_free")

    def answers(
        self, boards: Sequence[bytes], go_on: Callable[[], bool], plans: bool, most_expansions: int, most_bytes: int
    ) -> Iterator[Answer]:
        """The answers for packed boards, as far as ``go_on`` lets it go on."""
        if not boards:
            return
        packed = b"".join(boards)  # kept until all is answered
        begin = function("bspsat_batch_begin", c_int64, c_void_p, c_char_p, *[c_int64] * 5)
        proceed = function("bspsat_batch_go_on", c_int64, c_void_p, c_int64, *[c_void_p] * 3)
        made = begin(self._handle, packed, len(packed), len(boards), plans, most_expansions, most_bytes)
        accepted(made, "packed boards")
        found, answered, moves = POINTER(_Found)(), c_int64(), c_void_p()
        outcome, done = PAUSED, 0
        while outcome == PAUSED and (not done or go_on()):
            outcome = proceed(self._handle, SLICE, byref(found), byref(answered), byref(moves))
            done += answered.value
            answers = found[: answered.value]
            written = string_at(moves, 2 * answers[-1].end) if answers and moves else b""
            begun = 0
            for each in answers:
                if each.status == FOUND:
                    plan = plan_from(written[begun : 2 * each.end]) if plans else None
                    yield Answer(each.moves, False, each.expansions, plan)
                else:
                    yield Answer(None, each.status == EXHAUSTED, each.expansions)
                begun = 2 * each.end
