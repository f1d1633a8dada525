"""``/api/draw``: pictures of the current position, and of a plan from there."""

from collections.abc import Mapping
from typing import Any

from bsp_sat.apps.drawing.draw import FORMATS, Format, draw
from bsp_sat.apps.page.answering import File
from bsp_sat.apps.page.request_fields import MOST_MOVES, played_asked
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.instances.text.reading import as_json

TYPES: dict[Format, str] = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif", "html": "text/html"}


DrawingFields = tuple[AnyPuzzle, tuple[Move, ...], Format, str]
"""The arguments of `drawing`."""


def drawing_asked(fields: Mapping[str, Any]) -> DrawingFields:
    """The position after ``moves``, and the ``plan`` to draw from there."""
    played = played_asked(fields, "plan", "format")
    form = next((form for form in FORMATS if form == fields.get("format", "svg")), None)
    if form is None:
        raise BoardError("format", f"expected {', '.join(FORMATS)}, found {as_json(fields['format'])}")
    listed = fields.get("plan", [])
    if not isinstance(listed, list) or len(listed) > MOST_MOVES:
        raise BoardError("plan", f"expected a list of at most {MOST_MOVES:,} moves, found {as_json(listed)}")
    plan = Plan.from_json(played.position, listed)
    return played.position, plan.moves, form, played.instance.name


def drawing(position: AnyPuzzle, moves: tuple[Move, ...], form: Format, title: str) -> File:
    """The file that `bsp-sat draw` writes."""
    return File(draw(position, moves, form, title=title), TYPES[form])
