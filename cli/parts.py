"""What apps do within the solver's commands: how it looks from here. `bsp_sat.apps` says where it is."""

from collections.abc import Callable
from typing import Any, Protocol, cast

import click

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.run import Job
from bsp_sat.cli.wanted import Wanted
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.on_demand import declared, imported


class Covered(Protocol):
    """Boards with hidden cells: strategies instead of plans."""

    def study_one(self, instance: Instance, backend: Backend, limits: Limits, wanted: Wanted) -> int:
        """Proves what it can, prints it, and returns the exit code."""

    def job(self, board: AnyPuzzle, limits: Limits) -> Job[Any, Any]:
        """The work on one of many boards."""

    def check_file(self, board: AnyPuzzle, source: str) -> int:
        """Plays the strategies of a file, and returns the exit code."""

    def check_line(self, board: AnyPuzzle, line: dict[str, Any]) -> None:
        """Checks an answer in a file."""


def covered() -> Covered:
    """Boards with hidden cells."""
    return cast(Covered, _part("covered"))


def pictures() -> Callable[[str, str | None, Any], Instance]:
    """Reads the board in a picture, from its file's name, the puzzle and what is revealed."""
    return cast(Callable[..., Instance], _part("pictures"))


def subcommand_names(command: str) -> list[str]:
    """The names of the commands that apps add to a group."""
    return [name.removeprefix(f"{command} ") for name in declared("PARTS") if name.startswith(f"{command} ")]


def subcommand(command: str, name: str) -> click.Command | None:
    """A command that an app adds to a group, or None."""
    return cast(click.Command, _part(f"{command} {name}")) if name in subcommand_names(command) else None


def _part(name: str) -> object:
    """Imports a part. Unsupported if no app has it."""
    found = declared("PARTS")
    if name not in found:
        raise Unsupported(f"this installation lacks what {name} needs")
    package, place = found[name]
    return imported(f"{package}.{place}")
