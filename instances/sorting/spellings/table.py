"""A board as it stands in a text: rows of cells, what is said beside them, and one way to see tubes in them."""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from bsp_sat.instances.choices import ReadingChoices, Way
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.notation import guess_capacity
from bsp_sat.instances.sorting.spellings.names import BLANK as BLANK
from bsp_sat.instances.sorting.spellings.names import UNKNOWN_WORDS, word_of
from bsp_sat.instances.sorting.spellings.names import Cell as Cell

Ways = Way | Literal["both"]


@dataclass(frozen=True)
class Said:
    """What stands beside tubes and has a meaning.

    ``empty`` are tubes that aren't among the tubes, ``count`` is that of all; ``kind`` is empty if nothing says it.
    ``fields`` are those of the JSON format, as they are; ``about`` is about the board. ``rules`` are keys that sound
    like rules and aren't known, ``steps`` recorded moves: pairs of tubes. ``exact`` says whether the capacity is said
    in the project's own words.
    """

    capacity: int | None = None
    empty: int | None = None
    count: int | None = None
    top_first: bool | None = None
    kind: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    steps: tuple[tuple[int, int], ...] = ()
    exact: bool = False


NOTHING = Said()


@dataclass(frozen=True)
class Table:
    """Rows of cells that may be the tubes of a board, or stand across them, as ``ways`` says.

    ``cost`` is how unlikely it is that this was meant, as `bsp_sat.instances.sorting.spellings.suspicions` weighs;
    ``doubt`` says why, if the user is to know, and ``notes`` what else was found. In ``lines`` of text tubes may have
    names, and columns are usual. ``own`` is one of the project's own forms. ``place`` is its key, its line or its
    number where there are several boards.
    """

    rows: list[list[Cell]]
    said: Said = NOTHING
    ways: Ways = "rows"
    cost: float = 0.0
    doubt: str = ""
    notes: tuple[str, ...] = ()
    lines: bool = False
    own: bool = False
    place: str = ""
    null_is_unknown: bool = False


Pack = list[Table]
"""The boards of a text, read in one way."""


def dearer(pack: Pack, cost: float, **more: Any) -> Pack:
    """The same boards at a higher cost, with other values of `Table`."""
    return [replace(table, cost=table.cost + cost, **more) for table in pack]


def is_unknown(cell: Cell) -> bool:
    """Whether a cell is a ball of unknown colour."""
    return cell is None or (cell is not BLANK and word_of(cell) in UNKNOWN_WORDS)


@dataclass(frozen=True)
class ParsedBoard:
    """One way to see a board in a table: which of its rows or columns are tubes, and which words are room.

    ``full`` has the tubes from bottom to top, with what is room; ``tubes`` is without it, and with the empty tubes that
    the text only counts. ``without`` says which rows and columns were taken for something else; it is empty if none
    were, None if they couldn't be.
    """

    table: Table
    way: Way
    room: frozenset[Cell]
    top_first: bool
    full: list[list[Cell]]
    tubes: list[list[Cell]]
    choices: ReadingChoices
    without: str | None = None

    @cached_property
    def capacity(self) -> int:
        """The balls that a tube holds."""
        if self.table.said.capacity or self.is_padded:
            return self.table.said.capacity or max(map(len, self.full))
        return guess_capacity([[None if is_unknown(ball) else ball for ball in tube] for tube in self.tubes])

    @cached_property
    def balls(self) -> list[Cell]:
        """All balls."""
        return [ball for tube in self.tubes for ball in tube]

    @cached_property
    def counts(self) -> Counter[str]:
        """How many balls of each known colour there are."""
        return Counter(str(ball) for ball in self.balls if not is_unknown(ball))

    @cached_property
    def unknown(self) -> int:
        """How many balls have no known colour."""
        return sum(map(is_unknown, self.balls))

    @cached_property
    def in_words(self) -> list[list[Cell]]:
        """The tubes, with colours as they are compared with words for room."""
        return [[*map(word_of, tube)] for tube in self.tubes]

    @cached_property
    def words(self) -> set[Cell]:
        """The same words, each once."""
        return {word for tube in self.in_words for word in tube}

    @cached_property
    def drawn(self) -> list[tuple[list[Cell], list[Cell]]]:
        """Each tube of the text with and without its room."""
        return list(zip(self.full, self.tubes, strict=False))

    @property
    def added(self) -> int:
        """How many empty tubes the text only counts."""
        return len(self.tubes) - len(self.full)

    @cached_property
    def is_padded(self) -> bool:
        """Whether room is drawn in tubes of several cells."""
        return any(len(tube) < len(full) and len(full) > 1 for full, tube in self.drawn)

    @cached_property
    def is_partial(self) -> bool:
        """Whether room is drawn above balls: it shows where the top is."""
        return any(0 < len(tube) < len(full) for full, tube in self.drawn)


def rows_of_csv(lines: Sequence[str], mark: str = ",") -> list[list[str]]:
    """The cells of a table in CSV. Raises BoardError if it is none, as with a cell of more than 131,072 characters."""
    try:
        return [*csv.reader(lines, delimiter=mark, skipinitialspace=True)]
    except csv.Error as error:
        raise BoardError("", f"no table in CSV: {error}") from None
