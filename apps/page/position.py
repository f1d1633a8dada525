"""``/api/position``: a position as the page shows it, and its legal moves."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from bsp_sat.apps.page.move_text import effect_of, imperative, in_past_tense
from bsp_sat.apps.page.request_fields import PlayedBoard, played_asked
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance, misspelt
from bsp_sat.instances.palette import paints_for
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import SortPuzzle, is_hidden
from bsp_sat.instances.tiles import Tiles

MOST_KEYS = 10  # to compare with known ones: each takes a while


def position_asked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of ``/api/position``; refuses as `played_asked`."""
    return position_json(played_asked(fields))


def position_json(played: PlayedBoard) -> dict[str, Any]:
    """The state of a game. docs/page.md lists the keys."""
    position = played.position
    last = effect = None
    if played.moves:
        before, move = played.positions[-2], played.moves[-1]
        last, effect = in_past_tense(before, move), effect_of(before, move)
    return {
        "name": played.instance.name,
        "puzzle": position.kind,
        "read_as": " ".join(_notes(played.instance)),
        "board": played.instance.to_json(),
        "moves": [position.move_to_json(move) for move in played.moves],
        "last": last,
        "effect": effect,
        **standing(position),
    }


def _notes(instance: Instance) -> Iterator[str]:
    """What was made of the board's file."""
    if instance.read_as:
        yield instance.read_as
    for key in islice(instance.about, MOST_KEYS):
        if sentence := misspelt(type(instance.puzzle), str(key)):
            yield sentence


def standing(position: AnyPuzzle) -> dict[str, Any]:
    """The keys that depend on the position alone."""
    legal = list(position.legal_moves())
    picture = position.picture()
    colours = [colour for _, colour in picture.legend]
    return {
        "position": position.to_json(),
        "text": _text(position),
        "summary": position.summary(),
        "unfinished": position.unfinished(),
        "legal": [position.move_to_json(move) for move in legal],
        "words": [imperative(position, move) for move in legal],
        "goal": position.is_goal(),
        "lower_bound": position.lower_bound(),
        "hidden": is_hidden(position),
        "unseen": [position.palette[colour] for colour in position.unseen] if is_hidden(position) else [],
        "reveal": position.rules.reveal if is_hidden(position) else None,
        "colours": [
            {"colour": colour, "name": str(colour), "symbol": paint.symbol, "fill": paint.fill, "ink": paint.ink}
            for colour, paint in zip(colours, paints_for(colours), strict=True)
        ],
        "tubes": [position.tube_json(place) for place in range(len(position.tubes))]
        if isinstance(position, SortPuzzle) and not position.is_plain
        else None,
        "picture": None
        if isinstance(position, SortPuzzle | Tiles | Shot)
        else {"rows": picture.rows, "header": picture.header, "move_key": position.move_key},
    }


def _text(position: AnyPuzzle) -> str | None:
    try:
        return position.to_text()
    except BoardError:
        return None
