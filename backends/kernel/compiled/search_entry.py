"""The one function of the compiled search that is called from outside.

Loading numba takes ten times as long as most searches: `bsp_sat.backends.kernel.calls` calls it without.
"""

from typing import Any

import numba
from numba import types

from bsp_sat.backends.kernel.arrays import (
    BUDGET,
    DEEPEN,
    LIMIT,
    LINE_UP,
    LIST_STATES,
    REFILL,
    SEARCH,
    SEARCH_ARRAYS,
    TASK,
)
from bsp_sat.backends.kernel.compiled.arguments import array_readers, shape_reader
from bsp_sat.backends.kernel.compiled.loops import deepen, search
from bsp_sat.backends.kernel.compiled.packing import OPTIONS
from bsp_sat.backends.kernel.compiled.states import line_up, list_states, refill

shape_of = shape_reader()
contents_of, scratch_of, store_of = array_readers(*SEARCH_ARRAYS)


@numba.cfunc(types.int64(types.CPointer(types.int64)), **OPTIONS)
def run(a: Any) -> int:
    """Does the task that ``a`` names, and returns what its function does."""
    contents, shape, scratch, store = contents_of(a), shape_of(a), scratch_of(a), store_of(a)
    if a[TASK] == SEARCH:
        return search(contents, shape, store, scratch, a[LIMIT], a[BUDGET])
    if a[TASK] == DEEPEN:
        return deepen(contents, shape, store, scratch, a[LIMIT], a[BUDGET])
    if a[TASK] == REFILL:
        refill(store)
    if a[TASK] == LINE_UP:
        return line_up(store)
    if a[TASK] == LIST_STATES:
        return list_states(shape, store, scratch, a[LIMIT])
    return 0
