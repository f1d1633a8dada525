"""From a picture to a board; README.md has the method as a whole."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import atan
from pathlib import Path
from statistics import fmean

from bsp_sat.apps.pictures import loading
from bsp_sat.apps.pictures.board import (
    Alternative,
    Box,
    Doubt,
    DoubtKind,
    PictureBoard,
    ReadCell,
    TubeInPicture,
    doubts_of_counts,
)
from bsp_sat.apps.pictures.by_hand import rows_by_hand
from bsp_sat.apps.pictures.capacity import Capacities, Heights, find_capacities, is_upside_down
from bsp_sat.apps.pictures.cells import Lattice, find_lattice
from bsp_sat.apps.pictures.clusters import NOISE, Distances, Grouping, dealt, grouped, natural, tree
from bsp_sat.apps.pictures.contents import Contents, find_contents, hidden_cells, median_of, sign_of, without_holes
from bsp_sat.apps.pictures.corrections import MOST_TUBES, RowByHand
from bsp_sat.apps.pictures.doubts import SHAPELESS, doubts_of_reading
from bsp_sat.apps.pictures.explained import PictureReading, unexplained
from bsp_sat.apps.pictures.loaded import Loaded
from bsp_sat.apps.pictures.locked import without_locked
from bsp_sat.apps.pictures.names import names_for, rgb_of
from bsp_sat.apps.pictures.picture import PixelPicture, Place, Region
from bsp_sat.apps.pictures.rows import Row, Tube, Walls, find_rows
from bsp_sat.apps.pictures.shafts import find_shafts
from bsp_sat.apps.pictures.stacks import find_stacks, skew, tilt
from bsp_sat.instances.errors import PictureError

STEPS = 8, 14, 4, 22  # in Lab, how slowly colours change in a flat region; the later ones where the first fail
LOOKS = 3  # at a picture, until it is straight
STRAIGHT = 0.004  # slope of a row that needs no turning
CROOKED = 0.1  # slope beyond which it is no row
LEAST_APART_UNCOUNTED = 12.0  # in Lab; how much colours differ at least where hidden cells keep counts from telling
MOST_WITHIN_UNCOUNTED = 8.0  # in Lab; there, cells that differ by more may be of two colours; wrong ones: 10.6 and more
MOST_COLOURS = 40
MOST_DOUBTFUL = 0.4  # share of the cells; beyond, it is no reading
FEW_SHADES = 256  # colours of a picture; one with more hasn't been reduced to a palette
UNREAD = "--row of `bsp-sat read` says where tubes are; birds and other shaded pieces aren't read"
MOVED = 0.1  # how sure a cell's colour is that the counts alone demand
MOST_MOVED = 4  # cells that are taken for misread ones; each takes time in proportion to the square of all cells
NEAR = 0.4  # how near the distance to a cell's own colour comes to that of another that it may have

Colouring = tuple[str | None, float, tuple[Alternative, ...]]
"""A cell's colour, how sure it is from 0 to 1, and others that it may have."""

Upright = tuple[Loaded, PixelPicture, list[Region]]
"""A picture with level rows, the same at working size, and its flat regions."""

TOO_NEAR = Doubt("colours: some are too near each other to tell")
POSTS = Doubt(
    "posts: a picture doesn't tell whether one cell moves at a time (ball-sort) or all of one colour (water-sort)",
    DoubtKind.RULES,
)
SHAFTS = Doubt("shafts: how many nuts are on each is measured, and not seen", DoubtKind.MEASURED)
UPSIDE_DOWN = Doubt(
    "the tubes go on further below the cells than above: the picture may be upside down", DoubtKind.TURNED
)
HIDDEN: Colouring = (None, 0.9, ())


def read_picture(source: str | Path | bytes, puzzle: str | None = None) -> PictureBoard:
    """Reads the board of a picture: the bytes of a PNG, JPEG or WebP file, its path, or ``-`` for standard input.

    The picture tells whether it is ``ball-sort`` or ``water-sort`` unless that is given. What was understood may be
    doubtful: see `PictureBoard.sure`.

    PictureError if it can't be loaded, or shows no board; BoardError if the file can't be read; Unsupported without
    compiled code.
    """
    return read_loaded(loading.load_picture(source), puzzle)


def read_loaded(loaded: Loaded, puzzle: str | None = None) -> PictureBoard:
    """As `read_picture`, of a picture that is loaded already."""
    board, _ = _read_straight(loaded, puzzle)
    if isinstance(board, PictureError):
        raise board
    return board


