"""Stacks of regions: the cells of filled tubes, found by one width that repeats in columns.

A tube shows regions of one width above each other, and its neighbours show the same; letters, buttons and
advertisements don't. No colour and no place of any app is used.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.regions import Regions

LEAST_WIDTH = 7  # pixels
WIDEST = 0.34  # of the picture
LEAST_FILLED = 0.56  # of its box; a disc fills .79
LEAST_CORE = 0.7  # of its height; what is left between two discs has less in its middle
FLATTEST = 0.25  # height over width
LOOSEST_GAP = 1.2  # of the width, between regions that are asked whether they belong together
SPLIT = 0.18  # of the width, that gaps within a stack differ by
SAME_WIDTH = 0.09
MOST_WIDTHS = 4  # hypotheses that are followed


@dataclass(frozen=True)
class Region:
    """A flat region's box, in pixels; ``right`` and ``bottom`` are one past the last."""

    left: int
    top: int
    right: int
    bottom: int
    area: int

    @property
    def width(self) -> int:
        """Columns."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top

    @property
    def centre(self) -> float:
        """The middle column."""
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class Stack:
    """Regions above each other, the lowest first."""

    regions: tuple[Region, ...]

    @property
    def centre(self) -> float:
        """The middle column."""
        return float(median(region.centre for region in self.regions))

    @property
    def bottom(self) -> int:
        """One past the lowest row."""
        return self.regions[0].bottom

    @property
    def top(self) -> int:
        """The highest row."""
        return self.regions[-1].top


@dataclass(frozen=True)
class Stacks:
    """The stacks of one width.

    Attributes:
        width: of their regions, in pixels.
        stacks: in no order.
        score: how much speaks for this width; only to be compared.
    """

    width: float
    stacks: tuple[Stack, ...]
    score: float


def candidates(regions: Regions, picture_width: int) -> list[Region]:
    """The regions that may be cells: neither tiny nor huge, and filling their box."""
    width, height = regions.right - regions.left, regions.bottom - regions.top
    good = (
        (width >= LEAST_WIDTH)
        & (width <= WIDEST * picture_width)
        & (height >= FLATTEST * width)
        & (height <= 14 * width)
        & (regions.area >= LEAST_FILLED * width * height)
        & (regions.core >= LEAST_CORE)
    )
    columns = (regions.left, regions.top, regions.right, regions.bottom, regions.area)
    return [Region(*(int(column[index]) for column in columns)) for index in np.flatnonzero(good)]


def find_stacks(found: Sequence[Region]) -> list[Stacks]:
    """The widths that repeat in columns, the best first."""
    if not found:
        return []
    widths = np.array([region.width for region in found], dtype=float)
    hypotheses: list[Stacks] = []
    for width in sorted(set(widths)):
        of_width = np.flatnonzero(np.abs(widths - width) <= max(1.5, SAME_WIDTH * width))
        if len(of_width) >= 3:
            hypotheses.append(_stacks_of([found[int(index)] for index in of_width]))
    hypotheses.sort(key=lambda each: -each.score)
    kept: list[Stacks] = []
    for each in hypotheses:
        if each.score > 0 and all(abs(each.width / other.width - 1) > 1.5 * SAME_WIDTH for other in kept):
            kept.append(each)
    return kept[:MOST_WIDTHS]


def _stacks_of(regions: list[Region]) -> Stacks:
    width = float(np.median([region.width for region in regions]))
    columns = list(_columns(regions, width))
    gaps = sorted(
        upper_gap
        for column in columns
        for upper_gap in _gaps(column)
        if -0.1 * width <= upper_gap <= LOOSEST_GAP * width
    )
    usual = gaps[len(gaps) // 3] if gaps else 0.0
    stacks = tuple(stack for column in columns for stack in _split(column, usual + SPLIT * width))
    cells = [stack for stack in stacks if len(stack.regions) > 1]
    # What stands in a row with others of the same bottom is no accident; long stacks aren't either.
    bottoms = np.array([stack.bottom for stack in cells], dtype=float)
    beside = [int((np.abs(bottoms - stack.bottom) <= 0.35 * width).sum()) for stack in cells]
    score = float(sum(len(stack.regions) * min(3, row) for stack, row in zip(cells, beside, strict=True)))
    score += 0.5 * sum(1 for stack in stacks if len(stack.regions) == 1 and _is_beside(stack, bottoms, width))
    return Stacks(width, stacks, score)


def _is_beside(stack: Stack, bottoms: NDArray[np.float64], width: float) -> bool:
    return bool((np.abs(bottoms - stack.bottom) <= 0.35 * width).any())


def _columns(regions: list[Region], width: float) -> Iterator[list[Region]]:
    """Regions of about the same centre, lowest first."""
    column: list[Region] = []
    for region in sorted(regions, key=lambda each: each.centre):
        if column and region.centre - np.mean([each.centre for each in column]) > 0.3 * width:
            yield sorted(column, key=lambda each: -each.bottom)
            column = []
        column.append(region)
    if column:
        yield sorted(column, key=lambda each: -each.bottom)


def _gaps(column: list[Region]) -> Iterator[int]:
    for lower, upper in itertools.pairwise(column):
        yield lower.top - upper.bottom


def _split(column: list[Region], widest: float) -> Iterator[Stack]:
    stack: list[Region] = []
    for region in column:
        if stack and region.bottom > stack[-1].bottom - 0.5 * min(region.height, stack[-1].height):
            continue  # inside the one below
        if stack and stack[-1].top - region.bottom > widest:
            yield Stack(tuple(stack))
            stack = []
        stack.append(region)
    if stack:
        yield Stack(tuple(stack))
