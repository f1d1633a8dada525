"""Lower bounds on the moves still to be made, see docs/search.md."""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import MIXED, TEMPORARY, Contents, Shape
from bsp_sat.backends.kernel.contents.compiled.packing import clear_all, is_in, size
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Ints, Numbers
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
def balls_of_homes(contents: Contents, numbers: Numbers, homes: np.uint64, savings: Ints, longest: Ints) -> int:
    """The part of `bound_of_homes` that each step changes by a known amount.

    Each ball in it has to move, but the bottom run of one tube for each colour whose home isn't open. A ball in a
    temporary moves twice, unless its colour has a longer bottom run that may become its home.

    Args:
        contents: of the board's tubes.
        numbers: the state.
        homes: those that are open.
        savings: gets, by colour, the moves saved by that bottom run.
        longest: gets, by colour, the balls of the longest bottom run.
    """
    clear_all(savings)
    clear_all(longest)
    work = 0
    colours = np.uint64(0)
    temporaries = False
    for number in numbers:
        if number == 0:
            break
        work += contents.work[number]
        if contents.kind[number] == TEMPORARY:
            temporaries = True
            continue
        colours |= contents.colours[number]
        colour = contents.bottom[number]
        if not is_in(colour, homes):
            keep = contents.keep[number]
            if keep > savings[colour]:
                savings[colour] = keep
            longest[colour] = max(longest[colour], contents.stays[number])
    if temporaries:
        for number in numbers:
            if number and contents.kind[number] == TEMPORARY:
                colour = contents.top[number]
                if not is_in(colour, colours):
                    return UNREACHABLE
                work += contents.run[number] - min(contents.run[number], max(0, longest[colour] - 1))
    for colour in range(len(savings)):
        work -= savings[colour]
    return work


@compiled
def bound_of_homes(contents: Contents, shape: Shape, scratch: Scratch, homes: np.uint64) -> int:
    """A lower bound on the balls still to be moved for ``scratch.child``; `UNREACHABLE` where there is no way.

    To `balls_of_homes` comes that, where no tube is free, no home opens before one tube is cleared down to one colour:
    what lies above, but for balls whose home is open, goes somewhere else first.
    """
    child, longest = scratch.child, scratch.longest
    work = balls_of_homes(contents, child, homes, scratch.best, longest)
    tubes = shape.tubes - size(homes)
    if work == UNREACHABLE or tubes == 0 or child[tubes - 1] == 0:
        return work
    first = UNREACHABLE  # balls that move twice for the first tube cleared, and aren't counted above
    for place in range(tubes - 1, -1, -1):  # temporaries come last, and are the cheapest
        left = child[place]
        twice = 0
        if contents.kind[left] == TEMPORARY:
            twice = min(contents.run[left], max(0, longest[contents.top[left]] - 1))
        while contents.kind[left] == MIXED:
            if contents.top[left] != contents.bottom[left] and not is_in(contents.top[left], homes):
                twice += contents.run[left]
            left = contents.less[left]
        first = min(first, twice)
        if first == 0:
            break
    return work + first
