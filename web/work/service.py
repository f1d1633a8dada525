"""What all answers share: places for searches, and limits."""

from dataclasses import dataclass

from bsp_sat.backends.process.limits import Limits
from bsp_sat.web.work.work_queue import WorkQueue


@dataclass(frozen=True)
class Service:
    """What a running server has.

    Attributes:
        searches: places for what may take as long as the limits allow.
        turns: places for what a player waits for between two moves.
        requests: places for reading what is asked, each within a few seconds; what takes no time is answered there.
        seconds: the most time for one search.
        memory_mb: the most memory for one search, in MB (10⁶ bytes).
    """

    searches: WorkQueue
    turns: WorkQueue
    requests: WorkQueue
    seconds: float
    memory_mb: float

    def limits(self, seconds: float | None = None) -> Limits:
        """What a search may take, so many seconds at most."""
        return Limits(seconds=self.seconds if seconds is None else min(seconds, self.seconds), memory_mb=self.memory_mb)
