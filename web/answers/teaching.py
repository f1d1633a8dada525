"""``/api/horizons`` and ``/api/formula``: what a SAT solver gets to see of a board."""

from collections.abc import Mapping
from threading import Event
from typing import Any, NamedTuple

from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.solve import solve_with
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import ENCODINGS, check_encoding, encoding_for
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.web.request_fields import MOST_MOVES, chosen, played_asked, seconds_asked, whole
from bsp_sat.web.work.calls import Pace, calling
from bsp_sat.web.work.service import Service
from bsp_sat.web.work.work_queue import Emit, JobEvent, Work


class HorizonFields(NamedTuple):
    """The fields of a request for the horizons that a SAT solver is asked about.

    Attributes:
        position: the current position.
        encoding: takes it.
        seconds: how long to search; None for the server's limit.
    """

    position: AnyPuzzle
    encoding: Encoding
    seconds: float | None


def horizons_asked(fields: Mapping[str, Any]) -> HorizonFields:
    """The current position, the ``encoding``, and how many ``seconds`` to search.

    Raises:
        BoardError: the board, the moves, the encoding or the seconds are refused.
        IllegalMove: the first of the moves that breaks a rule.
        Unsupported: the encoding doesn't take the position, or none does.
    """
    position = played_asked(fields).position
    return HorizonFields(position, _encoding_asked(fields, position), seconds_asked(fields))


def horizons(service: Service, asked: HorizonFields) -> Work:
    """The work of `bsp-sat solve --backend sat`, with each question to the solver."""
    position, encoding, seconds = asked
    limits = service.limits(seconds)

    def work(worker: Worker, stop: Event, emit: Emit) -> JobEvent:
        show = Pace(emit, "horizon", "questions")
        result = solve_with(worker, position, Sat(encoding), limits=limits, on_progress=show, stop=stop, misread=False)
        return "answer", result.to_json(position)

    return work


FormulaFields = tuple[AnyPuzzle, Encoding, int]
"""The arguments of `described`."""


def formula_asked(fields: Mapping[str, Any]) -> FormulaFields:
    """The current position, the ``encoding`` and the ``horizon``, by default the position's lower bound.

    Raises:
        BoardError: the board, the moves, the encoding or the horizon are refused.
        IllegalMove: the first of the moves that breaks a rule.
        Unsupported: the encoding doesn't take the position, or none does.
    """
    position = played_asked(fields).position
    encoding = _encoding_asked(fields, position)
    return position, encoding, whole(fields, "horizon", 0, MOST_MOVES, position.lower_bound())


def formula(service: Service, asked: FormulaFields) -> Work:
    """The work of writing and describing the formula."""
    return calling(service.limits(), described, *asked)


def described(position: AnyPuzzle, encoding: Encoding, horizon: int) -> dict[str, Any]:
    """The formula's variables and clauses by kind."""
    # Imported here, in the worker's process.
    from bsp_sat.encoder.description import describe

    return describe(position, encoding, horizon).to_json(position)


def _encoding_asked(fields: Mapping[str, Any], position: AnyPuzzle) -> Encoding:
    name = chosen(fields, "encoding", ENCODINGS)
    encoding = encoding_for(position) if name is None else ENCODINGS[name]
    check_encoding(encoding, position)
    return encoding
