"""What the searches share: how a goal becomes a plan, and what an empty frontier means."""

from collections.abc import Mapping, Sequence

from bsp_sat.backends.backend import Report
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Move

Parents = Mapping[AnyPuzzle, AnyPuzzle | None]
"""For each state found the state it was reached from, None for the start."""

REPORT_EVERY = 500
"""Expansions between two reports of a search's figures."""


def path_to(goal: AnyPuzzle, parents: Parents) -> list[AnyPuzzle]:
    """The states from the start to ``goal``."""
    path = [goal]
    while (before := parents[path[-1]]) is not None:
        path.append(before)
    return path[::-1]


def plan_along(puzzle: AnyPuzzle, states: Sequence[AnyPuzzle], *, symmetry: bool) -> Plan:
    """The plan from ``puzzle`` through ``states``, its own state first.

    With ``symmetry`` the states are canonical ones: from the actual position some move leads to a
    position whose canonical form is the next state.
    """
    moves: list[Move] = []
    for state in states[1:]:
        for move in puzzle.legal_moves():
            after = puzzle.apply(move)
            if (after.canonical() if symmetry else after) == state:
                break
        else:
            raise AssertionError("a search found a state that no move leads to")
        moves.append(move)
        puzzle = after
    return Plan(tuple(moves))


def report_exhausted(report: Report, max_steps: int | None, cut: bool) -> str:
    """Reports what an empty frontier proves; ``cut`` says whether ``max_steps`` kept states out of it."""
    if cut and max_steps is not None:
        report.lower_bound(max_steps + 1)
        return f"no plan within {max_steps} moves"
    report.unsolvable("search space exhausted")
    return ""
