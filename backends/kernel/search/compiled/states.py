"""States found so far, and the queue: a hash table that compares whole states, and buckets by rank.

States are found again through a table of open addressing with linear probing. False says that an array is full.
"""

import numpy as np

from bsp_sat.backends.kernel.contents.compiled.packing import ONE, clear_all, hashed, pack, sort, unpack
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Ints, WordRows, Words
from bsp_sat.backends.kernel.search import arrays
from bsp_sat.backends.kernel.search.arrays import Search, Store
from bsp_sat.backends.kernel.search.compiled.bounds import bound_in_moves, bound_of_homes


@compiled
def found(table: Ints, keys: WordRows, key: Words) -> np.int64:
    """The place in a table of ``key``'s state, or the free place where it belongs; ``keys`` has those of all states."""
    mask = np.uint64(len(table) - 1)
    place = hashed(key, mask)
    while True:
        state = table[place]
        if state < 0:
            return np.int64(place)
        same = True
        for word in range(len(key)):
            if keys[state, word] != key[word]:
                same = False
                break
        if same:
            return np.int64(place)
        place = (place + ONE) & mask


@compiled
def refill(search: Search) -> int:
    """Puts all states into an empty table."""
    store = search.store
    for state in range(store.counters[arrays.STATES]):
        store.table[found(store.table, store.keys, store.keys[state])] = state
    return 0


@compiled
def line_up(search: Search) -> int:
    """Lists the states in the queue in ``frontier``, those with the least bound on plans first; returns how many.

    Of equal ones the one found first goes first. The heads of the buckets are used up.
    """
    store = search.store
    counters, heads = store.counters, store.heads
    clear_all(heads)
    last = len(heads) - 1  # for all from there on; only where bounds have no weight there may be some
    for place in range(counters[arrays.ENTRIES]):
        state = store.entry[place, 0]
        if store.bound[state] >= 0 and store.entry[place, 1] == store.cost[state]:
            heads[min(last, store.cost[state] + store.bound[state])] += 1
            store.bound[state] = -1 - store.bound[state]  # negative: it is listed below
    listed = 0
    for rank in range(len(heads)):
        number = heads[rank]
        heads[rank] = listed
        listed += number
    for state in range(counters[arrays.STATES]):
        if store.bound[state] < 0:
            store.bound[state] = -1 - store.bound[state]
            rank = min(last, store.cost[state] + store.bound[state])
            store.frontier[heads[rank]] = state
            heads[rank] += 1
    return listed


@compiled
def list_states(search: Search, limit: int) -> int:
    """Lists the states that may be on plans of at most ``limit`` moves in ``rows``; returns how many."""
    _, shape, scratch, store = search
    listed = 0
    for state in range(store.counters[arrays.STATES]):
        if store.cost[state] + store.bound[state] <= limit:
            unpack(shape, store.keys[state], scratch.state)
            first = listed * (shape.tubes + 1)
            for place in range(shape.tubes):
                store.rows[first + place] = scratch.state[place]
            store.rows[first + shape.tubes] = store.cost[state]
            listed += 1
    return listed


@compiled
def put(store: Store, state: int, bucket: int) -> None:
    """Puts ``state`` on top of a bucket."""
    counters = store.counters
    place = counters[arrays.RECYCLED]
    if place >= 0:
        counters[arrays.RECYCLED] = store.entry[place, 2]
    else:
        place = counters[arrays.ENTRIES]
        counters[arrays.ENTRIES] += 1
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
def emit(search: Search, homes: np.uint64, cost: int, parent: int, limit: int) -> bool:
    """Enters the state in ``scratch.child``, reached with ``cost`` moves; False where an array is full.

    A state on no plan of at most ``limit`` moves is left out.
    """
    contents, shape, scratch, store = search
    counters = store.counters
    states = counters[arrays.STATES]
    deepening = counters[arrays.STACKED] >= 0
    if deepening:
        full = states + counters[arrays.STACKED] == len(store.keys)
    else:
        full = states == len(store.keys) - arrays.STACK
        # One entry is spared for `search`, which puts back the state that it couldn't finish.
        full |= counters[arrays.RECYCLED] < 0 and counters[arrays.ENTRIES] >= len(store.entry) - 1
    if full:
        return False
    sort(scratch.child)
    pack(shape, scratch.child, homes, scratch.key)
    place = found(store.table, store.keys, scratch.key)
    state = store.table[place]
    if state >= 0:
        if store.cost[state] <= cost:
            return True
        bound = store.bound[state]
    elif shape.by_homes:
        bound = bound_of_homes(contents, shape, scratch, homes)
    else:
        bound = bound_in_moves(contents, shape, scratch)
    if cost + bound > limit:
        if bound < arrays.UNREACHABLE:
            counters[arrays.CUT] = 1
        return True
    if deepening:
        state = states + counters[arrays.STACKED]
        counters[arrays.STACKED] += 1
        enter(store, scratch.key, state, cost, bound, parent)
        return True
    rank = shape.cost_weight * cost + shape.bound_weight * bound
    if shape.cost_weight == shape.bound_weight:
        rank = max(rank, counters[arrays.BUCKET] // arrays.TIES)  # what holds for the way so far holds for all of it
    bucket = rank * arrays.TIES + min(bound, arrays.TIES - 1)
    if bucket >= len(store.heads):
        return False
    if state < 0:
        state = states
        counters[arrays.STATES] += 1
        store.table[place] = state
    enter(store, scratch.key, state, cost, bound, parent)
    put(store, state, bucket)
    counters[arrays.BUCKET] = min(bucket, counters[arrays.BUCKET])
    return True
