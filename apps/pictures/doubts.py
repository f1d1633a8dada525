"""Doubts: what makes a board doubtful whose places are found.

Each was the only one on a wrong board that was measured (benchmarks/tried.md), or says what no picture can show; what
caught none went. The passes know nothing of each other, and of how the board was found.
"""

import itertools
from collections.abc import Callable, Iterator
from math import dist
from statistics import median

from bsp_sat.apps.pictures.board import Doubt, DoubtKind, TubeInPicture, doubts_of_counts
from bsp_sat.apps.pictures.cells import DISC
from bsp_sat.apps.pictures.contents import HALF_WAY, MORE_DRAWN, Contents, median_of
from bsp_sat.apps.pictures.explained import SURFACE, PictureReading
from bsp_sat.apps.pictures.rows import least_spacing

SHAPELESS = Doubt("balls and layers can't be told apart", DoubtKind.RULES)
SHAPE = 0.35, 0.5, 0.6  # of what cells differ by, that corners of layers' places do at least: where regions tell that
# they are layers, by hand, and where regions tell that they are balls; right balls had .44 and less, wrong ones .83
HIDDEN_ALIKE = 6.0  # in Lab; hidden cells differ by no more from one row to another
UNSIGNED = 0.6  # of what is usually drawn on a hidden cell; a finger had .52, right ones have .75 and more
DIMMED = 15.0  # in Lab; the ground beside a row differs by less from that around it; dimmed ones 18.9 and more
UNLIKE_AIR = 8.0  # in Lab; what differs more from the air in other tubes, and from the ground, may be a colour
MOST_EMPTY = 3  # tubes, where a row of them stands below others with empty ones
OFF_LATTICE = 0.22  # of a cell, that borders of regions are off those of cells
PATTERN = 1.0  # in Lab, that is drawn on every place of a tube full of a pattern, and half as much as on other cells
COUNTED = 8  # colours; of so many, one cell less of each happens in 8! / 8⁸ of all cases, a four-hundredth
LEAST_MARGIN = 0.15  # of a cell's height, between the cells of a row and the edge of the picture


def doubts_of_reading(reading: PictureReading) -> Iterator[Doubt]:
    """All that is doubtful."""
    if not reading.by_hand:
        yield from _doubts_of_places(reading)
    yield from doubts_of_counts(reading.tubes)
    yield from _doubts_of_cells(reading)
    for says, is_doubtful in TUBE_DOUBTS.items():
        pairs = enumerate(zip(reading.contents, reading.tubes, strict=True))
        if about := tuple(number for number, (each, tube) in pairs if is_doubtful(reading, each, tube)):
            kind = DoubtKind.UNLIKELY if is_doubtful is _is_off_lattice else DoubtKind.CELLS
            yield Doubt(f"tube {', '.join(str(number + 1) for number in about)}: {says}", kind, about=about)
    if reading.hidden:
        yield from _doubts_of_hidden(reading)


# -- where tubes and cells are ---------------------------------------------------------------------------


def _doubts_of_places(reading: PictureReading) -> Iterator[Doubt]:
    """Where a tube is cut off, or one may have been overlooked."""
    picture, walls, lattice, rows = reading.picture, reading.walls, reading.lattice, reading.rows
    margin, half = LEAST_MARGIN * lattice.pitch, 0.5 * lattice.width
    lengths = [len(row.tubes) for row in rows]
    tubes = iter(reading.contents)
    empty = sum(not each.filled and not each.covered for each in reading.contents)
    colours = {colour for tube in reading.tubes for colour in tube.colours()}
    are_all = not reading.hidden and len(colours) >= COUNTED and not any(doubts_of_counts(reading.tubes))
    for number, row in enumerate(rows, start=1):
        contents = list(itertools.islice(tubes, len(row.tubes)))
        is_expected = row is rows[-1] and 2 * len(contents) >= max(lengths) and empty <= max(len(contents), MOST_EMPTY)
        if not is_expected and not any(each.filled or each.covered for each in contents):
            start = sum(lengths[: number - 1])
            says = f"row {number}: it holds nothing but empty tubes, which may be none"
            yield Doubt(says, DoubtKind.TUBES, about=tuple(range(start, start + len(contents))))
        right, below = row.tubes[-1].centre + half - picture.width, row.usual_bottom_edge + 2 * margin - picture.height
        is_cut = max(half - row.tubes[0].centre, margin - row.top, right, below) > 0
        if not are_all and (is_cut or (row.top < lattice.pitch and walls.are_seen(row, 0, margin))):
            yield Doubt(f"row {number}: a tube is cut off by the edge of the picture", DoubtKind.TUBES)
    if len({*lengths[:-1]}) > 1 and max(lengths) - min(lengths) > 1:
        says = "the rows above the last differ in length by more than a tube: something may be no row"
        yield Doubt(says, DoubtKind.TUBES)


