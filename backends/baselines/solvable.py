"""Filters boards by whether they are solvable."""

from collections.abc import Iterator

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.baselines.depth_first import DepthFirstSorted
from bsp_sat.backends.result import Findings
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import AnyPuzzle

MOST_REFUSED = 1000  # boards in a row of the wrong kind before giving up


def filter_solvable(boards: Iterator[Instance], solvable: bool) -> Iterator[Instance]:
    """The boards that are solvable, or those that aren't.

    Raises:
        BoardError: too many boards in a row are of the other kind.
    """
    refused = 0
    for board in boards:
        if _is_solvable(board.contents) is solvable:
            refused = 0
            yield board
        elif (refused := refused + 1) == MOST_REFUSED:
            kind = "solvable" if solvable else "unsolvable"
            raise BoardError("", f"none of {refused} boards in a row is {kind}; try other numbers")


def _is_solvable(position: AnyPuzzle) -> bool:
    """Decides in this process: for most boards a new one would take longer than the search."""
    findings = Findings(position, Auto.name)
    if not (Auto().solves_together(position) and Auto().solve_together([(position, findings, None)])):
        DepthFirstSorted().run(position, findings)
    return findings.best is not None
