"""Several backends at once on one board, each on a processor of its own; the first to settle it ends the others.

What they prove adds up: a plan of one may meet the bound of another.
"""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Self

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
            reasons = _judge(news, len(self.members), report, stop)
        return f"no plan within {max_steps} moves" if report.settled else ", ".join(reasons)


def _compete(
    worker: Worker, member: Backend, puzzle: AnyPuzzle, limits: Limits, news: "SimpleQueue[News]", stop: Event
) -> None:
    """One member's run, from its own thread."""
    try:
        news.put(worker.run(member, puzzle, limits, news.put, stop))
    except BackendError as error:
        news.put(error)
    except Exception as error:  # whatever it is, the judge waits for a word
        news.put(BackendError(f"{member.name}: {error}"))


def _judge(news: "SimpleQueue[News]", running: int, report: Report, stop: Event) -> list[str]:
    """Reports what the members prove, ends them when that settles the board, and waits for the last.

    Returns:
        Why each of them stopped.

    Raises:
        BackendError: a member crashed.
    """
    bound = 0
    length: int | None = None
    reasons = []
    figures: dict[str, Any] = {}
    while running:
        item = news.get()
        if isinstance(item, BackendError):
            raise item
        if item.lower_bound is None:
            assert isinstance(item, Result)
            report.unsolvable(item.reason)
        elif item.lower_bound > bound:
            bound = item.lower_bound
            report.lower_bound(bound)
        if item.plan is not None and (length is None or len(item.plan) < length):
            length = len(item.plan)
            report.plan(item.plan)
        if report.settled and not stop.is_set():
            figures["settled_by"] = item.backend
            stop.set()
        if isinstance(item, Result):
            running -= 1
            reasons.append(f"{item.backend}: {item.reason}")
            figures.update(item.stats)
    report.stats(**figures)
    return reasons
