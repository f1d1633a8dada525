"""The keys of a sort board's file."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from bsp_sat.instances.text.fields import ABOUT, AnswerField, BoardFields, ColourField, ColourName, Coordinate, Size

Goal = Literal["full", "monochrome", "gathered", "wanted", "coloured"]
GOALS: tuple[Goal, ...] = get_args(Goal)
PLAIN_GOALS: tuple[Goal, ...] = ("full", "monochrome")
Placement = Literal["matching", "any"]

MAX_COLOURS = 256  # tubes are byte strings
NOT_SAID: Any = None  # for keys whose value may not be null in a file


@dataclass(kw_only=True)
class SortFields(BoardFields):
    """The fields of a ball-sort or water-sort board's file.

    Attributes:
        capacity: balls that fit into a tube.
        tubes: colours, in the order given by ``order``.
        order: whether tubes are written from the bottom or from the top.
        goal: the condition for a solved board.
        wanted: at the goal ``wanted``, how many tubes are to be full of each of some colours.
        tube_colours: at the goal ``coloured``, for each tube its colour, null for a reserve tube.
        placement: whether a ball goes on its own colour or into an empty tube only, or wherever there is room.
        optimal: the known answers, by rule.
        reveal: what is revealed when a covered cell comes to the top: the ``run`` of its colour, or the ``cell`` alone.
            By default what a move takes: the run in water sort, the cell in ball sort.
        hidden: by tube and cell, in the order of ``tubes``, whether it is covered; a null in ``tubes`` always is.
        colours: the number of balls of each colour, if it isn't the number in ``tubes``, or with unknown cells that
            number rounded up to full tubes; colours that don't show at all share the other cells.
        capacities: the capacity of each tube, if they differ.
        locked: objects with ``tube`` and ``until``: a colour, a number of complete tubes, or an unambiguous object with
            ``colour`` or ``tubes``.
        no_in: tubes that nothing may be put into.
        no_out: tubes that nothing may be taken from.
        accepts: by tube number, as a string, the colours that may be put in.
        partial: whether a pour is allowed if the run doesn't fit completely.
        cork: whether complete tubes are closed for good.
        contents: the true contents of the tubes, for simulating the game; never used to solve.
    """

    capacity: Size
    tubes: list[list[ColourField | None]]
    order: Literal["bottom-up", "top-down"] = "bottom-up"
    goal: Goal = "full"
    wanted: dict[ColourName, Size] = field(default_factory=dict)
    tube_colours: list[ColourField | None] = field(default_factory=list)
    placement: Placement = "matching"
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
        """Whether the board is of the plain form."""
        beyond = (self.hidden, self.colours, self.capacities, self.locked, self.no_in, self.no_out, self.accepts)
        return (
            not any(beyond)
            and self.partial
            and not self.cork
            and self.placement == "matching"
            and self.goal in PLAIN_GOALS
            and not self.wanted
            and not self.tube_colours
            and not any(None in tube for tube in self.tubes)
        )
