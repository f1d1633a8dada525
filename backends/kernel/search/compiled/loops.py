"""The compiled search: A* over packed states, in the subset of Python that numba compiles.

Nothing is allocated in here: where an array is full the search returns, `bsp_sat.backends.kernel.search.search` makes
the array longer and calls again.

A **state** is the list of its tubes' contents as numbers (`bsp_sat.backends.kernel.contents.alphabet`), sorted from
high to low, so that tubes that swap places give one state. It is packed into 64-bit words, as many whole numbers a word
as fit. States are found again through a table of open addressing with linear probing, which compares whole states.

There are two **spaces**, with the arguments in docs/search.md:

* *moves*: one move a step, under either rule and goal. What is left out is dominated, and nothing is if asked for.
  Where tubes have rules, another function steps, and the numbers stand for contents under a rule.
* *homes*: for ball sort where each colour fills one tube. A step opens a colour's home, which takes in every ball of
  the colour that can be reached, then and later; or it clears a tube's whole top run; or it decides whether a tube in
  which one colour is left is that colour's home. What is in the homes follows from the rest, a word tells which
  are open.
"""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import Contents, Shape
from bsp_sat.backends.kernel.contents.compiled.packing import unpack
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, GOAL, GROW, PAUSED, Ints
from bsp_sat.backends.kernel.search import arrays
from bsp_sat.backends.kernel.search.arrays import Search
from bsp_sat.backends.kernel.search.compiled.homes import expand_homes
from bsp_sat.backends.kernel.search.compiled.moves import expand_moves
from bsp_sat.backends.kernel.search.compiled.ruled import expand_ruled
from bsp_sat.backends.kernel.search.compiled.states import emit, put


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
def expand(search: Search, homes: np.uint64, state: int, limit: int) -> bool:
    """Enters all states a step after the one in ``scratch.state``; False where an array is full."""
    search.store.counters[arrays.EXPANSIONS] += 1
    if search.shape.by_homes:
        return expand_homes(search, homes, state, limit)
    if search.shape.ruled:
        return expand_ruled(search, state, limit)
    return expand_moves(search, state, limit)


@compiled
def advance(search: Search, limit: int, budget: int) -> int:
    """Expands up to ``budget`` states in the order of their buckets, and says how it ended, see `GROW`.

    The first call enters the start, which is in ``scratch.child`` and ``scratch.key``.
    """
    contents, shape, scratch, store = search
    counters = store.counters
    if counters[arrays.STATES] == 0:
        homes = scratch.key[shape.words - 1] if shape.by_homes else np.uint64(0)
        if not emit(search, homes, 0, -1, arrays.UNREACHABLE):
            return GROW
    for _ in range(budget):
        while counters[arrays.BUCKET] < len(store.heads) and store.heads[counters[arrays.BUCKET]] < 0:
            counters[arrays.BUCKET] += 1
        bucket = counters[arrays.BUCKET]
        if bucket == len(store.heads):
            return EXHAUSTED
        place = store.heads[bucket]
        state, cost = store.entry[place, 0], store.entry[place, 1]
        store.heads[bucket] = store.entry[place, 2]
        store.entry[place, 1] = -1
        store.entry[place, 2] = counters[arrays.RECYCLED]
        counters[arrays.RECYCLED] = place
        if store.cost[state] < cost:
            continue  # reached more cheaply since it was put in
        if cost + store.bound[state] > limit:
            counters[arrays.CUT] = 1
            continue
        homes = unpack(shape, store.keys[state], scratch.state)
        if is_goal(contents, shape, scratch.state):
            counters[arrays.FOUND] = state
            return GOAL
        if not expand(search, homes, state, limit):
            counters[arrays.EXPANSIONS] -= 1
            put(store, state, bucket)  # to be expanded again when there is room
            return GROW
    return PAUSED


@compiled
def deepen(search: Search, limit: int, budget: int) -> int:
    """Goes depth first from each open state of a full store to all states on plans of at most ``limit`` moves.

    The stack lies behind the states of the store, which serve to recognise what is reached from another open state at
    no greater cost. A state on the stack whose bound is negative has been expanded, and goes when it is on top again.
    """
    contents, shape, scratch, store = search
    counters = store.counters
    states = counters[arrays.STATES]
    for _ in range(budget):
        top = states + counters[arrays.STACKED] - 1
        while counters[arrays.STACKED] and store.bound[top] < 0:
            counters[arrays.STACKED] -= 1
            top -= 1
        if counters[arrays.STACKED]:
            state = top
            store.bound[state] = -1 - store.bound[state]
        elif counters[arrays.FRONTIER] < len(store.frontier):
            state = store.frontier[counters[arrays.FRONTIER]]
            counters[arrays.FRONTIER] += 1
            if store.cost[state] + store.bound[state] > limit:
                counters[arrays.CUT] = 1
                continue
        else:
            return EXHAUSTED
        homes = unpack(shape, store.keys[state], scratch.state)
        if is_goal(contents, shape, scratch.state):
            counters[arrays.FOUND] = state
            return GOAL
        if not expand(search, homes, state, limit):
            return GROW
    return PAUSED
