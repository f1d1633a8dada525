"""What fills tubes: which places hold a cell, and which of them the game covers.

**Air.** A place is empty if it looks as empty places do: as the ground beside its tube, as the same place of a tube
that holds nothing, or as most tubes do near their mouths. Liquids and balls lie on each other, so that the highest
filled place says how many there are.

**Hidden cells** are grey, with a sign on them, alike, and never on top.

**Covers** hide whole tubes: one beside open tubes has no outline of a tube and looks like no air; of a row of nothing
but covers all look alike. The sign on each says which colour opens it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cells import Lattice, Look, look_at, slots_of
from bsp_sat.screenshots.cielab import Lab, distance
from bsp_sat.screenshots.rows import LIKELY, Row, Tube

AIR = 9.0  # in Lab; what looks nearer than this to air is air
UNSURE_AIR = (6.0, 13.0)  # in Lab; between them it is a guess
PLAIN_AIR = 30.0  # in Lab; air is no further from the ground, as it is seen through glass
STRANGE_AIR = 60.0  # the same where nothing but air can be there
GREY = 16.0  # chroma
SIGN = 5.0  # in Lab; mean deviation of a place with a sign on it
ALIKE = 10.0  # in Lab
SIGN_ALIKE = 14.0  # in Lab
LEAST_CONTRAST = 1.0  # in Lab, between the inside of a tube and the ground
LEAST_SIGN = 0.03  # of the middle of a cover


@dataclass(frozen=True)
class Contents:
    """What a tube holds.

    Attributes:
        tube: where it is.
        boxes: the places of its cells, in pixels at working size, the lowest first; those that are filled.
        looks: what they look like.
        clearness: 0 to 1, how clear it is that exactly these are filled.
        apart: how far each of its cells is from what air looks like there, in Lab.
        seen: whether there is a tube: its outline is plain, or its inside looks like that of others and unlike the
            ground.
        covered: whether something hides the tube; then the looks are those of the cover, if any.
        places: what all places look like in a tube without cells, but for the highest, which its mouth may cross.
        strange: how far most of it is from the ground, in Lab.
    """

    tube: Tube
    boxes: tuple[tuple[float, float, float, float], ...]
    looks: tuple[Look, ...]
    clearness: float
    covered: bool = False
    apart: tuple[float, ...] = ()
    seen: bool = True
    places: tuple[Look, ...] = ()
    strange: float = 0.0


def find_contents(lab: Lab, rows: Sequence[Row], lattice: Lattice) -> list[list[Contents]]:
    """What the tubes of each row hold."""
    return [_of_row(lab, row, lattice) for row in rows]


@dataclass(frozen=True)
class _Place:
    """A place for a cell, filled or not.

    Attributes:
        box: where it is, in pixels at working size.
        look: what it looks like.
        ground: the colours beside it.
    """

    box: tuple[float, float, float, float]
    look: Look
    ground: list[NDArray[np.float32]]

    def from_ground(self) -> float:
        """How far it is from the ground, in Lab; 0 where no ground is seen."""
        return _to_nearest(self.look.colour, self.ground, 0.0)


def _of_row(lab: Lab, row: Row, lattice: Lattice) -> list[Contents]:
    by_tube = [_places(lab, row, lattice, index) for index in range(len(row.tubes))]
    if _are_covers(row, by_tube):
        return [Contents(tube, (), (), 1.0, covered=True) for tube in row.tubes]
    above = [_above(lab, row, tube, lattice) for tube in row.tubes]
    common = _common_air(row, lattice, by_tube, above)
    empty = [
        index
        for index, tube in enumerate(row.tubes)
        if len(tube.regions) <= 1
        and by_tube[index]
        and _is_empty(by_tube[index], above[index], common, lattice.balls, _is_one_region(tube, row))
    ]
    return [_of_tube(row, lattice, index, by_tube, empty, common) for index in range(len(row.tubes))]


def _places(lab: Lab, row: Row, lattice: Lattice, index: int) -> list[_Place]:
    """The places of a tube, the lowest first."""
    return [
        _Place(box, look_at(lab, box), _ground(lab, row, lattice, index, box))
        for _, box in slots_of(lattice, row.tubes[index], row.top)
    ]


def _common_air(
    row: Row, lattice: Lattice, by_tube: Sequence[Sequence[_Place]], above: Sequence[NDArray[np.float32]]
) -> list[NDArray[np.float32]]:
    """What air looks like throughout a row: near the mouths, above them, and around balls."""
    mouths = [(places[-1].look.colour, places[-1].ground) for places in by_tube if places]
    ground = by_tube[0][-1].ground if by_tube[0] else []
    shared = (_shared(mouths), _shared([(colour, ground) for colour in above]))
    common = [air for air in shared if air is not None]
    if lattice.balls:
        corners = [
            place.look.corners
            for tube, places in zip(row.tubes, by_tube, strict=True)
            for place in places
            if _is_disc(place.box, tube, lattice)
        ]
        if corners:
            common.append(np.median(corners, axis=0))  # what is around balls is what is in tubes without them
    return common


def _is_one_region(tube: Tube, row: Row) -> bool:
    """Whether a flat region fills nearly the whole inside of a tube."""
    return any(region.height >= 0.85 * (tube.bottom - row.top) for region in tube.regions)


def _of_tube(
    row: Row,
    lattice: Lattice,
    index: int,
    by_tube: Sequence[Sequence[_Place]],
    empty: Sequence[int],
    common: Sequence[NDArray[np.float32]],
) -> Contents:
    """What one tube of a row holds, where some of the row's tubes are known to be empty."""
    tube, places = row.tubes[index], by_tube[index]
    apart = _from_air(tube, lattice, places, [by_tube[other] for other in empty], common)
    filled = 0 if index in empty else _filled(apart)
    looks = tuple(place.look for place in places[:filled])
    covered = _is_cover(tube, looks, apart)
    others = [by_tube[other] for other in empty if other != index and row.tubes[other].likeness >= LIKELY]
    return Contents(
        tube,
        boxes=tuple(place.box for place in places[:filled]),
        looks=looks,
        clearness=_clearness(apart, filled, tube, lattice),
        covered=covered,
        apart=tuple(apart[:filled]),
        seen=covered or _is_seen(tube, _likeness_of_insides(places, others, common)),
        places=() if filled else tuple(place.look for place in places[:-1]),
        strange=float(np.median([place.from_ground() for place in places])) if places else 0.0,
    )


