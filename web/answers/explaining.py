"""``/api/why``: why a position is lost, and why no plan is shorter."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from threading import Event
from typing import Any

from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.process.call import Call
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.result import BackendError, Result, Status
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders
from bsp_sat.backends.search.frontier import Frontier
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import HiddenSort
from bsp_sat.web.answers.solving import SolvingFields, solved, solving_asked
from bsp_sat.web.work.calls import call
from bsp_sat.web.work.events import Emit, JobEvent, Work
from bsp_sat.web.work.service import Service

MOST_POSITIONS = 10_000  # a second or two
COUNTING_SECONDS = 5.0
SEARCHES = (Kernel.name, AStar.name, Frontier.name)
"""Backends of `auto` whose figure ``expansions`` is about the proof."""


def explaining_asked(fields: Mapping[str, Any]) -> SolvingFields:
    """Like `solving_asked`.

    Raises:
        Unsupported: the board has hidden cells.
    """
    asked = solving_asked(fields)
    if isinstance(asked.position, HiddenSort):
        raise Unsupported("a board with hidden cells has no proof; `/api/explore` says what is known")
    return asked


def explaining(service: Service, asked: SolvingFields) -> Work:
    """The work of solving a position, and of counting what can follow if it is lost."""
    position = asked.position
    limits = service.limits(asked.seconds)

    def work(worker: Worker, stop: Event, emit: Emit) -> JobEvent:
        result = solved(worker, asked, limits, stop, emit)
        following = None
        if result.status is Status.UNSOLVABLE:
            counting = Call(positions_from, (position, MOST_POSITIONS))
            with suppress(Unsupported):  # a limit was reached
                following = call(worker, stop, emit, service.limits(COUNTING_SECONDS), counting)
        return "answer", explanation(position, result, following)

    return work


def positions_from(position: AnyPuzzle, most: int) -> int | None:
    """How many positions can follow a lost one, itself included; None if they are more than ``most``.

    Symmetric positions count once, as `Puzzle.canonical` has them.

    Raises:
        BackendError: one of them is a goal.
    """
    start = position.canonical()
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here.is_goal():
            raise BackendError("a position without a solution leads to a goal")
        for move in here.legal_moves():
            following = here.apply(move).canonical()
            if following not in seen:
                if len(seen) == most:
                    return None
                seen.add(following)
                waiting.append(following)
    return len(seen)


def explanation(position: AnyPuzzle, result: Result, positions: int | None) -> dict[str, Any]:
    """The answer: the figures that the proof rests on, and sentences.

    Args:
        position: the current position.
        result: what was proved of it.
        positions: of a lost position, how many can follow; None if that isn't known.
    """
    return {
        "status": str(result.status),
        "length": result.length,
        "lower_bound": result.lower_bound,
        "bound": position.lower_bound(),
        "positions": positions,
        "states": _states(result),
        "tables": _tables(result),
        "settled_by": result.stats.get("settled_by"),
        "sentences": list(_sentences(position, result, positions)),
    }


def _states(result: Result) -> int | None:
    """States that the search expanded; None if something else settled the board."""
    return result.stats.get("expansions") if result.stats.get("settled_by") in SEARCHES else None


def _tables(result: Result) -> int | None:
    """Border tables that were seen; None if something else settled the board."""
    return result.stats.get("tables") if result.stats.get("settled_by") == Borders.name else None


def _sentences(position: AnyPuzzle, result: Result, positions: int | None) -> Iterator[str]:
    match result.status:
        case Status.UNSOLVABLE:
            yield _why_lost(result, positions)
        case Status.OPTIMAL:
            assert result.length is not None
            yield from _why_no_shorter(position.lower_bound(), result.length, result)
        case Status.FEASIBLE:
            yield f"Whether {result.length} moves are the fewest isn't known: {result.lower_bound} or more are needed."
        case Status.UNKNOWN:
            yield f"Whether there is a solution isn't known. If so, it has {result.lower_bound} moves or more."


def _why_lost(result: Result, positions: int | None) -> str:
    states, tables = _states(result), _tables(result)
    if positions == 1:
        return "No move leads to another position, and this one isn't solved."
    if positions is not None:
        return f"{positions:,} different positions can follow. All were looked at, and none is solved."
    if tables is not None:
        return (
            "Each place where the colour changes would have to go, from the top of its tube down. "
            f"All orders were tried, {tables:,} tables of what is left, and none leads to the end."
        )
    if states is not None:
        return f"The search looked at {states:,} states, which stand for all that can follow, and none is solved."
    return f"It is proved that there is no solution: {result.reason}."


def _why_no_shorter(bound: int, length: int, result: Result) -> Iterator[str]:
    if not length:
        yield "The board is solved."
        return
    yield f"Every solution has {_moves(bound)} or more. That is the lower bound, which counts moves that none avoids."
    if bound == length:
        return
    excluded = _moves(bound) if bound == length - 1 else f"{bound} to {_moves(length - 1)}"
    states = _states(result)
    if states is not None:
        yield f"A search excluded solutions of {excluded}: it looked at {states:,} states, and none leads to one."
    else:
        settled_by = result.stats.get("settled_by", result.backend)
        yield f"Solutions of {excluded} were excluded by the backend {settled_by}."


def _moves(number: int) -> str:
    return f"{number} move{'s' if number != 1 else ''}"
