"""Builds positions with rules for tubes or covered cells from the fields of a file."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting.fields import MAX_COLOURS, Goal, SortFields
from bsp_sat.instances.sorting.hidden import HiddenSort
from bsp_sat.instances.sorting.position import SortPuzzle
from bsp_sat.instances.sorting.ruled import RuledSort
from bsp_sat.instances.sorting.rules import UNKNOWN, Lock, Reveal, Rules, TubeRule, can_be_filled
from bsp_sat.instances.text.fields import as_json
from bsp_sat.instances.text.words import parse_number, short

Cells = list[list[Colour | None]]


def read_ruled(
    fields: SortFields, plain: type[SortPuzzle], ruled: type[RuledSort], hidden: type[HiddenSort]
) -> SortPuzzle:
    """The position that a file describes.

    Args:
        fields: the fields of the file.
        plain: the class for boards of the plain form after all.
        ruled: the class for boards with all balls known.
        hidden: the class for boards with unknown balls.

    Raises:
        BoardError: the board breaks a rule, or no filling is possible, naming the place.
    """
    tubes, covered = fields.tubes, _covered(fields)
    if fields.order == "top-down":
        tubes, covered = [tube[::-1] for tube in tubes], [tube[::-1] for tube in covered]
    if not tubes:
        raise BoardError("tubes", "expected at least one tube, found none")
    capacities = _capacities(fields, tubes)
    palette = _palette(tubes, fields.colours)
    if len(palette) >= MAX_COLOURS:
        raise BoardError("tubes", f"expected at most {MAX_COLOURS - 1} colours, found {len(palette)}")
    counts = _counts(fields, tubes, palette)
    rules = Rules(
        tuple(_tube_rules(fields, capacities, palette)),
        tuple(counts[colour] for colour in palette),
        fields.partial,
        fields.cork,
        _reveal(fields.reveal, plain),
    )
    _check_goal(rules, palette, fields.goal)
    index: dict[Colour | None, int] = {colour: number for number, colour in enumerate(palette)}
    index[None] = UNKNOWN
    contents = tuple(bytes(index[ball] for ball in tube) for tube in tubes)
    covers = tuple(sum(1 << level for level, there in enumerate(tube) if there) for tube in covered)
    capacity = capacities[0] if len(set(capacities)) == 1 else fields.capacity
    position = hidden(contents, capacity, fields.goal, palette, rules, covers)
    found = position.seen_as(contents)
    if isinstance(found, HiddenSort) and not found.has_filling():
        raise BoardError("tubes", "no way to deal out the missing balls agrees with what shows")
    if UNKNOWN in b"".join(contents) and not isinstance(found, HiddenSort):
        # The counts tell all that was missing. Colours are numbered in the order in which they show: so once more.
        known: Cells = [[palette[ball] for ball in tube] for tube in found.tubes]
        return read_ruled(replace(fields, tubes=known, hidden=covered, order="bottom-up"), plain, ruled, hidden)
    if isinstance(found, HiddenSort) or found.rules.features() or any(found.covers) or found.goal == "gathered":
        return found
    return plain(found.tubes, capacities[0], found.goal, palette)  # with open locks and uncovered tops


def _reveal(said: Reveal | None, plain: type[SortPuzzle]) -> Reveal:
    return said or plain.usual_reveal()


def _covered(fields: SortFields) -> list[list[bool]]:
    """For each tube, in the order of the file, whether each cell is covered. By default the unknown ones are."""
    unknown = [[ball is None for ball in tube] for tube in fields.tubes]
    if not fields.hidden:
        return unknown
    if len(fields.hidden) != len(fields.tubes):
        raise BoardError("hidden", f"expected {len(fields.tubes)} lists, one a tube, found {len(fields.hidden)}")
    for place, (tube, said) in enumerate(zip(fields.tubes, fields.hidden, strict=True)):
        if len(said) != len(tube):
            problem = f"expected {len(tube)} values, one a ball of the tube, found {len(said)}"
            raise BoardError(f"hidden[{place}]", problem)
    return [
        [said or missing for said, missing in zip(*pair, strict=True)]
        for pair in zip(fields.hidden, unknown, strict=True)
    ]


def _capacities(fields: SortFields, tubes: Cells) -> list[int]:
    capacities = fields.capacities or [fields.capacity] * len(tubes)
    if len(capacities) != len(tubes):
        raise BoardError("capacities", f"expected {len(tubes)} numbers, one a tube, found {len(capacities)}")
    for place, (tube, capacity) in enumerate(zip(tubes, capacities, strict=True)):
        if len(tube) > capacity:
            raise BoardError(f"tubes[{place}]", f"expected at most {capacity} balls (its capacity), found {len(tube)}")
    return capacities


def _palette(tubes: Cells, said: Mapping[str, int]) -> tuple[Colour, ...]:
    """The colours: visible ones, then those only counted, as numbers if all visible ones are numbers."""
    shown: list[Colour] = list(dict.fromkeys(ball for tube in tubes for ball in tube if ball is not None))
    names = Counter(map(str, shown))
    for name in said:
        if names[name] > 1:
            raise BoardError(f"colours.{name}", "expected one colour of this name, found a text and a number")
    numbers = bool(shown) and all(isinstance(colour, int) for colour in shown)
    for name in said:
        if name not in names:
            number = parse_number(name)
            shown.append(number if numbers and number is not None and str(number) == name else name)  # "007" is a name
    return tuple(shown)


def _counts(fields: SortFields, tubes: Cells, palette: Sequence[Colour]) -> dict[Colour, int]:
    """The number of balls of each colour: as in the file, else those visible, or a tube full if cells are unknown."""
    known = Counter(ball for tube in tubes for ball in tube)
    unknown = known.pop(None, 0)
    said = fields.colours
    counts: dict[Colour, int] = {}
    for colour in palette:
        there = known[colour]
        counts[colour] = said.get(str(colour), fields.capacity if unknown else there)
        if there > counts[colour]:
            by = 'as "colours" says' if str(colour) in said else 'a tube full, where "colours" doesn\'t say otherwise'
            raise BoardError("tubes", f"{there} balls of colour {colour!r} show, but there are {counts[colour]}, {by}")
    missing = sum(counts.values()) - sum(known.values())
    if missing != unknown:
        raise BoardError(
            "tubes",
            f"{unknown} cells are unknown, but {missing} balls are missing of the colours that show"
            f'{" or are counted" if said else ""}; "colours" can say how many there are of each',
        )
    return counts


def _tube_rules(fields: SortFields, capacities: Sequence[int], palette: Sequence[Colour]) -> list[TubeRule]:
    rules = [TubeRule(capacity) for capacity in capacities]
    for index, place in enumerate(fields.no_in):
        _check_place(f"no_in[{index}]", place, len(rules))
        rules[place] = rules[place]._replace(takes=False)
    for index, place in enumerate(fields.no_out):
        _check_place(f"no_out[{index}]", place, len(rules))
        rules[place] = rules[place]._replace(gives=False)
    for name, colours in fields.accepts.items():
        where, number = f"accepts.{short(name)}", parse_number(name)
        _check_place(where, name if number is None else number, len(rules))
        assert number is not None
        chosen = sorted({_colour(where, colour, palette) for colour in colours})
        rules[number] = rules[number]._replace(accepts=tuple(chosen))
    for index, entry in enumerate(fields.locked):
        _check_place(f"locked[{index}].tube", entry.get("tube"), len(rules))
        place = entry["tube"]
        lock = _lock(f"locked[{index}].until", entry.get("until"), palette, len(rules))
        if rules[place].lock is not None:
            raise BoardError(f"locked[{index}].tube", f"expected each tube once, found {place} twice")
        rules[place] = rules[place]._replace(lock=lock)
    return rules


def _check_place(where: str, place: Any, tubes: int) -> None:
    if type(place) is not int or not 0 <= place < tubes:
        raise BoardError(where, f"expected a tube from 0 to {tubes - 1}, found {as_json(place)}")


def _colour(where: str, colour: Any, palette: Sequence[Colour]) -> int:
    if type(colour) not in (int, str) or colour not in palette:
        raise BoardError(where, f"expected a colour of the board, found {as_json(colour)}")
    return palette.index(colour)


def _lock(where: str, until: Any, palette: Sequence[Colour], tubes: int) -> Lock:
    """A string is a colour, a number counts complete tubes; an object has the key ``colour`` or ``tubes``."""
    if isinstance(until, dict) and list(until) == ["colour"]:
        return Lock(colour=_colour(f"{where}.colour", until["colour"], palette))
    if isinstance(until, dict) and list(until) == ["tubes"]:
        where, until = f"{where}.tubes", until["tubes"]
    if isinstance(until, str):
        return Lock(colour=_colour(where, until, palette))
    if type(until) is not int or not 1 <= until <= tubes:
        raise BoardError(
            where, f"expected a colour, or a number of complete tubes up to {tubes}, found {as_json(until)}"
        )
    return Lock(tubes=until)


def _check_goal(rules: Rules, palette: Sequence[Colour], goal: Goal) -> None:
    """Refuses counts and capacities with which the goal can't be reached."""
    capacities = [rule.capacity for rule in rules.tubes]
    tallest = max(capacities)
    for colour, count in zip(palette, rules.counts, strict=True):
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
        raise BoardError("tubes", f"the colours need {needed} tubes to be apart, found {len(capacities)}")
