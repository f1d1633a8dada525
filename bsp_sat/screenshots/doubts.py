"""Doubts: a pass for each kind of mistake that a reading may hold.

A board is sure where no pass finds anything. The passes know nothing of each other, and of how the board was found.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from math import dist, gcd, hypot
from statistics import mean, median
from typing import NamedTuple

from bsp_sat.backends.kernel import Colour, Picture
from bsp_sat.screenshots.board import TubeInPicture, doubts_of_counts, shared
from bsp_sat.screenshots.cells import Lattice
from bsp_sat.screenshots.clusters import Grouping
from bsp_sat.screenshots.contents import AIR, GREY, PLAIN_AIR, Contents, Slot, median_of
from bsp_sat.screenshots.loaded import Loaded
from bsp_sat.screenshots.rows import CENTRED, LIKE, LIKELY, REACH, WALL, Likeness, Row, Walls, walls_of

SHAPELESS = "balls and layers can't be told apart"
FEW_SHADES = 256  # colours of a picture; one with more hasn't been reduced to a palette
HIDDEN_ALIKE = 6.0  # in Lab; hidden cells differ by no more from one row to another
UNLIKE_AIR = 8.0  # in Lab; what differs more from the air in other tubes, and from the ground, may be a colour
SURFACE = 4.0  # in Lab; what differs more from the air right above it has a surface
LEAST_SIGN = 0.4  # of the usual strength of signs on hidden cells
MORE_DRAWN = 2.0  # times as much is drawn on cells with a sign as on other shown ones
DRAWN = 5.0  # in Lab; how much more is drawn in a tube that isn't empty than in one that is
NOTCHED = 25.0  # in Lab; corners differ by more from what stands in front of a cell
NOTCHED_BELOW = 10.0  # the same of both lower corners, beside which no surface of water is
MOST_WITHIN = 22.0  # in Lab; cells that differ by more aren't of one colour, however far others are
UNEVEN = 0.3  # of a cell, that steps from row to row differ by
OFF_LATTICE = 0.22  # of a cell, that borders of regions are off those of cells
CUT = 0.45  # correlation with tubes, where nearly all places of a row have it
CUT_TUBE = 0.88  # correlation with the one side of a tube that is in the picture
NEARLY_ALL = 0.8
BESIDE = 0.8  # of a cell's width, from the middle of a tube to beside its outline
BEYOND = 0.6  # of a step, from the middle of a tube to the other side of what stands in front of it
ALONE = 0.62  # correlation with tubes of a place that may be one by itself
LEAST_OF_ONE = 0.1  # of the height of a tube, that is in the picture
TO_TOP = 1.7  # cells above a row, where it may go on above the picture
LEAST_MARGIN = 0.15  # of a cell's height, between the cells of a row and the edge of the picture
MISFIT = 0.12  # of a cell, that heights of regions are off whole numbers of cells


class Reading(NamedTuple):
    """What one way of looking at a picture has found.

    Attributes:
        picture: at working size.
        loaded: as it came.
        rows: of tubes, from the top.
        lattice: where cells are.
        contents: of the tubes, row by row.
        hidden: tube and cell, both counted from 0, of what the game covers.
        shown: the same of all other cells.
        grouping: of the shown cells.
        colours: of the groups.
        tubes: the result.
        by_hand: whether a person said where the rows are.
    """

    picture: Picture
    loaded: Loaded
    rows: Sequence[Row]
    lattice: Lattice
    contents: Sequence[Contents]
    hidden: frozenset[tuple[int, int]]
    shown: Sequence[tuple[int, int]]
    grouping: Grouping
    colours: Sequence[Colour]
    tubes: Sequence[TubeInPicture]
    by_hand: bool

    def slot(self, place: tuple[int, int]) -> Slot:
        """A place in a tube, both counted from 0."""
        return self.contents[place[0]].slots[place[1]]


class OfPlaces(str):
    """A doubt about where tubes are: another way of looking that finds the same board doesn't end it."""


def doubts_of_reading(reading: Reading) -> Iterator[str]:
    """All that is doubtful, in words."""
    if not reading.by_hand:
        for number, row in enumerate(reading.rows, start=1):
            yield from (OfPlaces(f"row {number}: {doubt}") for doubt in row.doubts)
        yield from map(OfPlaces, _doubts_of_surroundings(reading))
        yield from _doubts_of_shape(reading)
        yield from _doubts_of_heights(reading)
    yield from doubts_of_counts(reading.tubes)
    yield from _doubts_of_cells(reading)
    yield from _doubts_of_hidden(reading)
    yield from _doubts_of_colours(reading)
    yield from _doubts_of_empty_tubes(reading)
    yield from _doubts_of_tubes(reading)


