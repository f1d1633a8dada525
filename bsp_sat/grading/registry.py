"""The measures by name; the command line and the tests iterate this."""

from collections.abc import Callable
from dataclasses import dataclass

from bsp_sat.grading.figure import Figure
from bsp_sat.grading.measures.empties import min_empty
from bsp_sat.grading.measures.lengths import bound_gap, effort, optimum
from bsp_sat.grading.measures.plans import decision_bits, forced_share, shortest_plans
from bsp_sat.grading.measures.players import greedy_success, random_success
from bsp_sat.grading.measures.traps import costliest_slip, dead_share, safe_from, trap_share
from bsp_sat.grading.study import Study


@dataclass(frozen=True)
class Measure:
    """One measure.

    Attributes:
        take: computes the figure; None if the board has none: an unsolvable board has no optimum.
        cheap: whether it takes only a few milliseconds on boards of common games.
        easier: whether a larger figure suggests an easier board.
    """

    take: Callable[[Study], Figure | None]
    cheap: bool = False
    easier: bool = False

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return self.take.__name__

    @property
    def summary(self) -> str:
        """Its definition in one sentence: the first line of the function's docstring."""
        return (self.take.__doc__ or "").partition("\n")[0]


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(optimum, cheap=True),
        Measure(bound_gap, cheap=True),
        Measure(shortest_plans, cheap=True, easier=True),
        Measure(decision_bits, cheap=True),
        Measure(forced_share, cheap=True, easier=True),
        Measure(effort, cheap=True),
        Measure(min_empty),
        Measure(random_success, easier=True),
        Measure(greedy_success, easier=True),
        Measure(dead_share),
        Measure(trap_share),
        Measure(costliest_slip),
        Measure(safe_from),
    )
}
