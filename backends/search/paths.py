"""Common parts of the searches: the way to a state, and the meaning of an empty frontier."""

from collections.abc import Mapping

from bsp_sat.backends.backend import Report
from bsp_sat.instances.puzzle import AnyPuzzle

Parents = Mapping[AnyPuzzle, AnyPuzzle | None]
"""For each state found, its predecessor; None for the start."""

REPORT_EVERY = 500
"""Expansions between two progress reports of a search."""


def path_to(goal: AnyPuzzle, parents: Parents) -> list[AnyPuzzle]:
    """The states from the start to ``goal``."""
    path = [goal]
    while (before := parents[path[-1]]) is not None:
        path.append(before)
    return path[::-1]


def report_exhausted(report: Report, max_steps: int | None, cut: bool) -> str:
    """Reports what an empty frontier proves, which settles the board: no reason is left to return."""
    if cut and max_steps is not None:
        report.lower_bound(max_steps + 1)
    else:
        report.unsolvable("every position that can be reached was looked at")
    return ""
