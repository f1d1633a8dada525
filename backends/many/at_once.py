"""Boards that a short search settles: many in one call of compiled code, in this process.

That spares them messages to a child process, which take longer than they do. It is `auto`'s first step, with the same
effort. A board that it leaves open, and one with limits as close as this step, is for a worker.
"""

import time
from collections.abc import Sequence
from threading import Event
from typing import Any, TypeGuard

from bsp_sat.backends.auto import LIGHT_EFFORT, Auto
from bsp_sat.backends.kernel import Answer, Kernel, missing_library, solve_boards
from bsp_sat.backends.many.pool import SolveTask, Task, Team
from bsp_sat.backends.process.limits import MEGABYTE
from bsp_sat.backends.process.memory import own_bytes
from bsp_sat.backends.result import Findings, Result
from bsp_sat.instances.sorting import RuledSort, SortPuzzle

LEAST_SECONDS, LEAST_MB = 1.0, 200.0  # limits of a board that this step can't exceed


def goes_at_once(task: Task[Any]) -> TypeGuard[SolveTask]:
    """Whether a task's board may be answered here."""
    if not isinstance(task, SolveTask) or task.alone or task.backend != Auto() or missing_library() is not None:
        return False
    limits, puzzle = task.limits, task.puzzle
    close = (limits.seconds or LEAST_SECONDS) < LEAST_SECONDS or (limits.memory_mb or LEAST_MB) < LEAST_MB
    plain = isinstance(puzzle, SortPuzzle) and not isinstance(puzzle, RuledSort)
    return plain and not close and limits.max_steps is None


def leading(tasks: Sequence[Task[Any]]) -> list[SolveTask]:
    """The first tasks, as many as go at once."""
    found = []
    for task in tasks:
        if not goes_at_once(task):
            break
        found.append(task)
    return found


def do_at_once(team: Team, tasks: Sequence[SolveTask], stop: Event, most_seconds: float) -> list[Result]:
    """Does the first of some tasks that go at once, up to one that isn't settled by that.

    Args:
        team: whose workers make what belongs to a result.
        tasks: the tasks.
        stop: ends the work when set.
        most_seconds: after so much time no further board is begun.
    """
    began = time.monotonic()
    boards = [task.puzzle for task in tasks if isinstance(task.puzzle, SortPuzzle)]
    most_expansions = LIGHT_EFFORT // max(len(board.tubes) for board in boards) ** 2
    answers: list[Answer] = []
    for answer in solve_boards(boards, most_expansions=most_expansions):
        if not answer.settled:
            break
        answers.append(answer)
        if stop.is_set() or time.monotonic() - began >= most_seconds:
            break
    seconds, megabytes = (time.monotonic() - began) / max(1, len(answers)), own_bytes() / MEGABYTE
    return [
        task.completed(team.own_worker(), _result(board, answer, seconds, megabytes), stop)
        for task, board, answer in zip(tasks, boards, answers, strict=False)
    ]


def _result(board: SortPuzzle, answer: Answer, seconds: float, megabytes: float) -> Result:
    """What an answer proves; boards that are answered together share their time evenly."""
    found = Findings(board, Auto.name)
    if answer.plan is None:
        found.unsolvable("search space exhausted")
    else:
        found.lower_bound(len(answer.plan))
        found.plan(answer.plan)
    found.stats(expansions=answer.expansions, settled_by=Kernel.name)
    return found.result("", seconds=seconds, peak_memory_mb=megabytes)
