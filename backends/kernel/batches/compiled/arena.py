"""A search in an arena: its arrays, which grow as those of a search do that Python lays out."""

from bsp_sat.backends.kernel.batches.arrays import SEARCHED_AT, Searched
from bsp_sat.backends.kernel.contents.arrays import AT, CURSOR, END, MOST_STATES, NUMBERED_END
from bsp_sat.backends.kernel.contents.compiled.arena import lay, lay_ints, numbered_in
from bsp_sat.backends.kernel.native.compiling import compiled, reader
from bsp_sat.backends.kernel.native.layout import Longs
from bsp_sat.backends.kernel.search import arrays
from bsp_sat.backends.kernel.search.arrays import Search, Store
from bsp_sat.backends.kernel.search.compiled.states import refill

searched_in = reader(Searched, NUMBERED_END)


@compiled
def search_in(arena: Longs) -> Search:
    """The search that an arena holds."""
    numbered, searched = numbered_in(arena), searched_in(arena)
    return Search(numbered.contents, numbered.shape, searched.scratch, searched.store)


@compiled
def lay_search(arena: Longs) -> bool:
    """Lays out what a search needs besides contents and the queue's heads; False where the arena is too small for it.

    The arrays of a store have room for `FIRST_STATES` at first, and may grow into memory that is kept for them. A
    `KernelSearch` that begins with as much room grows at the same moments, and so takes the same expansions.
    """
    tubes, words = arena[AT.shape.tubes], arena[AT.shape.words]
    colours, columns = arena[AT.contents.homes + 1], arena[AT.contents.founded + 2]
    at = SEARCHED_AT.scratch
    lay_ints(arena, (at.state, at.child, at.kept, at.targets, at.amounts), tubes)
    lay_ints(arena, (at.best, at.longest, at.savings, at.loads, at.fullest, at.most_room), colours)
    lay(arena, at.key, words, 1, 8)
    lay(arena, at.ranks, max(1, colours), columns, 4)
    lay(arena, SEARCHED_AT.store.counters, arrays.COUNTERS, 1, 8)
    most = arrays.FIRST_STATES
    each = 8 * words + 12 + 16 + 12
    if arena[CURSOR] + most * each > arena[END]:
        return False
    while arena[CURSOR] + 2 * most * each <= arena[END]:
        most *= 2
    arena[MOST_STATES] = most
    lay(arena, SEARCHED_AT.store.keys, most, words, 8)
    lay_ints(arena, (SEARCHED_AT.store.cost, SEARCHED_AT.store.bound, SEARCHED_AT.store.parent), most)
    lay(arena, SEARCHED_AT.store.table, 4 * most, 1, 4)
    lay(arena, SEARCHED_AT.store.entry, most, 3, 4)
    size_states(arena, arrays.FIRST_STATES)
    arena[SEARCHED_AT.store.entry + 1] = arrays.FIRST_STATES
    return True


@compiled
def size_states(arena: Longs, states: int) -> None:
    """Sets the lengths of the arrays that grow with the states; the places for `deepen` count, but aren't there."""
    at = SEARCHED_AT.store
    for place in (at.keys, at.cost, at.bound, at.parent):
        arena[place + 1] = states + arrays.STACK
    arena[at.table + 1] = 4 * states


@compiled
def empty(store: Store) -> None:
    """Makes a store ready for another search; its queue has to be empty already."""
    for place in range(len(store.table)):
        store.table[place] = -1
    for place in range(arrays.COUNTERS):
        store.counters[place] = 0
    store.counters[arrays.RECYCLED] = store.counters[arrays.STACKED] = -1


@compiled
def grow(arena: Longs) -> bool:
    """Makes the arrays of the store longer that are full; False where there is no room for that."""
    store = searched_in(arena).store
    states, entries = len(store.cost) - arrays.STACK, len(store.entry)
    full = store.counters[arrays.STATES] == states
    few_entries = store.counters[arrays.ENTRIES] >= entries - 1
    if max(states * (1 + full), entries * (1 + few_entries)) > arena[MOST_STATES] or not (full or few_entries):
        return False
    if few_entries:
        arena[SEARCHED_AT.store.entry + 1] = 2 * entries
    if full:
        size_states(arena, 2 * states)
        search = search_in(arena)
        for place in range(len(search.store.table)):
            search.store.table[place] = -1
        refill(search)
    return True
