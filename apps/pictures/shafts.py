"""Nuts and rings on shafts, seen from above, of which each hides a part of the next.

**Shafts** are objects of one size that stand on the ground, each with all that is on it. **Steps:** along their middles
colours change at every nut, in all of them at once; the period of these changes is the step. **Heights:** beside its
middle a shaft reaches as high as its nuts, or its foot. What the lowest one adds to that isn't seen, so that several
answers are given; which is right, counts of colours tell.
"""

import cmath
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import dist
from operator import mul
from statistics import fmean, median

from bsp_sat.apps.pictures.cells import MOST_CELLS, Lattice
from bsp_sat.apps.pictures.contents import Contents, slots_in
from bsp_sat.apps.pictures.corrections import MOST_TUBES
from bsp_sat.apps.pictures.picture import PixelPicture, Region
from bsp_sat.apps.pictures.rows import Row, Tube

STEPS = 4, 8  # in Lab, how slowly the ground changes; the latter where it is rough
SIZES = 0.1, 0.2  # of a shaft's width and height, that those of others differ by
TALL = 1.05  # height over width, at least
LEAST_SHAFTS = 3
LEAST_WIDTH = 0.04  # of the picture
MOST_OBJECTS = 200  # each is compared with each
MOST_LINES = 6000  # pixels, that all shafts are high together; of real ones 1,600 at most
LEVEL = 0.15  # of a shaft's width, that feet in a row differ by
AXIS, SIDE, GROUND = 0.12, 0.33, 0.66  # of it, from the middle: what is its middle, its sides, and beside it
PITCHES = 0.15, 0.9  # of it: from one nut to the next
MOST_CHANGE = 30.0  # in Lab, that a change counts for
UNLIKE_GROUND = 5.0  # in Lab
TIMES = 1, 2, 3  # a step, after which changes are compared
GLASS = 0.88  # of its box, that some shaft with room fills at most; tubes of glass fill more
LIKE_BEST = 0.6  # of the likeness after the best step; several nuts repeat too
WHOLE = 0.75  # of the highest shaft; lower ones are short


Shafts = tuple[list[Row], Lattice, list[Contents], tuple[int, ...]]
"""Where shafts and nuts are, what each holds, and for how many there is room, row by row."""


def find_shafts(picture: PixelPicture) -> Iterator[Shafts]:
    """All that may be, whose nuts together fill whole shafts."""
    for step in STEPS:
        yield from _shafts_of(picture, picture.regions(step, objects=True))


def _shafts_of(picture: PixelPicture, objects: Sequence[Region]) -> Iterator[Shafts]:
    """The same of some objects."""
    wide = [each for each in objects if each.width >= LEAST_WIDTH * picture.width]
    rows = _rows(wide) if len(wide) <= MOST_OBJECTS else []
    feet = [median(each.bottom for each in row) for row in rows]
    shafts = [(shaft, foot) for row, foot in zip(rows, feet, strict=True) for shaft in row]
    if not 0 < len(shafts) <= MOST_TUBES or sum(shaft.height for shaft, _ in shafts) > MOST_LINES:
        return
    width, high = median(shaft.width for shaft, _ in shafts), max(shaft.height for shaft, _ in shafts)
    steps = (two.centre - one.centre for row in rows for one, two in pairwise(row))
    beside = min([GROUND * width, *(step / 2 for step in steps)])
    changes = [_changes(picture, shaft, width) for shaft, _ in shafts if shaft.height >= WHOLE * high]
    pitch, middle = _period([fmean(each) for each in zip(*changes, strict=False)], width)
    sides = [_height(picture, shaft, bottom, width, beside) for shaft, bottom in shafts]
    if not pitch:
        return
    lattice = Lattice(False, pitch, 0.0, min(pitch, 0.5 * width))
    for start, more, above in product(range(3), range(3), range(2)):
        filled = [round((side - min(sides)) / pitch) + more for side in sides]
        most = max(filled) + above
        if not 2 <= most <= MOST_CELLS or sum(filled) % most or not 2 * most <= sum(filled) < most * len(filled):
            continue
        low = middle + (start - 0.5) * pitch  # of the lowest nut
        placed = []
        for row, foot in zip(rows, feet, strict=True):
            step = (row[-1].centre - row[0].centre) / (len(row) - 1) if len(row) > 1 else None
            tubes = tuple(Tube(shaft.centre, foot - low, 1.0) for shaft in row)
            placed.append(Row(tubes, foot - low - most * pitch, step))
        bare = [shaft for (shaft, _), count in zip(shafts, filled, strict=True) if count < most]
        if all(shaft.area > GLASS * shaft.width * shaft.height for shaft in bare):
            continue
        seen = max(shaft.height for shaft in bare)
        room = [most - max(0, round((seen - shaft.height) / pitch)) for shaft, _ in shafts]
        counts = iter(filled)
        places = ((tube, slots_in(picture, tube, row, lattice)) for row in placed for tube in row.tubes)
        contents = [Contents(tube, slots, next(counts), 1.0) for tube, slots in places]
        yield placed, lattice, contents, tuple(map(max, filled, room))


