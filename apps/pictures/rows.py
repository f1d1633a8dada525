"""Rows of tubes: filled ones from their stacks of cells, all others by their likeness to the filled ones.

**Rows.** A row is a band of the picture which the cells of its tubes cover, all columns taken together; between two
rows no column has a cell. A cell that wasn't found therefore doesn't break a row.

**Tubes.** A tube's outline makes upright edges. Averaged over the height of a row, the change of lightness across the
picture shows them even where they are faint; cells differ in colour, so that only what all tubes share is left. The
mean of this line around the filled tubes is compared with the places where the row's steps let further tubes stand. The
evidence of all places, and whether rows are centred or begin at one column, tell how far the rows go on.

**Posts.** If rods stand out above the cells of full tubes, what looks like a rod over its whole height is a tube too.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import inf
from statistics import median
from typing import NamedTuple

from bsp_sat.apps.pictures.corrections import MOST_TUBES
from bsp_sat.apps.pictures.picture import PixelPicture, Region
from bsp_sat.apps.pictures.stacks import Stack

REACH = 0.85  # of the width of a cell, on both sides of a tube's middle: what is compared
INNER = 0.42, 0.5  # of it, from where on that counts: with the sides of cells, and without
LIKE = 0.72  # correlation from which on a place is a tube wherever it stands
LIKELY = 0.55  # the same where the steps of the row expect one
INSIDE = 0.3  # what a flat region of the size of a tube's inside speaks for one, in correlations
EVEN = 0.5  # correlation that speaks neither for a tube nor against it
ASKEW = 0.8  # what a row that is neither centred nor begins where others do speaks against it
ASKEW_ALONE = 0.35  # the same of one row, in the picture
NOT_CENTRED = 0.4  # the same of rows that begin at one column, all together
CENTRED = 0.2  # of a step, that the middles of rows, or their first tubes, differ by
WALL = 0.7  # of a cell's width, from the middle of a tube to outside its outline
STRONG = 0.6  # of the usual strength of a tube's edges
WEAKEST = 0.3  # of it, on each side of an empty tube; one that was made up had .26, right ones have .37 and more
ROD = 0.25  # of a cell's width, from the middle: where the edges of a rod are
ROD_SEEN = 0.14, 0.05  # of it, above the highest cells
ROD_STRENGTH = 2.0  # of lightness
ROD_APART = 1.7  # times as strong as what is beside it
SLACK = 0.1  # of a step, that tubes are beside their places


@dataclass(frozen=True)
class Tube:
    """A tube in the picture, in pixels at working size; ``bottom`` is one past the last row of its inside.

    Its likeness, -1 to 1, is how much its outline is like that of the filled ones.
    """

    centre: float
    bottom: float
    likeness: float
    regions: tuple[Region, ...] = ()


@dataclass(frozen=True)
class Row:
    """Tubes beside each other, from left to right; the top of their cells; the step, None where there is but one."""

    tubes: tuple[Tube, ...]
    top: float
    spacing: float | None

    @property
    def usual_bottom_edge(self) -> float:
        """The bottom edge of most of its tubes."""
        return median(tube.bottom for tube in self.tubes)


class Walls:
    """What the upright edges of tubes look like in a picture."""

    def __init__(self, picture: PixelPicture, rows: Sequence[Row], width: float) -> None:
        self.picture, self.width, self.reach = picture, width, min(picture.most_reach, round(REACH * width))
        around, above = [], []
        for row in rows:
            line = picture.line(row.top, row.usual_bottom_edge - 0.3 * width)
            around += [self._part(line, tube) for tube in row.tubes]
            line = picture.line(row.top - ROD_SEEN[0] * width, row.top - ROD_SEEN[1] * width)
            full = [tube for tube in row.tubes if tube.regions and tube.regions[-1].top <= row.top + 0.1 * width]
            above += [self._part(line, tube) for tube in full]
        walls = [sum(values) / len(values) for values in zip(*around, strict=True)]
        outside = INNER[1] * width + 1.5
        self.patterns = [(walls, (INNER[0] * width, outside))]
        self._strength = self._most(walls, outside, self.reach)  # of the edges outside the cells
        rod = [median(values) for values in zip(*above, strict=True)]
        # A rod has two edges, as far from the middle and as strong, one to the light and one to the dark.
        sides = [(one - other) / 2 for one, other in zip(rod, reversed(rod), strict=True)]
        strength = self._most(sides, 0, ROD * width)
        self.posts = False
        if strength > max(ROD_STRENGTH, ROD_APART * self._most(rod, ROD * width + 3, self.reach)):
            self.posts, self._strength = True, strength
            self.patterns.append((rod, (0.0, 0.0)))

    def _part(self, line: Sequence[float], tube: Tube) -> list[float]:
        """What is around a tube."""
        columns = range(round(tube.centre) - self.reach, round(tube.centre) + self.reach + 1)
        return [line[min(max(column, 0), len(line) - 1)] for column in columns]

    def _most(self, pattern: Sequence[float], start: float, end: float) -> float:
        """The strongest edge between two distances from the middle."""
        places = (at for at in range(len(pattern)) if start <= abs(at - self.reach) <= end)
        return max((abs(pattern[at]) for at in places), default=0.0)

    def likeness(self, top: float, bottom: float) -> "Likeness":
        """How like a tube each place of a band is."""
        line = self.picture.line(top, bottom)
        every = [self.picture.likeness(pattern, inner) for pattern, inner in self.patterns]
        return Likeness(list(map(max, *every)) if len(every) > 1 else every[0], self.reach, line, self._strength)

    def are_seen(self, row: Row, top: float, bottom: float, least: float = LIKE) -> bool:
        """Whether the outlines of a row's tubes are seen in a band, half of them as ``least`` clearly."""
        like = self.likeness(top, bottom)
        return median(like.strongest_near(tube.centre, 2)[0] for tube in row.tubes) >= least


