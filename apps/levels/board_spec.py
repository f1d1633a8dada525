"""Specifications of boards: ranges of measures, and how far a board is from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

from bsp_sat.apps.levels.figure import Figure, How, number
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.apps.levels.reference import PercentileTable, table_of
from bsp_sat.apps.levels.study import Study
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.words import short

WRONG_KIND = 1_000.0  # distance of an unsolvable board if a solvable one is wanted, and the reverse


@dataclass(frozen=True)
class Range:
    """An interval of accepted figures. ``of_percentiles``: whether both are percentiles in the board's class."""

    low: float = -inf
    high: float = inf
    of_percentiles: bool = False

    @classmethod
    def parse(cls, text: str) -> "Range":
        """Reads ``36``, ``34..38``, ``..0.05`` or ``34..``; percent signs mean percentiles: ``90..100%``, ``40%..60%``.

        >>> Range.parse("..5%")
        Range(low=-inf, high=5.0, of_percentiles=True)
        """
        first, dots, last = text.partition("..")
        of_percentiles = (last or first).endswith("%")
        if of_percentiles:
            first, last = first.removesuffix("%"), last.removesuffix("%")
        try:
            low = float(first) if first else -inf
            high = float(last) if last else low if not dots else inf
        except ValueError:
            low, high = inf, -inf
        if not low <= high or not (first or last):
            raise Unsupported(
                f"expected a number or a range such as 34..38, ..0.05 or 90..%, found {short(repr(text))}"
            )
        return cls(low, high, of_percentiles)

    def __str__(self) -> str:
        percent = "%" if self.of_percentiles else ""
        low, high = ("" if abs(end) == inf else f"{end:g}" for end in (self.low, self.high))
        return (low if low == high else f"{low}..{high}") + percent

    def gap(self, value: float) -> float:
        """How far a value is outside the range; 0 if it is inside."""
        return max(0.0, self.low - value, value - self.high)


def most_moves(colours: int, capacity: int, empty: int) -> int:
    """A number of moves in which every board of these numbers that has a plan is solved, balls or water.

    A plan takes the borders away, the places where the colour changes, in an order of the border argument (see
    `bsp_sat.backends.search.borders`): for each of them, its balls say which tubes without borders can be kept, and
    that the balls of the others, and those above the border, have room on them or above other borders. So each ball
    that lies above borders moves once at most, and then the border is gone. At least one ball lies under each border
    that is left, so when j of n(h − 1) borders are gone, at most n + j balls lie above them; with fewer borders at
    first the sum is smaller. After the last border each ball moves once, to the others of its colour. A pour moves one
    ball at least.

    Two sharper ends: with an empty tube for each colour every ball goes home, once. With one less, and h < nⁿ, the way
    in ``formal/every_board/README.md`` leads to the end for some colour c: the balls of the other colours go home once
    each. Those of c are moved in rounds, at most h balls in each; a round takes a run with another colour below it, so
    the block of c at its bottom, which was there at the start, lies on balls of c from then on. There are at most h
    such blocks, hence rounds. At last each ball of c goes home, once.

    >>> most_moves(3, 4, 2), most_moves(5, 4, 2)
    (28, 200)
    """
    balls = colours * capacity
    if empty >= colours:
        return balls
    most = sum(range(colours, balls + 1))
    if empty == colours - 1 and capacity < colours**colours:
        return min(most, balls + capacity**2)
    return most


@dataclass(frozen=True)
class BoardSpec:
    """The specification of a board. ``solvable``: whether the board must have a plan; if not, it must have none."""

    rule: type[SortPuzzle]
    colours: int
    capacity: int
    empty: int
    ranges: Mapping[str, Range] = field(default_factory=dict)
    solvable: bool = True

    def __post_init__(self) -> None:
        """Unsupported if no board can meet it.

        That is for percentiles of a class without a table, for a measure that unsolvable boards don't have, and for
        more moves than any board needs.
        """
        for name, wanted in self.ranges.items():
            if wanted.of_percentiles and self.table is None:
                raise Unsupported(f"there is no table of percentiles for {self.board_class}; give {name} as figures")
            if wanted.of_percentiles and self.table is not None and not self.table.has(name):
                made = "`python -m benchmarks.reference` makes them"
                raise Unsupported(f"the tables of percentiles don't have {name}; {made}, or give it as figures")
            if not self.solvable and not MEASURES[name].of_unsolvable:
                raise Unsupported(f"an unsolvable board has no {name}; effort says how hard that is to see")
        most = most_moves(self.colours, self.capacity, self.empty)
        fewest = self.ranges.get("optimum", Range(high=0, of_percentiles=True))
        if not fewest.of_percentiles and fewest.low > most:
            size = f"{self.colours} colours, {self.capacity} balls a tube and {self.empty} empty tubes"
            raise Unsupported(f"no board needs {fewest.low:g} moves with {size}: {most} are enough for each")

    @property
    def board_class(self) -> str:
        """The class of the boards, see `bsp_sat.apps.levels.reference`."""
        return f"{self.rule.kind}-{self.colours}-{self.capacity}-{self.empty}"

    @property
    def table(self) -> PercentileTable | None:
        """The percentile table of the class; None if there is none."""
        return table_of(self.board_class)

    def distance(self, study: Study, enough: float = inf) -> float:
        """How far a board is from the specification; 0 if it meets it.

        The sum of the gaps. A gap in percentiles counts in hundredths; a gap in figures is divided by the difference of
        the 10th and the 90th percentile. Slow measures come last, and only until the sum exceeds ``enough``.
        """
        if not study.is_settled or study.is_solvable != self.solvable:
            closer = MEASURES["random_success"].take(study) if study.is_solvable else None
            return WRONG_KIND if closer is None or closer.value is None else WRONG_KIND + closer.value
        total = 0.0
        for name, measure in MEASURES.items():
            if name in self.ranges and total <= enough:
                total += self._distance(name, measure.take(study))
        return total

    def unmet(self, study: Study) -> tuple[str, ...]:
        """What of the specification a board doesn't meet: each wish, and the board's own figure."""
        if not study.is_settled or study.is_solvable != self.solvable:
            return ("a plan" if self.solvable else "no plan",)
        found = []
        for name, wanted in self.ranges.items():
            figure = MEASURES[name].take(study)
            if self._distance(name, figure):
                found.append(f"{name} {wanted}, it has {self._figure_in_words(name, figure)}")
        return tuple(found)

    def _figure_in_words(self, name: str, figure: Figure | None) -> str:
        value = None if figure is None else figure.value
        if figure is not None and self.ranges[name].of_percentiles and self.table is not None:
            value = self.table.percentile(name, figure)
        return number(value) + ("%" if self.ranges[name].of_percentiles else "")

    def _distance(self, name: str, figure: Figure | None) -> float:
        wanted = self.ranges[name]
        if figure is None or figure.value is None:
            return 1.0  # an unknown figure counts as far away
        if wanted.of_percentiles:
            assert self.table is not None
            percentile = self.table.percentile(name, figure)
            return 1.0 if percentile is None else wanted.gap(percentile) / 100
        return wanted.gap(figure.value) / self._usual_spread(name, figure.how, wanted)

    def _usual_spread(self, name: str, how: How, wanted: Range) -> float:
        ends = [] if self.table is None else [self.table.value_at(name, how, percentile) for percentile in (10, 90)]
        known = [end for end in ends if end is not None]
        if len(known) == 2 and known[0] < known[1]:
            return known[1] - known[0]
        return max(1.0, *(abs(end) for end in (wanted.low, wanted.high) if abs(end) < inf), 0.0)
