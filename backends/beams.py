"""Beam searches of the engine: plans soon, which needn't be shortest ones, and no bounds."""

from ctypes import POINTER, Structure, c_char, c_int64, c_void_p

from bsp_sat.backends.engine import accepted, function, owned
from bsp_sat.backends.limits import MEGABYTE, MEMORY_SHARE, available_bytes

SOME_MOVES = 1 << 10


def moves_of(name: str, handle: int) -> bytes:
    """The moves that a search or a beam has found, by the engine's function that writes them. Raises MemoryError."""
    write = function(name, c_int64, c_void_p, c_void_p, c_int64)
    room = SOME_MOVES
    while True:
        moves = (c_char * (2 * room))()
        made = accepted(write(handle, moves, room), "a plan that was found")
        if made <= room:
            return moves.raw[: 2 * made]
        room = made


class BeamFacts(Structure):
    """What a beam has found: ``struct bspsat_beam_facts`` in `engine/beam/beam.h`."""

    _fields_ = tuple((name, c_int64) for name in ("expansions", "width", "cost"))


class AnyBeam:
    """A beam search, which can be continued: a ``struct bspsat_beam`` of the engine, which goes with this.

    It takes its share of ``memory_mb`` MB (10⁶ bytes) for states; None for the memory that is free now. Raises
    MemoryError if that isn't enough to begin.
    """

    def __init__(self, handle: int | None, memory_mb: float | None, share: float) -> None:
        self._handle, self.close = owned(self, handle, "bspsat_beam_free")
        most = MEMORY_SHARE * available_bytes() if memory_mb is None else memory_mb * MEGABYTE
        self._most_bytes = int(share * most)
        self._facts = function("bspsat_beam_facts", POINTER(BeamFacts), c_void_p)(self._handle).contents

    @property
    def expansions(self) -> int:
        """States expanded so far."""
        return int(self._facts.expansions)

    def advance(self, limit: int, budget: int) -> int:
        """Expands about ``budget`` states, for plans of at most ``limit`` moves.

        Returns `bsp_sat.backends.engine.FOUND`; ``PAUSED``; ``EXHAUSTED`` or ``MEMORY`` where going on is of no use.
        """
        run = function("bspsat_beam_run", c_int64, c_void_p, *[c_int64] * 3)
        return int(run(self._handle, limit, budget, self._most_bytes))

    def moves(self) -> bytes:
        """The plan that was found last, as the engine writes it. MemoryError if there isn't enough memory."""
        return moves_of("bspsat_beam_plan", self._handle)
