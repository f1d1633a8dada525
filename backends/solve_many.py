"""`solve_many`: solves any number of boards, several at a time."""

import os
from collections.abc import Iterable, Iterator
from threading import Event

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Result
from bsp_sat.backends.run import Failure, Solve, local_pool
from bsp_sat.instances.files import Board, position_of

AHEAD = 16  # boards for each process that are taken in advance


def solve_many(
    boards: Iterable[Board],
    backend: str | Backend = Auto.name,
    *,
    limits: Limits | None = None,
    jobs: int | None = None,
    stop: Event | None = None,
) -> Iterator[Result | Failure]:
    """Solves boards, several at a time, and yields their outcomes in order.

    Boards are taken as they are needed, so the iterable may be endless. Leaving the loop early ends the work.

    Args:
        boards: of any puzzle, as `load_instances` and `random_boards` give them, or without their metadata.
        backend: a specification, see `make_backend`, or a backend.
        limits: limits for each board; by default none.
        jobs: number of processes; by default one for each CPU.
        stop: ends the work when set; boards that aren't done by then are left out.

    Yields:
        A `Result`, or a `Failure` if the backend crashed on the board twice.

    Raises:
        Unsupported: the backend doesn't exist, or doesn't take a board; the outcomes before it have been yielded.

    >>> from bsp_sat.instances.sorting import BallSort
    >>> boards = [BallSort.from_tubes([["a", "b"], ["b", "a"], *[[]] * empty], 2) for empty in (1, 2)]
    >>> [result.length for result in solve_many(boards, "astar", jobs=1)]
    [3, 3]
    """
    chosen = make_backend(backend) if isinstance(backend, str) else backend
    number = jobs or os.cpu_count() or 1
    stop = stop or Event()
    solving = (Solve(chosen.for_board(puzzle), puzzle, limits or Limits()) for puzzle in map(position_of, boards))
    with local_pool(number, stop) as pool:
        yield from pool.in_order(solving, stop, AHEAD * number)