def _rows(objects: Sequence[Region]) -> list[list[Region]]:
    """The most objects of one size, and what is as wide and stands beside them, row by row; none where few are."""
    best: list[Region] = []
    for one in objects:
        wide = [other for other in objects if abs(other.width - one.width) <= SIZES[0] * one.width]
        like = [other for other in wide if abs(other.height - one.height) <= SIZES[1] * one.height]
        if one.height >= TALL * one.width and len(like) >= max(LEAST_SHAFTS, len(best) + 1):
            level = LEVEL * one.width
            best = [each for each in wide if any(abs(each.bottom - other.bottom) <= level for other in like)]
    rows: list[list[Region]] = []
    for each in sorted(best, key=lambda each: each.bottom):
        if rows and each.bottom - rows[-1][-1].bottom <= LEVEL * each.width:
            rows[-1].append(each)
        else:
            rows.append([each])
    return [sorted(row) for row in rows]


def _changes(picture: PixelPicture, shaft: Region, width: float) -> list[float]:
    """How much colours change along the middle of a shaft, upwards from its foot, in Lab."""
    left, right = shaft.centre - AXIS * width, shaft.centre + AXIS * width
    looks = picture.looks([(left, y - 1, right, y) for y in range(shaft.bottom, shaft.top, -1)])
    return [min(dist(one.colour, two.colour), MOST_CHANGE) for one, two in zip(looks, looks[2:], strict=False)]


def _height(picture: PixelPicture, shaft: Region, bottom: float, width: float, beside: float) -> float:
    """How high what is on a shaft reaches at both of its sides."""
    heights = []
    for way in (-1, 1):
        side, ground = shaft.centre + way * SIDE * width, shaft.centre + way * beside
        lines = range(shaft.top, shaft.bottom)
        own, other = (picture.looks([(x - 1, y, x + 2, y + 1) for y in lines]) for x in (side, ground))
        unlike = [dist(one.colour, two.colour) > UNLIKE_GROUND for one, two in zip(own, other, strict=True)]
        top = next((number for number in range(len(unlike)) if all(unlike[number : number + 3])), len(unlike))
        heights.append(bottom - shaft.top - top)
    return min(heights)


def _period(changes: Sequence[float], width: float) -> tuple[float, float]:
    """After which step changes repeat, and how far up the middle between two is; 0 where they are too few."""
    usual = fmean(changes)
    off = [change - usual for change in changes]
    lags = range(max(5, round(PITCHES[0] * width)), min(len(off) // 2, round(PITCHES[1] * width)))
    alike = [fmean(map(mul, off, off[lag:])) for lag in range(3 * len(off) // 4)]
    enough = LIKE_BEST * max((alike[lag] for lag in lags), default=0.0)
    whole = next((lag for lag in lags if alike[lag] >= max(enough, *alike[lag + 1 : lag + 3])), 0)
    if not whole:
        return 0.0, 0.0
    quarters = [whole + quarter / 4 for quarter in range(-5, 6)]
    pitch = max(
        quarters, key=lambda each: sum(alike[round(each * times)] for times in TIMES if each * times < len(alike) - 1)
    )
    wave = sum(each * cmath.exp(2j * cmath.pi * (number + 1) / pitch) for number, each in enumerate(off))
    return pitch, (cmath.phase(wave) / (2 * cmath.pi) + 0.5) % 1 * pitch
