"""Enumerates sequences of clicks on tiles, all of them or pruned.

It keeps a stack of jobs, each a click on a board. A job clicks the first group until the board is empty, and pushes a
job for each other group on the way. States that are reached twice are expanded twice. With pruning, a sequence is given
up when it can't become shorter than the shortest so far. Either way the shortest sequence is a shortest plan.
``bsp-sat count`` and `bsp_sat.backends.search.astar` need hundreds of states where this needs a million sequences.

Source: Rajeev R. Sharma, *Solving the turtle tiles puzzle game using Python*, 17 November 2022, followed job by job:
on his board it walks his 1,389,898 sequences in full, 16,724 pruned, and ends with his clicks 10010012.
"""

from dataclasses import dataclass

from bsp_sat.backends.backend import Backend, Choice, Report
from bsp_sat.backends.result import Status
from bsp_sat.backends.search.paths import REPORT_EVERY
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.tiles import Tiles


@dataclass(frozen=True)
class Sequences(Backend):
    """All sequences of clicks, or with ``prune`` those that may become shorter than the shortest so far."""

    prune: bool = False

    name = "sequences"
    proves = frozenset({Status.OPTIMAL})  # every board can be cleared
    rests_on = "the rules and their prunings (docs/search.md)"
    scope = Scope.of(Tiles)
    choices = (Choice("prune", lambda: {"prune": True}, "way to walk"),)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds a shortest plan; ``max_steps`` doesn't shorten the search."""
        best: tuple[Move, ...] | None = () if puzzle.is_goal() else None
        jobs: list[tuple[AnyPuzzle, Move, tuple[Move, ...]]] = [(puzzle, move, ()) for move in _moves(puzzle)]
        walked = 0
        while jobs:
            board, move, past = jobs.pop()
            while True:
                board, past = board.after_legal(move), (*past, move)
                if board.is_goal():
                    if best is None or len(past) < len(best):
                        best = past
                        if max_steps is None or len(past) <= max_steps:
                            report.plan(Plan(past))
                    break
                if self.prune and best is not None and len(past) >= len(best) - 1:
                    break
                move, *others = _moves(board)
                jobs += [(board, other, past) for other in others]
            walked += 1
            if walked % REPORT_EVERY == 0:
                report.stats(sequences=walked)
        report.stats(sequences=walked)
        assert best is not None, "every board can be cleared"
        if not best:
            report.plan(Plan(()))
        report.lower_bound(len(best))
        return ""


def _moves(board: AnyPuzzle) -> list[Move]:
    return list(board.pruned_moves(board.renamings))
