"""All boards of n colours and n full tubes, case by case: see `bsp_sat.census.cases`."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from bsp_sat.backends.kernel.census import arrays
from bsp_sat.backends.kernel.census.arrays import Cases, Distinction, Positions
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, PAUSED
from bsp_sat.backends.kernel.native.memory import fill, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.instances.errors import Unsupported

MAX_TABLES = 1 << 22
MAX_COLOURS, MAX_CAPACITY = 11, 31  # of keys: a colour's number has at most 11 tubes of 5 bits, and its balls
MOST_PLACES = 1 << 26  # for positions that were decided; 3 GB for five colours
BUDGET = 500  # cases of one call: mostly some hundredths of a second
PROOF_BYTES = 1 << 16  # that are written between two calls
MODULUS = 1 << 64

Top = tuple[int, int]
"""A tube's first run: its colour, and how many balls it has."""


@dataclass(frozen=True)
class Decided:
    """What was found in some cases.

    Attributes:
        cases: how many there were.
        boards: how many boards they have in all, modulo 2⁶⁴.
        unsolvable: how many of those can't be solved, modulo 2⁶⁴.
        example: of the first case that can't be solved, the known balls of each tube, from the top.
        proof: how the others are solved, see `bsp_sat.formal.check_cases`.
    """

    cases: int
    boards: int
    unsolvable: int
    example: tuple[bytes, ...] | None
    proof: bytes


class CaseDistinction:
    """The cases of a class of boards, and the positions that were decided on the way.

    Args:
        colours: n, 1 to `MAX_COLOURS`.
        capacity: h, 1 to `MAX_CAPACITY`.
        empty: k, at least 0.
        places: for positions that were decided, a power of 2; None for as many as suit the class. With fewer it may
            take longer.

    Raises:
        Unsupported: the class is too large, or there is no compiled code.
    """

    def __init__(self, colours: int, capacity: int, empty: int, places: int | None = None) -> None:
        if colours > MAX_COLOURS or capacity > MAX_CAPACITY or capacity**colours > MAX_TABLES:
            raise Unsupported(
                f"boards of {colours} colours and capacity {capacity} are too many for a case distinction: expected at "
                f"most {MAX_COLOURS} colours, capacity {MAX_CAPACITY}, and {MAX_TABLES:,} border tables"
            )
        self._colours, self._capacity = colours, capacity
        balls, tables = colours * capacity, capacity**colours
        # Positions for each border table: 1 in (10,3,3), 104 in (6,6,3), 212 in (5,9,3), 359 in (5,10,3).
        places = places or min(MOST_PLACES, 1 << (4 * capacity**2 * tables).bit_length())
        self._cases = Cases(
            runs=zeros("i", colours),
            run_colours=zeros("i", colours, capacity),
            run_ends=zeros("i", colours, capacity),
            above=zeros("i", balls, colours),
            rest=zeros("i", colours),
            radix=zeros("i", colours + 1),
            table=zeros("i", colours),
            left=zeros("i", colours),
            seen=zeros("q", tables),
            stack=zeros("i", tables),
            gone=zeros("B", tables),
            proof=zeros("B", PROOF_BYTES),
            tube=zeros("i", balls),
            colour=zeros("i", balls),
            length=zeros("i", balls),
            used=zeros("i", balls + 1),
            ways=zeros("Q", balls + 1),
            binomials=zeros("Q", balls + 1, balls + 1),
            taken=zeros("i", colours),
            example=zeros("i", balls),
            totals=zeros("Q", arrays.CASE_TOTALS),
            figures=zeros("q", arrays.CASE_FIGURES),
        )
        levels = balls + 1
        self._positions = Positions(
            tubes=zeros("i", levels),
            sizes=zeros("i", levels, colours),
            colours=zeros("i", levels, colours),
            exposed=zeros("i", levels, colours),
            left=zeros("i", levels, colours),
            free=zeros("i", levels),
            tube=zeros("i", levels),
            colour=zeros("i", levels),
            length=zeros("i", levels),
            keys=zeros("Q", levels, colours),
            known=zeros("Q", places, colours),
            values=zeros("i", places),
        )
        for total in range(levels):
            for chosen in range(total + 1):
                self._cases.binomials[total, chosen] = comb(total, chosen) % MODULUS
        self._cases.figures[arrays.CASE_EMPTIES] = empty
        self._cases.figures[arrays.CASE_FULL] = capacity
        self._call = Call(Distinction(self._cases, self._positions))

    def decide(self, tops: Sequence[Top], ways: int) -> Decided:
        """Decides all boards whose tubes begin with some runs.

        Args:
            tops: of each tube. Colours are numbered in order of appearance.
            ways: in how many ways colours and tubes can be exchanged.
        """
        cases, figures = self._cases, self._cases.figures
        for colour in range(self._colours):
            cases.rest[colour] = self._capacity
        fill(cases.above, 0)
        for tube, (colour, length) in enumerate(tops):
            cases.runs[tube] = 1
            cases.run_colours[tube, 0], cases.run_ends[tube, 0] = colour, length
            cases.above[tube * self._capacity, colour] = length
            cases.rest[colour] -= length
        cases.used[0], cases.ways[0] = 1 + max(colour for colour, _ in tops), ways % MODULUS
        figures[arrays.CASE_LEVEL], figures[arrays.CASE_FRESH] = 0, 1
        figures[arrays.CASE_COUNT] = figures[arrays.CASE_DEAD] = 0
        cases.totals[arrays.BOARDS_DECIDED] = cases.totals[arrays.BOARDS_DEAD] = 0
        proof = bytearray()
        ended = PAUSED
        while ended != EXHAUSTED:
            figures[arrays.CASE_WRITTEN] = 0
            ended = self._call("go_through", BUDGET)
            proof += cases.proof[: figures[arrays.CASE_WRITTEN]]
        return Decided(
            figures[arrays.CASE_COUNT],
            cases.totals[arrays.BOARDS_DECIDED],
            cases.totals[arrays.BOARDS_DEAD],
            self._example() if figures[arrays.CASE_DEAD] else None,
            bytes(proof),
        )

    def first_border(self, exposed: Sequence[int], tops: Sequence[Top]) -> int | None:
        """A border after which the position is won, whatever is found below it; None if there is none.

        Args:
            exposed: balls of each colour above borders and in tubes without one.
            tops: of each tube with a border, the colour right above it and the balls above it.

        Returns:
            Its place in ``tops``.
        """
        positions = self._positions
        for colour, balls in enumerate(exposed):
            positions.exposed[0, colour] = balls
        for tube, (colour, size) in enumerate(tops):
            positions.colours[0, tube], positions.sizes[0, tube] = colour, size
        positions.tubes[0] = len(tops)
        found = self._call("first_border", 0)
        return None if found < 0 else found

    def _example(self) -> tuple[bytes, ...]:
        h, balls = self._capacity, self._cases.example
        tubes = (balls[tube * h : (tube + 1) * h] for tube in range(self._colours))
        return tuple(bytes(ball for ball in tube if ball >= 0) for tube in tubes)
