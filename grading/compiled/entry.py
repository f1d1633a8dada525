"""The one function of grading's compiled part that is called from outside, and its machine code."""

from typing import Any

import numba
import numpy as np
from numba import carray, njit, types

from bsp_sat.backends.kernel.arrays import ARRAYS_AT, LIMIT, TASK
from bsp_sat.backends.kernel.compiled.addresses import (
    OPTIONS,
    contents_of,
    counters,
    ints,
    object_code_of,
    pointer,
    scratch_of,
    shape_of,
    word_rows,
    words,
)
from bsp_sat.grading.arrays import COUNT, LIST, MEASURE, PLAY, SPARE, WALK, WANDER, Ground
from bsp_sat.grading.compiled.nexts import list_nexts
from bsp_sat.grading.compiled.plays import play, wander
from bsp_sat.grading.compiled.walks import count, measure, walk


@njit(forceinline=True, **OPTIONS)
def floats(a: Any, number: int) -> Any:
    """Array ``number``, one-dimensional, of 64-bit floating-point numbers."""
    at = ARRAYS_AT + 3 * number
    return carray(pointer(a[at], np.float64), (a[at + 1],))


@numba.cfunc(types.int64(types.CPointer(types.int64)), **OPTIONS)
def run(a: Any) -> int:
    """Does the task that ``a`` names, and returns what its function does."""
    contents, shape, scratch = contents_of(a), shape_of(a), scratch_of(a, 24)
    ground = Ground(
        keys=word_rows(a, 36),
        depth=ints(a, 37),
        goal=ints(a, 38),
        nexts=ints(a, 39),
        good=ints(a, 40),
        first=ints(a, 41),
        target=ints(a, 42),
        times=ints(a, 43),
        distance=ints(a, 44),
        plans=word_rows(a, 45),
        before=floats(a, 46),
        after=floats(a, 47),
        table=ints(a, 48),
        here=words(a, 49),
        next_keys=word_rows(a, 50),
        next_times=ints(a, 51),
        choices=ints(a, 52),
        chance=words(a, 53),
        tallies=counters(a, 54),
    )
    if a[TASK] == WALK:
        return walk(contents, shape, scratch, ground, a[LIMIT])
    if a[TASK] == COUNT:
        return count(ground, a[LIMIT])
    if a[TASK] == MEASURE:
        return measure(ground)
    if a[TASK] == LIST:
        return list_nexts(contents, shape, scratch, ground, ground.tallies[SPARE] != 0)
    if a[TASK] == PLAY:
        return play(contents, shape, scratch, ground, a[LIMIT])
    if a[TASK] == WANDER:
        return wander(contents, shape, scratch, ground, a[LIMIT])
    return 0


def object_code() -> tuple[str, bytes]:
    """The name of the function and the object file that holds it, for this processor."""
    return object_code_of(run)
