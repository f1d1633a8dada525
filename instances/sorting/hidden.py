"""Positions with unknown balls: what a player knows about a board with covered cells.

A covered cell never moves before it is revealed. So a **filling**, which gives each unknown cell a colour, distributes
the missing balls over fixed cells; the number of balls of each colour is known. Covers, rules and moves are those of
`RuledSort`. An uncovered cell is revealed at once: an unknown ball that nothing covers is **to be seen**, and until its
colour is entered it can't be moved, and nothing can be put on it.

With the reveal rule ``run``, the whole run is revealed when its top is, also in ball sort, where one ball moves. So the
first cell that stays covered below a revealed run has another colour; fillings must agree with that.

A top that is known but still covered **is to be looked at** if an unknown cell is below its run, as that may have the
same colour and be revealed with it. Until then (`HiddenSort.looked`) it stays covered, and nothing is known of that
cell.

Colours that don't show (`HiddenSort.unseen`) may be **nameless**: a player knows that they exist, but can't tell them
apart until they show. Fillings that differ only in the names of these colours are the same filling, and
`HiddenSort.fillings` yields one of them: the one in which unseen colours are numbered by their first cell. Each of k
unseen colours has balls, and all of them are unknown, so the k! ways to name them give k! different arrangements: each
filling stands for equally many.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb, factorial
from types import MappingProxyType
from typing import Any, Self

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import HIDDEN, Cell, Colour
from bsp_sat.instances.sorting.position import Pour
from bsp_sat.instances.sorting.ruled import RuledSort
from bsp_sat.instances.sorting.rules import UNKNOWN
from bsp_sat.instances.sorting.tubes import top_run

NEW_COLOUR = "new colour"
"""With a number, the name of a colour that doesn't show at the start; alone, the answer that such a colour shows."""

Place = tuple[int, int]
"""A tube and a place in it from the bottom, both counted from 0."""

Filling = bytes
"""Colours of the unknown cells, in the order of `HiddenSort.unknown`."""


# Cached because exploring asks for it again and again at the same positions.


@lru_cache(maxsize=1 << 14)
def _unknown_cells(tubes: tuple[bytes, ...]) -> tuple[Place, ...]:
    return tuple(
        (place, level) for place, tube in enumerate(tubes) for level, ball in enumerate(tube) if ball == UNKNOWN
    )


@lru_cache(maxsize=1 << 14)
def _cells_to_see(tubes: tuple[bytes, ...], covers: tuple[int, ...]) -> tuple[Place, ...]:
    return tuple((place, level) for place, level in _unknown_cells(tubes) if not covers[place] >> level & 1)


@lru_cache(maxsize=1 << 14)
def _differing(tubes: tuple[bytes, ...], covers: tuple[int, ...], locked: tuple[int, ...]) -> Mapping[Place, int]:
    found = {}
    for place, (tube, cover) in enumerate(zip(tubes, covers, strict=True)):
        if cover and place not in locked and tube[-1] != UNKNOWN and not cover >> (len(tube) - 1) & 1:
            level = len(tube) - 1 - top_run(tube)
            if level >= 0 and tube[level] == UNKNOWN and cover >> level & 1:
                found[place, level] = tube[-1]
    return MappingProxyType(found)


@lru_cache(maxsize=1 << 14)
def _covered_tops(tubes: tuple[bytes, ...], covers: tuple[int, ...], locked: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        place
        for place, (tube, cover) in enumerate(zip(tubes, covers, strict=True))
        if place not in locked and tube and cover >> (len(tube) - 1) & 1
    )


