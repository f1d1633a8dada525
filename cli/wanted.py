"""What `bsp-sat solve` is asked for besides a plan."""

from pathlib import Path
from typing import NamedTuple

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits
from bsp_sat.instances.errors import Unsupported


class Wanted(NamedTuple):
    """What is asked for besides a plan, by the names of the options."""

    cross_check: bool
    explain: bool
    certificate: Path | None
    proof: str | None
    extra_tubes: int | None
    fewest_extra_tubes: bool
    boards: bool
    as_json: bool

    @property
    def needs_one_plan(self) -> bool:
        """Whether there is an option for the plan of a single board."""
        return self.cross_check or self.boards or self.explain or self.fewest_extra_tubes

    def check_for_many(self) -> None:
        """Refuses options for a single board."""
        if self.needs_one_plan:
            which = "--cross-check, --explain, --boards and --fewest-extra-tubes"
            raise Unsupported(f"{which} take a single board, without --resume and --cluster")

    def check_for_hidden(self, backend: Backend, limits: Limits) -> None:
        """Refuses options that need a plan, for a board with hidden cells."""
        for_a_plan = self._replace(explain=False).needs_one_plan or self.certificate is not None
        if backend != Auto() or for_a_plan or limits.max_steps is not None:
            which = "limits, --extra-tubes, --explain and --json; for many boards also --jobs, --resume and --cluster"
            raise Unsupported(f"a board with hidden cells has strategies, not plans: it takes only {which}")
