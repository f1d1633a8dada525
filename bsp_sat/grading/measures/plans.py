"""Properties of shortest plans: `shortest_plans`, `decision_bits`, `forced_share`."""

from itertools import compress
from math import fsum, log2

from bsp_sat.grading.figure import Figure
from bsp_sat.grading.study import Study


def shortest_plans(study: Study) -> Figure | None:
    """Number of shortest plans, as sequences of moves; `bsp-sat count` counts the same."""
    if study.plans is None:
        return Figure.bounded(1, None) if study.is_solvable else None
    return Figure.exact(study.plans.number)


def decision_bits(study: Study) -> Figure | None:
    """Over plans drawn uniformly, the mean of Σ log2(different next positions ÷ those on some shortest plan)."""
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, None) if study.is_solvable else None
    figures = zip(plans.chance, plans.successors, plans.good, strict=True)
    bits = fsum(chance * log2(successors / good) for chance, successors, good in figures if good)
    return Figure.exact(round(bits, 6))


def forced_share(study: Study) -> Figure | None:
    """Share of the positions on shortest plans, apart from goals, with only one different next position."""
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, 1) if study.is_solvable else None
    successors = list(compress(plans.successors, plans.good))
    return Figure.exact(round(successors.count(1) / len(successors), 6) if successors else 0.0)
