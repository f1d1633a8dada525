"""What stands around the tubes that were found: tubes that were overlooked, cut off or lie under something.

Games set tubes at even steps. Where the row of a board could go on, nothing but the ground may stand: the place looks
as what is between tubes, or as the same columns above and below the board do, and has no upright edges as strong as
those of tubes.
"""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cells import Lattice
from bsp_sat.screenshots.cielab import Lab, distance
from bsp_sat.screenshots.rows import FAINTEST, Row, upright_slope

OTHER = 20.0  # in Lab; what differs more from the ground isn't ground
SAME = 12.0  # in Lab; what differs less from a colour may be a cell of it
FILLED = 0.3  # of a place's height that differs from the ground where something stands
STRONG = 0.5  # of the usual strength of a tube's edges
STRONG_ALONE = 0.9  # the same where one edge alone is in the picture
LEAST_VISIBLE = 0.1  # of the width of a cell
SLACK = 0.1  # of the width of a cell, that edges are beside their places
POST = 0.3  # of the width of a cell, from the middle of a post to beside it
TIP = 0.2  # of a cell, that a post sticks out above the highest cell at least
SHARP = 1.5  # of lightness, the edges of a post
WIDEST = 0.65  # of the step from tube to tube, from the middle of one to the side of what stands in front of it
LEAST_LIKE = 0.45  # correlation with the sides of tubes, where nearly all places of a row have it
NEARLY_ALL = 0.8
LIKE_ALONE = 0.7  # correlation with the sides of tubes that one place by itself has
LIKE_OF_OTHER_COLOUR = 0.3  # the same where it is of another colour than the ground
MOST = 0.6  # of the places of a row
ROOM = 2.6  # widths of a cell from tube to tube, where one more could stand between
WIDEST_TUBE = 1.9  # widths of a cell, with its outline and what is around that
ALONE = 0.62  # correlation with each side of a tube, where one may stand by itself
LEAST_OF_ONE = 0.1  # of the height of a tube, that is in the picture
BLUR = (0.25, 0.5, 0.25)  # a thin line half a pixel aside is the same line
STEP = 0.15  # of the lightness, that a part of a picture is darker than the next
STEP_REACH = 3  # pixels from one part to the next
NEARLY_THROUGHOUT = 0.9
LEAST_GROUND = 0.05  # of the columns of a picture, that stand for its ground
FLAT = 6.0  # in Lab; what is of one colour differs by no more
LEAST_MARGIN = 0.15  # of a cell's height, between the cells of a row and the edge of the picture


def doubts_of_surroundings(
    lab: Lab, rows: Sequence[Row], lattice: Lattice, colours: Sequence[NDArray[np.float32]]
) -> Iterator[str]:
    """Where there may be more tubes or cells than were found, or a tube is cut off; ``colours`` are the board's."""
    height, width = lab.shape[:2]
    slope = upright_slope(lab)
    outer = _outer_bands(lab, rows, lattice)
    reach = 1.7 * lattice.pitch
    for number, row in enumerate(rows, start=1):
        edges = [tube.centre + side * 0.5 * lattice.width for tube in row.tubes for side in (-1, 1)]
        margin = LEAST_MARGIN * lattice.pitch
        if min(edges) < 0 or max(edges) > width or row.top - margin < 0 or row.bottom + 2 * margin > height:
            yield f"row {number}: a tube is cut off by the edge of the picture"
        if _goes_on_below(lab, row, lattice, colours):
            yield f"row {number}: the cells may go on below it"
        if any(_is_something(lab, slope, row, lattice, place, outer) for place in _places_beside(row, rows, width)):
            yield f"row {number}: something stands where one more tube may be"
        if _is_between(slope, row, lattice):
            yield f"row {number}: something stands between two tubes"
        if row.top < reach and _reaches_top(slope, row, lattice):
            yield f"row {number}: the tubes may go on above the picture"
    if _is_alone(slope, rows, lattice):
        yield "something above or below the board looks like a tube by itself"
    for name in ("top", "bottom"):
        if any(_is_cut_row(lab, slope, row, lattice, name == "top") for row in rows):
            yield f"there may be another row of tubes, cut off by the {name} of the picture"


