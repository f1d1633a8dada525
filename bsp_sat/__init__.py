"""Sort puzzles solved to proven optimality.

>>> import bsp_sat
>>> result = bsp_sat.solve(bsp_sat.load("level-80"))
>>> result.status, result.length
(<Status.OPTIMAL: 'optimal'>, 38)
"""

__version__ = "0.1.0"


def _modules() -> dict[str, str]:
    """Where each public name is defined. `__init__.pyi` lists them, for type checkers and for this."""
    # Imported here: Ctrl-C shows a traceback until the program has begun, so that what comes before has to be short.
    import re
    from pathlib import Path

    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return {name: module for module, name in re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)}


def __getattr__(name: str) -> object:
    """Imports what is asked for: a process that runs one backend starts twice as fast without all the others."""
    from importlib import import_module

    modules = _modules()
    if name == "__all__":
        return list(modules)
    if name not in modules:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(modules[name]), name)
    return value


def __dir__() -> list[str]:
    """The public names, imported or not."""
    return [*globals(), *_modules()]
