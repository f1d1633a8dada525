"""A checker of proofs that every board of a class can be solved; it shares nothing with the search.

    python check_cases.py DIR

Exit code: 0 if the claim holds, 1 if it isn't shown, 2 if the files can't be read. It needs `check_labels.py`, which
reads files, in the same folder, and nothing else.

**The claim** in ``claim.json``: with n colours, each filling one tube, n full tubes of capacity h and k empty tubes,
every board can be solved, in ball sort and in water sort.

**What is to be believed.** A *border* is a place in a tube where the colour changes. A board can be solved if its
borders can go one after the other, in each tube from the top, so that each *may go*: for each colour, take its balls
above the highest borders (in tubes without one, all of them) less the places above highest borders that have it right
above them, not counting the border that goes. There may be as many colours for which this is above 0 as there are empty
tubes and tubes without borders. `by_borders` in ``every_board/Paths.v``, which Coq has checked, says so, and the
reverse. Once at most k tubes have borders, all may go, as there are only n colours.

**Positions.** So all that counts is, for each colour, its balls above highest borders, and for each of these borders
that it is right above, the balls above that. This is a position here; names of colours and the order of tubes don't
matter. A position is *won* if at most k tubes have borders, or if a border may go such that, whatever run of one colour
is below it, the next position is won. The run may have any other colour and any length that the tube and the number of
balls allow. By induction, every board with a won position can be solved.

**The file** ``cases.bin`` is a line, ``bsp-sat cases 1: T trees in B bytes, P positions``, and, compressed by zlib, the
trees and a byte for each of P positions. The first runs of a board's tubes make a position. The checker lists all of
these. Each must be won or have a *tree*: the colour and the length of each tube's first run, and then steps for the
case in work, of which some runs of each tube are known:

    t       the next run of tube t tells cases apart, by its colour and its length. The steps of each follow. Of colours
            of which no ball is known the first stands for all. A case has no steps if it has no board, as too few balls
            of other colours are left to lie right below all known runs of one colour.
    32 + t  the highest border of tube t, below which a run is known, may go, and goes.
    64      the position is won: the case's last step.

The positions that are to be won so, and those to which they lead, come in the order of their balls above borders, then
of their bytes. Each has a byte, the border that goes, by its number in `tops_of`; not if at most k tubes have borders.
They lead only to positions with more balls above borders, which come later. So nothing is shown by itself.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING or __package__:
    from bsp_sat.formal.check_labels import NotVerified, Unreadable, decompressed, main, read_file, read_json
else:
    from check_labels import NotVerified, Unreadable, decompressed, main, read_file, read_json

CASES_FILE = "cases.bin"
MAX_COLOURS, MAX_CAPACITY, MAX_BALLS = 30, 30, 200
MAX_BYTES = 100_000_000  # of cases.bin
MAX_TREES_BYTES = 200_000_000
MAX_BEGINNINGS = 100_000
MAX_POSITIONS = 10_000_000  # about a gigabyte
HEADER = re.compile(
    rb"bsp-sat cases 1: (NUMBER) trees in (NUMBER) bytes, (NUMBER) positions\n".replace(b"NUMBER", b"0|[1-9][0-9]{0,8}")
)
UNCOVER, DIG, KNOWN = 0, 32, 64
SEPARATOR = b"\xff"  # of colours, in the bytes of a position

Position = bytes
"""For each colour the balls above borders, and the numbers of balls above its borders, from high to low; the colours
from low to high, and 255 between them."""

Run = tuple[int, int]
"""A colour, and how many balls."""


class Class(NamedTuple):
    """Boards of n colours, capacity h and k empty tubes."""

    colours: int
    capacity: int
    empty: int


def position_of(exposed: list[int], tops: list[Run]) -> Position:
    """The bytes of a position: balls of each colour above borders; for each border, the colour and the balls above."""
    colours = [[balls] for balls in exposed]
    for colour, balls in sorted(tops, key=lambda top: -top[1]):
        colours[colour].append(balls)
    return SEPARATOR.join(sorted(map(bytes, colours)))


def tops_of(position: Position) -> list[Run]:
    """For each border of a position, the colour and the balls above it; the colours numbered in its order."""
    return [(colour, balls) for colour, part in enumerate(position.split(SEPARATOR)) for balls in part[1:]]


def may_go(of: Class, exposed: list[int], tops: list[Run], gone: int) -> bool:
    """Whether a border may go."""
    left = list(exposed)
    for border, (colour, balls) in enumerate(tops):
        if border != gone:
            left[colour] -= balls
    return sum(balls > 0 for balls in left) <= of.empty + of.colours - len(tops)


class Proof:
    """What is shown step by step, how many cases were looked at to the last step, and positions left to be won."""

    def __init__(self, of: Class) -> None:
        self.of = of
        self.cases = 0
        self.positions = 0
        self._wanted: dict[int, set[Position]] = defaultdict(set)  # by balls above borders
        self._beginnings = {SEPARATOR.join([b"\0"] * of.colours)}
        for _ in range(of.colours):
            longer: set[Position] = set()
            for position in self._beginnings:
                longer.update(after for _, after in _after_run(of.capacity, position.split(SEPARATOR), None, 0))
                if len(longer) > MAX_BEGINNINGS:
                    raise Unreadable(f"the class is too large: its boards begin in more than {MAX_BEGINNINGS} ways")
            self._beginnings = longer

    def __str__(self) -> str:
        """What was checked, line by line."""
        colours, capacity, empty = self.of
        tubes = "1 empty tube" if empty == 1 else f"{empty} empty tubes"
        shown = f"every board of {colours} colours, capacity {capacity} and {tubes} can be solved"
        return f"Cases: {self.cases} in trees, {self.positions} won positions.\nVerified: {shown}."

    def follow_tree(self, first: list[Run], steps: Iterator[int]) -> None:
        """Goes through the tree of the boards with these first runs."""
        n, h, _ = self.of
        covered = [h] * n
        for colour, length in first:
            if colour >= n or not 1 <= length <= covered[colour]:
                raise Unreadable(f"{CASES_FILE}: a tree for first runs that no board has")
            covered[colour] -= length
        runs = [[run] for run in first]
        self._beginnings.discard(position_of(*self._position(runs, [0] * n)[:2]))
        self._follow(runs, covered, [0] * n, steps)

    def _follow(self, runs: list[list[Run]], covered: list[int], gone: list[int], steps: Iterator[int]) -> None:
        """Goes through the steps of a case.

        ``runs`` are the known ones of each tube, from the top, ``covered`` the balls of each colour that aren't known,
        and ``gone`` how many borders of each tube are gone.
        """
        n, h, _ = self.of
        ends = [sum(length for _, length in tube) for tube in runs]
        below = Counter(tube[-1][0] for tube, end in zip(runs, ends, strict=True) if end < h)
        if any(borders > sum(covered) - covered[colour] for colour, borders in below.items()):
            return
        while (step := next(steps, None)) != KNOWN:
            if step is None or step > KNOWN or step % DIG >= n:
                raise Unreadable(f"{CASES_FILE}: expected a step of a tree, found {step}")
            tube = step % DIG
            if step < DIG:
                if ends[tube] == h:
                    raise NotVerified(f"{CASES_FILE}: all runs of tube {tube} are known already")
                for colour, length in _runs_below(runs[tube][-1][0], h - ends[tube], covered, h):
                    runs[tube].append((colour, length))
                    covered[colour] -= length
                    self._follow(runs, covered, list(gone), steps)
                    covered[colour] += length
                    runs[tube].pop()
                return
            exposed, tops, tubes = self._position(runs, gone)
            if gone[tube] + 1 == len(runs[tube]) or not may_go(self.of, exposed, tops, tubes.index(tube)):
                raise NotVerified(f"{CASES_FILE}: the border of tube {tube} can't go")
            gone[tube] += 1
        self.cases += 1
        exposed, tops, _ = self._position(runs, gone)
        self._want(sum(exposed), position_of(exposed, tops))

    def _position(self, runs: list[list[Run]], gone: list[int]) -> tuple[list[int], list[Run], list[int]]:
        """The balls above borders of a case, its borders, and the tubes that have them."""
        exposed = [0] * self.of.colours
        tops, tubes = [], []
        for tube, (known, last) in enumerate(zip(runs, gone, strict=True)):
            size = 0
            for colour, length in known[: last + 1]:
                exposed[colour] += length
                size += length
            if size < self.of.capacity:
                tops.append((known[last][0], size))
                tubes.append(tube)
        return exposed, tops, tubes

    def follow_positions(self, border_of: Callable[[Position], int]) -> None:
        """Goes through all positions that are to be won, each by the border that goes."""
        for position in self._beginnings:
            self._want(sum(part[0] for part in position.split(SEPARATOR)), position)
        while self._wanted:
            balls = min(self._wanted)
            for position in sorted(self._wanted.pop(balls)):
                self._remove_border(balls, position, border_of(position))

    def _remove_border(self, balls: int, position: Position, border: int) -> None:
        """Removes a border, and wants every position with a run that may be below it to be won."""
        parts, tops = position.split(SEPARATOR), tops_of(position)
        if border >= len(tops) or not may_go(self.of, [part[0] for part in parts], tops, border):
            raise NotVerified(f"{CASES_FILE}: border {border} of the position {position.hex(' ')} can't go")
        last, size = tops[border]
        at = parts[last].index(size, 1)
        parts[last] = parts[last][:at] + parts[last][at + 1 :]
        for length, following in _after_run(self.of.capacity, parts, last, size):
            self._want(balls + length, following)

    def _want(self, balls: int, position: Position) -> None:
        """Notes a position that is to be won; ``balls`` are those above borders."""
        borders = len(position) - (2 * self.of.colours - 1)  # a number each, besides the colours' own and separators
        if borders <= self.of.empty:
            return
        wanted = self._wanted[balls]
        self.positions -= len(wanted)
        wanted.add(position)
        self.positions += len(wanted)
        if self.positions > MAX_POSITIONS:
            raise Unreadable(f"{CASES_FILE}: more than {MAX_POSITIONS} positions")


def _runs_below(last: int, room: int, covered: list[int], capacity: int) -> list[Run]:
    """The runs that may lie below one of the colour ``last``; one of the colours that aren't known stands for all."""
    unknown = covered.index(capacity) if capacity in covered else len(covered)
    colours = [c for c, balls in enumerate(covered) if c != last and (balls < capacity or c == unknown)]
    return [(c, length) for c in colours for length in range(1, min(room, covered[c]) + 1)]


