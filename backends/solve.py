"""`solve`: runs one backend on one board, in its own process and within limits."""

import time
from dataclasses import replace
from threading import Event

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits, Progress, ProgressHook, limits_of
from bsp_sat.backends.registry import backend_of
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Process, Runner, Solve, showing
from bsp_sat.instances.files import Board, position_of
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle

__all__ = ["Limits", "Progress", "ProgressHook", "solve", "solve_with"]


def solve(
    board: Board,
    backend: str | Backend = Auto.name,
    *,
    max_steps: int | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
) -> Result:
    """Finds a shortest plan for a board, or proves that there is none.

    The board is of any puzzle, as `load` and `random_boards` give it, or anything that `board` makes one of; the
    backend may be a specification, see `make_backend`. ``max_steps`` is the longest plan of interest, in moves;
    ``seconds`` a limit of time; ``limits`` are the same as one object, with a limit of memory. While the backend runs,
    ``on_progress`` is called several times a second, and ``stop`` ends it when set, for example by a signal handler or
    another thread. The result's plan, if any, has been replayed.

    Raises BoardError if there is no board, or it isn't clear; Unsupported if the backend doesn't exist, or doesn't take
    the board, or a limit is none, or is given twice; and BackendError if the backend crashed or contradicted itself.

    >>> from bsp_sat import BallSort
    >>> result = solve(BallSort("ab|ba|-"))
    >>> result.status, result.length
    (<Status.OPTIMAL: 'optimal'>, 3)
    """
    limits = limits_of(limits, max_steps, seconds)
    with Process() as process:
        position = position_of(board)
        return solve_with(
            process, position, backend, limits=limits, on_progress=on_progress, stop=stop, here_first=True
        )


def solve_with(
    runner: Runner,
    puzzle: AnyPuzzle,
    backend: str | Backend = Auto.name,
    *,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
    misread: bool = True,
    here_first: bool = False,
) -> Result:
    """Like `solve`, with what may have solved other boards before.

    With ``misread``, an unsolvable board is also read the other way; a note says if that makes it solvable. With
    ``here_first``, a short search in this process comes first; a board that it settles needs no other process.
    """
    chosen = backend_of(backend)
    job = Solve(chosen.for_board(puzzle), puzzle, limits or Limits(), misread=misread)
    if here_first:
        return job.done_here_first(runner, showing(on_progress), stop)
    return runner.do(job, showing(on_progress), stop)


def solve_shortly(puzzle: AnyPuzzle, stop: Event | None = None) -> Result | None:
    """The result of a search whose limit is a number of positions; None if there is no such search for the board."""
    return Solve(Auto(), puzzle).done_shortly(stop=stop)


def least_extra_tubes(
    runner: Runner,
    puzzle: SortPuzzle,
    backend: Backend,
    *,
    most: int | None = None,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
) -> tuple[int, Result]:
    """Solves a board, and adds an empty tube each time that it is proved unsolvable, ``most`` at most.

    An additional tube never hurts, so a plan with n tubes and a proof that there is none with n − 1 settle the number.
    More additional tubes than balls are never needed, as each tube in use holds a ball (moving a lone ball from one
    empty tube to another only swaps the tubes). No number helps if balls can never leave a tube of several colours;
    that is recognised without further searches. The limits are for all runs together. Returns the number of additional
    tubes, and the result with them: a plan; ``unknown`` if it is only known that fewer aren't enough; ``unsolvable`` if
    no number is enough, or not even ``most``.
    """
    limits = limits or Limits()
    chosen = backend.for_board(puzzle)
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    balls = sum(map(len, puzzle.tubes))
    number = 0
    while True:
        left = limits if end is None else replace(limits, seconds=max(0.0, end - time.monotonic()))
        board = puzzle.with_more_tubes(number)
        result = runner.do(Solve(chosen, board, left, misread=False), showing(on_progress), stop)
        if result.status is not Status.UNSOLVABLE or number in (balls, most) or _is_stuck(puzzle):
            return number, result
        number += 1


def _is_stuck(puzzle: SortPuzzle) -> bool:
    """Whether an unsorted tube stays locked for ever, or no ball may leave a tube of several colours."""
    if puzzle.is_plain or puzzle.goal == "wanted":  # at which tubes may stay unsorted
        return False
    stays = puzzle.rules.never_open(puzzle.tubes, puzzle.goal)
    mixed = (place for place, tube in enumerate(puzzle.tubes) if len(set(tube)) > 1)
    return any(place in stays or not puzzle.rules.tubes[place].gives for place in mixed)
