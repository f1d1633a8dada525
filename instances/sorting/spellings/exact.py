"""Boards in the project's own form: which of them need no other reading to be looked at."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting.board import SortBoard
from bsp_sat.instances.sorting.spellings.names import DOUBTFUL, NEVER_COLOURS, SAY_UNKNOWN, role_of, word_of

_QUIET = frozenset(("", "about", "steps", "balls", "tubes", "segments"))
"""Roles of keys that change nothing about a board in the project's own form."""


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


def _may_be_room(colour: Colour, tubes: Sequence[Sequence[Any]]) -> bool:
    """Whether a colour lies only at the tops of tubes, or only at their bottoms."""
    return any(
        all(colour not in tube or set(tube[tube.index(colour) :]) == {colour} for tube in turned)
        for turned in (tubes, [tube[::-1] for tube in tubes])
    )