def _after_run(h: int, parts: list[bytes], last: int | None, size: int) -> Iterator[tuple[int, Position]]:
    """The lengths of runs that may be next in a tube, and the positions that they make.

    ``h`` is the capacity, ``parts`` are without that tube's border. The run hasn't the colour ``last``, as that is the
    one before; ``size`` balls are above it.
    """
    for colour in {part: colour for colour, part in enumerate(parts) if colour != last}.values():
        others = parts[:colour] + parts[colour + 1 :]
        exposed, *sizes = parts[colour]
        for length in range(1, min(h - size, h - exposed) + 1):
            above = [*sizes, size + length] if size + length < h else sizes
            part = bytes([exposed + length, *sorted(above, reverse=True)])
            yield length, SEPARATOR.join(sorted([*others, part]))


def _class_of(claim: dict[str, Any]) -> Class:
    """The class that a claim is about."""
    if set(claim) != {"proof", *Class._fields} or claim["proof"] != "cases":
        raise Unreadable(f"claim.json: expected the keys proof, {', '.join(Class._fields)}, and the proof cases")
    of = Class(*(claim[name] for name in Class._fields))
    if any(type(number) is not int for number in of) or min(of) < 0 or 0 in of[:2]:
        raise Unreadable("claim.json: expected numbers of colours, balls and tubes")
    if of.colours > MAX_COLOURS or of.capacity > MAX_CAPACITY or of.colours * of.capacity > MAX_BALLS:
        raise Unreadable(f"claim.json: the class is too large, more than {MAX_BALLS} balls")
    return of


