"""The one function that is called from outside for all boards of a class."""

from typing import Any

import numba
from numba import types

from bsp_sat.backends.kernel.arrays import BUDGET, CLASS_ARRAYS, LIMIT, TASK, WEIGH
from bsp_sat.backends.kernel.compiled.arguments import array_readers
from bsp_sat.backends.kernel.compiled.border_tables import count_ways, read_borders
from bsp_sat.backends.kernel.compiled.classes import list_boards
from bsp_sat.backends.kernel.compiled.packing import OPTIONS

(class_of,) = array_readers(*CLASS_ARRAYS)


@numba.cfunc(types.int64(types.CPointer(types.int64)), **OPTIONS)
def run(a: Any) -> int:
    """Does the task that ``a`` names.

    * `LIST_BOARDS`, `LIST_UNSOLVABLE`: see `list_boards`; ``LIMIT`` has the first place that is tried.
    * `WEIGH`: writes the number of paths through the border tables of ``word`` to the first of ``ways``.
    """
    boards = class_of(a)
    if a[TASK] == WEIGH:
        read_borders(boards)
        count_ways(boards)
        return 0
    return list_boards(boards, a[TASK], a[LIMIT], a[BUDGET])
