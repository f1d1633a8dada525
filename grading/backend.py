"""Grading as a backend, so that many boards are graded by the workers that solve them."""

from dataclasses import dataclass

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.grading.arrays import FAR
from bsp_sat.grading.grade import grades_of
from bsp_sat.grading.oracle import SCOPE, check_board
from bsp_sat.grading.reference import class_of
from bsp_sat.grading.registry import MEASURES
from bsp_sat.grading.study import Study
from bsp_sat.grading.what_if import what_if
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class Grader(Backend):
    """Grades a board; the figure ``grades`` has what is known so far.

    Attributes:
        measures: what to take.
        what_if: whether to say what would change the board, too.
    """

    measures: tuple[str, ...] = tuple(MEASURES)
    what_if: bool = False

    name = "grade"
    scope = SCOPE

    def check(self, puzzle: AnyPuzzle) -> None:
        """See `check_board`."""
        check_board(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Grades the board, and reports its shortest plan."""
        study = Study(puzzle)
        report.stats(board_class=class_of(study.puzzle))
        if study.plan is not None:
            report.plan(study.plan)
        if study.optimum is not None and study.optimum < FAR:
            report.lower_bound(study.optimum)
        elif study.optimum is not None:
            report.unsolvable("search exhausted")
        grades = {}
        for name, grade in grades_of(study, self.measures):
            grades[name] = grade.to_json()
            report.stats(grades=dict(grades))
        if self.what_if:
            report.stats(what_if=what_if(study.puzzle).to_json())
        return "" if study.optimum is not None else f"the optimum takes more than {study.effort:,} expansions"
