"""From a picture to a board; docs/pictures.md has the method as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import atan
from pathlib import Path
from statistics import fmean

from bsp_sat.backends.kernel import Colour, Picture, Place, Region
from bsp_sat.instances.errors import PictureError
from bsp_sat.screenshots import loading
from bsp_sat.screenshots.board import Alternative, Box, Cell, OfCounts, PictureBoard, TubeInPicture
from bsp_sat.screenshots.by_hand import lattice_by_hand, row_by_hand
from bsp_sat.screenshots.capacity import (
    Capacities,
    Heights,
    find_capacities,
    heights,
    is_upside_down,
)
from bsp_sat.screenshots.cells import Lattice, find_lattice
from bsp_sat.screenshots.clusters import NOISE, Distances, Grouping, dealt, grouped, natural, tree
from bsp_sat.screenshots.contents import Contents, find_contents, hidden_cells, median_of, sign_of
from bsp_sat.screenshots.corrections import MOST_TUBES, RowByHand
from bsp_sat.screenshots.doubts import SHAPELESS, OfPlaces, Reading, doubts_of_reading
from bsp_sat.screenshots.loaded import Loaded
from bsp_sat.screenshots.names import names_for, rgb_of
from bsp_sat.screenshots.rows import Row, find_rows
from bsp_sat.screenshots.stacks import find_stacks, skew

STEPS = 8, 14, 4, 22  # in Lab, how slowly colours change in a flat region; the later ones where the first fail
STRAIGHT = 0.004  # slope of a row that needs no turning
CROOKED = 0.1  # slope beyond which it is no row
LEAST_APART_UNCOUNTED = 12.0  # in Lab; how much colours differ at least where hidden cells keep counts from telling
MOST_WITHIN_UNCOUNTED = 8.0  # in Lab; there, cells that differ by more may be of two colours; wrong ones: 10.6 and more
MOST_COLOURS = 40
MOST_DOUBTFUL = 0.4  # share of the cells; beyond, it is no reading
MOVED = 0.1  # how sure a cell's colour is that the counts alone demand
MOST_MOVED = 4  # cells that are taken for misread ones; each takes time in proportion to the square of all cells
NEAR = 0.4  # how near the distance to a cell's own colour comes to that of another that it may have

Colouring = tuple[str | None, float, tuple[Alternative, ...]]
"""A cell's colour, how sure it is from 0 to 1, and others that it may have."""

TOO_NEAR = "colours: some are too near each other to tell"
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
        Unsupported: there is no compiled code.
    """
    return read_loaded(loading.load_picture(source), puzzle)


def read_loaded(loaded: Loaded, puzzle: str | None = None) -> PictureBoard:
    """As `read_picture`, of a picture that is loaded already."""
    picture, turn, regions = _upright(loaded)
    found: list[PictureBoard] = []
    for number, step in enumerate(STEPS):
        board = _reading(picture, loaded, turn, picture.regions(step) if number else regions, puzzle)
        if board is not None:
            found.append(board)
            if board.sure:
                break
    if not found:
        raise PictureError(f"{loaded.name}: no board found: nothing looks like rows of tubes with cells in them")
    best = min(found, key=_badness)
    cells = sum(len(tube.cells) for tube in best.tubes)
    if len(best.doubtful) > MOST_DOUBTFUL * cells:
        rows = " + ".join(map(str, best.rows))
        raise PictureError(
            f"{loaded.name}: no board found: the likeliest has {rows} tubes, row by row, and {len(best.doubtful)} of "
            f"its {cells} cells are doubtful{''.join(f'; {doubt}' for doubt in best.doubts)}"
        )
    if max(map(_covered, found)) > _covered(best):  # of open tubes that were overlooked the counts would tell
        return replace(best, doubts=(*best.doubts, "another way of looking at the picture finds covered tubes"))
    others = [other for other in found if other.rows == best.rows and _may_miss_tubes(other)]
    if number == len(STEPS) - 1 and len(others) > 1 and best.sure:
        return replace(best, doubts=("other ways of looking at the picture find the same and doubt that it is all",))
    return best


def stages(loaded: Loaded) -> dict[str, list[Box]]:
    """What the first steps find, whether or not it is a board: flat regions, stacks of cells, and tubes."""
    picture, turn, regions = _upright(loaded)
    stacks = find_stacks(regions)
    rows = [] if stacks is None else find_rows(picture, stacks, regions)
    found: dict[str, list[Place]] = {
        "regions": [region.place for region in regions],
        "stacks": [region.place for stack in (stacks.stacks if stacks else ()) for region in stack.regions],
        "tubes": [
            (tube.centre - half, row.top, tube.centre + half, tube.bottom)
            for half in [stacks.width / 2 if stacks else 0.0]
            for row in rows
            for tube in row.tubes
        ],
    }
    return {name: [loaded.original(place, turn) for place in places] for name, places in found.items()}


def _upright(loaded: Loaded) -> tuple[Picture, float, list[Region]]:
    """The picture, turned so that its rows are level; by what angle in radians; and its flat regions."""
    picture = loaded.at_working_size()
    regions = picture.regions(STEPS[0])
    stacks = find_stacks(regions)
    slope = skew(stacks) if stacks is not None else 0.0
    if not STRAIGHT < abs(slope) < CROOKED:
        return picture, 0.0, regions
    turned = loaded.at_working_size(-atan(slope))
    return turned, -atan(slope), turned.regions(STEPS[0])


def _badness(board: PictureBoard) -> tuple[bool, int, int, float]:
    """Counts that can't be those of a level tell that a board is wrong; other doubts, that it may be."""
    is_wrong = any(isinstance(doubt, OfCounts) for doubt in board.doubts)
    sureness = fmean(cell.confidence for tube in board.tubes for cell in tube.cells)
    return is_wrong, len(board.doubts), len(board.doubtful), -sureness


