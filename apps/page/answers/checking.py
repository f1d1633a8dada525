"""``/api/check``: whether a plan is legal and solves a board."""

from collections.abc import Mapping
from typing import Any

from bsp_sat.apps.page.request_fields import MOST_MOVES, instance_asked
from bsp_sat.instances.errors import BoardError, GoalNotReached, IllegalMove, Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import is_hidden
from bsp_sat.instances.text.reading import as_json


def checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Replays the plan under ``plan``: moves in JSON, or a text as for `bsp-sat check`.

    Returns:
        ``valid``; ``length``; ``reason`` if it isn't valid, else null; ``step``, the number of the first illegal move
        from 1, or null.
    """
    board = instance_asked(fields, "plan").puzzle
    if is_hidden(board):
        raise Unsupported("a board with hidden cells has strategies, not plans; `bsp-sat check` plays them")
    plan = _plan_asked(board, fields.get("plan"))
    reason, step = None, None
    try:
        plan.replay(board)
    except IllegalMove as error:
        reason, step = str(error), error.step
    except GoalNotReached as error:
        reason = str(error)
    return {"valid": reason is None, "length": len(plan), "reason": reason, "step": step}


def _plan_asked(board: AnyPuzzle, value: Any) -> Plan:
    match value:
        case list():
            plan = Plan.from_json(board, value)
        case str():
            plan = Plan.from_text(board, value)
        case _:
            raise BoardError("plan", f"expected a list of moves or a text, found {as_json(value)}")
    if len(plan) > MOST_MOVES:
        raise BoardError("plan", f"expected at most {MOST_MOVES:,} moves, found {len(plan):,}")
    return plan
