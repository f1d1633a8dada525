"""Arrays laid out in one piece of memory, an arena, so that compiled code needs nobody to allocate them.

An arena is an array of 64-bit integers. It begins with an argument like those that compiled code is called with, so
that the same readers read it. What a search needs is laid out behind that, as much of it as a board takes.
"""

from bsp_sat.backends.kernel.arrays import (
    ARENA_ARRAYS,
    ARRAYS_AT,
    COUNTERS,
    CURSOR,
    END,
    ENTRIES,
    FIRST_STATES,
    MOST_STATES,
    RECYCLED,
    SHAPE_AT,
    STACK,
    STACKED,
    STATES,
    Longs,
    Shape,
    Store,
)
from bsp_sat.backends.kernel.compiled.arguments import array_places, array_readers, shape_reader
from bsp_sat.backends.kernel.compiled.packing import compiled
from bsp_sat.backends.kernel.compiled.states import refill

read_shape = shape_reader()
read_contents, read_scratch, read_store, read_trie, read_table = array_readers(*ARENA_ARRAYS)
AT_CONTENTS, AT_SCRATCH, AT_STORE, AT_TRIE, AT_TABLE = array_places(*ARENA_ARRAYS)
AT_SHAPE = Shape(*range(SHAPE_AT, ARRAYS_AT))


@compiled
def lay(arena: Longs, place: int, rows: int, columns: int, size: int) -> None:
    """Gives an array the next free memory, in whole words, and writes that down at ``place``.

    Whether the arena has so much is for the caller to see, before anything is written there.
    """
    arena[place], arena[place + 1], arena[place + 2] = arena[CURSOR], rows, columns
    arena[CURSOR] += (rows * columns * size + 7) // 8 * 8


@compiled
def fits(arena: Longs) -> bool:
    """Whether all that was laid out so far is in the arena."""
    return bool(arena[CURSOR] <= arena[END])


@compiled
def lay_search(arena: Longs) -> bool:
    """Lays out what a search needs besides contents and the queue's heads; False where the arena is too small for it.

    The arrays of a store are as long as those of `bsp_sat.backends.kernel.search` at first, and may grow into memory
    that is kept for them, at the same moments: so that a search takes the same expansions here as there.
    """
    tubes, words = arena[AT_SHAPE.tubes], arena[AT_SHAPE.words]
    colours, columns = arena[AT_CONTENTS.homes + 1], arena[AT_CONTENTS.founded + 2]
    lay(arena, AT_SCRATCH.state, tubes, 1, 4)
    lay(arena, AT_SCRATCH.child, tubes, 1, 4)
    lay(arena, AT_SCRATCH.kept, tubes, 1, 4)
    lay(arena, AT_SCRATCH.targets, tubes, 1, 4)
    lay(arena, AT_SCRATCH.amounts, tubes, 1, 4)
    lay(arena, AT_SCRATCH.best, colours, 1, 4)
    lay(arena, AT_SCRATCH.longest, colours, 1, 4)
    lay(arena, AT_SCRATCH.loads, colours, 1, 4)
    lay(arena, AT_SCRATCH.fullest, colours, 1, 4)
    lay(arena, AT_SCRATCH.most_room, colours, 1, 4)
    lay(arena, AT_SCRATCH.key, words, 1, 8)
    lay(arena, AT_SCRATCH.ranks, max(1, colours), columns, 4)
    lay(arena, AT_STORE.counters, COUNTERS, 1, 8)
    lay(arena, AT_STORE.frontier, 0, 1, 4)
    lay(arena, AT_STORE.rows, 0, 1, 4)
    most = FIRST_STATES
    each = 8 * words + 12 + 16 + 12
    if arena[CURSOR] + most * each > arena[END]:
        return False
    while arena[CURSOR] + 2 * most * each <= arena[END]:
        most *= 2
    arena[MOST_STATES] = most
    lay(arena, AT_STORE.keys, most, words, 8)
    lay(arena, AT_STORE.cost, most, 1, 4)
    lay(arena, AT_STORE.bound, most, 1, 4)
    lay(arena, AT_STORE.parent, most, 1, 4)
    lay(arena, AT_STORE.table, 4 * most, 1, 4)
    lay(arena, AT_STORE.entry, most, 3, 4)
    size_states(arena, FIRST_STATES)
    arena[AT_STORE.entry + 1] = FIRST_STATES
    return True


@compiled
def size_states(arena: Longs, states: int) -> None:
    """Sets the lengths of the arrays that grow with the states; the places for `deepen` count, but aren't there."""
    arena[AT_STORE.keys + 1] = states + STACK
    arena[AT_STORE.cost + 1] = states + STACK
    arena[AT_STORE.bound + 1] = states + STACK
    arena[AT_STORE.parent + 1] = states + STACK
    arena[AT_STORE.table + 1] = 4 * states


@compiled
def empty(store: Store) -> None:
    """Makes a store ready for another search; its queue has to be empty already."""
    for place in range(len(store.table)):
        store.table[place] = -1
    for place in range(COUNTERS):
        store.counters[place] = 0
    store.counters[RECYCLED] = store.counters[STACKED] = -1


@compiled
def grow(arena: Longs) -> bool:
    """Makes the arrays of the store longer that are full; False where there is no room for that."""
    store = read_store(arena)
    states, entries = len(store.cost) - STACK, len(store.entry)
    full = store.counters[STATES] == states
    few_entries = store.counters[ENTRIES] >= entries - 1
    if max(states * (1 + full), entries * (1 + few_entries)) > arena[MOST_STATES] or not (full or few_entries):
        return False
    if few_entries:
        arena[AT_STORE.entry + 1] = 2 * entries
    if full:
        size_states(arena, 2 * states)
        longer = read_store(arena)
        for place in range(len(longer.table)):
            longer.table[place] = -1
        refill(longer)
    return True
