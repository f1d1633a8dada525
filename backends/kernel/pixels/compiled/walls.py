"""The upright edges of tubes, and places where a band of the picture has the same."""

from math import sqrt

from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.pixels.arrays import UNIT, Pixels

STEEPEST = 6.0  # of lightness; a step beyond counts as this much, or one bright outline would outweigh all
FAINTEST = 0.05  # the same; below, a line is noise
UNSEEN = -2.0  # no correlation


@compiled
def draw_line(p: Pixels, top: int, bottom: int) -> int:
    """Fills ``line`` with the mean change of lightness between the columns beside each, from one row to another.

    It is blurred a little, so that a thin edge half a pixel aside is the same one.
    """
    width = p.width
    steepest = int(STEEPEST * UNIT)
    for column in range(width):
        total = 0
        if 0 < column < width - 1:
            for row in range(top, bottom):
                change = p.lab[row, column + 1] - p.lab[row, column - 1]
                total += min(max(change, -steepest), steepest)
        p.line[column] = total / (UNIT * (bottom - top))
    before = p.line[0]
    for column in range(width):
        own, after = p.line[column], p.line[min(column + 1, width - 1)]
        p.line[column] = 0.25 * before + 0.5 * own + 0.25 * after
        before = own
    return 0


@compiled
def compare_line(p: Pixels, reach: int) -> int:
    """Fills ``like`` for each place from ``reach`` columns before the picture to as many behind it.

    On each side of the place, of which the less like one counts; once from a tube's cells on, once from outside them
    on, of which the liker one counts. A side that isn't in the picture isn't asked.
    """
    for place in range(len(p.line) + 2 * reach):
        best = -1.0
        for way in range(len(p.inner)):
            inner = int(p.inner[way] + 1)
            left = correlation(p, place - reach, reach, -reach, -inner)
            right = correlation(p, place - reach, reach, inner, reach)
            best = max(best, right if left == UNSEEN else left if right == UNSEEN else min(left, right))
        p.like[place] = best
    return 0


@compiled
def correlation(p: Pixels, column: int, reach: int, start: int, end: int) -> float:
    """The correlation of the line with the pattern, from one offset to another; `UNSEEN` where most isn't seen."""
    both, one, other, count = 0.0, 0.0, 0.0, 0
    for offset in range(start, end + 1):
        at = column + offset
        if 0 <= at < len(p.line):
            value = p.line[at]
            mean = p.pattern[reach + offset]
            both += value * mean
            one += value * value
            other += mean * mean
            count += 1
    if 2 * count <= end - start:
        return UNSEEN
    return float(both / ((sqrt(one) + FAINTEST * sqrt(count)) * sqrt(other) + 1e-9))
