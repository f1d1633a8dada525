"""What stands beside tubes and has a meaning: keys of objects, settings, headings, and numbers before the tubes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.notation import SETTINGS, TUBES_IN, Settings
from bsp_sat.instances.sorting.rules import SortFields
from bsp_sat.instances.sorting.spellings.names import (
    NO_VALUES,
    SURE_ROOM,
    end_named,
    is_named,
    key_meant,
    kind_named,
    plain,
    role_of,
)
from bsp_sat.instances.sorting.spellings.table import NOTHING, Said
from bsp_sat.instances.text.graphemes import graphemes
from bsp_sat.instances.text.reading import MAX_SIZE, as_json
from bsp_sat.instances.text.words import parse_number, quantity

LONGEST_HEADING = 80

_FIELDS = SortFields.position_keys() - {"puzzle", "tubes", "capacity", "order"}
"""Keys of the project's own format that are passed on as they are."""
_NO_NUMBERS = {"level", "levels", "puzzle", "test", "start", "data", "position", "problem", "map", "board"}
"""Names of tubes that count boards, where they have a number."""
_NOTHING_SAID: tuple[Any, ...] = (*NO_VALUES, False, 0, -1)
"""Values of a rule that isn't there."""

_SAID_OF_TUBES = {"about", "capacity", "count", "empty"}
"""Roles of keys of tubes whose numbers may differ."""

COMMENT = re.compile(
    r"\s*(?:(?i:level|stage|puzzle)\s#?\d{1,6}\s?:?$|//|%(?=\s)|#(?![0-9a-fA-F]{3,8}\b|\d{1,4}\s?[:)])|--\s+[A-Za-z]{2})"
)
_COMMENT_AT_END = re.compile(r"\s(?:#(?![0-9a-fA-F]{3,8}\b)|//).*$")
_REMARK = re.compile(r"(?<=\S) ?\(([^()\n]{1,80})\)(?=.)")
_MORE_EMPTY = re.compile(
    r"(?:[+(&] *|\b(?:and|plus) +|^ *(?=\d+ +(?:more |extra )?empty [tbvfs]))(\d{1,3}) +(?:more |extra )?empty"
    r"(?: (?:tubes?|bottles?|vials?|flasks?|stacks?))? ?\)?\.?$",
    re.IGNORECASE,
)
_PROSE = re.compile(r" *[^\W\d][\w',()-]*(?: [\w',()-]+)+!$| *[^\W\d][\w',()-]*(?: [\w',()-]+){3,}\?$")
_HEADING = re.compile(r" *[^\W\d][\w',()-]*(?: [\w',()-]+){2,}:$")
_SETTING = re.compile(r" *([A-Za-z][A-Za-z _-]{1,24}?) ?([:=]?) +(\S.{0,60})$")
_SIZES = re.compile(r"\s*+\d{1,3}(?:(?:\s*+[x×;,]\s*+|\s++)\d{1,3}){0,2}\s*+")


# -- keys --------------------------------------------------------------------------------------------------------


def said_in_object(value: Mapping[str, Any], outer: Said) -> Said:
    """What an object says about the boards inside it. Raises BoardError if it contradicts itself."""
    said, about = replace(outer, about={}), {}
    for key, each in value.items():
        found = _said_by(str(key), each, said)
        if found is None:
            about[key] = each
        else:
            said = found
    return replace(said, about=about)


def _said_by(key: str, value: Any, said: Said) -> Said | None:
    """What one key says; None if it is only about the board."""
    if key in _FIELDS or (key == "order" and end_named(str(value)) is None):
        return replace(said, fields={**said.fields, key: value})
    role, value = role_of(key), _spelt(value)
    number = value if type(value) is int else -1
    if role == "steps" and (steps := _steps(value)):
        return replace(said, steps=steps)
    if is_named(key, "capacity") and 0 < number <= MAX_SIZE:
        return replace(said, capacity=number, exact=said.exact or key == "capacity")
    if key == "capacity" and value not in NO_VALUES:
        raise BoardError(key, f"expected a whole number from 1 to {MAX_SIZE}, found {as_json(value)}")
    if is_named(key, "empty") and 0 <= number < MAX_SIZE:
        return replace(said, empty=number)
    if is_named(key, "count", "tubes") and plain(key) not in _NO_NUMBERS and 0 < number < MAX_SIZE:
        return replace(said, count=number)
    if role in ("top first", "bottom first") and isinstance(value, int):
        return replace(said, top_first=bool(value) == (role == "top first"))
    if role == "end" and isinstance(value, str) and (end := end_named(value)) is None and value:
        return replace(said, rules=(*said.rules, f"{key}: {value}"))
    if role == "end" and isinstance(value, str) and end is not None:
        if said.top_first not in (None, end):
            first = "top" if said.top_first else "bottom"
            raise BoardError(key, f"expected the {first} of a tube first, as another key says, found {as_json(value)}")
        return replace(said, top_first=end)
    if role == "kind" and isinstance(value, str) and (kind := kind_named(value)):
        return replace(said, kind=kind)
    return replace(said, rules=(*said.rules, key)) if _is_rule(key, value) else None


