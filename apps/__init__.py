"""What is built on the solver, each app in a folder of its own. The solver never imports one, and lacks none.

The package of an app says what it adds, in these tables; what they name is loaded when it is used:

    COMMANDS   commands, each in ``commands/NAME.py`` of the app: the heading in ``--help``, and the summary
    PARTS      what the app does within commands of the solver, see `bsp_sat.cli.parts`: ``module:name`` in the app
    NAMES      what ``import bsp_sat`` offers of it, each with its module in the app
"""

from importlib import import_module
from typing import Any

APPS = ("levels", "covered", "pictures", "study", "census", "drawing", "page")
"""In the order of ``--help``. One whose folder isn't there is passed over."""


def declared(table: str) -> dict[str, tuple[str, Any]]:
    """What the apps have in a table: by its name there, the package of the app and the value."""
    found: dict[str, tuple[str, Any]] = {}
    for app in APPS:
        package = f"{__name__}.{app}"
        try:
            of_app = vars(import_module(package)).get(table, {})
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
        else:
            found |= {name: (package, value) for name, value in of_app.items()}
    return found