@dataclass(frozen=True, slots=True)
class HiddenSort(RuledSort):
    """What is known about a position. In its tubes, `UNKNOWN` is a ball of unknown colour."""

    def __hash__(self) -> int:
        return hash(self.tubes)

    def features(self) -> frozenset[str]:
        """The features of the position, including hidden cells."""
        return RuledSort.features(self) | {HIDDEN}

    def _not_colours(self) -> bytes:
        return bytes([UNKNOWN])

    # -- what is known ------------------------------------------------------------------------

    @property
    def unknown(self) -> tuple[Place, ...]:
        """The unknown cells, tube by tube from the bottom."""
        return _unknown_cells(self.tubes)

    @property
    def to_see(self) -> tuple[Place, ...]:
        """The uncovered unknown cells."""
        return _cells_to_see(self.tubes, self.covers)

    @property
    def missing(self) -> tuple[int, ...]:
        """The number of unknown balls of each colour."""
        known = Counter(ball for tube in self.tubes for ball in tube)
        return tuple(count - known[colour] for colour, count in enumerate(self.rules.counts))

    @property
    def unseen(self) -> tuple[int, ...]:
        """The nameless colours of which no ball is known."""
        known = {*b"".join(self.tubes)}
        colours = len(self.palette)
        return tuple(colour for colour in range(colours - self.rules.nameless, colours) if colour not in known)

    @property
    def shows_runs(self) -> bool:
        """Whether a run is revealed with its top."""
        return self.rules.reveal == "run"

    @property
    def covered_tops(self) -> tuple[int, ...]:
        """The open tubes to be looked at: those whose top is known and still covered."""
        return _covered_tops(self.tubes, self.covers, self.rules.locked)

    def looked(self) -> Self:
        """The position after looking at all tubes: no open tube's known top is covered any more."""
        covers = list(self.covers)
        for place in self.covered_tops:
            covers[place] = RuledSort._uncovered(self, self.tubes[place], covers[place])
        return self if covers == list(self.covers) else self._with(self.tubes, self.rules, tuple(covers))

    def differing(self) -> Mapping[Place, int]:
        """Unknown cells known not to have a colour: those that stay covered below the run at the top of a tube.

        This is known only after looking: right after a move the run may turn out to be longer.
        """
        return _differing(self.tubes, self.covers, self.rules.locked) if self.shows_runs else {}

    def arrangements(self) -> int:
        """The number of ways to distribute the missing balls, up to the names of unseen colours.

        Not all of them need be fillings.
        """
        ways, left = 1, sum(self.missing)
        for number in self.missing:
            ways *= comb(left, number)
            left -= number
        return ways // factorial(len(self.unseen))

    def has_filling(self) -> bool:
        """Whether there is a filling at all.

        Each cell excludes at most one colour. So balls of two or more colours can go to any unknown cell, and by Hall's
        theorem it is enough that the balls of each single colour find cells.
        """
        cells, ruled_out = len(self.unknown), Counter(self.differing().values())
        return all(number <= cells - ruled_out[colour] for colour, number in enumerate(self.missing))

    def fillings(self) -> Iterator[Filling]:
        """All fillings in lexicographic order, with unseen colours numbered by their first cell."""
        cells = self.unknown
        ruled_out = self.differing()
        differing = [ruled_out.get(cell) for cell in cells]
        missing = self.missing
        left = list(missing)
        first = {later: colour for colour, later in pairwise(self.unseen)}  # which has to come before it
        chosen: list[int] = []

        def fits(colour: int) -> bool:
            is_next = colour not in first or left[first[colour]] < missing[first[colour]]
            return left[colour] > 0 and differing[len(chosen)] != colour and is_next

        colour = 0  # the next colour to try in the cell after the chosen ones
        while True:
            if len(chosen) == len(cells):
                yield bytes(chosen)
                colour = len(left)
            while colour < len(left) and not fits(colour):
                colour += 1
            if colour < len(left):
                left[colour] -= 1
                chosen.append(colour)
                colour = 0
            elif chosen:
                left[chosen[-1]] += 1
                colour = chosen.pop() + 1
            else:
                return

    def filled(self, filling: Filling) -> RuledSort:
        """The position with the unknown balls filled in. Covers stay."""
        return self.with_cells(dict(zip(self.unknown, filling, strict=True)))

    def with_cells(self, colours: Mapping[Place, int]) -> RuledSort:
        """The position with more cells known, by index into the palette, and with colours that follow from the counts.

        All tubes count as looked at.
        """
        tubes = [bytearray(tube) for tube in self.tubes]
        for (place, level), colour in colours.items():
            tubes[place][level] = colour
        known = self.seen_as(tuple(map(bytes, tubes)))
        return known.looked() if isinstance(known, HiddenSort) else known

    def seen_as(self, tubes: tuple[bytes, ...]) -> RuledSort:
        """The position with these tubes, and with unknown balls filled in if their colour follows from the counts."""
        known = Counter(ball for tube in tubes for ball in tube)
        missing = [colour for colour, count in enumerate(self.rules.counts) if count > known[colour]]
        if known[UNKNOWN] and len(missing) == 1:
            only = bytes([missing[0]])
            tubes = tuple(tube.replace(bytes([UNKNOWN]), only) for tube in tubes)
            known[UNKNOWN] = 0
        if known[UNKNOWN]:
            return self._with(tubes, self.rules, self.covers).uncovered().settled()
        position = self.known_type()(tubes, self.capacity, self.goal, self.palette, self.rules, self.covers)
        return position.uncovered().settled()

    @classmethod
    @abstractmethod
    def known_type(cls) -> type[RuledSort]:
        """The class of this puzzle's positions without unknown cells."""

    # -- rules, as far as they can be applied -----------------------------------------------------

    def legal_moves(self) -> Iterator[Pour]:
        """The moves that are legal for every filling: between tubes whose tops are known."""
        tops = {place for place, tube in enumerate(self.tubes) if tube and tube[-1] == UNKNOWN}
        if not tops:
            return RuledSort.legal_moves(self)
        return (move for move in RuledSort.legal_moves(self) if move.source not in tops and move.target not in tops)

    def refusal(self, move: Pour) -> str | None:
        """Why ``move`` is illegal, or can't be made before looking; None if it is legal."""
        unseen = {place for place, _ in self.to_see}
        for place in move:
            if place in unseen and self.rules.tubes[place].lock is None:
                return f"the top of tube {place + 1} isn't known yet"
        return RuledSort.refusal(self, move)

    def _uncovered(self, tube: bytes, cover: int) -> int:
        if tube[-1:] == bytes([UNKNOWN]):  # the length of its run isn't known yet
            return cover & ((1 << (len(tube) - 1)) - 1)
        if self.shows_runs and tube and cover >> (len(tube) - 1) & 1:
            below = len(tube) - 1 - top_run(tube)
            if below >= 0 and tube[below] == UNKNOWN and cover >> below & 1:  # its run may be longer
                return cover
        return RuledSort._uncovered(self, tube, cover)

    def is_goal(self) -> bool:
        """False: it isn't known while cells are unknown."""
        return False

    def lower_bound(self) -> int:
        """Moves that every filling needs, at least one.

        If two neighbouring known balls have different colours, everything above has to move. In water sort a pour
        removes at most one such border; in ball sort each ball above the lowest border moves.
        """
        work = 0
        for tube in self.tubes:
            borders = [
                level
                for level, (lower, upper) in enumerate(pairwise(tube), start=1)
                if lower != upper and UNKNOWN not in (lower, upper)
            ]
            if borders:
                work += len(borders) if self.whole_run else len(tube) - borders[0]
        return max(1, work)

    # -- files and people -----------------------------------------------------------------------

    def unfinished(self) -> str:
        """The number of unknown cells, as text."""
        number = len(self.unknown)
        return f"{number} cell{'s' if number > 1 else ''} of it {'are' if number > 1 else 'is'} not known"

    def coloured_tubes(self) -> list[list[Any]]:
        """The tubes as lists of the user's colours, bottom first, with None for unknown cells."""
        return [[None if ball == UNKNOWN else self.palette[ball] for ball in tube] for tube in self.tubes]

    def to_json(self) -> dict[str, Any]:
        """See `RuledSort.to_json`. Unknown cells are null; counts of colours are added if they can't be inferred.

        Unseen colours aren't written: they follow from the number of cells.
        """
        fields = RuledSort.to_json(self)
        covered = {(place, level) for place, level in self.unknown if self.covers[place] >> level & 1}
        if sum(cover.bit_count() for cover in self.covers) == len(covered) == len(self.unknown):
            fields.pop("hidden", None)
        known = Counter(ball for tube in self.tubes for ball in tube)
        unseen = self.unseen
        counts = {colour: count for colour, count in enumerate(self.rules.counts) if colour not in unseen}
        if any(not known[colour] or counts[colour] != tubes_full(known[colour], self.capacity) for colour in counts):
            fields["colours"] = {str(self.palette[colour]): count for colour, count in counts.items()}
        return fields

    def summary(self) -> str:
        """See `RuledSort.summary`. Adds the number of unknown cells, and of colours that don't show."""
        unseen = len(self.unseen)
        said = f", {unseen} colour{'s' if unseen > 1 else ''} not seen yet" if unseen else ""
        return f"{RuledSort.summary(self)}, {len(self.unknown)} unknown{said}"

    def describe(self, move: Pour) -> str:
        """Source and target, counted from 1, and the colour that moves, if it is known."""
        if 0 <= move.source < len(self.tubes) and self.tubes[move.source][-1:] == bytes([UNKNOWN]):
            return f"{move.source + 1} → {move.target + 1}"
        return RuledSort.describe(self, move)

    def _cell(self, place: int, level: int, symbols: Sequence[str]) -> Cell:
        if level < len(self.tubes[place]) and self.tubes[place][level] == UNKNOWN:
            return Cell("?")
        return RuledSort._cell(self, place, level, symbols)

    def colour_named(self, name: Colour) -> int:
        """The index of a colour. A colour that is a number on the board may be given as a string.

        Raises:
            BoardError: the board has no such colour.
        """
        for index, colour in enumerate(self.palette):
            if colour == name or str(colour) == str(name):
                return index
        new = f", or {NEW_COLOUR!r}" if self.unseen else ""
        raise BoardError("", f"there is no colour {name!r} on this board, expected one of {list(self.palette)}{new}")


def tubes_full(balls: int, capacity: int) -> int:
    """The number of balls of a colour that shows, if a file doesn't give it: one tube full, or more if more show."""
    return capacity * max(1, -(-balls // capacity))
