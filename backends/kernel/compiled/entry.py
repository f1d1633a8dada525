"""The one function of the compiled search that is called from outside, and its machine code.

Loading numba takes ten times as long as most searches: `bsp_sat.backends.kernel.code` calls it without.
"""

from typing import Any

import numba
from numba import types

from bsp_sat.backends.kernel.arrays import BUDGET, DEEPEN, LIMIT, REFILL, SEARCH, TASK, Store
from bsp_sat.backends.kernel.compiled.addresses import (
    OPTIONS,
    contents_of,
    counters,
    int_rows,
    ints,
    object_code_of,
    scratch_of,
    shape_of,
    word_rows,
)
from bsp_sat.backends.kernel.compiled.loops import deepen, search
from bsp_sat.backends.kernel.compiled.states import refill


@numba.cfunc(types.int64(types.CPointer(types.int64)), **OPTIONS)
def run(a: Any) -> int:
    """Does the task that ``a`` names, and returns what `search` or `deepen` does."""
    contents, shape, scratch = contents_of(a), shape_of(a), scratch_of(a, 32)
    store = Store(
        keys=word_rows(a, 24),
        cost=ints(a, 25),
        bound=ints(a, 26),
        parent=ints(a, 27),
        table=ints(a, 28),
        heads=ints(a, 29),
        entry=int_rows(a, 30),
        counters=counters(a, 31),
    )
    if a[TASK] == SEARCH:
        return search(contents, shape, store, scratch, a[LIMIT], a[BUDGET])
    if a[TASK] == DEEPEN:
        return deepen(contents, shape, store, scratch, ints(a, 44), a[LIMIT], a[BUDGET])
    if a[TASK] == REFILL:
        refill(store)
    return 0


def object_code() -> tuple[str, bytes]:
    """The name of the function and the object file that holds it, for this processor."""
    return object_code_of(run)
