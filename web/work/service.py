"""The queues and limits that all answers share."""

from dataclasses import dataclass

from bsp_sat.backends.process.limits import Limits
from bsp_sat.web.work.work_queue import WorkQueue


@dataclass(frozen=True)
class Service:
    """The queues and limits of a running server.

    Attributes:
        searches: for jobs that may take as long as the limits allow.
        turns: for jobs that a player waits for between two moves.
        requests: for parsing requests, each within a few seconds; quick requests are answered there.
        seconds: time limit of a search.
        memory_mb: memory limit of a search, in MB (10⁶ bytes).
    """

    searches: WorkQueue
    turns: WorkQueue
    requests: WorkQueue
    seconds: float
    memory_mb: float

    def limits(self, seconds: float | None = None) -> Limits:
        """The limits of a search, with at most ``seconds``."""
        return Limits(seconds=self.seconds if seconds is None else min(seconds, self.seconds), memory_mb=self.memory_mb)
