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

from bsp_sat.screenshots.cells import Look

NOISE = 1.5  # in Lab; what equal colours of a good picture differ by
TEXTURE = 0.6  # weight of patterns beside colours
ROUNDING = 1e-9  # of costs; what is cheaper by less is not

Distances = NDArray[np.float64]

Tree = Sequence[tuple[float, tuple[int, ...]]]
"""The steps by which cells are joined, from each alone to all together: the height, and the labels after it."""


@dataclass(frozen=True)
class Grouping:
    """Cells by colour.

    Attributes:
        labels: a group for each cell, from 0.
        margin: least distance between groups over the largest within, less noise; above 1 they are apart.
        least: the least distance between groups.
        widest: the distance of the parts of a group that were joined last.
        moved: cells that are not in their nearest group, as sizes demand it.
    """

    labels: tuple[int, ...]
    margin: float
    least: float
    widest: float
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


def tree(apart: Distances) -> Tree:
    """The labels after each join of average linkage, and the height of the join; the first has all cells alone."""
    count = len(apart)
    between = apart.copy()
    np.fill_diagonal(between, np.inf)
    sizes = np.ones(count)
    rows, labels = np.arange(count), np.arange(count)
    steps = [(0.0, tuple(range(count)))]
    nearest = between.argmin(axis=1)  # kept for each row, as looking through all rows for each join takes long
    for _ in range(count - 1):
        first = int(between[rows, nearest].argmin())
        second = int(nearest[first])
        height = float(between[first, second])
        joined = (between[first] * sizes[first] + between[second] * sizes[second]) / (sizes[first] + sizes[second])
        joined[first] = np.inf
        between[first], between[:, first] = joined, joined
        between[second], between[:, second] = np.inf, np.inf
        changed = (nearest == first) | (nearest == second)
        changed[first] = True
        least = between[rows, nearest]
        nearest[~changed & ((joined < least) | ((joined == least) & (first < nearest)))] = first
        nearest[changed] = between[changed].argmin(axis=1)
        sizes[first] += sizes[second]
        labels[labels == second] = first
        steps.append((height, tuple(labels.tolist())))
    return steps


def grouped(steps: Tree, groups: int) -> Grouping:
    """The cut of a tree with a number of groups."""
    return _cut(steps, len(steps) - groups)


def _cut(steps: Tree, index: int) -> Grouping:
    height, labels = steps[index]
    following = steps[index + 1][0] if index + 1 < len(steps) else 100.0
    return Grouping(_renumbered(labels), following / (height + NOISE), following, height)


def natural(steps: Tree, most: int) -> Grouping:
    """The cut of a tree with the largest margin, of at most a number of groups."""
    count = len(steps)
    cuts = [_cut(steps, index) for index in range(max(0, count - most), count)]
    return max(cuts, key=lambda cut: (cut.least >= 5, cut.margin))


def sizes(labels: Sequence[int]) -> list[int]:
    """Cells of each group."""
    return [int(size) for size in np.bincount(np.array(labels, dtype=np.int64))] if labels else []


def dealt(apart: Distances, start: Grouping, size: int) -> Grouping:
    """The groups of ``start`` with exactly ``size`` cells each, by the least total distance."""
    count, groups = len(apart), max(start.labels) + 1
    labels = np.array(start.labels)
    if count != groups * size:
        return start
    for _ in range(3):
        to_group = np.stack([apart[:, labels == group].mean(axis=1) for group in range(groups)], axis=1)
        fresh = cheapest_shares(to_group**2, size)
        if (fresh == labels).all():
            break
        labels = fresh
    to_group = np.stack([apart[:, labels == group].mean(axis=1) for group in range(groups)], axis=1)
    nearest = to_group.argmin(axis=1)
    moved = frozenset(int(cell) for cell in np.flatnonzero((nearest != labels) | (labels != np.array(start.labels))))
    return Grouping(tuple(int(label) for label in labels), start.margin, start.least, start.widest, moved)


def cheapest_shares(costs: Distances, size: int) -> NDArray[np.int64]:
    """The group for each cell, so that each group has ``size`` of them, with the least sum of costs.

    Each cell begins in its cheapest group. Then a cell at a time leaves a group that has too many, by the cheapest
    chain of moves into one that has room (a flow of minimum cost by successive shortest paths, with groups as nodes).

    Args:
        costs: [cells][groups].
        size: cells of each group; the number of cells is that of groups times it.
    """
    groups = costs.shape[1]
    labels: NDArray[np.int64] = costs.argmin(axis=1)
    members = np.bincount(labels, minlength=groups)
    added = np.full((groups, groups), np.inf)  # the least that moving a cell from one group to another adds
    changed = list(range(groups))
    while (members > size).any():
        for group in changed:
            inside = costs[labels == group]
            added[group] = (inside - inside[:, group, None]).min(axis=0, initial=np.inf)
        total = np.where(members > size, 0.0, np.inf)
        before = np.full(groups, -1)
        for _ in range(groups):
            through = total[:, None] + added
            cheaper = through.min(axis=0) < total - ROUNDING
            if not cheaper.any():
                break
            before[cheaper] = through.argmin(axis=0)[cheaper]
            total[cheaper] = through.min(axis=0)[cheaper]
        target = int(np.where(members < size, total, np.inf).argmin())
        members[target] += 1
        changed = [target]
        while before[target] >= 0:
            source = int(before[target])
            inside = np.flatnonzero(labels == source)
            labels[inside[(costs[inside, target] - costs[inside, source]).argmin()]] = target
            changed.append(source)
            target = source
        members[target] -= 1
    return labels


def _renumbered(labels: Sequence[int]) -> tuple[int, ...]:
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(label, len(numbers)) for label in labels)
