"""The command line: thin commands over the library."""

from bsp_sat.cli.main import main

__all__ = ["main"]
