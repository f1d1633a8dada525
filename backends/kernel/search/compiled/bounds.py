"""Lower bounds on the moves still to be made, see docs/search.md."""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import MIXED, TEMPORARY, Contents, Shape
from bsp_sat.backends.kernel.contents.compiled.packing import clear_all, is_in, size
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.search.arrays import UNREACHABLE, Scratch


@compiled
def bound_in_moves(contents: Contents, shape: Shape, scratch: Scratch) -> int:
    """A lower bound on the moves from ``scratch.child`` to a goal, in the space of moves."""
    if shape.rank_keeps and not shape.one_ball and not shape.ruled:
        return bound_by_fills(contents, scratch)
    return bound_of_moves(contents, shape, scratch)


@compiled
def bound_of_moves(contents: Contents, shape: Shape, scratch: Scratch) -> int:
    """The lower bound of `SortPuzzle.lower_bound` for ``scratch.child``, but for what `bound_by_fills` is for."""
    work = 0
    best, ranks = scratch.best, scratch.ranks
    clear_all(best)
    if shape.rank_keeps:
        for colour in range(len(ranks)):
            clear_all(ranks[colour])
    for number in scratch.child:
        if number == 0:
            break
        work += contents.work[number]
        colour, keep = contents.bottom[number], contents.keep[number]
        if shape.rank_keeps:
            ranks[colour, keep] += 1
        elif keep > best[colour]:
            best[colour] = keep
    if shape.rank_keeps:
        for colour in range(len(best)):
            places = contents.homes[colour] or shape.tubes
            for keep in range(len(ranks[colour]) - 1, 0, -1):
                stay = min(places, ranks[colour, keep])
                work -= stay * keep
                places -= stay
    else:
        for colour in range(len(best)):
            work -= best[colour]
    return work


@compiled
def bound_by_fills(contents: Contents, scratch: Scratch) -> int:
    """The lower bound of `WaterSort.lower_bound` for ``scratch.child`` where colours don't fill one tube each."""
    pours = 0
    for colour in range(len(contents.homes)):
        homes = contents.homes[colour]
        blocks = bottoms = full = 0
        for number in scratch.child:
            if number == 0:
                break
            blocks += contents.blocks[number, colour]
            if contents.bottom[number] == colour:
                bottoms += 1
                full += contents.done[number]
        stay = min(homes, bottoms) if homes else bottoms
        pours += max(blocks - stay, homes - full)
    return pours


@compiled
def bound_of_homes(contents: Contents, shape: Shape, scratch: Scratch, homes: np.uint64) -> int:
    """A lower bound on the balls still to be moved for ``scratch.child``; `UNREACHABLE` where there is no way.

    Each ball in it has to move, but the bottom run of one tube for each colour whose home isn't open. A ball in a
    temporary moves twice, unless its colour has a longer bottom run that may become its home. And where no tube is
    free, no home opens before one tube is cleared down to one colour: what lies above, but for balls whose home is
    open, goes somewhere else first.
    """
    child = scratch.child
    best, longest = scratch.best, scratch.longest
    clear_all(best)
    clear_all(longest)
    work = 0
    colours = np.uint64(0)
    temporaries = False
    free = shape.tubes - size(homes)
    for number in child:
        if number == 0:
            break
        free -= 1
        work += contents.work[number]
        if contents.kind[number] == TEMPORARY:
            temporaries = True
            continue
        colours |= contents.colours[number]
        colour = contents.bottom[number]
        if not is_in(colour, homes):
            keep = contents.keep[number]
            if keep > best[colour]:
                best[colour] = keep
            longest[colour] = max(longest[colour], contents.stays[number])
    # Balls that move twice for the first tube cleared, and aren't counted otherwise.
    first = UNREACHABLE if free == 0 and child[0] else 0
    if temporaries:
        for number in child:
            if number and contents.kind[number] == TEMPORARY:
                colour = contents.top[number]
                if not is_in(colour, colours):
                    return UNREACHABLE
                once = min(contents.run[number], max(0, longest[colour] - 1))
                work += contents.run[number] - once
                first = min(first, once)
    for colour in range(len(best)):
        work -= best[colour]
    if first:
        for number in child:
            if number == 0:
                break
            twice = 0
            left = number
            while contents.kind[left] == MIXED:
                if contents.top[left] != contents.bottom[left] and not is_in(contents.top[left], homes):
                    twice += contents.run[left]
                left = contents.less[left]
            if contents.kind[number] != TEMPORARY:
                first = min(first, twice)
    return work + first
