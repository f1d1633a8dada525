"""Two notations of other programs for water-sort boards with hidden cells.

**sshcrack** (github.com/sshcrack/water-sort-player), one line, tubes separated by spaces, top first, one letter a ball:
``E`` is room, ``?`` unknown, ``!R`` a tube with unknown contents that is locked until red is complete (taken as empty
if the visible colours have all their balls elsewhere), ``!R,GOPP`` one with known contents. Cells are revealed one by
one::

    P??B !O EP?? EEEE

**frozenfrank** (github.com/frozenfrank/watersort): a line with the level's name and flags, one with the number of
tubes, then a line for each tube, top first, with codes separated by spaces: ``-`` is room, ``?`` unknown. A line ``i``
may come before them. Runs are revealed as a whole. The flag ``mystery`` means hidden cells; ``blind`` covers moved
balls again, which makes no difference to a player who remembers them; ``drain`` pours from the bottom, which is another
game and refused::

    908 mystery
    3
    - - m g
    ? ? m g
    - - - -
"""

import re
from collections.abc import Callable, Mapping

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import HIDDEN, Colour
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting.board import SortBoard
from bsp_sat.instances.sorting.rules import COVERED, LOCKED, UNKNOWN_BALL, Lock
from bsp_sat.instances.sorting.tables import Table
from bsp_sat.instances.text.words import parse_number, short

LETTERS = {
    "Y": "yellow", "R": "red", "G": "green", "g": "lime", "L": "light-blue", "M": "medium-blue", "B": "blue",
    "P": "purple", "W": "pink", "O": "orange",
}  # fmt: skip
CELLS = {**LETTERS, "E": None, "?": UNKNOWN_BALL}
LETTER_OF = {colour: letter for letter, colour in LETTERS.items()}
FLAGS = ("mystery", "blind", "drain")

_BALLS = f"[E?{''.join(LETTERS)}]+"
_TUBE = re.compile(f"(?:!([{''.join(LETTERS)}])(?:,({_BALLS}))?|({_BALLS}))")


def _lines(text: str) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


# -- sshcrack ------------------------------------------------------------------------------------------


def is_sshcrack(text: str) -> bool:
    """Whether ``text`` is one line of several tubes of equal height, in this notation's letters."""
    lines = _lines(text)
    words = lines[0].split() if len(lines) == 1 else []
    found = [_TUBE.fullmatch(word) for word in words]
    heights = {len(match[2] or match[3]) for match in found if match and (match[2] or match[3])}
    return len(words) > 1 and all(found) and len(heights) == 1


def parse_sshcrack(text: str) -> Table:
    """The cells of the tubes, and locks."""
    found = [match for match in map(_TUBE.fullmatch, _lines(text)[0].split()) if match]
    capacity = next(len(match[2] or match[3]) for match in found if match[2] or match[3])
    there = "".join(match[2] or match[3] or "" for match in found)
    colours = {ball for ball in there if ball in LETTERS} | {match[1] for match in found if match[1]}
    bare = "" if len(there.replace("E", "")) == capacity * len(colours) else "?" * capacity
    rows = [[CELLS[ball] for ball in match[2] or match[3] or bare] for match in found]
    locked = [{"tube": place, "until": LETTERS[match[1]]} for place, match in enumerate(found) if match[1]]
    fields = {"order": "top-down", "capacity": capacity, "reveal": "cell", **({"locked": locked} if locked else {})}
    return Table(rows, fields, "rows", whole=True, notes=("the notation sshcrack",))


def format_sshcrack(puzzle: SortBoard, _name: str) -> str:
    """The line for a board.

    Raises:
        BoardError: the notation has no way to write it.
        Unsupported: nor for what the board has.
    """
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
    if lock is None or lock.colour is None:
        raise BoardError("locked", "the notation sshcrack has only locks until a colour is complete")
    return LETTER_OF[str(puzzle.palette[lock.colour])]


# -- frozenfrank ---------------------------------------------------------------------------------------


def is_frozenfrank(text: str) -> bool:
    """Whether ``text`` has a number of tubes in its second line, and that many lines of equally many codes after it."""
    lines = _lines(text)
    lines = lines[1:] if lines[:1] == ["i"] else lines
    number = parse_number(lines[1]) if len(lines) > 2 else None
    widths = {len(line.split()) for line in lines[2:]}
    return number == len(lines) - 2 and len(widths) == 1 and widths != {1}


def parse_frozenfrank(text: str) -> Table:
    """The cells of the tubes, the level's name and its flags.

    Raises:
        BoardError: a flag means other rules.
    """
    lines = _lines(text)
    name, *flags = (lines[1] if lines[0] == "i" else lines[0]).split()
    if "drain" in flags:
        raise BoardError("drain", "such levels pour from the bottom, which no rule here allows")
    if unknown := [flag for flag in flags if flag not in FLAGS]:
        raise BoardError("flags", f"expected {', '.join(FLAGS)}, found {short(unknown[0])!r}")
    tubes = lines[-int(lines[2 if lines[0] == "i" else 1]) :]
    rows = [[None if code == "-" else code for code in line.split()] for line in tubes]
    fields = {"order": "top-down", "name": name, "capacity": len(rows[0]), "reveal": "run"}
    if flags:
        fields["flags"] = flags
    return Table(rows, fields, "rows", whole=True, notes=("the notation frozenfrank",))


def format_frozenfrank(puzzle: SortBoard, name: str) -> str:
    """The lines for a board.

    Raises:
        BoardError: the notation has no way to write it.
        Unsupported: nor for what the board has.
    """
    _check("frozenfrank", puzzle, "run")
    for colour in _named(puzzle):
        if str(colour) in ("-", "?", "") or len(str(colour).split()) != 1 or "#" in str(colour):
            raise BoardError("tubes", f"colour {colour!r} isn't a code of the notation frozenfrank")
    lines = ["-".join(name.split()) + (" mystery" if puzzle.is_hidden else ""), str(len(puzzle.tubes))]
    for tube in puzzle.coloured_tubes():
        codes = ["?" if colour is None else str(colour) for colour in tube]
        lines.append(" ".join([*codes, *["-"] * (puzzle.capacity - len(tube))][::-1]))
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

READERS: tuple[tuple[Callable[[str], bool], Callable[[str], Table]], ...] = (
    (is_sshcrack, parse_sshcrack),
    (is_frozenfrank, parse_frozenfrank),
)
"""Functions that recognise a notation, with those that parse it."""
