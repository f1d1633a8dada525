"""Boards that come with the package, each with its source."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ATLAS = "atlas-1"
"""A shipped file of many boards with proved answers, for comparisons (docs/campaigns.md)."""


@cache
def _folder() -> "Traversable":
    folder = Path(__file__).parent / "data"
    if folder.is_dir():
        return folder
    from importlib.resources import files  # slower; for a ZIP archive

    return files(__package__) / "data"


@cache
def shipped_names() -> tuple[str, ...]:
    """The names of the shipped boards, sorted."""
    return tuple(
        sorted(entry.name.removesuffix(".json") for entry in _folder().iterdir() if entry.name.endswith(".json"))
    )


def shipped_text(name: str) -> str:
    """The file of the shipped board ``name``, or of the atlas."""
    return (_folder() / f"{name}.{'jsonl' if name == ATLAS else 'json'}").read_text(encoding="utf-8")
