"""The one function that is called from outside for boards as bytes: their tables, plans and, of many, answers."""

from typing import Any

import numba
from numba import types

from bsp_sat.backends.kernel.arrays import (
    BASE,
    BATCH_ARRAYS,
    BUDGET,
    CONTENTS,
    CURSOR,
    LIMIT,
    NUMBERS,
    PLAN,
    PLAN_ARRAYS,
    TABLES,
    TABLES_ARRAYS,
    TASK,
)
from bsp_sat.backends.kernel.compiled.alphabet import look_up, make_tables, number_contents
from bsp_sat.backends.kernel.compiled.arguments import array_readers, shape_reader
from bsp_sat.backends.kernel.compiled.batches import advance
from bsp_sat.backends.kernel.compiled.packing import OPTIONS
from bsp_sat.backends.kernel.compiled.plans import write_plan

shape_of = shape_reader()
packed_of, table_of = array_readers(*TABLES_ARRAYS)
_, _, contents_of, scratch_of, store_of = array_readers(*PLAN_ARRAYS)
_, batch_of = array_readers(*BATCH_ARRAYS)


@numba.cfunc(types.int64(types.CPointer(types.int64)), forceinline=True, **OPTIONS)
def run(a: Any) -> int:
    """Does the task that ``a`` names.

    * `TABLES`: makes the tables of the first board, with ``LIMIT`` further tubes behind it. Returns the number of
      contents, 0 where the arena is too small.
    * `NUMBERS`: writes the numbers of the tubes that ``boards`` begins with. Returns whether all of them have one.
    * `PLAN`: writes the plan that a search has found. Returns the number of its moves, see `write_plan`.
    * `BATCH`: goes on with a batch. Returns what `advance` does.
    """
    packed = packed_of(a)
    arena = packed.arena
    if a[TASK] == TABLES:
        arena[CURSOR] = arena[BASE]
        if number_contents(arena, packed.boards, 0, a[LIMIT]) and make_tables(arena, packed.boards, 0):
            return int(arena[CONTENTS])
        return 0
    if a[TASK] == NUMBERS:
        return look_up(arena, packed.boards, 0, table_of(a).numbers, a[LIMIT] != 0)
    if a[TASK] == PLAN:
        return write_plan(contents_of(a), shape_of(a), scratch_of(a), store_of(a), table_of(a), packed.moves, 0)
    return advance(packed, batch_of(a), a[BUDGET])
