"""How compiled code is called: with the address of numbers among which are the addresses of arrays."""

from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Any

from bsp_sat.backends.kernel.arrays import BUDGET, LIMIT, NO_LIMIT, SHAPE_AT, TASK, Array, Shape
from bsp_sat.backends.kernel.machine_code import MachineCode
from bsp_sat.backends.kernel.memory import address_of


def argument_of(shape: Shape, *arrays: Iterable[Array]) -> list[int]:
    """The numbers that compiled code is called with, for a task that is yet to be named."""
    numbers = [*[0] * SHAPE_AT, *map(int, shape)]
    view: Any  # an array always has a shape
    for view in chain.from_iterable(arrays):
        numbers.append(address_of(view))
        numbers += (*view.shape, 1)[:2]
    return numbers


class Call:
    """A compiled function with the arrays that it works on, to be called for one task after the other.

    Args:
        code: where the function comes from.
        shape: how states are built.
        arrays: named tuples in the order in which the function reads them.
    """

    def __init__(self, code: MachineCode, shape: Shape, *arrays: Iterable[Array]) -> None:
        self._function = code.function()
        self._arrays = arrays  # kept, so that the addresses stay good
        self._argument = array("q", argument_of(shape, *arrays))
        self._address = self._argument.buffer_info()[0]

    def __call__(self, task: int, limit: int = NO_LIMIT, budget: int = 0) -> int:
        """Has a task done, and returns what its function does."""
        argument = self._argument
        argument[TASK], argument[LIMIT], argument[BUDGET] = task, limit, budget
        return self._function(self._address)