def _spelt(value: Any) -> Any:
    """A value, or the number or truth value that a text spells, as in programs that store nothing but texts."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    number = parse_number(value.strip())
    return number if number is not None else {"true": True, "false": False}.get(value.strip().casefold(), value)


def _is_rule(key: str, value: Any) -> bool:
    """Whether a key sounds like a rule, or would say something of the board but for its spelling or its value."""
    role = role_of(key)
    if role in ("top first", "bottom first"):
        return value not in NO_VALUES and not isinstance(value, list | dict)  # which may be the tubes
    if role == "capacity":
        return isinstance(value, list | dict) and bool(value) and not is_named(key, "tubes", "balls")
    if role == "misspelt":
        return value not in NO_VALUES and _said_by(key_meant(key), value, NOTHING) is not None
    return role in ("rule", "own") and value not in _NOTHING_SAID


def _steps(value: Any) -> tuple[tuple[int, int], ...]:
    """Recorded moves, as pairs of tubes; none if they are something else."""
    steps = value if isinstance(value, list) else []
    pairs = [tuple(step) for step in steps if isinstance(step, list | tuple) and [*map(type, step)] == [int, int]]
    return tuple((source, target) for source, target in pairs) if len(pairs) == len(steps) else ()


def said_by_tubes(tubes: Sequence[Any], rows: Sequence[Sequence[Any]], said: Said) -> Said:
    """What tubes with these cells say, where they or their balls are objects: capacities, and what may be rules."""
    objects = [tube for tube in tubes if isinstance(tube, dict)]
    sizes, colours = [*map(len, rows)], {*map(repr, (None, *chain(*rows)))}
    filled = [any(isinstance(each, list) or is_named(key, "balls") for key, each in tube.items()) for tube in objects]
    ends = {end_named(key) for tube in objects for key in [key_of_balls(tube)] if key}
    if len(ends) == 1 and None not in ends and said.top_first is None:
        said = replace(said, top_first=ends.pop())
    rules = _strange(objects, [], [range(1, len(objects) + 1), sizes], colours) if sum(filled) == len(tubes) else []
    stood = [*_balls_with_places(tubes, rows)]
    if stood:
        balls, cells, *places = zip(*stood, strict=True)
        rules += _strange(balls, cells, places, colours)
    things = [*objects, *(ball for ball, *_ in stood)]
    known = [str(key) for thing in things for key, value in thing.items() if _is_rule(str(key), value)]
    said = replace(said, rules=(*said.rules, *dict.fromkeys([*known, *rules])))
    named = [next((value for key, value in tube.items() if is_named(key, "capacity")), None) for tube in objects]
    capacities = [number for value in named if type(number := _spelt(value)) is int]
    if len(set(capacities)) == 1:
        return replace(said, capacity=capacities[0])
    if len(capacities) < len(tubes) or capacities == sizes:  # then they are numbers of balls
        return said
    for number, (size, most) in enumerate(zip(sizes, capacities, strict=True), start=1):
        if size > most:
            raise BoardError(f"tube {number}", f"expected at most {quantity(most, 'ball')}, its capacity, found {size}")
    return replace(said, capacity=max(capacities), fields={**said.fields, "capacities": capacities})


def key_of_balls(tube: Mapping[str, Any]) -> str | None:
    """The key of the list of balls of a tube; None if several may be it. Other lists may be rules, as of covers."""
    lists = [key for key, each in tube.items() if isinstance(each, list | tuple)]
    if len(lists) > 1:
        lists = [key for key in lists if is_named(key, "balls")] or [key for key in lists if role_of(key) != "rule"]
    may_hold_balls = [
        is_named(key, "balls") or role_of(key) in ("", "misspelt") or plain(key) == "values" for key in lists
    ]
    return lists[0] if may_hold_balls == [True] else None


def _flat(ball: Mapping[str, Any]) -> Mapping[str, Any]:
    """A ball with what an object inside it says."""
    inner = [each for each in ball.values() if isinstance(each, dict)]
    return {**ball, **_flat(inner[0])} if inner else ball


def _balls_with_places(tubes: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """The balls that are objects, each with its colour, its places from either end, and its tube."""
    for number, (tube, row) in enumerate(zip(tubes, rows, strict=True)):
        lists = [each for each in (tube.values() if isinstance(tube, dict) else [tube]) if isinstance(each, list)]
        for inside in lists:
            if len(inside) == len(row):
                places = enumerate(zip(inside, row, strict=True))
                yield from ((_flat(b), c, at, len(row) - at, number) for at, (b, c) in places if isinstance(b, dict))


def _strange(
    things: Sequence[Mapping[str, Any]], cells: Sequence[Any], places: Sequence[Sequence[int]], colours: set[str]
) -> list[str]:
    """Keys of tubes or balls that vary and may be rules: they are no place, number or name, nor go by the colour.

    ``places`` are numbers that say nothing new of each: where it stands, and how many balls there are. ``colours``
    stand as `repr` writes them.
    """
    found = []
    for key in dict.fromkeys(chain(*things)):
        if any(key == key_of_balls(thing) for thing in things):
            continue
        values = [_spelt(thing.get(key)) for thing in things]
        marks = [*map(repr, values)]
        words = [
            each for each, mark in zip(values, marks, strict=True) if isinstance(each, str) and mark not in colours
        ]
        kinds = [word for word in words if role_of(word) == "rule"]
        if kinds and role_of(key) != "about":
            found.append(f"{key}: {kinds[0]}")
        elif len(set(marks)) > 1 and not _is_understood(key, values, marks, places, colours):
            by_colour = dict(zip(map(repr, cells), marks, strict=False))
            if [by_colour.get(repr(cell)) for cell in cells] != marks:
                found.append(key)
    return found


def _is_understood(
    key: str, values: Sequence[Any], marks: Sequence[str], places: Sequence[Sequence[int]], colours: set[str]
) -> bool:
    """Whether values that vary are numbers, names or flags that say nothing new, or nothing that can be a rule."""
    if any(isinstance(value, dict | float) for value in values) or is_named(key, "balls") or {*marks} <= colours:
        return True
    if all(isinstance(value, str) for value in values):
        return len(set(marks)) == len(marks) or role_of(key) == "about"
    if any(values in ([bool(n) for n in place], [not n for n in place]) for place in places):
        return True
    numbers = [value for value in values if value is not None]
    if not all(type(number) is int for number in numbers) or (len(numbers) < len(values) and role_of(key) != "about"):
        return False
    alike = any(_differ_alike(values, place) for place in places) if len(numbers) == len(values) else False
    return alike or len({*numbers}) == len(numbers) or role_of(key) in _SAID_OF_TUBES


def _differ_alike(values: Sequence[int], places: Sequence[int]) -> bool:
    return len({value - place for value, place in zip(values, places, strict=True)}) == 1


def may_be_of_tubes(key: str, value: Any, rows: Sequence[Any]) -> bool:
    """Whether what stands beside tubes has a value for each tube or ball, which may be a rule."""
    if not isinstance(value, list) or len(value) != len(rows) or len(rows) < 2 or role_of(key) in ("about", "steps"):
        return False
    if all(isinstance(each, list) for each in value):
        alike = [len(each) for each in value] == [len(row) for row in rows]
        return alike and {type(each) for each in chain(*value)} in ({bool}, {int}) and len({*chain(*value)}) == 2
    plainly = len({*map(type, value)}) == 1 and isinstance(value[0], int) and len({*value}) > 1
    return plainly and not _differ_alike(value, range(len(value)))


# -- lines -------------------------------------------------------------------------------------------------------


def said_in_settings(settings: Settings) -> Said:
    """What lines of the project's own settings say."""
    others = {key: value for key, value in settings.items() if key not in ("capacity", "order", TUBES_IN)}
    if others.get("goal") == "full":
        del others["goal"]
    order, capacity = settings.get("order"), settings.get("capacity")
    top_first = None if order is None else order == "top-down"
    return Said(capacity, top_first=top_first, fields=others, exact=capacity is not None)


