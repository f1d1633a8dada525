"""The one function of the compiled search that is called from outside, and its machine code.

It takes an array of 64-bit integers with everything in it, addresses of arrays included (`bsp_sat.backends.kernel.code`
fills it in), so that nothing of numba is needed to call it: loading numba takes ten times as long as most searches.
"""

from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic

from bsp_sat.backends.kernel.arrays import (
    ARRAYS_AT,
    BUDGET,
    DEEPEN,
    LIMIT,
    REFILL,
    SEARCH,
    SHAPE_AT,
    TASK,
    Scratch,
    Shape,
    Store,
)
from bsp_sat.backends.kernel.compiled.loops import deepen, search
from bsp_sat.backends.kernel.compiled.states import refill
from bsp_sat.backends.kernel.contents import Contents

OPTIONS: dict[str, Any] = {"error_model": "numpy"}


@intrinsic
def pointer(context: Any, address: Any, item: Any) -> Any:
    """The pointer to items of a type at an address."""
    kind = types.CPointer(item.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(kind))

    return kind(types.int64, item), generate


@njit(forceinline=True, **OPTIONS)
def ints(a: Any, number: int) -> Any:
    """Array ``number``, one-dimensional, of 32-bit integers."""
    at = ARRAYS_AT + 3 * number
    return carray(pointer(a[at], np.int32), (a[at + 1],))


@njit(forceinline=True, **OPTIONS)
def int_rows(a: Any, number: int) -> Any:
    """Array ``number``, two-dimensional, of 32-bit integers."""
    at = ARRAYS_AT + 3 * number
    return carray(pointer(a[at], np.int32), (a[at + 1], a[at + 2]))


@njit(forceinline=True, **OPTIONS)
def words(a: Any, number: int) -> Any:
    """Array ``number``, one-dimensional, of 64-bit words."""
    at = ARRAYS_AT + 3 * number
    return carray(pointer(a[at], np.uint64), (a[at + 1],))


@njit(forceinline=True, **OPTIONS)
def word_rows(a: Any, number: int) -> Any:
    """Array ``number``, two-dimensional, of 64-bit words."""
    at = ARRAYS_AT + 3 * number
    return carray(pointer(a[at], np.uint64), (a[at + 1], a[at + 2]))


@njit(forceinline=True, **OPTIONS)
def counters(a: Any, number: int) -> Any:
    """Array ``number``, one-dimensional, of 64-bit integers."""
    at = ARRAYS_AT + 3 * number
    return carray(pointer(a[at], np.int64), (a[at + 1],))


@numba.cfunc(types.int64(types.CPointer(types.int64)), **OPTIONS)
def run(a: Any) -> int:
    """Does the task that ``a`` names, and returns what `search` or `deepen` does."""
    contents = Contents(
        top=ints(a, 0),
        run=ints(a, 1),
        room=ints(a, 2),
        bottom=ints(a, 3),
        work=ints(a, 4),
        keep=ints(a, 5),
        stays=ints(a, 6),
        blocks=int_rows(a, 7),
        kind=ints(a, 8),
        less=ints(a, 9),
        more=ints(a, 10),
        colours=words(a, 11),
        done=ints(a, 12),
        alone=ints(a, 13),
        founded=int_rows(a, 14),
        homes=ints(a, 15),
        gives=ints(a, 16),
        takes=words(a, 17),
        group=ints(a, 18),
        opens=ints(a, 19),
        lock_colour=ints(a, 20),
        lock_tubes=ints(a, 21),
        complete=ints(a, 22),
        counts=ints(a, 23),
    )
    shape = Shape(
        tubes=a[SHAPE_AT],
        bits=a[SHAPE_AT + 1],
        per_word=a[SHAPE_AT + 2],
        words=a[SHAPE_AT + 3],
        by_homes=a[SHAPE_AT + 4] != 0,
        pruned=a[SHAPE_AT + 5] != 0,
        one_ball=a[SHAPE_AT + 6] != 0,
        rank_keeps=a[SHAPE_AT + 7] != 0,
        cost_weight=a[SHAPE_AT + 8],
        bound_weight=a[SHAPE_AT + 9],
        ruled=a[SHAPE_AT + 10] != 0,
        locked=a[SHAPE_AT + 11] != 0,
        whole_pours=a[SHAPE_AT + 12] != 0,
    )
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
    scratch = Scratch(
        state=ints(a, 32),
        child=ints(a, 33),
        kept=ints(a, 34),
        key=words(a, 35),
        best=ints(a, 36),
        ranks=int_rows(a, 37),
        longest=ints(a, 38),
        targets=ints(a, 39),
        amounts=ints(a, 40),
        loads=ints(a, 41),
        fullest=ints(a, 42),
        most_room=ints(a, 43),
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
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )
    return run.native_name, machine.emit_object(llvm.parse_assembly(run.inspect_llvm()))