def _may_miss_tubes(board: PictureBoard) -> bool:
    """Whether it is doubtful that all tubes are found."""
    return any(isinstance(doubt, OfPlaces) for doubt in board.doubts)


def _covered(board: PictureBoard) -> int:
    """How many tubes are covered."""
    return sum(tube.covered for tube in board.tubes)


def _reading(
    picture: Picture, loaded: Loaded, turn: float, regions: Sequence[Region], puzzle: str | None
) -> PictureBoard | None:
    """What one way of finding flat regions gives, None where no lattice of cells fits, or too many tubes."""
    stacks = find_stacks(regions)
    if stacks is None:
        return None
    rows = find_rows(picture, stacks, regions)
    lattice = find_lattice(rows)
    if lattice is None or sum(len(row.tubes) for row in rows) > MOST_TUBES:
        return None
    return _board(picture, loaded, turn, rows, lattice, puzzle)


def read_rows(loaded: Loaded, rows: Sequence[RowByHand], puzzle: str | None = None) -> PictureBoard:
    """Reads a board of which a person says where its rows are, where `read_loaded` doesn't find them.

    Args:
        loaded: the picture.
        rows: from the top, in pixels of the picture as it came.
        puzzle: ``ball-sort`` or ``water-sort`` where it is known; else the picture tells.

    Raises:
        PictureError: the rows aren't in the picture, or are unlike each other, or no cells are shown in them.
    """
    picture = loaded.at_working_size()
    capacities = tuple(row.cells for row in rows for _ in range(row.tubes))
    board = None
    for balls in (True, False) if puzzle is None else (puzzle == "ball-sort",):
        lattice = lattice_by_hand(rows, loaded, balls)
        placed = [row_by_hand(row, loaded, lattice) for row in rows]
        board = _board(picture, loaded, 0.0, placed, lattice, puzzle, capacities)
        if board is not None and SHAPELESS not in board.doubts:
            break
    if board is None:
        raise PictureError(f"{loaded.name}: expected cells in the rows given, found none")
    return board


def _board(
    picture: Picture,
    loaded: Loaded,
    turn: float,
    rows: Sequence[Row],
    lattice: Lattice,
    puzzle: str | None,
    given: tuple[int, ...] | None = None,
) -> PictureBoard | None:
    """The board in a lattice of cells, with all that is doubtful in it; None where fewer than two cells are shown.

    Where a person says where the rows are, ``given`` has the capacities of the tubes.
    """
    contents = find_contents(picture, rows, lattice)
    hidden = hidden_cells(contents)
    places = [(tube, cell) for tube, each in enumerate(contents) for cell in range(len(each.cells()))]
    shown = [place for place in places if place not in hidden]
    if len(shown) < 2:
        return None
    slots = [contents[tube].slots[cell] for tube, cell in shown]
    apart = picture.distances([slot.box for slot in slots])
    opened = [each for each in contents if not each.covered]
    tall = Heights(picture, lattice, min((row.spacing for row in rows if row.spacing), default=2 * lattice.width))
    found = heights(tall, opened)
    grouping, capacities, of_colours = _coloured(contents, found, apart, len(hidden), given)
    colours = [
        median_of([slot.look.colour for slot, label in zip(slots, grouping.labels, strict=True) if label == group])
        for group in range(len(grouping.sizes()))
    ]
    names = names_for(colours)
    coloured = dict(zip(shown, _colourings(apart, grouping, names), strict=True))
    palette = dict(zip(names, colours, strict=True))
    sizes = iter(capacities.of_tubes)
    largest = max(capacities.of_tubes)  # a covered tube is as large as the largest that is open
    tubes = tuple(
        _tube(picture, loaded, turn, lattice, each, tuple(_cells(loaded, turn, number, each, coloured)), size, palette)
        for number, each in enumerate(contents)
        for size in [largest if each.covered else next(sizes)]
    )
    doubts = [*capacities.doubts, *of_colours]
    if given is None and is_upside_down(tall, opened, lattice, found):
        doubts.append("the tubes go on further below the cells than above: the picture may be upside down")
    reading = Reading(picture, loaded, rows, lattice, contents, hidden, shown, grouping, tubes, given is not None)
    doubts += doubts_of_reading(reading)
    kind = puzzle or ("ball-sort" if lattice.balls else "water-sort")
    rgb = {name: rgb_of(colour) for name, colour in palette.items()}
    return PictureBoard(kind, tubes, tuple(len(row.tubes) for row in rows), rgb, tuple(doubts), loaded.size)


