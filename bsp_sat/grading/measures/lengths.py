"""Plan lengths and search effort: `optimum`, `bound_gap`, `effort`."""

from bsp_sat.grading.figure import Figure
from bsp_sat.grading.study import Study


def optimum(study: Study) -> Figure | None:
    """Moves of a shortest plan."""
    if not study.is_settled:
        return Figure.bounded(study.puzzle.lower_bound(), None)
    return None if study.optimum is None else Figure.exact(study.optimum)


def bound_gap(study: Study) -> Figure | None:
    """The optimum less the plain lower bound of docs/search.md."""
    if not study.is_settled:
        return Figure.bounded(0, None)
    return None if study.optimum is None else Figure.exact(study.optimum - study.puzzle.lower_bound())


def effort(study: Study) -> Figure | None:
    """States that the compiled search expands until the answer is proved, without scouts."""
    return Figure.exact(study.effort) if study.is_settled else Figure.bounded(study.effort, None)
