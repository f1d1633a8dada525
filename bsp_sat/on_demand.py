"""Names of a package that are imported when they are first asked for: a process needs few of them."""

import sys


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
        from importlib import import_module  # at the top it would delay the handling of Ctrl-C

        value = getattr(import_module(self.modules[name]), name)
        setattr(sys.modules[self._package], name, value)
        return value
