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
from typing import NamedTuple

from bsp_sat.apps.pictures.board import TubeInPicture
from bsp_sat.apps.pictures.cells import Lattice
from bsp_sat.apps.pictures.contents import SIGN, Contents, Slot, median_of
from bsp_sat.apps.pictures.picture import Colour, PixelPicture, Place, Region
from bsp_sat.apps.pictures.rows import LIKE, LIKELY, REACH, SLACK, WALL, Row, Walls, axis_of, least_spacing, rows_height

SURFACE = 4.0  # in Lab; what differs more from the air right above it has a surface
BESIDE = 0.8  # of a cell's width, from the middle of a tube to beside its outline
BEYOND = 0.6  # of a step, from the middle of a tube to the other side of what stands in front of it
OFF_CENTRE = 0.06, 0.2  # of a step, that a row is out of the middle where a tube is cut off, or one more has room
CUT_TUBE = 0.88  # correlation with the one side of a tube that is in the picture
LEVEL = 0.1  # of a cell's width, that the feet of cells in a row differ by
NEXT = 0.62, 0.8  # correlation of a tube in the next row's place; strength of edges, beyond which less is enough
OFF_ROW = 0.12  # of a row's height, that a row which was overlooked may be off its place
LEAST_SEEN = 0.15  # of its height, of a row that the edge of the picture cuts off
BELOW = 0.3, 0.7  # of a cell, from the feet of tubes on: their outlines had .84 there where a row of cells was lost
FAINT_BELOW = 0.3  # correlation below a low row of cups of which a layer was lost: .37; of 6 right boards .07 and less
WIDTHS = 0.75, 1.3  # of a cell's width, of regions that may be cells
EDGE = 3  # pixels, that regions at the edge of the picture are from it
OFF_SIZE = 0.25  # of a ball's height, of one that the edge cuts off
LOWEST = 0.35  # of a cell's height, of such regions
SAMPLES = 8  # a cell's height, at which the air of tubes is looked at
AIR_STARTS = 0.3  # of a cell, above the cells of a tube; glass is bright there, and surfaces curved
AIR_ENDS = 0.15  # of a cell, below a tube's highest place
MOUTH = 0.5  # of a cell, above that, where outlines go on
HIDING = 0.36  # correlation of an empty tube's outline; one that was made up had .35, of 700 right ones two less
UNLIKE = 0.62  # correlation of a full tube's outline; a message taken for one had .54, right ones have .69 and more
STRANGE = 15.0  # in Lab; air of right boards differs by 13.4 and less from the usual


class Strange(NamedTuple):
    """What a board leaves unexplained: what it may be, in words; where; and the tubes, from 0, that it is about."""

    says: str
    place: Place
    about: tuple[int, ...] = ()


@dataclass(frozen=True)
class PictureReading:
    """What one way of looking at a picture has found.

    The rows ``found`` have the locked places at their end, ``rows`` don't. Places are tube and cell, counted from 0.
    """

    walls: Walls
    regions: Sequence[Region]
    found: Sequence[Row]
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


def unexplained(reading: PictureReading) -> Iterator[Strange]:
    """All that a board leaves unexplained."""
    if not reading.by_hand:
        yield from _beside(reading)
        yield from _above_or_below(reading)
        yield from _on_below(reading)
        if reading.hidden:  # else counts tell
            yield from _cells_beside(reading)
        yield from _in_air(reading)
        yield from _in_front(reading)
    yield from _half_cells(reading)


