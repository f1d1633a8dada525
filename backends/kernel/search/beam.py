"""A beam search of the engine: plans soon, which needn't be shortest ones, and no bounds."""

from ctypes import POINTER, Structure, c_int32, c_int64, c_void_p
from weakref import finalize

from bsp_sat.backends.engine import function
from bsp_sat.backends.kernel.contents.ruled import alphabet_of
from bsp_sat.backends.kernel.search.search import MEMORY_SHARE, plan_of
from bsp_sat.backends.limits import MEGABYTE, available_bytes
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle


class BeamFacts(Structure):
    """What a beam has found: ``struct bspsat_beam_facts`` in `engine/beam/beam.h`."""

    _fields_ = tuple((name, c_int64) for name in ("expansions", "width", "cost"))


class Beam:
    """A beam search from one board, which can be continued.

    Args:
        puzzle: the board.
        by_homes: whether to search in the space of homes, see docs/search.md.
        memory_mb: MB (10⁶ bytes) to use for states; None for the memory that is free now.
        share: the beam's share of that memory.

    Raises:
        MemoryError: there isn't enough memory to begin.
    """

    def __init__(self, puzzle: SortPuzzle, *, by_homes: bool, memory_mb: float | None, share: float) -> None:
        self._alphabet = alphabet_of(puzzle, by_homes=by_homes)
        most = MEMORY_SHARE * available_bytes() if memory_mb is None else memory_mb * MEGABYTE
        self._most_bytes = int(share * most)
        numbers = self._alphabet.start(puzzle)
        new = function("bspsat_beam_new", c_void_p, c_void_p, c_void_p)
        handle = new(self._alphabet.handle, (c_int32 * len(numbers))(*numbers))
        if handle is None:
            raise MemoryError
        self._handle: int = handle
        self.close = finalize(self, function("bspsat_beam_free", None, c_void_p), handle)
        self._facts = function("bspsat_beam_facts", POINTER(BeamFacts), c_void_p)(handle).contents

    @property
    def expansions(self) -> int:
        """States expanded so far."""
        return int(self._facts.expansions)

    def advance(self, limit: int, budget: int) -> int:
        """Expands about ``budget`` states, for plans of at most ``limit`` moves.

        Returns:
            `bsp_sat.backends.engine.FOUND`; ``PAUSED``; ``EXHAUSTED`` or ``MEMORY`` where going on is of no use.
        """
        run = function("bspsat_beam_run", c_int64, c_void_p, *[c_int64] * 3)
        return int(run(self._handle, limit, budget, self._most_bytes))

    def plan(self) -> Plan:
        """The plan that was found last.

        Raises:
            MemoryError: there isn't enough memory.
        """
        return plan_of("bspsat_beam_plan", self._handle)
