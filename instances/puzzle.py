"""What every puzzle offers to the searches, the encodings, the files and the screen.

A `Puzzle` is one immutable position together with its rules. Searches use the first group of methods, files and
people the second. Nothing outside a puzzle's own module knows what its moves mean: a move is a tuple of small values,
compared and hashed but never looked into.

A puzzle is one module that derives a class from `Puzzle`, and one line in `bsp_sat.instances.registry`.
docs/adding-a-puzzle.md shows it on an example.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.text.fields import MAX_SIZE, BoardFields

Move = tuple[int | str, ...]
"""A move in the order of its JSON form; each puzzle module has a named tuple of its own."""

Colour = int | str
"""A colour as the file names it."""

HIDDEN = "hidden cells"
"""The feature of positions of which not all is known: what doesn't name it takes none of them (`Puzzle.features`)."""

M = TypeVar("M", bound=Move)


class Cell(NamedTuple):
    """One character cell of a drawn position; ``colour`` is None for background."""

    text: str
    colour: Colour | None = None


@dataclass(frozen=True)
class Picture:
    """A position as rows of cells, top row first, for the screen to colour.

    Attributes:
        rows: cells, all rows of the same length.
        header: labels over (or under) the columns, one a column, as players count them.
        legend: each colour with the symbol that stands for it.
    """

    rows: tuple[tuple[Cell, ...], ...]
    header: tuple[str, ...]
    legend: tuple[tuple[str, Colour], ...] = ()


class Number(NamedTuple):
    """A whole number that boards are made from.

    Attributes:
        help: what it is, for the command line.
        default: its value where none is given; None where one has to be.
        least: the least that gives a board.
        most: the most that does, or that anybody could want.
    """

    help: str
    default: int | None = None
    least: int = 1
    most: int = MAX_SIZE

    def check(self, name: str, value: int) -> None:
        """Refuses a value out of range.

        Raises:
            BoardError: naming the number as ``name``.
        """
        if value < self.least:
            raise BoardError(name, f"expected {self.least} or more, found {value}")
        if value > self.most:
            raise BoardError(name, f"expected {self.least} to {self.most}, found {value}")


class Word(NamedTuple):
    """Something beyond the plain form that random boards may have, told by a word; an empty one asks for nothing.

    Attributes:
        help: what it is, for the command line.
        metavar: what the word may be.
    """

    help: str
    metavar: str


@dataclass(frozen=True, eq=False)
class Generator:
    """How boards of a puzzle are made at random; ``bsp-sat generate`` has a command for each.

    Puzzles that share one share the command, which then asks for the rules.

    Attributes:
        command: the command's name.
        summary: its help.
        numbers: the whole numbers that boards are made from, by name.
        board_name: how boards are called, with the numbers in braces; the seed is added.
        make: the fields of one board, from a source of chance and the numbers. Raises `BoardError` where they give
            none.
        decidable: whether some boards are unsolvable, so that one may ask for either kind.
        words: what else may be asked for, by name.
    """

    command: str
    summary: str
    numbers: Mapping[str, Number]
    board_name: str
    make: Callable[..., BoardFields]
    decidable: bool
    words: Mapping[str, Word] = field(default_factory=dict)


