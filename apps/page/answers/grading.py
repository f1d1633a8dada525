"""``/api/grade``: how hard a board is."""

from collections.abc import Mapping
from threading import Event
from typing import Any, NamedTuple

from bsp_sat.apps.levels.grade import measures_of
from bsp_sat.apps.levels.job import GradeBoard, GradeFindings
from bsp_sat.apps.levels.measures import MEASURES, Measure
from bsp_sat.apps.page.answering import Emit, Pace, Service, Task
from bsp_sat.apps.page.request_fields import instance_asked
from bsp_sat.backends.run import Run, Runner
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.reading import as_json


class GradingFields(NamedTuple):
    """The fields of a request for grades: the board with its name, and the measures to take."""

    name: str
    board: AnyPuzzle
    measures: tuple[Measure, ...]


def grading_asked(fields: Mapping[str, Any]) -> GradingFields:
    """The board and the ``measures``."""
    instance = instance_asked(fields, "measures")
    measures = fields.get("measures")
    if measures is not None and not (isinstance(measures, list) and all(isinstance(name, str) for name in measures)):
        raise BoardError("measures", f"expected a list of names, found {as_json(measures)}")
    taken = measures_of(MEASURES if measures is None else measures)
    return GradingFields(instance.name, instance.puzzle, taken)


def grading(service: Service, asked: GradingFields) -> Task:
    """Takes the measures."""
    name, board, measures = asked
    job = GradeBoard(board, measures, limits=service.limits())

    def answer(runner: Runner, stop: Event, emit: Emit) -> Any:
        pace = Pace(emit, "grades")

        def show(run: Run[GradeFindings]) -> None:
            found = run.findings
            upper = None if found.best is None else len(found.best)
            pace.show(run.seconds(), found.bound, upper, {"grades": found.grades} if found.grades else {})

        graded = runner.do(job, show, stop)
        if graded.grades is None:
            raise Unsupported(f"no answer: {graded.result.reason}")
        return {"name": name, **graded.to_json(board, what_if=False)}

    return answer
