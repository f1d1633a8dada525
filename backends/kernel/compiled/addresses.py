"""What compiled code called from outside begins with: arrays from their addresses, and what a search is given.

An entry takes an array of 64-bit integers with everything in it, addresses of arrays included, so that nothing of numba
is needed to call it (`bsp_sat.backends.kernel.code` fills it in).
"""

from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic

from bsp_sat.backends.kernel.arrays import ARRAYS_AT, SHAPE_AT, Scratch, Shape
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


@njit(forceinline=True, **OPTIONS)
def contents_of(a: Any) -> Any:
    """The tables of contents: arrays 0 to 23."""
    return Contents(
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


@njit(forceinline=True, **OPTIONS)
def shape_of(a: Any) -> Any:
    """How states are built."""
    return Shape(
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


@njit(forceinline=True, **OPTIONS)
def scratch_of(a: Any, first: int) -> Any:
    """Room to work in: twelve arrays from number ``first`` on."""
    return Scratch(
        state=ints(a, first),
        child=ints(a, first + 1),
        kept=ints(a, first + 2),
        key=words(a, first + 3),
        best=ints(a, first + 4),
        ranks=int_rows(a, first + 5),
        longest=ints(a, first + 6),
        targets=ints(a, first + 7),
        amounts=ints(a, first + 8),
        loads=ints(a, first + 9),
        fullest=ints(a, first + 10),
        most_room=ints(a, first + 11),
    )


def object_code_of(entry: Any) -> tuple[str, bytes]:
    """The name of a compiled function and the object file that holds it, for this processor."""
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )
    return entry.native_name, machine.emit_object(llvm.parse_assembly(entry.inspect_llvm()))