def doubts_of_edges(lab: Lab, rows: Sequence[Row], lattice: Lattice) -> Iterator[str]:
    """Where the left or right edge of the picture may have cut off a tube."""
    slope = upright_slope(lab)
    for number, row in enumerate(rows, start=1):
        if any(_is_cut_tube(slope, row, lattice, place) for place in _places_beside(row, rows, lab.shape[1])):
            yield f"row {number}: there may be one more tube, cut off by the edge of the picture"


def _is_between(slope: NDArray[np.float32], row: Row, lattice: Lattice) -> bool:
    """Whether between tubes that are so far apart that one more could stand there something has strong edges."""
    if row.spacing is None or row.spacing < ROOM * lattice.width:
        return False
    profile = np.abs(slope[_heights_of(row, lattice, len(slope))].mean(axis=0))
    usual = _usual_edges(profile, row, lattice)[1]
    half = 0.5 * row.spacing - WIDEST_TUBE / 2 * lattice.width
    middles = [(one.centre + other.centre) / 2 for one, other in itertools.pairwise(row.tubes)]
    return any(
        min(_strongest(profile, middle - half, middle), _strongest(profile, middle, middle + half))
        >= STRONG * usual
        > 0
        for middle in middles
    )


def _reaches_top(slope: NDArray[np.float32], row: Row, lattice: Lattice) -> bool:
    """Whether the sides of a row's tubes go on to the upper edge of the picture: it is cut through them."""
    step = row.spacing or 2 * lattice.width
    beside = round(0.5 * step)
    upright = slope[_heights_of(row, lattice, len(slope))].mean(axis=0)
    profile = slope[: max(3, round(LEAST_MARGIN * lattice.pitch))].mean(axis=0)
    like = [
        _correlation(*(_sides_at(each, tube.centre, lattice.width, beside) for each in (profile, upright)))
        for tube in row.tubes
    ]
    return sum(each >= LEAST_LIKE for each in like) >= 0.5 * len(like)


def _is_alone(slope: NDArray[np.float32], rows: Sequence[Row], lattice: Lattice) -> bool:
    """Whether a step above or below all rows one place has the sides of a tube over the height of one.

    Rows of one empty tube are found by nothing else. Asked of the columns of other tubes, and of the middle.
    """
    if len(rows) < 2:
        return False
    longest = max(rows, key=lambda row: len(row.tubes))
    tall = round(max(row.bottom - row.top for row in rows))
    beside = round(0.5 * (longest.spacing or 2 * lattice.width))
    upright = np.convolve(slope[_heights_of(longest, lattice, len(slope))].mean(axis=0), BLUR, mode="same")
    pattern = np.mean([_sides_at(upright, tube.centre, lattice.width, beside) for tube in longest.tubes], axis=0)
    slack = round(SLACK * lattice.width)
    sums = np.cumsum(np.vstack([np.zeros((1, slope.shape[1]), dtype=np.float32), slope]), axis=0)
    centres = [tube.centre for row in rows for tube in row.tubes]
    centres.append((longest.tubes[0].centre + longest.tubes[-1].centre) / 2)
    places = {round(centre) + aside for centre in centres for aside in range(-slack, slack + 1)}
    step = float(np.median([lower.bottom - upper.bottom for upper, lower in itertools.pairwise(rows)]))
    tops = [rows[0].bottom - tall - step, rows[-1].bottom - tall + step]
    shifts = (-0.1 * tall, 0.0, 0.1 * tall)
    for top in (round(top + shift) for top in tops for shift in shifts):
        start, end = max(0, top), min(len(slope), top + tall)
        if end - start < LEAST_OF_ONE * tall:
            continue
        profile = np.convolve((sums[end] - sums[start]) / (end - start), BLUR, mode="same")
        for place in places:
            sides = _sides_at(profile, place, lattice.width, beside)
            strong = np.abs(sides).max() >= STRONG * np.abs(pattern).max()
            if strong and _likeness_of_sides(sides, pattern, lattice.width) >= ALONE:
                return True
    return False


