"""Flat regions: connected pixels whose colour changes slowly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cielab import Lab

LEAST_AREA = 25  # pixels


@dataclass(frozen=True)
class Regions:
    """Boxes of regions, one row each.

    Attributes:
        left: first column; ``right``, ``bottom`` are one past the last.
        top: first row.
        right: see ``left``.
        bottom: see ``left``.
        area: pixels with those between the first and the last of each row: holes count.
        core: 0 to 1, the share of its height between the highest and the lowest pixel in its middle column.
    """

    left: NDArray[np.int64]
    top: NDArray[np.int64]
    right: NDArray[np.int64]
    bottom: NDArray[np.int64]
    area: NDArray[np.int64]
    core: NDArray[np.float64]


def flat_regions(lab: Lab, step: float) -> Regions:
    """Connected regions in which no two pixels two apart differ by more than ``step``.

    Pixels two apart, as the colours of a blurred edge change in small steps from one to the next.
    """
    flat = np.ones(lab.shape[:2], dtype=bool)
    for channel in np.moveaxis(lab, -1, 0):  # one by one: a maximum over a short last axis takes four times as long
        flat[:, 1:-1] &= np.abs(channel[:, 2:] - channel[:, :-2]) <= step
        flat[1:-1] &= np.abs(channel[2:] - channel[:-2]) <= step
    return boxes(flat)


def boxes(mask: NDArray[np.bool_]) -> Regions:
    """Boxes of the 4-connected regions of a mask, without the smallest.

    Runs of pixels along a row are the nodes; runs that touch in neighbouring rows are joined, and the smallest number
    of a joined set spreads by halving paths.
    """
    height, width = mask.shape
    padded = np.zeros((height, width + 1), dtype=bool)
    padded[:, :width] = mask
    line = padded.ravel()
    change = np.flatnonzero(np.diff(line.astype(np.int8), prepend=0))
    starts, ends = change[::2], change[1::2]
    if not len(starts):
        empty = np.zeros(0, dtype=np.int64)
        return Regions(empty, empty, empty, empty, empty, empty.astype(np.float64))
    number = np.zeros(line.shape, dtype=np.int64)
    number[starts] = 1
    run = (np.cumsum(number) - 1).reshape(padded.shape)
    touching = padded[:-1] & padded[1:]
    upper, lower = run[:-1][touching], run[1:][touching]
    if len(upper):
        fresh = np.ones(len(upper), dtype=bool)
        fresh[1:] = (upper[1:] != upper[:-1]) | (lower[1:] != lower[:-1])
        upper, lower = upper[fresh], lower[fresh]
    parent = _components(len(starts), upper, lower)
    _, group = np.unique(parent, return_inverse=True)
    count = int(group.max()) + 1
    row, left, right = starts // (width + 1), starts % (width + 1), ends - starts + starts % (width + 1)
    lefts, tops = np.full(count, width), np.full(count, height)
    rights, bottoms = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    np.minimum.at(lefts, group, left)
    np.maximum.at(rights, group, right)
    np.minimum.at(tops, group, row)
    np.maximum.at(bottoms, group, row + 1)
    pixels = np.bincount(group, weights=ends - starts, minlength=count)
    kept = pixels >= LEAST_AREA
    # Runs come row by row, so that a stable sort by region leaves those of one row together.
    order = np.argsort(group, kind="stable")
    sorted_group, sorted_row = group[order], row[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (sorted_group[1:] != sorted_group[:-1]) | (sorted_row[1:] != sorted_row[:-1])
    begins = np.flatnonzero(first)
    lasts = np.append(begins[1:], len(order)) - 1
    spans = right[order][lasts] - left[order][begins]
    area = np.bincount(sorted_group[begins], weights=spans, minlength=count).astype(np.int64)
    middle = (lefts + rights) // 2
    inside = (left <= middle[group]) & (right > middle[group])
    high, low = np.full(count, height), np.zeros(count, dtype=np.int64)
    np.minimum.at(high, group[inside], row[inside])
    np.maximum.at(low, group[inside], row[inside] + 1)
    core = np.maximum(low - high, 0) / np.maximum(bottoms - tops, 1)
    return Regions(lefts[kept], tops[kept], rights[kept], bottoms[kept], area[kept], core[kept])


def _components(count: int, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """The smallest node of each node's connected set."""
    parent = np.arange(count)
    while True:
        one, other = parent[first], parent[second]
        apart = one != other
        if not apart.any():
            return parent
        first, second = first[apart], second[apart]
        np.minimum.at(parent, np.maximum(one[apart], other[apart]), np.minimum(one[apart], other[apart]))
        while True:
            shorter = parent[parent]
            if (shorter == parent).all():
                break
            parent = shorter