def said_in_lines(lines: Sequence[str], said: Said) -> tuple[Said, list[str]]:
    """What further lines say beside the tubes, and the lines without them, without comments."""
    body: list[str] = []
    alone = sum(bool(line.strip()) for line in lines) == 1  # a tube of several may have 2 empty places
    for each in lines:
        line = each.rstrip("\r")
        if (remark := _REMARK.search(line)) and (top_first := end_named(remark[1])) is not None:
            said, line = replace(said, top_first=top_first), line[: remark.start()] + line[remark.end() :]
        if (more := _MORE_EMPTY.search(line)) is not None and (alone or not line[: more.start()].strip()):
            said, line = replace(said, empty=int(more[1])), line[: more.start()].rstrip(" ,")
            if not line:
                continue
        comment = COMMENT.match(line) or _PROSE.match(line) or (not body and _HEADING.match(line))
        at_end = None if comment else _COMMENT_AT_END.search(line)
        words = line if at_end is None else at_end[0]
        end = end_named(words) if len(words) < LONGEST_HEADING else None
        if end is not None:
            said = replace(said, top_first=end)
        if end is not None and at_end is None:
            continue
        if (setting := _setting(line, said)) is not None:
            said = setting
        elif not comment:
            body.append(_COMMENT_AT_END.sub("", line) if not line.lstrip().startswith("#") else line)
    return said, body


