"""Boards in the project's own form: which of them need no other reading to be looked at."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from bsp_sat.instances.sorting.board import SortBoard
from bsp_sat.instances.sorting.rules import SortFields
from bsp_sat.instances.sorting.spellings.names import DOUBTFUL, NEVER_COLOURS, NO_VALUES, SAY_UNKNOWN, role_of, word_of
from bsp_sat.instances.text.words import quantity

_QUIET = frozenset(("", "about", "steps", "balls", "tubes", "segments"))
"""Roles of keys that change nothing about a board in the project's own form."""

_END_IN_WORDS = {
    ("rows", False): "each from bottom to top",
    ("rows", True): "each from top to bottom",
    ("columns", True): "in columns, the top row first",
    ("columns", False): "in columns, the bottom row first",
}


def is_unsuspicious(puzzle: SortBoard, fields: Mapping[str, Any]) -> bool:
    """Whether a board in the project's own form is so plainly that board that no other reading need be looked at.

    The palette has no word for room; tubes have room, or the object says that it is a board of this program; null is
    said to be unknown; and no further key has a meaning.
    """
    named = "puzzle" in fields
    tubes = fields["tubes"]
    if _has_at_an_end(tubes, puzzle.palette, NEVER_COLOURS if named else DOUBTFUL):
        return False
    full = not named and sum(map(len, tubes)) >= fields["capacity"] * len(tubes) and "capacities" not in fields
    if full or (not named and SAY_UNKNOWN.isdisjoint(fields) and None in chain.from_iterable(tubes)):
        return False
    known = puzzle.fields_type.position_keys()
    if not named and has_values_for_tubes(fields):
        return False
    return all(key in known or role_of(str(key)) in _QUIET or value in NO_VALUES for key, value in fields.items())


def may_have_room(tubes: Sequence[Any]) -> bool:
    """Whether cells of tubes may mean room, or unknown balls: null, or a doubtful word at one end of the tubes."""
    lists = [tube for tube in tubes if isinstance(tube, list)]
    cells = {cell for tube in lists for cell in tube if cell is None or isinstance(cell, str | int)}
    return None in cells or _has_at_an_end(lists, cells, DOUBTFUL)


def _has_at_an_end(tubes: Sequence[Sequence[Any]], cells: Iterable[Any], words: Collection[Any]) -> bool:
    return any(lies_at_an_end(tubes, cell) for cell in cells if word_of(cell) in words)


def has_values_for_tubes(fields: Mapping[str, Any]) -> bool:
    """Whether a key that isn't known has a list with a value for each tube: it may be a rule, or another board."""
    others = fields.keys() - SortFields.position_keys()
    return any(isinstance(fields[key], list) and len(fields[key]) == len(fields["tubes"]) for key in others)


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
    said = not (SortFields.position_keys() - {"tubes"}).isdisjoint(fields) or has_values_for_tubes(fields)
    if said or any(role_of(str(key)) == "steps" for key in fields):
        return None
    from bsp_sat.instances.sorting.notation import guess_capacity  # boards in the own form don't need it

    capacity = guess_capacity(tubes)
    plain = 1 < capacity == max(map(len, tubes)) and any(len(set(tube)) > 1 for tube in tubes)
    return capacity if plain and len({str(ball).casefold() for ball in balls}) == len(set(balls)) else None


def tubes_in_words(tubes: Sequence[Sequence[Any]], capacity: int, way: str = "rows", *, top_first: bool = False) -> str:
    """What a board was read as, such as ``5 tubes of 4, 2 empty, each from bottom to top``."""
    empty = sum(not tube for tube in tubes)
    of = f"{quantity(len(tubes), 'tube')} of {capacity}" + (f", {empty} empty" if empty else "")
    return f"{of}, {_END_IN_WORDS[way, top_first]}"


def lies_at_an_end(tubes: Sequence[Sequence[Any]], word: Any) -> bool:
    """Whether a word lies only at the tops of tubes, or only at their bottoms."""
    there = [tube for tube in tubes if word in tube]
    both = there, [tube[::-1] for tube in there]
    return any(all({*tube[tube.index(word) :]} == {word} for tube in turned) for turned in both)
