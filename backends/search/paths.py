"""Common parts of the searches: turning states into a plan, and the meaning of an empty frontier."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from bsp_sat.backends.backend import Report
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Move

P = TypeVar("P", bound=AnyPuzzle)
State = TypeVar("State")

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


def plan_through(puzzle: P, states: Iterable[State], state_of: Callable[[P], State]) -> Plan:
    """The plan from ``puzzle`` through ``states``.

    Args:
        puzzle: the position before the first move.
        states: the state after each move; symmetric positions may share a state.
        state_of: the state of a position.
    """
    moves: list[Move] = []
    for state in states:
        for move in puzzle.legal_moves():
            after = puzzle.after_legal(move)
            if state_of(after) == state:
                break
        else:
            raise AssertionError("a search found a state that no move leads to")
        moves.append(move)
        puzzle = after
    return Plan(tuple(moves))


def report_exhausted(report: Report, max_steps: int | None, cut: bool) -> str:
    """Reports what an empty frontier proves, which settles the board: no reason is left to return.

    Args:
        report: receives it.
        max_steps: longest plan of interest; None for no limit.
        cut: whether states were left out because of ``max_steps``.
    """
    if cut and max_steps is not None:
        report.lower_bound(max_steps + 1)
    else:
        report.unsolvable("every position that can be reached was looked at")
    return ""
