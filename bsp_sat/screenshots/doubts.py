"""Doubts: what makes a board doubtful whose places are found.

Each was the only one on a wrong board that was measured (benchmarks/tried.md), or says what no picture can show; what
caught none went. The passes know nothing of each other, and of how the board was found.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, gcd, hypot
from statistics import median

from bsp_sat.screenshots.board import Doubt, DoubtKind, TubeInPicture, doubts_of_counts
from bsp_sat.screenshots.cells import Lattice
from bsp_sat.screenshots.contents import HALF_WAY, MORE_DRAWN, Contents, Slot, median_of
from bsp_sat.screenshots.picture import Colour, PixelPicture
from bsp_sat.screenshots.rows import (
    CENTRED,
    LIKE,
    LIKELY,
    REACH,
    SLACK,
    WALL,
    Row,
    Walls,
    axis_of,
    least_spacing,
    seen_in,
)
from bsp_sat.screenshots.stacks import Stack

SHAPELESS = Doubt("balls and layers can't be told apart")
COLOURLESS = 5.0  # chroma; no game has only colours below
HIDDEN_ALIKE = 6.0  # in Lab; hidden cells differ by no more from one row to another
UNSIGNED = 0.6  # of what is usually drawn on a hidden cell; a finger had .52, right ones have .75 and more
HIDING = 0.3  # correlation of an empty tube's outline; a message over one had 0, right ones .44 and more
DIMMED = 15.0  # in Lab; the ground beside a row differs by less from that around it; dimmed ones 18.9 and more
UNLIKE_AIR = 8.0  # in Lab; what differs more from the air in other tubes, and from the ground, may be a colour
SURFACE = 4.0  # in Lab; what differs more from the air right above it has a surface
MOST_EMPTY = 3  # tubes, where a row of them stands below others with empty ones
UNEVEN = 0.3  # of a cell, that steps from row to row differ by
OFF_LATTICE = 0.22  # of a cell, that borders of regions are off those of cells
OFF_CENTRE = 0.08  # of a step, that rows which go on to the edge are out of the middle; right ones .07, one .11
CUT_TUBE = 0.88  # correlation with the one side of a tube that is in the picture
UNLIKE = 0.62  # correlation of a full tube's outline; a message taken for one had .54, right ones have .69 and more
LEAST_SEEN = 0.15  # of its height, of a row that the edge of the picture cuts off
OFF_ROW = 0.12  # of a row's height, that a row which was overlooked may be off its place
BESIDE = 0.8  # of a cell's width, from the middle of a tube to beside its outline
BEYOND = 0.6  # of a step, from the middle of a tube to the other side of what stands in front of it
BELOW = 0.3, 0.7  # of a cell, from the feet of tubes on: their outlines had .84 there where a row of cells was lost
LEVEL = 0.05  # of a cell's width, that the feet of cells in a row differ by
LEAST_MARGIN = 0.15  # of a cell's height, between the cells of a row and the edge of the picture


@dataclass(frozen=True)
class PictureReading:
    """What one way of looking at a picture has found.

    Attributes:
        walls: what the upright edges of tubes look like, and the picture.
        stacks: of regions as wide as cells.
        rows: of tubes, from the top.
        lattice: where cells are.
        contents: of the tubes, row by row.
        hidden: tube and cell, both counted from 0, of what the game covers.
        shown: the same of all other cells.
        tubes: the result.
        by_hand: whether a person said where the rows are.
    """

    walls: Walls
    stacks: Sequence[Stack]
    rows: Sequence[Row]
    lattice: Lattice
    contents: Sequence[Contents]
    hidden: frozenset[tuple[int, int]]
    shown: Sequence[tuple[int, int]]
    tubes: Sequence[TubeInPicture]
    by_hand: bool

    @property
    def picture(self) -> PixelPicture:
        """The picture at working size."""
        return self.walls.picture

    def slot(self, place: tuple[int, int]) -> Slot:
        """A place in a tube, both counted from 0."""
        return self.contents[place[0]].slots[place[1]]

    @cached_property
    def above(self) -> list[Colour]:
        """What is right above the cells of each tube that holds some."""
        pitch = self.lattice.pitch
        tops = [each.cells()[-1].box for each in self.contents if each.cells()]
        above = [(left, top - 0.27 * pitch, right, top - 0.07 * pitch) for left, top, right, _ in tops]
        return [look.colour for look in self.picture.looks(above)]

    @cached_property
    def air(self) -> list[Colour]:
        """What is in tubes right above their cells, and around them where they are balls."""
        balls = self.contents if self.lattice.balls else ()
        return [*self.above, *(slot.corner() for each in balls for slot in each.cells())]

    @cached_property
    def airlike(self) -> set[str | None]:
        """Colours that lie on top only, and have no surface: what is above them looks the same everywhere."""
        filled = [pair for pair in zip(self.contents, self.tubes, strict=True) if pair[0].cells()]
        below = {one for tube in self.tubes for one, two in itertools.pairwise(tube.colours()) if one != two}
        for (each, tube), above in zip(filled, self.above, strict=True):
            if dist(each.cells()[-1].look.colour, above) > SURFACE:
                below.add(tube.cells[-1].colour)
        counts = Counter(colour for tube in self.tubes for colour in tube.colours())
        return {colour for colour, count in counts.items() if count > 1} - below


def doubts_of_reading(reading: PictureReading) -> Iterator[Doubt]:
    """All that is doubtful."""
    if not reading.by_hand:
        yield from _doubts_of_places(reading)
    yield from doubts_of_counts(reading.tubes)
    yield from _doubts_of_cells(reading)
    for says, is_doubtful in TUBE_DOUBTS.items():
        pairs = enumerate(zip(reading.contents, reading.tubes, strict=True), start=1)
        if numbers := [str(number) for number, (each, tube) in pairs if is_doubtful(reading, each, tube)]:
            kind = DoubtKind.OFF_CELLS if is_doubtful is _is_off_lattice else DoubtKind.OTHER
            yield Doubt(f"tube {', '.join(numbers)}: {says}", kind)
    if reading.hidden:
        yield from _doubts_of_hidden(reading)


# -- where tubes and cells are ---------------------------------------------------------------------------


def _doubts_of_places(reading: PictureReading) -> Iterator[Doubt]:
    """Where a tube is cut off, or one may have been overlooked."""
    picture, walls, lattice, rows = reading.picture, reading.walls, reading.lattice, reading.rows
    margin, half = LEAST_MARGIN * lattice.pitch, 0.5 * lattice.width
    longest = max(len(row.tubes) for row in rows)
    tubes = iter(reading.contents)
    empty = sum(not each.filled and not each.covered for each in reading.contents)
    for number, row in enumerate(rows, start=1):
        contents = list(itertools.islice(tubes, len(row.tubes)))
        is_expected = row is rows[-1] and 2 * len(contents) >= longest and empty <= max(len(contents), MOST_EMPTY)
        if not is_expected and not any(each.filled or each.covered for each in contents):
            yield Doubt(f"row {number}: it holds nothing but empty tubes, which may be none")
        below, foot = (row.usual_bottom_edge + part * lattice.pitch for part in BELOW)
        if foot < picture.height and _is_there(walls, row, below, foot):
            yield Doubt(f"row {number}: its tubes go on below", DoubtKind.LEFT_OVER)
        right, below = row.tubes[-1].centre + half - picture.width, row.usual_bottom_edge + 2 * margin - picture.height
        is_cut = max(half - row.tubes[0].centre, margin - row.top, right, below) > 0
        if is_cut or (row.top < lattice.pitch and _is_there(walls, row, 0, margin)):
            yield Doubt(f"row {number}: a tube is cut off by the edge of the picture")
        if _goes_on(reading, row):
            yield Doubt(f"row {number}: there may be one more tube", DoubtKind.MISSING_TUBE)
    if 2 * empty > len(reading.contents):  # none of 636 boards has so many
        yield Doubt("more tubes look empty than not: some may be none")
    if _has_row(reading):
        yield Doubt("something above or below the rows looks like a tube", DoubtKind.MISSING_TUBE)
    lengths = [len(row.tubes) for row in rows]
    if len({*lengths[:-1]}) > 1 and max(lengths) - min(lengths) > 1:
        yield Doubt("the rows above the last differ in length by more than a tube: something may be no row")
    steps = [lower.usual_bottom_edge - upper.usual_bottom_edge for upper, lower in itertools.pairwise(rows)]
    if steps and max(steps) - min(steps) > UNEVEN * lattice.pitch:
        yield Doubt("the rows aren't at even steps: some may be none")


def _is_there(walls: Walls, row: Row, top: float, bottom: float) -> bool:
    """Whether the outlines of a row's tubes are seen in a band."""
    like = walls.likeness(top, bottom)
    return median(like.strongest_near(tube.centre, 2)[0] for tube in row.tubes) >= LIKE


