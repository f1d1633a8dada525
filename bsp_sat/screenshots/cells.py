"""Cells: the step from one to the next, where each is in its tube, and what it looks like.

**Pitch.** Heights of regions are whole numbers of cells: where two cells of one colour touch, their region is twice as
high. The pitch is the step that explains the heights between the borders of all tubes best; half of it would explain
them as well, but with twice the relative error, so that the largest fitting one wins.

**Samples.** A cell's colour is the median of a ring: symbols stand in the middle of a cell, the outline and the
roundings of tubes are at its rim, and highlights and bubbles are less than half of the ring. A grid of the parts of the
middle tells patterns and symbols apart.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cielab import Lab
from bsp_sat.screenshots.rows import Row, Tube
from bsp_sat.screenshots.stacks import Region

RING = (0.18, 0.38)  # from the middle, over the width and the height of a cell
GRID = 6  # parts of a cell, across and down
FINE = 3  # samples of a part, across and down
MOST_CELLS = 16  # a tube
FLATTEST = 0.4  # pitch over width
TALLEST = 1.7  # the same
NO_SINGLE = 0.1  # added to the misfit where no height is of one cell
DISC = (0.66, 0.87)  # of its box that a disc fills, π/4 were it not for edges


@dataclass(frozen=True)
class Lattice:
    """Where the cells of tubes are.

    Attributes:
        balls: whether they are discs; else layers.
        pitch: from one cell to the next, in pixels.
        foot: from the bottom of a tube's inside to the lower border of its second cell, less the pitch.
        width: of a cell.
        error: mean relative misfit of the heights, 0 to 0.5.
        single: how many heights of one cell speak for the pitch.
    """

    balls: bool
    pitch: float
    foot: float
    width: float
    error: float
    single: int

    def box(self, tube: Tube, slot: int) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of a cell of a tube, counted from the bottom from 0."""
        half = self.width / 2
        lower = tube.bottom - self.foot - slot * self.pitch
        if self.balls:
            centre = tube.bottom - half - slot * self.pitch
            return tube.centre - half, centre - half, tube.centre + half, centre + half
        return tube.centre - half, lower - self.pitch, tube.centre + half, tube.bottom if slot == 0 else lower


@dataclass(frozen=True)
class Look:
    """What a place looks like.

    Attributes:
        colour: median of its ring, in Lab.
        parts: `GRID` × `GRID` mean colours, in Lab.
        each_corner: the four colours of its corners, in Lab.
    """

    colour: NDArray[np.float32]
    parts: NDArray[np.float32]
    each_corner: NDArray[np.float32]

    @cached_property
    def corners(self) -> NDArray[np.float32]:
        """The usual colour of its corners."""
        return np.median(self.each_corner, axis=0)

    def texture(self) -> NDArray[np.float32]:
        """Its parts without its colour."""
        rest: NDArray[np.float32] = self.parts - self.parts.mean(axis=(0, 1))
        return rest


def find_lattice(rows: Sequence[Row], width: float) -> Lattice | None:
    """The cells of filled tubes, or None where nothing fits."""
    tubes = [tube for row in rows for tube in row.tubes if len(tube.regions) > 1]
    regions = [region for tube in tubes for region in tube.regions]
    if not regions:
        return None
    width = float(median(region.width for region in regions)) + 2  # regions are without their borders
    square = [region for region in regions if _is_square(region, width)]
    filled = [region.area / (region.width * region.height) for region in square]
    if len(square) >= 0.6 * len(regions) and DISC[0] <= median(filled) <= DISC[1]:
        return _of_balls(tubes, width)
    return _of_layers(tubes, width)


def _is_square(region: Region, width: float) -> bool:
    return abs(region.height + 2 - width) <= max(2.0, 0.14 * width)


def _of_balls(tubes: Sequence[Tube], width: float) -> Lattice | None:
    discs = [[region for region in tube.regions if _is_square(region, width)] for tube in tubes]
    steps = [
        (lower.top + lower.bottom - upper.top - upper.bottom) / 2
        for of_tube in discs
        for lower, upper in itertools.pairwise(of_tube)
    ]
    steps = [step for step in steps if step >= 0.8 * width]
    if not steps:
        return None
    single = [step for step in steps if step <= 1.25 * min(steps)]
    pitch = _refined(steps, float(median(single)))
    return Lattice(True, pitch, 0.0, width, _misfit(steps, pitch), len(single))


