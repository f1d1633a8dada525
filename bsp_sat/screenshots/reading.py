"""From a picture to a board; docs/pictures.md has the method as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import atan
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bsp_sat.instances.errors import PictureError
from bsp_sat.screenshots.board import Alternative, Box, Cell, OfCounts, PictureBoard, TubeInPicture, shared
from bsp_sat.screenshots.by_hand import lattice_by_hand, row_by_hand
from bsp_sat.screenshots.capacity import Capacities, doubts_of_ends, doubts_of_heights, find_capacities, heights
from bsp_sat.screenshots.cells import Lattice, Look, find_lattice
from bsp_sat.screenshots.cielab import Lab, lab_of, rgb_of
from bsp_sat.screenshots.clusters import NOISE, Distances, Grouping, dealt, distances, grouped, natural, sizes, tree
from bsp_sat.screenshots.contents import (
    Contents,
    find_contents,
    hidden_cells,
    sign_of,
    stretched,
)
from bsp_sat.screenshots.corrections import RowByHand
from bsp_sat.screenshots.doubts import FEW_SHADES, SHAPELESS, Reading, doubts_of_reading
from bsp_sat.screenshots.loading import Loaded, load_picture
from bsp_sat.screenshots.names import names_for
from bsp_sat.screenshots.regions import flat_regions
from bsp_sat.screenshots.rows import Row, find_rows, skew
from bsp_sat.screenshots.stacks import Region, candidates, find_stacks
from bsp_sat.screenshots.surroundings import doubts_of_edges
from bsp_sat.screenshots.unreadable import nuts_or_patterns, patterns

STEPS = (8.0, 14.0, 4.0, 22.0)  # how slowly colours change in a flat region; the later ones where the first fail
STRAIGHT = 0.004  # slope of a row that needs no turning
CROOKED = 0.1  # slope beyond which it is no row
APART = 1.35  # margin of groups that are sure
LEAST_APART = 4.0  # in Lab
LEAST_APART_UNCOUNTED = 12.0  # the same where hidden cells keep the counts from telling
MOST_WITHIN_UNCOUNTED = 5.0  # in Lab; there, cells that differ by more may be of two colours
MOST_COLOURS = 40
LIKE_AIR = 15.0  # in Lab; a colour nearer to the ground may be no colour
MOST_TUBES = 40
MOST_DOUBTFUL = 0.4  # share of the cells; beyond, it is no reading

Colouring = tuple[str | None, float, tuple[Alternative, ...]]
"""A cell's colour, how sure it is from 0 to 1, and others that it may have."""

HIDDEN: Colouring = (None, 0.9, ())


def read_picture(source: str | Path | bytes, puzzle: str | None = None) -> PictureBoard:
    """Reads the board that a picture shows.

    Args:
        source: the bytes of a PNG, JPEG or WebP file, its path, or ``-`` for standard input.
        puzzle: ``ball-sort`` or ``water-sort`` where it is known; else the picture tells.

    Returns:
        What was understood, which may be doubtful: see `PictureBoard.sure`.

    Raises:
        PictureError: it can't be loaded, or shows no board; says what was found.
        BoardError: the file can't be read.
        FileNotFoundError: there is no such file.
    """
    return read_loaded(load_picture(source), puzzle)


def read_loaded(loaded: Loaded, puzzle: str | None = None) -> PictureBoard:
    """As `read_picture`, of a picture that is loaded already."""
    found: list[_Found] = []
    lab = lab_of(loaded.pixels)
    regions = _regions(lab, STEPS[0])
    hypotheses = find_stacks(regions)
    slope = skew(hypotheses[0]) if hypotheses else 0.0
    if STRAIGHT < abs(slope) < CROOKED:
        loaded = loaded.turned(-atan(slope))
        lab = lab_of(loaded.pixels)
        regions = _regions(lab, STEPS[0])
    for number, step in enumerate(STEPS):
        reading = _reading(lab, loaded, _regions(lab, step) if number else regions, puzzle)
        if reading is not None:
            found.append(reading)
        if len(found) > 1 and any(each.board.sure for each in found):
            break
    if not found:
        shown = nuts_or_patterns(lab) or "nothing looks like rows of tubes with cells in them"
        raise PictureError(f"{loaded.name}: no board found: {shown}")
    likeliest = min(found, key=lambda each: _badness(each.board))
    best, readings = likeliest.board, [each.board for each in found]
    if best.sure:  # not a reason to prefer another reading, which may have overlooked more
        best = replace(best, doubts=tuple(doubts_of_edges(lab, likeliest.rows, likeliest.lattice)))
    if not best.sure:
        best = replace(best, doubts=(*best.doubts, *_else_shown(lab, best.doubts)))
    cells = sum(len(tube.cells) for tube in best.tubes)
    if len(best.doubtful) > MOST_DOUBTFUL * cells or len(best.tubes) > MOST_TUBES:
        rows = " + ".join(map(str, best.rows))
        raise PictureError(
            f"{loaded.name}: no board found: the likeliest has {rows} tubes, row by row, and {len(best.doubtful)} of "
            f"its {cells} cells are doubtful{''.join(f'; {doubt}' for doubt in best.doubts)}"
        )
    rivals = [board for board in readings if board.sure and not _same(board, best)]
    if rivals:
        return replace(best, doubts=(*best.doubts, "two ways of looking at the picture give different boards"))
    if any(_shows_more(board, best) for board in readings):
        return replace(best, doubts=(*best.doubts, "another way of looking at the picture finds more tubes"))
    return best


