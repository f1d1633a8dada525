"""Percentiles of a board's figures among boards of its size, from shipped tables.

A **class** is a rule with numbers of colours, balls a tube and empty tubes: ``ball-sort-9-4-2``. Each table holds every
figure of the first 1,000 solvable boards that `random_boards` makes from seed 0; `benchmarks/reference.py` made them.
Exact and sampled figures have separate lists, as they may be shares of different things. Figures are rounded.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise

from bsp_sat.apps.levels.figure import Figure, How
from bsp_sat.instances.sorting import SortPuzzle

DIGITS = 4
LEAST_BOARDS = 100  # fewer figures of one kind (exact or sampled) give no percentile


def class_of(puzzle: SortPuzzle) -> str | None:
    """The class of a board of full and empty tubes whose colours fill one tube each; None for others."""
    full = [tube for tube in puzzle.tubes if tube]
    if puzzle.features() or any(len(tube) < puzzle.capacity for tube in full):
        return None
    return f"{puzzle.kind}-{len(full)}-{puzzle.capacity}-{len(puzzle.tubes) - len(full)}"


def rounded(value: float) -> float:
    """A figure, rounded like those of the tables."""
    return float(f"{value:.{DIGITS}g}")


@cache
def known_classes() -> tuple[str, ...]:
    """The classes with a table."""
    names = (entry.name for entry in files("bsp_sat.apps.levels").joinpath("data").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


class PercentileTable:
    """The figures of a class: by measure and `How`, ascending values, each with the number of boards that have it."""

    def __init__(self, measures: Mapping[str, Mapping[str, list[tuple[float, int]]]]) -> None:
        lists = {(name, how): pairs for name, kinds in measures.items() for how, pairs in kinds.items()}
        self._values = {key: [value for value, _ in pairs] for key, pairs in lists.items()}
        self._boards = {key: [0, *accumulate(number for _, number in pairs)] for key, pairs in lists.items()}

    def has(self, name: str) -> bool:
        """Whether it has figures of a measure: a new one has none until the tables are made again."""
        return any((name, str(how)) in self._values for how in How)

    def percentile(self, name: str, figure: Figure) -> float | None:
        """How many of 100 boards of the class have less, plus half of those that have the same figure.

        None if the figure is only bounded, or too few boards have a figure that is known in the same way.
        """
        key = name, str(figure.how)
        if figure.value is None or figure.how is How.BOUNDED or key not in self._values:
            return None
        values, boards = self._values[key], self._boards[key]
        if boards[-1] < LEAST_BOARDS:
            return None
        value = rounded(figure.value)
        below, up_to = boards[bisect_left(values, value)], boards[bisect_right(values, value)]
        return round(50 * (below + up_to) / boards[-1], 2)

    def boards(self, name: str, how: How) -> list[tuple[float, int]]:
        """The values in ascending order, each with the number of boards that have it."""
        key = name, str(how)
        if key not in self._values:
            return []
        steps = pairwise(self._boards[key])
        return [(value, after - before) for value, (before, after) in zip(self._values[key], steps, strict=True)]

    def value_at(self, name: str, how: How, percentile: float) -> float | None:
        """The largest value such that at most ``percentile`` % of the boards have less; None if there are no values."""
        key = name, str(how)
        if key not in self._values:
            return None
        values, boards = self._values[key], self._boards[key]
        place = bisect_right(boards, percentile / 100 * boards[-1]) - 1
        return values[min(place, len(values) - 1)]


@cache
def table_of(board_class: str | None) -> PercentileTable | None:
    """The table of a class; None if there is none."""
    if board_class is None or board_class not in known_classes():
        return None
    text = files("bsp_sat.apps.levels").joinpath("data", f"{board_class}.json").read_text(encoding="utf-8")
    return PercentileTable(json.loads(text)["measures"])
