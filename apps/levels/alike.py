"""Which boards of packs are alike: up to the order of tubes, the names of colours, and which end is the top."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bsp_sat.apps.levels.canonical_form import canonical_form
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle


class Twin(NamedTuple):
    """A board that another one is like; ``turned`` if that is so only with the other end of each tube as its top."""

    number: int
    turned: bool


def form_of(puzzle: AnyPuzzle) -> tuple[object, ...] | None:
    """What boards have in common if they are alike, whatever the game covers or locks.

    None of what isn't compared: other puzzles, tubes of several capacities, and boards with unknown balls.
    """
    if not isinstance(puzzle, SortPuzzle) or puzzle.unknown or len(set(puzzle.capacities)) > 1:
        return None
    return puzzle.kind, puzzle.capacity, canonical_form(puzzle.bare())


def turned(puzzle: AnyPuzzle) -> AnyPuzzle:
    """The board with the other end of each tube as its top, without rules for tubes."""
    if not isinstance(puzzle, SortPuzzle) or puzzle.unknown:
        return puzzle
    bare = puzzle.bare()
    return replace(bare, tubes=tuple(tube[::-1] for tube in bare.tubes))


class KnownBoards:
    """Boards seen so far, of which others may be twins."""

    def __init__(self, puzzles: Sequence[AnyPuzzle] = ()) -> None:
        self._first: dict[tuple[object, ...], int] = {}
        self._number = 0
        for puzzle in puzzles:
            self.add(puzzle)

    def add(self, puzzle: AnyPuzzle) -> None:
        """Adds a board."""
        if (form := form_of(puzzle)) is not None:
            self._first.setdefault(form, self._number)
        self._number += 1

    def twin_of(self, puzzle: AnyPuzzle) -> Twin | None:
        """The first board that this one is like; None if there is none."""
        for is_turned, each in ((False, puzzle), (True, turned(puzzle))):
            if (form := form_of(each)) in self._first and form is not None:
                return Twin(self._first[form], is_turned)
        return None
