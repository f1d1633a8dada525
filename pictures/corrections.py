"""What may be asked of a picture, and whether it can be read at all; nothing heavy is loaded for it."""

import re
from importlib.util import find_spec

from bsp_sat.instances.errors import Unsupported, printable

KINDS = ("ball-sort", "water-sort")
CORRECTION = re.compile(r"([1-9][0-9]{0,3}):([1-9][0-9]{0,3})=(.{1,40})")


def need_pictures() -> None:
    """Makes sure that pictures can be read.

    Raises:
        Unsupported: the library for it isn't installed.
    """
    if find_spec("PIL") is None:
        raise Unsupported("pictures need Pillow, which isn't installed: pip install 'bsp-sat[pictures]'")


def parse_correction(text: str) -> tuple[int, int, str]:
    """Reads TUBE:CELL=COLOUR, counted from 1, into numbers from 0 and a colour.

    Raises:
        Unsupported: it isn't that.

    >>> parse_correction("3:1=red")
    (2, 0, 'red')
    """
    match = CORRECTION.fullmatch(text)
    if match is None:
        raise Unsupported(f"expected TUBE:CELL=COLOUR such as 3:1=red, found {printable(text)}")
    return int(match[1]) - 1, int(match[2]) - 1, match[3]
