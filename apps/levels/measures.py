"""The measures; the command line and the tests iterate over `MEASURES`."""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, compress
from math import fsum, log2
from random import Random

from bsp_sat.apps.levels.empties import min_empty
from bsp_sat.apps.levels.figure import Figure
from bsp_sat.apps.levels.study import EXACT_POSITIONS, Study
from bsp_sat.backends.kernel import Position, TooFar

SAMPLES = 400

Take = Callable[[Study], Figure | None]


@dataclass(frozen=True)
class Measure:
    """One measure: all that the command line, the page and docs/grading.md say of it.

    Its function's docstring defines it, the first line in a sentence; the figure is None if the board has none. A
    ``share``, from 0 to 1, is read in percent; others are numbers from 0. What is ``cheap`` takes a few milliseconds on
    boards of common games.
    """

    function: Take
    label: str
    share: bool = False
    cheap: bool = False
    easier: bool = False
    of_unsolvable: bool = False

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return self.function.__name__

    def take(self, study: Study) -> Figure | None:
        """The figure of a board; None if it has none: an unsolvable one has only those `of_unsolvable`."""
        is_unsolvable = study.is_settled and not study.is_solvable
        return None if is_unsolvable and not self.of_unsolvable else self.function(study)

    @property
    def summary(self) -> str:
        """Its definition in one sentence: the first line of the function's docstring, without links."""
        return re.sub(r"\[(.*?)\]\(.*?\)", r"\1", (self.function.__doc__ or "").partition("\n")[0])

    @property
    def definition(self) -> str:
        """Its definition for docs/grading.md, with links."""
        return " ".join((self.function.__doc__ or "").partition("\n\n    ")[0].split())


MEASURES: dict[str, Measure] = {}


def measure(
    label: str, *, share: bool = False, cheap: bool = False, easier: bool = False, of_unsolvable: bool = False
) -> Callable[[Take], Take]:
    """Makes a function a measure; the arguments are attributes of `Measure`. Measures are listed in this order."""

    def added(take: Take) -> Take:
        MEASURES[take.__name__] = Measure(take, label, share, cheap, easier, of_unsolvable)
        return take

    return added


@measure("Fewest moves", cheap=True)
def optimum(study: Study) -> Figure | None:
    """Moves of a shortest plan."""
    if not study.is_settled:
        return Figure.bounded(study.puzzle.lower_bound(), None)
    return None if study.optimum is None else Figure.exact(study.optimum)


@measure("Above a simple count", cheap=True)
def bound_gap(study: Study) -> Figure | None:
    """The optimum less the plain [lower bound](search.md#lower-bounds)."""
    if not study.is_settled:
        return Figure.bounded(0, None)
    return None if study.optimum is None else Figure.exact(study.optimum - study.puzzle.lower_bound())


@measure("Shortest plans", cheap=True, easier=True)
def shortest_plans(study: Study) -> Figure | None:
    """Number of shortest plans, as sequences of moves; `bsp-sat count` counts the same."""
    if study.plans is None:
        return Figure.bounded(1, None) if study.is_solvable else None
    return Figure.exact(study.plans.number)


@measure("Choices to get right, in bits", cheap=True)
def decision_bits(study: Study) -> Figure | None:
    """Over random shortest plans, the mean of Σ log2(different next positions ÷ those on some shortest plan).

    Plans are drawn uniformly.
    """
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, None) if study.is_solvable else None
    figures = zip(plans.chance, plans.successors, plans.good, strict=True)
    bits = fsum(chance * log2(successors / good) for chance, successors, good in figures if good)
    return Figure.exact(round(bits, 6))


@measure("Forced positions", share=True, cheap=True, easier=True)
def forced_share(study: Study) -> Figure | None:
    """Share of the positions on shortest plans, apart from goals, with only one different next position."""
    plans = study.plans
    if plans is None:
        return Figure.bounded(0, 1) if study.is_solvable else None
    successors = list(compress(plans.successors, plans.good))
    return Figure.exact(round(successors.count(1) / len(successors), 6) if successors else 0.0)


@measure("Search effort", cheap=True, of_unsolvable=True)
def effort(study: Study) -> Figure | None:
    """States that the compiled search expands until the answer is proved, without a beam search."""
    return Figure.exact(study.effort) if study.is_settled else Figure.bounded(study.effort, None)


measure("Empty tubes needed", of_unsolvable=True)(min_empty)


PLAYS = 400
PATIENCE = 10  # times the optimum


@measure("Random players succeed", share=True, easier=True)
def random_success(study: Study) -> Figure | None:
    """Share of simulated players who solve the board within 10 times the optimum.

    Each move is drawn uniformly from those that aren't pointless.
    """
    return _success(study, greedy=False)


@measure("Greedy players succeed", share=True, easier=True)
def greedy_success(study: Study) -> Figure | None:
    """Like `random_success`, for players who draw uniformly from the best kind of such moves.

    Best are moves that fill the target with one colour; then any others onto balls, then any into an empty tube; last
    is the reversal of the player's last move, whatever its kind.
    """
    return _success(study, greedy=True)


def _success(study: Study, *, greedy: bool) -> Figure | None:
    if not study.is_settled:
        return Figure.bounded(0, 1)
    if study.optimum is None:
        return None
    seed = study.seed(f"play {int(greedy)}")
    return Figure.share(study.graph.plays(seed, PLAYS, PATIENCE * study.optimum, greedy=greedy), PLAYS)


@measure("Lost positions", share=True)
def dead_share(study: Study) -> Figure | None:
    """Share of dead positions among all positions that a game can reach, with the start and goals.

    Exact: of all these positions, if they are at most `EXACT_POSITIONS`. Otherwise sampled: of the
    positions of random players, who make any moves that aren't pointless, after a random number of moves from 1 to the
    optimum. The two shares may differ widely; percentiles compare only figures of the same kind.
    """
    if not study.is_solvable:
        return None if study.is_settled else Figure.bounded(0, 1)
    if study.space is not None:
        return Figure.exact(round(_mean(study.space.dead), 6))
    assert study.optimum is not None
    return _share(study, study.graph.wandered(study.seed("dead"), SAMPLES, study.optimum))


@measure("Moves into a trap", share=True)
def trap_share(study: Study) -> Figure | None:
    """Over all pairs of a position on a shortest plan and a different next position: how often the next is dead."""
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


@measure("Costliest slip")
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


@measure("Safe from move")
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
