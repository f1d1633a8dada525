"""Doubts: a pass for each kind of mistake that a reading may hold.

A board is sure where no pass finds anything. The passes know nothing of each other, and of how the board was found.
What stands around the tubes is asked in `bsp_sat.screenshots.surroundings`.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.board import TubeInPicture, doubts_of_counts, shared
from bsp_sat.screenshots.cells import Lattice, Look, look_at
from bsp_sat.screenshots.cielab import Lab, distance
from bsp_sat.screenshots.clusters import Grouping
from bsp_sat.screenshots.contents import AIR, GREY, LEAST_CONTRAST, PLAIN_AIR, Contents, sign_strength
from bsp_sat.screenshots.rows import LIKE, Row, Tube
from bsp_sat.screenshots.surroundings import doubts_of_surroundings, is_partly_dimmed

LIKE_AIR = 15.0  # in Lab; a colour nearer to the ground may be no colour
SHAPELESS = "balls and layers can't be told apart"
FEW_SHADES = 256  # colours of a picture; one with more hasn't been reduced to a palette
HIDDEN_ALIKE = 6.0  # in Lab; hidden cells differ by no more from one row to another
UNLIKE_AIR = 8.0  # in Lab; what differs more from the air in other tubes, and from the ground, may be a colour
LEAST_SIGN = 0.4  # of the usual strength of signs on hidden cells
MORE_DRAWN = 2.0  # times as much is drawn on cells with a sign as on other shown ones
DRAWN = 5.0  # in Lab; how much more is drawn in a tube that isn't empty than in one that is
NOTCHED = 25.0  # in Lab; corners differ by more from what stands in front of a cell
NOTCHED_BELOW = 10.0  # the same of both lower corners, beside which no surface of water is
TURNED = 0.025  # in radians; screenshots are upright, and boards that are turned further are hard to read
MOST_WITHIN = 22.0  # in Lab; cells that differ by more aren't of one colour, however far others are
UNEVEN = 0.3  # of a cell, that steps from row to row differ by
OFF_LATTICE = 0.22  # of a cell, that borders of regions are off those of cells


@dataclass(frozen=True)
class Reading:
    """What one way of looking at a picture has found.

    Attributes:
        lab: the picture.
        rows: of tubes, from the top.
        lattice: where cells are.
        contents: of the tubes, row by row.
        hidden: tube and cell, both counted from 0, of what the game covers.
        shown: the same of all other cells.
        grouping: of the shown cells.
        colours: of the groups, in Lab.
        tubes: the result.
        slack: by how many pixels of the picture as it came tubes may overlap.
        few_shades: whether the picture as it came has at most `FEW_SHADES` colours.
        by_hand: whether a person said where the rows are.
        turn: by what the picture was turned to be upright, in radians.
    """

    lab: Lab
    rows: Sequence[Row]
    lattice: Lattice
    contents: Sequence[Contents]
    hidden: frozenset[tuple[int, int]]
    shown: Sequence[tuple[int, int]]
    grouping: Grouping
    colours: Sequence[NDArray[np.float32]]
    tubes: Sequence[TubeInPicture]
    slack: int
    few_shades: bool
    by_hand: bool
    turn: float


def doubts_of_reading(reading: Reading) -> tuple[str, ...]:
    """All that is doubtful, in words."""
    contents, tubes, lattice = reading.contents, reading.tubes, reading.lattice
    looks = [contents[tube].looks[cell] for tube, cell in reading.shown]
    empty = [each for each in contents if not each.boxes and not each.covered]
    insides = [look_at(reading.lab, lattice.box(each.tube, 0)).colour for each in empty]
    found = () if reading.by_hand else _doubts_of_finding(reading)
    return (
        *found,
        *doubts_of_counts(tubes),
        *_doubts_of_roundness(lattice, looks),
        *_doubts_of_hidden(reading),
        *_doubts_of_cells(reading),
        *_doubts_of_colours(reading.colours, reading.grouping),
        *_doubts_of_ground(reading.grouping, [contents[tube].apart[cell] for tube, cell in reading.shown]),
        *_doubts_of_insides(reading.colours, insides),
        *_doubts_of_empty_tubes(empty, insides),
        *_doubts_of_air(reading),
        *_doubts_of_covers(tubes),
        *_doubts_of_tubes(tubes, contents),
        *_doubts_of_boxes(tubes, reading.slack),
    )


def _doubts_of_finding(reading: Reading) -> tuple[str, ...]:
    """What is doubtful about where tubes and cells are; not asked where a person says it."""
    return (
        *_doubts_of_rows(reading.rows),
        *_doubts_of_empty_rows(reading.rows, reading.contents),
        *doubts_of_surroundings(reading.lab, reading.rows, reading.lattice, reading.colours),
        *_doubts_of_shape(reading.lattice, reading.rows),
        *_doubts_of_last_row(reading),
        *_doubts_of_heights(reading.contents, reading.lattice),
        *_doubts_of_fillings(reading.tubes, reading.lattice),
        *_doubts_of_light(reading),
    )


def _doubts_of_light(reading: Reading) -> Iterator[str]:
    """Whether the picture isn't as a game draws it: turned, or one part of it is darker."""
    if abs(reading.turn) > TURNED:
        yield "the picture is turned"
    elif abs(_lean(reading.rows)) > TURNED:
        yield "the tubes lean: the picture may be turned"
    if reading.hidden and is_partly_dimmed(reading.lab, reading.rows, reading.lattice):
        yield "a part of the picture is darker: colours there may look like others elsewhere"