# -- where tubes and cells are ---------------------------------------------------------------------------


def _doubts_of_surroundings(reading: Reading) -> Iterator[str]:
    """Where a tube is cut off, or tubes may have been overlooked."""
    picture, lattice, rows = reading.picture, reading.lattice, reading.rows
    tubes = iter(reading.contents)
    walls = walls_of(picture, rows, lattice.width - 2)
    margin, half = LEAST_MARGIN * lattice.pitch, 0.5 * lattice.width
    for number, row in enumerate(rows, start=1):
        contents = list(itertools.islice(tubes, len(row.tubes)))
        first, last = row.tubes[0].centre, row.tubes[-1].centre
        if not any(each.filled or each.covered for each in contents):
            yield f"row {number}: it holds nothing but empty tubes, which may be none"
        right, below = last + half - picture.width, row.bottom + 2 * margin - picture.height
        if max(half - first, margin - row.top, right, below) > 0:
            yield f"row {number}: a tube is cut off by the edge of the picture"
        if row.top < TO_TOP * lattice.pitch and _share_like(walls.likeness(0, margin), row) >= 0.5:
            yield f"row {number}: the tubes may go on above the picture"
        if _goes_on(reading, walls, row):
            yield f"row {number}: there may be one more tube"
    if _is_alone(reading, walls):
        yield "something above or below the board looks like a tube by itself"
    reach = 0.5 * lattice.pitch
    for name, band in (("top", (0.0, reach)), ("bottom", (picture.height - reach, float(picture.height)))):
        like = walls.likeness(*band)
        apart = [row for row in rows if row.top - 1.2 * lattice.pitch > band[1] or row.bottom + reach < band[0]]
        if any(_share_like(like, row) >= NEARLY_ALL for row in apart if len(row.tubes) > 1):
            yield f"there may be another row of tubes, cut off by the {name} of the picture"


def _share_like(like: Likeness, row: Row) -> float:
    """The share of a row's columns in which a band is like a tube."""
    return mean(like.near(tube.centre, 2)[0] >= CUT for tube in row.tubes)


def _goes_on(reading: Reading, walls: Walls, row: Row) -> bool:
    """Whether one more tube may stand at an end of a row: cut off, or behind something where the row isn't centred."""
    picture, width = reading.picture, reading.lattice.width
    if row.spacing is None:
        return False
    first, last = row.tubes[0].centre, row.tubes[-1].centre
    longest = max(reading.rows, key=lambda each: len(each.tubes)).tubes
    aside = (longest[0].centre + longest[-1].centre) / 2 - (first + last) / 2
    like = walls.likeness(row.top, row.bottom - 0.3 * width)
    for place, is_short in ((first - row.spacing, aside < 0), (last + row.spacing, aside > 0)):
        is_expected = is_short and abs(aside) > CENTRED * row.spacing
        is_cut = not WALL * width < place < picture.width - WALL * width
        end = (first if place < first else last) + (1 if place > last else -1) * BESIDE * width
        beside = sorted((end, place + (1 if place > last else -1) * BEYOND * row.spacing))
        if is_expected and (is_cut or like.has_edges(*beside)):
            return True
        is_seen = -0.5 * width < place < picture.width + 0.5 * width
        if is_cut and is_seen and like.near(place, 0.1 * row.spacing)[0] >= CUT_TUBE:
            return True
    return False


def _is_alone(reading: Reading, walls: Walls) -> bool:
    """Whether a step above or below all rows one place has the sides of a tube: rows of one empty tube look so."""
    rows = reading.rows
    if len(rows) < 2:
        return False
    longest = max(rows, key=lambda row: len(row.tubes)).tubes
    tall = max(row.bottom - row.top for row in rows)
    step = median(lower.bottom - upper.bottom for upper, lower in itertools.pairwise(rows))
    places = (longest[0].centre + longest[-1].centre) / 2, min(row.tubes[0].centre for row in rows)
    reach = REACH * reading.lattice.width
    for bottom in (rows[0].bottom - step, rows[-1].bottom + step):
        for shift in (-0.1 * tall, 0.0, 0.1 * tall):
            top, end = max(0.0, bottom - tall + shift), min(float(reading.picture.height), bottom + shift)
            if end - top >= LEAST_OF_ONE * tall:
                like = walls.likeness(top, end)
                for place in places:
                    likeness, centre = like.near(place, 0.1 * reading.lattice.width)
                    if likeness >= ALONE and like.has_edges(centre - reach, centre + reach):
                        return True
    return False


