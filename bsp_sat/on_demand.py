"""What is imported when it is first asked for: a process needs few of a package's names.

This module imports next to nothing, as it is loaded before the program handles Ctrl-C.
"""

import sys


def imported(place: str) -> object:
    """The value at a place, ``module:name``."""
    from importlib import import_module

    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


class OnDemand:
    """The ``__getattr__`` of a package.

    Args:
        package: its name.
        public: the names that it offers, by the modules in it that define them.

    Attributes:
        modules: the module of each name.
    """

    def __init__(self, package: str, public: dict[str, tuple[str, ...]]) -> None:
        self._package = package
        self.modules = {name: f"{package}.{module}" for module, names in public.items() for name in names}

    def __call__(self, name: str) -> object:
        """Imports a name, and keeps it in the package.

        Raises:
            AttributeError: the package doesn't offer it.
        """
        if name not in self.modules:
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        value = imported(f"{self.modules[name]}:{name}")
        setattr(sys.modules[self._package], name, value)
        return value