def _lean(rows: Sequence[Row]) -> float:
    """By how much the cells of a tube are further to the right the higher they are, as a rule."""
    leans = [
        (tube.regions[-1].centre - tube.regions[0].centre) / (tube.regions[0].bottom - tube.regions[-1].bottom)
        for row in rows
        for tube in row.tubes
        if len(tube.regions) > 1 and tube.regions[0].bottom > tube.regions[-1].bottom
    ]
    return float(np.median(leans)) if leans else 0.0


def _doubts_of_rows(rows: Sequence[Row]) -> list[str]:
    """Doubts that came up when the rows were found."""
    return [f"row {number}: {doubt}" for number, row in enumerate(rows, start=1) for doubt in row.doubts]


def _doubts_of_empty_rows(rows: Sequence[Row], contents: Sequence[Contents]) -> Iterator[str]:
    """Rows of nothing but empty tubes: letters and ornaments of a heading look like that too."""
    tubes = iter(contents)
    for number, row in enumerate(rows, start=1):
        if not any(each.boxes or each.covered for each in list(itertools.islice(tubes, len(row.tubes)))):
            yield f"row {number}: it holds nothing but empty tubes, which may be none"


def _doubts_of_ground(grouping: Grouping, from_air: Sequence[float]) -> Iterator[str]:
    """Whether a colour may be the ground, by how far each shown cell is from air."""
    labels, apart = np.array(grouping.labels), np.array(from_air)
    if any(float(np.median(apart[labels == group])) < LIKE_AIR for group in range(int(labels.max()) + 1)):
        yield "a colour looks much like the ground: some of its cells may be none"


def _doubts_of_insides(colours: Sequence[NDArray[np.float32]], insides: Sequence[NDArray[np.float32]]) -> Iterator[str]:
    """Whether a colour may be what the inside of an empty tube looks like."""
    if any(float(distance(inside, colour)) < LIKE_AIR for inside in insides for colour in colours):
        yield "a colour looks much like the inside of an empty tube: some of its cells may be none"


def _doubts_of_empty_tubes(empty: Sequence[Contents], insides: Sequence[NDArray[np.float32]]) -> Iterator[str]:
    """Whether tubes without cells may be covered, or no tubes."""
    if any(
        each.strange > PLAIN_AIR and float(distance(inside, other)) > PLAIN_AIR
        for each, inside in zip(empty, insides, strict=True)
        for other in insides
    ):
        yield "some empty tubes look unlike others and unlike the ground: they may be covered"
    drawn = [max((sign_strength(look) for look in each.places), default=0.0) for each in empty]
    if any(len(each.tube.regions) > 1 for each in empty) or max(drawn, default=0.0) > DRAWN + min(drawn, default=0.0):
        yield "something is in a tube that looks empty"
    strangest = max((each.strange for each in empty), default=0.0)
    if strangest > AIR and any(each.strange < _least_strange(each.tube, strangest) for each in empty):
        yield "some empty tubes look like the ground, and others don't: they may be none"


