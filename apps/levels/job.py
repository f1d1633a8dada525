"""Grading as a job, so that the worker processes that solve boards can also grade them."""

from dataclasses import dataclass, field
from typing import Any

from bsp_sat.apps.levels.grade import grades_of
from bsp_sat.apps.levels.measures import Measure
from bsp_sat.apps.levels.reference import class_of
from bsp_sat.apps.levels.study import Study
from bsp_sat.apps.levels.what_if import what_if
from bsp_sat.backends.limits import MEGABYTE, Limits
from bsp_sat.backends.result import Findings, Result
from bsp_sat.backends.run import Job, Pipe, Run
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle

NAME = "grade"
"""The name of the backend in the results of graded boards."""


class GradeFindings(Findings):
    """What is known of a board so far: its class, see `PercentileTable`, and grades as in `Grade.to_json`."""

    def __init__(self, puzzle: AnyPuzzle) -> None:
        super().__init__(puzzle, NAME)
        self.board_class: str | None = None
        self.grades: dict[str, Any] | None = None
        self.what_if: dict[str, Any] | None = None
        self.refusal: str | None = None

    def refused(self, reason: str) -> None:
        """Records why the board can't be graded."""
        self.refusal = reason

    def belongs_to(self, board_class: str | None) -> None:
        """Records the board's class."""
        self.board_class = board_class

    def graded(self, measure: str, grade: dict[str, Any]) -> None:
        """Records one more grade."""
        self.grades = {**(self.grades or {}), measure: grade}

    def would_change(self, what_if: dict[str, Any]) -> None:
        """Records what changes to the board would do."""
        self.what_if = what_if


@dataclass(frozen=True)
class GradedBoard:
    """A graded board: the result of solving it, and the attributes of `GradeFindings`."""

    result: Result
    board_class: str | None
    grades: dict[str, Any] | None
    what_if: dict[str, Any] | None

    def to_json(self, puzzle: AnyPuzzle, *, what_if: bool) -> dict[str, Any]:
        """The result format with ``board_class``, ``grades`` and, if asked for, ``what_if``."""
        asked = {"what_if": self.what_if} if what_if else {}
        return {"board_class": self.board_class, "grades": self.grades, **asked, **self.result.to_json(puzzle)}


@dataclass(frozen=True)
class GradeBoard(Job[GradeFindings, GradedBoard]):
    """Grades a board."""

    puzzle: AnyPuzzle
    measures: tuple[Measure, ...]
    what_if: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def name(self) -> str:
        """The name of the job in messages."""
        return NAME

    def collector(self) -> GradeFindings:
        """See `GradeFindings`."""
        return GradeFindings(self.puzzle)

    def run(self, pipe: Pipe) -> str:
        """Grades the board, and reports its shortest plan."""
        try:
            return self._grade(pipe)
        except BspSatError as error:
            pipe.put("refused", str(error))
            return "refused"

    def _grade(self, pipe: Pipe) -> str:
        study = Study(self.puzzle)
        pipe.send("belongs_to", class_of(study.puzzle))
        if study.plan is not None:
            pipe.send("plan", study.plan)
        if study.optimum is not None:
            pipe.send("lower_bound", study.optimum)
        elif study.is_settled:
            pipe.send("unsolvable", "search exhausted")
        for name, grade in grades_of(study, self.measures):
            pipe.send("graded", name, grade.to_json())
        if self.what_if:
            pipe.send("would_change", what_if(study.puzzle))
        return "" if study.is_settled else f"the optimum takes more than {study.effort:,} expansions"

    def result(self, run: Run[GradeFindings]) -> GradedBoard:
        """The result of a run of this job. Unsupported if the board or a measure is refused."""
        found = run.findings
        if found.refusal is not None:
            raise Unsupported(found.refusal)
        peak = run.peak_bytes / MEGABYTE
        result = found.result(run.reason, ending=run.ending, seconds=run.seconds(), peak_memory_mb=peak)
        return GradedBoard(result, found.board_class, found.grades, found.what_if)
