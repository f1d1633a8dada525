"""Two notations of other programs for water-sort boards with hidden cells, and how they are written.

`bsp_sat.instances.sorting.spellings.notations` reads them.

**sshcrack** (github.com/sshcrack/water-sort-player), one line, tubes separated by spaces, top first, one letter a ball:
``E`` is room, ``?`` unknown, ``!R`` a tube with unknown contents that is locked until red is complete (taken as empty
if the visible colours have all their balls elsewhere), ``!R,GOPP`` one with known contents. Cells are revealed one by
one::

    P??B !O EP?? EEEE

**frozenfrank** (github.com/frozenfrank/watersort): a line ``i``, one with the level's name and flags, one with the
number of tubes, then a line for each tube, top first, with four codes separated by tabs or spaces: ``-`` is room, ``?``
unknown. Its readers pass over the first line or refuse another; it may be missing here. Runs are revealed as a whole.
The flag ``mystery`` means hidden cells; ``blind`` covers moved balls again, which makes no difference to a player who
remembers them; ``drain`` or ``pour`` pours from the bottom::

    i
    908 mystery
    3
    - - m g
    ? ? m g
    - - - -
"""

from collections.abc import Callable, Mapping

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import HIDDEN, Colour
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting.board import SortBoard
from bsp_sat.instances.sorting.rules import COVERED, DRAINED, LOCKED, Lock

LETTERS = {
    "Y": "yellow", "R": "red", "G": "green", "g": "lime", "L": "light-blue", "M": "medium-blue", "B": "blue",
    "P": "purple", "W": "pink", "O": "orange",
}  # fmt: skip
LETTER_OF = {colour: letter for letter, colour in LETTERS.items()}
FLAGS = ("mystery", "blind", "drain", "pour")
DRAINS = frozenset(("drain", "pour"))
FROZENFRANK_CAPACITY = 4
"""Of all tubes: its readers refuse others."""


# -- sshcrack ------------------------------------------------------------------------------------------


def format_sshcrack(puzzle: SortBoard, _name: str) -> str:
    """The line for a board. Raises BoardError, or Unsupported for a rule, where the notation can't write it."""
    _check("sshcrack", puzzle, "cell", LOCKED, COVERED)
    unnamed = [colour for colour in _named(puzzle) if colour not in LETTER_OF]
    if unnamed:
        raise BoardError("tubes", f"the notation sshcrack has no letter for colour {unnamed[0]!r}")
    words = []
    for place, tube in enumerate(puzzle.coloured_tubes()):
        balls = "".join("?" if colour is None else LETTER_OF[str(colour)] for colour in tube)
        word = (balls + "E" * (puzzle.capacity - len(tube)))[::-1]
        if place in puzzle.rules.locked:
            word = f"!{_letter(puzzle, puzzle.rules.tubes[place].lock)},{word}"
        words.append(word)
    return " ".join(words) + "\n"


def _letter(puzzle: SortBoard, lock: Lock | None) -> str:
    if lock is None or lock.colour is None or lock.tubes is not None:
        raise BoardError("locked", "the notation sshcrack has only locks until a colour is complete")
    return LETTER_OF[str(puzzle.palette[lock.colour])]


# -- frozenfrank ---------------------------------------------------------------------------------------


def format_frozenfrank(puzzle: SortBoard, name: str) -> str:
    """The lines for a board. Raises BoardError, or Unsupported for a rule, where the notation can't write it."""
    _check("frozenfrank", puzzle, "run", DRAINED)
    if puzzle.capacity != FROZENFRANK_CAPACITY:
        problem = f"the notation frozenfrank has tubes of {FROZENFRANK_CAPACITY}, not {puzzle.capacity}"
        raise BoardError("capacity", problem)
    for colour in _named(puzzle):
        if str(colour) in ("-", "?", "") or len(str(colour).split()) != 1 or "#" in str(colour):
            raise BoardError("tubes", f"colour {colour!r} isn't a code of the notation frozenfrank")
    flags = [" mystery"] * puzzle.is_hidden + [" drain"] * puzzle.rules.drain
    lines = ["i", "".join(["-".join(name.split()) or "level", *flags]), str(len(puzzle.tubes))]
    for tube in puzzle.coloured_tubes():
        codes = ["?" if colour is None else str(colour) for colour in tube]
        lines.append("\t".join([*codes, *["-"] * (puzzle.capacity - len(tube))][::-1]))
    return "\n".join(lines) + "\n"


def _named(puzzle: SortBoard) -> list[Colour]:
    """The colours without those that don't show and have no name, which no notation writes."""
    return [colour for number, colour in enumerate(puzzle.palette) if number not in puzzle.unseen]


def _check(notation: str, puzzle: SortBoard, reveal: str, *features: str) -> None:
    Scope(("water-sort",), frozenset({HIDDEN, *features})).check(f"the notation {notation}", puzzle)
    if any(puzzle.covers):
        if puzzle.rules.reveal != reveal:
            raise BoardError("reveal", f"the notation {notation} is for boards that reveal by {reveal}")
        if sum(cover.bit_count() for cover in puzzle.covers) > len(puzzle.unknown):
            raise BoardError("hidden", f"the notation {notation} has no balls that are known but covered")


NOTATIONS: Mapping[str, Callable[[SortBoard, str], str]] = {
    "sshcrack": format_sshcrack,
    "frozenfrank": format_frozenfrank,
}
"""The functions that write a board, by name of the notation."""
