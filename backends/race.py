"""Several backends at once on one board, each on a processor of its own; the first to settle it ends the others.

What they prove adds up: a plan of one may meet the bound of another.
"""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Event, Thread
from typing import Self

from bsp_sat.backends.backend import Backend, Report, SearchBackend
from bsp_sat.backends.result import BackendError, Result
from bsp_sat.backends.supervisor import Limits, Progress, Worker
from bsp_sat.instances.puzzle import AnyPuzzle

News = Progress | Result | BackendError


@dataclass(frozen=True)
class Race(SearchBackend):
    """Runs ``members`` side by side, each in a process of its own below this one's."""

    members: tuple[Backend, ...]

    @property
    def name(self) -> str:
        """All names."""
        return "|".join(member.name for member in self.members)

    def within(self, memory_mb: float) -> Self:
        """Members that share so much memory."""
        return replace(self, members=tuple(member.within(memory_mb / len(self.members)) for member in self.members))

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses what any member refuses."""
        for member in self.members:
            member.check(puzzle)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Passes on what the members prove, until that settles the board or all have ended."""
        news: SimpleQueue[News] = SimpleQueue()
        stop = Event()
        with ExitStack() as at_the_end:
            for member in self.members:
                worker = at_the_end.enter_context(Worker())
                arguments = (worker, member, puzzle, Limits(max_steps), news, stop)
                thread = Thread(target=_compete, args=arguments)
                thread.start()
                at_the_end.callback(thread.join)
            at_the_end.callback(stop.set)
            return _Judge(report).follow(news, len(self.members))


def _compete(
    worker: Worker, member: Backend, puzzle: AnyPuzzle, limits: Limits, news: "SimpleQueue[News]", stop: Event
) -> None:
    """One member's run, from its own thread."""
    try:
        news.put(worker.run(member, puzzle, limits, news.put, stop))
    except BackendError as error:
        news.put(error)


class _Judge:
    """What the members have proved together."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.bound = 0
        self.length: int | None = None

    def follow(self, news: "SimpleQueue[News]", running: int) -> str:
        """Reports what arrives, until the board is settled or nobody is running."""
        reasons = []
        while running:
            item = news.get()
            if isinstance(item, BackendError):
                raise item
            if self._settles(item):
                return ""
            if isinstance(item, Result):
                running -= 1
                reasons.append(f"{item.backend}: {item.reason}")
        return ", ".join(reasons)

    def _settles(self, item: Progress | Result) -> bool:
        if item.lower_bound is None:
            assert isinstance(item, Result)
            self.report.stats(settled_by=item.backend, **item.stats)
            self.report.unsolvable(item.reason)
            return True
        if item.lower_bound > self.bound:
            self.bound = item.lower_bound
            self.report.lower_bound(self.bound)
        if item.plan is not None and (self.length is None or len(item.plan) < self.length):
            self.length = len(item.plan)
            self.report.plan(item.plan)
        if self.length != self.bound:
            return False
        self.report.stats(settled_by=item.backend)
        return True
