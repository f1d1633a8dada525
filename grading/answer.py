"""A graded board as it is printed; nothing heavy is loaded for it."""

from typing import Any

from bsp_sat.backends.result import Result
from bsp_sat.instances.puzzle import AnyPuzzle


def graded_json(result: Result, puzzle: AnyPuzzle, *, what_if: bool) -> dict[str, Any]:
    """The result format of a graded board, with ``board_class``, ``grades`` and, where asked for, ``what_if``."""
    answer = result.to_json(puzzle)
    stats = answer["stats"]
    asked = ("what_if",) if what_if else ()
    return {**{key: stats.pop(key, None) for key in ("board_class", "grades", *asked)}, **answer}
