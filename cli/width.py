"""How wide the output is."""

import os


def columns() -> int:
    """How many characters a line of output has room for: as COLUMNS says, or as a terminal at any stream has."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    for number in range(3):
        try:
            return os.get_terminal_size(number).columns or 80
        except OSError:  # no terminal
            pass
    return 80
