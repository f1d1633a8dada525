"""The text notation of sort boards.

One tube per line, or several on a line separated by ``|``; bottom first, one character per ball, ``-`` for an empty
tube, ``#`` for comments:

    abba|bcca|cabc|-

The capacity is the smallest that no tube exceeds and that divides every colour's count. A line ``capacity 5`` overrides
it; ``goal monochrome`` sets the goal.

``?`` is an unknown ball; brackets surround balls that are known but covered; ``.``, ``-`` or ``_`` above the balls is
room, which gives a tube another than the common capacity (a tube ``-`` or ``_`` is empty, of the common one):

    ???b|[rg]yb|bb....

Other lines, with tubes counted from 1: ``reveal cell``, ``colours b4 r8`` (balls of each), ``wanted r2`` (full tubes of
each, for ``goal wanted``), ``locked 2 colour r``, ``locked 3 tubes 2`` (until 2 tubes are complete), ``locked 3 colour
r tubes 2`` (2 of r), ``any-in 3`` (any ball goes in), ``no-in 1 2``, ``no-out 3``, ``accepts 3 rg``, ``tube-colours
rg-`` (for ``goal coloured``, - for a reserve tube), ``placement any``, ``partial refused``, ``cork on``, ``drain on``,
``capacities 4 4 6`` (of all tubes, instead of dots). If there is a ``?`` or room is drawn, the default capacity is the
height of the highest tube without room. A board that isn't solved and has no room at all may lack its empty tubes: it
needs a line ``capacity``.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import gcd
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import RESERVED, Colour
from bsp_sat.instances.sorting.rules import GOALS, UNKNOWN_BALL
from bsp_sat.instances.text.words import parse_number, short

EMPTY = "-"
ROOM = "."
ROOMS = "._-"
"""What is read as room above the balls; `ROOM` is written."""

TUBES_IN = "tubes-in"
"""The setting that says whether the rows or the columns of a table are the tubes."""

Tubes = list[list[Colour | None]]
Settings = dict[str, Any]


def split_settings(text: str) -> tuple[Settings, list[str]]:
    """The settings of a board's text, and its lines, empty where they were; BoardError names a malformed one."""
    settings: Settings = {"capacity": None, "goal": "full"}
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        name, *words = line.partition("#")[0].replace("=", " ", 1).split() or [""]
        name = name.removesuffix(":")
        if words and name in SETTINGS:
            try:
                SETTINGS[name](settings, words)
            except BoardError as error:
                raise BoardError(f"line {number}", error.problem) from None
            lines[number - 1] = ""
    return settings, lines


def parse_tubes(settings: Settings, lines: Sequence[str]) -> dict[str, Any]:
    """The fields of the JSON format for settings and lines of tubes, without comments.

    Raises BoardError, naming the line.

    >>> parse_tubes({"goal": "full"}, ["ab|ab|-"])
    {'goal': 'full', 'tubes': [['a', 'b'], ['a', 'b'], []], 'capacity': 2}
    """
    tubes: Tubes = []
    hidden: list[list[bool]] = []
    room: list[int] = []
    for number, line in enumerate(lines, start=1):
        for part in split_bars(line) if line else ():
            tube, covered, free = _parse_tube(part.strip(), number)
            tubes.append(tube)
            hidden.append(covered)
            room.append(free)
    if not tubes:
        raise BoardError("", "expected a board, found no tube")
    capacity = settings.get("capacity") or guess_capacity(tubes, room)
    fields = {**settings, "tubes": tubes, "capacity": capacity}
    if any(any(covered) for covered in hidden):
        fields["hidden"] = hidden
    if any(room) and "capacities" not in fields:
        fields["capacities"] = [len(tube) + free if free else capacity for tube, free in zip(tubes, room, strict=True)]
    return fields


def split_bars(line: str) -> list[str]:
    """The tubes of a line between bars; BoardError if only one end has one, where a tube may be empty."""
    if line.count("|") > 1 and line.startswith("|") != line.endswith("|"):
        end = "begins" if line.startswith("|") else "ends"
        raise BoardError("", f"expected {EMPTY} for an empty tube, found a line that {end} with a bar: {short(line)!r}")
    return line.removeprefix("|").removesuffix("|").split("|")


def one_is_shorter(fields: Mapping[str, Any]) -> bool:
    """Whether one tube holds a ball less than all others, as if a ball were lost."""
    sizes = Counter(fields.get("capacities", ()))
    return len(sizes) == 2 and sizes[max(sizes) - 1] == 1


def lacks_room(fields: Mapping[str, Any]) -> bool:
    """Whether all tubes are full, but not each of one known colour."""
    tubes, capacity = fields["tubes"], fields["capacity"]
    full = "capacities" not in fields and all(len(tube) == capacity for tube in tubes)
    return full and any(len(set(tube)) > 1 or None in tube for tube in tubes)


