"""The limits that all answers share."""

from dataclasses import dataclass

from bsp_sat.backends.limits import Limits


@dataclass(frozen=True)
class Service:
    """What each search may take.

    Attributes:
        seconds: time limit of a search.
        memory_mb: memory limit of a search, in MB (10⁶ bytes).
    """

    seconds: float
    memory_mb: float

    def limits(self, seconds: float | None = None) -> Limits:
        """The limits of a search, with at most ``seconds``."""
        return Limits(seconds=self.seconds if seconds is None else min(seconds, self.seconds), memory_mb=self.memory_mb)