def _read_straight(loaded: Loaded, puzzle: str | None) -> tuple[PictureBoard | PictureError, Upright]:
    """The board, or why there is none, and how the picture was looked at."""
    boards: list[tuple[PictureBoard, Upright]] = []
    refusal = None
    for aslant in (False, True):
        upright = _upright(loaded, aslant)
        if aslant and upright[0].away == (0.0, 0.0):
            break  # looked at already
        try:
            board = _read_upright(*upright, puzzle)
        except PictureError as error:
            if not boards:  # what is no board from the front may be none at all
                refusal = refusal or (error, upright)
            continue
        if board.sure:
            return board, upright
        boards.append((board, upright))
    return refusal or min(boards, key=lambda each: _badness(each[0]))


def _read_upright(loaded: Loaded, picture: PixelPicture, regions: list[Region], puzzle: str | None) -> PictureBoard:
    """The board that the likeliest of several ways to look at a picture finds."""
    found: list[PictureBoard] = []
    for number, step in enumerate(STEPS):
        if number:
            regions = picture.regions(step)
        width, stacks = find_stacks(regions)
        rows = find_rows(picture, width, stacks, regions)
        lattice = find_lattice(rows)
        if lattice is not None and 1 < sum(len(row.tubes) for row in rows) <= MOST_TUBES:
            walls = Walls(picture, rows, lattice.width - 2)
            board = _board(walls, loaded, rows, lattice, puzzle, regions)
            if board is not None:
                found.append(board)
                if board.sure:
                    break
    if not (found and found[-1].sure):
        found += itertools.islice(_on_shafts(loaded, picture, puzzle), 1)
    if not found:
        raise PictureError(
            f"{loaded.name}: no board found: nothing looks like rows of tubes with cells in them; {UNREAD}"
        )
    best = min(found, key=_badness)
    cells = sum(len(tube.cells) for tube in best.tubes)
    doubtful, kinds = max(len(best.doubtful), _miscounted(best)), best.doubt_kinds
    is_none = DoubtKind.COUNTS in kinds and kinds & {DoubtKind.UNLIKELY, DoubtKind.NO_ROOM}
    if is_none or doubtful > MOST_DOUBTFUL * cells:
        shape = " + ".join(map(str, best.rows))
        raise PictureError(
            f"{loaded.name}: no board found: the likeliest has {shape} tubes, row by row, and {doubtful} of "
            f"its {cells} cells are doubtful{''.join(f'; {doubt.says}' for doubt in best.doubts)}; {UNREAD}"
        )
    doubts = list(best.doubts)
    if best.sure:
        like = [board for board in found if board.rows == best.rows]
        left = [doubt for board in like for doubt in board.doubts]
        left = [doubt for doubt in left if doubt.kind is DoubtKind.UNEXPLAINED or doubt == TOO_NEAR]
        # What two can't explain or tell apart stays so, whichever is chosen.
        ways = Counter(doubt.says for doubt in left)
        doubts += {doubt.says: doubt for doubt in left if ways[doubt.says] > 1}.values()
        counted = [board for board in found if DoubtKind.COUNTS not in board.doubt_kinds]
        doubts += [doubt for board in counted for doubt in _overlooked(best, board)][:1]
    return replace(best, doubts=tuple(doubts))


def _on_shafts(loaded: Loaded, picture: PixelPicture, puzzle: str | None) -> Iterator[PictureBoard]:
    """Boards of nuts on shafts in which all is clear but how many there are."""
    for rows, lattice, contents, capacities in find_shafts(picture):
        board = _board(Walls(picture, rows, lattice.width), loaded, rows, lattice, puzzle, (), capacities, contents)
        if board is not None and not board.doubtful and board.doubt_kinds <= {DoubtKind.RULES}:
            yield replace(board, doubts=(*board.doubts, SHAFTS))


def stages(loaded: Loaded, puzzle: str | None = None) -> dict[str, list[Box]]:
    """What the first steps of `read_loaded` find, whether or not it is a board: flat regions, stacks, and tubes."""
    _, (loaded, picture, regions) = _read_straight(loaded, puzzle)
    width, stacks = find_stacks(regions)
    rows, half = find_rows(picture, width, stacks, regions), width / 2
    found: dict[str, list[Place]] = {
        "regions": [region[:4] for region in regions],
        "stacks": [region[:4] for stack in stacks for region in stack],
        "tubes": [(tube.centre - half, row.top, tube.centre + half, tube.bottom) for row in rows for tube in row.tubes],
    }
    return {name: list(map(loaded.original, places)) for name, places in found.items()}


def _upright(loaded: Loaded, aslant: bool) -> Upright:
    """The picture with level rows, also at working size, and its flat regions; of one ``aslant`` as from the front."""
    for left in reversed(range(LOOKS)):
        picture = loaded.at_working_size()
        regions = picture.regions(STEPS[0])
        width, stacks = find_stacks(regions)
        slope = skew(width, stacks)
        away = tilt(width, stacks, (picture.width, picture.height)) if aslant else (0.0, 0.0)
        straight = loaded.straightened(-atan(slope) if STRAIGHT < abs(slope) < CROOKED else 0.0, away)
        if not left or straight == loaded:
            break
        loaded = straight
    return loaded, picture, regions