class Puzzle(ABC, Generic[M]):
    """One position of one puzzle, immutable and hashable, with its rules."""

    __slots__ = ()

    kind: ClassVar[str]
    """The puzzle's name in files and on the command line."""

    move_key: ClassVar[str]
    """How a person reads the moves that `describe` writes."""

    fields_type: ClassVar[type[BoardFields]]
    """The keys of its board files."""

    generator: ClassVar[Generator | None] = None
    """How its boards are made at random, where they are."""

    prunings: ClassVar[frozenset[str]] = frozenset()
    """Names of the safe rules that `pruned_moves` can apply."""

    renamings: ClassVar[frozenset[str]] = frozenset()
    """Those of the `prunings` that only leave out further names of one and the same move."""

    # -- rules ----------------------------------------------------------------------------------

    @abstractmethod
    def legal_moves(self) -> Iterable[M]:
        """Every legal move."""

    @abstractmethod
    def refusal(self, move: M) -> str | None:
        """Why ``move`` is illegal here, as a sentence without subject; None where it is legal."""

    @abstractmethod
    def apply(self, move: M) -> Self:
        """The position after ``move``, which must be legal (`refusal` tells)."""

    @abstractmethod
    def is_goal(self) -> bool:
        """Whether the puzzle is solved."""

    @abstractmethod
    def lower_bound(self) -> int:
        """A number of moves that no plan from here can beat (admissible), 0 at goals and nowhere else."""

    def canonical(self) -> Self:
        """One representative for all positions that differ only by a symmetry of the rules: here each for itself."""
        return self

    def pruned_moves(self, prunings: frozenset[str]) -> Iterable[M]:
        """Legal moves, less those that the named safe rules make superfluous.

        From a position with a plan, some shortest plan uses only such moves.
        """
        return self.legal_moves()

    def features(self) -> frozenset[str]:
        """What this position has that the plain form of its puzzle hasn't, in words that follow ``boards with``.

        Encodings and backends say which of them they take (`bsp_sat.instances.scope`).
        """
        return frozenset()

    # -- files and people -----------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def from_fields(cls, fields: Any) -> Self:
        """The position that a file describes.

        Args:
            fields: a ``fields_type``, whose types have been checked.

        Raises:
            BoardError: no rule allows the board; naming the place.
        """

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads a JSON object of the board format; keys that aren't this puzzle's are passed over.

        Raises:
            BoardError: with the path of the first fault, what was expected and what was found.
        """
        return cls.from_fields(cls.fields_type.read(data, cls.kind))

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The puzzle's own fields of the board format, ``puzzle`` first; `from_json` gives the position back."""

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether ``text`` can be nothing but this puzzle's text notation.

        Puzzles are asked in the order of the registry. What none of them recognises is taken for tubes.
        """
        return False

    @classmethod
    def fields_of_text(cls, text: str) -> dict[str, Any]:
        """Reads the text notation into the fields of the JSON format.

        Raises:
            BoardError: naming the line; or the puzzle has no text notation.
        """
        raise cls._no_notation()

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Reads a board in text notation.

        Raises:
            BoardError: as `fields_of_text` and `from_fields`.
        """
        return cls.from_json(cls.fields_of_text(text))

    def to_text(self) -> str:
        """The position in the text notation; `from_text` gives it back, though numbers may have become words.

        Raises:
            BoardError: the notation has no way to write it, or there is none.
        """
        raise self._no_notation()

    @classmethod
    def _no_notation(cls) -> BoardError:
        return BoardError("", f"{cls.kind} boards have no text notation, use JSON")

    @classmethod
    @abstractmethod
    def move_from_json(cls, value: Any) -> M:
        """Reads one move of a JSON plan.

        Raises:
            PlanError: ``value`` is no move of this puzzle.
        """

    @staticmethod
    def move_to_json(move: M) -> Any:
        """The move as JSON plans write it: here its values as a list."""
        return list(move)

    @classmethod
    @abstractmethod
    def move_from_text(cls, words: list[str]) -> M:
        """Reads one line of a plan in text, as a person counts (from 1).

        Raises:
            PlanError: the words are no move of this puzzle.
        """

    @abstractmethod
    def describe(self, move: M) -> str:
        """``move``, legal or not, in this position for a person, who counts from 1; `move_from_text` reads it."""

    @abstractmethod
    def unfinished(self) -> str:
        """What is still missing for the goal, for a person; empty at a goal."""

    def misreading(self) -> tuple[str, Self] | None:
        """Another board that the author of this one may have meant, and how it was read; None where there is none."""
        return None

    @abstractmethod
    def summary(self) -> str:
        """Kind and size in a few words."""

    @abstractmethod
    def picture(self) -> Picture:
        """The position for the screen."""


AnyPuzzle = Puzzle[Any]
"""A puzzle whose moves are nobody's business."""