def _from_air(
    tube: Tube,
    lattice: Lattice,
    places: Sequence[_Place],
    empty: Sequence[Sequence[_Place]],
    common: Sequence[NDArray[np.float32]],
) -> list[float]:
    """How far each place of a tube is from what air looks like there, in Lab; a ball is never air."""
    apart = []
    for slot, place in enumerate(places):
        insides = [other[slot].look.colour for other in empty if slot < len(other)]
        away = _to_nearest(place.look.colour, [*place.ground, *common, *insides], 100.0)
        is_ball = lattice.balls and _is_disc(place.box, tube, lattice)
        apart.append(max(away, UNSURE_AIR[1]) if is_ball else away)
    return apart


def _filled(apart: Sequence[float]) -> int:
    """How many places are filled: all up to the highest that is no air."""
    return next((slot + 1 for slot in reversed(range(len(apart))) if apart[slot] > AIR), 0)


def _is_cover(tube: Tube, looks: Sequence[Look], apart: Sequence[float]) -> bool:
    """Whether what fills a tube hides it: it has no outline, and one thing unlike air fills it to the mouth."""
    filled = len(looks)
    whole = filled >= len(apart) - 1 and len(tube.regions) <= 1
    return filled > 1 and whole and tube.likeness < LIKELY and min(apart[:filled]) > PLAIN_AIR and _is_one_thing(looks)


