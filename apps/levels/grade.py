"""`grade`: the measures of one board, and their percentiles among boards of its size."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bsp_sat.apps.levels.figure import Figure, number
from bsp_sat.apps.levels.measures import MEASURES, Measure
from bsp_sat.apps.levels.reference import class_of, table_of
from bsp_sat.apps.levels.study import Study
from bsp_sat.backends.result import Status
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Board, position_of
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.text.words import did_you_mean, short


@dataclass(frozen=True)
class Grade:
    """A figure, and its percentile.

    ``percentile``: how many of 100 boards of its class have less, plus half of those that have the same figure; None if
    there is no table, or the figure is only bounded.
    """

    figure: Figure
    percentile: float | None

    def __str__(self) -> str:
        """The figure, how it is known, and the percentile if there is one."""
        return str(self.figure) + ("" if self.percentile is None else f"  percentile {self.percentile:g}")

    def to_json(self) -> dict[str, Any]:
        """The figure's object with ``percentile``."""
        return {**self.figure.to_json(), "percentile": self.percentile}


@dataclass(frozen=True)
class Grades:
    """A board's grades, its class in `bsp_sat.apps.levels.reference`, if it belongs to one, and a shortest plan.

    That is the plan that measures refer to; None also if there are too many to count.
    """

    status: Status
    board_class: str | None
    plan: Plan | None
    grades: Mapping[str, Grade]

    def __getitem__(self, measure: str) -> Grade:
        return self.grades[measure]

    def __str__(self) -> str:
        """A line for each measure: name, figure, how it is known."""
        width = max(map(len, self.grades), default=0)
        return "\n".join(f"{name:<{width}}  {grade.figure}" for name, grade in self.grades.items())

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        ranks = {name: "" if each.percentile is None else f"{each.percentile:g}" for name, each in self.grades.items()}
        cells = "".join(
            f"<tr><td>{name}<td>{number(grade.figure.value)}<td>{ranks[name]}<td>{grade.figure.how_known}"
            for name, grade in self.grades.items()
        )
        heading = f"<caption>{str(self.status).capitalize()}. Class: {self.board_class or 'none'}.</caption>"
        return f"<table>{heading}<tr><th>measure<th>figure<th>percentile<th>how it is known{cells}</table>"


def grade(board: Board, measures: Iterable[str] | None = None) -> Grades:
    """Measures how hard a ball-sort or water-sort board is, in this process, by some of `MEASURES` or all.

    Raises `Unsupported` for another puzzle, a board too large for compiled code, or an unknown measure.

    >>> from bsp_sat.instances.sorting import BallSort
    >>> grades = grade(BallSort.from_tubes([["a", "b"], ["b", "a"], []], capacity=2), ["optimum", "dead_share"])
    >>> grades["optimum"].figure.value, grades["dead_share"].figure.value
    (3, 0.0)
    """
    wanted = measures_of(MEASURES if measures is None else measures)
    study = Study(position_of(board))
    grades = dict(grades_of(study, wanted))
    status = Status.OPTIMAL if study.is_solvable else Status.UNSOLVABLE if study.is_settled else Status.UNKNOWN
    return Grades(status, class_of(study.puzzle), study.plan, grades)


def checked_names(measures: Iterable[str]) -> tuple[str, ...]:
    """The names without duplicates; ``-`` counts as ``_``, as in options. Unsupported if one is no measure."""
    names = tuple(dict.fromkeys(name.replace("-", "_") for name in measures))
    for name in names:
        if name not in MEASURES:
            expected = f"expected some of {', '.join(MEASURES)}{did_you_mean(name, MEASURES)}"
            raise Unsupported(f"unknown measure {short(repr(name))}, {expected}")
    return names


def measures_of(names: Iterable[str]) -> tuple[Measure, ...]:
    """The measures of `checked_names`. A process that is sent one imports its module, which may be a user's own."""
    return tuple(MEASURES[name] for name in checked_names(names))


def grades_of(study: Study, measures: Iterable[Measure]) -> Iterator[tuple[str, Grade]]:
    """Takes the measures of a board one by one."""
    table = table_of(class_of(study.puzzle))
    for measure in measures:
        figure = measure.take(study)
        if figure is not None:
            yield measure.name, Grade(figure, None if table is None else table.percentile(measure.name, figure))