def _setting(line: str, said: Said) -> Said | None:
    """What a line such as ``empty tubes: 2`` or ``game: water sort`` says; None if it is none."""
    found = _SETTING.fullmatch(line)
    if found is None or found[1] in SETTINGS or (not found[2] and found[1].casefold() in SURE_ROOM):  # room and a ball
        return None
    number = parse_number(found[3].strip(" ;,."))
    counted = is_named(found[1], "capacity", "empty") or (found[2] and is_named(found[1], "count", "tubes"))
    if counted if number is not None else found[2] == ":" and is_named(found[1], "kind"):
        return _said_by(found[1], found[3] if number is None else number, said)
    return None


def without_sizes(body: Sequence[str]) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    """The lines after numbers that say how many tubes there are, and what they say; then all lines."""
    filled = [line for line in body if line.strip()]
    heads = []
    for line in filled[:3]:
        if not _SIZES.fullmatch(line):
            break
        heads.append([int(number) for number in re.findall(r"\d+", line)])
    for taken in range(len(heads), 0, -1):
        if taken == 1 or all(len(head) == 1 for head in heads[:taken]):
            places = [place for place, line in enumerate(body) if line.strip()]
            numbers, rest = list(chain(*heads[:taken])), body[places[taken] :] if filled[taken:] else []
            meant = _sizes_of(numbers, filled[taken:], filled[0])
            if numbers == [len(filled) - taken] and meant in (None, {"empty": numbers[0]}):
                yield rest, {"count": numbers[0]}
            if meant is not None:
                yield rest, meant
                break
    yield body, {}


def _sizes_of(numbers: list[int], rest: Sequence[str], first: str) -> dict[str, Any] | None:
    """What numbers before tubes say, such as tubes and capacity, or full and empty tubes; None if nothing."""
    if not rest or ("\t" in first and first.count("\t") == rest[0].count("\t")):  # a row of the table
        return None
    rows = [re.findall(r"[^\s,;]+", line) for line in rest if line.strip(" -")]
    words = {len(row) - begin_with_their_numbers(rows) for row in rows} or {0}
    signs = {len(graphemes(line.strip())) for line in rest}
    among_balls = any(first.strip() in line for line in rest) or {*first.split()} <= {line.strip() for line in rest}
    if max(words) == 1 and (len(first.strip()) == max(signs) or among_balls):  # digits are balls there too
        return None
    if len(numbers) > 1 and numbers[0] >= len(rest) and 1 < numbers[1] >= min(max(words), max(signs)):
        fits = numbers[1] in (max(words), max(signs))
        if fits or max(words) == numbers[1] - 1 or any(numbers[2:3]):
            return {"capacity": numbers[1] if fits else None, "count": numbers[0]}
    if len(numbers) == 2 and numbers[0] == len(rest) and len(words) == 1:
        return {"empty": numbers[1], "exact": True}
    if len(numbers) == 2 and "x" in first and numbers[1] == len(rest):
        return {"count": numbers[0]}
    if len(numbers) == 1 and numbers[0] < 10 and max(signs) > 1 and (len(words) == 1 or len(signs) == 1):
        return {"empty": numbers[0]}
    return None


def begin_with_their_numbers(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether rows begin with the numbers of their other cells, and these differ: ``2 r g``, ``0``."""
    return len({*map(len, rows)}) > 1 and all(row and str(row[0]) == str(len(row) - 1) for row in rows)
