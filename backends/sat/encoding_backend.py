"""Common base of backends on encodings: the encoding is chosen by name, or is the one that suits the board.

A quick search comes first. Its plan guides the solver to a model (`bsp_sat.backends.sat.horizon_loop`); with the choice
``head-start`` the plan itself counts, and only shorter ones are looked for.
"""

from dataclasses import KW_ONLY, dataclass, replace
from typing import NamedTuple, Self

from bsp_sat.backends.backend import Backend, Choice, Report
from bsp_sat.backends.result import Status
from bsp_sat.backends.search.weighted_astar import quick_plan, report_within
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import ENCODINGS, check_encoding, suiting_encoding
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

ENCODING = Choice("encoding", lambda: ENCODINGS, "encoding")
HEAD_START = Choice("head_start", lambda: {"head-start": True}, "use of a quick search's plan")


class Start(NamedTuple):
    """What a quick search has found: a plan to look for models with, and the longest plan that is still of interest."""

    solvable: bool
    guide: Plan | None
    max_steps: int | None


@dataclass(frozen=True)
class EncodingBackend(Backend):
    """A backend on an encoding.

    With a ``head_start`` the plan of a quick search counts, so that only shorter ones are looked for; else every plan
    comes from a formula. ``guide`` lets that plan guide the solver.
    """

    encoding: Encoding | None = None
    _: KW_ONLY
    head_start: bool = False
    guide: bool = True

    @property
    def proves(self) -> frozenset[Status]:
        """Always ``optimal``, and ``unsolvable`` if the encoding can ask for a plan of any length."""
        any_length = self.encoding is None or self.encoding.for_any_length().any_length
        return frozenset({Status.OPTIMAL, Status.UNSOLVABLE} if any_length else {Status.OPTIMAL})

    @property
    def encoding_name(self) -> str | None:
        return None if self.encoding is None else self.encoding.name

    def chosen(self, puzzle: AnyPuzzle) -> Encoding:
        """The encoding for a board. Unsupported if it doesn't take the board, or none does."""
        encoding = self.encoding or suiting_encoding(puzzle)
        check_encoding(encoding, puzzle)
        return encoding

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that the encoding refuses (without a choice, all encodings)."""
        self.chosen(puzzle)

    def for_board(self, puzzle: AnyPuzzle) -> Self:
        self.check(puzzle)
        return replace(self, encoding=self.chosen(puzzle))

    def start(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None) -> Start:
        """Makes the quick search, and reports its plan."""
        plan = quick_plan(puzzle) if self.guide or self.head_start else None
        if plan is None:
            return Start(False, None, max_steps)
        if self.head_start:
            return Start(True, None, report_within(report, plan, max_steps))
        if max_steps is not None and len(plan) > max_steps:
            return Start(True, None, max_steps)
        report.guide(plan)
        return Start(True, plan, max_steps)
