"""A beam search from a sort board: plans soon, which needn't be shortest ones, and no bounds."""

from ctypes import c_int32, c_void_p

from bsp_sat.backends.beams import AnyBeam
from bsp_sat.backends.engine import function
from bsp_sat.backends.kernel.contents.ruled import alphabet_of
from bsp_sat.backends.kernel.search.search import plan_from
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle


class Beam(AnyBeam):
    """A beam search from a sort board; ``by_homes``: in the space of homes, see docs/search.md. Else as `AnyBeam`."""

    def __init__(self, puzzle: SortPuzzle, *, by_homes: bool, memory_mb: float | None, share: float) -> None:
        self._alphabet = alphabet_of(puzzle, by_homes=by_homes)
        numbers = self._alphabet.start(puzzle)
        new = function("bspsat_beam_new", c_void_p, c_void_p, c_void_p)
        super().__init__(new(self._alphabet.handle, (c_int32 * len(numbers))(*numbers)), memory_mb, share)

    def plan(self) -> Plan:
        """The plan that was found last; errors as for `AnyBeam.moves`."""
        return plan_from(self.moves())