def _is_seen(tube: Tube, like: float) -> bool:
    """Whether a tube is there, by what was found of it and by how much its inside is ``like`` that of others.

    An outline counts unless other tubes look unlike the ground inside, and this one doesn't.
    """
    outlined = tube.likeness >= LIKELY and like > -0.6
    return bool(tube.regions) or tube.confirmed or outlined or like > 0.6


def _to_nearest(colour: NDArray[np.float32], others: Sequence[NDArray[np.float32]], default: float) -> float:
    """How far a colour is from the nearest of others, in Lab; the default where there are none."""
    return min((float(distance(colour, other)) for other in others), default=default)


def _is_one_thing(looks: Sequence[Look]) -> bool:
    """Whether more than half of a tube's places look alike, as a cover does, apart from the sign on it."""
    colours = np.array([look.colour for look in looks])
    return bool((distance(colours, np.median(colours, axis=0)) <= ALIKE).sum() > len(looks) / 2)


def _are_covers(row: Row, by_tube: Sequence[Sequence[_Place]]) -> bool:
    """Whether all of a row is covered: no cells were found in it, and all look alike and unlike the ground.

    They look so over more than half of their height, and each has a sign on it, all at one height.
    """
    height = min(map(len, by_tube))
    if len(by_tube) < 2 or height < 2 or any(tube.regions for tube in row.tubes):
        return False
    shared = [places[:height] for places in by_tube]
    strange = np.array([[place.from_ground() for place in places] for places in shared]).min(axis=0) > PLAIN_AIR
    colours = np.array([[place.look.colour for place in places] for places in shared])
    alike = distance(colours, np.median(colours, axis=0)).max(axis=0) <= ALIKE
    textures = np.array([[sign_strength(place.look) for place in places] for places in shared])
    plain = np.median(textures, axis=1, keepdims=True)
    signs = ((textures >= SIGN) & (textures >= 1.8 * plain)).all(axis=0)
    return bool((alike & strange).sum() > height / 2 and signs.any())


def sign_of(lab: Lab, box: tuple[float, float, float, float], colours: Sequence[NDArray[np.float32]]) -> int | None:
    """The one of some colours that stands in the middle of a cover, None where it isn't plain."""
    left, top, right, bottom = box
    third = (right - left) / 3
    middle = lab[round(max(0.0, top)) : round(bottom), round(left + third) : round(right - third)].reshape(-1, 3)
    if not len(middle) or not colours:
        return None
    apart = np.stack([distance(middle, colour) for colour in colours], axis=1)
    nearest = apart.argmin(axis=1)[apart.min(axis=1) < SIGN_ALIKE]
    shares = np.bincount(nearest, minlength=len(colours)) / len(middle)
    best = int(shares.argmax())
    others = np.delete(shares, best)
    return best if shares[best] >= LEAST_SIGN and shares[best] >= 2 * others.max(initial=0.0) else None


def _is_disc(box: tuple[float, float, float, float], tube: Tube, lattice: Lattice) -> bool:
    """Whether a flat region of the size of a ball stands at a place."""
    middle = (box[1] + box[3]) / 2
    return any(
        abs(region.height + 2 - lattice.width) <= 0.15 * lattice.width
        and abs((region.top + region.bottom) / 2 - middle) <= 0.15 * lattice.width
        for region in tube.regions
    )


