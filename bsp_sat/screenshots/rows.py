"""Rows of tubes: filled ones from their stacks of cells, empty ones by their likeness to the filled ones.

**Rows.** A row is a band of the picture which the cells of its tubes cover, all columns taken together; between two
rows no column has a cell. A cell that wasn't found therefore doesn't break a row.

**Empty tubes.** A tube's outline makes upright edges. Averaged over the height of a row, the slope of lightness across
the picture shows them even where they are faint; cells differ in colour, so that only what all tubes share is left. The
mean of this profile around the filled tubes is compared with every place of the row (normalised correlation): what is
like a tube and stands where the spacing lets one stand is one.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cielab import Lab
from bsp_sat.screenshots.stacks import Region, Stack, Stacks

STEEPEST = 6.0  # of lightness; a step beyond counts as this much, or one bright outline would outweigh all
FAINTEST = 0.05  # the same; below, a profile is noise
LIKE = 0.72  # correlation from which on a place is a tube wherever it stands
LIKELY = 0.55  # the same where the spacing of the row expects one
FAINT = 0.3  # the same where the row is lopsided without it


@dataclass(frozen=True)
class Tube:
    """A tube in the picture, in pixels at working size.

    Attributes:
        centre: its middle column.
        bottom: one past the last row of its inside.
        likeness: 0 to 1, how much its outline is like that of the filled ones.
        regions: its flat regions, the lowest first.
        confirmed: whether its inside was found as one flat region, where it has no others.
    """

    centre: float
    bottom: float
    likeness: float
    regions: tuple[Region, ...] = ()
    confirmed: bool = False


@dataclass(frozen=True)
class Row:
    """Tubes beside each other, from left to right.

    Attributes:
        tubes: these.
        top: the highest row of any cell.
        spacing: from a tube to the next, None where there is but one.
        doubts: what is odd about it, in words.
    """

    tubes: tuple[Tube, ...]
    top: float
    spacing: float | None
    doubts: tuple[str, ...] = field(default=())

    @property
    def bottom(self) -> float:
        """Of its tubes, as a rule."""
        return float(median(tube.bottom for tube in self.tubes))


def find_rows(lab: Lab, stacks: Stacks, regions: Sequence[Region]) -> list[Row]:
    """The rows of a picture, from the top.

    Args:
        lab: the picture.
        stacks: its stacks of cells.
        regions: all its regions that may be cells, or the insides of tubes.
    """
    filled = [row for row in _filled_rows(stacks) if row.tubes]
    if not filled:
        return []
    return _with_empty_tubes(lab, filled, stacks.width, regions)


def skew(stacks: Stacks) -> float:
    """By how much rows sink from left to right, in pixels a pixel: median over neighbours with about one bottom."""
    ordered = sorted((stack for stack in stacks.stacks if len(stack.regions) > 1), key=lambda each: each.centre)
    slopes = [
        (right.bottom - left.bottom) / (right.centre - left.centre)
        for index, left in enumerate(ordered)
        for right in ordered[index + 1 :]
        if stacks.width < right.centre - left.centre and abs(right.bottom - left.bottom) <= 0.5 * stacks.width
    ]
    return float(median(slopes)) if len(slopes) >= 3 else 0.0


def _filled_rows(stacks: Stacks) -> list[Row]:
    width = stacks.width
    sure = [stack for stack in stacks.stacks if len(stack.regions) > 1]
    bands = _bands(sure, width)
    rows = []
    for top, bottom in bands:
        inside = [s for s in stacks.stacks if s.top >= top - 0.5 * width and s.bottom <= bottom + 0.5 * width]
        columns: list[list[Stack]] = []
        for stack in sorted(inside, key=lambda each: each.centre):
            if columns and stack.centre - columns[-1][0].centre <= 0.35 * width:
                columns[-1].append(stack)
            else:
                columns.append([stack])
        tubes = []
        for column in columns:
            regions = sorted((region for stack in column for region in stack.regions), key=lambda each: -each.bottom)
            centre = float(median(region.centre for region in regions))
            tubes.append(Tube(centre, float(regions[0].bottom), 1.0, tuple(regions)))
        rows.append(Row(tuple(_on_one_line(tubes, width)), float(top), None))
    return [row for row in rows if any(len(tube.regions) > 1 for tube in row.tubes)]


def _bands(stacks: Sequence[Stack], width: float) -> list[tuple[int, int]]:
    bands: list[tuple[int, int]] = []
    for stack in sorted(stacks, key=lambda each: each.top):
        if bands and stack.top <= bands[-1][1] + 0.12 * width:
            bands[-1] = bands[-1][0], max(bands[-1][1], stack.bottom)
        else:
            bands.append((stack.top, stack.bottom))
    return bands


def _on_one_line(tubes: list[Tube], width: float) -> list[Tube]:
    """The tubes of a row with a common bottom line; regions that don't reach it are no tube of this row."""
    if not tubes:
        return []
    lowest = _line([tube for tube in tubes if len(tube.regions) > 1] or tubes)
    kept = []
    for tube in tubes:
        expected = lowest(tube.centre)
        if abs(tube.bottom - expected) <= 0.3 * width:
            kept.append(tube)
        elif len(tube.regions) > 1 and tube.bottom < expected:
            kept.append(replace(tube, bottom=expected))  # its lowest cell wasn't found
    return kept


