"""A board from a few colours of each cell, without numpy, where a person has shown the rows of tubes.

Cells of one colour look alike, and each colour fills one tube. Cells are put together from the most alike on, until the
counts are right; the empty ones are those that have nothing above them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations
from math import dist
from typing import NamedTuple

from bsp_sat.screenshots.board import Box, Cell, PictureBoard, TubeInPicture, doubts_of_counts
from bsp_sat.screenshots.corrections import RowByHand
from bsp_sat.screenshots.words import NAMES

Rgb = tuple[int, int, int]
Place = tuple[int, int]
"""Tube and cell, both counted from 0, cells from the bottom."""

ALIKE = (3.0, 5.0, 7.0, 10.0, 13.0, 17.0, 22.0, 28.0)  # distances in Lab below which colours may be one
USUAL = 10.0  # the one to take where the counts are never right
FLAT = 12.0  # that the corner of a cell of water differs by; that of a ball shows the ground


class Sample(NamedTuple):
    """What a cell looks like: in its middle, and in its upper corners, which a ball doesn't reach."""

    middle: Rgb
    corners: tuple[Rgb, Rgb]


def board_of_samples(
    rows: Sequence[RowByHand], samples: Sequence[Sequence[Sample]], size: tuple[int, int]
) -> PictureBoard:
    """The board in a picture.

    Args:
        rows: where the tubes are, from the top.
        samples: the cells of each tube, the lowest first, row by row.
        size: width and height of the picture.
    """
    boxes = [box for row in rows for box in _boxes(row)]
    labs = {(tube, cell): _lab(each.middle) for tube, cells in enumerate(samples) for cell, each in enumerate(cells)}
    kinds, empty = _kinds_and_empty(labs, [len(cells) for cells in samples])
    filled = {place: kind for place, kind in kinds.items() if kind != empty}
    names = _names({kind: next(labs[place] for place in filled if filled[place] == kind) for kind in filled.values()})
    tubes = tuple(
        TubeInPicture(
            tuple(
                Cell(names[filled[tube, cell]], box, 1.0) for cell, box in enumerate(of_tube) if (tube, cell) in filled
            ),
            len(of_tube),
            Box(of_tube[0].left, of_tube[-1].top, of_tube[0].right, of_tube[0].bottom),
            1.0,
        )
        for tube, of_tube in enumerate(boxes)
    )
    looks = {names[kind]: samples[tube][cell].middle for (tube, cell), kind in filled.items()}
    puzzle = "water-sort" if _is_flat(samples, filled) else "ball-sort"
    return PictureBoard(puzzle, tubes, tuple(row.tubes for row in rows), looks, tuple(doubts_of_counts(tubes)), size)


def _boxes(row: RowByHand) -> Iterator[list[Box]]:
    """The cells of each tube of a row, the lowest first."""
    pitch = (row.bottom - row.top) / (row.cells - 1)
    step = (row.right - row.left) / (row.tubes - 1) if row.tubes > 1 else pitch
    across = min(pitch, 0.9 * step) / 2
    for tube in range(row.tubes):
        x = row.left + tube * step
        middles = [row.bottom - cell * pitch for cell in range(row.cells)]
        yield [Box(*map(round, (x - across, y - pitch / 2, x + across, y + pitch / 2))) for y in middles]


Lab = tuple[float, float, float]


def _kinds_and_empty(labs: dict[Place, Lab], sizes: Sequence[int]) -> tuple[dict[Place, int], int | None]:
    """Which cells look alike, as numbers, and the number of the empty ones; None if all cells are filled."""
    usual: tuple[dict[Place, int], int | None] | None = None
    for alike in ALIKE:
        kinds = _kinds(labs, alike)
        for empty in _perhaps_empty(kinds, sizes):
            counts = Counter(kind for kind in kinds.values() if kind != empty)
            if counts and all(count == max(sizes) for count in counts.values()):
                return kinds, empty
            if usual is None and alike >= USUAL:
                usual = kinds, empty
    assert usual is not None
    return usual


def _kinds(labs: dict[Place, Lab], alike: float) -> dict[Place, int]:
    """Puts cells together that are alike, directly or by others in between."""
    kinds = {place: number for number, place in enumerate(labs)}
    for one, other in combinations(labs, 2):
        if kinds[one] != kinds[other] and dist(labs[one], labs[other]) < alike:
            old, new = kinds[other], kinds[one]
            kinds = {place: new if kind == old else kind for place, kind in kinds.items()}
    return kinds


def _perhaps_empty(kinds: dict[Place, int], sizes: Sequence[int]) -> list[int | None]:
    """Kinds that have nothing else above them in any tube, those of whole tubes first; then None."""
    found: list[tuple[int, int]] = []
    for kind in dict.fromkeys(kinds.values()):
        stacks = [[kinds[tube, cell] == kind for cell in range(size)] for tube, size in enumerate(sizes)]
        if all(stack == list(accumulate(stack, max)) for stack in stacks):
            found.append((-sum(map(all, stacks)), kind))
    return [*(kind for _, kind in sorted(found, key=lambda each: each[0])), None]


def _names(looks: dict[int, Lab]) -> dict[int, str]:
    """A name of its own for each kind; the best fits choose first."""
    words = {word: _lab(rgb) for word, rgb in NAMES.items()}
    names: dict[int, str] = {}
    for _, kind, word in sorted(
        (dist(look, place), kind, word) for kind, look in looks.items() for word, place in words.items()
    ):
        if kind not in names and word not in names.values():
            names[kind] = word
    return {kind: names.get(kind, f"colour {kind + 1}") for kind in looks}


def _is_flat(samples: Sequence[Sequence[Sample]], filled: dict[Place, int]) -> bool:
    """Whether most filled cells look the same in a corner as in the middle."""
    flat = 0
    for tube, cell in filled:
        middle, corners = samples[tube][cell]
        flat += min(dist(_lab(middle), _lab(corner)) for corner in corners) < FLAT
    return 2 * flat > len(filled)


def _lab(rgb: Rgb) -> Lab:
    """CIE Lab of an sRGB colour."""
    red, green, blue = (
        level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4
        for level in (each / 255 for each in rgb)
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    a, b, c = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)