def _doubts_of_shape(reading: Reading) -> Iterator[str]:
    """Whether cells and rows have the shape that games give them."""
    rows, lattice = reading.rows, reading.lattice
    if lattice.error > MISFIT:
        yield f"the heights of the cells don't agree: they are off by {lattice.error:.0%} of a cell"
    if lattice.single < 3:
        yield "too few single cells to tell how high one is"
    longest = max(rows, key=lambda row: len(row.tubes)).tubes
    axis = (longest[0].centre + longest[-1].centre) / 2
    for number, row in enumerate(rows[:-1], start=1):
        if abs((row.tubes[0].centre + row.tubes[-1].centre) / 2 - axis) > 0.2 * (row.spacing or lattice.width):
            yield f"row {number}: it isn't centred, and only a last row may end early"
    steps = [lower.bottom - upper.bottom for upper, lower in itertools.pairwise(rows)]
    if steps and max(steps) - min(steps) > UNEVEN * lattice.pitch:
        yield "the rows aren't at even steps: some may be none"
    if reading.hidden and len(rows[-1].tubes) < 0.5 * max(len(row.tubes) for row in rows):
        yield "the last row is much shorter than others: it may be none"


def _doubts_of_heights(reading: Reading) -> Iterator[str]:
    """Whether the cells of a tube aren't where those of others are: it may be lifted, or partly hidden."""
    lattice = reading.lattice
    lifted = []
    for number, each in enumerate(reading.contents, start=1):
        if len(each.tube.regions) < 2 or not each.cells():
            continue
        places = [lattice.box(each.tube, slot) for slot in range(each.filled + 1)]
        if lattice.balls:
            own = [(region.top + region.bottom) / 2 for region in each.tube.regions]
            expected = [(top + bottom) / 2 for _, top, _, bottom in places]
        else:
            own = [float(edge) for region in each.tube.regions for edge in (region.top, region.bottom)]
            expected = [edge for _, top, _, bottom in places for edge in (top, bottom)]
        if median(min(abs(edge - other) for other in expected) for edge in own) > OFF_LATTICE * lattice.pitch:
            lifted.append(number)
    if lifted:
        yield f"tube {_listed(lifted)}: the cells aren't at the heights of those of other tubes"


# -- what is in tubes ------------------------------------------------------------------------------------


def _doubts_of_cells(reading: Reading) -> Iterator[str]:
    """Whether something else than cells fills tubes, and whether these are balls or layers."""
    balls = reading.lattice.balls
    slots = [reading.slot(place) for place in reading.shown]
    corners = median_of([slot.corner() for slot in slots])
    middle = median_of([slot.look.colour for slot in slots])
    from_corners = sum(dist(slot.corner(), corners) for slot in slots)
    from_middle = sum(dist(slot.look.colour, middle) for slot in slots)
    if (from_corners < 0.5 * from_middle) != balls:  # around balls is air, whatever their colour
        yield SHAPELESS
    strange = []
    for number, (each, tube) in enumerate(zip(reading.contents, reading.tubes, strict=True), start=1):
        ((_, most),) = Counter(tube.colours()).most_common(1) or [(None, 0)]
        front = len(tube.cells) == tube.capacity and 2 * most > tube.capacity and not each.tube.regions
        square = balls and any(
            dist(slot.corner(), slot.look.colour) < AIR and dist(slot.corner(), corners) > 2 * AIR
            for slot in each.cells()
        )
        if not each.covered and (front or square):
            strange.append(number)
    if strange:
        yield f"tube {_listed(strange)}: what is in it doesn't look like the cells of other tubes"


def _doubts_of_colours(reading: Reading) -> Iterator[str]:
    """Whether the picture has no colours, or cells of one colour differ as those of two do."""
    if reading.grouping.widest > MOST_WITHIN:
        yield "colours: cells that were taken for one colour differ much"
    if max(hypot(*colour[1:]) for colour in reading.colours) < GREY:
        yield "the picture is grey: different colours may look the same"


