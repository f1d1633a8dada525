"""The command line: thin commands over the library."""

import sys

# What `signal` has from there: until the handler below is set, Ctrl-C shows a traceback, and `signal` loads more.
from _signal import SIG_DFL, SIGINT, signal  # type: ignore[import-not-found]


def main() -> None:
    """Runs the command of this process's arguments, and ends with its exit code."""
    signal(SIGINT, SIG_DFL)  # nothing needs cleaning up before the modules are loaded
    from bsp_sat.cli.program import run

    sys.exit(run())
