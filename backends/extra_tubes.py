"""The fewest empty tubes more with which a board can be solved."""

import time
from dataclasses import replace
from threading import Event

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.limits import Limits, ProgressHook
from bsp_sat.backends.process.solving import run_backend
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.result import Result, Status
from bsp_sat.instances.sorting import RuledSort, SortPuzzle


def least_extra_tubes(
    worker: Worker,
    puzzle: SortPuzzle,
    backend: Backend,
    *,
    most: int | None = None,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
) -> tuple[int, Result]:
    """Solves a board with one empty tube more each time that it is proved unsolvable.

    As one more never hurts, a plan with so many and a proof that there is none with one fewer settle the number. More
    of them than there are balls change nothing: no more hold a ball at a time, as long as no lone ball is moved from
    one to another, which only swaps their names. And no number helps where a tube of several colours can't ever be
    taken from, which is told without further searches.

    Args:
        worker: whose process solves.
        puzzle: the board.
        backend: how.
        most: as many as there may be; None for any number.
        limits: for all of it together.
        on_progress: called while the backend runs.
        stop: ends it when set.

    Returns:
        How many tubes more, and the result with them: a plan; ``unknown`` where it is only known that fewer aren't
        enough; ``unsolvable`` where no number is, or not even ``most``.
    """
    limits = limits or Limits()
    chosen = backend.for_board(puzzle)
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    balls = sum(map(len, puzzle.tubes))
    number = 0
    while True:
        left = limits if end is None else replace(limits, seconds=max(0.0, end - time.monotonic()))
        board = puzzle.with_more_tubes(number)
        result = run_backend(worker, chosen, board, left, on_progress=on_progress, stop=stop)
        if result.status is not Status.UNSOLVABLE or number in (balls, most) or _is_stuck(puzzle):
            return number, result
        number += 1


def _is_stuck(puzzle: SortPuzzle) -> bool:
    """Whether a tube that isn't sorted stays locked for ever, or is of several colours and never gives."""
    if not isinstance(puzzle, RuledSort) or puzzle.goal == "wanted":  # where tubes may stay as they are
        return False
    stays = puzzle.rules.never_open(puzzle.tubes, puzzle.goal)
    mixed = (place for place, tube in enumerate(puzzle.tubes) if len(set(tube)) > 1)
    return any(place in stays or not puzzle.rules.tubes[place].gives for place in mixed)
