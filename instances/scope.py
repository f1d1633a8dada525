"""Which boards an encoding or a backend takes, as data from which messages and tables follow."""

from collections.abc import Iterable
from typing import NamedTuple, Self

from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import HIDDEN, AnyPuzzle


class Scope(NamedTuple):
    """Kinds of puzzles, and the features their boards may have.

    A board is in scope if its kind and all its features are (`Puzzle.features`). So a feature added to a puzzle later
    is refused by everything that doesn't name it. Kinds stand in the order of messages, None for all; without
    ``features`` a board may have all but unknown cells.
    """

    kinds: tuple[str, ...] | None = None
    features: frozenset[str] | None = None

    @classmethod
    def of(cls, *puzzles: type[AnyPuzzle], features: Iterable[str] = ()) -> Self:
        """The scope of some puzzles' boards, in plain form and with some features."""
        return cls(tuple(puzzle.kind for puzzle in puzzles), frozenset(features))

    def refusal(self, puzzle: AnyPuzzle) -> str | None:
        """What is taken, and what this board is instead; None if the board is in scope.

        >>> from bsp_sat.instances.tiles import Tiles
        >>> Scope(("ball-sort", "water-sort")).refusal(Tiles.from_columns([["a"]]))
        'takes ball-sort and water-sort boards, not tiles'
        """
        if self.kinds is not None and puzzle.kind not in self.kinds:
            return f"takes {self}, not {puzzle.kind}"
        found = puzzle.features()
        if beyond := sorted(found & {HIDDEN} if self.features is None else found - self.features):
            return f"takes no {puzzle.kind} boards with {' or '.join(beyond)}"
        return None

    def check(self, who: str, puzzle: AnyPuzzle) -> None:
        """Refuses positions that are out of scope, and what is no position; messages begin with ``who``.

        Raises BoardError if the parts of the position don't fit together, and Unsupported with what is taken instead.
        """
        puzzle.check()
        if (refusal := self.refusal(puzzle)) is not None:
            raise Unsupported(f"{who} {refusal}")

    def __str__(self) -> str:
        """The boards as text, for messages and tables."""
        if self.kinds is None:
            return "all boards"
        *others, last = self.kinds
        return f"{', '.join(others)} and {last} boards" if others else f"{last} boards"
