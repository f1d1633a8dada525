"""When a run stops, and what is told meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bsp_sat.instances.plan import Plan

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Limits:
    """When to stop.

    Attributes:
        max_steps: longest plan of interest, in moves.
        seconds: wall time.
        memory_mb: resident memory of the backend's process, in MB (10⁶ bytes).
    """

    max_steps: int | None = None
    seconds: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True)
class Progress:
    """Where a running backend stands.

    Attributes:
        backend: its name.
        seconds: wall time so far.
        lower_bound: what is proved so far, in moves.
        plan: the best plan so far, if any.
        figures: the backend's own so far.
    """

    backend: str
    seconds: float
    lower_bound: int
    plan: Plan | None
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def length(self) -> int | None:
        """Moves of the best plan so far."""
        return None if self.plan is None else len(self.plan)


ProgressHook = Callable[[Progress], None]