def _parse_tube(text: str, line: int) -> tuple[list[Colour | None], list[bool], int]:
    """The balls of a tube, whether each is covered, and the room drawn above them."""
    if text in (EMPTY, "_"):
        return [], [], 0
    if not text:
        raise BoardError(f"line {line}", f"expected a tube between two |, found nothing (write {EMPTY} for empty)")
    balls = text.rstrip(ROOMS)
    tube: list[Colour | None] = []
    hidden: list[bool] = []
    inside = False
    for ball in balls:
        if ball in "[]":
            if inside == (ball == "["):
                raise BoardError(f"line {line}", f"expected [ and ] in turns, found {short(text)!r}")
            inside = not inside
            continue
        if ball in RESERVED - {UNKNOWN_BALL} or not ball.isprintable():
            expected = f"expected one character a ball, or {EMPTY} for an empty tube"
            raise BoardError(f"line {line}", f"{expected}, found {short(text)!r}")
        tube.append(None if ball == UNKNOWN_BALL else ball)
        hidden.append(inside)
    if inside:
        raise BoardError(f"line {line}", f"expected a ] after [, found {short(text)!r}")
    return tube, hidden, len(text) - len(balls)


# -- lines that are no tubes -----------------------------------------------------------------------------------


def _capacity(settings: Settings, words: Sequence[str]) -> None:
    capacity = parse_number(words[0])
    if len(words) > 1 or not capacity:
        raise BoardError("", f"expected capacity as a positive number, found {short(' '.join(words))!r}")
    settings["capacity"] = capacity


def _one_of(key: str, values: Mapping[str, Any]) -> Callable[[Settings, Sequence[str]], None]:
    def read(settings: Settings, words: Sequence[str]) -> None:
        if len(words) > 1 or words[0] not in values:
            raise BoardError("", f"expected {key} {' or '.join(values)}, found {short(' '.join(words))!r}")
        settings[key] = values[words[0]]

    return read


def _tube(word: str) -> int:
    number = parse_number(word)
    if not number:
        raise BoardError("", f"expected a tube, counted from 1, found {short(word)!r}")
    return number - 1


def _tubes(key: str) -> Callable[[Settings, Sequence[str]], None]:
    def read(settings: Settings, words: Sequence[str]) -> None:
        settings.setdefault(key, []).extend(map(_tube, words))

    return read


def _accepts(settings: Settings, words: Sequence[str]) -> None:
    if len(words) != 2:
        raise BoardError("", f"expected accepts TUBE COLOURS, found {short(' '.join(words))!r}")
    settings.setdefault("accepts", {})[str(_tube(words[0]))] = list(words[1])


def _tube_colours(settings: Settings, words: Sequence[str]) -> None:
    if len(words) != 1:
        raise BoardError("", f"expected tube-colours COLOURS, found {short(' '.join(words))!r}")
    settings["tube_colours"] = [None if colour == EMPTY else colour for colour in words[0]]


def _locked(settings: Settings, words: Sequence[str]) -> None:
    until: dict[str, Any] = dict(zip(words[1::2], words[2::2], strict=False))
    if "tubes" in until:
        until["tubes"] = parse_number(until["tubes"])
    if 2 * len(until) + 1 != len(words) or not {*until} <= {"colour", "tubes"} or not all(until.values()) or not until:
        problem = f"expected locked TUBE colour C, tubes N or both, found {short(' '.join(words))!r}"
        raise BoardError("", problem)
    settings.setdefault("locked", []).append({"tube": _tube(words[0]), "until": until})


def _capacities(settings: Settings, words: Sequence[str]) -> None:
    numbers = [number for number in map(parse_number, words) if number]
    if len(numbers) < len(words):
        raise BoardError("", f"expected capacities, one a tube, found {short(' '.join(words))!r}")
    settings["capacities"] = numbers


def _numbers(key: str, what: str) -> Callable[[Settings, Sequence[str]], None]:
    def read(settings: Settings, words: Sequence[str]) -> None:
        numbers = settings.setdefault(key, {})
        for word in words:
            number = parse_number(word[1:])
            if not number:
                raise BoardError("", f"expected a colour and its {what}, such as b4, found {short(word)!r}")
            numbers[word[0]] = number

    return read


SETTINGS: dict[str, Callable[[Settings, Sequence[str]], None]] = {
    "capacity": _capacity,
    "goal": _one_of("goal", {goal: goal for goal in GOALS}),
    "order": _one_of("order", {"bottom-up": "bottom-up", "top-down": "top-down"}),
    TUBES_IN: _one_of(TUBES_IN, {"rows": "rows", "columns": "columns"}),
    "reveal": _one_of("reveal", {"run": "run", "cell": "cell"}),
    "placement": _one_of("placement", {"matching": "matching", "any": "any"}),
    "partial": _one_of("partial", {"allowed": True, "refused": False}),
    "cork": _one_of("cork", {"on": True, "off": False}),
    "drain": _one_of("drain", {"on": True, "off": False}),
    "any-in": _tubes("any_in"),
    "no-in": _tubes("no_in"),
    "no-out": _tubes("no_out"),
    "accepts": _accepts,
    "tube-colours": _tube_colours,
    "locked": _locked,
    "colours": _numbers("colours", "balls"),
    "wanted": _numbers("wanted", "tubes"),
    "capacities": _capacities,
}
"""The settings, by the first word of their line."""