def _likeness_of_sides(sides: NDArray[np.float32], pattern: NDArray[np.float32], width: float) -> float:
    """The correlation of the less like side: once with the edges of cells, once with what is outside them alone."""
    offsets = np.arange(len(sides)) - len(sides) // 2
    correlations = (
        min(_correlation(sides[side], pattern[side]) for side in (offsets <= -inner, offsets >= inner))
        for inner in (0.35 * width, 0.5 * width + 1.5)
        if inner <= offsets[-1]  # beside tubes that nearly touch is nothing
    )
    return max(correlations, default=0.0)


def is_partly_dimmed(lab: Lab, rows: Sequence[Row], lattice: Lattice) -> bool:
    """Whether the ground gets darker or lighter in one step: all across near the board, or all along the picture."""
    height, width = lab.shape[:2]
    top = max(0, round(min(row.top for row in rows) - 2 * lattice.pitch))
    bottom = min(height, round(max(row.bottom for row in rows) + lattice.pitch))
    columns = np.arange(width)
    near = [
        np.abs(columns - tube.centre) < min(WIDEST_TUBE / 2 * lattice.width, 0.48 * (row.spacing or width))
        for row in rows
        for tube in row.tubes
    ]
    ground = ~np.any(near, axis=0)
    across = lab[top:bottom, ground, 0] if ground.sum() >= LEAST_GROUND * width else lab[top:bottom, :, 0]
    return any(_has_step(lightness) for lightness in (across, lab[:, :, 0].T))


def _has_step(lightness: NDArray[np.float32]) -> bool:
    """Whether within some rows of pixels nearly all columns get much darker, or nearly all much lighter."""
    if len(lightness) <= STEP_REACH:
        return False
    steps = lightness[STEP_REACH:] - lightness[:-STEP_REACH]
    least = STEP * np.maximum(lightness[STEP_REACH:], lightness[:-STEP_REACH])
    return bool(max((steps > least).mean(axis=1).max(), (steps < -least).mean(axis=1).max()) > NEARLY_THROUGHOUT)


def _goes_on_below(lab: Lab, row: Row, lattice: Lattice, colours: Sequence[NDArray[np.float32]]) -> bool:
    """Whether right below a tube is one of the board's colours, which isn't between tubes, nor below most of them."""
    start, stop = round(row.bottom + 0.2 * lattice.pitch), round(row.bottom + 0.7 * lattice.pitch)
    middles = [(one.centre + other.centre) / 2 for one, other in itertools.pairwise(row.tubes)]
    if not middles or stop > len(lab):
        return False
    half = 0.2 * lattice.width

    def colour(centre: float) -> NDArray[np.float32]:
        part = lab[start:stop, max(0, round(centre - half)) : round(centre + half) + 1]
        return np.median(part, axis=(0, 1))

    below = np.array([colour(tube.centre) for tube in row.tubes])
    grounds = [*(colour(middle) for middle in middles), np.median(below, axis=0)]
    from_ground = np.min([distance(below, ground) for ground in grounds], axis=0)
    from_colours = np.min([distance(below, each) for each in colours], axis=0)
    return bool(((from_ground > OTHER) & (from_colours < SAME)).any())


def _places_beside(row: Row, rows: Sequence[Row], width: int) -> Iterator[float]:
    """Where a row would have tubes if it went on to the left and right, by at most one beyond the board."""
    if row.spacing is None:
        return
    first = min(each.tubes[0].centre for each in rows) - 1.1 * row.spacing
    last = max(each.tubes[-1].centre for each in rows) + 1.1 * row.spacing
    for place, step in ((row.tubes[0].centre, -row.spacing), (row.tubes[-1].centre, row.spacing)):
        place += step
        while first <= place <= last and -0.5 * row.spacing < place < width + 0.5 * row.spacing:
            yield place
            place += step


