"""Colours: cells grouped by their looks, under the constraint that each colour fills whole tubes.

Cells are joined by average linkage. Where the number of colours is known, from the number of cells and the capacity, so
is the height at which the tree must be cut; the groups then have to have the sizes that whole tubes give, which nothing
but the right grouping is likely to do. How far the least distance between two groups is above the largest within one is
the *margin*: the second, independent evidence.
"""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

NOISE = 1.5  # in Lab; what equal colours of a good picture differ by
APART = 1.2  # margin of groups that are sure; of 601 pictures a wrong one has 1.06, right ones 1.23 and more
MOST_WITHIN = 22.0  # in Lab; cells that differ by more aren't of one colour, however far others are
LEAST_APART = 4.0  # in Lab; how much colours differ at least
PLAIN = 5.0  # in Lab; colours that are told apart without any counts differ by more

Distances = Sequence[Sequence[float]]

Tree = Sequence[tuple[float, tuple[int, ...]]]
"""The steps by which cells are joined, from each alone to all together: the height, and the labels after it."""


class Grouping(NamedTuple):
    """Cells by colour."""

    labels: tuple[int, ...]  # a group for each cell, from 0
    margin: float  # least distance between groups over the largest within, less noise; above 1 they are apart
    least: float  # distance between groups
    widest: float  # distance of the parts of a group that were joined last
    moved: frozenset[int] = frozenset()  # cells that aren't in their nearest group, as sizes demand it

    def is_unclear(self, least: float = LEAST_APART) -> bool:
        """Whether two of the groups may be of one colour, or a group of two; ``least`` in Lab keeps groups apart."""
        return self.margin < APART or self.least < least or self.widest > MOST_WITHIN

    def sizes(self) -> list[int]:
        """Cells of each group."""
        counts = Counter(self.labels)
        return [counts[group] for group in sorted(counts)]


def tree(apart: Distances) -> Tree:
    """The labels after each join of average linkage, and the height of the join; the first has all cells alone."""
    between = [list(row) for row in apart]
    sizes = dict.fromkeys(range(len(apart)), 1)
    labels = list(sizes)
    steps = [(0.0, tuple(labels))]
    nearest = {one: _nearest(between, one, sizes) for one in sizes}
    while len(sizes) > 1:
        first = min(sizes, key=lambda one: between[one][nearest[one]])
        second = nearest[first]
        height = between[first][second]
        share = sizes[first] / (sizes[first] + sizes[second])
        sizes[first] += sizes.pop(second)
        for other in sizes:
            near, least = nearest[other], between[other][nearest[other]]
            between[first][other] = share * between[first][other] + (1 - share) * between[second][other]
            between[other][first] = between[first][other]
            if between[other][first] < least or (near in (first, second) and between[other][first] == least):
                nearest[other] = first
            elif near in (first, second):
                nearest[other] = _nearest(between, other, sizes)
        nearest[first] = _nearest(between, first, sizes)
        labels = [first if label == second else label for label in labels]
        steps.append((height, tuple(labels)))
    return steps


def _nearest(between: Distances, one: int, sizes: dict[int, int]) -> int:
    return min((other for other in sizes if other != one), key=between[one].__getitem__, default=one)


def grouped(steps: Tree, groups: int) -> Grouping:
    """The cut of a tree with a number of groups."""
    index = len(steps) - groups
    height, labels = steps[index]
    following = steps[index + 1][0] if index + 1 < len(steps) else 100.0
    numbers: dict[int, int] = {}
    renumbered = tuple(numbers.setdefault(label, len(numbers)) for label in labels)
    return Grouping(renumbered, following / (height + NOISE), following, height)


def natural(steps: Tree, most: int) -> Grouping:
    """The cut of a tree with the largest margin, of at most a number of groups."""
    cuts = [grouped(steps, groups) for groups in range(min(most, len(steps)), 0, -1)]
    return max(cuts, key=lambda cut: (cut.least >= PLAIN, cut.margin))


def dealt(apart: Distances, start: Grouping, size: int) -> Grouping:
    """Groups of one size: as long as one is too large, the cell goes to another for which that costs least distance."""
    labels, moved = list(start.labels), set()
    while max(Counter(labels).values()) > size:
        members: dict[int, list[int]] = {}
        for cell, label in enumerate(labels):
            members.setdefault(label, []).append(cell)
        costs = [
            (fmean(apart[cell][at] for at in members[group]) - fmean(apart[cell][at] for at in own), cell, group)
            for own in members.values()
            if len(own) > size
            for cell in own
            for group in members
            if len(members[group]) < size
        ]
        if not costs:
            break
        _, cell, group = min(costs)
        labels[cell] = group
        moved.add(cell)
    return start._replace(labels=tuple(labels), moved=frozenset(moved))
