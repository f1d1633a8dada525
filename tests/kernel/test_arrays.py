"""The arrays that compiled code is handed: what their types say, by which it reads them, is what they are."""

from typing import Annotated, get_args, get_origin, get_type_hints

import numpy as np

from bsp_sat import BallSort, WaterSort, load
from bsp_sat.backends.kernel import PositionGraph
from bsp_sat.backends.kernel.arrays import Shape
from bsp_sat.backends.kernel.search import KernelSearch
from bsp_sat.instances.registry import PUZZLES
from tests.support.helpers import board
from tests.support.naive_variants import random_board


def tuples():
    """All named tuples of arrays that there are, of boards of several kinds."""
    fields = random_board(3, locked=True)
    plain, ruled = load("level-80"), PUZZLES[fields["puzzle"]].from_json(fields)
    several_homes = board(WaterSort, "abab|baba|ab|-", 4, "monochrome")
    for puzzle, by_homes in ((plain, True), (plain, False), (several_homes, False), (ruled, False)):
        search = KernelSearch(puzzle, by_homes=by_homes)
        yield from (search.alphabet.tables, search._scratch, search._store)
    full = KernelSearch(plain, by_homes=True, memory_mb=0.001)
    full._end_growth()
    yield full._store
    yield PositionGraph(board(BallSort, "ab|ba|-", 2), effort=1_000)._arrays


def test_types_say_what_arrays_hold():
    for arrays in tuples():
        hints = get_type_hints(type(arrays), include_extras=True)
        for name, array in arrays._asdict().items():
            hint, dimensions = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name], 1)
            (item,) = get_args(get_args(hint)[1])
            assert (array.ndim, array.dtype) == (dimensions, np.dtype(item)), (arrays, name)
            assert array.flags.c_contiguous, (arrays, name)


def test_a_shape_is_of_numbers_and_truths():
    assert set(get_type_hints(Shape).values()) == {int, bool}
