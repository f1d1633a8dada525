"""All boards of n colours and n full tubes, case by case: see `bsp_sat.apps.census.cases`. `engine/` does it."""

from collections.abc import Sequence
from ctypes import POINTER, Array, Structure, byref, c_int32, c_int64, c_uint64, c_void_p, string_at
from dataclasses import dataclass

from bsp_sat.backends.engine import EXHAUSTED, FOUND, accepted, function, owned
from bsp_sat.instances.errors import Unsupported

MAX_TABLES = 1 << 22
MAX_COLOURS, MAX_CAPACITY = 11, 31  # of keys: a colour's number has at most 11 tubes of 5 bits, and its balls
MOST_PLACES = 1 << 26  # for positions that were decided; 3 GB for five colours
STEPS = 1 << 16  # of one call: at most some hundredths of a second
MODULUS = 1 << 64

Top = tuple[int, int]
"""A tube's first run: its colour, and how many balls it has."""


@dataclass(frozen=True)
class Decided:
    """What was found in some cases.

    ``unsolvable`` of those can't be solved, modulo 2⁶⁴. Of the first, ``example`` has the known balls of each tube,
    from the top; ``proof`` says how the others are solved, see `bsp_sat.formal.check_cases`.
    """

    cases: int
    boards: int
    unsolvable: int
    example: tuple[bytes, ...] | None
    proof: bytes


class _Found(Structure):
    """What the engine found so far."""

    _fields_ = (
        ("cases", c_int64),
        ("dead", c_int64),
        ("boards", c_uint64),
        ("unsolvable", c_uint64),
        ("example", POINTER(c_int32)),
    )


class CaseDistinction:
    """The cases of a class of boards, and the positions that were decided on the way.

    ``places`` for positions are a power of 2, None for as many as suit the class; with fewer it may take longer. Raises
    `Unsupported` if the class is too large, or there is no compiled code.
    """

    def __init__(self, colours: int, capacity: int, empty: int, places: int | None = None) -> None:
        if colours > MAX_COLOURS or capacity > MAX_CAPACITY or capacity**colours > MAX_TABLES:
            raise Unsupported(
                f"boards of {colours} colours and capacity {capacity} are too many for a case distinction: expected at "
                f"most {MAX_COLOURS} colours, capacity {MAX_CAPACITY}, and {MAX_TABLES:,} border tables"
            )
        self._colours, self._capacity = colours, capacity
        # Positions for each border table: 1 in (10,3,3), 104 in (6,6,3), 212 in (5,9,3), 359 in (5,10,3).
        places = places or min(MOST_PLACES, 1 << (4 * capacity**2 * capacity**colours).bit_length())
        made = function("bspsat_cases_new", c_void_p, *[c_int64] * 4)(colours, capacity, empty, places)
        self._cases, _ = owned(self, made, "bspsat_cases_free")

    def decide(self, tops: Sequence[Top], ways: int) -> Decided:
        """Decides all boards whose tubes begin with some runs; ValueError if none of the class does.

        Colours are numbered in order of appearance; in so many ``ways`` colours and tubes can be exchanged.
        """
        begin = function("bspsat_cases_begin", c_int64, c_void_p, c_int64, c_void_p, c_uint64)
        go_on = function("bspsat_cases_go_on", c_int64, c_void_p, c_int64, *[c_void_p] * 3)
        if begin(self._cases, len(tops), _numbers(tops), ways % MODULUS) != FOUND:
            raise ValueError(f"expected the first run of each tube of a board, found {tops!r}")
        steps, number, found = c_void_p(), c_int64(), _Found()
        proof = bytearray()
        outcome = None
        while outcome != EXHAUSTED:
            outcome = accepted(go_on(self._cases, STEPS, byref(steps), byref(number), byref(found)), "boards in work")
            proof += string_at(steps, number.value)
        example = self._example(found.example) if found.dead else None
        return Decided(found.cases, found.boards, found.unsolvable, example, bytes(proof))

    def first_border(self, exposed: Sequence[int], tops: Sequence[Top]) -> int | None:
        """The place in ``tops`` of a border after which the position is won, whatever is below it; None without one.

        ``exposed`` has the balls of each colour above borders and in tubes without one; ``tops`` of each tube with a
        border the colour right above it and the balls above it. Raises `ValueError` if no position of the class is so.
        """
        place = function("bspsat_cases_place", c_int64, c_void_p, c_void_p, c_int64, c_void_p)
        go_on = function("bspsat_cases_border", c_int64, c_void_p, c_int64, c_void_p)
        above = (c_int32 * len(exposed))(*exposed)
        if len(exposed) != self._colours or place(self._cases, above, len(tops), _numbers(tops)) != FOUND:
            raise ValueError(f"expected tubes with a border and the balls above them, found {tops!r} and {exposed!r}")
        border = c_int64()
        while accepted(go_on(self._cases, STEPS, byref(border)), "a position in work") != EXHAUSTED:
            pass
        return None if border.value < 0 else border.value

    def _example(self, balls: Sequence[int]) -> tuple[bytes, ...]:
        h = self._capacity
        tubes = (balls[tube * h : (tube + 1) * h] for tube in range(self._colours))
        return tuple(bytes(ball for ball in tube if ball >= 0) for tube in tubes)


def _numbers(tops: Sequence[Top]) -> Array[c_int32]:
    return (c_int32 * (2 * len(tops)))(*(number for top in tops for number in top))
