"""What speaks against a reading. All readings of a text are judged alike, by the same list.

Heavier is what is rarer in boards that people store; `sense` says how much is too much.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import NamedTuple

from bsp_sat.instances.sorting.notation import one_is_shorter
from bsp_sat.instances.sorting.spellings.exact import lies_at_an_end
from bsp_sat.instances.sorting.spellings.names import MAYBE_ROOM, SAY_UNKNOWN, SURE_ROOM, word_of
from bsp_sat.instances.sorting.spellings.table import Cell, ParsedBoard
from bsp_sat.instances.text.reading import as_json

NO_ROOM = "no tube is empty or has room"
OFTEN = 4  # tubes, in all of which a colour lies at the same end hardly by chance: it may be room

Weight = float | Mapping[str, float]
"""How much speaks against a reading, 0 if nothing; or for each of several words how much."""


class Suspicion(NamedTuple):
    """Something that speaks against a reading.

    Attributes:
        name: its name.
        sentence: says it, with ``{}`` for a word.
        test: how much it speaks against a reading. What weighs more than `sense.SURE` in all is asked about.
    """

    name: str
    sentence: str
    test: Callable[[ParsedBoard], Weight]


def doubts_about(parsed: ParsedBoard) -> dict[str, float]:
    """Everything that speaks against a reading, and how much."""
    doubts = {parsed.table.doubt: parsed.table.cost}
    for suspicion in SUSPICIONS:
        found = suspicion.test(parsed)
        weights = found if isinstance(found, Mapping) else {"": found}
        doubts |= {suspicion.sentence.format(as_json(word)): weight for word, weight in weights.items() if weight}
    return doubts


# -- room and colours ----------------------------------------------------------------------------------------------


def _colours_like_room(parsed: ParsedBoard) -> Weight:
    """Colours with names for room. They weigh less among balls than at the ends of tubes, or where room shows."""
    weights: dict[str, float] = {}
    declared = parsed.table.own and not parsed.table.lines and parsed.table.said.kind != ""  # as this program's
    words = {word for word in parsed.words if isinstance(word, str)}
    for word in words & (SURE_ROOM | MAYBE_ROOM) if not parsed.choices.room else ():
        at_an_end = lies_at_an_end(parsed.in_words, word)
        if word in SURE_ROOM:
            weights[word] = 6 if at_an_end else 3.5
        elif at_an_end and not declared:
            weights[word] = 1 if _has_other_room(parsed, word) else 3
    return weights


def _has_other_room(parsed: ParsedBoard, word: Cell) -> bool:
    """Whether a board shows its room otherwise: by empty or shorter tubes, or by another word."""
    if not all(parsed.full) or (parsed.table.said.capacity and _is_ragged(parsed)):
        return True
    others = [str(each) for each in parsed.room - {word}]
    plain = any(len(each) != 1 or not each.isalnum() for each in others)  # a letter or digit may be a colour
    beside = [{*tube} != {word} for tube in parsed.in_words if word in tube]
    by_letters = parsed.is_partial and len(beside) < OFTEN
    return bool(others) and parsed.is_padded and (plain or by_letters) and any(beside)


def _room_like_colours(parsed: ParsedBoard) -> Weight:
    """Room with names for colours. It weighs more beside other room, or where no tube is full of it."""
    said, tubes = parsed.table.said, parsed.full
    counted = bool(said.empty) or (said.count is not None and said.count > len(tubes))
    whole = any(full and not tube for full, tube in parsed.drawn)
    longer = {word_of(cell) for full in tubes if len(full) > 1 for cell in full}
    weights: dict[str, float] = {}
    for word in map(str, parsed.room & MAYBE_ROOM if not parsed.choices.room else ()):
        kin = all(_is_kin(colour, word) for colour in parsed.counts.keys() - MAYBE_ROOM)
        letter = len(word) == 1 and word.isalpha() and not whole and kin
        beside = not all(tubes) or len(parsed.room) > 1 or (letter and not counted)
        alone = bool(longer) and word not in longer  # the only cell of tubes, and others have more
        weights[word] = (3.2 if beside else 2.5 if counted else 0.5) + 2.5 * alone
    return weights


def _is_kin(colour: str, letter: str) -> bool:
    return len(colour) == 1 and colour.isalpha() and colour.islower() == letter.islower()


def _odd_names(parsed: ParsedBoard) -> Weight:
    """A colour of punctuation, or with brackets in it."""
    for colour in parsed.counts:
        signs = bool(colour) and all(unicodedata.category(sign)[0] == "P" and sign not in "#@" for sign in colour)
        bracketed = re.search(r"[\[\]{}()\"|]", colour) and not re.fullmatch(r"(?:rgba?|hsla?)?\([\d.,% ]+\)", colour)
        if (signs and colour not in SURE_ROOM) or bracketed:
            return {colour: 4}
    return {}


def _unknown(parsed: ParsedBoard) -> float:
    """Null as unknown balls, perhaps more than what the colours that show lack."""
    if None not in parsed.words or not SAY_UNKNOWN.isdisjoint(parsed.table.said.fields):
        return 0
    lacking = sum(-count % parsed.capacity for count in parsed.counts.values())
    return 4 if parsed.unknown > lacking else 0.5


# -- tubes -----------------------------------------------------------------------------------------------------------


def _is_solved(parsed: ParsedBoard) -> bool:
    return not parsed.unknown and all(
        not tube or (len(set(map(str, tube))) == 1 and len(tube) == parsed.capacity) for tube in parsed.tubes
    )


def _has_no_room(parsed: ParsedBoard) -> bool:
    """Whether an unsorted board has no room, and nothing says that this is meant."""
    full = len(parsed.balls) == parsed.capacity * len(parsed.tubes) and not (parsed.table.own and _is_solved(parsed))
    meant = _is_exact(parsed) and (parsed.table.lines or parsed.table.said.kind != "")
    return full and parsed.choices.empty is None and not meant


def _is_exact(parsed: ParsedBoard) -> bool:
    """Whether a board in the project's own form says its capacity: then what is odd about it is meant."""
    return parsed.table.own and (parsed.table.said.exact or "capacities" in parsed.table.said.fields)


