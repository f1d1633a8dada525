"""One-character symbols for colours, for pictures and for the text notation."""

from collections.abc import Sequence

from bsp_sat.instances.puzzle import Colour

RESERVED = set("-|# ·.?[]{}")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def symbols_for(palette: Sequence[Colour]) -> list[str]:
    """A distinct printable character for each colour, from its name if possible.

    >>> symbols_for(["red", "rose", "green", 3])
    ['r', 'o', 'g', '3']
    """
    symbols: dict[Colour, str] = {}
    # Names of one character are used as they are, whatever comes before them.
    taken: set[str] = set()
    for colour in palette:
        name = str(colour)
        if len(name) == 1 and name.isprintable() and name not in RESERVED | taken:
            symbols[colour] = name
            taken.add(name)
    for colour in palette:
        if colour not in symbols:
            name = str(colour)
            own = (letter for letter in name.lower() + name.upper() if letter.isascii() and letter.isalnum())
            spare = (letter for letter in LETTERS + LETTERS.upper() + "0123456789")
            rest = (chr(code) for code in range(0xC0, 0x250))
            symbols[colour] = next(s for group in (own, spare, rest) for s in group if s not in taken)
            taken.add(symbols[colour])
    return [symbols[colour] for colour in palette]