# -- what is in one tube ------------------------------------------------------------------------------------


def _may_be_full(reading: PictureReading, each: Contents, tube: TubeInPicture) -> bool:
    """Whether a tube that looks empty may be full of one colour near the ground's; no count tells, as all is gone.

    Air above layers may be lit otherwise than in an empty tube, so that this has to be unlike the ground too.
    """
    if each.filled or not each.slots:
        return False
    balls, pitch, own = reading.lattice.balls, reading.lattice.pitch, each.slots[: tube.capacity]
    inner = own[:-1] or own
    empty = [other.slots for other in reading.contents if other is not each and not other.filled and other.slots]
    if not reading.hidden:
        pairs = (zip(own, slots, strict=False) for slots in empty)
        if any(all(dist(one.look.colour, two.look.colour) <= SURFACE for one, two in pair) for pair in pairs):
            return False  # counts tell that no colour fills two tubes
        drawn = median(reading.slot(place).look.drawn for place in reading.shown)
        is_plain = balls or reading.walls.posts  # rods are drawn on empty ones
        if not is_plain and min(slot.look.drawn for slot in own) >= max(PATTERN, drawn / 2):
            return True
    lit = reading.air and (balls or median(slot.from_ground() for slot in own) > UNLIKE_AIR)
    if lit and min(dist(colour, slot.look.colour) for slot in inner for colour in reading.air) > UNLIKE_AIR:
        return True
    if balls:
        return min(dist(slot.corner(), slot.look.colour) for slot in inner) > SURFACE
    left, top, right, _bottom = own[-1].box
    below, above = reading.picture.looks(
        [(left, top + 0.07 * pitch, right, top + 0.27 * pitch), (left, top - 0.27 * pitch, right, top - 0.07 * pitch)]
    )
    step = dist(below.colour, above.colour)
    return step > SURFACE and step > 2 * dist(below.colour, own[-1].look.colour)


def _is_off_lattice(reading: PictureReading, each: Contents, _: TubeInPicture) -> bool:
    """Whether its cells aren't where those of others are: it may be lifted, or partly hidden."""
    lattice = reading.lattice
    if len(each.tube.regions) < 2 or not each.filled:  # nor has a tube any in rows by hand
        return False
    places = (lattice.box(each.tube, slot) for slot in range(each.filled + 1))
    expected = [edge for _, top, _, bottom in places for edge in (top, bottom)]
    own = [float(edge) for region in each.tube.regions for edge in (region.top, region.bottom)]
    return median(min(abs(edge - other) for other in expected) for edge in own) > OFF_LATTICE * lattice.pitch


def _shows_several(reading: PictureReading, _: Contents, tube: TubeInPicture) -> bool:
    """Whether more than one colour is on its hidden cells, onto which only one at a time can be poured."""
    return len({None, *tube.colours()}) > 2 and None in tube.colours() and bool(reading.hidden)


def _is_alone(reading: PictureReading, _: Contents, tube: TubeInPicture) -> bool:
    """Whether this tube and others hold one colour, as high in all of them, which lies beside no other."""
    own = {*tube.colours()}
    alike = [other.cells for other in reading.tubes if own & {*other.colours()}]
    of_one = len(own) == 1 and all({cell.colour for cell in cells} == own for cells in alike)
    return of_one and len(alike) > 1 and {*map(len, alike)} == {len(tube.cells)} < {tube.capacity, len(tube.cells)}


TUBE_DOUBTS: dict[str, Callable[[PictureReading, Contents, TubeInPicture], bool]] = {
    "the cells aren't at the heights of those of other tubes": _is_off_lattice,
    "it looks empty, but unlike the air in other tubes: it may be full of one colour": _may_be_full,
    "the colour on top looks like what is above it, and lies nowhere else: it may be empty there": (
        lambda reading, _, tube: bool(tube.cells) and tube.cells[-1].colour in reading.airlike
    ),
    "its colour lies beside no other, as high in each tube with it: they may be empty": _is_alone,
    "it is covered, by what isn't clear": lambda _reading, each, tube: each.covered and tube.until is None,
    "it has hidden cells, and more than one colour is shown": _shows_several,
}
"""What may be doubtful about one tube, and in which words."""


# -- what is in all tubes --------------------------------------------------------------------------------


