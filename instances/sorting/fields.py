"""The keys of a sort board's file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, get_args

from bsp_sat.instances.text.fields import ABOUT, MAX_SIZE, AnswerField, BoardFields, ColourField, Coordinate, Size

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
    colours: dict[str, Size] = field(default_factory=dict)
    capacities: list[Size] = field(default_factory=list)
    locked: list[dict[str, Any]] = field(default_factory=list)
    no_in: list[Coordinate] = field(default_factory=list)
    no_out: list[Coordinate] = field(default_factory=list)
    accepts: dict[str, list[ColourField]] = field(default_factory=dict)
    partial: bool = True
    cork: bool = False
    contents: list[list[ColourField]] = field(default_factory=list, metadata={ABOUT: True})

    @classmethod
    def at_sight(cls, data: Mapping[str, Any]) -> Self | None:
        """See `BoardFields.at_sight`: a capacity, tubes of plain colours, and what is only about the board."""
        if data.keys() & BEYOND or not (_is_size(data.get("capacity")) and _are_tubes(data.get("tubes"))):
            return None
        about = {key: data[key] for key in data.keys() & ("name", "source", "optimal")}
        words = (about.get("name"), about.get("source"))
        if not all(each is None or _is_word(each) for each in words) or not _are_answers(about.get("optimal")):
            return None
        return cls(capacity=data["capacity"], tubes=data["tubes"], **about)

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


BEYOND = {each.name for each in fields(SortFields)} - {"capacity", "tubes", "name", "source", "optimal"}
"""Keys whose values are for pydantic to check."""


def _is_size(value: Any) -> bool:
    return type(value) is int and 1 <= value <= MAX_SIZE


def _is_word(value: Any) -> bool:
    """Whether it is a string that nothing is the matter with: others may hold halves of characters."""
    return type(value) is str and value.isascii()


def _are_tubes(value: Any) -> bool:
    return type(value) is list and all(
        type(tube) is list and all(type(ball) is int or _is_word(ball) for ball in tube) for tube in value
    )


def _are_answers(value: Any) -> bool:
    if value is None:
        return True
    return type(value) is dict and all(
        _is_word(key) and ((type(each) is int and each >= 0) or each in ("unsolvable", "unknown"))
        for key, each in value.items()
    )