def _goes_on(reading: PictureReading, row: Row) -> bool:
    """Whether one more tube may stand at an end of a row: cut off, or behind something where the row isn't centred."""
    picture, width, spacing = reading.picture, reading.lattice.width, row.spacing
    if spacing is None:
        return True  # one tube in each row is no board of a game
    middle, axis = picture.width / 2, axis_of(reading.rows)
    is_alone = len(reading.rows) == 1  # in a picture that may be cut unevenly
    aside = (middle if is_alone else axis) - (row.tubes[0].centre + row.tubes[-1].centre) / 2
    like = reading.walls.likeness(row.top, row.usual_bottom_edge - 0.3 * width)
    for way, tube in ((-1, row.tubes[0]), (1, row.tubes[-1])):
        place = tube.centre + way * spacing
        has_edges = like.has_edges(*sorted((tube.centre + way * BESIDE * width, place + way * BEYOND * spacing)))
        is_cut = not WALL * width < place < picture.width - WALL * width
        is_expected = way * aside > CENTRED * spacing
        if is_expected and ((is_cut and not is_alone) or tube.likeness < LIKE or has_edges):
            return True
        is_like = like.strongest_near(place, 0.1 * spacing)[0] >= CUT_TUBE
        is_off = way * (middle - axis) > OFF_CENTRE * spacing
        is_seen = -0.5 * width < place < picture.width + 0.5 * width
        if is_cut and is_seen and (is_like or (is_off and has_edges)):
            return True
    return False