def _doubts_of_empty_tubes(reading: Reading) -> Iterator[str]:
    """Whether tubes that look empty may be covered, full of one colour near the ground's, or none."""
    empty = [(number, each) for number, each in enumerate(reading.contents, start=1) if not each.filled and each.slots]
    insides = [each.slots[0].look.colour for _, each in empty]
    if any(
        each.strange > PLAIN_AIR and any(dist(inside, other) > PLAIN_AIR for other in insides)
        for (_, each), inside in zip(empty, insides, strict=True)
    ):
        yield "some empty tubes look unlike others and unlike the ground: they may be covered"
    drawn = [max(slot.look.drawn for slot in each.slots[:-1] or each.slots) for _, each in empty]
    if any(len(each.tube.regions) > 1 for _, each in empty) or max(drawn, default=0) > DRAWN + min(drawn, default=0):
        yield "something is in a tube that looks empty"
    strangest = max((each.strange for _, each in empty), default=0.0)
    unlike = [each for _, each in empty if each.strange < strangest / 3 and each.tube.likeness < LIKE]
    if strangest > AIR and any(not each.tube.inside for each in unlike):
        yield "some empty tubes look like the ground, and others don't: they may be none"
    air = _air_beside_cells(reading)
    full = [number for number, each in empty if _may_be_full(reading, each, air)]
    if full:
        yield f"tube {_listed(full)} looks empty, but unlike the air in other tubes: it may be full of one colour"


def _air_beside_cells(reading: Reading) -> list[Colour]:
    """What is in tubes right above their cells, and around them where they are balls."""
    pitch = reading.lattice.pitch
    tops = [each.cells()[-1] for each in reading.contents if each.cells()]
    boxes = [
        (left, top - 0.27 * pitch, right, top - 0.07 * pitch) for left, top, right, _ in (slot.box for slot in tops)
    ]
    air = [look.colour for look in reading.picture.looks(boxes)]
    if reading.lattice.balls:
        air += [slot.corner() for each in reading.contents for slot in each.cells()]
    return air


def _may_be_full(reading: Reading, each: Contents, air: Sequence[Colour]) -> bool:
    """Whether a tube that looks empty may be full of one colour near the ground's; no count tells, as all is gone.

    Air above layers may be lit otherwise than in an empty tube, so that this has to be unlike the ground too.
    """
    balls, pitch = reading.lattice.balls, reading.lattice.pitch
    inner = each.slots[:-1] or each.slots
    lit = air and (balls or each.strange > UNLIKE_AIR)
    if lit and min(dist(colour, slot.look.colour) for slot in inner for colour in air) > UNLIKE_AIR:
        return True
    if balls:
        return min(dist(slot.corner(), slot.look.colour) for slot in inner) > SURFACE
    left, top, right, _ = each.slots[-1].box
    below, above = reading.picture.looks(
        [(left, top + 0.07 * pitch, right, top + 0.27 * pitch), (left, top - 0.27 * pitch, right, top - 0.07 * pitch)]
    )
    step = dist(below.colour, above.colour)
    return step > SURFACE and step > 2 * dist(below.colour, each.slots[-1].look.colour)


def _doubts_of_tubes(reading: Reading) -> Iterator[str]:
    """Which tubes may be none, or hold more or fewer cells."""
    contents, tubes = reading.contents, reading.tubes
    covered = [number for number, tube in enumerate(tubes, start=1) if tube.covered]
    if len(covered) == 1:
        yield "one tube alone is covered: something may stand in front of it"
    unknown = [number for number in covered if tubes[number - 1].until is None]
    if unknown:
        yield f"tube {_listed(unknown)} is covered, by what isn't clear"
    runs = [sum(1 for _ in run) for tube in tubes for _, run in itertools.groupby(tube.colours())]
    if not reading.lattice.balls and gcd(*runs) > 1:
        yield f"all layers are {gcd(*runs)} cells high or a multiple of that: a cell may be higher"
    if all(len(tube.cells) == tube.capacity for tube in tubes):
        yield "no tube has room"
    unseen = [
        number
        for number, each in enumerate(contents, start=1)
        if not (each.covered or each.tube.regions or each.tube.inside or each.seen > 0.6)
        and (each.tube.likeness < LIKELY or each.seen < -0.6)
    ]
    if unseen:
        yield f"tube {_listed(unseen)} is hardly seen, and may be none"
    unclear = [number for number, tube in enumerate(tubes, start=1) if tube.confidence < 0.3]
    if unclear:
        yield f"how many cells are in tube {_listed(unclear)} isn't clear"
    slack = round(0.2 * reading.lattice.pitch / reading.loaded.scale)
    if any(min(shared(one.box, other.box)) > slack for one, other in itertools.combinations(tubes, 2)):
        yield "tubes overlap"


