"""Everything known about a board with hidden cells, and how it is known.

If there are few fillings, everything is proved: which of them have a plan, and the best strategies over those that do,
in the worst case and on average. If there are many, some are drawn. These prove that the board may be solvable (a
filling with a plan), that it may not be (one without), and a bound on the worst case (no strategy needs fewer moves
than a shortest plan of any filling). That all have a plan, or none, is proved where `regardless` does. The rest is
estimated, and marked so.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import log10, sqrt
from random import Random
from statistics import mean, stdev
from types import NoneType
from typing import Any

from bsp_sat.apps.covered.board import Cells, arrangements, fillings_of
from bsp_sat.apps.covered.exact import AndOr, BestStrategy, Fillings
from bsp_sat.apps.covered.looking import SeenCase, seen_cases
from bsp_sat.apps.covered.regardless import plan_for_all, positions_if_none_is_solved
from bsp_sat.apps.covered.sampling import sample_fillings
from bsp_sat.apps.covered.strategy import NotSolved, Strategy, StrategyResult, check_strategy
from bsp_sat.backends.kernel import Distances
from bsp_sat.backends.result import Status
from bsp_sat.instances.errors import IllegalMove, MalformedResult, PlanError
from bsp_sat.instances.sorting import Filling, SortPuzzle
from bsp_sat.instances.text.words import quantity

MOST_FILLINGS = 1_000
DRAWN = 200
LARGE = 10**15  # above this only the number of digits is printed
MOST_BITS = 14_000  # of a number in JSON: Python's limit is 4,300 digits
OF_NORMAL = 1.96  # standard deviations that hold 95 % of a normal distribution


@dataclass
class HiddenStudy:
    """What is known about a board.

    ``fillings`` of its ``arrangements`` agree with what is visible, up to the names of colours that don't show; None if
    they were too many to examine. ``mean_known`` are the moves of shortest plans on average, of the solvable ones
    looked at; ``interval`` half of its 95 % interval, if they were drawn. ``regardless``: whether ``all`` fillings have
    a plan or ``none``, and how that is known without examining each, in a phrase.
    """

    arrangements: int
    fillings: int | None = None
    looked_at: int = 0
    solvable: int = 0
    longest: int = 0
    mean_known: float = 0.0
    interval: float | None = None
    regardless: tuple[str, str] | None = None
    worst: BestStrategy = field(default_factory=lambda: BestStrategy(0))
    average: BestStrategy | None = None
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def status(self) -> Status:
        """``optimal`` with a strategy proved the best in the worst case, ``unsolvable`` if no filling has a plan."""
        if self.solvable_for == "none":
            return Status.UNSOLVABLE
        return Status.OPTIMAL if self.worst.strategy is not None else Status.UNKNOWN

    @property
    def solvable_for(self) -> str:
        """``all`` fillings, ``some`` or ``none``; or what is known of that."""
        if self.regardless is not None:
            return self.regardless[0]
        if self.looked_at == 0:
            return "none" if self.fillings == 0 else "unknown"
        proved = self.fillings == self.looked_at
        if self.solvable == self.looked_at:
            return "all" if proved else "some, perhaps all"
        if self.solvable == 0:
            return "none" if proved else "not all, perhaps none"
        return "some"

    def to_json(self) -> dict[str, Any]:
        """The keys of the result format that make sense here, and more (docs/variants.md)."""
        worst = self.worst
        average = None
        if self.average is not None:
            value = self.average.value
            average = {
                "length": None if value is None else value / self.solvable,
                "lower_bound": self.average.bound / self.solvable,
                "strategy": None if self.average.strategy is None else self.average.strategy.to_json(),
            }
        return {
            "status": str(self.status),
            "length": worst.value,
            "lower_bound": None if self.status is Status.UNSOLVABLE else worst.bound,
            "plan": None,
            "backend": "and-or",
            "fillings": self.fillings,
            "arrangements": self.arrangements if self.arrangements.bit_length() <= MOST_BITS else None,
            "solvable": self.solvable_for,
            "fillings_looked_at": self.looked_at,
            "fillings_solvable": self.solvable,
            "mean_known": round(self.mean_known, 4),
            "interval": None if self.interval is None else round(self.interval, 4),
            "strategy": None if worst.strategy is None else worst.strategy.to_json(),
            "average": average,
            "seconds": round(self.seconds, 3),
            "notes": self.notes,
        }


def _in_words(number: int) -> str:
    return f"{number:,}" if number < LARGE else f"about 10^{log10(number):.0f}"


class Stopped(Exception):
    """The time limit was reached, or a signal came."""


def study(
    board: SortPuzzle,
    seconds: float | None = None,
    *,
    most_fillings: int = MOST_FILLINGS,
    is_stopped: Callable[[], bool] = lambda: False,
) -> HiddenStudy:
    """Examines a board within the limits: all fillings, or some that are drawn if they are over ``most_fillings``."""
    began = time.monotonic()

    def interrupt() -> None:
        if is_stopped() or (seconds is not None and time.monotonic() - began > seconds):
            raise Stopped

    found = HiddenStudy(arrangements(board))
    try:
        _find_out(board, found, most_fillings, interrupt)
    except Stopped:
        found.notes.append("stopped by the time limit or a signal; the figures here are proved nevertheless")
    found.seconds = time.monotonic() - began
    return found


def _find_out(board: SortPuzzle, found: HiddenStudy, most_fillings: int, interrupt: Callable[[], None]) -> None:
    fillings: Fillings = ()
    if (unseen := len(board.unseen)) > 1:
        colours = quantity(unseen, "colour")
        found.notes.append(f"{colours} not seen yet; fillings that differ only in their names count as one")
    if found.arrangements <= most_fillings:
        fillings = tuple(fillings_of(board))
        found.fillings = len(fillings)
    else:
        if (plan := plan_for_all(board)) is not None:
            found.regardless = "all", f"the same plan of {quantity(len(plan), 'move')} solves each"
        fillings = tuple(sample_fillings(board, DRAWN, Random(0)))
        found.notes.append(
            f"{_in_words(found.arrangements)} arrangements are too many to examine; {len(fillings)} fillings were "
            "drawn, and means are estimates from them"
        )
    cells = Cells.of(board)
    boards: list[SortPuzzle] = [cells.filled(board, filling) for filling in fillings]
    distances = Distances(boards, interrupt)
    lengths: dict[Filling, int] = {}  # of fillings with a plan
    for filling, filled in zip(fillings, boards, strict=True):
        interrupt()
        length = distances.length(filled)
        found.looked_at += 1
        if length is not None:
            lengths[filling] = length
            found.solvable += 1
            found.longest = found.worst.bound = max(found.longest, length)
        elif found.fillings is None and found.looked_at == 1:
            if (number := positions_if_none_is_solved(board, interrupt)) is None:
                continue
            found.regardless = "none", f"whatever is hidden, {quantity(number, 'position')} can be reached"
            found.notes.pop()  # that others were drawn, and what is estimated
            return
    solvable = tuple(filling for filling in fillings if filling in lengths)
    if not solvable:
        return
    found.mean_known = mean(lengths[filling] for filling in solvable)
    if found.fillings is None:
        if len(solvable) > 1:
            found.interval = OF_NORMAL * stdev(lengths[filling] for filling in solvable) / sqrt(len(solvable))
        return
    if len(solvable) < len(fillings):
        found.notes.append("strategies are for the fillings with a plan")
    parts: list[SeenCase] = seen_cases(board, cells, solvable)
    AndOr(cells, distances, interrupt, counts_all=False).best(parts, found.worst)
    if found.worst.strategy is None:
        found.notes.append("no strategy was found that solves all of these fillings without a restart")
        return
    found.average = BestStrategy(sum(lengths[filling] for filling in solvable))
    AndOr(cells, distances, interrupt, counts_all=True).best(parts, found.average)


def check_study(board: SortPuzzle, fields: Mapping[str, Any]) -> None:
    """Checks what `HiddenStudy.to_json` wrote, as far as possible without a search: its strategies are played.

    MalformedResult if a key is missing, keys contradict each other, or a strategy doesn't do what is claimed.
    """
    for key in HiddenStudy(0).to_json():
        if key not in fields:
            raise MalformedResult(f"{key}: missing")
    status, length, has_strategy = fields["status"], fields["length"], isinstance(fields["strategy"], dict)
    if status not in (Status.OPTIMAL, Status.UNSOLVABLE, Status.UNKNOWN):
        raise MalformedResult("status: expected optimal, unsolvable or unknown")
    if (status == Status.OPTIMAL) != has_strategy:
        raise MalformedResult("strategy: expected one if the status is optimal, and only then")
    if type(length) is not (int if has_strategy else NoneType) or (has_strategy and length != fields["lower_bound"]):
        raise MalformedResult("length: expected the lower bound with a strategy, null without")
    try:
        for name, outcome in play_strategies(board, fields):
            if not isinstance(outcome, StrategyResult):
                raise MalformedResult(f"{name}: {outcome}")
    except PlanError as error:
        raise MalformedResult(f"strategy: {error}") from None


def play_strategies(
    board: SortPuzzle, fields: Mapping[str, Any]
) -> Iterator[tuple[str, StrategyResult | IllegalMove | NotSolved]]:
    """Plays the strategies that `HiddenStudy.to_json` wrote for every filling with a plan.

    Yields ``worst case`` or ``average``, and what came of it: why it fails, or doesn't take the moves that are claimed.
    Raises `PlanError` if it isn't a strategy.
    """
    claims = {"worst case": fields, "average": fields.get("average")}
    made = {
        name: claim
        for name, claim in claims.items()
        if isinstance(claim, Mapping) and isinstance(claim.get("strategy"), dict)
    }
    unsolvable = _without_plan(board) if made else ()
    for name, claim in made.items():
        strategy, length = Strategy.from_json(claim["strategy"]), claim.get("length")
        try:
            outcome = check_strategy(board, strategy, unsolvable)
        except (IllegalMove, NotSolved) as error:
            yield name, error
            continue
        value = outcome.worst if name == "worst case" else outcome.mean
        if isinstance(length, int | float) and abs(value - length) > 1e-9:
            yield name, NotSolved(f"it takes {value:g} moves, and {json.dumps(length)} are claimed")
        else:
            yield name, outcome


def _without_plan(board: SortPuzzle) -> list[Filling]:
    cells = Cells.of(board)
    boards = {filling: cells.filled(board, filling) for filling in fillings_of(board)}
    distances = Distances(list(boards.values()))
    return [filling for filling, filled in boards.items() if distances.length(filled) is None]
