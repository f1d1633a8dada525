"""Boards that come with the package, each with its source."""

from functools import cache
from importlib.resources import files

ATLAS = "atlas-1"
"""A shipped file of many boards with proved answers, for comparisons (docs/campaigns.md)."""

_FOLDER = files(__package__) / "data"  # in a ZIP archive too


@cache
def shipped_names() -> tuple[str, ...]:
    """The names of the shipped boards, sorted."""
    return tuple(
        sorted(entry.name.removesuffix(".json") for entry in _FOLDER.iterdir() if entry.name.endswith(".json"))
    )


def shipped_text(name: str) -> str:
    """The file of the shipped board ``name``, or of the atlas."""
    return (_FOLDER / f"{name}.{'jsonl' if name == ATLAS else 'json'}").read_text(encoding="utf-8")
