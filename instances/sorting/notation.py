"""The text notation of sort boards.

One tube a line, or several on a line with ``|`` between them; bottom first, one character a ball,
``-`` for an empty tube, ``#`` for comments:

    caac|bbac|bbac|-

The capacity is the smallest that no tube exceeds and that divides every colour's count. Where that
is not meant, a line ``capacity 5`` says it; ``goal monochrome`` sets the goal.
"""

from collections import Counter
from itertools import chain
from math import gcd
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting.fields import GOALS, Goal
from bsp_sat.instances.symbols import RESERVED
from bsp_sat.instances.text.words import parse_number, short

EMPTY = "-"


def parse_tubes(text: str) -> dict[str, Any]:
    """Reads a board in text notation into the fields of the JSON format.

    Raises:
        BoardError: naming the line.

    >>> parse_tubes("ab|ab|-")
    {'tubes': [['a', 'b'], ['a', 'b'], []], 'capacity': 2, 'goal': 'full'}
    """
    tubes: list[list[Colour]] = []
    capacity: int | None = None
    goal: Goal = "full"
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        words = line.split()
        if len(words) == 2 and words[0] == "capacity":
            if not (capacity := parse_number(words[1])):
                raise BoardError(f"line {number}", f"expected capacity as a positive number, found {short(words[1])!r}")
        elif len(words) == 2 and words[0] == "goal":
            if words[1] not in GOALS:
                raise BoardError(f"line {number}", f"expected goal {' or '.join(GOALS)}, found {short(words[1])!r}")
            goal = words[1]
        else:
            tubes += [_parse_tube(part.strip(), number) for part in line.strip("|").split("|")]
    if not tubes:
        raise BoardError("", "expected a board, found no tube")
    return {"tubes": tubes, "capacity": capacity or _guess_capacity(tubes), "goal": goal}


def _parse_tube(text: str, line: int) -> list[Colour]:
    if text == EMPTY:
        return []
    if not text:
        raise BoardError(f"line {line}", f"expected a tube between two |, found nothing (write {EMPTY} for empty)")
    for ball in text:
        if ball in RESERVED or not ball.isprintable() or ball in "{}[]":
            raise BoardError(
                f"line {line}",
                f"expected one character a ball, or {EMPTY} for an empty tube, found {short(text)!r}",
            )
    return list(text)


def _guess_capacity(tubes: list[list[Colour]]) -> int:
    longest = max(map(len, tubes))
    common = gcd(*Counter(ball for tube in tubes for ball in tube).values())
    fitting = [size for size in range(max(longest, 1), common + 1) if common % size == 0]
    return fitting[0] if fitting else max(longest, 1)


def format_tubes(tubes: list[list[Colour]], capacity: int, goal: Goal) -> str:
    """Writes a position in text notation; `parse_tubes` gives it back, with numbers as words.

    Raises:
        BoardError: a colour's name has more than one character, or one that the notation uses itself.
    """
    taken: set[str] = set()
    for colour in dict.fromkeys(chain.from_iterable(tubes)):
        name = str(colour)
        if len(name) != 1 or name in RESERVED or name in "{}[]" or not name.isprintable():
            raise BoardError("tubes", f"colour {short(repr(colour))} has no one-character name for the text notation")
        if name in taken:  # 1 and "1" are two colours, but look alike
            raise BoardError(
                "tubes", f"colour {short(repr(colour))} has a namesake, which the text notation cannot tell apart"
            )
        taken.add(name)
    settings = []
    if capacity != _guess_capacity(tubes):
        settings.append(f"capacity {capacity}")
    if goal != "full":
        settings.append(f"goal {goal}")
    return "\n".join([*settings, *("".join(map(str, tube)) or EMPTY for tube in tubes)]) + "\n"
