"""The versions of what an answer comes from: this program, and the libraries of solvers, which aren't loaded for it."""

from functools import cache
from importlib import import_module

LIBRARIES = ("python-sat", "ortools")


@cache
def versions() -> dict[str, str | None]:
    """By name of the distribution, its version; None if it isn't installed."""
    from importlib import metadata  # takes longer than a short search: only who shows versions pays for it

    found: dict[str, str | None] = {"bsp-sat": import_module("bsp_sat").__version__}  # for mypy no circle
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def in_words(versions: dict[str, str | None]) -> str:
    """Versions in a line.

    >>> in_words({"bsp-sat": "0.1.0", "ortools": None})
    'bsp-sat 0.1.0, ortools not installed'
    """
    return ", ".join(f"{name} {version or 'not installed'}" for name, version in versions.items())
