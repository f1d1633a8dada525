"""A board with the metadata of its file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bsp_sat.instances.errors import BoardError, printable
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.reading import as_json
from bsp_sat.instances.text.words import quantity

KnownAnswer = int | str
"""A known answer: a number of moves, ``"unsolvable"`` or ``"unknown"``."""


@dataclass(frozen=True)
class Instance:
    """A board with the metadata of its file.

    ``about`` has all keys of the file that aren't part of the position, in order, such as ``name``, ``source`` and
    ``optimal``; it is never used to solve. ``read_as`` says what the file was taken for, and is empty in the project's
    own format. ``place`` is where the board stands, such as ``levels.jsonl:3``, or its name. ``unused`` are keys that
    weren't used, and aren't known to be about the board. ``other_end`` is the board with the other end of each tube as
    its top, if nothing in the text says which it is; ``top_first`` says whether the first ball of a tube in the text
    was taken for its top.
    """

    puzzle: AnyPuzzle
    about: Mapping[str, Any] = field(default_factory=dict)
    read_as: str = field(default="", compare=False)
    place: str = field(default="", compare=False)
    unused: tuple[str, ...] = field(default=(), compare=False)
    other_end: "Instance | None" = field(default=None, compare=False)
    top_first: bool = field(default=False, compare=False)

    @property
    def name(self) -> str:
        """The board's name; or its place, or its kind, if it has none."""
        return str(self.about.get("name") or self.place or self.puzzle.kind)

    @property
    def position(self) -> AnyPuzzle:
        """``puzzle``, which then also knows how it was read."""
        turned = self.other_end
        return self.puzzle.with_reading(self.read_as, None if turned is None else turned.puzzle)

    @property
    def turned_by(self) -> str:
        """The option that takes the other end of each tube for its top."""
        return "--bottom-first" if self.top_first else "--top-first"

    @property
    def known_answer(self) -> KnownAnswer | None:
        """The optimum that the file gives for this kind of puzzle."""
        optimal = self.about.get("optimal")
        answer = optimal.get(self.puzzle.kind) if isinstance(optimal, dict) else optimal
        return answer if isinstance(answer, int | str) else None

    def contradicted(self, length: int | None, lower_bound: int | None) -> str | None:
        """How the length of a plan, or a proved bound (None: no plan exists), contradicts the file, or None."""
        claim = self.known_answer
        proved = None
        if isinstance(claim, int) and lower_bound is None:
            proved = "no plan exists"
        elif length is not None and (claim == "unsolvable" or (isinstance(claim, int) and claim > length)):
            proved = f"there is a plan of {quantity(length, 'move')}"
        elif isinstance(claim, int) and lower_bound is not None and claim < lower_bound:
            proved = f"every plan has at least {quantity(lower_bound, 'move')}"
        return proved and f'the file says "optimal": {as_json(claim)}, but {proved}'

    @property
    def contents(self) -> AnyPuzzle:
        """The position with the hidden cells filled in from the file's ``contents``."""
        if "contents" not in self.about:
            return self.puzzle
        fields = self.puzzle.to_json()
        fields.pop("hidden", None)
        return type(self.puzzle).from_json({**fields, "tubes": self.about["contents"]})

    def __str__(self) -> str:
        """Name and size, and the position drawn as text."""
        return f"{printable(self.name)}: {self.puzzle.summary()}\n\n{self.puzzle}"

    def _repr_svg_(self) -> str | None:
        """The position's drawing, for notebooks."""
        return self.puzzle._repr_svg_()

    def to_json(self) -> dict[str, Any]:
        """The board as a JSON object; `parse_instances` reads it back."""
        return {**self.about, **self.puzzle.to_json()}


class Boards(NamedTuple):
    """The boards of a text. ``refused``: those that aren't, in a pack whose other boards are: each with its place."""

    instances: list[Instance]
    refused: tuple[BoardError, ...] = ()
