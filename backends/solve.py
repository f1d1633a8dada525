"""`solve`: runs one backend on one board, in its own process and within limits."""

from dataclasses import replace
from threading import Event

from bsp_sat.backends.at_once import goes_here, solve_here
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.limits import Limits, Progress, ProgressHook
from bsp_sat.backends.process.solving import run_backend
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Ending, Result, Status
from bsp_sat.instances.files import Board, position_of
from bsp_sat.instances.optional import how_to_install
from bsp_sat.instances.puzzle import AnyPuzzle

__all__ = ["Limits", "Progress", "ProgressHook", "solve", "solve_with"]

MISREADING_SECONDS = 5.0  # time limit for an unsolvable board, read the other way


def solve(
    board: Board,
    backend: str | Backend = Auto.name,
    *,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
) -> Result:
    """Solves one board.

    Args:
        board: of any puzzle, as `load`, `load_instance` and `random_boards` give it.
        backend: a specification, see `make_backend`, or a backend.
        limits: limits of time, memory and plan length; by default none.
        on_progress: called several times a second while the backend runs.
        stop: ends the backend when set, for example by a signal handler or another thread.

    Returns:
        The result; its plan, if any, has been replayed.

    Raises:
        Unsupported: the backend doesn't exist, or doesn't take the board.
        BackendError: the backend crashed or contradicted itself.

    >>> from bsp_sat.instances.sorting import BallSort
    >>> board = BallSort.from_tubes([["a", "b"], ["b", "a"], []], capacity=2)
    >>> result = solve(board)
    >>> result.status, result.length
    (<Status.OPTIMAL: 'optimal'>, 3)
    """
    with Worker() as worker:
        return solve_here_first(worker, position_of(board), backend, limits=limits, on_progress=on_progress, stop=stop)


def solve_here_first(
    worker: Worker,
    puzzle: AnyPuzzle,
    backend: str | Backend = Auto.name,
    *,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
) -> Result:
    """Like `solve_with`, but first tries a short search in this process; a settled board needs no other process."""
    limits = limits or Limits()
    chosen = chosen_for(puzzle, backend)
    result = solve_here(puzzle, limits, on_progress, stop) if goes_here(puzzle, chosen) else None
    if result is None or not (result.settled or result.ending in (Ending.TIME, Ending.INTERRUPTED)):
        result = run_backend(worker, chosen, puzzle, limits, on_progress, stop, result)
    return with_notes(worker, puzzle, result, limits, stop)


def solve_with(
    worker: Worker,
    puzzle: AnyPuzzle,
    backend: str | Backend = Auto.name,
    *,
    limits: Limits | None = None,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
    misread: bool = True,
) -> Result:
    """Like `solve`, with a worker that may have solved other boards before.

    With ``misread``, an unsolvable board is also read the other way; a note says if that makes it solvable.
    """
    limits = limits or Limits()
    result = run_backend(worker, chosen_for(puzzle, backend), puzzle, limits, on_progress, stop)
    return with_notes(worker, puzzle, result, limits, stop, misread=misread)


def chosen_for(puzzle: AnyPuzzle, backend: str | Backend) -> Backend:
    """The backend of a specification, with all choices made for a board.

    Raises:
        Unsupported: the backend doesn't exist, or doesn't take the board.
    """
    return (make_backend(backend) if isinstance(backend, str) else backend).for_board(puzzle)


def with_notes(
    worker: Worker,
    puzzle: AnyPuzzle,
    result: Result,
    limits: Limits,
    stop: Event | None = None,
    *,
    misread: bool = True,
) -> Result:
    """A result with further notes for the user."""
    if added := (*_library_note(result), *_package_note(result)):
        result = replace(result, notes=result.notes + added)
    if result.status is not Status.UNSOLVABLE or not misread:
        return result
    time_left = MISREADING_SECONDS if limits.seconds is None else limits.seconds - result.seconds
    limits = replace(limits, seconds=min(time_left, MISREADING_SECONDS))
    return replace(result, notes=result.notes + _misreading_note(worker, puzzle, limits, stop))


def _library_note(result: Result) -> tuple[str, ...]:
    """A note if the compiled search is missing."""
    if "without_library" not in result.stats:
        return ()
    # Imported here: nearly all installations have the compiled search.
    from bsp_sat.backends.kernel import missing_library

    return (f"a slower search answered, as there is no compiled one: {missing_library()}",)


def _package_note(result: Result) -> tuple[str, ...]:
    """A note if a package is missing that would have been used."""
    if "without" not in result.stats:
        return ()
    return (f"a faster backend for such boards isn't installed: {how_to_install(result.stats['without'])}",)


def _misreading_note(worker: Worker, puzzle: AnyPuzzle, limits: Limits, stop: Event | None) -> tuple[str, ...]:
    """A note if an unsolvable board is solvable when it is read the other way."""
    misreading = puzzle.misreading()
    if misreading is None:
        return ()
    how, meant = misreading
    solvable = run_backend(worker, Auto(), meant, limits, stop=stop).plan is not None
    return (f"{how}, this board is solvable",) if solvable else ()
