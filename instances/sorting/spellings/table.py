"""A board as it stands in a text: rows of cells, and what is said beside them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bsp_sat.instances.sorting.spellings.names import BLANK as BLANK
from bsp_sat.instances.sorting.spellings.names import Cell as Cell

Ways = Literal["rows", "columns", "both"]


@dataclass(frozen=True)
class Said:
    """What stands beside tubes and has a meaning.

    Attributes:
        capacity: balls a tube holds.
        empty: empty tubes that aren't among the tubes.
        count: tubes in all.
        top_first: whether the first cell of a tube is its top.
        kind: the kind of puzzle; empty if nothing says it.
        fields: other fields of the JSON format, as they are.
        about: what is about the board.
        rules: keys that sound like rules and aren't known.
        steps: recorded moves: pairs of tubes.
        exact: whether the capacity is said in the project's own words.
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
    """Rows of cells that may be the tubes of a board, or stand across them.

    Attributes:
        rows: the cells.
        said: what is said beside them.
        ways: whether the rows are the tubes, or the columns; or both may be.
        cost: how unlikely it is that this was meant, as `bsp_sat.instances.sorting.spellings.suspicions` weighs.
        notes: what else was found, for the sentence.
        lines: whether it stands in lines of text: tubes may have names there, and columns are usual.
        own: whether it is in one of the project's own forms.
        place: its key, its line or its number where there are several boards.
        null_is_unknown: whether null may be a ball of unknown colour.
    """

    rows: list[list[Cell]]
    said: Said = NOTHING
    ways: Ways = "rows"
    cost: float = 0.0
    notes: tuple[str, ...] = ()
    lines: bool = False
    own: bool = False
    place: str = ""
    null_is_unknown: bool = False

    @property
    def has_blanks(self) -> bool:
        """Whether there are cells without anything in them."""
        return any(BLANK in row for row in self.rows)


Pack = list[Table]
"""The boards of a text, read in one way."""
