"""The compiled search: A* over packed states, in the subset of Python that numba compiles.

Nothing is allocated in here: where an array is full the search returns, `bsp_sat.backends.kernel.search` makes the
array longer and calls again. `bsp_sat.backends.kernel.entry` is called from outside, `code` keeps the machine code.

A **state** is the list of its tubes' contents as numbers (`bsp_sat.backends.kernel.contents`), sorted from high to low,
so that tubes that swap places give one state. It is packed into 64-bit words, as many whole numbers a word as fit.
States are found again through a table of open addressing with linear probing, which compares whole states.

There are two **spaces**, with the arguments in docs/kernel.md:

* *moves*: one move a step, under either rule and goal. What is left out is dominated, and nothing is if asked for.
* *homes*: for ball sort where each colour fills one tube. A step opens a colour's home, which takes in every ball of
  the colour that can be reached, then and later; or it clears a tube's whole top run; or it decides whether a tube in
  which one colour is left is that colour's home. What is in the homes follows from the rest, a word tells which
  are open.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from bsp_sat.backends.kernel.arrays import (
    BUCKET,
    CUT,
    ENTRIES,
    EXHAUSTED,
    EXPANSIONS,
    FOUND,
    FRONTIER,
    GOAL,
    GROW,
    NEVER,
    PAUSED,
    RECYCLED,
    STACK,
    STACKED,
    STATES,
    TIES,
    Scratch,
    Shape,
    Store,
    Words,
)
from bsp_sat.backends.kernel.contents import MIXED, TEMPORARY, UNIFORM, Contents, Ints

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
ONE = np.uint64(1)


F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Has numba compile a function, in a way that takes an eighth of the time (docs/kernel.md).

    As a part of its callers, or each call would pass dozens of arrays by value. And without numba's reference counts,
    which are for arrays that compiled code makes: the arrays here all belong to the caller.
    """
    options: dict[str, Any] = {"error_model": "numpy", "forceinline": True, "_nrt": False}
    return cast(F, njit(**options)(function))


@compiled
def copy(source: Ints, target: Ints) -> None:
    """Copies a list; a slice would look for overlaps first."""
    for place in range(len(source)):
        target[place] = source[place]


@compiled
def clear_all(numbers: Ints) -> None:
    """Sets a list to zeros."""
    for place in range(len(numbers)):
        numbers[place] = 0


@compiled
def hashed(key: Words, mask: np.uint64) -> np.uint64:
    """A place in a table of ``mask`` + 1 places."""
    mixed = np.uint64(0)
    for word in key:
        mixed = (mixed ^ word) * MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    return mixed & mask


@compiled
def pack(shape: Shape, numbers: Ints, homes: np.uint64, key: Words) -> None:
    """Writes a state, sorted, and its open homes into ``key``."""
    place = 0
    for word in range(len(key)):
        packed = np.uint64(0)
        shift = np.uint64(0)
        for _ in range(shape.per_word):
            if place == len(numbers):
                break
            packed |= np.uint64(numbers[place]) << shift
            shift += np.uint64(shape.bits)
            place += 1
        key[word] = packed
    if shape.by_homes:
        key[shape.words - 1] = homes


@compiled
def unpack(shape: Shape, key: Words, numbers: Ints) -> np.uint64:
    """Reads a state from ``key`` and returns its open homes."""
    ones = (ONE << np.uint64(shape.bits)) - ONE
    place = 0
    for word in key:
        for _ in range(shape.per_word):
            if place == len(numbers):
                break
            numbers[place] = np.int32(word & ones)
            word >>= np.uint64(shape.bits)
            place += 1
    return key[shape.words - 1] if shape.by_homes else np.uint64(0)


@compiled
def sort(numbers: Ints) -> None:
    """Sorts from high to low, in place; the lists are short and nearly sorted."""
    for place in range(1, len(numbers)):
        number = numbers[place]
        before = place - 1
        while before >= 0 and numbers[before] < number:
            numbers[before + 1] = numbers[before]
            before -= 1
        numbers[before + 1] = number


@compiled
def is_in(colour: int, colours: np.uint64) -> bool:
    """Whether a set of colours has ``colour``."""
    return bool((colours >> np.uint64(colour)) & ONE)


@compiled
def size(colours: np.uint64) -> int:
    """The number of colours in a set."""
    number = 0
    while colours:
        colours &= colours - ONE
        number += 1
    return number


