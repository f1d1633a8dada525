"""What every puzzle offers to the searches, the encodings, the files and the screen.

A `Puzzle` is one immutable position together with its rules. Searches use the first group of
methods, files and people the second. Nothing outside a puzzle's own module knows what its moves
mean: a move is a tuple of small values, compared and hashed but never looked into.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeVar

Move = tuple[int | str, ...]
"""A move in the order of its JSON form; each puzzle module has a named tuple of its own."""

Colour = int | str
"""A colour as the file names it."""

M = TypeVar("M", bound=Move)


class Cell(NamedTuple):
    """One character cell of a drawn board; ``colour`` is None for background."""

    text: str
    colour: Colour | None = None


@dataclass(frozen=True)
class Picture:
    """A board as rows of cells, top row first, for the screen to colour.

    Attributes:
        rows: cells, all rows of the same length.
        header: labels over (or under) the columns, one a column, as players count them.
        legend: each colour with the symbol that stands for it.
    """

    rows: tuple[tuple[Cell, ...], ...]
    header: tuple[str, ...]
    legend: tuple[tuple[str, Colour], ...] = ()


class Puzzle(Protocol[M]):
    """One position of one puzzle, immutable and hashable, with its rules."""

    kind: ClassVar[str]
    """The puzzle's name in files and on the command line."""

    move_key: ClassVar[str]
    """How a person reads the moves that `describe` writes."""

    prunings: ClassVar[frozenset[str]]
    """Names of the safe rules that `pruned_moves` can apply."""

    renamings: ClassVar[frozenset[str]]
    """Those of the `prunings` that only leave out further names of one and the same move."""

    def features(self) -> frozenset[str]:
        """What this board has that the plain form of its puzzle hasn't, in words that follow ``boards with``.

        Encodings and backends say which of them they take (`bsp_sat.instances.scope`).
        """

    def legal_moves(self) -> Iterable[M]:
        """Every legal move."""

    def apply(self, move: M) -> Self:
        """The position after ``move``, which must be legal (`refusal` tells)."""

    def is_goal(self) -> bool:
        """Whether the puzzle is solved."""

    def lower_bound(self) -> int:
        """A number of moves that no plan from here can beat (admissible, 0 at a goal)."""

    def canonical(self) -> Self:
        """One representative for all positions that differ only by a symmetry of the rules."""

    def pruned_moves(self, prunings: frozenset[str]) -> Iterable[M]:
        """Legal moves, less those that the named safe rules make superfluous.

        From a position with a plan, some shortest plan uses only such moves.
        """

    def refusal(self, move: M) -> str | None:
        """Why ``move`` is illegal here, as a sentence without subject; None where it is legal."""

    def unfinished(self) -> str:
        """What is still missing for the goal, for a person; empty at a goal."""

    def misreading(self) -> tuple[str, Self] | None:
        """Another board that the author of this one may have meant, and how it was read."""

    def to_json(self) -> dict[str, Any]:
        """The puzzle's own fields of the board format."""

    def to_text(self) -> str:
        """The board in its text notation.

        Raises:
            BoardError: the notation has no way to write this board.
        """

    @classmethod
    def move_from_json(cls, value: Any) -> M:
        """Reads one move of a JSON plan.

        Raises:
            PlanError: ``value`` is no move of this puzzle.
        """

    @classmethod
    def move_from_text(cls, words: list[str]) -> M:
        """Reads one line of a plan in text, as a person counts (from 1).

        Raises:
            PlanError: the words are no move of this puzzle.
        """

    @staticmethod
    def move_to_json(move: M) -> Any:
        """The move as JSON plans write it."""

    def describe(self, move: M) -> str:
        """``move``, legal or not, in this position for a person, who counts from 1."""

    def summary(self) -> str:
        """Kind and size in a few words."""

    def picture(self) -> Picture:
        """The board for the screen."""


AnyPuzzle = Puzzle[Any]
"""A puzzle whose moves are nobody's business."""
