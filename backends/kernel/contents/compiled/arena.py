"""Arrays laid out in one piece of memory, an arena, so that compiled code allocates nothing.

An arena is an array of 64-bit integers, see `bsp_sat.backends.kernel.contents.arrays.BASE`. It begins with numbers like
those that compiled code is called with, so that the same readers read it. The arrays are laid out behind that.
"""

from bsp_sat.backends.kernel.contents.arrays import CURSOR, END, NUMBERED, Numbered
from bsp_sat.backends.kernel.native.compiling import compiled, reader
from bsp_sat.backends.kernel.native.layout import Longs

numbered_in = reader(Numbered, NUMBERED)


@compiled
def lay(arena: Longs, place: int, rows: int, columns: int, size: int) -> None:
    """Gives an array the next free memory, in whole words, and writes that down at ``place``.

    Whether the arena has so much is for the caller to see, before anything is written there.
    """
    arena[place], arena[place + 1], arena[place + 2] = arena[CURSOR], rows, columns
    arena[CURSOR] += (rows * columns * size + 7) // 8 * 8


@compiled
def lay_ints(arena: Longs, places: tuple[int, ...], length: int) -> None:
    """The same for several lists of 32-bit integers of one length."""
    for place in places:
        lay(arena, place, length, 1, 4)


@compiled
def fits(arena: Longs) -> bool:
    """Whether all that was laid out so far is in the arena."""
    return bool(arena[CURSOR] <= arena[END])
