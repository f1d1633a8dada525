"""Boards in the project's own form: which of them need no other reading to be looked at."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting.board import SortBoard
from bsp_sat.instances.sorting.notation import guess_capacity
from bsp_sat.instances.sorting.rules import SortFields
from bsp_sat.instances.sorting.spellings.names import DOUBTFUL, NEVER_COLOURS, SAY_UNKNOWN, role_of, word_of
from bsp_sat.instances.text.words import quantity

_QUIET = frozenset(("", "about", "steps", "balls", "tubes", "segments"))
"""Roles of keys that change nothing about a board in the project's own form."""


BOTTOM_FIRST = "each from bottom to top"


def is_unsuspicious(puzzle: SortBoard, fields: Mapping[str, Any]) -> bool:
    """Whether a board in the project's own form is so plainly that board that no other reading need be looked at.

    The palette has no word for room; tubes have room, or the object says that it is a board of this program; null is
    said to be unknown; and no further key has a meaning.
    """
    palette = puzzle.palette
    named = "puzzle" in fields
    tubes = fields["tubes"]
    doubtful = [colour for colour in palette if word_of(colour) in (NEVER_COLOURS if named else DOUBTFUL)]
    if any(_may_be_room(colour, tubes) for colour in doubtful):
        return False
    full = not named and sum(map(len, tubes)) >= fields["capacity"] * len(tubes) and "capacities" not in fields
    if full or (not named and SAY_UNKNOWN.isdisjoint(fields) and None in chain.from_iterable(tubes)):
        return False
    known = puzzle.fields_type.position_keys()
    return all(key in known or role_of(str(key)) in _QUIET or not value for key, value in fields.items())


def capacity_shown(fields: Mapping[str, Any]) -> int | None:
    """The capacity of tubes that are plainly a board of one, though nothing says it; None if anything else is said.

    Tubes differ in length, so they don't stand across; each ball is a plain word or number, and the board isn't solved.
    """
    tubes = fields["tubes"]
    if not (tubes and all(isinstance(tube, list) for tube in tubes) and len(set(map(len, tubes))) > 1):
        return None
    balls = list(chain.from_iterable(tubes))
    if not all(type(ball) is int or (type(ball) is str and ball.isalnum() and len(ball) < 40) for ball in balls):
        return None
    others = SortFields.position_keys() - {"tubes"}
    if not others.isdisjoint(fields) or any(role_of(str(key)) == "steps" for key in fields):
        return None
    capacity = guess_capacity(tubes)
    plain = 1 < capacity == max(map(len, tubes)) and any(len(set(tube)) > 1 for tube in tubes)
    return capacity if plain and len({str(ball).casefold() for ball in balls}) == len(set(balls)) else None


def tubes_in_words(tubes: Sequence[Sequence[Any]], capacity: int) -> str:
    """What such a board was read as."""
    empty = sum(not tube for tube in tubes)
    return f"{quantity(len(tubes), 'tube')} of {capacity}" + (f", {empty} empty" if empty else "") + f", {BOTTOM_FIRST}"


def _may_be_room(colour: Colour, tubes: Sequence[Sequence[Any]]) -> bool:
    """Whether a colour lies only at the tops of tubes, or only at their bottoms."""
    return any(
        all(colour not in tube or set(tube[tube.index(colour) :]) == {colour} for tube in turned)
        for turned in (tubes, [tube[::-1] for tube in tubes])
    )
