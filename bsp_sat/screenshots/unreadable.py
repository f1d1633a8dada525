"""What a picture shows instead of cells of plain colours, for the message of one that can't be read for sure.

Asked only then: things of one size in columns, that stand out from the commonest colour of the picture. They are named
by what is on them, or by their outline.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cells import look_at
from bsp_sat.screenshots.cielab import Lab, distance
from bsp_sat.screenshots.contents import sign_strength
from bsp_sat.screenshots.regions import boxes

STANDS_OUT = 22.0  # in Lab, from the ground
SHADES = 8  # of each channel, to find the commonest colour
PATTERN = 12.0  # in Lab; mean deviation of a thing with a picture on it
SAME_SIZE = 0.12
LEAST_FILLED = 0.5  # of a thing's box
LEAST_FILLED_TOWER = 0.2
LEAST_TOWERS = 3
FLATTER = 0.85  # height over width of nuts; balls are higher
GROWN = 3  # pixels
LEAST = 6  # things of one size that are no accident
LEAST_SIZE = 10  # pixels
SOLID = 0.93  # of what is between the sides of a tower
WIDE = 0.8  # of the greatest width, where a nut is
NARROW = 0.7  # of the greatest width, where a bolt shows between nuts

Box = tuple[int, int, int, int]


def nuts_or_patterns(lab: Lab) -> str | None:
    """What can't be read where no cells were found, with what was found; None where nothing of the kind is seen."""
    return _nuts(_standing_out(lab)) or patterns(lab)


def patterns(lab: Lab) -> str | None:
    """What is on things of one size beside a colour, None where nothing is."""
    mask = _standing_out(lab)
    return _patterns(lab, mask) or _patterns(lab, _grown(mask))


def _standing_out(lab: Lab) -> NDArray[np.bool_]:
    """The pixels that are far from the commonest colour."""
    mask: NDArray[np.bool_] = distance(lab, _ground(lab)) > STANDS_OUT
    return mask


def _nuts(mask: NDArray[np.bool_]) -> str | None:
    """Whether there are towers that are wide and narrow by turns, with wide parts flatter than balls."""
    swellings = [_swellings(mask, box) for box in _boxes(mask, LEAST_FILLED_TOWER)]
    towers = [each for each in swellings if each >= 2]
    if len(towers) < LEAST_TOWERS:
        return None
    often = int(np.median(towers))
    return (
        f"{len(towers)} columns are wide and narrow by turns, {often} times, as nuts on bolts are, which can't be read"
    )


def _patterns(lab: Lab, mask: NDArray[np.bool_]) -> str | None:
    """Whether there are things of one size that most have something drawn on them."""
    things = _in_columns(_of_one_size(_boxes(mask, LEAST_FILLED)))
    drawn = sum(sign_strength(look_at(lab, box)) >= PATTERN for box in things)
    if len(things) < LEAST or drawn < 0.6 * len(things):
        return None
    those = f"{drawn} of {len(things)} things of one size"
    return f"{those} have flags, patterns or symbols on them; only plain colours are read"


def _in_columns(things: Sequence[Box]) -> list[Box]:
    """The things that stand above each other by three or more, as cells in tubes do."""
    sides = np.array(things, dtype=np.int64).reshape(-1, 4)
    middles, widths = sides[:, 0] + sides[:, 2], sides[:, 2] - sides[:, 0]
    share_a_column = np.abs(middles[:, None] - middles) <= 0.3 * widths[:, None]
    return [one for one, others in zip(things, share_a_column.sum(axis=1), strict=True) if others >= 3]


def _boxes(mask: NDArray[np.bool_], filled: float) -> list[Box]:
    """The connected parts of a mask that fill at least a share of their boxes."""
    found = boxes(mask)
    sides = zip(found.left, found.top, found.right, found.bottom, found.area, strict=True)
    return [
        (int(left), int(top), int(right), int(bottom))
        for left, top, right, bottom, area in sides
        if area >= filled * (right - left) * (bottom - top) and min(right - left, bottom - top) >= LEAST_SIZE
    ]


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """A mask with all pixels that are at most `GROWN` from it, across and down: parts of one thing meet."""
    grown = mask.copy()
    for _ in range(GROWN):
        grown[1:] |= grown[:-1].copy()
        grown[:-1] |= grown[1:].copy()
        grown[:, 1:] |= grown[:, :-1].copy()
        grown[:, :-1] |= grown[:, 1:].copy()
    return grown


def _ground(lab: Lab) -> NDArray[np.float32]:
    """The commonest colour."""
    pixels = lab[::2, ::2].reshape(-1, 3)
    shades = np.floor((pixels + np.array([0, 128, 128])) * SHADES / np.array([100, 256, 256])).astype(int)
    number = (shades * (SHADES * SHADES * 4, SHADES * 2, 1)).sum(axis=1)
    values, counts = np.unique(number, return_counts=True)
    common: NDArray[np.float32] = np.median(pixels[number == values[counts.argmax()]], axis=0)
    return common


def _of_one_size(found: Sequence[Box]) -> list[Box]:
    """The most boxes that have about one size, not much higher than wide."""
    sizes = np.array([(right - left, bottom - top) for left, top, right, bottom in found], dtype=float).reshape(-1, 2)
    best: list[Box] = []
    for width, height in sizes:
        if not 0.5 <= height / width <= 1.5:
            continue
        near = (np.abs(sizes / (width, height) - 1) <= SAME_SIZE).all(axis=1)
        if near.sum() > len(best):
            best = [box for box, alike in zip(found, near, strict=True) if alike]
    return best


def _swellings(mask: NDArray[np.bool_], box: Box) -> int:
    """How often something narrows between two wide parts, from its top to its bottom, and one more; 0 where never."""
    left, top, right, bottom = box
    if bottom - top < 1.2 * (right - left) or right - left > 0.34 * mask.shape[1]:
        return 0
    part = mask[top:bottom, left:right]
    widths = np.where(part.any(axis=1), part.shape[1] - part.argmax(axis=1) - part[:, ::-1].argmax(axis=1), 0)
    if part.sum() < SOLID * widths.sum():
        return 0
    wide = widths >= WIDE * widths.max()
    narrow = widths < NARROW * widths.max()
    states = np.where(wide, 1, np.where(narrow, -1, 0))
    turns = states[states != 0]
    starts = int(((turns[1:] == 1) & (turns[:-1] == -1)).sum()) + int(len(turns) > 0 and turns[0] == 1)
    swelling = (bottom - top - int(narrow[: int(wide.argmax())].sum())) / max(1, starts)
    return starts if starts >= 2 and swelling <= FLATTER * widths.max() else 0