def guess_capacity(tubes: Tubes, room: Sequence[int] = ()) -> int:
    """The least that no tube exceeds and divides every count; with room or unknown balls the highest full tube."""
    if any(room) or any(None in tube for tube in tubes):
        heights = [len(tube) for tube, free in zip(tubes, room or [0] * len(tubes), strict=True) if not free]
        return max(heights, default=0) or max(len(tube) + free for tube, free in zip(tubes, room, strict=True))
    longest = max(map(len, tubes))
    common = gcd(*Counter(ball for tube in tubes for ball in tube).values())
    fitting = [size for size in range(max(longest, 1), common + 1) if common % size == 0]
    return fitting[0] if fitting else max(longest, 1)


def format_tubes(fields: Mapping[str, Any]) -> str:
    """Writes the fields of the JSON format, with symbols for colours, in text notation, as `parse_tubes` reads it."""
    tubes: Tubes = fields["tubes"]
    capacity: int = fields["capacity"]
    lines, room = _capacity_lines(fields)
    lines += _setting_lines(fields)
    hidden = fields.get("hidden", [[False] * len(tube) for tube in tubes])
    drawn = [_format_tube(*each) for each in zip(tubes, hidden, room, strict=True)]
    if not lines and drawn[0].startswith("["):  # a file that begins like this would be taken for JSON
        lines.append(f"capacity {capacity}")
    return "\n".join([*lines, *drawn]) + "\n"


def _capacity_lines(fields: Mapping[str, Any]) -> tuple[list[str], list[int]]:
    """The lines with capacities, and for each tube the room to draw as dots."""
    tubes, capacity = fields["tubes"], fields["capacity"]
    capacities = fields.get("capacities", [capacity] * len(tubes))
    room = [size - len(tube) if size != capacity else 0 for tube, size in zip(tubes, capacities, strict=True)]
    lines = []
    # A full tube of another capacity has no room to draw; then a line lists all capacities.
    odd_ones = any(size != capacity and not free for size, free in zip(capacities, room, strict=True))
    if odd_ones or one_is_shorter(fields):  # readers would ask about a tube drawn shorter
        room = [0] * len(tubes)
        lines.append(f"capacities {' '.join(map(str, capacities))}")
    colours = {ball for tube in tubes for ball in tube}
    odd = len(colours) == 1 or capacity == 1 or len(tubes) == 1  # then readers would ask whether that is meant
    if capacity != guess_capacity(tubes, room) or lacks_room(fields) or odd:
        lines.append(f"capacity {capacity}")
    return lines, room


def _setting_lines(fields: Mapping[str, Any]) -> list[str]:
    """The lines for everything else except the tubes."""
    lines = [f"{key} {fields[key]}" for key in ("goal", "reveal") if fields.get(key, "full") != "full"]
    counted = [(key, fields[key].items()) for key in ("colours", "wanted") if key in fields]
    lines += [f"{key} " + " ".join(f"{colour}{number}" for colour, number in each) for key, each in counted]
    lines += [f"locked {entry['tube'] + 1} {_format_until(entry['until'])}" for entry in fields.get("locked", ())]
    for key, name in (("any_in", "any-in"), ("no_in", "no-in"), ("no_out", "no-out")):
        if fields.get(key):
            lines.append(f"{name} {' '.join(str(place + 1) for place in fields[key])}")
    for place, colours in fields.get("accepts", {}).items():
        lines.append(f"accepts {int(place) + 1} {''.join(map(str, colours))}")
    if "tube_colours" in fields:
        lines.append("tube-colours " + "".join(EMPTY if own is None else str(own) for own in fields["tube_colours"]))
    lines += [f"placement {fields['placement']}"] if "placement" in fields else []
    lines += ["partial refused"] * (not fields.get("partial", True))
    lines += [f"{key} on" for key in ("cork", "drain") if fields.get(key, False)]
    return lines


def _format_until(until: int | Colour | Mapping[str, Any]) -> str:
    if isinstance(until, Mapping):
        return " ".join(f"{key} {until[key]}" for key in ("colour", "tubes") if key in until)
    return f"{'tubes' if isinstance(until, int) else 'colour'} {until}"


def _format_tube(tube: Sequence[Colour | None], hidden: Sequence[bool], room: int) -> str:
    text = ""
    inside = False
    for ball, covered in zip(tube, hidden, strict=True):
        if inside != (covered and ball is not None):
            text += "]" if inside else "["
            inside = not inside
        text += UNKNOWN_BALL if ball is None else str(ball)
    return (text + ("]" if inside else "") + ROOM * room) or EMPTY
