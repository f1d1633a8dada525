"""Capacities: from the heights of tubes where they can be seen, and from the counts of colours.

In a puzzle that can be solved each colour fills tubes, so that counts of colours are multiples of the capacity where
all tubes are alike. Heights are measured independently: a tube ends where its outline does.
"""

import itertools
from collections import Counter
from collections.abc import Sequence
from math import floor, gcd, hypot, inf
from operator import mul
from statistics import median

from bsp_sat.apps.pictures.board import Doubt, DoubtKind
from bsp_sat.apps.pictures.cells import MOST_CELLS, Lattice
from bsp_sat.apps.pictures.contents import Contents
from bsp_sat.apps.pictures.rows import ROD, Row, Walls, least_spacing

SAME_HEIGHT = 0.4  # in cells
AS_HIGH = 0.25  # in cells; an empty tube is no more higher or lower than full ones with as many cells
HIGHER = 4  # cells above the fullest tube's, up to which heights are measured
OFF_SIZE = 0.3  # in cells, that heights are off whole cells
OTHER_HEIGHT = 0.7  # in cells; between the two nothing is said
LOW = 0.1  # in cells, that the mouth of a low tube is higher or lower above its places than others
A_CELL = 0.8  # in cells; a tube with room that is so much lower or higher holds another number of cells
HALF_A_CELL = 0.45  # in cells, that of two empty tubes in one row one is higher; a low one was measured .5 lower
OUTLINE = 0.55, 0.2  # how like that at its foot, and how strong beside it, a tube's outline is at least
SHARED = 0.47  # of the step between tubes, from their middles to walls that touch; others had .465 and less
CUP = 0.08  # of a cell's width, that cells at the mouth of a cup are wider than at its foot
ON = 0.8  # of an outline's strength at the foot, all over half a cell beyond its end: it may lean there
FAINTEST = 1.0  # in lightness; below, an outline is noise
FAINT = 0.3  # of an outline's strength at the foot, that noise may have
UPSIDE_DOWN = 0.04  # of a cell, that tubes go on further below their cells than above; of 62 right boards none has more


UNLIKE = Doubt("capacity: the tubes don't look alike high", DoubtKind.HEIGHTS)

Capacities = tuple[tuple[int, ...], list[Doubt]]
"""How many cells each tube holds, and what makes that doubtful."""