def _miscounted(board: PictureBoard) -> int:
    """How many cells have a colour that they can't have, if the counts are wrong: each colour fills a tube or has none.

    Beside hidden cells there are no more colours than full tubes; of tubes that hold unlike numbers none is counted.
    """
    counts = Counter(colour for tube in board.tubes for colour in tube.colours())
    if DoubtKind.COUNTS not in board.doubt_kinds or len({tube.capacity for tube in board.tubes}) > 1:
        return 0
    if hidden := counts.pop(None, 0):
        covered = sum(tube.capacity for tube in board.tubes if tube.covered)
        return max(0, len(counts) - (counts.total() + hidden + covered) // board.capacity)
    return sum(min(count, abs(count - board.capacity)) for count in counts.values())


def _overlooked(board: PictureBoard, other: PictureBoard) -> Iterator[Doubt]:
    """Tubes of another board where a board has none, or fewer cells in them."""
    for tube in other.tubes:
        left, top, right, bottom = tube.box
        middle, every = (left + right) / 2, (*board.tubes, *board.left_out)
        near = [each for each in every if each.box.left <= middle < each.box.right]
        own = [len(each.cells) for each in near if each.box.top < bottom and top < each.box.bottom]
        if not own or len(tube.cells) > max(own):
            says = "another way of looking at the picture finds a tube, or cells, more"
            yield Doubt(says, DoubtKind.UNEXPLAINED, tube.box)


def _badness(board: PictureBoard) -> tuple[bool, int, int, float]:
    """Counts that no level has, and what is left over, tell that a board is wrong; other doubts, that it may be."""
    sureness = fmean(cell.confidence for tube in board.tubes for cell in tube.cells)
    is_wrong = not board.doubt_kinds.isdisjoint({DoubtKind.COUNTS, DoubtKind.UNEXPLAINED})
    return is_wrong, len(board.doubts), len(board.doubtful), -sureness


def read_rows(loaded: Loaded, rows: Sequence[RowByHand], puzzle: str | None = None) -> PictureBoard:
    """As `read_loaded`, of a board of which a person says where its rows are, from the top.

    PictureError if they aren't in the picture, or are unlike each other, or no cells are shown in them.
    """
    picture = loaded.at_working_size()
    capacities = tuple(row.cells for row in rows for _ in range(row.tubes))
    board = None
    for balls in (True, False) if puzzle is None else (puzzle == "ball-sort",):
        placed, lattice = rows_by_hand(rows, loaded, balls)
        board = _board(Walls(picture, placed, lattice.width), loaded, placed, lattice, puzzle, (), capacities)
        if board is not None and SHAPELESS not in board.doubts:
            break
    if board is None:
        raise PictureError(f"{loaded.name}: expected cells in the rows given, found none")
    return board


def _board(
    walls: Walls,
    loaded: Loaded,
    rows: Sequence[Row],
    lattice: Lattice,
    puzzle: str | None,
    regions: Sequence[Region],
    given: tuple[int, ...] = (),
    on_shafts: list[Contents] | None = None,
) -> PictureBoard | None:
    """The board in a lattice of cells, with all that is doubtful in it; None where fewer than two cells are shown.

    Where a person says where the rows are, ``given`` has the capacities of the tubes; of shafts it is known what is on
    them.
    """
    picture, seen, locked, faint = walls.picture, rows, list[Tube](), list[Doubt]()
    seeming = on_shafts or find_contents(picture, rows, lattice)
    contents = without_holes(seeming)
    holes = contents is not seeming
    if not given:
        rows, contents, locked, faint = without_locked(walls, rows, lattice, contents)
    hidden = frozenset() if on_shafts else hidden_cells(contents)  # feet look like hidden ones
    places = [(tube, cell) for tube, each in enumerate(contents) for cell in range(len(each.cells()))]
    shown = [place for place in places if place not in hidden]
    if len(shown) < 2:
        return None
    slots = [contents[tube].slots[cell] for tube, cell in shown]
    apart = picture.distances([slot.box for slot in slots])
    opened = [each for each in contents if not each.covered]
    tall = Heights(walls, rows, lattice)
    found = [float(len(each.slots)) for each in opened] if holes else tall.of(opened)
    grouping, (capacities, doubts), of_colours = _coloured(contents, found, apart, len(hidden), given)
    colours = [
        median_of([slot.look.colour for slot, label in zip(slots, grouping.labels, strict=True) if label == group])
        for group in range(len(grouping.sizes()))
    ]
    names = names_for(colours)
    coloured = dict(zip(shown, _colourings(apart, grouping, names), strict=True))
    palette = dict(zip(names, colours, strict=True))
    if max(capacities) < 2:
        return None
    sizes = iter(capacities)
    tubes = []
    for number, each in enumerate(contents):
        size = max(capacities) if each.covered else next(sizes)  # a covered tube is as large as the largest open one
        place, cells = lattice.inside(each.tube, size), []
        for level, slot in enumerate(each.cells(), start=1):
            colour, sureness, others = coloured.get((number, level - 1), HIDDEN)
            sureness = min(sureness, 0.3 + 0.7 * each.clearness) if level == each.filled else sureness
            cells.append(ReadCell(colour, loaded.original(slot.box), sureness, others))
        until = sign_of(picture, place, palette) if each.covered else None
        tubes.append(TubeInPicture(tuple(cells), size, loaded.original(place), each.clearness, each.covered, until))
    doubts = [*doubts, *of_colours, *faint]
    if not given and not holes and is_upside_down(tall, opened, lattice, found):
        doubts.append(UPSIDE_DOWN)
    if on_shafts:
        doubts += doubts_of_counts(tubes)  # others ask for what glass looks like
    else:
        reading = PictureReading(walls, regions, seen, rows, lattice, contents, hidden, shown, tubes, bool(given))
        doubts += doubts_of_reading(reading)
        doubts += [
            Doubt(says, DoubtKind.UNEXPLAINED, loaded.original(at), about) for says, at, about in unexplained(reading)
        ]
    if (walls.posts or on_shafts) and puzzle is None:
        doubts.append(POSTS)
    if hidden and loaded.has_few_shades(FEW_SHADES):  # where no count tells
        doubts.append(Doubt("the picture has so few colours that some may have become the same"))
    most = max(capacities)
    left_out = [TubeInPicture((), most, loaded.original(lattice.inside(tube, most)), 1.0) for tube in locked]
    kind = puzzle or ("ball-sort" if lattice.balls else "water-sort")
    rgb = {name: rgb_of(colour) for name, colour in palette.items()}
    lengths = tuple(len(row.tubes) for row in rows)
    return PictureBoard(kind, tuple(tubes), lengths, rgb, tuple(doubts), loaded.size, tuple(left_out))


def _coloured(
    contents: Sequence[Contents], tall: Sequence[float | None], apart: Distances, hidden: int, given: tuple[int, ...]
) -> tuple[Grouping, Capacities, list[Doubt]]:
    """Groups and capacities together, with doubts: each is evidence for the other.

    ``tall`` has the heights of open tubes in cells, ``given`` the capacities where a person says them.
    """
    opened = [each for each in contents if not each.covered]
    cells = len(apart) + hidden

    def capacities_for(cut: Grouping, hidden: bool = False) -> Capacities:
        if given:
            return given, []
        return find_capacities(opened, tall, cut.sizes(), cells, hidden)

    fullest = max(given) if given else max(each.filled for each in opened)
    steps = tree(apart)
    free = natural(steps, MOST_COLOURS)
    if hidden or len(opened) < len(contents):
        capacities = capacities_for(free, True)
        # Where as many colours are seen as fill the tubes with all cells, none of them can be two.
        are_all = len(opened) == len(contents) and len(free.sizes()) * max(capacities[0]) == cells
        unclear = free.is_unclear(LEAST_APART_UNCOUNTED) or (free.widest > MOST_WITHIN_UNCOUNTED and not are_all)
        return free, capacities, [TOO_NEAR] * unclear
    for capacity in range(fullest, 2 * fullest + 1):
        if cells % capacity or cells // capacity < 2:
            continue
        cut = grouped(steps, cells // capacity)
        if set(cut.sizes()) != {capacity}:
            continue
        if capacity > fullest and cut.margin < 0.5 * free.margin:
            continue  # no tube is full, and the cells fall into other groups by themselves
        capacities = capacities_for(cut)
        if Counter(cut.sizes()) <= Counter(capacities[0]):  # else each of these colours would fill several tubes
            return cut, capacities, [TOO_NEAR] * cut.is_unclear()
    capacities = capacities_for(free)
    fit = not capacities[1] and Counter(free.sizes()) <= Counter(capacities[0])
    if not fit and cells % fullest == 0 and cells // fullest >= 2:
        near = grouped(steps, cells // fullest)
        too_many = sum(max(0, size - fullest) for size in near.sizes())
        repaired = dealt(apart, near, fullest) if too_many <= MOST_MOVED else near
        if {*repaired.sizes()} == {fullest}:
            moved = Doubt("counts: cells had to be moved to other colours to fill whole tubes", DoubtKind.COUNTS)
            return repaired, capacities_for(repaired), [moved]
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
        near = tuple((names[group], min(1.0, own / far)) for far, group in others[:3] if own > NEAR * far)
        yield names[label], sureness, near
