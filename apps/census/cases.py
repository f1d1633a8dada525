"""Decides all boards of a class by a case distinction that looks only at balls that have to be known.

A **case** is a board of which the upper runs of each tube are known, so that right below them is a border or nothing.
The tables of the border argument (`bsp_sat.backends.search.borders`) whose borders are among the known ones, and the
steps between them, are the same for all boards of a case. So

* if a known table that can be reached has a *won position*, all boards of the case can be solved;
* if no step from such a table makes a border go below which nothing is known, none of them can;
* else the next run of such a tube tells the cases apart: one for each colour and length. They are decided in turn.

**Won positions.** A position is what a table says without what is below its borders: for each tube with a border, how
many balls are above it and the colour right above it; and how many balls of each colour are above borders or in tubes
without one. That is all that the test of a step asks for, besides the number of tubes without borders. A position is
won if at most k tubes have borders, since then every border may go, and so may all after it. It is won too if some
border may go such that, whatever run is found below it, the next position is won. So on every board with a won position
there is a path of tables from it to the one without borders, and so a plan (Ito et al., FUN 2022, doi
10.4230/LIPIcs.FUN.2022.16; proved in `formal/every_board/Paths.v`). The runs that are tried are all that the number of
balls allows, so a won position doesn't depend on the board. That a position isn't won says nothing.

**All boards are in one case.** The first cases are the ways in which all tubes can begin, one of those that differ by
names of colours and the order of tubes, with the number of ways in which they can be exchanged. Below them a colour
that hasn't been seen stands for all of these. For each decided case the boards are counted: the orders of the covered
balls in which no border vanishes, by inclusion and exclusion. These numbers have to add up to (n·h)! / (h!)ⁿ, all
boards with tubes and colours told apart, which is checked modulo 2⁶⁴. The boards that can't be solved are counted too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from math import factorial, prod
from typing import Any

from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.case_distinction import CaseDistinction, Decided
from bsp_sat.instances.errors import BackendError

MODULUS = 1 << 64
PARTS = 64  # of a class
PART_NAMES = [bytes([part]) for part in range(PARTS)]

Lengths = tuple[int, ...]
"""The lengths of the first runs of one colour, from high to low."""


@dataclass(frozen=True)
class Beginning:
    """How all tubes begin up to exchange: a group for each colour on top; in so many ``ways`` they can be exchanged."""

    groups: tuple[Lengths, ...]
    ways: int

    @property
    def tops(self) -> list[tuple[int, int]]:
        """The colour and the length of each tube's first run."""
        return [(colour, length) for colour, group in enumerate(self.groups) for length in group]


def first_runs(of: BoardClass) -> list[Beginning]:
    """The beginnings of all boards of a class: the first run of each tube."""
    n, h = of.colours, of.capacity
    groups = [group for tubes in range(1, n + 1) for group in _groups(tubes, h, h)]
    return [Beginning(chosen, _ways(chosen, n)) for chosen in _choices(groups, n)]


def _groups(tubes: int, longest: int, balls: int) -> Iterator[Lengths]:
    """The lengths, from high to low, of some runs of a colour with that many balls."""
    if tubes == 0:
        yield ()
        return
    for length in range(min(longest, balls - tubes + 1), 0, -1):
        for rest in _groups(tubes - 1, length, balls - length):
            yield length, *rest


def _choices(groups: Sequence[Lengths], tubes: int) -> Iterator[tuple[Lengths, ...]]:
    """The selections of groups, in order, that have a number of tubes in all."""
    if tubes == 0:
        yield ()
        return
    for first, group in enumerate(groups):
        if len(group) <= tubes:
            for rest in _choices(groups[first:], tubes - len(group)):
                yield group, *rest


def _ways(groups: tuple[Lengths, ...], n: int) -> int:
    """In how many ways the colours of groups can be chosen, and their tubes be put in order."""
    alike = prod(map(factorial, Counter(groups).values()))
    same = prod(factorial(number) for group in groups for number in Counter(group).values())
    return factorial(n) // factorial(n - len(groups)) // alike * (factorial(n) // same)


@dataclass(frozen=True)
class CasePart:
    """What was found in some of the cases of a class. ``unsolvable``: how many of those can't be solved, modulo 2⁶⁴."""

    cases: int = 0
    boards: int = 0
    unsolvable: int = 0
    example: bytes | None = None

    def merged(self, other: "CasePart") -> "CasePart":
        """With the cases of another part, which comes later."""
        return CasePart(
            self.cases + other.cases,
            (self.boards + other.boards) % MODULUS,
            (self.unsolvable + other.unsolvable) % MODULUS,
            other.example if self.example is None else self.example,
        )

    def shown(self) -> Iterator[bytes]:
        """The board that is kept."""
        if self.example is not None:
            yield self.example

    def to_json(self) -> dict[str, Any]:
        """The board as digits in hexadecimal, two for each ball."""
        return {**asdict(self), "example": None if self.example is None else self.example.hex()}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "CasePart":
        """The reverse of `to_json`; fields that don't fit or contradict each other raise errors as in `StoredPart`."""
        example = None if fields["example"] is None else bytes.fromhex(fields["example"])
        part = cls(int(fields["cases"]), int(fields["boards"]), int(fields["unsolvable"]), example)
        if part.unsolvable and example is None:
            raise ValueError
        return part


def decide(of: BoardClass, name: bytes) -> CasePart:
    """Decides the cases of one of the parts in `PART_NAMES`. Unsupported if the class is too large."""
    distinction = _distinction(of)
    found = CasePart()
    for beginning in first_runs(of)[name[0] :: PARTS]:
        decided = distinction.decide(beginning.tops, beginning.ways)
        found = found.merged(CasePart(decided.cases, decided.boards, decided.unsolvable, _example(of, decided)))
    return found


@lru_cache(maxsize=1)  # so that a worker keeps the positions that it has decided
def _distinction(of: BoardClass) -> CaseDistinction:
    return CaseDistinction(of.colours, of.capacity, of.empty)


def count_boards(of: BoardClass) -> int:
    """The number of boards of a class with tubes and colours told apart."""
    boards: int = factorial(of.colours * of.capacity) // factorial(of.capacity) ** of.colours
    return boards


def unsolvable_boards(of: BoardClass, whole: CasePart) -> int | None:
    """How many of the boards of a class can't be solved, by all its parts; None if the number may be above 2⁶⁴."""
    return whole.unsolvable if whole.example is None or count_boards(of) < MODULUS else None


def _example(of: BoardClass, decided: Decided) -> bytes | None:
    """A board of the case that can't be solved, if there is one."""
    if decided.example is None:
        return None
    known = Counter(chain.from_iterable(decided.example))
    rest = Counter({colour: of.capacity - known[colour] for colour in range(of.colours)})
    tubes = [bytearray(tube) for tube in decided.example]
    covered = [tube for tube in tubes if len(tube) < of.capacity]
    if not _put_below(covered, rest):
        raise BackendError("a case without boards was decided")
    for tube in covered:
        while len(tube) < of.capacity:
            colour = next(colour for colour in rest if rest[colour])
            rest[colour] -= 1
            tube.append(colour)
    return b"".join(bytes(reversed(tube)) for tube in tubes)


def _put_below(tubes: Sequence[bytearray], rest: Counter[int]) -> bool:
    """Puts a ball of another colour below the last known one of each tube, if that is possible."""
    if not tubes:
        return True
    first, *others = tubes
    for colour in rest:
        if rest[colour] and colour != first[-1]:
            rest[colour] -= 1
            first.append(colour)
            if _put_below(others, rest):
                return True
            first.pop()
            rest[colour] += 1
    return False
