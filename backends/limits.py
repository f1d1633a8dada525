"""Limits and progress of a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bsp_sat.backends.question import Question
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan

MEGABYTE = 1_000_000
MOST = 1_000_000_000  # the largest limit: longer than any plan, 30 years, and in the range of every backend's counters


@dataclass(frozen=True)
class Limits:
    """Limits of a run; None for no limit.

    Attributes:
        max_steps: longest plan of interest, in moves.
        seconds: wall time.
        memory_mb: resident memory of the backend's process, in MB (10⁶ bytes).

    Raises:
        Unsupported: a limit is below 0, above a billion, or not a number.
    """

    max_steps: int | None = None
    seconds: float | None = None
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        """Refuses limits that aren't numbers from 0 to `MOST`."""
        for name, limit in (("max_steps", self.max_steps), ("seconds", self.seconds), ("memory_mb", self.memory_mb)):
            if limit is not None and not 0 <= limit <= MOST:
                raise Unsupported(f"{name}: expected a number from 0 to {MOST:,}, found {limit}")


@dataclass(frozen=True)
class Progress:
    """The progress of a running backend.

    Attributes:
        backend: its name.
        seconds: wall time so far.
        lower_bound: the lower bound proved so far, in moves.
        plan: the best plan so far, if any.
        figures: the backend's own figures so far.
        questions: what a solver was asked so far.
    """

    backend: str
    seconds: float
    lower_bound: int
    plan: Plan | None
    figures: Mapping[str, Any] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()

    @property
    def length(self) -> int | None:
        """Number of moves of the best plan so far."""
        return None if self.plan is None else len(self.plan)


ProgressHook = Callable[[Progress], None]
