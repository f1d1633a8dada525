"""The interface of puzzles to searches, encodings, files and output.

A `Puzzle` is one immutable position together with its rules. Searches use the first group of methods; files and output
use the second. Only a puzzle's own module knows what its moves mean: elsewhere a move is a tuple of small values,
compared and hashed but never interpreted.

To add a puzzle, derive a class from `Puzzle` in a new module, and add a line to `bsp_sat.instances.registry`.
docs/architecture.md has an example.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import index
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, SupportsIndex, TypeVar, cast

from bsp_sat.instances.choices import NO_CHOICES, ReadingChoices
from bsp_sat.instances.errors import BoardError, IllegalMove, PlanError, printable
from bsp_sat.instances.text.reading import MAX_SIZE, BoardFields, as_json, check_colour
from bsp_sat.instances.text.words import short

Move = tuple[int | str, ...]
"""A move, in the order of its JSON form. Each puzzle module has its own named tuple."""

Colour = int | str
"""A colour, as named in the file."""

NUMBERS = bytes(range(256))

READ_AS = "read_as"
"""The key under which fields say what a text or a value was taken for, if that isn't the project's own format."""

HIDDEN = "hidden cells"
"""The feature of positions with unknown cells, refused by scopes that don't name it (`Puzzle.features`)."""

M = TypeVar("M", bound=Move)


INDENT = "  "
NARROW = 3  # characters of a column, unless its label is wider; one more is between columns
GAP = 4  # characters from a colour's name to the next symbol, at least
PAGE = 80  # characters of a line where no width is given


class Cell(NamedTuple):
    """One character cell of a drawn position; ``colour`` is None for background."""

    text: str
    colour: Colour | None = None


