"""Solves easy boards in this process: one call of compiled code, with a short search for each board.

This avoids a child process, whose start takes longer than the search. It is the first step of `auto`, with the same
effort and little memory. Boards that it doesn't settle, and boards with tight limits, go to a worker.
"""

import time
from collections.abc import Callable, Sequence

from bsp_sat.backends.auto import LIGHT_EFFORT, Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.kernel import Answer, Kernel, missing_library, solve_boards
from bsp_sat.backends.process.limits import MEGABYTE, Limits
from bsp_sat.backends.process.system import peak_bytes
from bsp_sat.backends.result import Findings, Result
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import RuledSort, SortPuzzle

LEAST_SECONDS, LEAST_MB = 1.0, 200.0  # limits of a board that this step can't exceed


def goes_at_once(puzzle: AnyPuzzle, backend: Backend, limits: Limits) -> bool:
    """Whether a board may be solved here."""
    if backend != Auto() or missing_library() is not None:
        return False
    close = (limits.seconds is not None and limits.seconds < LEAST_SECONDS) or (
        limits.memory_mb is not None and limits.memory_mb < LEAST_MB
    )
    plain = isinstance(puzzle, SortPuzzle) and not isinstance(puzzle, RuledSort)
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
