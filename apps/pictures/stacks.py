"""Stacks of regions: the cells of filled tubes, found by one width that repeats in columns.

A tube shows regions of one width above each other, and its neighbours show the same; letters, buttons and
advertisements don't. No colour and no place of any app is used.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from bsp_sat.apps.pictures.picture import Region

MOST_REGIONS = 5_000  # of a picture; of 1,353 ways to look at one, none has more than 491
LOOSEST_GAP = 1.2  # of the width, between regions that are asked whether they belong together
SPLIT = 0.18  # of the width, that gaps within a stack differ by
SAME_WIDTH = 0.09
TAPER = 0.25  # of the width, that cells at the foot of a cup are narrower
CENTRED = 0.05  # of it, that its middle is off theirs
SEAM = 3  # pixels, that parts of a cell are apart at most, and their upper and lower ends
LEVEL = 0.35  # of the width, that bottoms in one row differ by
BESIDE = 0.3  # of the width, that cells beside each other are higher or lower
NEXT = 2.6  # of it, that they are apart at most
TILTED = 0.025  # by how much one side is further away than the other; of pictures that aren't tilted .017 is measured
CLOSER = 0.5  # times as far as before cells are off after that; else it is chance
LEAST_SEEN = 3  # pairs that tell it
MOST_STACKS = 100  # that are asked; a board has at most 40
MOST_CELLS = 400
MOST_POINTS = 150  # that are compared, each with each


Stack = Sequence[Region]
"""Regions above each other, the lowest first."""


def find_stacks(found: Sequence[Region]) -> tuple[float, list[Stack]]:
    """The stacks of the width that repeats most in columns, and this width in pixels; none where none does."""
    best: tuple[float, float, list[Stack]] = 0.0, 0.0, []
    found = _whole(found) if len(found) <= MOST_REGIONS else []
    for width in sorted({region.width for region in found}):
        alike = [region for region in found if abs(region.width - width) <= max(1.5, SAME_WIDTH * width)]
        if len(alike) >= 3:
            usual = median(region.width for region in alike)
            stacks = _stacks_of(alike, usual)
            best = max(best, (_score(stacks, usual), usual, stacks), key=lambda each: each[0])
    return best[1], _tapered(found, *best[1:])


def skew(width: float, stacks: Sequence[Stack]) -> float:
    """By how much rows sink from left to right, in pixels a pixel: median over neighbours with about one bottom."""
    lowest = sorted((stack[0] for stack in stacks if len(stack) > 1), key=lambda region: region.centre)
    slopes = [
        (right.bottom - left.bottom) / (right.centre - left.centre)
        for left, right in itertools.combinations(lowest, 2)
        if width < right.centre - left.centre and abs(right.bottom - left.bottom) <= 0.5 * width
    ]
    return median(slopes) if len(slopes) >= LEAST_SEEN else 0.0


def tilt(width: float, stacks: Sequence[Stack], size: tuple[int, int]) -> tuple[float, float]:
    """By how much cells are further away, and so smaller, for each pixel to the right, and down.

    Rows that sink ever more further down, and columns that lean ever more to the right, meet there.
    """
    columns = [stack for stack in stacks[:MOST_STACKS] if len(stack) > 1]
    cells = sorted((region for stack in columns for region in stack), key=lambda region: region.centre)
    sinks, leans = [], []
    for left, right in itertools.combinations(cells[:MOST_CELLS], 2):
        across, tops, bottoms = right.centre - left.centre, right.top - left.top, right.bottom - left.bottom
        if width < across < NEXT * width and max(abs(tops), abs(bottoms)) <= BESIDE * width:
            sinks.append(((left.top + left.bottom + right.top + right.bottom) / 4, (tops + bottoms) / 2 / across))
    for stack in columns:
        middles = [((region.top + region.bottom) / 2, region.centre) for region in stack]
        if middles[0][0] - middles[-1][0] >= width:
            leans.append((fmean(centre for _, centre in middles), median(_rises(middles, 0))))
    return -_rise(sinks, 1.5 * width, TILTED / size[0]), -_rise(leans, 1.5 * width, TILTED / size[1])


def _rises(points: Sequence[tuple[float, float]], apart: float) -> list[float]:
    """How steeply values rise between points that are ``apart``."""
    pairs = itertools.combinations(sorted(points)[:: len(points) // MOST_POINTS + 1], 2)
    return [(two[1] - one[1]) / (two[0] - one[0]) for one, two in pairs if two[0] - one[0] > apart]


def _rise(points: Sequence[tuple[float, float]], apart: float, least: float) -> float:
    """The median of `_rises`; 0 below ``least``, and where values are as near to their median as to a line so steep."""
    rises = _rises(points, apart)
    rise = median(rises) if len(rises) >= LEAST_SEEN else 0.0
    if abs(rise) < least:
        return 0.0
    level, off = ([value - by * at for at, value in points] for by in (0.0, rise))
    spreads = [median(abs(value - median(values)) for value in values) for values in (level, off)]
    return rise if spreads[1] < CLOSER * spreads[0] else 0.0


def _tapered(found: Sequence[Region], width: float, stacks: list[Stack]) -> list[Stack]:
    """Stacks with what touches them at the same centre and is a little wider or narrower, as in cups."""
    cells = [region for stack in stacks for region in stack]
    taken = set(cells)
    by_centre: dict[int, list[Region]] = defaultdict(list)
    for region in cells:
        by_centre[int(region.centre)].append(region)
    added = []
    for region in found:
        if region in taken or abs(region.width - width) > TAPER * width:
            continue
        near = range(int(region.centre - CENTRED * width), int(region.centre + CENTRED * width) + 1)
        beyond = (max(region.top - each.bottom, each.top - region.bottom) for at in near for each in by_centre[at])
        if any(-SEAM <= gap <= SPLIT * width for gap in beyond):
            added.append(region)
            by_centre[int(region.centre)].append(region)
    tall = sum(len(stack) > 1 for stack in stacks)
    return _stacks_of([*cells, *added], width) if 3 * len(added) >= tall > 0 else stacks


def _whole(regions: Sequence[Region]) -> list[Region]:
    """Regions with those that touch at their sides and are alike high made one: light and dark parts of a cell."""
    by_right: dict[int, list[Region]] = defaultdict(list)
    for region in sorted(regions):
        left, top, right, bottom, area = region
        before = (each for at in range(left - SEAM, left + 2) for each in by_right[at])
        other = next((each for each in before if max(abs(top - each.top), abs(bottom - each.bottom)) <= SEAM), None)
        if other is not None:
            by_right[other.right].remove(other)
            region = Region(other.left, min(top, other.top), right, max(bottom, other.bottom), area + other.area)
        by_right[right].append(region)
    return [region for regions in by_right.values() for region in regions]


def _stacks_of(regions: list[Region], width: float) -> list[Stack]:
    columns = list(_columns(regions, width))
    gaps = sorted(
        gap
        for column in columns
        for lower, upper in itertools.pairwise(column)
        if -0.1 * width <= (gap := lower.top - upper.bottom) <= LOOSEST_GAP * width
    )
    usual = gaps[len(gaps) // 3] if gaps else 0.0
    return [stack for column in columns for stack in _split(column, usual + SPLIT * width)]


def _score(stacks: Sequence[Stack], width: float) -> float:
    """What speaks for a width: long stacks, and stacks in a row with others of the same bottom, are no accident."""
    bottoms = [stack[0].bottom for stack in stacks if len(stack) > 1]
    score = 0.0
    for stack in stacks:
        beside = sum(abs(bottom - stack[0].bottom) <= LEVEL * width for bottom in bottoms)
        score += len(stack) * min(3, beside) if len(stack) > 1 else 0.5 * (beside > 0)
    return score


def _columns(regions: list[Region], width: float) -> Iterator[list[Region]]:
    """Regions of about the same centre, lowest first."""
    column: list[Region] = []
    for region in sorted(regions, key=lambda each: each.centre):
        if column and region.centre - fmean(each.centre for each in column) > 0.3 * width:
            yield sorted(column, key=lambda each: -each.bottom)
            column = []
        column.append(region)
    yield sorted(column, key=lambda each: -each.bottom)


def _split(column: list[Region], widest: float) -> Iterator[Stack]:
    stack: list[Region] = []
    for region in column:
        if stack and region.bottom > stack[-1].bottom - 0.5 * min(region.height, stack[-1].height):
            continue  # inside the one below
        if stack and stack[-1].top - region.bottom > widest:
            yield stack
            stack = []
        stack.append(region)
    if stack:
        yield stack
