"""``/api/boards``: the shipped boards."""

from functools import cache
from typing import Any

from bsp_sat.instances.files import Instance, load_shipped
from bsp_sat.instances.shipped import shipped_names
from bsp_sat.web.errors import Refused


@cache
def all_boards() -> list[dict[str, Any]]:
    """Name and summary of each shipped board."""
    return [summary_of(load_shipped(name)) for name in shipped_names()]


@cache
def board(name: str) -> dict[str, Any]:
    """A shipped board.

    Raises:
        Refused: there is none with that name.
    """
    if name not in shipped_names():
        raise Refused(404, "no shipped board has that name")
    return {"name": name, "board": load_shipped(name).to_json()}


def summary_of(instance: Instance) -> dict[str, Any]:
    """A board as an entry of a list of boards."""
    return {
        "name": instance.name,
        "puzzle": instance.puzzle.kind,
        "summary": instance.puzzle.summary(),
        "source": instance.about.get("source"),
        "optimum": instance.known_answer,
    }
