"""The parts of a position with rules or covered cells, from the fields of a file."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting.covers import NEW_COLOUR
from bsp_sat.instances.sorting.rules import (
    MAX_COLOURS,
    NOT_SAID,
    UNKNOWN,
    Goal,
    Lock,
    Reveal,
    Rules,
    SortFields,
    TubeRule,
    can_be_filled,
)
from bsp_sat.instances.text.reading import as_json
from bsp_sat.instances.text.words import parse_number, quantity, short

MOST_NAMED = 3  # colours in one message

Cells = list[list[Colour | None]]


class Parts(NamedTuple):
    """The parts of a position as a file describes it: no lock has opened, and nothing is uncovered yet.

    ``hidden`` has the covers as lists, bottom first; the rest is as in `bsp_sat.instances.sorting.board.SortBoard`.
    """

    tubes: tuple[bytes, ...]
    capacity: int
    palette: tuple[Colour, ...]
    rules: Rules
    covers: tuple[int, ...]
    hidden: list[list[bool]]


def parts_of(fields: SortFields, usual: Reveal) -> Parts:
    """The parts of a position in a file; ``usual`` is revealed where it doesn't say. BoardError names the place."""
    tubes, covered = fields.tubes, _covered(fields)
    if fields.order == "top-down":
        tubes, covered = [tube[::-1] for tube in tubes], [tube[::-1] for tube in covered]
    if not tubes:
        raise BoardError("tubes", "expected at least one tube, found none")
    for key, goal in (("wanted", "wanted"), ("tube_colours", "coloured")):
        if getattr(fields, key) and fields.goal != goal:
            raise BoardError(key, f"expected no such key at the goal {fields.goal}")
    capacities = _capacities(fields, tubes)
    capacity = capacities[0] if len(set(capacities)) == 1 else fields.capacity
    named = _palette(tubes, fields)
    counts = _counts(fields, tubes, named)
    nameless = _nameless(counts, tubes, named, capacity)
    palette = (*named, *_new_names(nameless, named))
    if len(palette) >= MAX_COLOURS:
        raise BoardError("tubes", f"expected at most {MAX_COLOURS - 1} colours, found {len(palette)}")
    rules = Rules(
        tuple(_tube_rules(fields, capacities, named)),
        (*counts, *[capacity] * nameless),
        fields.partial,
        fields.cork,
        usual if fields.reveal is NOT_SAID else fields.reveal,
        nameless,
        (*_wanted(fields, named), *[0] * nameless) if fields.goal == "wanted" else (),
        fields.drain,
    )
    _check_goal(rules, palette, fields.goal)
    index: dict[Colour | None, int] = {colour: number for number, colour in enumerate(palette)}
    index[None] = UNKNOWN
    contents = tuple(bytes(index[ball] for ball in tube) for tube in tubes)
    covers = tuple(sum(1 << level for level, there in enumerate(tube) if there) for tube in covered)
    return Parts(contents, capacity, palette, rules, covers, covered)


