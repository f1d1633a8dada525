"""Fillings: the colours that the unknown cells of a board may have.

A covered cell never moves before it is revealed. So a **filling**, which gives each unknown cell a colour, distributes
the missing balls over fixed cells; the number of balls of each colour is known.

Nameless colours (`SortBoard.unseen`) can't be told apart until they show. Fillings that differ only in the names of
these colours are the same filling, and `fillings_of` yields one of them: the one in which unseen colours are numbered
by their first cell. Rules don't name such colours, and what shows rules out a colour for a cell only by the colour of
the ball above it, which has shown. So renaming k unseen colours turns a filling into one that agrees with everything
seen, and that has the same plans, under both reveal rules. Each of the k colours has a ball, and none of its balls is
known, so the k! ways to name them give k! different arrangements: each filling stands for equally many, choosing among
all named arrangements at random chooses each filling with the same chance, and means are means over fillings.

A strategy may use names. It calls new colours by number, in the order in which they show (of those that show together:
by tube, then from the bottom). What it does for one filling it does for all k! names of it, move by move, so values
proved for one hold for all.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb, factorial

from bsp_sat.instances.sorting import UNKNOWN, Filling, Place, SortPuzzle


def arrangements(board: SortPuzzle) -> int:
    """The number of ways to distribute the missing balls, up to the names of unseen colours; not all are fillings."""
    return ways_to_deal(board.missing) // factorial(len(board.unseen))


def ways_to_deal(numbers: Iterable[int]) -> int:
    """The number of ways to deal these numbers of balls of each colour to as many cells."""
    ways, cells = 1, 0
    for number in numbers:
        cells += number
        ways *= comb(cells, number)
    return ways


def fillings_of(board: SortPuzzle) -> Iterator[Filling]:
    """All fillings in lexicographic order, with unseen colours numbered by their first cell."""
    cells = board.unknown
    ruled_out = board.differing()
    differing = [ruled_out.get(cell) for cell in cells]
    missing = board.missing
    left = list(missing)
    first = {later: colour for colour, later in pairwise(board.unseen)}  # which has to come before it
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


def filled(board: SortPuzzle, filling: Filling) -> SortPuzzle:
    """The position with the unknown balls filled in. Covers stay."""
    return board.with_cells(dict(zip(board.unknown, filling, strict=True)))


@dataclass(frozen=True)
class Cells:
    """The unknown cells of a board at the start, in the order of fillings, and the nameless colours that don't show."""

    places: tuple[Place, ...]
    unseen: tuple[int, ...] = ()

    @classmethod
    def of(cls, board: SortPuzzle) -> "Cells":
        """The unknown cells of a board."""
        return cls(board.unknown, board.unseen)

    def filled(self, board: SortPuzzle, filling: Filling) -> SortPuzzle:
        """A position with the cells filled in that aren't known there yet."""
        colours = dict(zip(self.places, filling, strict=True))
        return board.with_cells({place: colours[place] for place in board.unknown})

    def numbered(self, board: SortPuzzle, filling: Filling) -> tuple[SortPuzzle, Filling]:
        """A position and its filling, with nameless colours numbered by their first cell, as at the start."""
        table = numbering(filling, self.unseen)
        if table is None:
            return board, filling
        tubes = tuple(tube.translate(table) for tube in board.tubes)
        return replace(board, tubes=tubes), filling.translate(table)


def up_to_exchange(board: SortPuzzle) -> tuple[object, ...]:
    """Equal for positions that differ only by an exchange of tubes of equal rules whose balls are all known."""
    pairs = list(zip(board.tubes, board.covers, strict=True))
    known = tuple(
        tuple(sorted(pairs[place] for place in places if UNKNOWN not in board.tubes[place]))
        for places in board.rules.classes
    )
    unknown = tuple((place, pair) for place, pair in enumerate(pairs) if UNKNOWN in pair[0])
    return known, unknown, board.rules


def numbering(shown: Iterable[int], unseen: Collection[int]) -> bytes | None:
    """The table for `bytes.translate` that numbers unseen colours in the order in which they show; None if it is so."""
    order = bytes(dict.fromkeys(colour for colour in shown if colour in unseen)) if len(unseen) > 1 else b""
    return bytes.maketrans(order, bytes(unseen)) if order and order != bytes(unseen) else None