def _outer_bands(lab: Lab, rows: Sequence[Row], lattice: Lattice) -> list[slice]:
    """The bands above and below the board, where they are high enough to say what is there."""
    top = round(min(row.top for row in rows) - 1.2 * lattice.pitch)
    bottom = round(max(row.bottom for row in rows) + 0.5 * lattice.pitch)
    reach, least = round(1.5 * lattice.pitch), 0.3 * lattice.pitch
    bands = [slice(max(0, top - reach), max(0, top)), slice(bottom, min(lab.shape[0], bottom + reach))]
    return [band for band in bands if band.stop - band.start >= least]


def _is_something(
    lab: Lab, slope: NDArray[np.float32], row: Row, lattice: Lattice, place: float, outer: Sequence[slice]
) -> bool:
    """Whether a place beside a row has colours, or upright edges, that the ground hasn't."""
    half = 0.5 * lattice.width
    left, right = max(0, round(place - half)), min(lab.shape[1], round(place + half))
    if _has_edges(slope, row, lattice, place, outer) or _is_post(slope, row, lattice, place):
        return True
    if right - left < LEAST_VISIBLE * lattice.width:
        return False
    return _has_colours(lab, row, lattice, slice(left, right), outer) or (
        _share_walls(slope, row, lattice) and _has_floor(lab, row, lattice, place)
    )


def _has_colours(lab: Lab, row: Row, lattice: Lattice, columns: slice, outer: Sequence[slice]) -> bool:
    """Whether much of a place differs from what is between tubes, and from what is above and below the board."""
    middles = [(one.centre + other.centre) / 2 for one, other in zip(row.tubes, row.tubes[1:], strict=False)]
    around = [np.median(lab[band, columns], axis=(0, 1)) for band in outer]
    slots = max(1, round((row.bottom - row.top) / lattice.pitch))
    strange = 0
    for slot in range(slots):
        bottom = row.bottom - slot * lattice.pitch
        top = min(max(0, round(bottom - 0.8 * lattice.pitch)), len(lab) - 1)
        band = slice(top, max(top + 1, round(bottom - 0.2 * lattice.pitch)))
        here = np.median(lab[band, columns], axis=(0, 1))
        between = [np.median(lab[band, round(middle) - 1 : round(middle) + 2], axis=(0, 1)) for middle in middles]
        strange += min((float(distance(here, ground)) for ground in between + around), default=0.0) > OTHER
    return strange >= FILLED * slots


def _has_edges(slope: NDArray[np.float32], row: Row, lattice: Lattice, place: float, outer: Sequence[slice]) -> bool:
    """Whether upright edges as strong as those of tubes stand on all visible sides of a place, and end with the row."""
    profile = np.abs(slope[_heights_of(row, lattice, len(slope))].mean(axis=0))
    ends = np.abs(np.array([slope[each].mean(axis=0) for each in outer])).min(axis=0, initial=np.inf)
    own = profile if not outer else np.where(ends >= STRONG * profile, 0.0, profile)
    offsets, usual = _usual_edges(profile, row, lattice)
    spacing = row.spacing or 2 * lattice.width
    if offsets[1] - offsets[0] + SLACK * lattice.width >= spacing:
        return False  # tubes touch, and an edge may be that of the next one
    slack = SLACK * lattice.width
    sides = [
        _strongest(own, place + off - slack, place + off + slack) for off in offsets if 0 <= place + off < len(own)
    ]
    # What stands in front of a tube is wider; where the next tube isn't, no other edge can be meant.
    left = place < row.tubes[0].centre
    outer_side = (
        (place - WIDEST * spacing, place + offsets[0]) if left else (place + offsets[1], place + WIDEST * spacing)
    )
    alone = _strongest(own, *outer_side)
    least = STRONG if len(sides) == 2 else STRONG_ALONE
    return usual > 0 and (min(sides, default=0.0) >= least * usual or alone >= STRONG_ALONE * usual)