# -- hidden cells ----------------------------------------------------------------------------------------


def _doubts_of_hidden(reading: Reading) -> Iterator[str]:
    """Whether hidden cells may be of an ordinary colour, or something that covers the picture.

    Games uncover the top of a tube, one cell or a run of one colour, and only that colour is poured onto it.
    """
    hidden = sorted(reading.hidden)
    if not hidden:
        return
    slots = [reading.slot(place) for place in hidden]
    if _are_unlike(reading, hidden):
        yield "the hidden cells don't look alike everywhere"
    signs = [slot.look.drawn for slot in slots]
    if min(signs) < LEAST_SIGN * median(signs):
        yield "some hidden cells have no sign on them"
    drawn: dict[int, list[float]] = {}
    for place, label in zip(reading.shown, reading.grouping.labels, strict=True):
        drawn.setdefault(label, []).append(reading.slot(place).look.drawn)
    of_colours = [median(of_colour) for of_colour in drawn.values()]
    if max(of_colours) > max(LEAST_SIGN * median(signs), MORE_DRAWN * median(of_colours)):
        yield "cells of a colour have signs on them, as hidden ones have"
    if len(hidden) <= max(tube.capacity for tube in reading.tubes):
        yield "the hidden cells may be cells of one colour"
    if reading.loaded.has_few_shades(FEW_SHADES):
        yield "the picture has so few colours that some may have become the same"
    yield from _doubts_of_half_hidden(reading)


def _are_unlike(reading: Reading, hidden: Sequence[tuple[int, int]]) -> bool:
    """Whether hidden cells in one part of the picture are lighter or darker than in another."""
    tubes = [reading.contents[tube].tube for tube, _ in hidden]
    colours = [reading.slot(place).look.colour for place in hidden]
    middle = median(tube.centre for tube in tubes)
    parts = [([tube.centre < middle for tube in tubes], [tube.centre > middle for tube in tubes], 1.4 * HIDDEN_ALIKE)]
    for bottom in sorted({row.bottom for row in reading.rows})[1:]:
        below = [tube.bottom > bottom - 0.5 * reading.lattice.pitch for tube in tubes]
        parts.append((below, [not each for each in below], HIDDEN_ALIKE))
    return any(
        dist(median_of(list(itertools.compress(colours, one))), median_of(list(itertools.compress(colours, two))))
        > most
        for one, two, most in parts
        if any(one) and any(two)
    )


def _doubts_of_half_hidden(reading: Reading) -> Iterator[str]:
    """Whether shown cells on a board with hidden ones may be something that stands in front of the tubes."""
    usual = median_of([reading.slot(place).corner() for place in reading.shown])
    mixed, full, notched = [], [], []
    for number, (tube, each) in enumerate(zip(reading.tubes, reading.contents, strict=True), start=1):
        shown = list(itertools.dropwhile(lambda colour: colour is None, tube.colours()))
        if len(shown) < len(tube.cells) and len(set(shown)) > 1:
            mixed.append(number)
        if len(shown) == tube.capacity and len(set(shown)) == 1:
            full.append(number)
        if reading.lattice.balls:
            front = any(dist(corner, usual) > 2 * AIR for slot in each.cells() for corner in slot.look.corners)
        else:
            front = any(_is_notched(slot) for slot in each.cells()[1:])
        if front:
            notched.append(number)
    if mixed:
        yield f"tube {_listed(mixed)}: above hidden cells more than one colour is shown"
    if full:
        yield f"tube {_listed(full)}: full of one colour, or something stands in front of it"
    if notched:
        yield f"tube {_listed(notched)}: something may stand in front of it"


def _is_notched(slot: Slot) -> bool:
    """Whether a layer's corners, or both of its lower ones, are of another colour than the rest of it."""
    apart = [dist(corner, slot.look.colour) for corner in slot.look.corners]
    return median(apart) > NOTCHED or min(apart[2:]) > NOTCHED_BELOW


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
