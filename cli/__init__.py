"""The command line: thin commands over the library."""

import sys

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("bars", "group", "parts", "terminal"))

OBJECTS = 100_000
"""New objects between two searches for circular garbage. By default it is 700, and the search takes a tenth of a short
command; this program makes hardly any."""


def main() -> None:
    """Runs the command of this process's arguments, and ends with its exit code."""
    import gc

    gc.set_threshold(OBJECTS)
    try:
        from bsp_sat.cli.program import run

        code = run()
    except MemoryError:  # while modules are loaded; commands handle their own
        sys.stderr.write("Error: out of memory\n")
        code = 3
    gc.freeze()  # or else all that is left would be looked through, only to be given back with the process
    sys.exit(code)