class Likeness(NamedTuple):
    """How like a tube places of a band are, -1 to 1, from ``before`` columns before the picture on.

    ``strength`` is that of the edges outside the cells of tubes.
    """

    values: Sequence[float]
    before: int
    line: Sequence[float]
    strength: float

    def strongest_near(self, place: float, slack: float) -> tuple[float, float]:
        """The strongest likeness near a place, and where it is."""
        first = max(0, round(place - slack) + self.before)
        near = self.values[first : max(first, round(place + slack) + self.before) + 1]
        if not near:
            return -1.0, place
        best = max(near)
        return best, float(first + near.index(best) - self.before)

    def has_edges(self, start: float, end: float, least: float = STRONG) -> bool:
        """Whether somewhere between two places are edges of ``least`` of the strength of those of tubes."""
        part = self.line[max(0, round(start)) : max(0, round(end) + 1)]
        return max(map(abs, part), default=0.0) >= least * self.strength


def find_rows(picture: PixelPicture, width: float, stacks: Sequence[Stack], regions: Sequence[Region]) -> list[Row]:
    """The rows of a picture, from the top."""
    filled = _filled_rows(width, stacks)
    if not filled or sum(len(row.tubes) for row in filled) > MOST_TUBES:
        return []
    walls, usual = Walls(picture, filled, width), _step(filled)
    options = []
    for row in filled:
        own = _step([row])
        spacing = usual if own is None or usual is None or own >= 1.6 * usual else own  # or tubes are missing
        options.append(_options(row, walls, spacing, regions))
    rows = _aligned(options, picture.width)
    rows += _empty_rows(walls, rows, regions)
    return sorted(rows, key=lambda row: row.usual_bottom_edge)


def axis_of(rows: Sequence[Row]) -> float:
    """The middle of the longest row."""
    tubes = max(rows, key=lambda row: len(row.tubes)).tubes
    return (tubes[0].centre + tubes[-1].centre) / 2


