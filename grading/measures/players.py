"""How simulated players fare: `random_success`, `greedy_success`. See `bsp_sat.grading.compiled.plays`."""

from bsp_sat.grading.arrays import ANY, GREEDY
from bsp_sat.grading.figure import Figure
from bsp_sat.grading.study import Study

PLAYS = 400
PATIENCE = 10  # times the optimum


def random_success(study: Study) -> Figure | None:
    """Share of players who solve it within 10 times the optimum, by any moves that aren't pointless."""
    return _success(study, ANY)


def greedy_success(study: Study) -> Figure | None:
    """The same for players who prefer moves that complete a tube, then such that put balls on balls."""
    return _success(study, GREEDY)


def _success(study: Study, style: int) -> Figure | None:
    if study.optimum is None:
        return Figure.bounded(0, 1)
    if not study.is_solvable:
        return None
    seed = study.seed(f"play {style}")
    return Figure.share(study.field.plays(seed, style, PLAYS, PATIENCE * study.optimum), PLAYS)
