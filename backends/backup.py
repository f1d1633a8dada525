"""A backend, and another beside it once the first has had a fair try.

What they prove adds up: a plan of one may meet the bound of the other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from bsp_sat.backends.backend import Backend, Relay, Report, SearchBackend
from bsp_sat.backends.supervisor import POLL_SECONDS, Ended, Limits, Run, Worker
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class Backup(SearchBackend):
    """``lead`` in this process, and after a while ``second`` in one below it; the first to settle the board ends both.

    Attributes:
        lead: a backend that reports its ``expansions`` several times a second.
        second: the other.
        after: expansions of the lead before the other starts.
    """

    lead: Backend
    second: Backend
    after: int = 0

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.lead.name}|{self.second.name}"

    def within(self, memory_mb: float) -> Self:
        """Half of the memory for each."""
        half = memory_mb / 2
        return replace(self, lead=self.lead.within(half), second=self.second.within(half))

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses what either refuses."""
        self.lead.check(puzzle)
        self.second.check(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Passes on what they prove, until that settles the board or both have ended."""
        with Worker() as worker:
            lead = _LeadReport(report, self.after, lambda: worker.begin(self.second, puzzle, Limits(max_steps)))
            try:
                reason = self.lead.run(puzzle, lead, max_steps)
                if report.settled:
                    report.stats(settled_by=self.lead.name)
                    return reason
                return f"{self.lead.name}: {reason}, {self.second.name}: {lead.until_the_second_ends()}"
            except Ended:
                report.stats(settled_by=self.second.name, **lead.second().findings.figures)
                return f"no plan within {max_steps} moves"


class _LeadReport(Relay):
    """The lead's report, which starts the second backend and passes on what it proves."""

    def __init__(self, report: Report, after: int, begin: Callable[[], Run]) -> None:
        super().__init__(report)
        self._after = after
        self._begin = begin
        self._run: Run | None = None
        self._bound = 0
        self._length: int | None = None

    def second(self) -> Run:
        """The second backend at work; starts it where that hasn't happened."""
        if self._run is None:
            self._run = self._begin()
        return self._run

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        if figures.get("expansions", 0) >= self._after:
            self.second()
        super().stats(**figures)

    def look(self, seconds: float = 0) -> None:
        """Takes what the second one has proved, within ``seconds``.

        Raises:
            Ended: that settles the board.
        """
        if self._run is None or self.settled:
            return
        self._run.look(seconds)
        findings = self._run.findings
        if findings.proof is not None:
            self.report.unsolvable(findings.proof)
        if findings.bound > self._bound:
            self._bound = findings.bound
            self.report.lower_bound(self._bound)
        if findings.best is not None and (self._length is None or len(findings.best) < self._length):
            self._length = len(findings.best)
            self.report.plan(findings.best)
        if self.settled:
            raise Ended

    def until_the_second_ends(self) -> str:
        """Waits for the second one, and returns why it ended.

        Raises:
            Ended: it settled the board.
        """
        run = self.second()
        while run.ending is None:
            self.look(POLL_SECONDS)
        return run.ending