def _ground(
    lab: Lab, row: Row, lattice: Lattice, index: int, box: tuple[float, float, float, float]
) -> list[NDArray[np.float32]]:
    """The colours beside a place, half-way to the next tubes."""
    spacing = row.spacing or 1.6 * lattice.width
    top, bottom = round(box[1] + 0.2 * (box[3] - box[1])), round(box[3] - 0.2 * (box[3] - box[1]))
    found = []
    for side in (-0.5, 0.5):
        middle = row.tubes[index].centre + side * spacing
        half = max(2, round(0.1 * lattice.width))
        left, right = round(middle) - half, round(middle) + half + 1
        strip = lab[max(0, top) : max(0, bottom), max(0, left) : right]
        if left < 0 or right > lab.shape[1] or not strip.size:
            continue
        columns = np.median(strip, axis=0)
        # Where tubes touch, their outline stands half-way, and beside it is what their insides look like.
        sides = float(distance(columns[0], columns[-1]))
        outline = sides <= AIR and float(distance(columns[half], columns[0])) > AIR
        found += [columns[0], columns[-1]] if outline else [columns[half]]
    return found


def _above(lab: Lab, row: Row, tube: Tube, lattice: Lattice) -> NDArray[np.float32]:
    """The colour of a tube just above the highest cell of its row."""
    half = lattice.width / 2
    middle = row.top - 0.17 * lattice.pitch + tube.bottom - row.bottom
    box = (tube.centre - half, middle - 0.1 * lattice.pitch, tube.centre + half, middle + 0.1 * lattice.pitch)
    return look_at(lab, box).colour


def _shared(
    tops: Sequence[tuple[NDArray[np.float32], Sequence[NDArray[np.float32]]]],
) -> NDArray[np.float32] | None:
    """The colour that most tubes of a row share in a high place, if it isn't far from the ground beside."""
    if len(tops) < 2:
        return None
    colours = np.array([colour for colour, _ in tops])
    apart = distance(colours[:, None], colours[None])
    alike = (apart <= AIR).sum(axis=1)
    best = int(np.argmax(alike))
    near = [float(distance(colours[best], each)) for each in tops[best][1]]
    if alike[best] < 0.7 * len(tops) or min(near, default=0.0) > PLAIN_AIR:
        return None
    return np.asarray(colours[best], dtype=np.float32)


def _is_empty(
    places: Sequence[_Place],
    above: NDArray[np.float32],
    common: Sequence[NDArray[np.float32]],
    balls: bool,
    inside: bool,
) -> bool:
    """Whether a tube in which no cells were found holds none: it is all alike, and not like a tube of one colour.

    Balls of one colour would have corners of another, and layers would end below the mouth. Where its whole inside is
    one flat region not far from the ground, light may fall on it unevenly.
    """
    colours = np.array([place.look.colour for place in places])
    steps = distance(colours[1:], colours[:-1])
    far = max(_to_nearest(place.look.colour, [*place.ground, *common], 0.0) for place in places)
    if inside and far <= PLAIN_AIR:
        return True
    if float(steps.max(initial=0.0)) > AIR:
        return False
    if far <= 1.8 * AIR:
        return True
    if balls:
        corners = [float(distance(place.look.corners, place.look.colour)) for place in places]
        return float(np.median(corners)) <= AIR and far <= STRANGE_AIR
    return float(distance(colours[-1], above)) <= AIR and far <= STRANGE_AIR


def _likeness_of_insides(
    places: Sequence[_Place], others: Sequence[Sequence[_Place]], common: Sequence[NDArray[np.float32]]
) -> float:
    """Whether a place looks like the inside of tubes, 1, or like the ground, -1, over its height; 0 where unclear."""
    votes = 0
    for slot, place in enumerate(places):
        insides = [other[slot].look.colour for other in others if slot < len(other)] or common
        if insides and place.ground:
            inside = _to_nearest(place.look.colour, insides, 0.0)
            ground = place.from_ground()
            votes += (ground > LEAST_CONTRAST and inside < 0.5 * ground) - (
                inside > 3 * LEAST_CONTRAST and ground < 0.5 * inside
            )
    return votes / max(1, len(places))