def _cells(
    loaded: Loaded, turn: float, tube: int, contents: Contents, shown: Mapping[tuple[int, int], Colouring]
) -> Iterator[Cell]:
    """The cells of a tube, the lowest first; those whose colour isn't shown are hidden."""
    cells = contents.cells()
    for index, slot in enumerate(cells):
        colour, sureness, alternatives = shown.get((tube, index), HIDDEN)
        if index == len(cells) - 1:
            sureness = min(sureness, 0.3 + 0.7 * contents.clearness)
        yield Cell(colour, loaded.original(slot.box, turn), sureness, alternatives)


def _tube(
    picture: Picture,
    loaded: Loaded,
    turn: float,
    lattice: Lattice,
    contents: Contents,
    cells: tuple[Cell, ...],
    capacity: int,
    colours: Mapping[str, Colour],
) -> TubeInPicture:
    """A tube with its cells; if it is covered, with the one of the board's colours that opens it."""
    left, _, right, _ = lattice.box(contents.tube, 0)
    top = lattice.box(contents.tube, capacity - 1)[1]
    box = (left, top, right, contents.tube.bottom)
    whole = loaded.original(box, turn)
    if not contents.covered:
        return TubeInPicture(cells, capacity, whole, contents.clearness)
    return TubeInPicture(cells, capacity, whole, 1.0, True, sign_of(picture, box, colours))


def _coloured(
    contents: Sequence[Contents],
    tall: Sequence[float | None],
    apart: Distances,
    hidden: int,
    given: tuple[int, ...] | None,
) -> tuple[Grouping, Capacities, list[str]]:
    """Groups and capacities together, with doubts: each is evidence for the other.

    Args:
        contents: of the tubes.
        tall: the heights of those that are open, in cells.
        apart: how different the shown cells look.
        hidden: how many cells are hidden.
        given: the capacities, where a person says them.
    """
    opened = [each for each in contents if not each.covered]
    cells = len(apart) + hidden

    def capacities_for(cut: Grouping, hidden: bool) -> Capacities:
        if given is not None:
            return Capacities(given, fit=hidden or all(count in given for count in cut.sizes()))
        return find_capacities(opened, tall, cut.sizes(), cells, hidden)

    fullest = max(given) if given is not None else max(each.filled for each in opened)
    steps = tree(apart)
    free = natural(steps, MOST_COLOURS)
    if hidden or len(opened) < len(contents):
        unclear = free.is_unclear(LEAST_APART_UNCOUNTED) or free.widest > MOST_WITHIN_UNCOUNTED
        return free, capacities_for(free, True), [TOO_NEAR] * unclear
    for capacity in range(fullest, 2 * fullest + 1):
        if cells % capacity or cells // capacity < 2:
            continue
        cut = grouped(steps, cells // capacity)
        if set(cut.sizes()) != {capacity}:
            continue
        if capacity > fullest and cut.margin < 0.5 * free.margin:
            continue  # no tube is full, and the cells fall into other groups by themselves
        capacities = capacities_for(cut, False)
        if capacities.common == capacity:  # else each of these colours would fill several tubes
            return cut, capacities, [TOO_NEAR] * cut.is_unclear()
    capacities = capacities_for(free, False)
    if (not capacities.fit or capacities.doubts) and cells % fullest == 0 and cells // fullest >= 2:
        near = grouped(steps, cells // fullest)
        too_many = sum(max(0, size - fullest) for size in near.sizes())
        repaired = dealt(apart, near, fullest) if too_many <= MOST_MOVED else near
        if repaired.sizes() == [fullest] * (cells // fullest):
            moved = OfCounts("counts: cells had to be moved to other colours to fill whole tubes")
            return repaired, capacities_for(repaired, False), [moved]
    return free, capacities, [TOO_NEAR] * free.is_unclear()


def _colourings(apart: Distances, grouping: Grouping, names: Sequence[str]) -> Iterator[Colouring]:
    """For each shown cell: its colour, how sure that is, and which others it may have."""
    members = [[cell for cell, label in enumerate(grouping.labels) if label == group] for group in range(len(names))]
    for cell, label in enumerate(grouping.labels):
        away = [fmean(apart[cell][other] for other in group) for group in members]
        own = away[label] + NOISE
        others = sorted((away[group] + NOISE, group) for group in range(len(names)) if group != label)
        sureness = max(0.0, 1 - (own - NOISE) / (others[0][0] if others else 100.0))
        sureness = MOVED if cell in grouping.moved else sureness
        near = tuple(Alternative(names[group], min(1.0, own / far)) for far, group in others[:3] if own > NEAR * far)
        yield names[label], sureness, near