# -- lower bounds ----------------------------------------------------------------------------------------


@compiled
def bound_of_moves(contents: Contents, shape: Shape, scratch: Scratch) -> int:
    """The lower bound of `SortPuzzle.lower_bound` for ``scratch.child``, but for what `bound_by_fills` is for."""
    work = 0
    best, ranks = scratch.best, scratch.ranks
    clear_all(best)
    if shape.rank_keeps:
        ranks[:] = 0
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
            for keep in range(ranks.shape[1] - 1, 0, -1):
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
    """A lower bound on the balls still to be moved for ``scratch.child``; `NEVER` where there is no way.

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
    first = NEVER if free == 0 and child[0] else 0
    if temporaries:
        for number in child:
            if number and contents.kind[number] == TEMPORARY:
                colour = contents.top[number]
                if not is_in(colour, colours):
                    return NEVER
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


# -- states found ----------------------------------------------------------------------------------------


@compiled
def found(store: Store, key: Words) -> np.int64:
    """The place in the table of ``key``'s state, or the free place where it belongs."""
    mask = np.uint64(len(store.table) - 1)
    place = hashed(key, mask)
    while True:
        state = store.table[place]
        if state < 0:
            return np.int64(place)
        same = True
        for word in range(len(key)):
            if store.keys[state, word] != key[word]:
                same = False
                break
        if same:
            return np.int64(place)
        place = (place + ONE) & mask


@compiled
def refill(store: Store) -> None:
    """Puts all states into an empty table."""
    for state in range(store.counters[STATES]):
        store.table[found(store, store.keys[state])] = state


@compiled
def put(store: Store, state: int, bucket: int) -> None:
    """Puts ``state`` on top of a bucket."""
    counters = store.counters
    place = counters[RECYCLED]
    if place >= 0:
        counters[RECYCLED] = store.entry[place, 2]
    else:
        place = counters[ENTRIES]
        counters[ENTRIES] += 1
    store.entry[place, 0] = state
    store.entry[place, 1] = store.cost[state]
    store.entry[place, 2] = store.heads[bucket]
    store.heads[bucket] = place


@compiled
def enter(store: Store, key: Words, state: int, cost: int, bound: int, parent: int) -> None:
    """Writes a state down."""
    for word in range(len(key)):
        store.keys[state, word] = key[word]
    store.cost[state] = cost
    store.bound[state] = bound
    store.parent[state] = parent


