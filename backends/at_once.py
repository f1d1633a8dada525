"""Solves easy boards in this process, as the start of a child process takes longer than the search.

One board gets a `ShortSearch`, within all limits. Many boards get one call of compiled code, with a shorter search for
each, as workers go on with the rest. Boards that aren't settled, and of many boards those with tight limits, go to a
worker.
"""

import time
from collections.abc import Callable, Sequence
from threading import Event

from bsp_sat.backends.auto import LIGHT_EFFORT, Auto, ShortSearch, partition_for
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.kernel import Answer, Kernel, missing_library, solve_boards
from bsp_sat.backends.process.here import Here
from bsp_sat.backends.process.limits import MEGABYTE, Limits, ProgressHook
from bsp_sat.backends.process.solving import run_backend
from bsp_sat.backends.process.system import peak_bytes
from bsp_sat.backends.result import Findings, Result
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle

LEAST_SECONDS, LEAST_MB = 1.0, 200.0  # limits that one call for many boards can't exceed
SHORT_MB = 300.0  # memory for the search of one board without a limit


def goes_here(puzzle: AnyPuzzle, backend: Backend) -> bool:
    """Whether a board may be solved here."""
    return backend == Auto() and Kernel().takes(puzzle) and partition_for(puzzle) is None


def solve_here(
    puzzle: AnyPuzzle, limits: Limits, on_progress: ProgressHook | None = None, stop: Event | None = None
) -> Result:
    """Tries to solve a board for which `goes_here` is true; takes the other arguments of `solve`."""
    assert isinstance(puzzle, SortPuzzle)
    here = Here(peak_bytes, share_mb=SHORT_MB)
    return run_backend(here, ShortSearch.of(puzzle), puzzle, limits, on_progress, stop)


def goes_at_once(puzzle: AnyPuzzle, backend: Backend, limits: Limits) -> bool:
    """Whether a board may be solved here together with others."""
    if backend != Auto() or missing_library() is not None:
        return False
    close = (limits.seconds is not None and limits.seconds < LEAST_SECONDS) or (
        limits.memory_mb is not None and limits.memory_mb < LEAST_MB
    )
    plain = isinstance(puzzle, SortPuzzle) and puzzle.is_plain
    return plain and not close and limits.max_steps is None


def solve_at_once(boards: Sequence[AnyPuzzle], go_on: Callable[[], bool] = lambda: True) -> list[Result]:
    """Solves boards in order, up to the first one that isn't settled.

    Args:
        boards: boards for which `goes_at_once` is true.
        go_on: called after each board; whether to go on with the next one.
    """
    began = time.monotonic()
    plain = [board for board in boards if isinstance(board, SortPuzzle)]
    most_expansions = LIGHT_EFFORT // max(len(board.tubes) for board in plain) ** 2
    answers: list[Answer] = []
    for answer in solve_boards(plain, most_expansions=most_expansions):
        if not answer.settled:
            break
        answers.append(answer)
        if not go_on():
            break
    seconds, megabytes = (time.monotonic() - began) / max(1, len(answers)), peak_bytes() / MEGABYTE
    return [_result(board, answer, seconds, megabytes) for board, answer in zip(plain, answers, strict=False)]


def _result(board: SortPuzzle, answer: Answer, seconds: float, megabytes: float) -> Result:
    """The result of an answer. ``seconds`` is an equal share of the time of boards that were solved together."""
    found = Findings(board, Auto.name)
    if answer.plan is None:
        found.unsolvable("search space exhausted")
    else:
        found.lower_bound(len(answer.plan))
        found.plan(answer.plan)
    found.stats(expansions=answer.expansions, settled_by=Kernel.name)
    return found.result("", seconds=seconds, peak_memory_mb=megabytes)
