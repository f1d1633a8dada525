"""Boards that come with the package, each with its source."""

from functools import cache
from importlib.resources import files

_FOLDER = files("bsp_sat.instances") / "data"


@cache
def shipped_names() -> tuple[str, ...]:
    """The names of the shipped boards, sorted."""
    return tuple(
        sorted(entry.name.removesuffix(".json") for entry in _FOLDER.iterdir() if entry.name.endswith(".json"))
    )


def shipped_text(name: str) -> str:
    """The file of the shipped board ``name``."""
    return (_FOLDER / f"{name}.json").read_text(encoding="utf-8")
