"""A backend from outside, named in docs/architecture.md."""

from dataclasses import dataclass
from itertools import count

from bsp_sat import AnyPuzzle, Backend, Move, Plan, Report, Status


@dataclass(frozen=True)
class Patient(Backend):
    """Tries plans as long as the puzzle's lower bound, then one move longer, and so on."""

    name = "patient"

    @property
    def proves(self) -> frozenset[Status]:
        """That a plan is shortest; on an unsolvable board it goes on for ever."""
        return frozenset({Status.OPTIMAL})

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds a shortest plan."""
        for length in count(puzzle.lower_bound()):
            report.lower_bound(length)
            if max_steps is not None and length > max_steps:
                break
            moves = plan_within(puzzle, length)
            if moves is not None:
                report.plan(Plan(tuple(moves)))
                break
        return ""


def plan_within(puzzle: AnyPuzzle, length: int) -> list[Move] | None:
    """A plan of at most ``length`` moves."""
    if puzzle.is_goal():
        return []
    if puzzle.lower_bound() > length:
        return None
    for move in puzzle.pruned_moves(puzzle.prunings):
        rest = plan_within(puzzle.apply(move), length - 1)
        if rest is not None:
            return [move, *rest]
    return None