def _beside(reading: PictureReading) -> Iterator[Strange]:
    """One more tube at an end of a row: cut off, or behind something where the row isn't centred.

    A row about the middle of another one, next to whose ends there is room, lacks none or one on each side.
    """
    walls, rows, width, axis = reading.walls, reading.found, reading.lattice.width, axis_of(reading.found)
    start, end = 0, reading.picture.width
    reaches = ((row.spacing or end) + WALL * width for row in rows)
    ends = [(row.tubes[0].centre - far, row.tubes[-1].centre + far) for row, far in zip(rows, reaches, strict=True)]
    seen = [row for row, (left, right) in zip(rows, ends, strict=True) if start < left and right < end]
    for number, row in enumerate(rows, start=1):
        spacing, middle, missing = row.spacing, axis_of([row]), []
        says, last = f"row {number}: there may be one more tube", (sum(len(each.tubes) for each in rows[:number]) - 1,)
        if spacing is None:  # one tube in each row is no board of a game
            yield Strange(says, (row.tubes[0].centre + width, row.top, end, row.usual_bottom_edge), last)
            continue
        like = walls.likeness(row.top, row.usual_bottom_edge - 0.3 * width)
        below = walls.likeness(*(row.usual_bottom_edge + part * reading.lattice.pitch for part in BELOW))
        goes_on = [below.has_edges(at - 1, at + 1) for at in range(len(like.line))]  # as sides of panels do
        like = like._replace(line=[0.0 if on else change for on, change in zip(goes_on, like.line, strict=True)])
        for way, tube in ((-1, row.tubes[0]), (1, row.tubes[-1])):
            place = tube.centre + way * spacing
            is_whole = start + WALL * width < place < end - WALL * width
            is_seen = start - 0.5 * width < place < end + 0.5 * width
            near, far = sorted((tube.centre + way * BESIDE * width, place + way * BEYOND * spacing))
            has_edges = like.has_edges(max(near, start), min(far, end))
            aside = way * ((axis if is_whole and len(rows) > 1 else (start + end) / 2) - middle)
            is_expected = aside > OFF_CENTRE[is_whole] * spacing and (has_edges or tube.likeness < LIKE)
            least = LIKE if is_whole else CUT_TUBE
            if is_seen and (is_expected or (has_edges and like.strongest_near(place, SLACK * spacing)[0] >= least)):
                missing.append((place, is_whole))
        is_about = any(abs(axis_of([other]) - middle) <= OFF_CENTRE[0] * spacing for other in seen if other is not row)
        if len(missing) == 1 and not missing[0][1] and is_about:
            continue
        for place, _ in missing:
            yield Strange(says, (place - width / 2, row.top, place + width / 2, row.usual_bottom_edge), last)


def _above_or_below(reading: PictureReading) -> Iterator[Strange]:
    """What looks like a tube where another row would have one; anywhere above and below, if there is but one row.

    Two below or above tubes of the outer row may be fainter.
    """
    walls, rows, width, end = reading.walls, reading.found, reading.lattice.width, reading.picture.height
    spacing, axis, height = least_spacing(rows, width), axis_of(rows), rows_height(rows)
    first, last, apart = rows[0].top, rows[-1].usual_bottom_edge, OFF_ROW * height
    if len(rows) > 1:
        step = (last - rows[0].usual_bottom_edge) / (len(rows) - 1)
        tops = [start + off for start in (first - step, last + step - height) for off in (-apart, 0, apart)]
    else:
        tops = [number * 2 * apart for number in range(-int(height / apart / 2), int((end - height) / apart / 2) + 1)]
    columns = {tube.centre for tube in rows[-1].tubes}
    places = {axis - spacing / 2, axis, axis + spacing / 2, *columns}
    for top in tops:
        upper, lower = max(0.0, top), min(top + height, end)
        if lower - upper <= LEAST_SEEN * height or not (top + height <= first or top >= last):
            continue
        like, faint = walls.likeness(upper, lower), 0
        for place in sorted(places):
            near, far = place - REACH * width, place + REACH * width
            least = LIKELY if like.has_edges(near, far, NEXT[1]) else NEXT[0]
            least = least if upper else LIKE  # headings have upright edges too
            likest = like.strongest_near(place, SLACK * spacing)[0] if like.has_edges(near, far) else -1.0
            if upper and likest >= HIDING and place in columns and like.has_edges(near, far, NEXT[1]):
                faint += 1
            if likest >= least or faint > 1:
                yield Strange("something above or below the rows looks like a tube", (near, upper, far, lower))
                return
    levels: Counter[int] = Counter()
    for each in _cells_of(reading) if reading.hidden else ():  # else counts tell of a row that wasn't found
        column = 2 * (each.centre - axis) / spacing
        if abs(column - round(column)) <= 2 * SLACK and not first - 0.3 * width <= each.bottom <= last + 0.3 * width:
            levels[level := round(each.bottom / (LEVEL * width))] += 1
            if levels[level] == 2:
                yield Strange("something above or below the rows looks like a row of cells", each[:4])
                return


