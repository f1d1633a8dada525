"""Cells: the step from one to the next, and where each is in its tube.

Heights of regions are whole numbers of cells: where two cells of one colour touch, their region is twice as high. The
step is the one that explains the heights between the borders of all tubes best; half of it would explain them as well,
but with twice the relative error, so that the largest fitting one wins.
"""

import cmath
import itertools
from collections.abc import Iterator, Sequence
from statistics import fmean, median
from typing import NamedTuple

from bsp_sat.apps.pictures.picture import Place, Region
from bsp_sat.apps.pictures.rows import Row, Tube

MOST_CELLS = 16  # a tube
FLATTEST = 0.4  # pitch over width
TALLEST = 1.7  # the same
NO_SINGLE = 0.08  # added to the misfit where no height is of one cell
DISC = 0.66, 0.87  # of its box that a disc fills, π/4 were it not for edges


class Lattice(NamedTuple):
    """Where the cells of tubes are, in pixels: discs or layers, a pitch from one to the next.

    ``foot`` is from the bottom of a tube's inside to the lower border of its second cell, less the pitch.
    """

    balls: bool
    pitch: float
    foot: float
    width: float

    def box(self, tube: Tube, slot: int) -> Place:
        """The place of a cell of a tube, counted from the bottom from 0."""
        half = self.width / 2
        lower = tube.bottom - self.foot - slot * self.pitch
        if self.balls:
            centre = tube.bottom - half - slot * self.pitch
            return tube.centre - half, centre - half, tube.centre + half, centre + half
        return tube.centre - half, lower - self.pitch, tube.centre + half, tube.bottom if slot == 0 else lower

    def inside(self, tube: Tube, cells: int) -> Place:
        """The box of a tube's lowest places."""
        left, top, right, _ = self.box(tube, cells - 1)
        return left, top, right, tube.bottom

    def slots(self, tube: Tube, top: float) -> Iterator[Place]:
        """The places for cells in a tube up to a row of the picture, from the bottom."""
        for slot in range(MOST_CELLS):
            box = self.box(tube, slot)
            if (box[1] + box[3]) / 2 < top:
                return
            yield box


def find_lattice(rows: Sequence[Row]) -> Lattice | None:
    """The cells of filled tubes, or None where nothing fits."""
    tubes = [tube for row in rows for tube in row.tubes if len(tube.regions) > 1]
    regions = [region for tube in tubes for region in tube.regions]
    if not regions:
        return None
    width = median(region.width for region in regions) + 2  # regions are without their borders
    square = [region for region in regions if _discs(region, width)]
    filled = [region.area / (region.width * region.height) for region in square]
    if len(square) >= 0.6 * len(regions) and DISC[0] <= median(filled) <= DISC[1]:
        return _of_balls(tubes, width)
    return _of_layers(tubes, width)


def _discs(region: Region, width: float) -> int:
    """How many discs above each other are as high as a region, in which dark ones may be one; 0 where none are."""
    count = max(1, round((region.height + 2) / width))
    return count if abs(region.height + 2 - count * width) <= max(2.0, 0.14 * width) else 0


def _of_balls(tubes: Sequence[Tube], width: float) -> Lattice | None:
    steps = []
    for tube in tubes:
        middles = [
            region.bottom - (number + 0.5) * region.height / count
            for region in tube.regions
            if (count := _discs(region, width))
            for number in range(count)
        ]
        steps += [step for lower, upper in itertools.pairwise(middles) if (step := lower - upper) >= 0.8 * width]
    if not steps:
        return None
    single = [step for step in steps if step <= 1.25 * min(steps)]
    pitch = _refined(steps, median(single))
    return Lattice(True, pitch, 0.0, width)


def _of_layers(tubes: Sequence[Tube], width: float) -> Lattice | None:
    between: list[float] = []  # heights from border to border
    tops: list[float] = []  # of highest regions, from their lower border up
    ends: list[float] = []  # of lowest regions, from the bottom up to their upper border
    for tube in tubes:
        pairs = list(itertools.pairwise(tube.regions))
        borders = [(one.top + two.bottom) / 2 for one, two in pairs if one.top - two.bottom <= 0.25 * width]
        between += [lower - upper for lower, upper in itertools.pairwise(borders)]
        if pairs[0][0].top - pairs[0][1].bottom <= 0.25 * width:
            ends.append(tube.bottom + 1 - borders[0])
            tops.append(borders[-1] - tube.regions[-1].top + 1)
    # Above the highest border may be air, which is of any height; where there is little else it has to do.
    heights = [height for height in between + ends + (tops if len(between) < 4 else []) if height >= 0.2 * width]
    if not heights:
        return None
    steps = [FLATTEST * width + 0.25 * number for number in range(int(4 * (TALLEST - FLATTEST) * width) + 1)]

    def cost(step: float) -> float:
        has_single = any(round(height / step) == 1 for height in heights)
        return _misfit(heights, step) + NO_SINGLE * (not has_single)

    pitch = _refined(heights, min(steps, key=cost))
    finer = _refined(between if len(between) >= 4 else heights, pitch)
    if _misfit(ends, finer) <= _misfit(ends, pitch) + 0.1:  # lowest cells may be of another height
        pitch = finer
    return Lattice(False, pitch, _foot(ends, pitch), width)


def _misfit(heights: Sequence[float], pitch: float) -> float:
    """Mean distance from whole numbers of cells, in cells; a height below half a cell counts as a miss."""
    cells = [height / pitch for height in heights]
    return fmean(min(abs(each - max(round(each), 1)), 0.5) for each in cells) if cells else 0.0


def _refined(heights: Sequence[float], pitch: float) -> float:
    cells = [(height, max(round(height / pitch), 1)) for height in heights]
    good = [(height, count) for height, count in cells if abs(height / pitch - count) <= 0.25]
    return sum(height for height, _ in good) / sum(count for _, count in good) if good else pitch


def _foot(ends: Sequence[float], pitch: float) -> float:
    """By how much lowest cells are higher than the others; negative where lower."""
    if not ends:
        return 0.0
    turns = [cmath.exp(2j * cmath.pi * end / pitch) for end in ends]
    return cmath.phase(sum(turns)) / (2 * cmath.pi) * pitch  # in half a pitch around 0