def _has_row(reading: PictureReading) -> bool:
    """Whether something looks like a tube where the rows would go on, above or below; anywhere, if there is but one.

    Where the lower edge of the picture cuts the next row off, less is enough at the places of tubes.
    """
    walls, rows, width = reading.walls, reading.rows, reading.lattice.width
    first, last = rows[0].top - 0.3 * width, rows[-1].usual_bottom_edge + 0.3 * width
    spacing = least_spacing(rows, width)
    cells = [each for stack in reading.stacks for each in stack if each.bottom < first or each.top > last]
    if reading.hidden and any(  # else counts tell of a row that wasn't found
        abs(one.bottom - other.bottom) <= LEVEL * width
        and abs(abs(one.centre - other.centre) - spacing) <= SLACK * spacing
        for one, other in itertools.combinations(cells, 2)
    ):
        return True
    height = median(row.usual_bottom_edge - row.top for row in rows)
    first, last, end = rows[0].top, rows[-1].usual_bottom_edge, reading.picture.height
    if len(rows) > 1:
        step = (last - rows[0].usual_bottom_edge) / (len(rows) - 1)
        offs = [off * height for off in (-OFF_ROW, 0, OFF_ROW)]
        tops = [start + off for start in (first - step, last + step - height) for off in offs]
    else:
        apart = 2 * OFF_ROW * height
        tops = [number * apart for number in range(-int(height / apart), int((end - height) / apart) + 1)]
    seen = [(max(0.0, top), min(top + height, end)) for top in tops if top + height <= first or top >= last]
    seen = [(top, bottom) for top, bottom in seen if bottom - top > LEAST_SEEN * height]
    if any(seen_in(walls, top, bottom, spacing) for top, bottom in seen):
        return True
    axis = axis_of(rows)
    places = {axis - spacing / 2, axis, axis + spacing / 2, *(tube.centre for row in rows for tube in row.tubes)}
    below = [(top, bottom) for top, bottom in seen if top >= last and len(rows) > 1]
    bands = [(walls.likeness(*band), LIKELY if band[1] == end else LIKE) for band in below]
    return any(
        like.strongest_near(place, SLACK * spacing)[0] >= least
        and like.has_edges(place - REACH * width, place + REACH * width)
        for (like, least), place in itertools.product(bands, places)
    )


# -- what is in one tube ------------------------------------------------------------------------------------


def _may_be_full(reading: PictureReading, each: Contents, _: TubeInPicture) -> bool:
    """Whether a tube that looks empty may be full of one colour near the ground's; no count tells, as all is gone.

    Air above layers may be lit otherwise than in an empty tube, so that this has to be unlike the ground too.
    """
    if each.filled or not each.slots:
        return False
    balls, pitch = reading.lattice.balls, reading.lattice.pitch
    inner = each.slots[:-1] or each.slots
    lit = reading.air and (balls or median(slot.from_ground() for slot in each.slots) > UNLIKE_AIR)
    if lit and min(dist(colour, slot.look.colour) for slot in inner for colour in reading.air) > UNLIKE_AIR:
        return True
    if balls:
        return min(dist(slot.corner(), slot.look.colour) for slot in inner) > SURFACE
    left, top, right, _bottom = each.slots[-1].box
    below, above = reading.picture.looks(
        [(left, top + 0.07 * pitch, right, top + 0.27 * pitch), (left, top - 0.27 * pitch, right, top - 0.07 * pitch)]
    )
    step = dist(below.colour, above.colour)
    return step > SURFACE and step > 2 * dist(below.colour, each.slots[-1].look.colour)