def _else_shown(lab: Lab, doubts: Sequence[str]) -> list[str]:
    """What a doubtful picture shows that can't be read, in words, if anything; nuts are neither balls nor layers."""
    shown = nuts_or_patterns(lab) if SHAPELESS in doubts else patterns(lab)
    return [] if shown is None else [shown]


def _regions(lab: Lab, step: float) -> list[Region]:
    return candidates(flat_regions(lab, step), lab.shape[1])


def _badness(board: PictureBoard) -> tuple[int, int, float]:
    clearest = [cell.confidence for tube in board.tubes for cell in tube.cells]
    return len(board.doubts), len(board.doubtful), -float(np.mean(clearest))


def _shows_more(board: PictureBoard, than: PictureBoard) -> bool:
    """Whether a board has the tubes of another one, and tubes besides that meet none of them: they were overlooked."""

    def meet(one: Box, other: Box) -> bool:
        return min(shared(one, other)) > 0

    def alike(one: Box, other: Box) -> bool:
        across, down = shared(one, other)
        return across > 0.5 * (one.right - one.left) and down > 0.5 * (one.bottom - one.top)

    more, fewer = [tube.box for tube in board.tubes], [tube.box for tube in than.tubes]
    return all(any(alike(box, other) for other in more) for box in fewer) and any(
        not any(meet(box, other) for other in fewer) for box in more
    )


def _same(one: PictureBoard, other: PictureBoard) -> bool:
    """Whether two boards are the same but for the names of colours."""
    return _pattern(one) == _pattern(other)


def _pattern(board: PictureBoard) -> list[list[int]]:
    numbers: dict[str | None, int] = {None: -1}
    contents = [[numbers.setdefault(cell.colour, len(numbers)) for cell in tube.cells] for tube in board.tubes]
    return [*contents, [tube.capacity for tube in board.tubes]]


class _Found(NamedTuple):
    """What one way of looking at a picture has found."""

    board: PictureBoard
    rows: Sequence[Row]
    lattice: Lattice


def _reading(lab: Lab, loaded: Loaded, regions: Sequence[Region], puzzle: str | None) -> _Found | None:
    """What one way of finding flat regions gives, None where no lattice of cells fits."""
    hypotheses = find_stacks(regions)
    if not hypotheses:
        return None
    stacks = hypotheses[0]
    rows = find_rows(lab, stacks, regions)
    lattice = find_lattice(rows, stacks.width) if rows else None
    if lattice is None:
        return None
    whole = stretched(lab, rows, lattice)
    board = _board(lab, loaded, whole, lattice, puzzle)
    return None if board is None else _Found(board, whole, lattice)


def read_rows(loaded: Loaded, rows: Sequence[RowByHand], puzzle: str | None = None) -> PictureBoard:
    """Reads a board of which a person says where its rows are, where `read_loaded` doesn't find them.

    Args:
        loaded: the picture.
        rows: from the top, in pixels of the picture as it came.
        puzzle: ``ball-sort`` or ``water-sort`` where it is known; else the picture tells.

    Raises:
        PictureError: the rows aren't in the picture, or are unlike each other, or no cells are shown in them.
    """
    lab = lab_of(loaded.pixels)
    regions = _regions(lab, STEPS[0])
    capacities = tuple(row.cells for row in rows for _ in range(row.tubes))
    board = None
    for balls in (True, False) if puzzle is None else (puzzle == "ball-sort",):
        lattice = lattice_by_hand(rows, loaded, balls)
        placed = [row_by_hand(row, loaded, lattice, regions) for row in rows]
        board = _board(lab, loaded, placed, lattice, puzzle, capacities)
        if board is not None and not any(doubt == SHAPELESS for doubt in board.doubts):
            break
    if board is None:
        raise PictureError(f"{loaded.name}: expected cells in the rows given, found none")
    return board


