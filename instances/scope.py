"""Which boards an encoding or a backend takes: declared once, as data, so that messages and tables follow from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import HIDDEN, AnyPuzzle


@dataclass(frozen=True)
class Scope:
    """Kinds of puzzles, and what their boards may have beyond the plain form.

    A board is inside if its kind is and all its features are (`Puzzle.features`). So what a puzzle learns later is
    refused by everything that doesn't name it.

    Attributes:
        kinds: names of puzzles, in the order of messages; None for all there are.
        features: what a board may have; None for whatever it has, as long as all of it is known.
    """

    kinds: tuple[str, ...] | None = None
    features: frozenset[str] | None = None

    @classmethod
    def of(cls, *puzzles: type[AnyPuzzle], features: Iterable[str] = ()) -> Self:
        """The boards of some puzzles, in their plain form and with some features."""
        return cls(tuple(puzzle.kind for puzzle in puzzles), frozenset(features))

    def refusal(self, puzzle: AnyPuzzle) -> str | None:
        """What it takes, and what this board is instead; None where it takes the board.

        >>> from bsp_sat.instances.tiles import Tiles
        >>> Scope(("ball-sort", "water-sort")).refusal(Tiles.from_columns([["a"]]))
        'takes ball-sort and water-sort boards, not tiles'
        """
        if self.kinds is not None and puzzle.kind not in self.kinds:
            return f"takes {self}, not {puzzle.kind}"
        found = puzzle.features()
        if beyond := sorted(found & {HIDDEN} if self.features is None else found - self.features):
            return f"takes no {puzzle.kind} boards with {' and '.join(beyond)}"
        return None

    def check(self, who: str, puzzle: AnyPuzzle) -> None:
        """Refuses boards outside.

        Args:
            who: the subject of the message, such as ``the order encoding``.
            puzzle: the position on the board.

        Raises:
            Unsupported: naming what is taken instead.
        """
        if (refusal := self.refusal(puzzle)) is not None:
            raise Unsupported(f"{who} {refusal}")

    def __str__(self) -> str:
        """The boards in words, for messages and tables."""
        if self.kinds is None:
            return "all boards"
        *others, last = self.kinds
        return f"{', '.join(others)} and {last} boards" if others else f"{last} boards"
