"""Packages that an installation may lack (docs/start.md).

A browser's tab has none of them, and can start no other process (docs/page.md).
"""

import sys
from importlib.util import find_spec

from bsp_sat.instances.errors import Unsupported

OPTIONAL = {
    "PIL": ("Pillow", "pillow"),
    "distributed": ("dask.distributed", "distributed"),
    "matplotlib": ("matplotlib", "matplotlib"),
    "numpy": ("numpy", "numpy"),
    "ortools": ("OR-Tools", "ortools"),
    "segno": ("segno", "segno"),
    "starlette": ("Starlette", "starlette uvicorn"),
    "uvicorn": ("uvicorn", "starlette uvicorn"),
    "yaml": ("PyYAML", "pyyaml"),
}
"""For each module that is imported, the package's name in messages, and what pip installs.

Messages name packages, not extras of bsp-sat: its own name isn't taken on the package index, so what has that name
there one day may be anybody's.
"""

IN_A_TAB = sys.platform == "emscripten"


def is_installed(module: str) -> bool:
    """Whether a package is installed, without importing it."""
    return find_spec(module) is not None


def need(module: str, who: str) -> None:
    """Makes sure that a package of `OPTIONAL` is installed. Unsupported if not: who needs it, and what to install."""
    if not is_installed(module):
        package, _ = OPTIONAL[module]
        if IN_A_TAB:
            how = "which doesn't run in a browser's tab; an installed bsp-sat has it"
            raise Unsupported(f"{who} needs {package}, {how}")
        raise Unsupported(f"{who} needs {package}, which isn't installed: {how_to_install(module)}")


def how_to_install(module: str) -> str:
    """The command that installs one of `OPTIONAL`."""
    return f"pip install {OPTIONAL[module][1]}"