def rows_height(rows: Sequence[Row]) -> float:
    """The usual height of rows, from the highest cell to the feet of tubes."""
    return median(row.usual_bottom_edge - row.top for row in rows)


def least_spacing(rows: Sequence[Row], width: float) -> float:
    """From a tube to the next, in the row in which they are nearest; with one tube a row, twice the width of cells."""
    return min((row.spacing for row in rows if row.spacing is not None), default=2 * width)


# -- filled tubes ----------------------------------------------------------------------------------------


def _filled_rows(width: float, stacks: Sequence[Stack]) -> list[Row]:
    bands: list[tuple[int, int]] = []
    for top, bottom in sorted((stack[-1].top, stack[0].bottom) for stack in stacks if len(stack) > 1):
        if bands and top <= bands[-1][1] + 0.12 * width:
            bands[-1] = bands[-1][0], max(bands[-1][1], bottom)
        else:
            bands.append((top, bottom))
    rows = []
    for top, bottom in bands:
        within = [
            (median(region.centre for region in stack), stack)
            for stack in stacks
            if stack[-1].top >= top - 0.5 * width and stack[0].bottom <= bottom + 0.5 * width
        ]
        columns: list[list[Region]] = []
        first = -width
        for centre, stack in sorted(within, key=lambda each: each[0]):
            if centre - first > 0.35 * width:
                columns.append([])
                first = centre
            columns[-1] += stack
        tubes = []
        for column in columns:
            regions = sorted(column, key=lambda each: -each.bottom)
            centre = median(region.centre for region in regions)
            tubes.append(Tube(centre, float(regions[0].bottom), 1.0, tuple(regions)))
        rows.append(Row(tuple(_on_one_line(tubes, top, width)), float(top), None))
    return [row for row in rows if any(len(tube.regions) > 1 for tube in row.tubes)]


def _on_one_line(tubes: list[Tube], top: int, width: float) -> Iterator[Tube]:
    """The tubes of a row with a common bottom line, the lowest; a region between is no tube of this row."""
    bottoms = [tube.bottom for tube in tubes if len(tube.regions) > 1] or [tube.bottom for tube in tubes]
    expected = median(bottom for bottom in bottoms if bottom >= max(bottoms) - 0.3 * width)
    for tube in tubes:
        if abs(tube.bottom - expected) <= 0.3 * width:
            yield tube
        elif len(tube.regions) > 1 or tube.regions[-1].top <= top + 0.3 * width:
            yield replace(tube, bottom=expected)  # its lowest cell wasn't found


# -- how far rows go on ----------------------------------------------------------------------------------


def _step(rows: Sequence[Row]) -> float | None:
    """The usual step from a tube to the next; longer ones have tubes between."""
    steps = [right.centre - left.centre for row in rows for left, right in itertools.pairwise(row.tubes)]
    return median(step for step in steps if step <= 1.3 * min(steps)) if steps else None


Option = tuple[Row, float]
"""How far a row may go on, and what speaks for it, in correlations."""


