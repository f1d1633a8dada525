"""The command line: thin commands over the library."""

import signal
import sys


def main() -> None:
    """Runs the command of this process's arguments, and ends with its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # there is nothing to tidy up before the modules are there
    from bsp_sat.cli.program import run

    sys.exit(run())