def check_folder(folder: Path) -> Proof:
    """Checks the claim of a folder; raises NotVerified if the files don't show it, Unreadable if they can't be read."""
    of = _class_of(read_json(folder, "claim.json"))
    data = read_file(folder, CASES_FILE, MAX_BYTES)
    header = HEADER.match(data)
    if header is None:
        raise Unreadable(f"{CASES_FILE}: no first line of this format")
    trees, tree_bytes, positions = map(int, header.groups())
    if tree_bytes > MAX_TREES_BYTES or positions > MAX_POSITIONS:
        raise Unreadable(f"{CASES_FILE}: too large")
    unpacked = decompressed(CASES_FILE, memoryview(data)[header.end() :], tree_bytes + positions)
    proof, steps, borders = Proof(of), iter(unpacked[:tree_bytes]), iter(unpacked[tree_bytes:])
    for _ in range(trees):
        first = list(islice(steps, 2 * of.colours))
        if len(first) < 2 * of.colours:
            raise Unreadable(f"{CASES_FILE}: the trees end before the last one")
        proof.follow_tree(list(zip(first[::2], first[1::2], strict=True)), steps)
    proof.follow_positions(lambda _: next(borders, MAX_BALLS))
    if next(steps, None) is not None or next(borders, None) is not None:
        raise Unreadable(f"{CASES_FILE}: more steps than the proof has")
    return proof


if __name__ == "__main__":
    sys.exit(main(lambda folder: str(check_folder(folder))))
