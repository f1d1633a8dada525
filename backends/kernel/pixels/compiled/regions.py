"""Flat regions: connected pixels whose colour changes slowly."""

from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.pixels.arrays import AREA, BOTTOM, LAST, LEFT, REGION, RIGHT, TOP, UNIT, Pixels

LEAST_WIDTH = 7  # pixels
WIDEST = 0.34  # of the picture
LEAST_FILLED = 0.56  # of its box; a disc fills .79
LEAST_CORE = 0.7  # of its height, in its middle column; what is left between two discs has less there
FLATTEST = 0.25  # height over width
TALLEST = 14  # height over width


@compiled
def find_regions(p: Pixels, step: int) -> int:
    """Fills ``regions`` with those that may be cells or the insides of tubes.

    Args:
        p: the picture.
        step: how much pixels of a region that are two apart may differ by, in Lab. Two, as the colours of a blurred
            edge change in small steps.

    Returns:
        How many there are.
    """
    height, width = p.height, p.width
    most = step * UNIT
    found = 0
    for row in range(height):
        for column in range(width):
            p.labels[row, column] = -1
            if not is_flat(p, row, column, most):
                continue
            left = p.labels[row, column - 1] if column else -1
            above = p.labels[row - 1, column] if row else -1
            if left < 0 and above < 0:
                p.parents[found] = found
                p.labels[row, column] = found
                found += 1
            elif left < 0 or above < 0:
                p.labels[row, column] = max(left, above)
            else:
                one, other = first_of(p, left), first_of(p, above)
                p.parents[max(one, other)] = min(one, other)
                p.labels[row, column] = min(one, other)
    return list_regions(p, found)


@compiled
def is_flat(p: Pixels, row: int, column: int, most: int) -> bool:
    """Whether the pixels on both sides, and those above and below, differ by at most ``most``."""
    height, width = p.height, p.width
    for channel in range(3):
        at = row + channel * height
        if 0 < column < width - 1 and abs(p.lab[at, column + 1] - p.lab[at, column - 1]) > most:
            return False
        if 0 < row < height - 1 and abs(p.lab[at + 1, column] - p.lab[at - 1, column]) > most:
            return False
    return True


@compiled
def first_of(p: Pixels, number: int) -> int:
    """The first of the labels that are one region."""
    while p.parents[number] != number:
        p.parents[number] = p.parents[p.parents[number]]
        number = p.parents[number]
    return number


@compiled
def list_regions(p: Pixels, found: int) -> int:
    """Measures regions, and leaves those that have the shape of cells."""
    height, width = p.height, p.width
    regions = 0
    for number in range(found):  # a label's parent is a lower one, and so numbered already
        if p.parents[number] == number:
            p.parents[number] = -1 - regions
            regions += 1
        else:
            p.parents[number] = p.parents[p.parents[number]]
    regions = min(regions, len(p.regions))
    for region in range(regions):
        p.regions[region, LEFT], p.regions[region, TOP] = width, -1
        p.regions[region, RIGHT], p.regions[region, BOTTOM], p.regions[region, AREA] = 0, 0, 0
    for row in range(height):
        for column in range(width):
            if p.labels[row, column] < 0:
                continue
            region = -1 - p.parents[p.labels[row, column]]
            p.labels[row, column] = region
            if region >= regions:
                continue
            box = p.regions[region]
            if box[TOP] < 0:
                box[TOP] = row
            box[AREA] += column - box[LAST] if box[BOTTOM] == row + 1 else 1
            box[LAST], box[BOTTOM] = column, row + 1
            box[LEFT] = min(box[LEFT], column)
            box[RIGHT] = max(box[RIGHT], column + 1)
    kept = 0
    for region in range(regions):
        if has_shape(p, region):
            for number in range(REGION):
                p.regions[kept, number] = p.regions[region, number]
            kept += 1
    return kept


@compiled
def has_shape(p: Pixels, region: int) -> bool:
    """Whether a region is neither tiny nor huge, and fills its box."""
    box = p.regions[region]
    across, down = box[RIGHT] - box[LEFT], box[BOTTOM] - box[TOP]
    if across < LEAST_WIDTH or across > WIDEST * p.width:
        return False
    if down < FLATTEST * across or down > TALLEST * across or box[AREA] < LEAST_FILLED * across * down:
        return False
    middle = (box[LEFT] + box[RIGHT]) // 2
    high, low = -1, -1
    for row in range(box[TOP], box[BOTTOM]):
        if p.labels[row, middle] == region:
            low = row
            if high < 0:
                high = row
    return bool(high >= 0 and low + 1 - high >= LEAST_CORE * down)
