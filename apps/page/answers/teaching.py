"""``/api/horizons``, ``/api/formula`` and ``/api/methods``: what a SAT solver gets."""

from collections.abc import Mapping
from threading import Event
from typing import Any, NamedTuple

from bsp_sat.apps.page.answering import Emit, Pace, Service, Task
from bsp_sat.apps.page.request_fields import MOST_MOVES, chosen, played_asked, seconds_asked, whole
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.run import Runner
from bsp_sat.backends.sat import DEFAULT_SOLVER, SOLVERS
from bsp_sat.backends.solve import solve_with
from bsp_sat.encoder.description import describe
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import ENCODINGS, check_encoding, encoding_for, encodings_for
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import is_hidden


class HorizonFields(NamedTuple):
    """A request for the horizons that a SAT solver is asked about; ``seconds`` is None for the server's limit."""

    position: AnyPuzzle
    encoding: Encoding
    solver: str
    seconds: float | None


def horizons_asked(fields: Mapping[str, Any]) -> HorizonFields:
    """The current position, the ``encoding``, the ``solver``, and how many ``seconds`` to search."""
    position = played_asked(fields, "encoding", "solver", "seconds").position
    solver = chosen(fields, "solver", SOLVERS) or DEFAULT_SOLVER
    return HorizonFields(position, _encoding_asked(fields, position), solver, seconds_asked(fields))


def horizons(service: Service, asked: HorizonFields) -> Task:
    """As `bsp-sat solve --backend sat`, with each question to the solver."""
    position, encoding, solver, seconds = asked
    limits = service.limits(seconds)

    def answer(runner: Runner, stop: Event, emit: Emit) -> Any:
        show = Pace(emit, "horizon", "questions")
        result = solve_with(
            runner,
            position,
            make_backend(f"sat:{encoding.name}:{solver}"),
            limits=limits,
            on_progress=show,
            stop=stop,
            misread=False,
        )
        return result.to_json(position)

    return answer


FormulaFields = tuple[AnyPuzzle, Encoding, int]
"""The arguments of `formula`."""


def formula_asked(fields: Mapping[str, Any]) -> FormulaFields:
    """The current position, the ``encoding`` and the ``horizon``, by default the position's lower bound."""
    position = played_asked(fields, "encoding", "horizon").position
    encoding = _encoding_asked(fields, position)
    return position, encoding, whole(fields, "horizon", 0, MOST_MOVES, position.lower_bound())


def formula(position: AnyPuzzle, encoding: Encoding, horizon: int) -> dict[str, Any]:
    """The formula's variables and clauses by kind."""
    return describe(position, encoding, horizon).to_json(position)


def methods_asked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What takes the current position: ``encodings`` and ``sat_solvers``, each with the default one first.

    ``lower_bound`` is that without a search. Refuses hidden cells.
    """
    position = played_asked(fields).position
    if is_hidden(position):
        raise Unsupported("a board with hidden cells has strategies, not plans: no solver takes it")
    encodings = [encoding.name for encoding in encodings_for(position)]
    return {
        "encodings": encodings,
        "sat_solvers": [DEFAULT_SOLVER, *(name for name in SOLVERS if name != DEFAULT_SOLVER)],
        "lower_bound": position.lower_bound(),
    }


def _encoding_asked(fields: Mapping[str, Any], position: AnyPuzzle) -> Encoding:
    name = chosen(fields, "encoding", ENCODINGS)
    encoding = encoding_for(position) if name is None else ENCODINGS[name]
    check_encoding(encoding, position)
    return encoding
