"""The measures; the command line and the tests iterate over `MEASURES`."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, compress
from math import fsum, log2
from random import Random

from bsp_sat.backends.kernel import Position, TooFar
from bsp_sat.grading.empties import min_empty
from bsp_sat.grading.figure import Figure
from bsp_sat.grading.study import EXACT_POSITIONS, Study

SAMPLES = 400


def dead_share(study: Study) -> Figure | None:
    """Share of positions from which no goal can be reached.

    Exact: of all positions that a game can reach, if they are at most `EXACT_POSITIONS`. Otherwise sampled: of the
    positions of random players, who make any moves that aren't pointless, after a random number of moves from 1 to the
    optimum. The two shares may differ widely; percentiles compare only figures of the same kind.
    """
    if not study.is_solvable:
        return None if study.is_settled else Figure.bounded(0, 1)
    if study.space is not None:
        return Figure.exact(round(_mean(study.space.dead), 6))
    assert study.optimum is not None
    return _share(study, study.graph.wandered(study.seed("dead"), SAMPLES, study.optimum))


def trap_share(study: Study) -> Figure | None:
    """Share of the moves from positions on shortest plans to different next positions that lead to dead ones."""
    if not study.is_solvable:
        return None if study.is_settled else Figure.bounded(0, 1)
    space = study.space
    if space is not None:
        first, target = space.first, space.target
        places = (place for place, on_plan in enumerate(space.on_plan) if on_plan)
        dead = [space.dead[to] for place in places for to in target[first[place] : first[place + 1]]]
        return Figure.exact(round(_mean(dead), 6) if dead else 0.0)
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, 1)
    chance = Random(study.seed("trap"))
    ends = list(accumulate(plans.successors))
    drawn = []
    for _ in range(SAMPLES):
        pair = chance.randrange(ends[-1])
        place = bisect_right(ends, pair)
        drawn.append(study.graph.successors(plans.position(place))[pair - ends[place]])
    return _share(study, drawn)


def _mean(truths: list[bool]) -> float:
    return truths.count(True) / len(truths)


def _share(study: Study, positions: list[Position]) -> Figure:
    verdicts = [study.is_dead(position) for position in positions]
    return Figure.share(verdicts.count(True), len(verdicts), verdicts.count(None))


def costliest_slip(study: Study) -> Figure | None:
    """Most moves that one wrong move costs at a position of the shown plan, apart from moves to dead positions."""
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, None) if study.is_solvable else None
    worst = 0
    known = True
    for left, position in zip(reversed(range(len(plans.path))), plans.path, strict=True):
        for following in study.graph.successors(position) if left else ():
            try:
                distance = study.distance(following)
            except TooFar:
                known = False
                continue
            if distance is not None:
                worst = max(worst, distance + 1 - left)
    return Figure.bounded(worst, worst if known else None)


def safe_from(study: Study) -> Figure | None:
    """Moves of the shown plan after which no move leads to a dead position any more.

    The search for dead positions never moves balls out of finished tubes, full ones that hold every ball of their
    colour. That is safe: a plan's moves of such balls can be left out, as parts of a finished colour only take up empty
    tubes and can be put together again at any time.
    """
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, None) if study.is_solvable else None
    low, high = 0, len(plans.path) - 1
    for moves in range(high):
        if any(study.is_dead(following) for following in study.graph.successors(plans.path[moves])):
            low = moves + 1
    # The set of reachable positions shrinks with every move of the plan, so a binary search works.
    least = low
    while least < high:
        middle = (least + high) // 2
        verdict = _may_die(study, plans.path[middle])
        if verdict is False:
            high = middle
        else:
            least = middle + 1
            low = least if verdict else low
    return Figure.bounded(low, high)


def _may_die(study: Study, position: Position) -> bool | None:
    """Whether a dead position can be reached; None if there are too many positions to tell."""
    reachable = study.graph.reachable(position, EXACT_POSITIONS, spare=True)
    return None if reachable is None else any(reachable.dead)


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


def optimum(study: Study) -> Figure | None:
    """Moves of a shortest plan."""
    if not study.is_settled:
        return Figure.bounded(study.puzzle.lower_bound(), None)
    return None if study.optimum is None else Figure.exact(study.optimum)


def bound_gap(study: Study) -> Figure | None:
    """The optimum less the plain lower bound of docs/search.md."""
    if not study.is_settled:
        return Figure.bounded(0, None)
    return None if study.optimum is None else Figure.exact(study.optimum - study.puzzle.lower_bound())


def effort(study: Study) -> Figure | None:
    """States that the compiled search expands until the answer is proved, without scouts."""
    return Figure.exact(study.effort) if study.is_settled else Figure.bounded(study.effort, None)


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
