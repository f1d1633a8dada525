"""Capacities: from the heights of tubes where they can be seen, and from the counts of colours.

In a puzzle that can be solved each colour fills tubes, so that counts of colours are multiples of the capacity where
all tubes are alike. Heights are measured independently: a tube ends where its outline does.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cells import MOST_CELLS, Lattice
from bsp_sat.screenshots.cielab import Lab
from bsp_sat.screenshots.contents import Contents
from bsp_sat.screenshots.rows import upright_slope

SAME_HEIGHT = 0.4  # in cells
LEANS = tuple(step / 400 for step in range(-8, 9))  # of a cell's width, to the right, cell by cell
HIGHER = 4  # cells above the fullest tube's, up to which heights are measured
OTHER_HEIGHT = 0.7  # in cells; between the two nothing is said
A_CELL = 0.8  # in cells; a tube with room that is so much lower or higher holds another number of cells
OUTLINE = (0.45, 0.2)  # how like that at its foot, and how strong beside it, a tube's outline is at least
UPSIDE_DOWN = 0.15  # of a cell, that tubes go on further below their cells than above
PLAIN_OUTLINE = (0.6, 0.4)  # the same of one that ends where it plainly does


@dataclass(frozen=True)
class Capacities:
    """How much each tube holds.

    Attributes:
        of_tubes: cells, one number a tube.
        doubts: what makes them doubtful, in words.
        fit: whether the counts of the colours allow them.
    """

    of_tubes: tuple[int, ...]
    doubts: tuple[str, ...] = ()
    fit: bool = True

    @property
    def common(self) -> int | None:
        """The capacity of all tubes, None where they differ."""
        return self.of_tubes[0] if len(set(self.of_tubes)) == 1 else None


def heights(
    lab: Lab,
    contents: Sequence[Contents],
    lattice: Lattice,
    spacing: float,
    outline: tuple[float, float] = OUTLINE,
) -> list[float | None]:
    """The height of each tube in cells, as far as its outline is like at its foot; None where there is none."""
    slope = upright_slope(lab)
    most = HIGHER + max((len(each.boxes) for each in contents), default=0)
    return [_height(slope, each, lattice, spacing, outline, most) for each in contents]


def doubts_of_heights(
    lab: Lab, contents: Sequence[Contents], lattice: Lattice, spacing: float, tall: Sequence[float | None]
) -> list[str]:
    """Whether it is unclear where tubes of different heights end: a stricter look at their outlines says otherwise."""
    strict = heights(lab, contents, lattice, spacing, PLAIN_OUTLINE)
    unclear = any(
        one is None or other is None or abs(one - other) > SAME_HEIGHT for one, other in zip(tall, strict, strict=True)
    )
    return ["capacity: tubes of different heights, and where they end isn't clear"] if unclear else []


def doubts_of_ends(
    lab: Lab, contents: Sequence[Contents], lattice: Lattice, spacing: float, tall: Sequence[float | None]
) -> list[str]:
    """Whether cells rest on the wrong end of full tubes, which go on further below them than above.

    Where a tube seems to go on by a cell and more it has room, or goes on into the next row.
    """
    filled = [(each, height) for each, height in zip(contents, tall, strict=True) if each.boxes]
    turned = [replace(each, tube=replace(each.tube, bottom=len(lab) - each.boxes[-1][1])) for each, _ in filled]
    cells = [(each.tube.bottom - each.boxes[-1][1]) / lattice.pitch for each, _ in filled]
    above, below = (
        [height - own for height, own in zip(ends, cells, strict=True) if height is not None and height - own < 1]
        for ends in ([height for _, height in filled], heights(lab[::-1], turned, lattice, spacing))
    )
    if above and below and float(np.median(below)) - float(np.median(above)) > UPSIDE_DOWN:
        return ["the tubes go on further below the cells than above: the picture may be upside down"]
    return []


def _height(
    slope: NDArray[np.float32],
    contents: Contents,
    lattice: Lattice,
    spacing: float,
    outline: tuple[float, float],
    most: int,
) -> float | None:
    reach, inner = round(min(0.8 * lattice.width, 0.5 * spacing)), 0.5 * lattice.width + 1
    offsets = np.arange(-reach, reach + 1)
    columns = round(contents.tube.centre - 0.5) + offsets[np.abs(offsets) >= inner]
    columns = columns[(columns >= 0) & (columns < slope.shape[1])]
    bottom = int(contents.tube.bottom)
    pitch = lattice.pitch
    foot = slope[max(0, int(bottom - 1.6 * pitch)) : int(bottom - 0.5 * pitch), columns]
    if not foot.size:
        return None
    pattern = foot.mean(axis=0)
    size = float(np.sqrt((pattern**2).sum()))
    if size < 1.0:
        return None
    window = max(3, round(0.2 * pitch))
    rows = np.arange(max(0, int(bottom - most * pitch)), int(bottom - 0.5 * pitch))
    ends = []
    for lean in LEANS:
        aside = np.round(lean * lattice.width * (bottom - rows) / pitch).astype(int)
        part = slope[rows[:, None], np.clip(columns + aside[:, None], 0, slope.shape[1] - 1)]
        sums = np.cumsum(np.vstack([np.zeros((1, part.shape[1])), part]), axis=0)
        means = (sums[window:] - sums[:-window]) / window
        like = (means @ pattern) / (np.sqrt((means**2).sum(axis=1)) * size + 0.3 * size)
        strong = (means @ pattern) / size**2
        ends.append(_upper_end((like > outline[0]) & (strong > outline[1]), 0.45 * pitch))
    return float((bottom - rows[0] - min(ends) - window / 2) / pitch)


def _upper_end(good: NDArray[np.bool_], gap: float) -> int:
    """The first row of the last run of good ones, in which at most a given number of others follow each other."""
    missing, end = 0, len(good)
    for row in range(len(good) - 1, -1, -1):
        missing = 0 if good[row] else missing + 1
        if good[row]:
            end = row
        if missing > gap:
            break
    return end


def find_capacities(
    contents: Sequence[Contents], tall: Sequence[float | None], counts: Sequence[int], cells: int, hidden: bool
) -> Capacities:
    """What each tube holds.

    Args:
        contents: the tubes.
        tall: their heights in cells.
        counts: how many cells each colour has, as far as they are known.
        cells: how many cells there are in all.
        hidden: whether some can't be seen, so that ``counts`` aren't complete.
    """
    fullest = max(len(each.boxes) for each in contents)
    known = [height for height in tall if height is not None]
    alike = len(known) == len(contents) and max(known) - min(known) <= SAME_HEIGHT
    seen = _seen(known)
    uniform = _uniform(fullest, counts, cells, seen, hidden)
    if uniform is not None and (alike or not _differ(known)):
        odd = uniform != seen if hidden else _is_too_large(uniform, fullest, known)
        doubts = ("capacity: it can't be told",) if odd or _may_have_other_room(contents, tall, uniform) else ()
        return Capacities((uniform,) * len(contents), doubts)
    mixed = _mixed(contents, tall)
    if mixed is not None and not _differ_within_a_row(contents, mixed):
        mixed = None  # rows of different heights are rows of which something wasn't found
    if mixed is not None and (uniform is None or hidden) and _fits(mixed, counts, hidden):
        if not hidden:
            return Capacities(mixed, tuple(_doubts_of_mixed(contents, mixed)))
        if min(Counter(mixed).values()) > 1:
            return Capacities(mixed, ())
    if uniform is not None:
        both = mixed is not None and _fits(mixed, counts, hidden)
        odd = (
            both
            or _may_have_other_room(contents, tall, uniform)
            or (uniform != seen if hidden else _is_too_large(uniform, fullest, known))
        )
        doubts = ("capacity: the tubes don't look alike high",) if odd else ()
        return Capacities((uniform,) * len(contents), doubts)
    return Capacities((fullest,) * len(contents), fit=False)


def _doubts_of_mixed(contents: Sequence[Contents], mixed: Sequence[int]) -> Iterator[str]:
    """Whether tubes may hold other numbers of cells than their heights say: each of these should be seen full."""
    full = {size for each, size in zip(contents, mixed, strict=True) if len(each.boxes) == size}
    if any(0 < len(each.boxes) < size for each, size in zip(contents, mixed, strict=True)):
        yield "capacity: tubes of different heights, and not all are full"
    if not full.issuperset(mixed):
        yield "capacity: an empty tube is as high as no full one"
    if len({size for each, size in zip(contents, mixed, strict=True) if not each.boxes}) > 1:
        yield "capacity: the empty tubes aren't alike high"


def _is_too_large(uniform: int, fullest: int, known: Sequence[float]) -> bool:
    """Whether tubes of which none is full look too low for a capacity."""
    return uniform > fullest and bool(known) and uniform > float(np.median(known)) + 0.1


def _may_have_other_room(contents: Sequence[Contents], tall: Sequence[float | None], uniform: int) -> bool:
    """Whether a tube that isn't full is lower or higher than full ones, or no heights are seen: no count tells."""
    with_room = [height for height, each in zip(tall, contents, strict=True) if len(each.boxes) < uniform]
    known = [height for height in tall if height is not None]
    if not known:
        return False  # tubes without walls
    usual = float(np.median(known))
    low = usual < uniform - SAME_HEIGHT
    return any(height is None or low or abs(height - usual) >= A_CELL for height in with_room)


