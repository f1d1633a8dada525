"""Steps in the space of homes: docs/search.md has the six claims they rest on."""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import TEMPORARY, UNIFORM, Contents
from bsp_sat.backends.kernel.contents.compiled.packing import ONE, clear_all, copy, is_in, size
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Ints
from bsp_sat.backends.kernel.search.arrays import CUT, Search
from bsp_sat.backends.kernel.search.compiled.bounds import balls_of_homes
from bsp_sat.backends.kernel.search.compiled.states import emit


@compiled
def close(contents: Contents, child: Ints, homes: np.uint64) -> int:
    """Moves all balls home that can go there, and returns their number."""
    moved = 0
    for place in range(len(child)):
        number = child[place]
        while number and is_in(contents.top[number], homes):
            moved += contents.run[number]
            number = contents.less[number]
        child[place] = number
    return moved


@compiled
def emit_decided(search: Search, homes: np.uint64, cost: int, parent: int, limit: int) -> bool:
    """Enters the state in ``scratch.child`` for each decision on its tubes with one colour; False where full.

    Such a tube becomes its colour's home, unless a temporary of the colour has as many balls; then what is left is to
    be decided when that state is expanded. Or it becomes a temporary, and the next one is decided.
    """
    contents, _, scratch, _ = search
    child, kept = scratch.child, scratch.kept
    while True:
        pending = -1
        for place in range(len(child)):
            if contents.kind[child[place]] == UNIFORM:
                pending = place
        opened = homes
        total = cost
        number = child[max(0, pending)]
        colour, run = contents.top[number], contents.run[number]
        if pending >= 0:
            longest = True
            for other in child:
                if contents.kind[other] == TEMPORARY and contents.top[other] == colour and contents.run[other] >= run:
                    longest = False
            if not longest:
                child[pending] = contents.founded[colour, run]
                continue
            copy(child, kept)
            child[pending] = 0
            opened |= ONE << np.uint64(colour)
            total += close(contents, child, opened)
        if not emit(search, opened, total, parent, limit):
            return False
        if pending < 0:
            return True
        copy(kept, child)
        child[pending] = contents.founded[colour, run]


@compiled
def expand_homes(search: Search, homes: np.uint64, state: int, limit: int) -> bool:
    """Enters all states that a step in the space of homes leads to; False where an array is full."""
    contents, shape, scratch, store = search
    numbers, child = scratch.state, scratch.child
    cost = store.cost[state]
    free = shape.tubes - size(homes)
    pending = False
    loads = scratch.loads  # by colour, the most balls in a temporary
    most = 0  # balls in a top run
    clear_all(loads)
    for number in numbers:
        if number == 0:
            break
        free -= 1
        colour = contents.top[number]
        most = max(most, contents.run[number])
        if contents.kind[number] == UNIFORM:
            pending = True
        elif contents.kind[number] == TEMPORARY:
            loads[colour] = max(loads[colour], contents.run[number])

    if pending:
        copy(numbers, child)
        return emit_decided(search, homes, cost, state, limit)

    # A plan through here has at least `least` moves, and more by what its next step adds: see docs/search.md. This is
    # found out where the limit may keep out some child, and has kept out a state: that makes a difference in the end.
    savings = scratch.savings
    least = cost
    skips = shape.pruned and store.counters[CUT] != 0
    skips = skips and cost + max(store.bound[state], -1 - store.bound[state]) + most > limit
    if skips:
        least += balls_of_homes(contents, numbers, homes, savings, scratch.longest)
    if free:
        seen = homes
        for place in range(shape.tubes):
            colour = contents.top[numbers[place]]
            if numbers[place] and not is_in(colour, seen):
                seen |= ONE << np.uint64(colour)
                if loads[colour] == 0 and not (skips and least + savings[colour] > limit):
                    copy(numbers, child)
                    opened = homes | ONE << np.uint64(colour)
                    moved = close(contents, child, opened)
                    if not emit_decided(search, opened, cost + moved, state, limit):
                        return False
    last = -1
    for source in range(shape.tubes):
        number = numbers[source]
        if number == 0:
            break
        mixed = contents.top[number] != contents.bottom[number]
        skipped = number == last or (skips and mixed and least + contents.run[number] > limit)
        if not skipped and not clear(search, homes, state, source, free, limit):
            return False
        last = number
    return True


@compiled
def clear(search: Search, homes: np.uint64, state: int, source: int, free: int, limit: int) -> bool:
    """Enters all states after the top run of the tube at ``source`` has gone elsewhere but home; False where full."""
    contents, shape, scratch, store = search
    numbers, child, targets, amounts = scratch.state, scratch.child, scratch.targets, scratch.amounts
    number = numbers[source]
    colour, run = contents.top[number], contents.run[number]
    # What finds no room on tubes of its colour goes to the fullest temporary, or to a new one.
    sink = -1
    room = 0
    places = 0
    for place in range(shape.tubes):
        other = numbers[place]
        if other == 0:
            break
        if place == source or contents.top[other] != colour:
            continue
        if contents.kind[other] == TEMPORARY:
            if contents.kind[number] == TEMPORARY and contents.run[other] < run:
                return True  # of two temporaries of a colour the one with less is cleared
            if sink < 0 or contents.run[other] > contents.run[numbers[sink]]:
                sink = place
        elif contents.room[other]:
            targets[places] = place
            room += contents.room[other]
            places += 1
    if sink < 0 and free and contents.kind[number] != TEMPORARY:
        sink = shape.tubes - 1  # free: the list ends with empty tubes
    if sink < 0 and room < run:
        return True
    for place in range(places):
        amounts[place] = 0
    left = run
    while True:
        if left == 0 or sink >= 0:
            copy(numbers, child)
            for place in range(places):
                for _ in range(amounts[place]):
                    child[targets[place]] = contents.more[child[targets[place]]]
            if left:
                load = contents.run[numbers[sink]] if numbers[sink] else 0
                child[sink] = contents.founded[colour, load + left]
            child[source] = contents.less[number]
            moved = run + close(contents, child, homes)
            if not emit_decided(search, homes, store.cost[state] + moved, state, limit):
                return False
        place = 0  # the next way to share the balls out, as an odometer counts
        while place < places and (left == 0 or amounts[place] == contents.room[numbers[targets[place]]]):
            left += amounts[place]
            amounts[place] = 0
            place += 1
        if place == places:
            return True
        amounts[place] += 1
        left -= 1
