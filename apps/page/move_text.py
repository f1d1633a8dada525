"""Moves as text, for screen readers, and as effects that the page animates."""

from typing import Any, cast

from bsp_sat.instances.puzzle import AnyPuzzle, Move, colour_in_words
from bsp_sat.instances.shot import DIRECTIONS, Knock, Shot
from bsp_sat.instances.sorting import Pour, SortPuzzle
from bsp_sat.instances.tiles import Click, Tiles


def imperative(position: AnyPuzzle, move: Move) -> str:
    """What a legal move would do, as a sentence without full stop. Tubes, columns and rows are counted from 1."""
    effect = effect_of(position, move)
    return _sentence(effect, "Move", "Click", "Knock") if effect else f"Move: {position.describe(move)}"


def in_past_tense(position: AnyPuzzle, move: Move) -> str:
    """What a move at ``position`` did, as a sentence without full stop."""
    effect = effect_of(position, move)
    return _sentence(effect, "Moved", "Clicked", "Knocked") if effect else f"Moved: {position.describe(move)}"


def effect_of(position: AnyPuzzle, move: Move) -> dict[str, Any]:
    """The effect of a legal move.

    For sort boards ``from``, ``to``, ``amount`` and ``colour``; for tiles ``column``, ``colour`` and ``removed``, the
    removed places as ``[column, row from the bottom]``; for shot ``ball``, ``direction`` and ``ways``, the old and new
    place of each ball that moves, in order; the new place of the ball that leaves is null. Empty for other puzzles.
    """
    match position:
        case SortPuzzle():
            return _pour(position, cast(Pour, move))
        case Tiles():
            return _click(position, cast(Click, move))
        case Shot():
            return _knock(position, cast(Knock, move))
        case _:
            return {}


def _pour(position: SortPuzzle, move: Pour) -> dict[str, Any]:
    ball = position.tubes[move.source][-1]
    amount = len(position.after_legal(move).tubes[move.target]) - len(position.tubes[move.target])
    return {"from": move.source, "to": move.target, "amount": amount, "colour": position.palette[ball]}


def _click(position: Tiles, move: Click) -> dict[str, Any]:
    removed = [[x, y] for x, rows in position.group(move).items() for y in rows]
    colour = position.palette[position.columns[move.column][0]]
    return {"column": move.column, "colour": colour, "removed": sorted(removed)}


def _knock(position: Shot, move: Knock) -> dict[str, Any]:
    step_x, step_y = DIRECTIONS[move.direction]
    struck = position.line(move)
    stops = [[x - step_x, y - step_y] for x, y in struck[1:]]
    ways = [[list(place), stop] for place, stop in zip(struck, [*stops, None], strict=True)]
    return {"ball": [move.x, move.y], "direction": move.direction, "ways": ways}


def _sentence(effect: dict[str, Any], move: str, click: str, knock: str) -> str:
    if "ways" in effect:
        x, y = effect["ball"]
        to = {"left": "to the left", "right": "to the right"}.get(effect["direction"], effect["direction"])
        return f"{knock} the ball in column {x + 1}, row {y + 1} {to}"
    colour = colour_in_words(effect["colour"])
    if "removed" in effect:
        number = len(effect["removed"])
        return f"{click} column {effect['column'] + 1}: {number} {colour} tile{'s' * (number != 1)}"
    many = f"{effect['amount']} " if effect["amount"] != 1 else ""
    return f"{move} {many}{colour} from tube {effect['from'] + 1} to tube {effect['to'] + 1}"
