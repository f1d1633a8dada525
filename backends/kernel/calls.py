"""Calls compiled code with the address of an array of numbers, which include the addresses of other arrays."""

from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Any

from bsp_sat.backends.kernel.arrays import BUDGET, LIMIT, NO_LIMIT, SHAPE_AT, TASK, Array, Shape
from bsp_sat.backends.kernel.memory import address_of
from bsp_sat.backends.kernel.shared_library import EntryPoint


def argument_of(shape: Shape, *arrays: Iterable[Array]) -> list[int]:
    """The numbers to call compiled code with; the task is still 0."""
    numbers = [*[0] * SHAPE_AT, *map(int, shape)]
    view: Any  # an array always has a shape
    for view in chain.from_iterable(arrays):
        numbers.append(address_of(view))
        numbers += (*view.shape, 1)[:2]
    return numbers


class Call:
    """A compiled function with the arrays that it works on; each call does one task.

    Args:
        entry: the function.
        shape: the layout of states.
        arrays: named tuples in the order in which the function reads them.
    """

    def __init__(self, entry: EntryPoint, shape: Shape, *arrays: Iterable[Array]) -> None:
        self._function = entry.function
        self._arrays = arrays  # kept, so that the addresses stay valid
        self._argument = array("q", argument_of(shape, *arrays))
        self._address = self._argument.buffer_info()[0]

    def __call__(self, task: int, limit: int = NO_LIMIT, budget: int = 0) -> int:
        """Does a task, and returns the function's result."""
        argument = self._argument
        argument[TASK], argument[LIMIT], argument[BUDGET] = task, limit, budget
        return self._function(self._address)
