"""`solve_many`: solves any number of boards, several at a time."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from threading import Event

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.many.batches import local_workers
from bsp_sat.backends.many.pool import Failure, SolveTask
from bsp_sat.backends.process.limits import Limits
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Result
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Board, position_of

AHEAD = 16  # boards for each worker that are taken in advance


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
    workers = jobs or os.cpu_count() or 1
    stop = stop or Event()
    waiting: deque[Future[Result | Failure]] = deque()
    refusal: Unsupported | None = None
    with local_workers(workers, stop) as submit:
        rest = map(position_of, boards)
        while not stop.is_set():
            while refusal is None and len(waiting) < AHEAD * workers and (puzzle := next(rest, None)) is not None:
                try:
                    waiting.append(submit(SolveTask(puzzle, chosen.for_board(puzzle), limits or Limits())))
                except Unsupported as error:
                    refusal = error
            if not waiting:
                break
            outcome = waiting.popleft().result()
            if not stop.is_set():
                yield outcome
    if refusal is not None and not stop.is_set():
        raise refusal
