"""Pictures of the board as it stands, and of a plan from there."""

from collections.abc import Mapping
from typing import Any

from bsp_sat.drawing.draw import FORMATS, Format, draw
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.text.fields import as_json
from bsp_sat.web.asked import played_asked

TYPES: dict[Format, str] = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}


def drawing(fields: Mapping[str, Any]) -> tuple[bytes, str]:
    """The answer of ``/api/draw``: the position after ``moves`` or, with a ``plan``, what follows from it.

    Returns:
        The file, and its media type.

    Raises:
        BoardError: the board, the moves or the format are refused.
        PlanError: something in the plan is no move.
        IllegalMove: the first move that breaks a rule.
        Unsupported: as `bsp_sat.drawing.draw.draw`.
    """
    played = played_asked(fields)
    form = next((form for form in FORMATS if form == fields.get("format", "svg")), None)
    if form is None:
        raise BoardError("format", f"expected {', '.join(FORMATS)}, found {as_json(fields['format'])}")
    listed = fields.get("plan", [])
    if not isinstance(listed, list):
        raise BoardError("plan", f"expected a list of moves, found {as_json(listed)}")
    plan = Plan.from_json(played.position, listed)
    return draw(played.position, plan.moves, form, title=played.instance.name), TYPES[form]
