"""What fills tubes: which places hold a cell, and which of them the game covers.

**Air.** A place is empty if it looks as empty places do: as the ground beside its tube, as the same place of a tube
that holds nothing, or as what is around balls. Liquids and balls lie on each other,
so that the highest filled place says how many there are.

**Hidden cells** are grey, with a sign on them, alike, and never on top.

**Covers** hide whole tubes: one beside open tubes has no outline of a tube and looks like no air; of a row of nothing
but covers all look alike. The sign on each says which colour opens it.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, hypot
from statistics import median

from bsp_sat.apps.pictures.cells import Lattice
from bsp_sat.apps.pictures.picture import Colour, Look, PixelPicture, Place
from bsp_sat.apps.pictures.rows import LIKELY, Row, Tube

AIR = 9.0  # in Lab; what looks nearer than this to air is air
UNSURE_AIR = 6.0, 13.0  # in Lab; between them it is a guess
PLAIN_AIR = 30.0  # in Lab; air is no further from the ground, as it is seen through glass
STRANGE_AIR = 60.0  # the same where nothing but air can be there
GREY = 16.0  # chroma
SIGN = 5.0  # in Lab; how much is drawn on a place with a sign on it
MORE_DRAWN = 1.8  # times as much is drawn on a place with a sign as on others
ALIKE = 10.0  # in Lab
SIGN_ALIKE = 14.0  # in Lab
HOLES_ALIKE = 4.0  # in Lab
LEAST_SIGN = 0.03  # of the middle of a cover
SIGN_POINTS = 12, 50  # that a cover is looked at, across and down
HALF_WAY = 0.1  # of a cell's width, on both sides of the middle between two tubes: where the ground is looked at


def median_of(colours: Sequence[Colour]) -> Colour:
    """The median of each channel."""
    lightness, red, yellow = (median(channel) for channel in zip(*colours, strict=True))
    return lightness, red, yellow


@dataclass(frozen=True)
class Slot:
    """A place for a cell, filled or not. ``box``: where it is, in pixels at working size."""

    box: Place
    look: Look
    ground: tuple[Colour, ...]

    def from_ground(self) -> float:
        """How far it is from the ground, in Lab; 0 where no ground is seen."""
        return to_nearest(self.look.colour, self.ground, 0.0)

    def corner(self) -> Colour:
        """The usual colour of its corners."""
        return median_of(self.look.corners)


@dataclass(frozen=True)
class Contents:
    """What a tube holds: places up to the highest cell of its row, the lowest first, and how clear that is, 0 to 1."""

    tube: Tube
    slots: tuple[Slot, ...]
    filled: int
    clearness: float
    covered: bool = False

    def ground(self) -> list[Colour]:
        """The colours beside it."""
        return [colour for slot in self.slots for colour in slot.ground]

    def cells(self) -> tuple[Slot, ...]:
        """Its cells, the lowest first; none where it is covered."""
        return () if self.covered else self.slots[: self.filled]


def find_contents(picture: PixelPicture, rows: Sequence[Row], lattice: Lattice) -> list[Contents]:
    """What the tubes hold, row by row."""
    places: list[tuple[Row, Tube, tuple[Slot, ...] | None, list[Colour]]] = []  # without slots where covered
    for row in rows:
        by_tube = [slots_in(picture, tube, row, lattice) for tube in row.tubes]
        covered = _are_covers(row, by_tube)
        # What is around balls is what is in tubes without them.
        corners = [slot.corner() for slots in by_tube for slot in slots] if lattice.balls else []
        common = [median_of(corners)] if corners else []
        places += [
            (row, tube, None if covered else slots, common) for tube, slots in zip(row.tubes, by_tube, strict=True)
        ]
    empty = [
        slots
        for row, tube, slots, common in places
        if slots and len(tube.regions) <= 1 and _is_empty(picture, tube, row, lattice, slots, common)
    ]
    found = []
    for _, tube, slots, common in places:
        if slots is None:
            found.append(Contents(tube, (), 0, 1.0, covered=True))
            continue
        apart = list(_from_air(tube, lattice, slots, empty, common))
        filled = 0 if slots in empty else max((at for at, away in enumerate(apart, 1) if away > AIR), default=0)
        cover = _is_cover(tube, slots[:filled], apart)
        found.append(Contents(tube, slots, filled, 1.0 if cover else _clearness(apart, filled), cover))
    return found if hidden_cells(found) else _without_lid(found)


def without_holes(contents: list[Contents]) -> list[Contents]:
    """Without empty places that are drawn as holes or rings, and so look like cells; the same list if none is.

    All tubes seem full, and more of these places than a tube has look alike, which lie on top only.
    """
    height = max((len(each.slots) for each in contents), default=0)
    if any(each.covered or each.filled < height for each in contents) or hidden_cells(contents):
        return contents
    for top in {each.slots[-1].look.colour for each in contents}:
        holes = [[dist(slot.look.colour, top) <= HOLES_ALIKE for slot in each.slots] for each in contents]
        if sum(map(sum, holes)) > height and all(of_tube == sorted(of_tube) for of_tube in holes):
            return [replace(each, filled=height - sum(own)) for each, own in zip(contents, holes, strict=True)]
    return contents


def _without_lid(contents: list[Contents]) -> list[Contents]:
    """Without the lid that closes a tube full of one colour.

    A lid looks like one more cell, of another colour, on top of equal ones, and no other tube is so full.
    """
    fullest = max(contents, key=lambda each: each.filled)
    cells, number = fullest.cells(), contents.index(fullest)
    others = max((each.filled for each in contents if each is not fullest), default=0)
    if len(cells) < 3 or others != len(cells) - 1:
        return contents
    *below, lid = (slot.look.colour for slot in cells)
    if max(dist(colour, below[0]) for colour in below) > ALIKE or dist(lid, below[-1]) <= ALIKE:
        return contents
    return [*contents[:number], replace(fullest, filled=len(below)), *contents[number + 1 :]]


def slots_in(picture: PixelPicture, tube: Tube, row: Row, lattice: Lattice) -> tuple[Slot, ...]:
    """The places of a tube, with the ground half-way to its neighbours."""
    aside, half = (row.spacing or 1.6 * lattice.width) / 2, max(2.0, HALF_WAY * lattice.width)
    sides = [side for side in (tube.centre - aside, tube.centre + aside) if half <= side < picture.width - half]
    slots = []
    for box in lattice.slots(tube, row.top):
        rest = 0.2 * (box[3] - box[1])
        beside = [(side - half, box[1] + rest, side + half, box[3] - rest) for side in sides]
        own, *ground = picture.looks([box, *beside])
        slots.append(Slot(box, own, tuple(look.colour for look in ground)))
    return tuple(slots)


def to_nearest(colour: Colour, others: Sequence[Colour], default: float) -> float:
    """How far a colour is from the nearest of others, in Lab; the default where there are none."""
    return min((dist(colour, other) for other in others), default=default)


# -- air -------------------------------------------------------------------------------------------------


def _is_empty(
    picture: PixelPicture, tube: Tube, row: Row, lattice: Lattice, slots: Sequence[Slot], common: Sequence[Colour]
) -> bool:
    """Whether a tube in which no cells were found holds none: it is all alike, and not like a tube of one colour.

    Balls of one colour would have corners of another, and layers would end below the mouth. Where its whole inside is
    one flat region not far from the ground, light may fall on it unevenly.
    """
    far = max(to_nearest(slot.look.colour, [*slot.ground, *common], 0.0) for slot in slots)
    if far <= PLAIN_AIR and any(region.height >= 0.85 * (tube.bottom - row.top) for region in tube.regions):
        return True
    if any(dist(one.look.colour, two.look.colour) > AIR for one, two in itertools.pairwise(slots)):
        return False
    if far <= 1.8 * AIR:
        return True
    if lattice.balls:
        return far <= STRANGE_AIR and median(dist(slot.corner(), slot.look.colour) for slot in slots) <= AIR
    edge, height = lattice.width / 2, lattice.pitch
    middle = row.top - 0.17 * height + tube.bottom - row.usual_bottom_edge
    (above,) = picture.looks([(tube.centre - edge, middle - 0.1 * height, tube.centre + edge, middle + 0.1 * height)])
    return far <= STRANGE_AIR and dist(slots[-1].look.colour, above.colour) <= AIR


def _from_air(
    tube: Tube, lattice: Lattice, slots: Sequence[Slot], empty: Sequence[Sequence[Slot]], common: Sequence[Colour]
) -> Iterator[float]:
    """How far each place of a tube is from the ground, the same place of empty tubes, and common air, in Lab.

    Where a flat region of the size of a ball stands is no air.
    """
    for number, slot in enumerate(slots):
        insides = [other[number].look.colour for other in empty if number < len(other)]
        away = to_nearest(slot.look.colour, [*slot.ground, *common, *insides], 100.0)
        middle = (slot.box[1] + slot.box[3]) / 2
        is_ball = lattice.balls and any(
            max(abs(each.height + 2 - lattice.width), abs((each.top + each.bottom) / 2 - middle))
            <= 0.15 * lattice.width
            for each in tube.regions
        )
        yield max(away, UNSURE_AIR[1]) if is_ball else away


def _clearness(apart: Sequence[float], filled: int) -> float:
    """How clear the border between cells and air is in colour."""
    least, most = UNSURE_AIR
    clear = min([1.0, *((most - above) / (most - least) for above in apart[filled:])])
    if filled:
        clear = min(clear, (apart[filled - 1] - least) / (most - least))
        if min(apart[:filled]) < least:  # a gap below a filled place
            clear = min(clear, 0.3)
    return max(0.0, clear)


# -- what games cover ------------------------------------------------------------------------------------


def _is_cover(tube: Tube, cells: Sequence[Slot], apart: Sequence[float]) -> bool:
    """Whether what fills a tube hides it: it has no outline, and one thing unlike air fills it to the mouth."""
    filled = len(cells)
    if filled <= 1 or filled < len(apart) - 1 or len(tube.regions) > 1 or tube.likeness >= LIKELY:
        return False
    usual = median_of([cell.look.colour for cell in cells])
    alike = sum(dist(cell.look.colour, usual) <= ALIKE for cell in cells)
    return min(apart[:filled]) > PLAIN_AIR and alike > filled / 2


def _are_covers(row: Row, by_tube: Sequence[Sequence[Slot]]) -> bool:
    """Whether all of a row is covered: no cells were found in it, and all look alike and unlike the ground.

    They look so over more than half of their height, and each has a sign on it, all at one height.
    """
    height = min(map(len, by_tube))
    if len(by_tube) < 2 or height < 2 or any(tube.regions for tube in row.tubes):
        return False
    drawn = [[slot.look.drawn for slot in slots[:height]] for slots in by_tube]
    strange, signs = 0, False
    for number in range(height):
        level = [slots[number] for slots in by_tube]
        usual = median_of([slot.look.colour for slot in level])
        alike = all(dist(slot.look.colour, usual) <= ALIKE for slot in level)
        strange += alike and min(slot.from_ground() for slot in level) > PLAIN_AIR
        signs |= all(of_tube[number] >= max(SIGN, MORE_DRAWN * median(of_tube)) for of_tube in drawn)
    return signs and strange > height / 2


def hidden_cells(contents: Sequence[Contents]) -> frozenset[tuple[int, int]]:
    """Tube and cell of what the game covers, both counted from 0."""
    tops = [each.cells()[-1].look for each in contents if each.cells()]
    below = {
        (tube, cell): slot.look for tube, each in enumerate(contents) for cell, slot in enumerate(each.cells()[:-1])
    }
    usual = median([look.drawn for look in tops]) if tops else 0.0
    signed = [look for look in below.values() if hypot(*look.colour[1:]) < GREY and look.drawn >= SIGN]
    if len(signed) <= max((each.filled for each in contents), default=0):  # no more than a colour may have
        signed = [look for look in signed if look.drawn >= MORE_DRAWN * usual]
    grey = [look.colour for look in signed]
    if len(grey) < 2:
        return frozenset()
    centre = median_of(grey)
    if any(dist(look.colour, centre) < 0.7 * ALIKE for look in tops):
        return frozenset()
    return frozenset(place for place, look in below.items() if dist(look.colour, centre) < 1.4 * ALIKE)


def sign_of(picture: PixelPicture, box: Place, colours: Mapping[str, Colour]) -> str | None:
    """The one of some colours that stands in the middle of a cover, None where it isn't plain."""
    left, top, right, bottom = box
    across, down = SIGN_POINTS
    columns = [left + (right - left) * (0.34 + 0.32 * number / across) for number in range(across)]
    lines = [top + (bottom - top) * number / down for number in range(down)]
    counts = Counter(dict.fromkeys(colours, 0))
    for look in picture.looks([(x, y, x + 1, y + 1) for x in columns for y in lines]):
        near = min(colours, key=lambda name: dist(colours[name], look.colour))
        counts[near] += dist(colours[near], look.colour) < SIGN_ALIKE
    (best, most), *others = counts.most_common(2)
    return best if most >= max([LEAST_SIGN * across * down, *(2 * count for _, count in others)]) else None
