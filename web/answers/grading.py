"""``/api/grade``: how hard a board is."""

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any, NamedTuple

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.process.worker import Worker
from bsp_sat.grading.answer import graded_json
from bsp_sat.instances.errors import BoardError, BspSatError, Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.fields import as_json
from bsp_sat.web.asked import instance_asked, yes_or_no
from bsp_sat.web.work.chores import Pace, raise_refusal, sendable, wait_until_compiled, why_not
from bsp_sat.web.work.jobs import Tell, Told, Work
from bsp_sat.web.work.service import Service


class Asked(NamedTuple):
    """What to grade.

    Attributes:
        name: of the board.
        board: the board.
        measures: names of measures, None for all.
        what_if: whether to say what would change the board.
    """

    name: str
    board: AnyPuzzle
    measures: list[str] | None
    what_if: bool


def grading_asked(fields: Mapping[str, Any]) -> Asked:
    """The board, the measures under ``measures``, and whether to say ``what_if``.

    Raises:
        BoardError: the board is refused, or the measures are no list of names.
    """
    instance = instance_asked(fields)
    what_if = bool(yes_or_no(fields, "what_if"))
    measures = fields.get("measures")
    if measures is not None and not (isinstance(measures, list) and all(isinstance(name, str) for name in measures)):
        raise BoardError("measures", f"expected a list of names, found {as_json(measures)}")
    return Asked(instance.name, instance.puzzle, measures, what_if)


def grading(service: Service, asked: Asked) -> Work:
    """The measures, and with ``what_if`` also what would change the board."""
    name, board, measures, what_if = asked
    limits = service.limits()
    grader = GraderApart(None if measures is None else tuple(measures), what_if)

    def work(worker: Worker, stop: Event, tell: Tell) -> Told:
        result = worker.run(grader, board, limits, Pace(tell, "grades"), stop)
        raise_refusal(result)
        if "grades" not in result.stats:
            raise Unsupported(f"no answer: {why_not(result)}")
        return "answer", {"name": name, **graded_json(result, board, what_if=what_if)}

    return work


@dataclass(frozen=True)
class GraderApart(Backend):
    """`bsp_sat.grading.backend.Grader`, of which nothing is loaded before it runs: numpy and llvmlite.

    Attributes:
        measures: what to take, None for all.
        what_if: whether to say what would change the board, too.
    """

    measures: tuple[str, ...] | None
    what_if: bool

    name = "grade"

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Grades the board, once the compiled code is there."""
        from bsp_sat.grading.backend import Grader
        from bsp_sat.grading.grade import checked_names
        from bsp_sat.grading.registry import MEASURES

        wait_until_compiled(report)
        try:
            grader = Grader(checked_names(MEASURES if self.measures is None else self.measures), self.what_if)
            return grader.for_board(puzzle).run(puzzle, report, max_steps)
        except BspSatError as error:
            report.stats(refused=sendable(error))
            return "refused"