class Heights:
    """The heights of tubes in a picture. ``widens``: whether the tubes are cups, narrower at their feet."""

    def __init__(self, walls: Walls, rows: Sequence[Row], lattice: Lattice) -> None:
        self._picture, self.posts, self._lattice = walls.picture, walls.posts, lattice
        reach, width = walls.reach, lattice.width
        least, most = 0.5 * width + 1, min(0.8 * width, 0.5 * least_spacing(rows, width))
        if self.posts:
            least, most = 0.0, ROD * width
        self._offsets = [offset for offset in range(-reach, reach + 1) if least < abs(offset) <= most + 0.5]
        self._usual = [walls.patterns[-1][0][reach + offset] for offset in self._offsets]
        taper = [tube.regions[-1].width - tube.regions[0].width for row in rows for tube in row.tubes if tube.regions]
        self.widens = bool(taper) and median(taper) >= CUP * width
        sides = zip(map(abs, self._usual), map(abs, self._offsets), strict=True)
        self._are_shared = max(sides, default=(0.0, 0))[1] >= SHARED * least_spacing(rows, width)
        self._lines: dict[tuple[int, int], list[float]] = {}

    def of(self, contents: Sequence[Contents]) -> list[float | None]:
        """The height of each tube in cells, as far as its outline is like at its foot; None where there is none.

        Where this isn't as high as its cells, as far as it is like that or the usual one. Cells hide the rods of posts,
        which are looked for above them.
        """
        fullest, heights = max((each.filled for each in contents), default=0), list[float | None]()
        most = HIGHER + fullest
        for each in contents:
            if self._are_shared and each.filled < fullest:
                heights.append(None)  # what is seen may be the walls of those beside it
                continue
            cells = each.filled if self.posts else 0
            start = each.slots[cells - 1].box[1] if cells else each.tube.bottom
            height = self.length(each.tube.centre, start, -1, most)
            if height is None or height < each.filled - cells - SAME_HEIGHT:
                height = self.length(each.tube.centre, start, -1, most, self._usual)
            heights.append(None if height is None else height + (each.tube.bottom - start) / self._lattice.pitch)
        return heights

    def length(self, centre: float, start: float, way: int, most: int, other: Sequence[float] = ()) -> float | None:
        """How far the outline at a foot goes on above it (``way`` -1), or that at the head of some cells below it (1).

        In cells; None where there is no outline, or none of its ends within ``most``, or it goes on unlike it. What is
        like the ``other`` outline counts too.
        """
        pitch = self._lattice.pitch
        own = self._usual if self.posts else self._sides(centre, start + way * 0.5 * pitch, start + way * 1.6 * pitch)
        patterns = [(pattern, size) for pattern in (own, other) if (size := hypot(*pattern)) >= FAINTEST]
        if not patterns:
            return None
        window = max(3.0, 0.2 * pitch)
        shift, end, faintest = 0, 0.0 if self.posts else 0.5, inf
        for step in range(int(12 * end), most * 12):
            place = start + way * step * pitch / 12
            if not 0 < place < self._picture.height:
                break
            last = step / 12
            for slip in (shift, shift - way) if self.widens else (shift,):
                sides = self._sides(centre, place - window / 2, place + window / 2, slip)
                least = OUTLINE[0] * (hypot(*sides) + FAINT)
                if any(
                    sum(map(mul, sides, pattern)) / size > max(least, OUTLINE[1] * size) for pattern, size in patterns
                ):
                    end, shift, faintest = last, slip, inf
                    break
                faintest = min(faintest, hypot(*sides))
            if last - end > 0.45:
                break
        is_end = end < most - 0.1 and not ON * max(size for _, size in patterns) < faintest < inf
        return end if is_end else None

    def _sides(self, centre: float, one: float, other: float, shift: int = 0) -> list[float]:
        """The line of a band on both sides of a tube's cells, ``shift`` further outside, or where its rod is."""
        band = round(min(one, other)), round(max(one, other))
        if band not in self._lines:
            self._lines[band] = self._picture.line(*band)
        line = self._lines[band]
        middle = round(centre if self.posts else centre - 0.5)
        places = [middle + offset + (shift if offset > 0 else -shift) for offset in self._offsets]
        return [line[place] if 0 <= place < len(line) else 0.0 for place in places]


def is_upside_down(
    tall: Heights, contents: Sequence[Contents], lattice: Lattice, found: Sequence[float | None]
) -> bool:
    """Whether cells rest on the wrong end of full tubes, which go on further below them than above.

    Where a tube seems to go on by a cell and more it has room, or goes on into the next row.
    """
    above, below = [], []
    if tall.posts or tall.widens:
        return False  # rods are seen above the cells, and cups are narrower at their feet
    for each, height in zip(contents, found, strict=True):
        if each.filled:
            head = each.slots[each.filled - 1].box[1]
            cells = (each.tube.bottom - head) / lattice.pitch
            depth = tall.length(each.tube.centre, head, 1, each.filled + 2)
            above += [height - cells] if height is not None and height - cells < 1 else []
            below += [depth - cells] if depth is not None and depth - cells < 1 else []
    return bool(above and below) and median(below) - median(above) > UPSIDE_DOWN


def find_capacities(
    contents: Sequence[Contents], tall: Sequence[float | None], counts: Sequence[int], cells: int, hidden: bool
) -> Capacities:
    """What each tube holds."""
    fullest = max(each.filled for each in contents)
    known = [height for height in tall if height is not None]
    usual = median(known) if known else 0.0
    mixed = _mixed(contents, tall)
    if hidden:  # counts are least ones: how high tubes are decides; above a full one's cells is less than one more
        least, seen = max(fullest, *counts), floor(usual + 0.1)
        fitting = next((size for size in range(least, MOST_CELLS + 1) if cells % size == 0), fullest)
        is_seen = seen >= max(least, usual - 0.85)
        size = seen if is_seen else fitting
        odd = not is_seen or fullest < size > usual  # of which none is full, and all nearly fit
        return (size,) * len(contents), [UNLIKE] * (
            odd or _may_have_other_room(contents, tall, (size,) * len(contents))
        )
    common = gcd(*counts)
    uniform = next((size for size in range(fullest, min(common, MOST_CELLS) + 1) if common % size == 0), None)
    if mixed is not None and not Counter(counts) <= Counter(mixed):
        mixed = None
    if uniform is not None:
        # Something above a tube may make it look higher, and something in front of it lower.
        found = tuple(min(size, uniform) for size in mixed or [uniform] * len(contents))
        odd = _may_have_other_room(contents, tall, found)
        return found, [UNLIKE] * (odd or (fullest < uniform and bool(known) and uniform > usual + 0.1))
    if mixed is not None:
        doubt = Doubt("capacity: of tubes of different heights not each is seen full", DoubtKind.HEIGHTS)
        return mixed, [] if _are_plain(contents, mixed, known) else [doubt]
    if Counter(each.filled for each in contents if each.filled) == Counter(counts):
        full = tuple(each.filled or fullest for each in contents)
        return full, [
            Doubt("capacity: the tubes hold what a level's tubes hold, but look otherwise", DoubtKind.HEIGHTS)
        ]
    return (fullest,) * len(contents), []