def tubes_full(balls: int, capacity: int) -> int:
    """The number of balls of a colour that shows, if a file doesn't give it: one tube full, or more if more show."""
    return capacity * max(1, -(-balls // capacity))


def _covered(fields: SortFields) -> list[list[bool]]:
    """For each tube, in the order of the file, whether each cell is covered. By default the unknown ones are."""
    unknown = [[ball is None for ball in tube] for tube in fields.tubes]
    if not fields.hidden:
        return unknown
    if len(fields.hidden) != len(fields.tubes):
        lists = quantity(len(fields.tubes), "list")
        raise BoardError("hidden", f"expected {lists}, one a tube, found {len(fields.hidden)}")
    for place, (tube, said) in enumerate(zip(fields.tubes, fields.hidden, strict=True)):
        if len(said) != len(tube):
            problem = f"expected {quantity(len(tube), 'value')}, one a ball of the tube, found {len(said)}"
            raise BoardError(f"hidden[{place}]", problem)
    pairs = zip(fields.hidden, unknown, strict=True)
    return [[said or missing for said, missing in zip(*pair, strict=True)] for pair in pairs]


def _capacities(fields: SortFields, tubes: Cells) -> list[int]:
    capacities = fields.capacities or [fields.capacity] * len(tubes)
    if len(capacities) != len(tubes):
        numbers = quantity(len(tubes), "number")
        raise BoardError("capacities", f"expected {numbers}, one a tube, found {len(capacities)}")
    for place, (tube, capacity) in enumerate(zip(tubes, capacities, strict=True)):
        if len(tube) > capacity:
            raise BoardError(f"tubes[{place}]", f"expected at most {capacity} balls (its capacity), found {len(tube)}")
    return capacities


def _palette(tubes: Cells, fields: SortFields) -> tuple[Colour, ...]:
    """The colours with a name: visible ones, then those that are only counted, or named by a rule of a tube.

    The names of these are texts, or numbers if all visible colours are numbers. A rule counts only on a board with
    unknown cells; on others there are no further balls.
    """
    shown: list[Colour] = list(dict.fromkeys(ball for tube in tubes for ball in tube if ball is not None))
    names = Counter(map(str, shown))
    for name in fields.colours:
        if names[name] > 1:
            raise BoardError(f"colours.{name}", "expected one colour of this name, found a text and a number")
    numbers = bool(shown) and all(isinstance(colour, int) for colour in shown)
    in_rules = _named_by_rules(fields) if any(None in tube for tube in tubes) else []
    for name in dict.fromkeys([*fields.colours, *map(str, in_rules)]):
        if name not in names:
            number = parse_number(name)
            shown.append(number if numbers and number is not None and str(number) == name else name)  # "007" is a name
    return tuple(shown)


def _named_by_rules(fields: SortFields) -> list[Colour]:
    """The colours that open locks, or that tubes accept. Whether the rules are well formed is checked later."""
    found: list[Any] = [colour for colours in fields.accepts.values() for colour in colours] + list(fields.wanted)
    for entry in fields.locked:
        until = entry.get("until")
        found.append(until.get("colour") if isinstance(until, dict) else until if isinstance(until, str) else None)
    return [colour for colour in found if type(colour) in (int, str)]


def _counts(fields: SortFields, tubes: Cells, palette: Sequence[Colour]) -> list[int]:
    """The number of balls of each colour: as in the file, else those visible, or a tube full if cells are unknown."""
    known = Counter(ball for tube in tubes for ball in tube)
    counts = []
    for colour in palette:
        there = known[colour]
        counts.append(fields.colours.get(str(colour), tubes_full(there, fields.capacity) if known[None] else there))
        if there > counts[-1]:
            problem = f'{there} balls of colour {colour!r} show, but there are {counts[-1]}, as "colours" says'
            raise BoardError("tubes", problem)
    return counts


def _nameless(counts: Sequence[int], tubes: Cells, palette: Sequence[Colour], capacity: int) -> int:
    """The number of colours that don't show and have no name: they share the cells left over, a tube full each."""
    known = Counter(ball for tube in tubes for ball in tube)
    unknown = known.pop(None, 0)
    missing = {colour: number - known[colour] for colour, number in zip(palette, counts, strict=True)}
    left = unknown - sum(missing.values())
    if left < 0 or left % capacity:
        each = [f"{number} of {colour!r}" for colour, number in missing.items() if number]
        others = [quantity(len(each) - MOST_NAMED, "more colour")] * (len(each) > MOST_NAMED)
        of_each = ", ".join(each[:MOST_NAMED] + others) or "none"
        rest = "" if left < 0 else f"; the other {quantity(left, 'cell')} can't make whole tubes of {capacity}"
        cells, balls = quantity(unknown, "cell"), quantity(unknown - left, "ball")
        raise BoardError(
            "tubes",
            f"{cells} unknown, but {balls} missing of the colours with a name "
            f'({short(of_each, 200)}){rest}; "colours" can say how many there are of each',
        )
    return left // capacity


def _wanted(fields: SortFields, palette: Sequence[Colour]) -> list[int]:
    """By colour, how many tubes are to be full of it."""
    if not fields.wanted:
        raise BoardError("wanted", 'expected how many tubes are to be full of a colour, such as {"red": 2}, found none')
    names = [str(colour) for colour in palette]
    for name in fields.wanted:
        if names.count(name) != 1:
            raise BoardError(f"wanted.{name}", "expected the name of one colour of the board")
    return [fields.wanted.get(name, 0) for name in names]


def _new_names(number: int, palette: Sequence[Colour]) -> Iterator[str]:
    """Names for nameless colours that no other colour has."""
    names = {*map(str, palette)}
    numbered = (f"{NEW_COLOUR} {n}" for n in range(1, number + len(names) + 1))
    return islice((name for name in numbered if name not in names), number)


def _tube_rules(fields: SortFields, capacities: Sequence[int], palette: Sequence[Colour]) -> list[TubeRule]:
    rules = [TubeRule(capacity, any_top=fields.placement == "any") for capacity in capacities]
    said: dict[str, dict[str, Any]] = {
        "any_in": {"any_top": True},
        "no_in": {"takes": False},
        "no_out": {"gives": False},
    }
    for key, rule in said.items():
        for index, place in enumerate(getattr(fields, key)):
            _check_place(f"{key}[{index}]", place, len(rules))
            rules[place] = rules[place]._replace(**rule)
    for name, colours in fields.accepts.items():
        where, number = f"accepts.{short(name)}", parse_number(name)
        _check_place(where, name if number is None else number, len(rules))
        assert number is not None
        chosen = sorted({_colour(where, colour, palette) for colour in colours})
        rules[number] = rules[number]._replace(accepts=tuple(chosen))
    for place, own in enumerate(_tube_colours(fields)):
        if own is not None:
            rules[place] = rules[place]._replace(colour=_colour(f"tube_colours[{place}]", own, palette))
    for index, entry in enumerate(fields.locked):
        _check_place(f"locked[{index}].tube", entry.get("tube"), len(rules))
        place = entry["tube"]
        lock = _lock(f"locked[{index}].until", entry.get("until"), palette, len(rules))
        if rules[place].lock is not None:
            raise BoardError(f"locked[{index}].tube", f"expected each tube once, found {place} twice")
        rules[place] = rules[place]._replace(lock=lock)
    return rules


def _tube_colours(fields: SortFields) -> list[Colour | None]:
    if len(fields.tube_colours) != (len(fields.tubes) if fields.goal == "coloured" else 0):
        problem = f"expected {quantity(len(fields.tubes), 'colour')}, one a tube, or null for a reserve tube"
        raise BoardError("tube_colours", f"{problem}, found {len(fields.tube_colours)}")
    return fields.tube_colours


def _check_place(where: str, place: Any, tubes: int) -> None:
    if type(place) is not int or not 0 <= place < tubes:
        raise BoardError(where, f"expected a tube from 0 to {tubes - 1}, found {as_json(place)}")


def _colour(where: str, colour: Any, palette: Sequence[Colour]) -> int:
    if type(colour) not in (int, str) or colour not in palette:
        raise BoardError(where, f"expected a colour of the board, found {as_json(colour)}")
    return palette.index(colour)


def _lock(where: str, until: Any, palette: Sequence[Colour], tubes: int) -> Lock:
    """A string is a colour, a number counts complete tubes; an object has the key ``colour``, ``tubes`` or both."""
    colour = None
    if isinstance(until, dict) and "colour" in until and until.keys() <= {"colour", "tubes"}:
        colour = _colour(f"{where}.colour", until["colour"], palette)
        if len(until) == 1:
            return Lock(colour)
    if isinstance(until, dict) and "tubes" in until and until.keys() <= {"colour", "tubes"}:
        where, until = f"{where}.tubes", until["tubes"]
    elif isinstance(until, str):
        return Lock(_colour(where, until, palette))
    if type(until) is not int or not 1 <= until <= tubes:
        expected = f"expected a colour, or a number of complete tubes up to {tubes}"
        raise BoardError(where, f"{expected}, found {as_json(until)}")
    return Lock(colour, until)


def _check_wanted(rules: Rules, palette: Sequence[Colour], capacities: Sequence[int]) -> None:
    """Refuses more full tubes than there are tubes, or balls for them."""
    for colour, count, tubes in zip(palette, rules.counts, rules.wanted, strict=True):
        if sum(capacities[:tubes]) > count:
            raise BoardError(f"wanted.{colour}", f"{quantity(count, 'ball')} can't fill {quantity(tubes, 'tube')}")
    if sum(rules.wanted) > len(capacities):
        raise BoardError("wanted", f"expected at most {len(capacities)} tubes in all, found {sum(rules.wanted)}")


def _check_goal(rules: Rules, palette: Sequence[Colour], goal: Goal) -> None:
    """Refuses counts and capacities with which the goal can't be reached."""
    capacities = [rule.capacity for rule in rules.tubes]
    tallest = max(capacities)
    if goal == "wanted":
        _check_wanted(rules, palette, sorted(capacities))
        return
    for number, (colour, count) in enumerate(zip(palette, rules.counts, strict=True)):
        if goal == "coloured":
            own = sum(rule.capacity for rule in rules.tubes if rule.colour == number)
            if count > own:
                problem = f"the tubes of colour {colour!r} hold {quantity(own, 'ball')}, and there are {count}"
                raise BoardError("tube_colours", problem)
        if goal == "gathered" and count > tallest:
            raise BoardError("tubes", f"no tube holds the {count} balls of colour {colour!r} that are to be gathered")
        if goal == "full" and len(set(capacities)) == 1 and count % tallest:
            raise BoardError(
                "tubes",
                f"{count} of colour {colour!r} cannot fill whole tubes of {tallest}; expected a multiple of "
                'the capacity, or "goal": "monochrome" or "gathered"',
            )
    if sum(rules.counts) > sum(capacities):
        raise BoardError("tubes", "there are more balls than all tubes hold")
    if goal == "full" and not can_be_filled(rules):
        raise BoardError("tubes", "the tubes can't be dealt out so that each colour fills some of them exactly")
    needed = sum(-(-count // tallest) for count in rules.counts)
    if needed > len(capacities):
        raise BoardError("tubes", f"the colours need {needed} tubes to be kept apart, found {len(capacities)}")