def _is_post(slope: NDArray[np.float32], row: Row, lattice: Lattice, place: float) -> bool:
    """Whether the middle of a place has the upright edges of the posts that stick out above the cells of the row."""
    offsets = np.arange(-round(POST * lattice.width), round(POST * lattice.width) + 1)
    end = max(1, round(row.top))
    above = slope[max(0, end - max(2, round(TIP * lattice.pitch))) : end]
    upright = slope[_heights_of(row, lattice, len(slope))].mean(axis=0)

    def around(profile: NDArray[np.float32], centre: float) -> NDArray[np.float32]:
        return profile[np.clip(round(centre) + offsets, 0, len(profile) - 1)]

    tip = np.median([around(above.mean(axis=0), tube.centre) for tube in row.tubes], axis=0)
    slack = round(SLACK * lattice.width)
    return float(np.abs(tip).max()) >= SHARP and any(
        _correlation(around(upright, place + aside), tip) >= LIKE_ALONE for aside in range(-slack, slack + 1)
    )


def _is_cut_tube(slope: NDArray[np.float32], row: Row, lattice: Lattice, place: float) -> bool:
    """Whether what is visible of a place at the edge of the picture has the same sides as one of the row's tubes.

    An empty tube's are weaker than those of others and elsewhere, so that it is compared with each tube by itself.
    """
    profile = np.convolve(slope[_heights_of(row, lattice, len(slope))].mean(axis=0), BLUR, mode="same")
    beside, slack = round(0.5 * (row.spacing or 2 * lattice.width)), round(SLACK * lattice.width)
    columns = round(place) + np.arange(-beside, beside + 1)
    visible = (columns >= slack) & (columns < len(profile) - slack)
    if visible.all():
        return False
    for tube in row.tubes:
        whole = _sides_at(profile, tube.centre, lattice.width, beside)
        strength = STRONG * np.abs(whole).max()
        if np.abs(whole[visible]).max(initial=0.0) < strength:
            continue  # its wall would not be in the picture
        for aside in range(-slack, slack + 1):
            here = _sides_at(profile, place + aside, lattice.width, beside)[visible]
            if np.abs(here).max() >= strength and _correlation(here, whole[visible]) >= LIKE_ALONE:
                return True
    return False


def _share_walls(slope: NDArray[np.float32], row: Row, lattice: Lattice) -> bool:
    """Whether tubes touch: half-way between two of them is an edge as strong as those beside their cells."""
    if len(row.tubes) < 2:
        return False
    profile = np.abs(slope[_heights_of(row, lattice, len(slope))].mean(axis=0))
    slack = SLACK * lattice.width
    middles = [(one.centre + other.centre) / 2 for one, other in itertools.pairwise(row.tubes)]
    walls = [_strongest(profile, middle - slack, middle + slack) for middle in middles]
    return float(np.median(walls)) >= STRONG * _usual_edges(profile, row, lattice)[1]


def _has_floor(lab: Lab, row: Row, lattice: Lattice, place: float) -> bool:
    """Whether a place has a level edge as strong as those at the foot of a row's tubes, and as low."""
    reach, half = round(0.3 * lattice.pitch), 0.3 * lattice.width
    foot = slice(max(0, round(row.bottom) - reach), round(row.bottom) + reach + 1)
    level = upright_slope(np.ascontiguousarray(lab[foot].transpose(1, 0, 2))).T

    def strength(centre: float) -> float:
        columns = slice(max(0, round(centre - half)), max(0, round(centre + half)) + 1)
        return float(np.abs(level[:, columns].mean(axis=1)).max()) if level[:, columns].size else 0.0

    usual = float(np.median([strength(tube.centre) for tube in row.tubes]))
    return usual > 0 and strength(place) >= STRONG * usual


def _heights_of(row: Row, lattice: Lattice, height: int) -> slice:
    """The rows of pixels in which the sides of tubes are upright; at least one, of a picture's ``height``."""
    top = min(max(0, round(row.top)), height - 1)
    return slice(top, max(top + 1, round(row.bottom - 0.3 * lattice.width)))