def _doubts_of_air(reading: Reading) -> Iterator[str]:
    """Whether empty tubes may be full of one colour near the ground's; no count tells, as all of it is gone.

    Air above layers may be lit otherwise than in an empty tube, so that this has to be unlike the ground too.
    """
    air = [colour for each in reading.contents if each.boxes for colour in _air_beside_cells(reading, each)]
    odd = [
        str(number)
        for number, each in enumerate(reading.contents, start=1)
        if each.places and air and (reading.lattice.balls or each.strange > UNLIKE_AIR)
        if min(float(distance(np.array(air), place.colour).min()) for place in each.places) > UNLIKE_AIR
    ]
    if odd:
        yield f"tube {', '.join(odd)} looks empty, but unlike the air in other tubes: it may be full of one colour"


def _air_beside_cells(reading: Reading, contents: Contents) -> Iterator[NDArray[np.float32]]:
    """What is in a tube right above its cells, and around them where they are balls."""
    left, top, right, _ = contents.boxes[-1]
    pitch = reading.lattice.pitch
    yield look_at(reading.lab, (left, top - 0.27 * pitch, right, top - 0.07 * pitch)).colour
    if reading.lattice.balls:
        yield from (look.corners for look in contents.looks)


def _least_strange(tube: Tube, strangest: float) -> float:
    """How far from the ground an empty tube looks at least, where others look as far from it as ``strangest``."""
    return LEAST_CONTRAST if tube.likeness >= LIKE or tube.confirmed else strangest / 3


def _doubts_of_covers(tubes: Sequence[TubeInPicture]) -> list[str]:
    """Covered tubes of which it isn't seen what opens them, and a cover by itself: it may be a message."""
    covered = sum(tube.covered for tube in tubes)
    alone = ["one tube alone is covered: something may stand in front of it"] if covered == 1 else []
    return alone + [
        f"tube {number} is covered, by what isn't clear"
        for number, tube in enumerate(tubes, start=1)
        if tube.covered and tube.until is None
    ]


def _doubts_of_fillings(tubes: Sequence[TubeInPicture], lattice: Lattice) -> Iterator[str]:
    """Whether cells may be higher than they seem, or tubes larger."""
    runs = [sum(1 for _ in run) for tube in tubes for _, run in itertools.groupby(tube.colours())]
    if not lattice.balls and gcd(*runs) > 1:
        yield f"all layers are {gcd(*runs)} cells high or a multiple of that: a cell may be higher"
    if all(len(tube.cells) == tube.capacity for tube in tubes):
        yield "no tube has room"


def _doubts_of_tubes(tubes: Sequence[TubeInPicture], contents: Sequence[Contents]) -> Iterator[str]:
    """Which tubes may be none, or hold more or fewer cells."""
    unseen = [str(number) for number, each in enumerate(contents, start=1) if not each.seen]
    if unseen:
        yield f"tube {', '.join(unseen)} is hardly seen, and may be none"
    unclear = [str(number) for number, tube in enumerate(tubes, start=1) if tube.confidence < 0.3]
    if unclear:
        yield f"how many cells are in tube {', '.join(unclear)} isn't clear"


def _doubts_of_boxes(tubes: Sequence[TubeInPicture], slack: int) -> Iterator[str]:
    """Whether tubes overlap by more than some pixels of the picture as it came."""
    if any(min(shared(one.box, other.box)) > slack for one, other in itertools.combinations(tubes, 2)):
        yield "tubes overlap"


def _doubts_of_roundness(lattice: Lattice, looks: Sequence[Look]) -> list[str]:
    """Whether cells have corners where balls haven't, or the other way round."""
    return [SHAPELESS] if _has_corners_of_air(looks) != lattice.balls else []


