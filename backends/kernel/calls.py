"""How compiled code is called: with the address of numbers among which are the addresses of arrays."""

import ctypes
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bsp_sat.backends.kernel.arrays import BUDGET, LIMIT, NO_LIMIT, SHAPE_AT, TASK, Shape
from bsp_sat.backends.kernel.library import EntryPoint

NO_BYTES = ctypes.c_char * 0


class Call:
    """A compiled function with the arrays that it works on, to be called for one task after the other.

    Args:
        entry: the function.
        shape: how states are built.
        arrays: named tuples in the order in which the function reads them.
    """

    def __init__(self, entry: EntryPoint, shape: Shape, *arrays: Iterable[NDArray[Any]]) -> None:
        self._function = entry.function
        self._arrays = arrays  # kept, so that the addresses stay good
        numbers = [*[0] * SHAPE_AT, *map(int, shape)]
        array: Any
        for array in chain.from_iterable(arrays):
            # A fifth of the time that its `ctypes.data` takes, and there are dozens of them for each board.
            numbers.append(ctypes.addressof(NO_BYTES.from_buffer(array)))
            numbers += (*array.shape, 1)[:2]
        self._argument = np.array(numbers, np.int64)
        self._address = self._argument.ctypes.data

    def __call__(self, task: int, limit: int = NO_LIMIT, budget: int = 0) -> int:
        """Has a task done, and returns what its function does."""
        argument = self._argument
        argument[TASK], argument[LIMIT], argument[BUDGET] = task, limit, budget
        return self._function(self._address)
