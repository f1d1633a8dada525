"""The keys of a sort board's file."""

from dataclasses import dataclass
from typing import Literal, get_args

from bsp_sat.instances.text.fields import AnswerField, BoardFields, ColourField, Size

Goal = Literal["full", "monochrome"]
GOALS: tuple[Goal, ...] = get_args(Goal)

MAX_COLOURS = 256  # a tube is a byte string


@dataclass(kw_only=True)
class SortFields(BoardFields):
    """What a file says of a ball-sort or water-sort board.

    Attributes:
        capacity: balls that fit into a tube.
        tubes: colours, in the order that ``order`` says.
        order: whether tubes are written from the bottom or from the top.
        goal: what a solved board looks like.
        optimal: the known answers, by rule.
    """

    capacity: Size
    tubes: list[list[ColourField]]
    order: Literal["bottom-up", "top-down"] = "bottom-up"
    goal: Goal = "full"
    optimal: dict[str, AnswerField] | None = None