def _doubts_of_shape(lattice: Lattice, rows: Sequence[Row]) -> list[str]:
    """Whether cells and rows have the shape that games give them."""
    doubts = []
    if lattice.error > 0.12:
        doubts.append(f"the heights of the cells don't agree: they are off by {lattice.error:.0%} of a cell")
    if lattice.single < 3:
        doubts.append("too few single cells to tell how high one is")
    longest = max(rows, key=lambda row: len(row.tubes)).tubes
    axis = (longest[0].centre + longest[-1].centre) / 2
    for number, row in enumerate(rows[:-1], start=1):
        if abs((row.tubes[0].centre + row.tubes[-1].centre) / 2 - axis) > 0.2 * (row.spacing or lattice.width):
            doubts.append(f"row {number}: it isn't centred, and only a last row may end early")
    steps = [lower.bottom - upper.bottom for upper, lower in itertools.pairwise(rows)]
    if steps and max(steps) - min(steps) > UNEVEN * lattice.pitch:
        doubts.append("the rows aren't at even steps: some may be none")
    return doubts


def _has_corners_of_air(looks: Sequence[Look]) -> bool:
    """Whether cells are round: their corners are of one colour, whatever that of their middles is."""
    corners = np.array([look.corners for look in looks])
    middles = np.array([look.colour for look in looks])
    return float(np.abs(corners - np.median(corners, axis=0)).mean()) < 0.5 * float(
        np.abs(middles - np.median(middles, axis=0)).mean()
    )


def _doubts_of_last_row(reading: Reading) -> Iterator[str]:
    """Whether a last row of few tubes may be none, where hidden cells keep the counts from telling."""
    tubes = [len(row.tubes) for row in reading.rows]
    if reading.hidden and tubes[-1] < 0.5 * max(tubes):
        yield "the last row is much shorter than others: it may be none"


def _doubts_of_heights(contents: Sequence[Contents], lattice: Lattice) -> Iterator[str]:
    """Whether the cells of a tube aren't where those of others are: it may be lifted, or partly hidden."""
    lifted = []
    for number, each in enumerate(contents, start=1):
        if len(each.tube.regions) < 2 or not each.boxes:
            continue
        places = [lattice.box(each.tube, slot) for slot in range(len(each.boxes) + 1)]
        if lattice.balls:
            own = [(region.top + region.bottom) / 2 for region in each.tube.regions]
            expected = [(top + bottom) / 2 for _, top, _, bottom in places]
        else:
            own = [float(edge) for region in each.tube.regions for edge in (region.top, region.bottom)]
            expected = [edge for _, top, _, bottom in places for edge in (top, bottom)]
        off = [min(abs(edge - other) for other in expected) for edge in own]
        if float(np.median(off)) > OFF_LATTICE * lattice.pitch:
            lifted.append(str(number))
    if lifted:
        yield f"tube {', '.join(lifted)}: the cells aren't at the heights of those of other tubes"


def _doubts_of_hidden(reading: Reading) -> Iterator[str]:
    """Whether hidden cells may be of an ordinary colour, or something that covers the picture.

    Games uncover the top of a tube, one cell or a run of one colour, and only that colour is poured onto it.
    """
    hidden, contents = reading.hidden, reading.contents
    if not hidden:
        return
    if _are_unlike(contents, hidden):
        yield "the hidden cells don't look alike everywhere"
    signs = np.array([sign_strength(contents[tube].looks[cell]) for tube, cell in hidden])
    if signs.min() < LEAST_SIGN * np.median(signs):
        yield "some hidden cells have no sign on them"
    if _have_signs(reading, float(np.median(signs))):
        yield "cells of a colour have signs on them, as hidden ones have"
    if len(hidden) <= max(tube.capacity for tube in reading.tubes):
        yield "the hidden cells may be cells of one colour"
    yield from _doubts_of_half_hidden(reading)
    if reading.few_shades:
        yield "the picture has so few colours that some may have become the same"


def _have_signs(reading: Reading, usual: float) -> bool:
    """Whether much more is drawn on the cells of one colour than on other shown ones, as on hidden cells."""
    drawn = np.array([sign_strength(reading.contents[tube].looks[cell]) for tube, cell in reading.shown])
    labels = np.array(reading.grouping.labels)
    of_colours = np.array([np.median(drawn[labels == group]) for group in range(int(labels.max()) + 1)])
    return bool((of_colours > max(LEAST_SIGN * usual, MORE_DRAWN * float(np.median(of_colours)))).any())


