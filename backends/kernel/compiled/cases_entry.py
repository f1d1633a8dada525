"""The one function that is called from outside for a case distinction."""

from typing import Any

import numba
from numba import types

from bsp_sat.backends.kernel.arrays import BUDGET, CASE_ARRAYS
from bsp_sat.backends.kernel.compiled.arguments import array_readers
from bsp_sat.backends.kernel.compiled.cases import go_through
from bsp_sat.backends.kernel.compiled.packing import OPTIONS

cases_of, positions_of = array_readers(*CASE_ARRAYS)


@numba.cfunc(types.int64(types.CPointer(types.int64)), **OPTIONS)
def run(a: Any) -> int:
    """Goes on through the cases, see `go_through`."""
    return go_through(cases_of(a), positions_of(a), a[BUDGET])