def _board(
    lab: Lab,
    loaded: Loaded,
    rows: Sequence[Row],
    lattice: Lattice,
    puzzle: str | None,
    given: tuple[int, ...] | None = None,
) -> PictureBoard | None:
    """The board in a lattice of cells, with all that is doubtful in it; None where fewer than two cells are shown.

    Where a person says where the rows are, ``given`` has the capacities of the tubes.
    """
    by_row = find_contents(lab, rows, lattice)
    found = [each for row in by_row for each in row]
    contents = [replace(each, boxes=(), looks=()) if each.covered else each for each in found]
    hidden = hidden_cells(contents)
    shown = [place for place in _places(contents) if place not in hidden]
    looks = [contents[tube].looks[cell] for tube, cell in shown]
    if len(looks) < 2:
        return None
    apart = distances(looks)
    spacing = _spacing(rows, lattice)
    tall = heights(lab, _open_tubes(found), lattice, spacing)
    grouping, capacities, of_colours = _coloured(found, tall, apart, len(hidden), given)
    colours = _colours(grouping, looks)
    names = names_for(colours)
    cells = dict(zip(shown, _colourings(apart, grouping, names), strict=True))
    palette = dict(zip(names, colours, strict=True))
    tubes = tuple(
        _tube(lab, loaded, lattice, each, tuple(_cells(loaded, number, each, cells)), capacity, palette)
        for number, (each, capacity) in enumerate(zip(contents, _capacities(contents, capacities), strict=True))
    )
    reading = Reading(
        lab,
        rows,
        lattice,
        contents,
        hidden,
        shown,
        grouping,
        colours,
        tubes,
        slack=round(0.2 * lattice.pitch / loaded.scale),
        few_shades=loaded.image.getcolors(FEW_SHADES) is not None,
        by_hand=given is not None,
        turn=loaded.turn,
    )
    mixed = given is None and capacities.common is None
    unclear = doubts_of_heights(lab, _open_tubes(found), lattice, spacing, tall) if mixed else []
    turned = doubts_of_ends(lab, _open_tubes(found), lattice, spacing, tall) if given is None else []
    doubts = (*capacities.doubts, *unclear, *turned, *of_colours, *doubts_of_reading(reading))
    kind = puzzle or ("ball-sort" if lattice.balls else "water-sort")
    rgb = {name: rgb_of(colour) for name, colour in palette.items()}
    return PictureBoard(kind, tubes, tuple(len(row) for row in by_row), rgb, doubts, loaded.image.size)


def _places(contents: Sequence[Contents]) -> list[tuple[int, int]]:
    """Tube and cell, both counted from 0, of all that was found."""
    return [(tube, cell) for tube, each in enumerate(contents) for cell in range(len(each.looks))]


def _spacing(rows: Sequence[Row], lattice: Lattice) -> float:
    """The least step from tube to tube, guessed where no row has two."""
    return min((row.spacing for row in rows if row.spacing is not None), default=2 * lattice.width)


def _capacities(contents: Sequence[Contents], of_open: Capacities) -> list[int]:
    """The capacity of each tube; a covered one is as large as the largest that is open."""
    largest = max(of_open.of_tubes)
    known = iter(of_open.of_tubes)
    return [largest if each.covered else next(known) for each in contents]


def _cells(loaded: Loaded, tube: int, contents: Contents, shown: Mapping[tuple[int, int], Colouring]) -> Iterator[Cell]:
    """The cells of a tube, the lowest first; those whose colour isn't shown are hidden."""
    for index, box in enumerate(contents.boxes):
        colour, sureness, alternatives = shown.get((tube, index), HIDDEN)
        if index == len(contents.boxes) - 1:
            sureness = min(sureness, 0.3 + 0.7 * contents.clearness)
        yield Cell(colour, Box(*loaded.original(*box)), sureness, alternatives)


def _tube(
    lab: Lab,
    loaded: Loaded,
    lattice: Lattice,
    contents: Contents,
    cells: tuple[Cell, ...],
    capacity: int,
    colours: Mapping[str, NDArray[np.float32]],
) -> TubeInPicture:
    """A tube with its cells; if it is covered, with the one of the board's colours that opens it."""
    left, _, right, _ = lattice.box(contents.tube, 0)
    top = lattice.box(contents.tube, capacity - 1)[1]
    box = (left, top, right, contents.tube.bottom)
    whole = Box(*loaded.original(*box))
    if not contents.covered:
        return TubeInPicture(cells, capacity, whole, contents.clearness)
    sign = sign_of(lab, box, list(colours.values()))
    return TubeInPicture(cells, capacity, whole, 1.0, True, None if sign is None else list(colours)[sign])


