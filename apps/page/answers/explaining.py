"""``/api/why``: why a position is lost, and why no plan is shorter."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from threading import Event
from typing import Any

from bsp_sat.apps.page.answering import Emit, Service, Task, call_with_progress
from bsp_sat.apps.page.answers.solving import SolvingFields, solved, solving_asked
from bsp_sat.backends.explanation import Topic, counted, explained
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Call, Runner
from bsp_sat.instances.errors import BackendError, Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import is_hidden
from bsp_sat.instances.text.words import quantity

MOST_POSITIONS = 10_000  # a second or two
SHOWN = (Topic.BOUND, Topic.REFUTED, Topic.OPEN)
"""The topics that the page has no other place for."""


def explaining_asked(fields: Mapping[str, Any]) -> SolvingFields:
    """Like `solving_asked`, but refuses hidden cells."""
    asked = solving_asked(fields)
    if is_hidden(asked.position):
        raise Unsupported("a board with hidden cells has no proof; `/api/explore` says what is known")
    return asked


def explaining(service: Service, asked: SolvingFields) -> Task:
    """Solves a position, and counts what can follow if it is lost."""
    position = asked.position
    limits = service.limits(asked.seconds)

    def answer(runner: Runner, stop: Event, emit: Emit) -> Any:
        result = solved(runner, asked, limits, stop, emit)
        following = None
        if result.status is Status.UNSOLVABLE:
            counting = Call(positions_from, (position, MOST_POSITIONS), limits)
            with suppress(Unsupported):  # a limit was reached
                following = call_with_progress(runner, stop, emit, counting)
        return explanation(position, result, following)

    return answer


def positions_from(position: AnyPuzzle, most: int) -> int | None:
    """How many positions can follow a lost one, itself included; None if they are more than ``most``.

    Symmetric positions count once, as `Puzzle.canonical` has them. Raises `BackendError` if one of them is a goal.
    """
    start = position.canonical()
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here.is_goal():
            raise BackendError("a position without a solution leads to a goal")
        for move in here.legal_moves():
            following = here.after_legal(move).canonical()
            if following not in seen:
                if len(seen) == most:
                    return None
                seen.add(following)
                waiting.append(following)
    return len(seen)


def explanation(position: AnyPuzzle, result: Result, positions: int | None) -> dict[str, Any]:
    """The answer: figures that the proof of a result rests on, and sentences; ``positions`` can follow a lost one."""
    return {
        "status": str(result.status),
        "length": result.length,
        "lower_bound": result.lower_bound,
        "bound": position.lower_bound(),
        "positions": positions,
        "states": counted(result, "expansions"),
        "tables": counted(result, "tables"),
        "settled_by": result.stats.get("settled_by"),
        "sentences": list(_sentences(position, result, positions)),
    }


def _sentences(position: AnyPuzzle, result: Result, positions: int | None) -> Iterator[str]:
    if result.status is Status.UNSOLVABLE and positions is not None:
        yield _nothing_follows(positions)
    elif result.length == 0:
        yield "The board is solved."
    else:
        yield from (reason.words for reason in explained(position, result) if reason.topic in SHOWN)


def _nothing_follows(positions: int) -> str:
    if positions == 1:
        return "No move leads to another position, and this one isn't solved."
    return f"{quantity(positions, 'different position')} can follow. All were looked at, and none is solved."
