"""What boards are asked for: ranges of measures, and how far a board is from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

from bsp_sat.grading.figure import Figure, How
from bsp_sat.grading.grade import Grade
from bsp_sat.grading.reference import Table, class_of, table_of
from bsp_sat.grading.registry import MEASURES
from bsp_sat.grading.study import Study
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.words import short

WRONG_KIND = 1_000.0  # away from what is asked for: a board that can't be solved, or should not be


@dataclass(frozen=True)
class Range:
    """The figures that are accepted.

    Attributes:
        low: the least.
        high: the most.
        of_percentiles: whether these are percentiles in the board's class.
    """

    low: float = -inf
    high: float = inf
    of_percentiles: bool = False

    @classmethod
    def parse(cls, text: str) -> "Range":
        """Reads ``36``, ``34..38``, ``..0.05``, ``34..``, and percentiles with a percent sign behind: ``90..100%``.

        Raises:
            Unsupported: it is none of these.

        >>> Range.parse("..5%")
        Range(low=-inf, high=5.0, of_percentiles=True)
        """
        bare = text.removesuffix("%")
        first, dots, last = bare.partition("..")
        try:
            low = float(first) if first else -inf
            high = float(last) if last else low if not dots else inf
        except ValueError:
            low, high = inf, -inf
        if not low <= high or not bare.strip("."):
            raise Unsupported(
                f"expected a number or a range such as 34..38, ..0.05 or 90..%, found {short(repr(text))}"
            )
        return cls(low, high, len(bare) < len(text))

    def gap(self, value: float) -> float:
        """By how much a value is outside."""
        return max(0.0, self.low - value, value - self.high)


@dataclass(frozen=True)
class BoardSpec:
    """What boards are asked for.

    Attributes:
        rule: ball sort or water sort.
        colours: number of colours, each fills one tube.
        capacity: balls a tube.
        empty: empty tubes.
        ranges: by measure.
        solvable: whether boards with a plan are wanted, or such without.
    """

    rule: type[SortPuzzle]
    colours: int
    capacity: int
    empty: int
    ranges: Mapping[str, Range] = field(default_factory=dict)
    solvable: bool = True

    def __post_init__(self) -> None:
        """Refuses what no board can be.

        Raises:
            Unsupported: percentiles of a class without a table, or a measure that unsolvable boards don't have.
        """
        for name, wanted in self.ranges.items():
            if wanted.of_percentiles and self.table is None:
                raise Unsupported(f"there is no table of percentiles for {self.board_class}; give {name} as figures")
            if not self.solvable and name not in ("effort", "min_empty"):
                raise Unsupported(f"an unsolvable board has no {name}; effort says how hard that is to see")

    @property
    def board_class(self) -> str:
        """The boards' class, see `bsp_sat.grading.reference`."""
        return f"{self.rule.kind}-{self.colours}-{self.capacity}-{self.empty}"

    @property
    def table(self) -> Table | None:
        """The figures of other boards of the class."""
        return table_of(self.board_class)

    def distance(self, study: Study, enough: float = inf) -> float:
        """How far a board is from what is asked for, 0 where it is that.

        The gaps are summed up, percentiles in hundredths, figures in lengths between the 10th and the 90th percentile.
        What takes time is looked at last, and not at all where the board is farther than ``enough`` without it.
        """
        if not study.is_settled or study.is_solvable != self.solvable:
            closer = MEASURES["random_success"].take(study) if study.is_solvable else None
            return WRONG_KIND if closer is None or closer.value is None else WRONG_KIND + closer.value
        total = 0.0
        for name, measure in MEASURES.items():
            if name in self.ranges and total <= enough:
                total += self._gap(name, measure.take(study))
        return total

    def _gap(self, name: str, figure: Figure | None) -> float:
        wanted = self.ranges[name]
        if figure is None or figure.value is None:
            return 1.0  # not known is as bad as far away
        if wanted.of_percentiles:
            assert self.table is not None
            percentile = self.table.percentile(name, figure)
            return 1.0 if percentile is None else wanted.gap(percentile) / 100
        return wanted.gap(figure.value) / self._scale(name, figure.how, wanted)

    def _scale(self, name: str, how: How, wanted: Range) -> float:
        ends = [] if self.table is None else [self.table.value_at(name, how, percentile) for percentile in (10, 90)]
        known = [end for end in ends if end is not None]
        if len(known) == 2 and known[0] < known[1]:
            return known[1] - known[0]
        return max(1.0, *(abs(end) for end in (wanted.low, wanted.high) if abs(end) < inf), 0.0)

    def fits(self, puzzle: SortPuzzle, grades: Mapping[str, Grade]) -> bool:
        """Whether a board's grades are what is asked for."""
        if class_of(puzzle) != self.board_class:
            return False
        for name, wanted in self.ranges.items():
            found = grades[name].percentile if wanted.of_percentiles else grades[name].figure.value
            if found is None or wanted.gap(found):
                return False
        return True


def specs_of(order: BoardSpec, boards: int, curve: str | None) -> list[BoardSpec]:
    """An order for each board of a pack: the same for all, or along the curve of a measure.

    Raises:
        Unsupported: as `along_curve`.
    """
    return [order] * boards if curve is None else along_curve(order, curve, boards)


def along_curve(order: BoardSpec, measure: str, boards: int) -> list[BoardSpec]:
    """An order for each board of a pack, from the easiest to the hardest by one measure.

    Board i of n is asked to be in the i-th of n equal parts of its class, between the figures at its two ends, so that
    any board of a figure that many have will do.

    Raises:
        Unsupported: the class has no table, or the measure is asked for otherwise.
    """
    if order.table is None:
        raise Unsupported(f"there is no table of percentiles for {order.board_class}")
    if measure in order.ranges:
        raise Unsupported(f"{measure} is the curve, and takes no range of its own")
    how = order.table.usual_way(measure)
    orders = []
    for number in range(boards):
        part = boards - 1 - number if MEASURES[measure].easier else number
        ends = [order.table.value_at(measure, how, 100 * place / boards) for place in (part, part + 1)]
        low, high = (end for end in ends if end is not None)
        wanted = {**order.ranges, measure: Range(low, high)}
        orders.append(BoardSpec(order.rule, order.colours, order.capacity, order.empty, wanted, order.solvable))
    return orders
