"""`solve_many`: solves any number of boards, several at a time."""

import os
from collections.abc import Iterable, Iterator
from threading import Event

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits, limits_of
from bsp_sat.backends.registry import backend_of
from bsp_sat.backends.result import Result
from bsp_sat.backends.run import Failure, Solve, local_pool
from bsp_sat.instances.files import Board, position_of

AHEAD = 16  # boards for each process that are taken in advance


def solve_many(
    boards: Iterable[Board],
    backend: str | Backend = Auto.name,
    *,
    max_steps: int | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    jobs: int | None = None,
    stop: Event | None = None,
) -> Iterator[Result | Failure]:
    """Solves boards, several at a time, and yields their outcomes in order.

    Boards are taken as they are needed, so the iterable may be endless. Leaving the loop early ends the work. Arguments
    are those of `solve`, with limits for each board. ``jobs`` is the number of processes, by default one for each CPU.
    Boards that aren't done when ``stop`` is set are left out. The outcome is a `Failure` where the backend crashed on
    the board twice. Raises Unsupported if the backend doesn't exist, or doesn't take a board; the outcomes before it
    have been yielded.

    >>> from bsp_sat import BallSort
    >>> boards = [BallSort("ab|ba|-"), BallSort("ab|ba|-|-")]
    >>> [result.length for result in solve_many(boards, "astar", jobs=1)]
    [3, 3]
    """
    chosen = backend_of(backend)
    limits = limits_of(limits, max_steps, seconds)
    number = jobs or os.cpu_count() or 1
    stop = stop or Event()
    solving = (Solve(chosen.for_board(puzzle), puzzle, limits) for puzzle in map(position_of, boards))
    with local_pool(number, stop) as pool:
        yield from pool.in_order(solving, stop, AHEAD * number)
