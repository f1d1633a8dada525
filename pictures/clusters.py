"""Colours: cells grouped by their looks, under the constraint that each colour fills whole tubes.

Cells are joined by average linkage. Where the number of colours is known, from the number of cells and the capacity, so
is the height at which the tree must be cut; the groups then have to have the sizes that whole tubes give, which nothing
but the right grouping is likely to do. How far the least distance between two groups is above the largest within one is
the *margin*: the second, independent evidence.

Where sizes are wrong, cells are dealt to the groups by the least total distance that makes them right (the assignment
problem). That decides single misread cells, and it is a guess: what it moves is doubtful.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bsp_sat.pictures.cells import Look

NOISE = 1.5  # in Lab; what equal colours of a good picture differ by
TEXTURE = 0.6  # weight of patterns beside colours

Distances = NDArray[np.float64]


@dataclass(frozen=True)
class Grouping:
    """Cells by colour.

    Attributes:
        labels: a group for each cell, from 0.
        margin: least distance between groups over the largest within, less noise; above 1 they are apart.
        least: the least distance between groups.
        moved: cells that are not in their nearest group, as sizes demand it.
    """

    labels: tuple[int, ...]
    margin: float
    least: float
    moved: frozenset[int] = frozenset()


def distances(looks: Sequence[Look]) -> Distances:
    """How different cells look, in Lab: of their colours, and of their patterns with less weight."""
    colours = np.array([look.colour for look in looks], dtype=np.float64)
    means = np.array([look.parts.mean(axis=(0, 1)) for look in looks], dtype=np.float64)
    textures = np.array([look.texture().reshape(-1) for look in looks], dtype=np.float64)
    apart = np.sqrt(((colours[:, None] - colours[None]) ** 2).sum(axis=-1))
    apart = np.minimum(apart, np.sqrt(((means[:, None] - means[None]) ** 2).sum(axis=-1)) + 4 * NOISE)
    square = (textures**2).sum(axis=1)
    pattern = np.sqrt(
        np.maximum(square[:, None] + square[None] - 2 * textures @ textures.T, 0) / (textures.shape[1] / 3)
    )
    joint: Distances = np.sqrt(apart**2 + (TEXTURE * pattern) ** 2)
    return joint


def tree(apart: Distances) -> list[tuple[float, tuple[int, ...]]]:
    """The labels after each join of average linkage, and the height of the join; the first has all cells alone."""
    count = len(apart)
    between = apart.copy()
    np.fill_diagonal(between, np.inf)
    sizes = np.ones(count)
    labels = np.arange(count)
    steps = [(0.0, tuple(range(count)))]
    for _ in range(count - 1):
        first, second = divmod(int(np.argmin(between)), count)
        height = float(between[first, second])
        joined = (between[first] * sizes[first] + between[second] * sizes[second]) / (sizes[first] + sizes[second])
        joined[first] = np.inf
        between[first], between[:, first] = joined, joined
        between[second], between[:, second] = np.inf, np.inf
        sizes[first] += sizes[second]
        labels[labels == second] = first
        steps.append((height, tuple(int(label) for label in labels)))
    return steps


def grouped(apart: Distances, groups: int) -> Grouping:
    """The cut of the tree with a number of groups."""
    steps = tree(apart)
    return _cut(steps, len(apart) - groups)


def _cut(steps: Sequence[tuple[float, tuple[int, ...]]], index: int) -> Grouping:
    height, labels = steps[index]
    following = steps[index + 1][0] if index + 1 < len(steps) else 100.0
    return Grouping(_renumbered(labels), following / (height + NOISE), following)


def natural(apart: Distances, most: int) -> Grouping:
    """The cut with the largest margin, of at most a number of groups."""
    steps = tree(apart)
    count = len(apart)
    cuts = [_cut(steps, index) for index in range(max(0, count - most), count)]
    return max(cuts, key=lambda cut: (cut.least >= 5, cut.margin))


def sizes(labels: Sequence[int]) -> list[int]:
    """Cells of each group."""
    return [int(size) for size in np.bincount(np.array(labels, dtype=np.int64))] if labels else []


def dealt(apart: Distances, start: Grouping, size: int) -> Grouping:
    """The groups of ``start`` with exactly ``size`` cells each, by the least total distance."""
    count, groups = len(apart), max(start.labels) + 1
    labels = np.array(start.labels)
    for _ in range(3):
        to_group = np.stack([apart[:, labels == group].mean(axis=1) for group in range(groups)], axis=1)
        places = np.repeat(to_group**2, size, axis=1)
        if places.shape[1] != count:
            return start
        fresh = assignment(places) // size
        if (fresh == labels).all():
            break
        labels = fresh
    to_group = np.stack([apart[:, labels == group].mean(axis=1) for group in range(groups)], axis=1)
    nearest = to_group.argmin(axis=1)
    moved = frozenset(int(cell) for cell in np.flatnonzero((nearest != labels) | (labels != np.array(start.labels))))
    return Grouping(tuple(int(label) for label in labels), start.margin, start.least, moved)


def assignment(costs: Distances) -> NDArray[np.int64]:
    """The column for each row of a square matrix with the least sum of costs (Kuhn, with shortest augmenting paths)."""
    count = len(costs)
    of_row, of_column = np.zeros(count + 1), np.zeros(count + 1)
    row_of = np.zeros(count + 1, dtype=np.int64)
    for row in range(1, count + 1):
        row_of[0] = row
        column = 0
        least = np.full(count + 1, np.inf)
        before = np.zeros(count + 1, dtype=np.int64)
        used = np.zeros(count + 1, dtype=bool)
        while True:
            used[column] = True
            current = row_of[column]
            reduced = costs[current - 1] - of_row[current] - of_column[1:]
            better = ~used[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            before[1:][better] = column
            following = int(np.argmin(np.where(used, np.inf, np.concatenate(([np.inf], least[1:])))))
            step = least[following]
            of_row[row_of[used]] += step
            of_column[used] -= step
            least[~used] -= step
            column = following
            if row_of[column] == 0:
                break
        while column:
            row_of[column] = row_of[before[column]]
            column = int(before[column])
    columns = np.zeros(count, dtype=np.int64)
    columns[row_of[1:] - 1] = np.arange(count)
    return columns


def _renumbered(labels: Sequence[int]) -> tuple[int, ...]:
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(label, len(numbers)) for label in labels)