def _is_off_lattice(reading: PictureReading, each: Contents, _: TubeInPicture) -> bool:
    """Whether its cells aren't where those of others are: it may be lifted, or partly hidden."""
    lattice = reading.lattice
    if reading.by_hand or len(each.tube.regions) < 2 or not each.filled:
        return False
    places = [lattice.box(each.tube, slot) for slot in range(each.filled + 1)]
    if lattice.balls:
        own = [(region.top + region.bottom) / 2 for region in each.tube.regions]
        expected = [(top + bottom) / 2 for _, top, _, bottom in places]
    else:
        own = [float(edge) for region in each.tube.regions for edge in (region.top, region.bottom)]
        expected = [edge for _, top, _, bottom in places for edge in (top, bottom)]
    return median(min(abs(edge - other) for other in expected) for edge in own) > OFF_LATTICE * lattice.pitch


def _shows_several(reading: PictureReading, _: Contents, tube: TubeInPicture) -> bool:
    """Whether more than one colour is on its hidden cells, onto which only one at a time can be poured."""
    return len({None, *tube.colours()}) > 2 and None in tube.colours() and bool(reading.hidden)


def _may_be_hidden(reading: PictureReading, each: Contents, tube: TubeInPicture) -> bool:
    """Whether something stands in front of a tube: it has another outline, or there is no air around its balls.

    Of a tube that looks empty the outline counts where cells are hidden; else the counts tell that some are missing.
    """
    cells, ground = each.cells(), each.ground()
    beside = [other.ground() for other in reading.contents if abs(other.tube.bottom - each.tube.bottom) < 1]
    usual = median_of([*itertools.chain.from_iterable(beside)]) if ground else None
    if usual is not None and sum(dist(colour, usual) > DIMMED for colour in ground) > len(ground) / 2:
        return True
    if reading.lattice.balls and cells and all(dist(slot.corner(), slot.look.colour) <= SURFACE for slot in cells):
        return True
    if reading.hidden and not each.filled and not each.covered:
        return each.tube.likeness < HIDING
    return len(tube.cells) == tube.capacity and len({*tube.colours()}) == 1 and each.tube.likeness < UNLIKE


TUBE_DOUBTS: dict[str, Callable[[PictureReading, Contents, TubeInPicture], bool]] = {
    "the cells aren't at the heights of those of other tubes": _is_off_lattice,
    "it looks empty, but unlike the air in other tubes: it may be full of one colour": _may_be_full,
    "the colour on top looks like what is above it, and lies nowhere else: it may be empty there": (
        lambda reading, _, tube: bool(tube.cells) and tube.cells[-1].colour in reading.airlike
    ),
    "it is covered, by what isn't clear": lambda _reading, each, tube: each.covered and tube.until is None,
    "it has hidden cells, and more than one colour is shown": _shows_several,
    "it looks unlike others: something may stand in front of it": _may_be_hidden,
}
"""What may be doubtful about one tube, and how that is told."""


# -- what is in all tubes --------------------------------------------------------------------------------


def _doubts_of_cells(reading: PictureReading) -> Iterator[Doubt]:
    """Whether cells are balls or layers, have colours and are as high as they seem, and whether all is seen."""
    slots = [reading.slot(place) for place in reading.shown]
    corners = median_of([slot.corner() for slot in slots])
    middle = median_of([slot.look.colour for slot in slots])
    from_corners = sum(dist(slot.corner(), corners) for slot in slots)
    from_middle = sum(dist(slot.look.colour, middle) for slot in slots)
    # Around balls is air, whatever their colour.
    if not reading.walls.posts and (from_corners < 0.5 * from_middle) != reading.lattice.balls:
        yield SHAPELESS
    if all(hypot(*slot.look.colour[1:]) < COLOURLESS for slot in slots):
        yield Doubt("the picture is grey: different colours may look the same")
    if sum(tube.covered for tube in reading.tubes) == 1:
        yield Doubt("one tube alone is covered: something may stand in front of it")
    layers = [list(layer) for tube in reading.tubes for _, layer in itertools.groupby(tube.colours())]
    high = gcd(*(len(layer) for layer in layers if None not in layer))  # signs break hidden ones
    if not reading.lattice.balls and high > 1:
        yield Doubt(
            f"all layers are {high} cells high or a multiple of that: a cell may be higher", DoubtKind.LEFT_OVER
        )
    if all(len(tube.cells) == tube.capacity for tube in reading.tubes):
        yield Doubt("no tube has room")


def _doubts_of_hidden(reading: PictureReading) -> Iterator[Doubt]:
    """Whether hidden cells in one part of the picture are unlike others, or shown ones may have become like others."""
    signs = [reading.slot(place).look.drawn for place in reading.hidden]
    tops = [each.cells()[-1].look.drawn for each in reading.contents if each.cells()]
    if median(signs) < MORE_DRAWN * median(tops):
        yield Doubt("signs are on shown cells too: which cells are hidden is told by their colour alone")
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