def _on_below(reading: PictureReading) -> Iterator[Strange]:
    """Where outlines of a row's tubes go on below their cells and aren't the next row's; of a low row, fainter ones."""
    pitch, rows = reading.lattice.pitch, reading.found
    ends = [*(row.top - pitch for row in rows[1:]), reading.picture.height]
    for number, (row, end) in enumerate(zip(rows, ends, strict=True), start=1):
        top, bottom = (row.usual_bottom_edge + part * pitch for part in BELOW)
        height = row.usual_bottom_edge - row.top
        least = FAINT_BELOW if height < max(each.usual_bottom_edge - each.top for each in rows) - pitch / 2 else LIKE
        if bottom < end and reading.walls.are_seen(row, top, bottom, least):
            place = row.tubes[0].centre, top, row.tubes[-1].centre, bottom
            yield Strange(f"row {number}: its tubes go on below", place)


def _cells_beside(reading: PictureReading) -> Iterator[Strange]:
    """Regions of the size of cells, or of a part that the edge of the picture leaves, beside the tubes of a row."""
    near, far = reading.lattice.width / 2, 1.3 * least_spacing(reading.rows, reading.lattice.width)
    for region, (number, row) in itertools.product(_cells_of(reading), enumerate(reading.rows, start=1)):
        is_level = region.bottom > row.top and region.top < row.usual_bottom_edge
        if is_level and near < min(abs(region.centre - tube.centre) for tube in row.tubes) < far:
            yield Strange(f"row {number}: something beside its tubes looks like a cell", region[:4])
            return


def _cells_of(reading: PictureReading) -> list[Region]:
    """Regions of the size of cells; at the edge of the picture only as high."""
    lattice, end = reading.lattice, reading.picture.width - EDGE
    least, most = (share * lattice.width for share in WIDTHS)
    high = [each for each in reading.regions if each.height >= LOWEST * lattice.pitch]
    cut = [each for each in high if each.left <= EDGE or each.right >= end]
    return [each for each in high if least <= each.width <= most] + [
        each for each in cut if each.width < least and abs(each.height / lattice.width - 1) <= OFF_SIZE
    ]


def _in_air(reading: PictureReading) -> Iterator[Strange]:
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
        usual = median_of([*air.values()]) if air else (0.0, 0.0, 0.0)
        for level, colour in air.items():
            others = (other[level] for other, _ in airs if other is not air and level in other)
            if min(dist(colour, one) for one in (usual, *others)) > STRANGE:
                says = f"tube {number}: something is seen where it holds nothing"
                yield Strange(says, places_of[level], (number - 1,))
                break


def _in_front(reading: PictureReading) -> Iterator[Strange]:
    """Tubes without an outline, or whose balls have no air around them, or that are low and have no ground above them.

    Of an empty tube nothing else is seen; if no outline of one is clear, counts have to tell, unless cells are hidden.
    What is above a low tube may hide its mouth.
    """
    lattice, highest = reading.lattice, max(tube.capacity for tube in reading.tubes)
    empty = [each.tube.likeness for each in reading.contents if not each.filled and not each.covered]
    are_seen = reading.hidden or max(empty, default=0) >= LIKELY
    for number, (each, tube) in enumerate(zip(reading.contents, reading.tubes, strict=True), start=1):
        cells, least = each.cells(), -1.0
        is_drawn_on = any(slot.look.drawn >= SIGN for slot in each.slots)
        if (are_seen or is_drawn_on) and not each.filled and not each.covered:
            least = HIDING
        elif len(tube.cells) == tube.capacity and len({*tube.colours()}) == 1:
            least = UNLIKE
        is_box = lattice.balls and cells and all(dist(slot.corner(), slot.look.colour) <= SURFACE for slot in cells)
        if each.tube.likeness < least or is_box:
            place = lattice.box(each.tube, tube.capacity // 2)
            yield Strange(f"tube {number}: something may stand in front of it", place, (number - 1,))
        for slot in each.slots[tube.capacity : highest]:
            top, pitch = slot.box[1], lattice.pitch
            mouth = reading.walls.likeness(top - MOUTH * pitch, top + AIR_ENDS * pitch)
            if slot.from_ground() > STRANGE or mouth.strongest_near(each.tube.centre, 2)[0] >= LIKELY:
                yield Strange(f"tube {number}: something is seen above it", slot.box, (number - 1,))
                break


def _half_cells(reading: PictureReading) -> Iterator[Strange]:
    """Whether all layers may be of less cells, which are higher."""
    layers = [list(layer) for tube in reading.tubes for _, layer in itertools.groupby(tube.colours())]
    high = gcd(*(len(layer) for layer in layers if None not in layer))  # signs break hidden ones
    if not reading.lattice.balls and high > 1:
        place = reading.slot(reading.shown[0]).box
        yield Strange(f"all layers are {high} cells high or a multiple of that: a cell may be higher", place)