def _of_layers(tubes: Sequence[Tube], width: float) -> Lattice | None:
    between: list[float] = []  # heights from border to border
    tops: list[float] = []  # of highest regions, from their lower border up
    ends: list[float] = []  # of lowest regions, from the bottom up to their upper border
    for tube in tubes:
        borders = [
            (lower.top + upper.bottom) / 2
            for lower, upper in zip(tube.regions, tube.regions[1:], strict=False)
            if lower.top - upper.bottom <= 0.25 * width
        ]
        between += [lower - upper for lower, upper in itertools.pairwise(borders)]
        if len(tube.regions) > 1 and tube.regions[0].top - tube.regions[1].bottom <= 0.25 * width:
            ends.append(tube.bottom + 1 - borders[0])
            tops.append(borders[-1] - tube.regions[-1].top + 1)
    # Above the highest border may be air, which is of any height; where there is little else it has to do.
    heights = [height for height in between + ends + (tops if len(between) < 4 else []) if height >= 0.2 * width]
    if not heights:
        return None
    steps = np.arange(FLATTEST * width, TALLEST * width, 0.25)
    misfits = [_misfit(heights, step) + NO_SINGLE * (not _singles(heights, step)) for step in steps]
    pitch = float(steps[int(np.argmin(misfits))])
    pitch = _refined(heights, pitch)
    inner = between if len(between) >= 4 else heights
    finer = _refined(inner, pitch)
    if _misfit(ends, finer) <= _misfit(ends, pitch) + 0.1:  # lowest cells may be of another height
        pitch = finer
    return Lattice(False, pitch, _foot(ends, pitch), width, _misfit(inner, pitch), _singles(heights, pitch))


def _singles(heights: Sequence[float], pitch: float) -> int:
    """How many heights are of one cell."""
    return sum(1 for height in heights if round(height / pitch) == 1)


def _misfit(heights: Sequence[float], pitch: float) -> float:
    """Mean distance from whole numbers of cells, in cells; a height below half a cell counts as a miss."""
    if not heights:
        return 0.0
    cells = np.array(heights) / pitch
    whole = np.maximum(np.round(cells), 1)
    return float(np.minimum(np.abs(cells - whole), 0.5).mean())


def _refined(heights: Sequence[float], pitch: float) -> float:
    cells = np.maximum(np.round(np.array(heights) / pitch), 1)
    good = np.abs(np.array(heights) / pitch - cells) <= 0.25
    if not good.any():
        return pitch
    return float((np.array(heights)[good]).sum() / cells[good].sum())


def _foot(ends: Sequence[float], pitch: float) -> float:
    """By how much lowest cells are higher than the others; negative where lower."""
    if not ends:
        return 0.0
    angles = np.exp(2j * np.pi * np.array(ends) / pitch)
    rest = float(np.angle(angles.mean()) / (2 * np.pi)) * pitch  # in half a pitch around 0
    if rest < -0.3 * pitch and min(ends) >= 0.85 * (pitch + rest + pitch):
        rest += pitch  # the lowest cell is never so low where none is seen
    return rest


def _ring() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of the ring in a cell of width and height 1."""
    steps = (np.arange(15) + 0.5) / 15
    x, y = np.meshgrid(steps, steps)
    from_middle = np.hypot(x - 0.5, y - 0.5)
    inside = (from_middle >= RING[0]) & (from_middle <= RING[1])
    return x[inside], y[inside]


_RING_X, _RING_Y = _ring()


def look_at(lab: Lab, box: tuple[float, float, float, float]) -> Look:
    """What a box of a picture looks like."""
    left, top, right, bottom = box
    across, down = right - left, bottom - top
    fine = GRID * FINE
    steps = (np.arange(fine) + 0.5) / fine
    x = np.clip(np.round(left + across * (0.2 + 0.6 * steps) - 0.5), 0, lab.shape[1] - 1).astype(int)
    y = np.clip(np.round(top + down * (0.2 + 0.6 * steps) - 0.5), 0, lab.shape[0] - 1).astype(int)
    samples = lab[y[:, None], x[None, :]]
    parts = samples.reshape(GRID, FINE, GRID, FINE, 3).mean(axis=(1, 3))
    ring_x = np.clip(np.round(left + across * _RING_X - 0.5), 0, lab.shape[1] - 1).astype(int)
    ring_y = np.clip(np.round(top + down * _RING_Y - 0.5), 0, lab.shape[0] - 1).astype(int)
    colour = np.median(lab[ring_y, ring_x], axis=0)
    edge_x = np.clip(np.round([left + 0.07 * across, right - 0.07 * across - 1]), 0, lab.shape[1] - 1).astype(int)
    edge_y = np.clip(np.round([top + 0.07 * down, bottom - 0.07 * down - 1]), 0, lab.shape[0] - 1).astype(int)
    corners = lab[edge_y[:, None], edge_x[None, :]].reshape(-1, 3)
    return Look(colour, parts, corners)


def slots_of(lattice: Lattice, tube: Tube, top: float) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
    """The places for cells in a tube up to a row of the picture, from the bottom."""
    for slot in range(MOST_CELLS):
        box = lattice.box(tube, slot)
        if (box[1] + box[3]) / 2 < top:
            return
        yield slot, box