def _options(row: Row, walls: Walls, spacing: float | None, regions: Sequence[Region]) -> list[Option]:
    """All ways in which a row may go on to both sides."""
    width, picture_width = walls.width, walls.picture.width
    like = walls.likeness(row.top, row.usual_bottom_edge - 0.3 * width)
    tubes = [replace(tube, likeness=like.strongest_near(tube.centre, 2)[0]) for tube in row.tubes]
    if spacing is None:
        return [(replace(row, tubes=tuple(tubes)), 0.0)]

    def tube_at(place: float) -> Tube:
        likeness, centre = like.strongest_near(place, SLACK * spacing)
        sides = (centre - REACH * width, centre), (centre, centre + REACH * width)
        if not all(like.has_edges(*side, least=WEAKEST) for side in sides):
            likeness = min(likeness, 0.0)  # where next to nothing is, anything may look like it
        return Tube(centre if likeness >= LIKELY else place, row.usual_bottom_edge, likeness)

    def evidence(tube: Tube) -> float:
        inside = any(_is_inside(region, tube, row, width) for region in regions)
        return 2 * (min(max(tube.likeness, 0.0), 1.0) - EVEN + INSIDE * inside)

    whole = tubes[:1]
    for left, right in itertools.pairwise(tubes):
        steps = round((right.centre - left.centre) / spacing)
        between = (left.centre + number * (right.centre - left.centre) / steps for number in range(1, steps))
        whole += [*map(tube_at, between), right]
    sides: list[list[tuple[Tube, float]]] = [[], []]
    for side, end, step in zip(sides, (whole[0], whole[-1]), (-spacing, spacing), strict=True):
        while -0.5 * width < end.centre + step < picture_width + 0.5 * width:
            end = tube_at(end.centre + step)
            side.append((end, evidence(end)))
    options = []
    for before, behind in itertools.product(*(range(len(side) + 1) for side in sides)):
        added = [*sides[0][:before], *sides[1][:behind]]
        more = (*(tube for tube, _ in sides[0][:before][::-1]), *whole, *(tube for tube, _ in sides[1][:behind]))
        if not added or all(WALL * width < end.centre < picture_width - WALL * width for end in (more[0], more[-1])):
            options.append((Row(more, row.top, spacing), sum(value for _, value in added)))
    return options


def _place(row: Row, begins: bool) -> float:
    """The middle of a row, or if it ``begins`` there its first tube."""
    first, last = row.tubes[0].centre, row.tubes[-1].centre
    return first if begins else (first + last) / 2


def _askew(row: Row, place: float, begins: bool) -> bool:
    """Whether a row isn't at a place."""
    return row.spacing is not None and abs(_place(row, begins) - place) > CENTRED * row.spacing


def _is_inside(region: Region, tube: Tube, row: Row, width: float) -> bool:
    """Whether a flat region is what the inside of a tube would be."""
    return (
        abs(region.centre - tube.centre) <= 0.25 * width
        and 0.7 * width <= region.width <= 1.8 * width
        and abs(region.bottom - tube.bottom) <= 0.25 * width
        and row.top - 1.5 * width <= region.top <= row.top + 0.2 * width
    )


def _aligned(options: Sequence[Sequence[Option]], picture_width: int) -> list[Row]:
    """Of each row's options the one that together are the best: as much evidence, and rows centred or begun alike."""
    against = ASKEW if len(options) > 1 else ASKEW_ALONE
    found = []
    for begins in (False, True)[: len(options)]:
        own = {_place(row, begins) for of_row in options for row, _ in of_row} if len(options) > 1 else set()
        places = sorted(own if begins else {picture_width / 2, *own})
        best = zip(*(_best_at(of_row, places, begins, against) for of_row in options), strict=True)
        found += [(sum(score for _, score in of_place) - NOT_CENTRED * begins, of_place) for of_place in best]
    return [row for row, _ in max(found, key=lambda answer: answer[0])[1]]


def _best_at(options: Sequence[Option], places: Sequence[float], begins: bool, against: float) -> Iterator[Option]:
    """For each place from the left the best of a row's options, of which those that aren't there lose ``against``.

    Each option comes into reach once and goes out of it once, however many places there are.
    """
    row, score = max(options, key=lambda option: option[1])
    anywhere, slack = (row, score - against), CENTRED * (row.spacing or inf)
    coming = sorted(((_place(row, begins), number) for number, (row, _) in enumerate(options)), reverse=True)
    near: list[tuple[float, int, float]] = []
    for place in places:
        while coming and coming[-1][0] <= place + slack:
            at, number = coming.pop()
            heappush(near, (-options[number][1], number, at))
        while near and near[0][2] < place - slack:
            heappop(near)
        yield max(options[near[0][1]] if near else anywhere, anywhere, key=lambda option: option[1])


# -- rows of empty tubes ---------------------------------------------------------------------------------