def _are_unlike(contents: Sequence[Contents], hidden: frozenset[tuple[int, int]]) -> bool:
    """Whether hidden cells in one part of the picture are lighter or darker than in another."""
    places = sorted(hidden)
    colours = np.array([contents[tube].looks[cell].colour for tube, cell in places])
    across = np.array([contents[tube].tube.centre for tube, _ in places])
    down = np.array([contents[tube].tube.bottom for tube, _ in places])
    middle = np.median(across)
    pairs = [(across < middle, across > middle, 1.4 * HIDDEN_ALIKE)]
    pairs += [(down < bottom, down >= bottom, HIDDEN_ALIKE) for bottom in sorted(set(down.tolist()))[1:]]
    return any(
        float(distance(np.median(colours[one], axis=0), np.median(colours[other], axis=0))) > most
        for one, other, most in pairs
        if one.any() and other.any()
    )


def _doubts_of_half_hidden(reading: Reading) -> Iterator[str]:
    """Whether shown cells on a board with hidden ones may be something that stands in front of the tubes."""
    mixed, full, notched = [], [], []
    for number, (tube, each) in enumerate(zip(reading.tubes, reading.contents, strict=True), start=1):
        colours = list(tube.colours())
        shown = list(itertools.dropwhile(lambda colour: colour is None, colours))
        if len(shown) < len(colours) and len(set(shown)) > 1:
            mixed.append(str(number))
        if len(shown) == tube.capacity and len(set(shown)) == 1:
            full.append(str(number))
        if (
            _is_in_front_of_ball(reading, each)
            if reading.lattice.balls
            else any(_is_notched(look) for look in each.looks[1:])
        ):
            notched.append(str(number))
    if mixed:
        yield f"tube {', '.join(mixed)}: above hidden cells more than one colour is shown"
    if full:
        yield f"tube {', '.join(full)}: full of one colour, or something stands in front of it"
    if notched:
        yield f"tube {', '.join(notched)}: something may stand in front of it"


def _is_notched(look: Look) -> bool:
    """Whether a layer's corners, or both of its lower ones, are of another colour than the rest of it."""
    apart = distance(look.each_corner, look.colour)
    return float(np.median(apart)) > NOTCHED or float(apart[2:].min()) > NOTCHED_BELOW


def _doubts_of_colours(colours: Sequence[NDArray[np.float32]], grouping: Grouping) -> Iterator[str]:
    """Whether the picture has no colours, or cells of one colour differ as those of two do."""
    if grouping.widest > MOST_WITHIN:
        yield "colours: cells that were taken for one colour differ much"
    if float(np.hypot(*np.array(colours)[:, 1:].T).max()) < GREY:
        yield "the picture is grey: different colours may look the same"


def _doubts_of_cells(reading: Reading) -> Iterator[str]:
    """Whether something else than cells fills tubes: what no region was found for, or what isn't round among balls."""
    pairs = list(enumerate(zip(reading.contents, reading.tubes, strict=True), start=1))
    strange = [
        str(number)
        for number, (each, tube) in pairs
        if not each.covered and (_is_front(each, tube) or _has_corners(reading, each))
    ]
    if strange:
        yield f"tube {', '.join(strange)}: what is in it doesn't look like the cells of other tubes"


def _is_front(contents: Contents, tube: TubeInPicture) -> bool:
    """Whether most of a full tube has one colour, but no region in it is as wide as a cell: something is before it."""
    ((_, most),) = Counter(tube.colours()).most_common(1) or [(None, 0)]
    return len(tube.cells) == tube.capacity and 2 * most > tube.capacity and not contents.tube.regions


def _has_corners(reading: Reading, contents: Contents) -> bool:
    """Whether some of a tube's places, where all others hold balls, aren't round."""
    if not reading.lattice.balls:
        return False
    usual = np.median([reading.contents[tube].looks[cell].corners for tube, cell in reading.shown], axis=0)
    return any(
        float(distance(look.corners, look.colour)) < AIR and float(distance(look.corners, usual)) > 2 * AIR
        for look in contents.looks
    )


def _is_in_front_of_ball(reading: Reading, contents: Contents) -> bool:
    """Whether some corner beside a ball, which it can't reach, is unlike the corners beside other balls."""
    usual = np.median([reading.contents[tube].looks[cell].corners for tube, cell in reading.shown], axis=0)
    return any(float(distance(look.each_corner, usual).max()) > 2 * AIR for look in contents.looks)