def _clearness(apart: Sequence[float], filled: int, tube: Tube, lattice: Lattice) -> float:
    """How clear the border between cells and air is: in colour, and in where regions end."""
    least, most = UNSURE_AIR
    clear = 1.0
    if filled:
        clear = min(clear, (apart[filled - 1] - least) / (most - least))
        if min(apart[:filled]) < least:  # a gap below a filled place
            clear = min(clear, 0.3)
    for above in apart[filled:]:
        clear = min(clear, (most - above) / (most - least))
    if filled and len(tube.regions) > 1:
        top = lattice.box(tube, filled - 1)[1]
        borders = [edge for region in tube.regions for edge in (region.top, region.bottom)]
        if min(abs(edge - top) for edge in borders) > 0.35 * lattice.pitch:
            clear = min(clear, 0.4)
    return float(np.clip(clear, 0.0, 1.0))


def stretched(lab: Lab, rows: Sequence[Row], lattice: Lattice) -> list[Row]:
    """The rows, lower or higher by one cell where most filled tubes go on beyond what was found of them."""
    known = [
        look_at(lab, (region.left, region.top, region.right, region.bottom)).colour
        for row in rows
        for tube in row.tubes
        for region in tube.regions
    ]
    return [_stretched(lab, row, lattice, np.array(known)) for row in rows]


def _stretched(lab: Lab, row: Row, lattice: Lattice, known: NDArray[np.float32]) -> Row:
    filled = [index for index, tube in enumerate(row.tubes) if tube.regions]
    below = above = 0
    for index in filled:
        left, _, right, bottom = lattice.box(row.tubes[index], 0)
        under = (left, bottom + 0.1 * lattice.pitch, right, bottom + 0.9 * lattice.pitch)
        below += _is_cell(lab, row, lattice, index, under, known)
        slots = [slot for slot, _ in slots_of(lattice, row.tubes[index], row.top)]
        above += _is_cell(lab, row, lattice, index, lattice.box(row.tubes[index], len(slots)), known)
    if filled and below >= 0.7 * len(filled):
        row = replace(row, tubes=tuple(replace(tube, bottom=tube.bottom + lattice.pitch) for tube in row.tubes))
    if filled and above >= 0.5 * len(filled):
        row = replace(row, top=row.top - lattice.pitch)
    return row


def _is_cell(
    lab: Lab,
    row: Row,
    lattice: Lattice,
    index: int,
    box: tuple[float, float, float, float],
    known: NDArray[np.float32],
) -> bool:
    """Whether a place beyond a tube's known cells is one more: not like the ground, and like a cell elsewhere."""
    if box[1] < 0 or box[3] > len(lab):
        return False
    colour = look_at(lab, box).colour
    ground = _ground(lab, row, lattice, index, box)
    strange = bool(ground) and min(float(distance(colour, each)) for each in ground) > 2 * AIR
    return strange and float(distance(known, colour).min(initial=100.0)) < AIR


def hidden_cells(contents: Sequence[Contents]) -> frozenset[tuple[int, int]]:
    """Tube and cell of what the game covers, both counted from 0."""
    tops = [each.looks[-1] for each in contents if each.looks]
    below = {(tube, cell): look for tube, each in enumerate(contents) for cell, look in enumerate(each.looks[:-1])}
    usual = float(np.median([sign_strength(look) for look in tops])) if tops else 0.0
    grey = {
        place: look
        for place, look in below.items()
        if np.hypot(*look.colour[1:]) < GREY and sign_strength(look) >= max(SIGN, 1.8 * usual)
    }
    if len(grey) < 2:
        return frozenset()
    centre = np.median([look.colour for look in grey.values()], axis=0)
    if any(float(distance(look.colour, centre)) < 0.7 * ALIKE for look in tops):
        return frozenset()
    return frozenset(place for place, look in below.items() if float(distance(look.colour, centre)) < 1.4 * ALIKE)


def sign_strength(look: Look) -> float:
    """How much is drawn on a place."""
    return float(np.sqrt((look.texture() ** 2).mean()))