def _doubts_of_cells(reading: PictureReading) -> Iterator[Doubt]:
    """Whether cells are balls or layers, have colours and are as high as they seem, and whether all is seen."""
    slots = [reading.slot(place) for place in reading.shown]
    if not reading.walls.posts:
        corners, middles = [slot.corner() for slot in slots], [slot.look.colour for slot in slots]
        # Around balls is air, whatever their colour.
        from_corners, from_middle = (
            sum(map(dist, each, itertools.repeat(median_of(each)))) for each in (corners, middles)
        )
        tops = [each.tube.regions[-1] for each in reading.contents if each.tube.regions and reading.hidden]
        if reading.lattice.balls:  # else regions say that they are
            is_odd = from_corners >= SHAPE[reading.by_hand or 2] * from_middle
        else:
            is_odd = from_corners < SHAPE[reading.by_hand] * from_middle or (
                bool(tops) and median(each.area / each.width / each.height for each in tops) < DISC[1]
            )
        if is_odd:
            yield SHAPELESS
    if sum(tube.covered for tube in reading.tubes) == 1:
        yield Doubt("one tube alone is covered: something may stand in front of it")
    if all(len(tube.cells) == tube.capacity for tube in reading.tubes):
        yield Doubt("no tube has room", DoubtKind.NO_ROOM)


def _doubts_of_hidden(reading: PictureReading) -> Iterator[Doubt]:
    """Whether hidden cells in one part of the picture are unlike others, or shown ones may have become like others."""
    signs = [reading.slot(place).look.drawn for place in reading.hidden]
    tops = [each.cells()[-1].look.drawn for each in reading.contents if each.cells()]
    if median(signs) < MORE_DRAWN * median(tops):
        yield Doubt("signs are on shown cells too: only their colour says which cells are hidden")
    if min(signs) < UNSIGNED * median(signs):
        yield Doubt("a hidden cell has no sign: something may stand in front of it")
    looks = [reading.slot(place).look for place in reading.shown]  # a ball leaves air in every corner of its place
    if reading.lattice.balls and any(dist(corner, look.colour) <= SURFACE for look in looks for corner in look.corners):
        yield Doubt("a ball fills a corner of its place: something may stand in front of it")
    tubes = [reading.contents[tube].tube for tube, _ in reading.hidden]
    colours = [reading.slot(place).look.colour for place in reading.hidden]
    middle, half_cell = median(tube.centre for tube in tubes), 0.5 * reading.lattice.pitch
    parts = [([tube.centre - middle for tube in tubes], 1.4 * HIDDEN_ALIKE)]
    parts += [
        ([row.usual_bottom_edge - half_cell - tube.bottom for tube in tubes], HIDDEN_ALIKE) for row in reading.rows[1:]
    ]
    for beyond, most in parts:
        sides = [[colour for colour, at in zip(colours, beyond, strict=True) if way * at > 0] for way in (-1, 1)]
        if all(sides) and dist(*map(median_of, sides)) > most:
            yield Doubt("the hidden cells don't look alike everywhere")
            break
    if _is_dimmed(reading):
        yield Doubt("the ground beside a row is unlike that around it: something may lie over the row")


def _is_dimmed(reading: PictureReading) -> bool:
    """Whether the ground beside a row is unlike that above or below: half-way to other rows, or beside them."""
    picture, rows, width = reading.picture, reading.rows, reading.lattice.width
    height = median(row.usual_bottom_edge - row.top for row in rows)
    between = [(upper.usual_bottom_edge + lower.top) / 2 for upper, lower in itertools.pairwise(rows)]
    middles = [(row.top + row.usual_bottom_edge) / 2 for row in rows]
    levels = sorted([rows[0].top - 0.4 * height, *middles, *between, rows[-1].usual_bottom_edge + 0.2 * height])
    aside = least_spacing(rows, width) / 2
    left = min(row.tubes[0].centre for row in rows) - aside
    right = max(row.tubes[-1].centre for row in rows) + aside
    half_width, half_height = HALF_WAY * width, 0.05 * height
    grounds = []
    for level in levels:
        if half_height < level < picture.height - half_height:
            boxes = [
                (side - half_width, level - half_height, side + half_width, level + half_height)
                for side in (left, right)
                if half_width < side < picture.width - half_width
            ]
            grounds.append([look.colour for look in picture.looks(boxes)])
    pairs = (itertools.product(*pair) for pair in itertools.pairwise(grounds))
    return any(min((dist(*each) for each in pair), default=0) > DIMMED for pair in pairs)
