"""The command line: thin commands over the library."""

import signal
import sys


def main() -> None:
    """Runs the command of this process's arguments, and ends with its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing needs cleaning up before the modules are loaded
    from bsp_sat.cli.program import run

    sys.exit(run())
