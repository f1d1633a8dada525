"""What a user may decide about how a board is read, and the readings to choose from."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

Way = Literal["rows", "columns"]
"""Where the tubes of a table are."""


class ReadingChoices(NamedTuple):
    """What the user says beforehand about a board, so that it needn't be asked. By default nothing.

    ``read_as`` is the number of the reading to take, from 1, in the order of the question. ``top_first`` says whether a
    tube's first ball is its top; None looks for signs, and else takes the bottom first. ``tubes_in`` says whether the
    rows or the columns of a table are the tubes; None takes what fits. ``room`` are words that mean room rather than a
    colour. ``empty`` is how many empty tubes there are beside those in the text, 0 if none is missing.
    ``ignore_unknown`` leaves out keys that sound like rules and aren't known.
    """

    read_as: int | None = None
    top_first: bool | None = None
    tubes_in: Way | None = None
    room: tuple[str, ...] = ()
    empty: int | None = None
    ignore_unknown: bool = False

    def __repr__(self) -> str:
        """What is said, without what isn't: a default argument stays short in `help`."""
        return f"ReadingChoices({self.arguments()})"

    def arguments(self) -> str:
        """What is said, as arguments in Python, such as ``top_first=True``."""
        said = {key: value for key, value in self._asdict().items() if value != self._field_defaults[key]}
        return ", ".join(f"{key}={value!r}" for key, value in said.items())

    def options(self) -> Sequence[str]:
        """The options of the command line that say the same."""
        ends = {None: [], True: ["--top-first"], False: ["--bottom-first"]}
        return [
            *([] if self.read_as is None else ["--read-as", str(self.read_as)]),
            *ends[self.top_first],
            *([] if self.tubes_in is None else ["--tubes-in", self.tubes_in]),
            *(word for mark in self.room for word in ("--room", mark)),
            *([] if self.empty is None else ["--empty", str(self.empty)]),
            *(["--ignore-unknown"] if self.ignore_unknown else []),
        ]


NO_CHOICES = ReadingChoices()


class Reading(NamedTuple):
    """One way to read a text: what the boards are, what speaks against it, the strongest first, and what picks it."""

    boards: tuple[Any, ...]
    words: str
    doubts: tuple[str, ...] = ()
    choices: ReadingChoices = NO_CHOICES

    def differs_at(self, others: "Sequence[Reading]") -> int:
        """The place of the first board, from 0, that isn't the same in all of these readings; 0 if there is none."""
        packs = ((board.puzzle for board in each.boards) for each in (self, *others))
        places = enumerate(zip(*packs, strict=False))
        return next((at for at, boards in places if boards.count(boards[0]) < len(boards)), 0)

    def __str__(self) -> str:
        """What it is, what speaks against it, and what picks it in Python."""
        doubts = "".join(f", but {doubt}" for doubt in self.doubts[:2])
        return f"{self.words}{doubts}: board(..., {self.choices.arguments()})"

    @property
    def option(self) -> str:
        """The options of the command line that pick this reading, such as ``--tubes-in rows``."""
        import shlex

        return shlex.join(self.choices.options())