def _is_ragged(parsed: ParsedBoard) -> bool:
    return len({len(full) for full in parsed.full if full}) > 1


def _ragged_with_room(parsed: ParsedBoard) -> float:
    sure = parsed.room.isdisjoint(MAYBE_ROOM)
    drawn = parsed.is_partial if sure else parsed.is_padded
    return (1.5 if sure else 3) * (drawn and _is_ragged(parsed))


def _has_the_same_gap(parsed: ParsedBoard) -> bool:
    square = len(set(map(len, parsed.full))) == 1 < len(parsed.full)
    some = len(parsed.balls) < parsed.capacity * len(parsed.tubes) and len(set(map(len, parsed.tubes))) == 1
    meant = parsed.table.said.exact or (parsed.table.own and parsed.room.isdisjoint(MAYBE_ROOM))
    return square and some and not meant


def _shown_empty(parsed: ParsedBoard) -> int:
    """How many empty tubes stand in the text."""
    return sum(not tube for _, tube in parsed.drawn)


def _other_end(parsed: ParsedBoard) -> float:
    """Rows begin at the bottom, columns stand upright; room above balls may show it otherwise, but hardly in lines."""
    if parsed.table.said.top_first is not None or parsed.top_first == (parsed.way == "columns"):
        return 0
    return 0.1 + 0.2 * (parsed.table.lines or not parsed.is_partial) + 1.4 * (parsed.way == "columns")


def _columns(parsed: ParsedBoard) -> float:
    either = parsed.way == "columns" and parsed.table.ways == "both"
    return (1 if parsed.table.lines else 2.2) * either


# -- moves -----------------------------------------------------------------------------------------------------------


def moves_fit(parsed: ParsedBoard) -> bool:
    """Whether the recorded moves can be made in some way."""
    return any(_replays(parsed, base, runs=runs) for base in (0, 1) for runs in (False, True))