class Picture(NamedTuple):
    """A position as rows of cells of one length, the top row first, a label a column, and the symbols of colours."""

    rows: tuple[tuple[Cell, ...], ...]
    header: tuple[str, ...]
    legend: tuple[tuple[str, Colour], ...] = ()

    def lines(self, width: int) -> Iterator[list[Cell]]:
        """The rows and the labels as lines of at most ``width`` characters; columns that don't fit continue below."""
        columns = len(self.header)
        wide = max([NARROW, *map(len, self.header)])
        fitting = max(1, (width - len(INDENT)) // (wide + 1))
        for first in range(0, columns, fitting):
            # If columns take several rows, labels go above them: below, they would seem to belong to the next row.
            part = slice(first, first + fitting)
            labels = [Cell(INDENT + " ".join(f"{label:^{wide}}" for label in self.header[part]))]
            if columns > fitting:
                yield from ([], labels) if first else (labels,)
            for row in self.rows:
                cells = (Cell(f"{cell.text:^{wide}}", cell.colour) for cell in row[part])
                yield [Cell(INDENT), *(each for cell in cells for each in (cell, Cell(" ")))]
            if columns <= fitting:
                yield labels

    def with_arrow(self, source: int, target: int) -> "Picture":
        """The picture with an arrow above it, from one column to another, both counted from 0."""
        rightwards = source < target
        cells = dict.fromkeys(range(min(source, target) + 1, max(source, target)), "───")
        cells |= {source: " ╭─" if rightwards else "─╮ ", target: "─▼ " if rightwards else " ▼─"}
        arrow = tuple(Cell(cells.get(column, "")) for column in range(len(self.header)))
        return self._replace(rows=(arrow, *self.rows))

    def names(self, width: int) -> Iterator[list[Cell]]:
        """Lines of at most ``width`` characters that explain the symbols; none if they are the colours' names."""
        if all(symbol == str(colour) for symbol, colour in self.legend):
            return
        named = [(f" {symbol} ", colour, printable(str(colour))) for symbol, colour in self.legend]
        wide = max(len(symbol) + len(name) for symbol, _, name in named) + GAP
        fitting = max(1, (width - len(INDENT)) // wide)
        for first in range(0, len(named), fitting):
            entries = (
                (Cell(symbol, colour), Cell(f" {name}".ljust(wide - len(symbol))))
                for symbol, colour, name in named[first : first + fitting]
            )
            yield [Cell(INDENT), *chain.from_iterable(entries)]

    def __str__(self) -> str:
        lines = [*self.lines(PAGE), *([[], *names] if (names := [*self.names(PAGE)]) else [])]
        return "\n".join("".join(cell.text for cell in line).rstrip() for line in lines)


class Number(NamedTuple):
    """A whole number that a generator takes. ``most``: the largest valid or useful number."""

    help: str
    default: int | None = None
    least: int = 1
    most: int = MAX_SIZE

    def check(self, name: str, value: int) -> None:
        """Refuses a value out of range. BoardError if the number is out of range, naming it ``name``."""
        if value < self.least:
            raise BoardError(name, f"expected {self.least} or more, found {value}")
        if value > self.most:
            raise BoardError(name, f"expected {self.least} to {self.most}, found {value}")


class WordOption(NamedTuple):
    """An option of a generator for something beyond the plain form, given as a word; empty for none."""

    help: str
    metavar: str


class Generator(NamedTuple):
    """A generator of random boards; ``bsp-sat generate`` has a command for each.

    Puzzles with the same generator share its command, which then has the option ``--puzzle``. ``board_name`` has the
    numbers in braces; the seed is added. ``make`` makes the fields of one board from a random generator and the
    numbers, and raises `BoardError` if they don't allow one. ``decidable`` says whether some boards are unsolvable, so
    that ``--solvable`` and ``--unsolvable`` make sense.
    """

    command: str
    summary: str
    numbers: Mapping[str, Number]
    board_name: str
    make: Callable[..., BoardFields]
    decidable: bool
    words: Mapping[str, WordOption] = {}


class Artist(Protocol):
    """Draws positions for notebooks; `bsp_sat.apps.drawing` has one, as the rules know nothing of drawing."""

    def picture_of(self, puzzle: "AnyPuzzle") -> str | None:
        """A position as SVG; None if it can't be drawn."""

    def steps_of(self, puzzle: "AnyPuzzle", plan: Any) -> str:
        """A position, and its plan to step through, as HTML; empty if it can't be drawn."""


class Puzzle(ABC, Generic[M]):
    """One position of one puzzle, immutable and hashable, with its rules."""

    __slots__ = ("_reading",)
    _reading: "tuple[str, AnyPuzzle | None]"

    kind: ClassVar[str]
    """The puzzle's name in files and on the command line."""

    move_key: ClassVar[str]
    """Explains the moves that `describe` writes."""

    fields_type: ClassVar[type[BoardFields]]
    """The keys of its board files."""

    generator: ClassVar[Generator | None] = None
    """The generator of random boards, if there is one."""

    prunings: ClassVar[frozenset[str]] = frozenset()
    """Names of the safe rules that `pruned_moves` can apply."""

    renamings: ClassVar[frozenset[str]] = frozenset()
    """Those `prunings` that only drop duplicates of the same move."""

    artist: ClassVar[Artist | None] = None
    """Draws positions for notebooks, once `bsp_sat` has loaded it."""

    # -- how a board was read: no part of the position, and lost with the next move ------------

    @property
    def read_as(self) -> str:
        """A sentence that says what a text or lists were taken for; empty if that was clear."""
        return getattr(self, "_reading", ("", None))[0]

    @property
    def other_end(self) -> "AnyPuzzle | None":
        """The board with the other end of each tube as its top, if nothing in the text says which it is."""
        return getattr(self, "_reading", ("", None))[1]

    def with_reading(self, read_as: str, other_end: "AnyPuzzle | None") -> Self:
        """The position itself, which from now on knows how it was read."""
        if read_as or other_end is not None:
            object.__setattr__(self, "_reading", (read_as, other_end))
        return self

    # -- rules ----------------------------------------------------------------------------------

    @abstractmethod
    def legal_moves(self) -> Iterable[M]:
        """Every legal move."""

    @abstractmethod
    def refusal(self, move: M) -> str | None:
        """Why ``move`` is illegal here, as a phrase; None if it is legal."""

    @abstractmethod
    def after_legal(self, move: M) -> Self:
        """The position after a move that is known to be legal: for searches, which don't have it checked again."""

    def apply(self, move: Move) -> Self:
        """The position after a move, also as a plain tuple. Raises IllegalMove, or PlanError if it is none at all."""
        return self.play((move,))

    def play(self, moves: Iterable[Move]) -> Self:
        """The position after moves, such as those of a plan. Raises as `apply` does."""
        *_, end = self.positions(moves)
        return end

    def positions(self, moves: Iterable[Move]) -> Iterator[Self]:
        """This position, and the one after each of some moves. Raises as `apply` does."""
        position = self
        yield position
        for step, values in enumerate(moves, start=1):
            move = self._move_of(values)
            reason = position.refusal(move)
            if reason is not None:
                raise IllegalMove(step, position.describe(move), reason)
            position = position.after_legal(move)
            yield position

    def _move_of(self, values: Move) -> M:
        try:
            return self.move_from_json(self.move_to_json(cast(M, values)))
        except (TypeError, ValueError):
            raise PlanError(f"expected a move of {self.kind} as a tuple, found {short(repr(values))}") from None

    def stuck(self) -> str:
        """That no move is possible, and why, as a sentence without full stop; empty if one is, or at a goal."""
        return "" if self.is_goal() or any(True for _ in self.legal_moves()) else "No move is possible"

    @abstractmethod
    def is_goal(self) -> bool:
        """Whether the puzzle is solved."""

    @abstractmethod
    def lower_bound(self) -> int:
        """An admissible lower bound on the moves of a plan from here; 0 at goals and only there."""

    def canonical(self) -> Self:
        """A representative of all positions that are equal up to a symmetry of the rules; by default the position."""
        return self

    def pruned_moves(self, prunings: frozenset[str]) -> Iterable[M]:
        """Legal moves without those that the named safe rules make superfluous.

        From a position with a plan, some shortest plan uses only such moves.
        """
        return self.legal_moves()

    def features(self) -> frozenset[str]:
        """What this position has beyond the plain form of its puzzle, in words that follow ``boards with``.

        Encodings and backends declare which features they take (`bsp_sat.instances.scope`).
        """
        return frozenset()

    def check(self) -> None:
        """Refuses a position whose parts don't fit together, with a BoardError. Takes time linear in its size.

        Constructors don't ask, as searches make positions by the million; `bsp_sat.instances.scope.Scope.check` does,
        for boards that may come from outside.
        """

    # -- files and people -----------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def from_fields(cls, fields: Any) -> Self:
        """The position of an object of ``fields_type`` with checked types. Raises BoardError, naming the place."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Parses a JSON object of the board format. Ignores keys that aren't this puzzle's. Raises BoardError."""
        return cls.from_fields(cls.fields_type.read(data, cls.kind))

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The puzzle's own fields of the board format, ``puzzle`` first; `from_json` reads them back."""

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether ``text`` can only be this puzzle's text notation.

        Puzzles are tried in the order of the registry. Text that none recognises is taken as tubes.
        """
        return False

    @classmethod
    def fields_of_value(cls, value: Any) -> Mapping[str, Any]:
        """The fields of the JSON format for a value; by default only an object is a board, others a BoardError."""
        if isinstance(value, dict):
            return value
        raise BoardError("", f"expected a board as a JSON object, found {as_json(value)}")

    @classmethod
    def fields_of_text(cls, text: str) -> Mapping[str, Any]:
        """The fields of the JSON format for text notation, by default a value's text; BoardError names the line."""
        from bsp_sat.instances.text.documents import read_document  # most boards are JSON

        document = read_document(text)
        if document is None:
            raise cls._no_notation()
        value = document.value()
        while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
            if not (value[0] and isinstance(value[0][0], list)):
                break
            value = value[0]  # what a call holds
        return cls.fields_of_value(value)

    @classmethod
    def from_text(cls, text: str, choices: ReadingChoices = NO_CHOICES) -> Self:
        """Reads a board in text notation. Raises BoardError."""
        return cls.from_json(cls.fields_of_text(text))

    def to_text(self) -> str:
        """The position in the text notation, colours perhaps with shorter names; BoardError if it can't express it."""
        raise self._no_notation()

    @classmethod
    def _no_notation(cls) -> BoardError:
        return BoardError("", f"{cls.kind} boards have no text notation, use JSON")

    @classmethod
    @abstractmethod
    def move_from_json(cls, value: Any) -> M:
        """Reads one move of a JSON plan. PlanError if ``value`` is no move of this puzzle."""

    @staticmethod
    def move_to_json(move: M) -> Any:
        """The move as in JSON plans: by default its values as a list."""
        return list(move)

    @classmethod
    @abstractmethod
    def move_from_text(cls, words: list[str]) -> M:
        """Parses one line of a plan in text, counted from 1. PlanError if the words are no move of this puzzle."""

    def moves_from_text(self, words: list[str]) -> list[M]:
        """Parses a line that may hold several moves, by default one. Raises PlanError."""
        return [self.move_from_text(words)]

    @abstractmethod
    def describe(self, move: M) -> str:
        """``move``, legal or not, as text, counted from 1; `move_from_text` reads it back."""

    @abstractmethod
    def unfinished(self) -> str:
        """What is missing for the goal, as text; empty at a goal."""

    def misreading(self) -> tuple[str, Self] | None:
        """Another board that the author may have meant, and how it reads this one; None if there is none."""
        return None

    @abstractmethod
    def summary(self) -> str:
        """Kind and size, for headings."""

    def __str__(self) -> str:
        """The position drawn as text, as `bsp-sat show` does."""
        return str(self.picture())

    def _repr_svg_(self) -> str | None:
        """A drawing, for notebooks; None if this position can't be drawn."""
        return None if self.artist is None else self.artist.picture_of(self)

    @abstractmethod
    def picture(self) -> Picture:
        """The position as rows of cells."""


def check_number(where: str, value: object, least: int, most: int) -> None:
    """Refuses what isn't a whole number in a range, with a BoardError at ``where``, for `Puzzle.check`."""
    # A protocol takes twenty times as long to ask for as the type.
    if not (type(value) is int or isinstance(value, SupportsIndex)) or not least <= index(value) <= most:
        raise BoardError(where, f"expected {least} to {most}, found {short(repr(value))}")


def check_colours(where: str, lists: Sequence[bytes], palette: Sequence[Colour], others: bytes = b"") -> None:
    """Refuses what isn't a tuple of byte strings, and cells whose number isn't that of a colour or in ``others``.

    BoardError names the cell in ``where``; or a colour is there twice, or is none that a file can have.
    """
    if type(lists) is not tuple or {*map(type, lists)} - {bytes}:
        found = short(repr(lists))
        raise BoardError(where, f"expected a tuple of byte strings with the numbers of colours, found {found}")
    most = len(NUMBERS) - len(others)
    if type(palette) is not tuple or len(palette) > most:
        raise BoardError("palette", f"expected a tuple of at most {most} colours, found {short(repr(palette))}")
    for colour in palette:
        check_colour("palette", colour)
    if len(set(palette)) < len(palette):
        raise BoardError("palette", "expected each colour once")
    known = NUMBERS[: len(palette)] + others
    if not b"".join(lists).translate(None, known):
        return
    for place, cells in enumerate(lists):
        if unknown := cells.translate(None, known):
            found = unknown[0]
            problem = f"expected the number of one of {len(palette)} colours, found {found}"
            raise BoardError(f"{where}[{place}][{cells.index(found)}]", problem)


def colour_in_words(colour: Colour | None) -> str:
    """A colour as sentences name it: a bare number could be taken for a number of balls, or for a tube.

    >>> colour_in_words("red"), colour_in_words(5)
    ('red', 'colour 5')
    """
    return f"colour {colour}" if str(colour).isdecimal() else str(colour)


AnyPuzzle = Puzzle[Any]
"""Any puzzle."""


RESERVED = set("-_|# ·.?[]{}")
SPARE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def symbols_for(palette: Sequence[Colour]) -> list[str]:
    """A distinct printable character for each colour, from its name if possible.

    >>> symbols_for(["red", "rose", "green", 3])
    ['r', 'o', 'g', '3']
    """
    symbols: dict[Colour, str] = {}
    # Names of one character are used as they are, whatever comes before them.
    for colour in palette:
        name = str(colour)
        if len(name) == 1 and name.isprintable() and name not in RESERVED.union(symbols.values()):
            symbols[colour] = name
    for colour in palette:
        if colour not in symbols:
            taken, name = {*symbols.values()}, str(colour)
            own = (letter for letter in name.lower() + name.upper() if letter.isascii() and letter.isalnum())
            rest = map(chr, range(0xC0, 0x250))
            symbols[colour] = next(sign for sign in chain(own, SPARE, rest) if sign not in taken)
    return [symbols[colour] for colour in palette]
