"""``/api/solve`` and ``/api/hint``."""

from collections.abc import Mapping
from threading import Event
from typing import Any

from bsp_sat.backends.process.limits import Limits, Progress
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.solve import solve_with
from bsp_sat.grading.hint import SECONDS, hint
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.web.asked import Played, played_asked, seconds_asked
from bsp_sat.web.chores import chore
from bsp_sat.web.jobs import Tell, Told, Work
from bsp_sat.web.service import Service

PROGRESS_SECONDS = 0.1  # between two words of a search that proves something all the time


def solving(service: Service, fields: Mapping[str, Any]) -> Work:
    """A shortest plan from where the game stands."""
    played = played_asked(fields)
    limits = service.limits(seconds_asked(fields, service.seconds))

    def work(worker: Worker, stop: Event, tell: Tell) -> Told:
        return "answer", solved(worker, played, limits, stop, tell)

    return work


def solved(worker: Worker, played: Played, limits: Limits, stop: Event, tell: Tell) -> dict[str, Any]:
    """The object of `bsp-sat solve --json`."""
    said: list[float] = []

    def on_progress(progress: Progress) -> None:
        if not said or progress.seconds - said[-1] >= PROGRESS_SECONDS:
            said.append(progress.seconds)
            tell("progress", progress_json(progress))

    result = solve_with(worker, played.position, limits=limits, on_progress=on_progress, stop=stop)
    return result.to_json(played.position)


def progress_json(progress: Progress) -> dict[str, Any]:
    """Where a search stands."""
    return {
        "lower": progress.lower_bound,
        "upper": progress.length,
        "seconds": round(progress.seconds, 2),
        "phase": "compiling" if progress.figures.get("compiling") else "searching",
    }


def hinting(service: Service, fields: Mapping[str, Any]) -> Work:
    """What each move costs."""
    played = played_asked(fields)
    seconds = seconds_asked(fields, service.seconds, SECONDS)
    return chore(service.limits(), hint_json, played.instance.puzzle, played.moves, seconds)


def hint_json(board: AnyPuzzle, moves: tuple[Move, ...], seconds: float) -> dict[str, Any]:
    """The object of `bsp-sat hint --json`."""
    return hint(board, moves, seconds=seconds).to_json()
