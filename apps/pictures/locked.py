"""Locked places for more tubes, as many games show after the last one: dashed or grey, with a padlock, "+" or "Ad"."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from math import dist
from statistics import median
from typing import NamedTuple

from bsp_sat.apps.pictures.board import Doubt, DoubtKind
from bsp_sat.apps.pictures.cells import MOST_CELLS, Lattice
from bsp_sat.apps.pictures.contents import Contents, median_of
from bsp_sat.apps.pictures.explained import EDGE, MOUTH, STRANGE
from bsp_sat.apps.pictures.picture import Look
from bsp_sat.apps.pictures.rows import LIKELY, REACH, Row, Tube, Walls, least_spacing, rows_height

FAINT = 0.75  # of the strength of outlines where tubes hold nothing; a dashed one had .45, right ones have .8 and more
GONE = 0.25  # of it; above a low tube, and beside a rod, there is less
SEEN = 1.0  # of lightness, that theirs have at least
DRAWN = 2.5  # in Lab, that more is drawn on a sign than in other places, where it isn't as `STRANGE`
PALE = 3.3  # in Lab, that a pale sign differs by from what is beside it, above and below it, and in other places
GRAIN = 2.0  # times as far as other parts of the same place, which are off where its ground is rough
ACROSS = (-0.25, 0.25), (-0.05, 0.05), (-0.42, -0.32), (0.32, 0.42)  # of a cell's width: a place, its middle, its sides
PARTS = 4  # of a cell's height, that are looked at each for itself


def without_locked(
    walls: Walls, rows: Sequence[Row], lattice: Lattice, contents: Sequence[Contents]
) -> tuple[list[Row], list[Contents], list[Tube], list[Doubt]]:
    """Rows and contents without the locked places at the end of the last row, these, and doubts about other places.

    A place is locked if a sign is in it and its outline is fainter than that of tubes where they hold nothing: above
    and below the sign too, and at the same columns, unlike what stands in front of a tube.
    """
    every = [_parts(walls, each.tube, lattice, rows) for each in contents]
    levels = (PARTS * (MOST_CELLS if each.covered else each.filled) + 2 for each in contents)
    air = [list(enumerate(parts))[level:] for parts, level in zip(every, levels, strict=True)]
    unlike = {
        number: kinds
        for number, (each, own) in enumerate(zip(contents, every, strict=True))
        if len(each.tube.regions) < 2 and not walls.posts
        if any(kinds := _unlike(own, list(itertools.chain(*air[:number], *air[number + 1 :]))))
    }
    count, end = len(contents), len(contents) - len(rows[-1].tubes)
    mouths = walls.likeness(rows[-1].top - MOUTH * lattice.pitch, rows[-1].top - EDGE)
    reach = min(REACH * lattice.width, least_spacing(rows, lattice.width) / 2)
    while count > end and unlike.get(count - 1) == (True, True):
        tube = contents[count - 1].tube
        if tube.likeness < LIKELY or mouths.has_edges(tube.centre - reach, tube.centre + reach, FAINT):
            break  # something stands in front of a tube, whose mouth is seen
        count -= 1
    about = tuple(
        number for number in unlike if number < count and not contents[number].filled and not contents[number].covered
    )
    tubes, out = rows[-1].tubes, len(contents) - count
    last = [replace(rows[-1], tubes=tubes[: len(tubes) - out])] if out < len(tubes) else []
    names = ", ".join(str(number + 1) for number in about)
    says = f"tube {names}: its outline is fainter than those of others, or a sign is in it: it may be locked"
    doubts = [Doubt(says, DoubtKind.TUBES, about=about)] * bool(about)
    return [*rows[:-1], *last], list(contents[:count]), list(tubes[len(tubes) - out :]), doubts


class Part(NamedTuple):
    """A place at some height: looks of it, its middle and sides, and how strong the weaker side of its outline is."""

    look: Look
    middle: Look
    beside: Sequence[Look]
    strength: float


def _parts(walls: Walls, tube: Tube, lattice: Lattice, rows: Sequence[Row]) -> list[Part]:
    """The parts of a place, from above its foot to below the usual height of cells, where outlines may widen."""
    step, picture, parts = lattice.pitch / PARTS, walls.picture, list[Part]()
    lower = [tube.bottom - number * step for number in range(1, max(2, round(rows_height(rows) / step) - 1))]
    strips = [[tube.centre + end * lattice.width for end in strip] for strip in ACROSS]
    for at in lower:
        look, middle, *beside = picture.looks([(left, at - step, right, at) for left, right in strips])
        line, sides = picture.line(at - step, at), []
        for way in (-1, 1):
            near, far = sorted(round(tube.centre + way * part * lattice.width) for part in (0.45, REACH))
            sides.append(max(map(abs, line[max(0, near) : max(0, far) + 1]), default=0.0))
        parts.append(Part(look, middle, beside, min(sides)))
    return parts


def _unlike(own: Sequence[Part], air: Sequence[tuple[int, Part]]) -> tuple[bool, bool]:
    """Whether a place has a fainter outline than tubes, and whether a sign is in it. ``air`` is that of other tubes."""
    strong = median(part.strength for _, part in air) if air else 0.0
    usual, drawn = median_of([part.look.colour for part in own]), median(part.look.drawn for part in own)
    usual_middle = median_of([part.middle.colour for part in own])
    plain, pale, strange, signed = list[float](), list[float](), False, False
    for level, part in enumerate(own):
        there = [other for at, other in air if at == level]
        around = (usual_middle, *(look.colour for look in (*part.beside, *(other.middle for other in there))))
        pale.append(min(dist(part.middle.colour, one) for one in around))
        alike = min(dist(part.look.colour, one) for one in (usual, *(other.look.colour for other in there))) <= STRANGE
        if alike and (not there or part.look.drawn <= max(drawn, *(other.look.drawn for other in there)) + DRAWN):
            plain.append(part.strength / max(SEEN, median(each.strength for each in there) if there else strong))
            signed |= strange and plain[-1] >= GONE  # else it is the mouth
        else:
            strange = True
    is_faint = strong > SEEN and len(plain) >= len(own) / 2 and median(plain) <= FAINT
    pale = pale[1:-1]  # at the ends are the foot and the mouth
    signed |= max(map(min, itertools.pairwise(pale)), default=0.0) > max(PALE, GRAIN * median(pale or [0.0]))
    return is_faint and median(plain[-(len(plain) // 3 + 1) :]) >= GONE, signed