def _replays(parsed: ParsedBoard, base: int, *, runs: bool) -> bool:
    """Whether the recorded moves can be made, with tubes counted from ``base``, ball by ball or by runs."""
    tubes = [list(map(str, tube)) for tube in parsed.tubes]
    for step in parsed.table.said.steps:
        source, target = (number - base for number in step)
        if not (0 <= source < len(tubes) and 0 <= target < len(tubes) and source != target) or not tubes[source]:
            return False
        ball, moved = tubes[source][-1], 0
        if tubes[target] and tubes[target][-1] != ball:
            return False
        while tubes[source][-1:] == [ball] and len(tubes[target]) < parsed.capacity and (runs or not moved):
            tubes[target].append(tubes[source].pop())
            moved += 1
        if not moved:
            return False
    return True


SUSPICIONS: tuple[Suspicion, ...] = (
    Suspicion("unknown", "null is an unknown ball", _unknown),
    Suspicion("no room", NO_ROOM, lambda parsed: 4 * _has_no_room(parsed)),
    Suspicion("count", "another number of tubes is said",
              lambda parsed: 2 * (parsed.table.said.count not in (None, len(parsed.tubes)))),
    Suspicion("empty tubes", "another number of empty tubes is said",
              lambda parsed: 2 * (parsed.table.said.empty
                                  not in (None, parsed.added, _shown_empty(parsed) + parsed.added))),
    Suspicion("empty tubes shown and counted", "some empty tubes are there, and others are only counted",
              lambda parsed: 2 * (parsed.added > 0 < _shown_empty(parsed) and parsed.choices.empty is None)),
    Suspicion("mostly empty", "more tubes are empty than filled",
              lambda parsed: 2 * (parsed.added > len(parsed.full) and parsed.choices.empty is None)),
    Suspicion("moves", "the recorded moves can't be made",
              lambda parsed: 4 * (bool(parsed.table.said.steps) and not moves_fit(parsed))),
    Suspicion("solved", "it is solved already", lambda parsed: 2.5 * (_is_solved(parsed) and not _is_exact(parsed))),
    Suspicion("capacity 1", "a tube holds one ball",
              lambda parsed: 5 * (parsed.capacity == 1 and not _is_exact(parsed))),
    Suspicion("shorter", "one tube holds a ball less than all others",
              lambda parsed: 3.2 * (not parsed.table.own and one_is_shorter(parsed.table.said.fields))),
    Suspicion("one colour", "there is one colour",
              lambda parsed: 1.5 * (len(parsed.counts) < 2 and not parsed.unknown and not _is_exact(parsed))),
    Suspicion("one tube", "there is one tube", lambda parsed: 5 * (len(parsed.tubes) < 2 and not _is_exact(parsed))),
    Suspicion("punctuation", "a colour is called {}", _odd_names),
    Suspicion("prose", "the names of colours are long",
              lambda parsed: 4 * (len(parsed.counts) > 3 and sum(map(len, parsed.counts)) > 40 * len(parsed.counts))),
    Suspicion("room is a colour", "{} is a colour", _colours_like_room),
    Suspicion("a colour is room", "{} is room", _room_like_colours),
    Suspicion("null is room", "null is room",
              lambda parsed: 0.3 * (None in parsed.room and parsed.room.isdisjoint(SURE_ROOM))),
    Suspicion("ragged", "tubes with room differ in length", _ragged_with_room),
    Suspicion("same gap", "every tube has the same room, as in hardly any game",
              lambda parsed: 3.5 * _has_the_same_gap(parsed)),
    Suspicion("columns", "the tubes are columns", _columns),
    Suspicion("end", "the bottom row comes first", _other_end),
    Suspicion("wide", "the capacity is more than any tube has",
              lambda parsed: 0.7 * (not parsed.table.said.capacity and not parsed.is_padded
                                    and parsed.capacity > max(map(len, parsed.tubes)))),
    Suspicion("more than a tube", "a colour has more than a tube",
              lambda parsed: 0.3 * any(count > parsed.capacity for count in parsed.counts.values())),
    Suspicion("case", "names differ by case only",
              lambda parsed: 0.8 * (len({*map(str.casefold, parsed.counts)}) < len(parsed.counts))),
    Suspicion("names", "the first row or column may be names", lambda parsed: 1.5 * (parsed.without == "")),
)  # fmt: skip
