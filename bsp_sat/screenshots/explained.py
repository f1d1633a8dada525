"""What a board doesn't explain: what looks like a cell or a tube of it, and isn't one; and air that isn't the tubes'.

The board, drawn as it was understood, has to account for what is seen in the playing field: for outlines beside the
rows, and above and below them where another row would be; for regions of the size of cells in the rows; and for all
that is seen in the parts of tubes that hold no cells. What each test catches is in benchmarks/tried.md.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, gcd

from bsp_sat.screenshots.board import TubeInPicture
from bsp_sat.screenshots.cells import Lattice
from bsp_sat.screenshots.contents import Contents, Slot, median_of
from bsp_sat.screenshots.picture import Colour, PixelPicture, Place, Region
from bsp_sat.screenshots.rows import LIKE, LIKELY, REACH, SLACK, WALL, Row, Walls, axis_of, least_spacing, rows_height

SURFACE = 4.0  # in Lab; what differs more from the air right above it has a surface
BESIDE = 0.8  # of a cell's width, from the middle of a tube to beside its outline
BEYOND = 0.6  # of a step, from the middle of a tube to the other side of what stands in front of it
OFF_CENTRE = 0.06, 0.2  # of a step, that a row is out of the middle where a tube is cut off, or one more has room
CUT_TUBE = 0.88  # correlation with the one side of a tube that is in the picture
LEVEL = 0.05  # of a cell's width, that the feet of cells in a row differ by
NEXT = 0.62  # correlation of a tube where the next row would have one; one that was overlooked had .66
OFF_ROW = 0.12  # of a row's height, that a row which was overlooked may be off its place
LEAST_SEEN = 0.15  # of its height, of a row that the edge of the picture cuts off
BELOW = 0.3, 0.7  # of a cell, from the feet of tubes on: their outlines had .84 there where a row of cells was lost
WIDTHS = 0.75, 1.3  # of a cell's width, of regions that may be cells
LOWEST = 0.35  # of a cell's height, of such regions
SAMPLES = 8  # a cell's height, at which the air of tubes is looked at
AIR_STARTS = 0.3  # of a cell, above the cells of a tube; glass is bright there, and surfaces curved
AIR_ENDS = 0.15  # of a cell, below a tube's highest place
HIDING = 0.3  # correlation of an empty tube's outline; a message over one had 0, right ones .44 and more
UNLIKE = 0.62  # correlation of a full tube's outline; a message taken for one had .54, right ones have .69 and more
STRANGE = 15.0  # in Lab; air of right boards differs by 13.4 and less from the usual


@dataclass(frozen=True)
class PictureReading:
    """What one way of looking at a picture has found.

    Attributes:
        walls: what the upright edges of tubes look like, and the picture.
        regions: all flat ones.
        rows: of tubes, from the top.
        lattice: where cells are.
        contents: of the tubes, row by row.
        hidden: tube and cell, both counted from 0, of what the game covers.
        shown: the same of all other cells.
        tubes: the result.
        by_hand: whether a person said where the rows are.
    """

    walls: Walls
    regions: Sequence[Region]
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


def unexplained(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """All that a board leaves unexplained: what it may be, in words, and where it is."""
    if not reading.by_hand:
        yield from _beside(reading)
        yield from _above_or_below(reading)
        yield from _on_below(reading)
        yield from _cells_beside(reading)
        yield from _in_air(reading)
        yield from _above_low(reading)
        yield from _without_outline(reading)
    yield from _half_cells(reading)


def _beside(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """One more tube at an end of a row: cut off, or behind something where the row isn't centred."""
    walls, rows, width, edge = reading.walls, reading.rows, reading.lattice.width, reading.picture.width
    axis = axis_of(rows)
    for number, row in enumerate(rows, start=1):
        spacing, middle = row.spacing, (row.tubes[0].centre + row.tubes[-1].centre) / 2
        says = f"row {number}: there may be one more tube"
        if spacing is None:  # one tube in each row is no board of a game
            yield says, (row.tubes[0].centre + width, row.top, edge, row.usual_bottom_edge)
            continue
        like = walls.likeness(row.top, row.usual_bottom_edge - 0.3 * width)
        for way, tube in ((-1, row.tubes[0]), (1, row.tubes[-1])):
            place = tube.centre + way * spacing
            is_whole = WALL * width < place < edge - WALL * width
            is_seen = -0.5 * width < place < edge + 0.5 * width
            near, far = sorted((tube.centre + way * BESIDE * width, place + way * BEYOND * spacing))
            has_edges = like.has_edges(near, far)
            aside = way * ((axis if is_whole and len(rows) > 1 else edge / 2) - middle)
            is_expected = aside > OFF_CENTRE[is_whole] * spacing and (has_edges or tube.likeness < LIKE)
            least = LIKE if is_whole else CUT_TUBE
            if is_seen and (is_expected or (has_edges and like.strongest_near(place, SLACK * spacing)[0] >= least)):
                yield says, (place - width / 2, row.top, place + width / 2, row.usual_bottom_edge)


