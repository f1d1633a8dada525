"""The one function of the compiled position graph that is called from outside."""

from typing import Any

import numba
from numba import types

from bsp_sat.backends.kernel.arrays import COUNT, GRAPH_ARRAYS, LIMIT, LIST, MEASURE, PLAY, TASK, WALK, WANDER
from bsp_sat.backends.kernel.compiled.arguments import array_readers, shape_reader
from bsp_sat.backends.kernel.compiled.packing import OPTIONS
from bsp_sat.backends.kernel.compiled.plays import play, wander
from bsp_sat.backends.kernel.compiled.successors import list_unpacked
from bsp_sat.backends.kernel.compiled.walks import count, measure, walk

shape_of = shape_reader()
contents_of, scratch_of, graph_of = array_readers(*GRAPH_ARRAYS)


@numba.cfunc(types.int64(types.CPointer(types.int64)), **OPTIONS)
def run(a: Any) -> int:
    """Does the task that ``a`` names, and returns what its function does."""
    contents, shape, scratch, graph = contents_of(a), shape_of(a), scratch_of(a), graph_of(a)
    if a[TASK] == WALK:
        return walk(contents, shape, scratch, graph, a[LIMIT])
    if a[TASK] == COUNT:
        return count(graph, a[LIMIT])
    if a[TASK] == MEASURE:
        return measure(graph)
    if a[TASK] == LIST:
        return list_unpacked(contents, shape, scratch, graph)
    if a[TASK] == PLAY:
        return play(contents, shape, scratch, graph, a[LIMIT])
    if a[TASK] == WANDER:
        return wander(contents, shape, scratch, graph, a[LIMIT])
    return 0
