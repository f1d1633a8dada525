"""A search of the engine on a board whose balls go anywhere: `engine/anywhere/anywhere.h` says what it does."""

from collections.abc import Callable
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_int32, c_int64, c_uint64, c_void_p
from math import inf

from bsp_sat.backends.engine import FOUND, MEMORY, PAUSED, accepted, function, owned
from bsp_sat.backends.kernel.search.search import FEW_BYTES, Facts, KernelSearch, plan_from
from bsp_sat.backends.limits import MEGABYTE
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle, most_homes

GOALS = ("full", "monochrome", "gathered", "coloured", "wanted")
"""As ``enum bspsat_goal`` numbers them."""

MOST_COLOURS = 64
MOST_MOVES = 1 << 16  # of a plan made at once
MOST_STEPS = 5_000_000
"""Of one call, of some nanoseconds each: some hundredths of a second, in which nothing is heard."""


class _Tube(Structure):
    """``struct bspsat_tube``."""

    _fields_ = (
        ("takes", c_uint64),
        *((name, c_int32) for name in ("capacity", "group", "own", "gives", "matches", "lock_colour", "lock_tubes")),
    )


class _Board(Structure):
    """``struct bspsat_loose``."""

    _fields_ = (
        *((name, c_int32) for name in ("goal", "colours", "tubes", "corks", "pours", "whole", "drains", "plain")),
        ("wanted", c_int32 * MOST_COLOURS),
        ("homes", c_int32 * MOST_COLOURS),
        ("rules", POINTER(_Tube)),
        ("loads", c_char_p),
        ("balls", c_char_p),
    )


class AnywhereSearch(KernelSearch):
    """A search for a shortest plan; its bound is `rank`, and it never goes depth first.

    ``plain`` takes the plain lower bound, and no prunings: for distance labels. Without ``memory_mb`` MB (10⁶ bytes) it
    takes the memory that is free when it is needed. Raises MemoryError if that isn't enough to begin.
    """

    def __init__(self, puzzle: SortPuzzle, *, plain: bool = False, memory_mb: float | None = None) -> None:
        self.puzzle = puzzle
        self._share = 1.0
        self._limit = inf if memory_mb is None else memory_mb * MEGABYTE
        self._most_bytes = int(min(FEW_BYTES, self._limit))
        rules, colours = puzzle.rules, len(puzzle.palette)
        groups = {place: number for number, places in enumerate(rules.classes) for place in places}
        tubes = (_Tube * len(rules.tubes))()
        for place, rule in enumerate(rules.tubes):
            takes = sum(1 << colour for colour in range(colours) if rule.lets_in(colour))
            lock_colour, lock_tubes = rule.lock or (None, None)
            own = -1 if rule.colour is None else rule.colour
            opens = -1 if lock_colour is None else lock_colour, lock_tubes or 0
            tubes[place] = _Tube(takes, rule.capacity, groups[place], own, rule.gives, not rule.any_top, *opens)
        board = _Board(
            goal=GOALS.index(puzzle.goal),
            colours=colours,
            tubes=len(tubes),
            corks=rules.cork,
            pours=puzzle.whole_run,
            whole=not rules.partial,
            drains=rules.drain,
            plain=plain,
            wanted=(c_int32 * MOST_COLOURS)(*rules.wanted),
            homes=(c_int32 * MOST_COLOURS)(*most_homes(rules, puzzle.goal)),
            rules=tubes,
            loads=b"".join(len(tube).to_bytes(1, "little") for tube in puzzle.tubes),
            balls=b"".join(puzzle.tubes),
        )
        handle = c_void_p()
        made = function("bspsat_anywhere_new", c_int64, c_void_p, c_void_p)(byref(board), byref(handle))
        accepted(made, "a board within its limits")
        self._handle, self.close = owned(self, handle.value, "bspsat_anywhere_free")
        self._facts = function("bspsat_anywhere_facts", POINTER(Facts), c_void_p)(self._handle).contents

    def advance(self, limit: int, budget: int) -> int:
        """Goes on for ``budget`` steps of some nanoseconds each, to plans of at most ``limit`` moves.

        Returns `bsp_sat.backends.engine.FOUND`, ``EXHAUSTED`` or ``PAUSED``. Raises MemoryError if it needs more memory
        than it may take, or can get.
        """
        run = function("bspsat_anywhere_run", c_int64, c_void_p, *[c_int64] * 3)
        while (outcome := int(run(self._handle, limit, budget, self._most_bytes))) == MEMORY:
            if not self._may_have_more():
                raise MemoryError
        return accepted(outcome, "a bound that falls by at most one in a move")

    def plan(self) -> Plan:
        """The shortest plan, once it is found. MemoryError if there isn't enough memory."""
        return self._plan_by("bspsat_anywhere_plan", room=int(self._facts.cost)) or Plan(())

    def positions(self, limit: int) -> tuple[bytes, bytes]:
        """The positions so far that may be on plans of at most ``limit`` moves: see ``bspsat_anywhere_states``."""
        tubes, tallest = len(self.puzzle.tubes), self.puzzle.rules.tallest
        listed = function("bspsat_anywhere_states", c_int64, c_void_p, c_int64, c_void_p, c_void_p)
        number = listed(self._handle, limit, None, None)
        rows = (c_char * (number * (4 + tubes * (1 + tallest))))()
        locked = (c_char * (number * tubes))()
        listed(self._handle, limit, rows, locked)
        return rows.raw, locked.raw

    def sure_plan(self) -> Plan | None:
        """A plan made at once, by exchanging balls through an empty tube; None where there isn't room for that."""
        return self._plan_by("bspsat_anywhere_sure", room=MOST_MOVES)

    def beam_plan(self, width: int, limit: int, steps: int, pause: Callable[[], object] = lambda: None) -> Plan | None:
        """A plan of at most ``limit`` moves by a beam search of some width, if that finds one in some steps.

        ``pause`` is called every some hundredths of a second, and may raise an exception to end the search.
        """
        begin = function("bspsat_anywhere_beam", c_int64, c_void_p, *[c_int64] * 3)
        if begin(self._handle, width, limit, steps) == MEMORY:
            raise MemoryError
        run = function("bspsat_anywhere_beam_run", c_int64, c_void_p, c_int64)
        while (outcome := run(self._handle, MOST_STEPS)) == PAUSED:
            pause()
        return self._plan_by("bspsat_anywhere_beam_plan", room=MOST_MOVES) if outcome == FOUND else None

    def _plan_by(self, name: str, room: int) -> Plan | None:
        """The plan that a function of the engine writes; None if it has none of at most ``room`` moves."""
        moves = (c_char * (2 * room))()
        write = function(name, c_int64, c_void_p, c_void_p, c_int64)
        made = accepted(write(self._handle, moves, room), "a plan that was found")
        return plan_from(moves.raw[: 2 * made]) if 0 < made <= room else None
