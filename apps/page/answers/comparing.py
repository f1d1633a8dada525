"""``/api/compare``: several solvers on one position, one after the other."""

from collections.abc import Mapping, Sequence
from threading import Event
from typing import Any, NamedTuple

from bsp_sat.apps.page.answering import Emit, Pace, Service, Task
from bsp_sat.apps.page.request_fields import played_asked, seconds_asked
from bsp_sat.apps.study.solvers import default_solvers
from bsp_sat.apps.study.store import Outcome, optimum_of, outcome_of, run_of
from bsp_sat.backends.limits import Progress
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.run import Failure, Runner
from bsp_sat.backends.solve import solve_with
from bsp_sat.instances.errors import BackendError, BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.reading import as_json

MOST_SOLVERS = 10
MOST_CHARACTERS = 100  # of a solver's name with its choices


class ComparingFields(NamedTuple):
    """The fields of a request for a comparison.

    Attributes:
        instance: the board, before any moves.
        position: the current position.
        solvers: backends with their choices.
        seconds: how long each may take; None for the server's limit.
    """

    instance: Instance
    position: AnyPuzzle
    solvers: tuple[str, ...]
    seconds: float | None


def comparing_asked(fields: Mapping[str, Any]) -> ComparingFields:
    """The current position, the ``solvers``, and how many ``seconds`` each may take.

    Raises:
        BoardError: the board, the moves, the solvers or the seconds are refused.
        IllegalMove: the first of the moves that breaks a rule.
        Unsupported: a solver doesn't exist, or doesn't take the position.
    """
    played = played_asked(fields, "solvers", "seconds")
    position = played.position
    listed = fields.get("solvers")
    if listed is None:
        listed = default_solvers([Instance(position)])
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise BoardError("solvers", f"expected a list of names, found {as_json(listed)}")
    if not 0 < len(listed) <= MOST_SOLVERS or len(set(listed)) < len(listed):
        raise BoardError("solvers", f"expected 1 to {MOST_SOLVERS} different names, found {as_json(listed)}")
    for solver in listed:
        if len(solver) > MOST_CHARACTERS:
            raise BoardError("solvers", f"expected names of at most {MOST_CHARACTERS} characters")
        make_backend(solver).check(position)
    return ComparingFields(played.instance, position, tuple(listed), seconds_asked(fields))


def comparing(service: Service, asked: ComparingFields) -> Task:
    """Runs the solvers. Together they take no longer than one search may."""
    instance, position, solvers, seconds = asked
    share = service.seconds / len(solvers)
    limits = service.limits(share if seconds is None else min(seconds, share))

    def answer(runner: Runner, stop: Event, emit: Emit) -> Any:
        outcomes: dict[str, Outcome] = {}
        for solver in solvers:
            runs = _runs(instance, outcomes)
            pace = Pace(emit, "solver", "runs")

            def show(progress: Progress, solver: str = solver, runs: Any = runs, pace: Pace = pace) -> None:
                pace.show(progress.seconds, progress.lower_bound, progress.length, {"solver": solver, "runs": runs})

            try:
                result = solve_with(runner, position, solver, limits=limits, on_progress=show, stop=stop, misread=False)
                outcomes[solver] = outcome_of(result, position)
            except BackendError as error:
                outcomes[solver] = outcome_of(Failure(str(error)), position)
            if stop.is_set():
                break
        return {"runs": _runs(instance, outcomes)}

    return answer


def _runs(instance: Instance, outcomes: Mapping[str, Outcome]) -> Sequence[dict[str, Any]]:
    """The lines of `bsp-sat compare --export`, with the optimum as far as it is known by now.

    Raises:
        BackendError: the solvers contradict each other.
    """
    optimum = optimum_of(list(outcomes.values()))
    return [run_of(instance, solver, outcome, optimum).to_json() for solver, outcome in outcomes.items()]