@compiled
def emit(
    contents: Contents,
    shape: Shape,
    store: Store,
    scratch: Scratch,
    homes: np.uint64,
    cost: int,
    parent: int,
    limit: int,
) -> bool:
    """Enters the state in ``scratch.child``, reached with ``cost`` moves; False where an array is full.

    A state on no plan of at most ``limit`` moves is left out.
    """
    counters = store.counters
    states = counters[STATES]
    deepening = counters[STACKED] >= 0
    if deepening:
        full = states + counters[STACKED] == len(store.keys)
    else:
        full = states == len(store.keys) - STACK
        # One entry is spared for `search`, which puts back the state that it couldn't finish.
        full |= counters[RECYCLED] < 0 and counters[ENTRIES] >= len(store.entry) - 1
    if full:
        return False
    sort(scratch.child)
    pack(shape, scratch.child, homes, scratch.key)
    place = found(store, scratch.key)
    state = store.table[place]
    if state >= 0:
        if store.cost[state] <= cost:
            return True
        bound = store.bound[state]
    elif shape.by_homes:
        bound = bound_of_homes(contents, shape, scratch, homes)
    elif shape.rank_keeps and not shape.one_ball:
        bound = bound_by_fills(contents, scratch)
    else:
        bound = bound_of_moves(contents, shape, scratch)
    if cost + bound > limit:
        if bound < NEVER:
            counters[CUT] = 1
        return True
    if deepening:
        state = states + counters[STACKED]
        counters[STACKED] += 1
        enter(store, scratch.key, state, cost, bound, parent)
        return True
    rank = shape.cost_weight * cost + shape.bound_weight * bound
    if shape.cost_weight == shape.bound_weight:
        rank = max(rank, counters[BUCKET] // TIES)  # what holds for the way so far holds for all of it
    bucket = rank * TIES + min(bound, TIES - 1)
    if bucket >= len(store.heads):
        return False
    if state < 0:
        state = states
        counters[STATES] += 1
        store.table[place] = state
    enter(store, scratch.key, state, cost, bound, parent)
    put(store, state, bucket)
    counters[BUCKET] = min(bucket, counters[BUCKET])
    return True


# -- steps -----------------------------------------------------------------------------------------------


@compiled
def expand_moves(contents: Contents, shape: Shape, store: Store, scratch: Scratch, state: int, limit: int) -> bool:
    """Enters all states that one move leads to, but dominated ones if they are pruned; False where an array is full."""
    numbers, child = scratch.state, scratch.child
    cost = store.cost[state] + 1
    tubes = shape.tubes
    # Of the tubes with nothing but one colour, balls leave the one with the least and go to the one with most.
    fullest, most_room = scratch.fullest, scratch.most_room
    for colour in range(len(fullest)):
        fullest[colour] = -1
    clear_all(most_room)
    for number in numbers:
        if contents.kind[number] == UNIFORM and contents.room[number]:
            colour = contents.top[number]
            if fullest[colour] < 0 or contents.room[number] < contents.room[fullest[colour]]:
                fullest[colour] = number
            most_room[colour] = max(most_room[colour], contents.room[number])
    last = -1
    for source in range(tubes):
        number = numbers[source]
        if number == 0:
            break
        if number == last or (shape.pruned and contents.alone[number]):
            continue
        last = number
        colour = contents.top[number]
        uniform = shape.pruned and contents.kind[number] == UNIFORM
        if shape.one_ball and uniform and contents.room[number] < most_room[colour]:
            continue
        sink = fullest[colour]
        before = -1
        for target in range(tubes):
            other = numbers[target]
            if target == source or other == before:
                continue
            before = other
            if other == 0:
                if uniform or (shape.pruned and shape.one_ball and sink >= 0):
                    continue
                amount = 1 if shape.one_ball else contents.run[number]
            else:
                if contents.top[other] != colour or contents.room[other] == 0:
                    continue
                if shape.pruned and shape.one_ball and contents.kind[other] == UNIFORM and other != sink:
                    continue
                amount = 1 if shape.one_ball else min(contents.run[number], contents.room[other])
            copy(numbers, child)
            for _ in range(amount):
                child[source] = contents.less[child[source]]
            if other == 0:
                child[target] = contents.founded[colour, amount]
            else:
                for _ in range(amount):
                    child[target] = contents.more[child[target]]
            if not emit(contents, shape, store, scratch, np.uint64(0), cost, state, limit):
                return False
    return True


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
def emit_decided(
    contents: Contents,
    shape: Shape,
    store: Store,
    scratch: Scratch,
    homes: np.uint64,
    cost: int,
    parent: int,
    limit: int,
) -> bool:
    """Enters the state in ``scratch.child`` for each decision on its tubes with one colour; False where full.

    Such a tube becomes its colour's home, unless a temporary of the colour has as many balls; then what is left is to
    be decided when that state is expanded. Or it becomes a temporary, and the next one is decided.
    """
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
        if not emit(contents, shape, store, scratch, opened, total, parent, limit):
            return False
        if pending < 0:
            return True
        copy(kept, child)
        child[pending] = contents.founded[colour, run]


@compiled
def expand_homes(
    contents: Contents, shape: Shape, store: Store, scratch: Scratch, homes: np.uint64, state: int, limit: int
) -> bool:
    """Enters all states that a step in the space of homes leads to; False where an array is full."""
    numbers, child = scratch.state, scratch.child
    cost = store.cost[state]
    free = shape.tubes - size(homes)
    pending = False
    loads = scratch.loads  # by colour, the most balls in a temporary
    clear_all(loads)
    for number in numbers:
        if number == 0:
            break
        free -= 1
        colour = contents.top[number]
        if contents.kind[number] == UNIFORM:
            pending = True
        elif contents.kind[number] == TEMPORARY:
            loads[colour] = max(loads[colour], contents.run[number])

    if pending:
        copy(numbers, child)
        return emit_decided(contents, shape, store, scratch, homes, cost, state, limit)

    if free:
        seen = homes
        for place in range(shape.tubes):
            colour = contents.top[numbers[place]]
            if numbers[place] and not is_in(colour, seen):
                seen |= ONE << np.uint64(colour)
                if loads[colour] == 0:
                    copy(numbers, child)
                    opened = homes | ONE << np.uint64(colour)
                    moved = close(contents, child, opened)
                    if not emit_decided(contents, shape, store, scratch, opened, cost + moved, state, limit):
                        return False
    last = -1
    for source in range(shape.tubes):
        number = numbers[source]
        if number == 0:
            break
        if number != last and not clear(contents, shape, store, scratch, homes, state, source, free, limit):
            return False
        last = number
    return True


@compiled
def clear(
    contents: Contents,
    shape: Shape,
    store: Store,
    scratch: Scratch,
    homes: np.uint64,
    state: int,
    source: int,
    free: int,
    limit: int,
) -> bool:
    """Enters all states after the top run of the tube at ``source`` has gone elsewhere but home; False where full."""
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
            if not emit_decided(contents, shape, store, scratch, homes, store.cost[state] + moved, state, limit):
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


# -- the search ------------------------------------------------------------------------------------------


@compiled
def is_goal(contents: Contents, shape: Shape, numbers: Ints) -> bool:
    """Whether the goal accepts a state; in the space of homes, whether all balls are home."""
    if shape.by_homes:
        return bool(numbers[0] == 0)
    for number in numbers:  # noqa: SIM110 - numba compiles no generators
        if not contents.done[number]:
            return False
    return True


@compiled
def expand(
    contents: Contents, shape: Shape, store: Store, scratch: Scratch, homes: np.uint64, state: int, limit: int
) -> bool:
    """Enters all states a step after the one in ``scratch.state``; False where an array is full."""
    store.counters[EXPANSIONS] += 1
    if shape.by_homes:
        return expand_homes(contents, shape, store, scratch, homes, state, limit)
    return expand_moves(contents, shape, store, scratch, state, limit)


@compiled
def search(contents: Contents, shape: Shape, store: Store, scratch: Scratch, limit: int, budget: int) -> int:
    """Expands up to ``budget`` states in the order of their buckets, and says how it ended, see `GROW`.

    The first call enters the start, which is in ``scratch.child`` and ``scratch.key``.
    """
    counters = store.counters
    if counters[STATES] == 0:
        homes = scratch.key[shape.words - 1] if shape.by_homes else np.uint64(0)
        if not emit(contents, shape, store, scratch, homes, 0, -1, NEVER):
            return GROW
    for _ in range(budget):
        while counters[BUCKET] < len(store.heads) and store.heads[counters[BUCKET]] < 0:
            counters[BUCKET] += 1
        bucket = counters[BUCKET]
        if bucket == len(store.heads):
            return EXHAUSTED
        place = store.heads[bucket]
        state, cost = store.entry[place, 0], store.entry[place, 1]
        store.heads[bucket] = store.entry[place, 2]
        store.entry[place, 1] = -1
        store.entry[place, 2] = counters[RECYCLED]
        counters[RECYCLED] = place
        if store.cost[state] < cost:
            continue  # reached more cheaply since it was put in
        if cost + store.bound[state] > limit:
            counters[CUT] = 1
            continue
        homes = unpack(shape, store.keys[state], scratch.state)
        if is_goal(contents, shape, scratch.state):
            counters[FOUND] = state
            return GOAL
        if not expand(contents, shape, store, scratch, homes, state, limit):
            counters[EXPANSIONS] -= 1
            put(store, state, bucket)  # to be expanded again when there is room
            return GROW
    return PAUSED


@compiled
def deepen(
    contents: Contents, shape: Shape, store: Store, scratch: Scratch, frontier: Ints, limit: int, budget: int
) -> int:
    """Goes depth first from each open state of a full store to all states on plans of at most ``limit`` moves.

    The stack lies behind the states of the store, which serve to recognise what is reached from another open state at
    no greater cost. A state on the stack whose bound is negative has been expanded, and goes when it is on top again.
    """
    counters = store.counters
    states = counters[STATES]
    for _ in range(budget):
        top = states + counters[STACKED] - 1
        while counters[STACKED] and store.bound[top] < 0:
            counters[STACKED] -= 1
            top -= 1
        if counters[STACKED]:
            state = top
            store.bound[state] = -1
        elif counters[FRONTIER] < len(frontier):
            state = frontier[counters[FRONTIER]]
            counters[FRONTIER] += 1
            if store.cost[state] + store.bound[state] > limit:
                counters[CUT] = 1
                continue
        else:
            return EXHAUSTED
        homes = unpack(shape, store.keys[state], scratch.state)
        if is_goal(contents, shape, scratch.state):
            counters[FOUND] = state
            return GOAL
        if not expand(contents, shape, store, scratch, homes, state, limit):
            return GROW
    return PAUSED
