"""``/data/boards.json``: the shipped boards."""

from functools import cache
from typing import Any

from bsp_sat.instances.files import Instance, load_shipped, shipped_names


@cache
def all_boards() -> list[dict[str, Any]]:
    """Each shipped board, with name and summary."""
    return [entry_of(load_shipped(name)) for name in shipped_names()]


def entry_of(instance: Instance) -> dict[str, Any]:
    """A board as an entry of a list of boards."""
    return {
        "name": instance.name,
        "puzzle": instance.puzzle.kind,
        "summary": instance.puzzle.summary(),
        "source": instance.about.get("source"),
        "optimum": instance.known_answer,
        "board": instance.to_json(),
    }
