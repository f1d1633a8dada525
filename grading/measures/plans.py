"""What shortest plans are like: `shortest_plans`, `decision_bits`, `forced_share`."""

import numpy as np

from bsp_sat.grading.figure import Figure
from bsp_sat.grading.study import Study


def shortest_plans(study: Study) -> Figure | None:
    """How many there are, sequences of moves, as `bsp-sat count` counts them."""
    if study.plans is None:
        return Figure.bounded(1, None) if study.is_solvable else None
    return Figure.exact(study.plans.number)


def decision_bits(study: Study) -> Figure | None:
    """Over plans drawn uniformly, the mean of Σ log2(different next positions ÷ those on some shortest plan)."""
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, None) if study.is_solvable else None
    decides = plans.good > 0
    bits = np.log2(plans.successors[decides] / plans.good[decides])
    return Figure.exact(round(float(plans.chance[decides] @ bits), 6))


def forced_share(study: Study) -> Figure | None:
    """Of the positions on shortest plans, goals aside, the share with one different next position."""
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, 1) if study.is_solvable else None
    successors = plans.successors[plans.good > 0]
    return Figure.exact(round(float((successors == 1).mean()), 6) if len(successors) else 0.0)