def _mixed(contents: Sequence[Contents], tall: Sequence[float | None]) -> tuple[int, ...] | None:
    """Capacities by heights: what is above full tubes is alike for all.

    Rows of different heights are rows of which something wasn't found: two tubes on one bottom line have to differ.
    """
    known = [height for height in tall if height is not None]
    if len(known) < len(contents) or max(known) - min(known) < OTHER_HEIGHT:
        return None
    above = [height - each.filled for height, each in zip(known, contents, strict=True) if each.filled]
    # Full tubes have the least above their cells; most tubes are full in a level's start.
    rest = median(space for space in above if space <= min(above) + SAME_HEIGHT)
    sizes = [height - rest for height in known]
    if any(abs(size - round(size)) > OFF_SIZE or round(size) < 1 for size in sizes):
        return None
    found = tuple(max(round(size), each.filled) for size, each in zip(sizes, contents, strict=True))
    differ = any(
        one != two and _in_one_row(first, second)
        for (first, one), (second, two) in itertools.combinations(zip(contents, found, strict=True), 2)
    )
    return found if differ else None


def _in_one_row(one: Contents, other: Contents) -> bool:
    return abs(one.tube.bottom - other.tube.bottom) <= 0.1 * abs(one.tube.centre - other.tube.centre)


def _are_plain(contents: Sequence[Contents], mixed: Sequence[int], tall: Sequence[float]) -> bool:
    """Whether tubes hold what heights say: full or empty, and the empty ones alike and as high as full ones.

    But an empty one may have a wall that ends below its mouth, so that it has to be no lower than full ones beside it.
    """
    triples = list(zip(contents, mixed, tall, strict=True))
    empty = {size for each, size, _ in triples if not each.filled}
    full = [height for each, size, height in triples if each.filled and size in empty]
    pairs = itertools.permutations(zip(contents, mixed, strict=True), 2)
    is_low = any(not one.filled and size < more and _in_one_row(one, other) for (one, size), (other, more) in pairs)
    return (
        all(each.filled in (0, size) for each, size, _ in triples)
        and len(empty) <= 1
        and not is_low
        and (not empty or bool(full))
        and all(abs(height - median(full)) <= AS_HIGH for each, _, height in triples if not each.filled)
    )


def _may_have_other_room(contents: Sequence[Contents], tall: Sequence[float | None], capacities: Sequence[int]) -> bool:
    """Whether what is above the places of a tube with room is unlike that of others, or it is a low one with cells.

    No count tells. Or its height isn't seen, where those of others are.
    """
    triples = list(zip(contents, tall, capacities, strict=True))
    mouths = [height - capacity for _, height, capacity in triples if height is not None]
    if not mouths:
        return False  # tubes without walls
    usual, most = median(mouths), max(capacities)
    empty = [(each, height - size) for each, height, size in triples if height is not None and not each.filled]
    differ = any(
        abs(first - second) >= (HALF_A_CELL if _in_one_row(one, other) else A_CELL)
        for (one, first), (other, second) in itertools.combinations(empty, 2)
    )
    # Heights that end with the cells are no outlines'.
    if usual < (LOW if min(capacities) < most else -SAME_HEIGHT) or differ:
        return True
    return any(
        height is None
        or 0 < each.filled < capacity < most  # only an outline says how much room is in a low one
        or abs(height - capacity - usual) > (A_CELL if capacity == most else LOW)
        for each, height, capacity in triples
        if each.filled < most
    )