def _differ(known: Sequence[float]) -> bool:
    return bool(known) and max(known) - min(known) >= OTHER_HEIGHT


def _differ_within_a_row(contents: Sequence[Contents], mixed: Sequence[int]) -> bool:
    """Whether two tubes on one bottom line have different capacities."""
    return any(
        one != other
        and abs(first.tube.bottom - second.tube.bottom) <= 0.1 * abs(first.tube.centre - second.tube.centre)
        for first, one in zip(contents, mixed, strict=True)
        for second, other in zip(contents, mixed, strict=True)
    )


def _uniform(fullest: int, counts: Sequence[int], cells: int, seen: int | None, hidden: bool) -> int | None:
    """The capacity that counts allow: the smallest from the fullest tube on that divides them.

    Where cells are hidden, counts are no more than least ones, and what is seen of the tubes decides.
    """
    if hidden:
        least = max([fullest, *counts])
        fitting = [size for size in range(least, MOST_CELLS + 1) if cells % size == 0]
        return seen if seen is not None and seen >= least else next(iter(fitting), None)
    common = gcd(*counts)
    return next((size for size in range(fullest, common + 1) if common % size == 0), None)


def _seen(known: Sequence[float]) -> int | None:
    """The capacity that fits the height of tubes of one height: above a full tube's cells is less than one more."""
    if not known:
        return None
    height = float(np.median(known))
    fitting = [size for size in range(1, MOST_CELLS + 1) if height - 0.85 <= size <= height + 0.1]
    return fitting[0] if len(fitting) == 1 else None


def _mixed(contents: Sequence[Contents], tall: Sequence[float | None]) -> tuple[int, ...] | None:
    """Capacities by heights: what is above the cells of full tubes is the same for all."""
    if any(height is None for height in tall):
        return None
    known = [height for height in tall if height is not None]
    above = [height - len(each.boxes) for height, each in zip(known, contents, strict=True) if each.boxes]
    if not above:
        return None
    # Full tubes have the least above their cells; most tubes are full in a level's start.
    rest = float(np.median([space for space in above if space <= min(above) + SAME_HEIGHT]))
    sizes = [height - rest for height in known]
    whole = [round(size) for size in sizes]
    if any(abs(size - near) > 0.35 or near < 1 for size, near in zip(sizes, whole, strict=True)):
        return None
    return tuple(max(near, len(each.boxes)) for near, each in zip(whole, contents, strict=True))


def _fits(mixed: Sequence[int], counts: Sequence[int], hidden: bool) -> bool:
    """Whether each colour can fill a tube of its own."""
    free = sorted(mixed)
    for count in sorted(counts):
        fitting = [size for size in free if (size >= count if hidden else size == count)]
        if not fitting:
            return False
        free.remove(fitting[0])
    return True
