"""Locked places for more tubes, as many games show after the last one: dashed or grey, with a padlock, "+" or "Ad"."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from math import dist
from statistics import median
from typing import NamedTuple

from bsp_sat.apps.pictures.board import Doubt, DoubtKind
from bsp_sat.apps.pictures.cells import Lattice
from bsp_sat.apps.pictures.contents import Contents, median_of
from bsp_sat.apps.pictures.picture import Look
from bsp_sat.apps.pictures.rows import LIKELY, REACH, Row, Tube, Walls, rows_height

FAINT = 0.75  # of the strength of outlines where tubes hold nothing; a dashed one had .45, right ones have .8 and more
GONE = 0.25  # of it; above a low tube, and beside a rod, there is less
SEEN = 1.0  # of lightness, that theirs have at least
STRANGE = 12.0  # in Lab, that a sign differs by from what else is in the place, and in empty tubes
DRAWN = 2.5  # in Lab, that more is drawn on a sign
PARTS = 4  # of a cell's height, that are looked at each for itself


def without_locked(
    walls: Walls, rows: Sequence[Row], lattice: Lattice, contents: Sequence[Contents]
) -> tuple[list[Row], list[Contents], list[Tube], list[Doubt]]:
    """Rows and contents without the locked places at the end of the last row, these, and doubts about other places.

    A place is locked if a sign is in it and its outline is fainter than that of tubes where they hold nothing: above
    and below the sign too, and at the same columns, unlike what stands in front of a tube.
    """
    every = [_parts(walls, each.tube, lattice, rows) for each in contents]
    levels = [
        len(parts) if each.covered else PARTS * each.filled + 2 for each, parts in zip(contents, every, strict=True)
    ]
    air = [list(enumerate(parts))[level:] for parts, level in zip(every, levels, strict=True)]
    faint = [
        (number, signs)
        for number, (each, own) in enumerate(zip(contents, every, strict=True))
        if len(each.tube.regions) < 2 and not walls.posts
        if (signs := _signs(own, list(itertools.chain(*air[:number], *air[number + 1 :])))) is not None
    ]
    count = len(contents)
    while (
        len(contents) - count < len(rows[-1].tubes)
        and faint[-1:] == [(count - 1, True)]
        and contents[count - 1].tube.likeness >= LIKELY
    ):
        faint.pop()
        count -= 1
    about = tuple(number for number, _ in faint if not contents[number].filled and not contents[number].covered)
    tubes, out = rows[-1].tubes, len(contents) - count
    last = [replace(rows[-1], tubes=tubes[: len(tubes) - out])] if out < len(tubes) else []
    names = ", ".join(str(number + 1) for number in about)
    says = f"tube {names}: its outline is fainter than those of others: it may be locked"
    doubts = [Doubt(says, DoubtKind.TUBES, about=about)] * bool(about)
    return [*rows[:-1], *last], list(contents[:count]), list(tubes[len(tubes) - out :]), doubts


class Part(NamedTuple):
    """A place at some height: its look, and how strong the weaker side of the outline is."""

    look: Look
    strength: float


def _parts(walls: Walls, tube: Tube, lattice: Lattice, rows: Sequence[Row]) -> list[Part]:
    """The parts of a place, from above its foot up to the usual height of cells."""
    step, quarter, picture = lattice.pitch / PARTS, lattice.width / 4, walls.picture
    lower = [tube.bottom - number * step for number in range(1, round(rows_height(rows) / step))]
    places = [(tube.centre - quarter, at - step, tube.centre + quarter, at) for at in lower]
    parts = []
    for at, look in zip(lower, picture.looks(places), strict=True):
        line, sides = picture.line(at - step, at), []
        for way in (-1, 1):
            near, far = sorted(round(tube.centre + way * part * lattice.width) for part in (0.45, REACH))
            sides.append(max(map(abs, line[max(0, near) : max(0, far) + 1]), default=0.0))
        parts.append(Part(look, min(sides)))
    return parts


def _signs(own: Sequence[Part], air: Sequence[tuple[int, Part]]) -> bool | None:
    """Whether a sign is in a place with a faint outline; None if that isn't faint. ``air`` is other tubes'."""
    strong = median(part.strength for _, part in air) if air else 0.0
    if strong <= SEEN:
        return None
    usual, drawn = median_of([part.look.colour for part in own]), median(part.look.drawn for part in own)
    faint = []
    for level, part in enumerate(own):
        there = [other for at, other in air if at == level]
        alike = min(dist(part.look.colour, one) for one in (usual, *(other.look.colour for other in there))) <= STRANGE
        if alike and part.look.drawn <= drawn + DRAWN:
            faint.append(part.strength / max(SEEN, median(each.strength for each in there) if there else strong))
    if len(faint) < len(own) / 2 or median(faint) > FAINT or median(faint[-(len(faint) // 3 + 1) :]) < GONE:
        return None
    return len(faint) < len(own)
