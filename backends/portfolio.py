"""Two backends on one board whose facts are combined: a plan of one may meet the bound of the other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from bsp_sat.backends.backend import Backend, Ended, Relay, Report
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.result import Findings
from bsp_sat.backends.run import POLL_SECONDS, ChildRun, Process, Solve
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class Portfolio(Backend):
    """Runs ``lead``, a search that tells its progress, here and ``second`` in a child process, until one settles it."""

    lead: Backend
    second: Backend

    name = "portfolio"

    def within(self, memory_mb: float) -> Self:
        half = memory_mb / 2
        return replace(self, lead=self.lead.within(half), second=self.second.within(half))

    def sharing(self, memory_mb: float) -> Self:
        half = memory_mb / 2
        return replace(self, lead=self.lead.sharing(half), second=self.second.sharing(half))

    def on_cores(self, cores: int) -> Self:
        """All for the lead: the other one has a process of its own."""
        return replace(self, lead=self.lead.on_cores(cores))

    def check(self, puzzle: AnyPuzzle) -> None:
        self.lead.check(puzzle)
        self.second.check(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Passes on all facts, until they settle the board or both backends have ended.

        If the board is settled, the figure ``settled_by`` names the backend that reported the last fact.
        """
        with Process() as process:
            lead = _LeadReport(report, process.begin(Solve(self.second, puzzle, Limits(max_steps))))
            try:
                reason = self.lead.run(puzzle, lead, max_steps)
                return f"{self.lead.name}: {reason}, {self.second.name}: {lead.until_the_second_ends()}"
            except Ended:
                by = {"settled_by": self.second.name, **lead.figures}  # a second one may itself have run others
                report.stats(**by if lead.second_was_last else by | {"settled_by": self.lead.name})
                return ""


class _LeadReport(Relay):
    """The lead's report, which also passes on what the second backend proves."""

    def __init__(self, report: Report, second: ChildRun[Findings]) -> None:
        super().__init__(report)
        self.second_was_last = False
        self._run = second
        self._asked = 0
        self._bound = 0
        self._length: int | None = None

    @property
    def figures(self) -> Mapping[str, Any]:
        """Figures of the second backend."""
        return self._run.findings.figures

    def after_fact(self) -> None:
        self.catch_up(0)

    def catch_up(self, seconds: float) -> None:
        """Takes the facts of the second backend, waiting up to ``seconds``. Ended if the board is settled."""
        self._end_if_settled(by_second=False)
        self._run.take_messages(seconds)
        findings = self._run.findings
        for question in findings.questions[self._asked :]:
            self.report.solver_answered(question)
        self._asked = len(findings.questions)
        if findings.proof is not None:
            self.report.unsolvable(findings.proof)
        if findings.bound > self._bound:
            self._bound = findings.bound
            self.report.lower_bound(self._bound)
        if findings.best is not None and (self._length is None or len(findings.best) < self._length):
            self._length = len(findings.best)
            self.report.stats(plan_by=findings.backend)
            self.report.plan(findings.best)
        self._end_if_settled(by_second=True)

    def _end_if_settled(self, *, by_second: bool) -> None:
        if self.settled:
            self.second_was_last = by_second
            raise Ended

    def until_the_second_ends(self) -> str:
        """Waits for the second backend, and returns why it ended. Ended if the board is settled."""
        while not self._run.is_over:
            self.catch_up(POLL_SECONDS)
        return self._run.reason
