"""The keys of a sort board's file."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from bsp_sat.instances.text.fields import ABOUT, AnswerField, BoardFields, ColourField, ColourName, Coordinate, Size

Goal = Literal["full", "monochrome", "gathered"]
GOALS: tuple[Goal, ...] = get_args(Goal)

MAX_COLOURS = 256  # a tube is a byte string
NOT_SAID: Any = None  # of a key whose value may not be null in a file


@dataclass(kw_only=True)
class SortFields(BoardFields):
    """What a file says of a ball-sort or water-sort board.

    Attributes:
        capacity: balls that fit into a tube.
        tubes: colours, in the order that ``order`` says.
        order: whether tubes are written from the bottom or from the top.
        goal: what a solved board looks like.
        optimal: the known answers, by rule.
        reveal: what shows when a covered cell comes to the top: the ``run`` of its colour, or the ``cell`` alone; by
            default what a move takes, the run in water sort and the cell in ball sort.
        hidden: by tube and cell, in the order of ``tubes``, what the game covers; a null in ``tubes`` is covered
            without that.
        colours: the balls of each colour, where that isn't a tube full or what ``tubes`` shows.
        capacities: by tube, where they differ.
        locked: objects with ``tube``, and ``until``: a colour, a number of complete tubes, or an object with ``colour``
            or ``tubes`` in it for what may be mistaken.
        no_in: tubes that are no targets.
        no_out: tubes that are no sources.
        accepts: by tube, as a text, the colours that may be put in.
        partial: whether water may be poured where not all of the run fits.
        cork: whether complete tubes are closed for good.
        contents: what is in the tubes in truth, for whoever plays the game's part; never used to solve.
    """

    capacity: Size
    tubes: list[list[ColourField | None]]
    order: Literal["bottom-up", "top-down"] = "bottom-up"
    goal: Goal = "full"
    optimal: dict[str, AnswerField] | None = None
    reveal: Literal["run", "cell"] = NOT_SAID
    hidden: list[list[bool]] = field(default_factory=list)
    colours: dict[ColourName, Size] = field(default_factory=dict)
    capacities: list[Size] = field(default_factory=list)
    locked: list[dict[str, Any]] = field(default_factory=list)
    no_in: list[Coordinate] = field(default_factory=list)
    no_out: list[Coordinate] = field(default_factory=list)
    accepts: dict[str, list[ColourField]] = field(default_factory=dict)
    partial: bool = True
    cork: bool = False
    contents: list[list[ColourField]] = field(default_factory=list, metadata={ABOUT: True})

    @property
    def is_plain(self) -> bool:
        """Whether the file says nothing that plain boards don't have."""
        beyond = (self.hidden, self.colours, self.capacities, self.locked, self.no_in, self.no_out, self.accepts)
        return (
            not any(beyond)
            and self.partial
            and not self.cork
            and self.goal != "gathered"
            and not any(None in tube for tube in self.tubes)
        )
