"""What is imported when it is first asked for: a process needs few of a package's names and modules.

A package lists the modules and names in its ``__getattr__``. Then ``from package import module`` at
the top of another module costs nothing; the module is loaded when something of it is used, with what it imports itself.
Type checkers and editors see an ordinary import.

This module imports next to nothing, as every start of the program loads it.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def imported(place: str) -> object:
    """The value at a place, ``module:name``, or a module."""
    from importlib import import_module

    module, _, name = place.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)


def declared(table: str) -> "dict[str, tuple[str, Any]]":
    """What the apps that are here have in a table, see `bsp_sat.apps`."""
    from importlib import import_module

    found: dict[str, tuple[str, Any]] = import_module("bsp_sat.apps").declared(table)
    return found


class OnDemand:
    """The ``__getattr__`` of a package: ``modules`` are loaded at their first use, and names by module offered.

    Type checkers read the names in its ``__init__.pyi``, which ``python -m tests.support.computed_docs`` writes.
    ``places`` has the place of each, see `imported`.
    """

    def __init__(
        self, package: str, modules: "tuple[str, ...]" = (), *, names: "Mapping[str, str] | None" = None
    ) -> None:
        self._package = package
        self._modules = modules
        self.places = {
            name: f"{package}.{module}:{name}" for module, of in (names or {}).items() for name in of.split()
        }

    def __call__(self, name: str) -> object:
        """Imports a name, or makes a module that imports itself; the package keeps it. AttributeError for others."""
        value: object
        if name in self.places:
            value = imported(self.places[name])
        elif name in self._modules:
            value = _Module(f"{self._package}.{name}")
        else:
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        setattr(sys.modules[self._package], name, value)
        return value


class _Module:
    """Stands for a module that is loaded when something of it is used."""

    __slots__ = ("_place",)
    _place: str

    def __init__(self, place: str) -> None:
        object.__setattr__(self, "_place", place)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # asked by what looks through a module's values, such as doctest
            raise AttributeError(name)
        return getattr(imported(self._place), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(imported(self._place), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(imported(self._place), name)