def _open_tubes(contents: Sequence[Contents]) -> list[Contents]:
    """The tubes that nothing covers."""
    return [each for each in contents if not each.covered]


def _coloured(
    contents: Sequence[Contents],
    tall: Sequence[float | None],
    apart: Distances,
    hidden: int,
    given: tuple[int, ...] | None,
) -> tuple[Grouping, Capacities, list[str]]:
    """Groups and capacities together: each is evidence for the other.

    Args:
        contents: of the tubes.
        tall: the heights of those that are open, in cells.
        apart: how different the shown cells look.
        hidden: how many cells are hidden.
        given: the capacities, where a person says them.
    """

    def capacities_for(counts: Sequence[int], hidden: bool) -> Capacities:
        if given is not None:
            return Capacities(given, fit=hidden or all(count in given for count in counts))
        return find_capacities(open_tubes, tall, counts, cells, hidden)

    open_tubes = _open_tubes(contents)
    covered = len(open_tubes) < len(contents)
    cells = len(apart) + hidden
    fullest = max(given) if given is not None else max(len(each.boxes) for each in open_tubes)
    doubts: list[str] = []
    steps = tree(apart)
    free = natural(steps, MOST_COLOURS)
    if hidden or covered:
        capacities = capacities_for(sizes(free.labels), True)
        if free.margin < APART or free.least < LEAST_APART_UNCOUNTED or free.widest > MOST_WITHIN_UNCOUNTED:
            doubts.append("colours: some are too near each other to tell")
        return free, capacities, doubts
    for capacity in range(fullest, 2 * fullest + 1):
        if cells % capacity or cells // capacity < 2:
            continue
        cut = grouped(steps, cells // capacity)
        if any(size != capacity for size in sizes(cut.labels)):
            continue
        if capacity > fullest and cut.margin < 0.5 * free.margin:
            continue  # no tube is full, and the cells fall into other groups by themselves
        capacities = capacities_for(sizes(cut.labels), False)
        if capacities.common != capacity:
            continue  # each of these colours would fill several tubes
        if cut.margin < APART or cut.least < LEAST_APART:
            doubts.append("colours: some are too near each other to tell")
        return cut, capacities, doubts
    capacities = capacities_for(sizes(free.labels), False)
    if capacities.fit and not capacities.doubts and max(free.labels) > 0:
        if free.margin < APART or free.least < LEAST_APART:
            doubts.append("colours: some are too near each other to tell")
        return free, capacities, doubts
    if cells % fullest == 0 and cells // fullest >= 2:
        repaired = dealt(apart, grouped(steps, cells // fullest), fullest)
        capacities = capacities_for(sizes(repaired.labels), False)
        doubts.append(OfCounts("counts: cells had to be moved to other colours to fill whole tubes"))
        return repaired, capacities, doubts
    return free, capacities, doubts


def _colourings(apart: Distances, grouping: Grouping, names: Sequence[str]) -> list[Colouring]:
    """For each shown cell: its colour, how sure that is, and which others it may have."""
    labels = np.array(grouping.labels)
    groups = int(labels.max()) + 1
    to_group = np.stack([apart[:, labels == group].mean(axis=1) for group in range(groups)], axis=1)
    result: list[Colouring] = []
    for cell, label in enumerate(labels):
        own = float(to_group[cell, label])
        others = sorted((float(to_group[cell, group]), group) for group in range(groups) if group != label)
        nearest = others[0][0] if others else 100.0
        sureness = float(np.clip(1 - own / (nearest + NOISE), 0, 1)) if cell not in grouping.moved else 0.1
        near = tuple(
            Alternative(names[group], float(np.clip((own + NOISE) / (away + NOISE), 0, 1)))
            for away, group in others[:3]
            if own + NOISE > 0.4 * away
        )
        result.append((names[label], sureness, near))
    return result


def _colours(grouping: Grouping, looks: Sequence[Look]) -> list[NDArray[np.float32]]:
    """The usual colour of each group."""
    labels = np.array(grouping.labels)
    colours = np.array([look.colour for look in looks])
    return [np.median(colours[labels == group], axis=0) for group in range(int(labels.max()) + 1)]