def _empty_rows(walls: Walls, rows: Sequence[Row], regions: Sequence[Region]) -> list[Row]:
    """Rows without cells: the likeliest one by its walls, and those whose insides are flat regions of one size."""
    spacing, height = least_spacing(rows, walls.width), rows_height(rows)
    axis, left = axis_of(rows), min(row.tubes[0].centre for row in rows)

    def row_of(tubes: Sequence[Tube], top: float) -> Row | None:
        """A row of tubes at even steps, centred or begun where others are; None if it isn't one."""
        ordered = sorted(tubes, key=lambda tube: tube.centre)
        steps = [two.centre - one.centre for one, two in itertools.pairwise(ordered)]
        if any(step < 0.65 * spacing or abs(step / steps[0] - 1) > 0.1 for step in steps):
            return None
        row = Row(tuple(ordered), top, steps[0] if steps else spacing)
        return None if _askew(row, axis, begins=False) and _askew(row, left, begins=True) else row

    def is_free(top: float, bottom: float) -> bool:
        return all(
            top > row.usual_bottom_edge - 0.3 * walls.width or bottom < row.top + 0.3 * walls.width for row in rows
        )

    insides = _insides(walls.width, spacing, height, regions)
    found = [row_of(tubes, top) for tubes, top in insides if is_free(top, tubes[0].bottom)]
    if any(found):
        return [row for row in found if row is not None]
    step = max(2, int(0.06 * height))
    for bottom in range(int(height), walls.picture.height, step):
        if is_free(bottom - height, bottom):
            tubes = seen_in(walls, bottom - height, bottom, spacing)
            found.append(row_of(tubes, bottom - height) if len(tubes) > 1 else None)
    seen = [row for row in found if row is not None]
    return [max(seen, key=lambda row: sum(tube.likeness for tube in row.tubes))] if seen else []


def _insides(
    width: float, spacing: float, height: float, regions: Sequence[Region]
) -> Iterator[tuple[list[Tube], float]]:
    """Tall regions of one size on one bottom line, as tubes with the top of their cells."""
    groups: list[list[Region]] = []
    for region in sorted(regions, key=lambda each: each.bottom):
        if not (0.7 * height <= region.height <= 1.7 * height and region.height >= 1.3 * region.width):
            continue
        if not 0.8 * width <= region.width <= min(2.4 * width, 1.05 * spacing):
            continue
        last = groups[-1][0] if groups else region
        if groups and region.bottom - last.bottom <= 0.15 * width and abs(region.height - last.height) <= 0.3 * width:
            if all(abs(region.centre - other.centre) > 0.3 * width for other in groups[-1]):  # else an outline of it
                groups[-1].append(region)
        else:
            groups.append([region])
    for group in groups:
        tubes = [Tube(region.centre, float(region.bottom), LIKE) for region in group]
        yield tubes, group[0].top + 0.2 * width


def seen_in(walls: Walls, top: float, bottom: float, spacing: float) -> list[Tube]:
    """The places of a band that are like a tube over all of its height, the likest first."""
    like = walls.likeness(top, bottom - 0.3 * walls.width)
    edge = round(WALL * walls.width) + like.before
    places = [place for place in range(edge, len(like.values) - edge) if like.values[place] >= LIKE]
    if not places:
        return []
    halves = [walls.likeness(top, (top + bottom) / 2), walls.likeness((top + bottom) / 2, bottom - 0.3 * walls.width)]
    tubes: list[Tube] = []
    for place in sorted(places, key=lambda each: -like.values[each]):
        column = float(place - like.before)
        is_throughout = min(half.strongest_near(column, 2)[0] for half in halves) >= LIKELY
        is_strong = like.has_edges(column - REACH * walls.width, column + REACH * walls.width)
        if is_throughout and is_strong and all(abs(tube.centre - column) >= 0.65 * spacing for tube in tubes):
            tubes.append(Tube(column, float(bottom), like.values[place]))
    return tubes
