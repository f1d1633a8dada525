"""Positions from which every board can be solved, whatever lies below the borders; see `bsp_sat.census.cases`.

A search of a game: one player says which border goes, the other which run is found below it. It goes depth first, one
level for each run, and keeps what it has decided in a table.
"""

import numpy as np

from bsp_sat.backends.kernel.census.arrays import CASE_EMPTIES, CASE_FULL, Cases, Distinction, Positions
from bsp_sat.backends.kernel.census.compiled.border_tables import border_may_go
from bsp_sat.backends.kernel.contents.compiled.packing import hashed
from bsp_sat.backends.kernel.native.compiling import compiled

UNDECIDED, LOST, WON = 0, -1, 1
PROBES = 8
DIGIT = np.uint64(5)  # bits of a number up to 31


@compiled
def first_border(distinction: Distinction, budget: int) -> int:
    """The tube of the first border of the won position at level 0 after which every position is won.

    The budget isn't used. Returns -1 if there is no such border: the position isn't won, or has at most k borders.
    """
    cases, positions = distinction
    if settle(cases, positions, 0) == LOST or positions.tubes[0] <= cases.figures[CASE_EMPTIES]:
        return -1
    positions.tube[0] = -1
    while take_border(positions, 0):
        won = True
        while won and take_run(cases, positions, 0):
            uncover(cases, positions, 0)
            won = is_won(cases, positions, 1)
        if won:
            return int(positions.tube[0])
    return -1


@compiled
def is_won(cases: Cases, positions: Positions, first: int) -> bool:
    """Whether every board with the position at the level ``first`` can be solved."""
    level = first
    fresh = True
    value = UNDECIDED
    while level >= first:
        # At each level: as long as the run below a border is won, the next run; if it is lost, the next border.
        if fresh:
            fresh = False
            value = settle(cases, positions, level)
            if value != UNDECIDED:
                level -= 1
                continue
        ended = UNDECIDED
        if value != WON and not take_border(positions, level):
            ended = LOST
        elif not take_run(cases, positions, level):
            ended = WON
        if ended == UNDECIDED:
            uncover(cases, positions, level)
            level += 1
            fresh = True
        else:
            remember(positions, level, ended)
            value = ended
            level -= 1
    return value == WON


@compiled
def settle(cases: Cases, positions: Positions, level: int) -> int:
    """Decides the position at a level if that is known or plain; else prepares its search, `UNDECIDED`."""
    colours = len(cases.rest)
    tubes = positions.tubes[level]
    free = int(cases.figures[CASE_EMPTIES]) + colours - tubes
    if free >= colours:
        return WON
    left = positions.left[level]
    for colour in range(colours):
        left[colour] = positions.exposed[level, colour]
    for tube in range(tubes):
        left[positions.colours[level, tube]] -= positions.sizes[level, tube]
    for colour in range(colours):
        if left[colour] > 0:
            free -= 1
    if free < 0:
        return LOST
    positions.free[level] = free
    positions.tube[level] = -1
    write_key(cases, positions, level)
    place = place_of(positions, level)
    return int(positions.values[place]) if is_at(positions, level, place) else UNDECIDED


@compiled
def write_key(cases: Cases, positions: Positions, level: int) -> None:
    """The position at a level as a number for each colour, sorted: its exposed balls, and the sizes of its tubes.

    So positions that differ by names of colours and the order of tubes have one key, and others never.
    """
    colours = len(cases.rest)
    key = positions.keys[level]
    for colour in range(colours):
        number = np.uint64(positions.exposed[level, colour])
        for tube in range(positions.tubes[level]):
            if positions.colours[level, tube] == colour:
                number = (number << DIGIT) | np.uint64(positions.sizes[level, tube])
        place = colour
        while place > 0 and key[place - 1] < number:
            key[place] = key[place - 1]
            place -= 1
        key[place] = number


@compiled
def is_at(positions: Positions, level: int, place: int) -> bool:
    """Whether a level's key is at a place of the table."""
    key = positions.keys[level]
    same = bool(positions.values[place] != UNDECIDED)
    for word in range(len(key)):
        same &= bool(positions.known[place, word] == key[word])
    return same


@compiled
def place_of(positions: Positions, level: int) -> int:
    """The place of a level's key in the table, or where it belongs: a free place, or one that it takes from another."""
    mask = np.uint64(len(positions.values) - 1)
    first = hashed(positions.keys[level], mask)
    for step in range(PROBES):
        place = int((first + np.uint64(step)) & mask)
        if positions.values[place] == UNDECIDED or is_at(positions, level, place):
            return place
    return int(first)


@compiled
def remember(positions: Positions, level: int, value: int) -> None:
    """Keeps what a level's position is."""
    place = place_of(positions, level)
    key = positions.keys[level]
    for word in range(len(key)):
        positions.known[place, word] = key[word]
    positions.values[place] = value


@compiled
def take_border(positions: Positions, level: int) -> bool:
    """The next border that may go; False after the last."""
    free = positions.free[level]
    tube = positions.tube[level] + 1
    while tube < positions.tubes[level]:
        colour = positions.colours[level, tube]
        if border_may_go(free, positions.left[level, colour], positions.sizes[level, tube]):
            positions.tube[level] = tube
            positions.colour[level] = 0
            positions.length[level] = 0
            return True
        tube += 1
    return False


@compiled
def take_run(cases: Cases, positions: Positions, level: int) -> bool:
    """The next run that there may be below the border that goes; False after the last."""
    capacity = int(cases.figures[CASE_FULL])
    tube = positions.tube[level]
    room = capacity - positions.sizes[level, tube]
    positions.length[level] += 1
    while positions.colour[level] < len(cases.rest):
        colour = positions.colour[level]
        most = min(room, capacity - positions.exposed[level, colour])
        if colour != positions.colours[level, tube] and positions.length[level] <= most:
            return True
        positions.colour[level] += 1
        positions.length[level] = 1
    return False


@compiled
def uncover(cases: Cases, positions: Positions, level: int) -> None:
    """Writes the position after a level's border and run to the next level."""
    following = level + 1
    gone, colour, length = positions.tube[level], positions.colour[level], positions.length[level]
    size = positions.sizes[level, gone] + length
    for other in range(len(cases.rest)):
        positions.exposed[following, other] = positions.exposed[level, other]
    positions.exposed[following, colour] += length
    tubes = 0
    open_now = size == cases.figures[CASE_FULL]
    for tube in range(positions.tubes[level]):
        if tube == gone:
            continue
        add_tube(positions, following, tubes, positions.sizes[level, tube], positions.colours[level, tube])
        tubes += 1
    if not open_now:
        add_tube(positions, following, tubes, size, colour)
        tubes += 1
    positions.tubes[following] = tubes


@compiled
def add_tube(positions: Positions, level: int, tubes: int, size: int, colour: int) -> None:
    """Puts a tube among the first ``tubes`` ones of a level, which are sorted by size."""
    place = tubes
    while place > 0 and positions.sizes[level, place - 1] < size:
        positions.sizes[level, place] = positions.sizes[level, place - 1]
        positions.colours[level, place] = positions.colours[level, place - 1]
        place -= 1
    positions.sizes[level, place] = size
    positions.colours[level, place] = colour