def _line(tubes: Sequence[Tube]) -> Callable[[float], float]:
    """Bottoms by column: a line through most of them, the lower one where two are alike."""
    slopes = [
        (right.bottom - left.bottom) / (right.centre - left.centre)
        for index, left in enumerate(tubes)
        for right in tubes[index + 1 :]
        if abs(right.bottom - left.bottom) <= 0.06 * abs(right.centre - left.centre)
    ]
    slope = float(median(slopes)) if slopes else 0.0
    starts = sorted(tube.bottom - slope * tube.centre for tube in tubes)
    start = starts[len(starts) // 2] if len(starts) > 1 else starts[0]
    return lambda centre: start + slope * centre


def _with_empty_tubes(lab: Lab, rows: list[Row], width: float, regions: Sequence[Region]) -> list[Row]:
    slope = upright_slope(lab)
    profiles = [_profile(slope, row, width) for row in rows]
    reach = round(0.85 * width)
    windows = [_windows(profile, reach) for profile in profiles]
    shared = np.mean(
        [of_row[_column(tube, of_row)] for of_row, row in zip(windows, rows, strict=True) for tube in row.tubes], axis=0
    )
    likeness = [_likeness(of_row, shared, width) for of_row in windows]
    spacing = _spacing(rows)
    edge_reach = max(0.75 * width, 0.52 * spacing if spacing is not None else 0.0)
    edged = [_edged(profile, width, edge_reach) for profile in profiles]
    completed = [_completed(*each, width, spacing) for each in zip(rows, likeness, edged, strict=True)]
    found = [_confirmed(row, regions, width) for row in _chosen(completed, lab.shape[1])]
    found += _rows_of_insides(found, regions, width)
    found += _empty_rows(slope, found, shared, width)
    return sorted(found, key=lambda row: row.bottom)


def upright_slope(lab: Lab) -> NDArray[np.float32]:
    """How steeply lightness changes from left to right at each pixel, within `STEEPEST`."""
    slope = np.zeros(lab.shape[:2], dtype=np.float32)
    slope[:, 1:-1] = np.clip(lab[:, 2:, 0] - lab[:, :-2, 0], -STEEPEST, STEEPEST)
    return slope


def _windows(profile: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """The profile around each place, blurred a little: a thin line half a pixel aside is the same line."""
    blurred = np.convolve(profile, (0.25, 0.5, 0.25), mode="same")
    windows: NDArray[np.float32] = np.lib.stride_tricks.sliding_window_view(np.pad(blurred, reach), 2 * reach + 1)
    return windows


def _likeness(windows: NDArray[np.float32], shared: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """How like a tube each place of a row is: once with the edges of its cells, once by what is outside them alone."""
    offsets = np.arange(len(shared)) - len(shared) // 2
    of_reaches = [
        np.minimum(_correlation(windows, shared, offsets <= -inner), _correlation(windows, shared, offsets >= inner))
        for inner in (0.42 * width, 0.5 * width + 1.5)
    ]
    likeness: NDArray[np.float64] = np.maximum(*of_reaches)
    return likeness


def _empty_rows(
    slope: NDArray[np.float32], rows: Sequence[Row], shared: NDArray[np.float64], width: float
) -> list[Row]:
    """Rows of empty tubes alone: at least two outlines as far apart as elsewhere, above or below the rest."""
    spacing = _spacing(rows)
    if spacing is None:
        return []
    height = median(row.bottom - row.top for row in rows)
    axis, left, left_aligned = _alignment(rows, spacing)
    sums = np.cumsum(np.vstack([np.zeros((1, slope.shape[1]), dtype=np.float32), slope]), axis=0)
    best: tuple[float, Row] | None = None
    for bottom in range(int(height), slope.shape[0], max(2, int(0.06 * height))):
        if any(bottom > row.top - 0.7 * width and bottom - height < row.bottom + 0.3 * width for row in rows):
            continue
        low, high = int(bottom - 0.3 * width), int(bottom - height)
        profile = (sums[low] - sums[high]) / max(1, low - high)
        like = _likeness(_windows(profile.astype(np.float32), len(shared) // 2), shared, width)
        tubes: list[Tube] = []
        for column in np.argsort(-like):
            if like[column] < LIKE:
                break
            if all(abs(tube.centre - column) >= 0.75 * spacing for tube in tubes):
                tubes.append(Tube(float(column), float(bottom), float(like[column])))
        tubes.sort(key=lambda tube: tube.centre)
        steps = [right.centre - left.centre for left, right in itertools.pairwise(tubes)]
        if not steps or any(abs(step / spacing - 1) > 0.35 or abs(step / steps[0] - 1) > 0.1 for step in steps):
            continue
        if abs((tubes[0].centre + tubes[-1].centre) / 2 - axis) > 0.2 * spacing and not (
            left_aligned and abs(tubes[0].centre - left) <= 0.2 * spacing
        ):
            continue
        score = sum(tube.likeness for tube in tubes)
        if best is None or score > best[0]:
            best = score, Row(tuple(tubes), bottom - height, spacing)
    return [best[1]] if best is not None else []


def _alignment(rows: Sequence[Row], spacing: float) -> tuple[float, float, bool]:
    """The axis of the longest row, where rows begin, and whether one begins there without being centred."""
    longest = max(rows, key=lambda row: len(row.tubes)).tubes
    axis = (longest[0].centre + longest[-1].centre) / 2
    left = min(row.tubes[0].centre for row in rows)
    middles = [(row.tubes[0].centre + row.tubes[-1].centre) / 2 for row in rows]
    return axis, left, any(abs(middle - axis) > 0.2 * spacing for middle in middles)


def _rows_of_insides(rows: Sequence[Row], regions: Sequence[Region], width: float) -> list[Row]:
    """Rows that hold nothing, by the insides of their tubes: tall regions of one size, one bottom, about the same axis.

    What is alike but stands askew is a doubt about the board, as it may be tubes that are covered or not understood.
    """
    height = median(row.bottom - row.top for row in rows)
    spacing = _spacing(rows) or 2 * width
    axis, left, left_aligned = _alignment(rows, spacing)
    tall = [
        region
        for region in regions
        if 0.7 * height <= region.height <= 1.7 * height
        and 0.8 * width <= region.width <= min(2.4 * width, 1.05 * spacing)
        and region.height >= 1.3 * region.width
        and all(region.top > row.bottom - 0.3 * width or region.bottom < row.top + 0.3 * width for row in rows)
    ]
    groups: list[list[Region]] = []
    for region in sorted(tall, key=lambda each: each.bottom):
        last = groups[-1][0] if groups else None
        if (
            last is not None
            and region.bottom - last.bottom <= 0.15 * width
            and abs(region.height - last.height) <= 0.3 * width
        ):
            groups[-1].append(region)
        else:
            groups.append([region])
    found = []
    for group in groups:
        ordered = sorted(group, key=lambda each: each.centre)
        steps = [right.centre - left.centre for left, right in itertools.pairwise(ordered)]
        centred = abs((ordered[0].centre + ordered[-1].centre) / 2 - axis) <= 0.2 * spacing
        begins = left_aligned and abs(ordered[0].centre - left) <= 0.2 * spacing
        even = all(step >= 0.8 * spacing and abs(step / steps[0] - 1) <= 0.1 for step in steps)
        columns = [tube.centre for row in rows for tube in row.tubes]
        below_others = min(abs(ordered[0].centre - column) for column in columns) <= 0.15 * width
        if len(group) == 1 and not (centred or begins or below_others):
            continue
        doubts = () if even and (centred or begins) else ("what looks like tubes there isn't understood",)
        # One region may be inside another: that is one tube at most.
        apart = [each for each, step in zip(ordered, [width, *steps], strict=True) if step > 0.35 * width]
        tubes = tuple(Tube(each.centre, float(each.bottom), LIKE) for each in apart)
        found.append(Row(tubes, ordered[0].top + 0.2 * width, steps[0] if steps and even else spacing, doubts))
    return found


def _correlation(
    windows: NDArray[np.float32], shared: NDArray[np.float64], side: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """How like each window is to the shared profile on one side of a tube, -1 to 1."""
    pattern = np.where(side, shared, 0)
    size = float(np.sqrt((pattern**2).sum()))
    sizes = np.sqrt((windows**2 * side).sum(axis=1)) + FAINTEST * np.sqrt(side.sum())
    correlation: NDArray[np.float64] = (windows @ pattern) / (sizes * size + 1e-9)
    return correlation


def _column(tube: Tube, of_row: NDArray[np.float32]) -> int:
    return int(np.clip(round(tube.centre), 0, len(of_row) - 1))


def _profile(slope: NDArray[np.float32], row: Row, width: float) -> NDArray[np.float32]:
    bottom = int(row.bottom - 0.3 * width)
    top = min(int(row.top), bottom - 2)
    profile: NDArray[np.float32] = slope[max(0, top) : max(bottom, 2)].mean(axis=0)
    return profile


def _spacing(rows: Sequence[Row]) -> float | None:
    """The usual step from a tube to the next."""
    steps = [right.centre - left.centre for row in rows for left, right in zip(row.tubes, row.tubes[1:], strict=False)]
    if not steps:
        return None
    least = min(steps)
    return float(median(step for step in steps if step <= 1.3 * least))


def _edged(profile: NDArray[np.float32], width: float, reach: float) -> NDArray[np.bool_]:
    """Whether something stands at a place: upright edges about half a width to both sides, however faint."""
    strength = np.abs(profile)
    enough = max(0.8, 4 * float(np.median(strength)))
    offsets = np.arange(-round(reach), round(reach) + 1)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(strength, -int(offsets[0])), len(offsets))
    left = windows[:, offsets <= -0.38 * width].max(axis=1)
    right = windows[:, offsets >= 0.38 * width].max(axis=1)
    edged: NDArray[np.bool_] = np.minimum(left, right) >= enough
    return edged


def _completed(
    row: Row, likeness: NDArray[np.float64], edged: NDArray[np.bool_], width: float, usual: float | None
) -> Row:
    """A row with all that might be further tubes of it."""
    own = _spacing([row])
    spacing = own if own is not None and (usual is None or own < 1.6 * usual) else usual
    tubes = [replace(tube, likeness=_near(likeness, tube.centre)) for tube in row.tubes]
    least = 0.75 * spacing if spacing is not None else 1.15 * width
    peaks = [
        column
        for column in range(1, len(likeness) - 1)
        if likeness[column] >= FAINT
        and likeness[column] >= likeness[column - 1]
        and likeness[column] > likeness[column + 1]
    ]
    bottom = row.bottom
    found = list(tubes)
    ordered = sorted(peaks, key=lambda each: -likeness[each])
    fitting = [
        column
        for column in ordered
        if spacing is not None and any(_is_step(column - tube.centre, spacing) for tube in tubes)
    ]
    if own is None and not any(likeness[column] >= LIKE for column in fitting):
        fitting = [column for column in ordered if likeness[column] >= LIKE]  # a row may have a spacing of its own
    for column in fitting:
        if min(abs(tube.centre - column) for tube in found) >= least:
            found.append(Tube(float(column), bottom, float(likeness[column])))
    if spacing is not None:
        for start, direction in ((tubes[0].centre, -1), (tubes[-1].centre, 1)):
            place = start + direction * spacing
            while 0.4 * width <= place < len(edged) - 0.4 * width:
                if min(abs(tube.centre - place) for tube in found) >= least and edged[round(place)]:
                    found.append(Tube(place, bottom, FAINT))
                place += direction * spacing
    found.sort(key=lambda tube: tube.centre)
    return replace(row, tubes=tuple(found), spacing=spacing)


def _chosen(rows: list[Row], picture_width: int) -> list[Row]:
    """Rows without the faint ones that don't belong to them.

    Games centre their rows, or begin them at one column. A faint outline counts where it makes a row do the same as
    the others.
    """
    certain = [[tube for tube in row.tubes if tube.regions or tube.likeness >= LIKE] for row in rows]
    longest = max(certain, key=len)
    # One row has nothing to be compared with but the picture.
    axis = picture_width / 2 if len(rows) == 1 else (longest[0].centre + longest[-1].centre) / 2
    left = min(tubes[0].centre for tubes in certain)
    steps = [right.centre - left.centre for tubes in certain for left, right in itertools.pairwise(tubes)]
    closest = min(steps, default=0.0)
    chosen = []
    for row, sure in zip(rows, certain, strict=True):
        spacing = row.spacing or picture_width
        options = []
        first, last = row.tubes.index(sure[0]), row.tubes.index(sure[-1])
        for start in range(first + 1):
            for end in range(last + 1, len(row.tubes) + 1):
                kept = row.tubes[start:end]
                off = abs((kept[0].centre + kept[-1].centre) / 2 - axis) / spacing
                likely = sum(tube.likeness >= LIKELY for tube in kept)
                options.append((off > 0.2, -likely, len(kept), off, kept))
        off_centre, _, _, _, kept = min(options, key=lambda option: option[:4])
        doubts = list(row.doubts)
        if off_centre:
            those = [index for index, tube in enumerate(row.tubes) if tube.regions or tube.likeness >= LIKELY]
            kept = row.tubes[those[0] : those[-1] + 1]
            if len(kept) < len(row.tubes):
                doubts.append("there may be one more tube")
            if abs(kept[0].centre - left) > 0.2 * spacing and len(rows) > 1:
                doubts.append("it is neither centred nor begins where the others do")
        gaps = [b.centre - a.centre for a, b in itertools.pairwise(kept)]
        if any(gap > 1.2 * min(gaps) for gap in gaps):
            doubts.append("its tubes aren't evenly spaced")
        elif any(gap > 1.6 * closest for gap in gaps):
            doubts.append("its tubes stand so far apart that one may be missing between two")
        chosen.append(replace(row, tubes=kept, doubts=tuple(doubts)))
    return chosen


def _confirmed(row: Row, regions: Sequence[Region], width: float) -> Row:
    """A row whose faint tubes are confirmed where a flat region is what the inside of a tube would be."""

    def is_inside(region: Region, tube: Tube) -> bool:
        return (
            abs(region.centre - tube.centre) <= 0.25 * width
            and 0.7 * width <= region.width <= 1.8 * width
            and abs(region.bottom - tube.bottom) <= 0.25 * width
            and row.top - 1.5 * width <= region.top <= row.top + 0.2 * width
        )

    tubes = [
        replace(tube, confirmed=not tube.regions and any(is_inside(region, tube) for region in regions))
        for tube in row.tubes
    ]
    return replace(row, tubes=tuple(tubes))


def _near(likeness: NDArray[np.float64], centre: float) -> float:
    column = round(centre)
    return float(likeness[max(0, column - 2) : column + 3].max(initial=0.0))


def _is_step(distance: float, spacing: float) -> bool:
    steps = abs(distance) / spacing
    return round(steps) >= 1 and abs(steps - round(steps)) <= 0.1
