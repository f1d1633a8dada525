"""Success of simulated players (`bsp_sat.backends.kernel.PositionGraph.plays`): `random_success`, `greedy_success`."""

from bsp_sat.grading.figure import Figure
from bsp_sat.grading.study import Study

PLAYS = 400
PATIENCE = 10  # times the optimum


def random_success(study: Study) -> Figure | None:
    """Share of players who solve it within 10 times the optimum, by any moves that aren't pointless."""
    return _success(study, greedy=False)


def greedy_success(study: Study) -> Figure | None:
    """Share of players who do so, preferring moves that complete a tube, then moves onto balls."""
    return _success(study, greedy=True)


def _success(study: Study, *, greedy: bool) -> Figure | None:
    if not study.is_settled:
        return Figure.bounded(0, 1)
    if study.optimum is None:
        return None
    seed = study.seed(f"play {int(greedy)}")
    return Figure.share(study.graph.plays(seed, PLAYS, PATIENCE * study.optimum, greedy=greedy), PLAYS)