def _above_or_below(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """What looks like a tube where another row would have one; anywhere above and below, if there is but one row."""
    walls, rows, width, end = reading.walls, reading.rows, reading.lattice.width, reading.picture.height
    spacing, axis, height = least_spacing(rows, width), axis_of(rows), rows_height(rows)
    first, last, apart = rows[0].top, rows[-1].usual_bottom_edge, OFF_ROW * height
    if len(rows) > 1:
        step = (last - rows[0].usual_bottom_edge) / (len(rows) - 1)
        tops = [start + off for start in (first - step, last + step - height) for off in (-apart, 0, apart)]
    else:
        tops = [number * 2 * apart for number in range(-int(height / apart / 2), int((end - height) / apart / 2) + 1)]
    places = {axis - spacing / 2, axis, axis + spacing / 2, *(tube.centre for tube in rows[-1].tubes)}
    for top in tops:
        upper, lower = max(0.0, top), min(top + height, end)
        if lower - upper <= LEAST_SEEN * height or not (top + height <= first or top >= last):
            continue
        like = walls.likeness(upper, lower)
        for place in places:
            near, far = place - REACH * width, place + REACH * width
            least = NEXT if upper else LIKE  # headings have upright edges too
            if like.has_edges(near, far) and like.strongest_near(place, SLACK * spacing)[0] >= least:
                yield "something above or below the rows looks like a tube", (near, upper, far, lower)
                return
    cells = [each for each in reading.regions if _is_cell(each, reading.lattice)] if reading.hidden else []
    for one, two in itertools.combinations(cells, 2):  # else counts tell of a row that wasn't found
        is_beside = abs(abs(one.centre - two.centre) - spacing) <= SLACK * spacing
        if (
            is_beside
            and abs(one.bottom - two.bottom) <= LEVEL * width
            and not first - 0.3 * width <= one.bottom <= last + 0.3 * width
        ):
            yield "something above or below the rows looks like a row of cells", one.place
            return


def _on_below(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """Where the outlines of a row's tubes go on below their cells."""
    for number, row in enumerate(reading.rows, start=1):
        top, bottom = (row.usual_bottom_edge + part * reading.lattice.pitch for part in BELOW)
        if bottom < reading.picture.height and reading.walls.are_seen(row, top, bottom):
            yield f"row {number}: its tubes go on below", (row.tubes[0].centre, top, row.tubes[-1].centre, bottom)


def _cells_beside(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """Regions of the size of cells that are beside the tubes of a row."""
    lattice, aside = reading.lattice, 1.3 * least_spacing(reading.rows, reading.lattice.width)
    for region, (number, row) in itertools.product(reading.regions, enumerate(reading.rows, start=1)):
        is_level = region.bottom > row.top and region.top < row.usual_bottom_edge
        off = min(abs(region.centre - tube.centre) for tube in row.tubes)
        if is_level and _is_cell(region, lattice) and lattice.width / 2 < off < aside:
            yield f"row {number}: something beside its tubes looks like a cell", region.place


def _is_cell(region: Region, lattice: Lattice) -> bool:
    """Whether a region is of the size of a cell."""
    least, most = (share * lattice.width for share in WIDTHS)
    return least <= region.width <= most and region.height >= LOWEST * lattice.pitch


def _in_air(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """What is seen in tubes above their cells, and looks neither like their other air nor like that beside it."""
    if reading.walls.posts:
        return  # rods stand there
    pitch, half = reading.lattice.pitch, reading.lattice.width / 4
    height, airs = pitch / SAMPLES, []
    for each, tube in zip(reading.contents, reading.tubes, strict=True):
        centre, bottom = each.tube.centre, each.tube.bottom
        start = bottom - each.cells()[-1].box[1] + AIR_STARTS * pitch if each.cells() else 0.5 * pitch
        levels = range(round(start / height), 0 if each.covered else int((tube.capacity - AIR_ENDS) * SAMPLES))
        places = [(centre - half, bottom - (at + 1) * height, centre + half, bottom - at * height) for at in levels]
        looks = [look.colour for look in reading.picture.looks(places)]
        airs.append((dict(zip(levels, looks, strict=True)), dict(zip(levels, places, strict=True))))
    for number, (air, places_of) in enumerate(airs, start=1):
        for level, colour in air.items():
            others = (other[level] for other, _ in airs if other is not air and level in other)
            if min(dist(colour, one) for one in (median_of([*air.values()]), *others)) > STRANGE:
                yield f"tube {number}: something is seen where it holds nothing", places_of[level]
                break


def _above_low(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """What is seen where a tube that is lower than others has no place, and isn't the ground: it may hide its mouth."""
    for number, (each, tube) in enumerate(zip(reading.contents, reading.tubes, strict=True), start=1):
        for slot in each.slots[tube.capacity : max(each.capacity for each in reading.tubes)]:
            upper = slot.box[1], slot.box[1] + AIR_ENDS * reading.lattice.pitch
            like = reading.walls.likeness(*upper).strongest_near(each.tube.centre, 2)[0]
            if slot.from_ground() > STRANGE or like >= LIKELY:
                yield f"tube {number}: something is seen above it", slot.box
                break


def _without_outline(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """Tubes that something stands in front of: where they have no outline, or their balls no air around them.

    Of a tube that looks empty the outline counts where cells are hidden; else the counts tell that some are missing.
    """
    for number, (each, tube) in enumerate(zip(reading.contents, reading.tubes, strict=True), start=1):
        cells, least = each.cells(), 0.0
        if reading.hidden and not each.filled and not each.covered:
            least = HIDING
        elif len(tube.cells) == tube.capacity and len({*tube.colours()}) == 1:
            least = UNLIKE
        is_filled = reading.lattice.balls and all(dist(slot.corner(), slot.look.colour) <= SURFACE for slot in cells)
        if each.tube.likeness < least or (cells and is_filled):
            left, top, right, _ = reading.lattice.box(each.tube, tube.capacity - 1)
            yield f"tube {number}: something may stand in front of it", (left, top, right, each.tube.bottom)


def _half_cells(reading: PictureReading) -> Iterator[tuple[str, Place]]:
    """Whether all layers may be of less cells, which are higher."""
    layers = [list(layer) for tube in reading.tubes for _, layer in itertools.groupby(tube.colours())]
    high = gcd(*(len(layer) for layer in layers if None not in layer))  # signs break hidden ones
    if not reading.lattice.balls and high > 1:
        place = reading.slot(reading.shown[0]).box
        yield f"all layers are {high} cells high or a multiple of that: a cell may be higher", place