def _usual_edges(profile: NDArray[np.float32], row: Row, lattice: Lattice) -> tuple[tuple[float, float], float]:
    """How far left and right of a tube's middle its sides usually are, and how strong."""
    reach = round(min(0.8 * lattice.width, 0.45 * (row.spacing or 2 * lattice.width)))
    near = round(min(0.35 * lattice.width, 0.6 * reach))
    padded = np.pad(profile, reach)
    around = np.array([padded[round(tube.centre) : round(tube.centre) + 2 * reach + 1] for tube in row.tubes])
    left, right = around[:, : reach - near + 1], around[:, reach + near :]
    strength = float(np.median(np.maximum(left.max(axis=1), right.max(axis=1))))
    offsets = float(np.median(left.argmax(axis=1))) - reach, float(np.median(right.argmax(axis=1))) + near
    return offsets, strength


def _strongest(profile: NDArray[np.float32], start: float, end: float) -> float:
    """The strongest edge from one column to another."""
    first = max(0, round(start))
    return float(profile[first : max(first, round(end)) + 1].max(initial=0.0))


def _is_cut_row(lab: Lab, slope: NDArray[np.float32], row: Row, lattice: Lattice, top: bool) -> bool:
    """Whether what touches the upper or lower edge of the picture looks like tubes at the steps of a row.

    Most places there, and not what is between them, are of one other colour, or all have upright edges like the tubes.
    Of a last row that holds one tube there is one such place: its edges have to be more like those of tubes, or its
    colour another one too.
    """
    height, width = lab.shape[:2]
    reach = round(0.5 * lattice.pitch)
    band = slice(0, reach) if top else slice(height - reach, height)
    if (row.top - 1.2 * lattice.pitch < reach) if top else (row.bottom + 0.5 * lattice.pitch > height - reach):
        return False
    step = row.spacing or 2 * lattice.width
    beside, half = round(0.5 * step), round(0.3 * lattice.width)
    upright = slope[_heights_of(row, lattice, height)].mean(axis=0)
    pattern = np.mean([_sides_at(upright, tube.centre, lattice.width, beside) for tube in row.tubes], axis=0)
    profile = slope[band].mean(axis=0)
    for shift in (0.0, 0.5):
        columns = [round(tube.centre + shift * step) for tube in row.tubes]
        columns = [column for column in columns if beside < column < width - beside - 1]
        filled = [_stands_out(lab[band], column, half, beside) for column in columns]
        like = [_correlation(_sides_at(profile, column, lattice.width, beside), pattern) for column in columns]
        tubes = sum(full or each >= LEAST_LIKE for full, each in zip(filled, like, strict=True))
        if len(columns) > 1 and (sum(filled) >= MOST * len(columns) or tubes >= NEARLY_ALL * len(columns)):
            return True
        if any(each >= (LIKE_OF_OTHER_COLOUR if full else LIKE_ALONE) for full, each in zip(filled, like, strict=True)):
            return True
    return False


def _sides_at(profile: NDArray[np.float32], centre: float, width: float, beside: int) -> NDArray[np.float32]:
    """What is on both sides of a place in a profile, as far as half-way to the next; 0 for what is inside."""
    offsets = np.arange(-beside, beside + 1)
    columns = np.clip(round(centre) + offsets, 0, len(profile) - 1)
    return np.where(np.abs(offsets) >= 0.35 * width, profile[columns], np.float32(0))


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """How like two profiles are, -1 to 1; near 0 where there is little in one."""
    sizes = [float(np.sqrt((each**2).sum())) + FAINTEST * np.sqrt(len(each)) for each in (one, other)]
    return float(np.vdot(one, other)) / float(sizes[0] * sizes[1])


def _stands_out(band: Lab, column: int, half: int, beside: int) -> bool:
    """Whether a place in a band of the picture is of one colour, and the ground on both sides of another one."""
    here = band[:, column - half : column + half + 1].reshape(-1, 3)
    colour = np.median(here, axis=0)
    flat = float(np.median(distance(here, colour))) < FLAT
    around = [np.median(band[:, each - 1 : each + 2], axis=(0, 1)) for each in (column - beside, column + beside)]
    return flat and all(float(distance(colour, each)) > OTHER for each in around)
