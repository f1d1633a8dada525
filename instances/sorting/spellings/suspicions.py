"""What speaks against a reading. All readings of a text are judged alike, by the same list.

Heavier is what is rarer in boards that people store; `sense` says how much is too much.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bsp_sat.instances.sorting.spellings.names import MAYBE_ROOM, SAY_UNKNOWN, SURE_ROOM, UNKNOWN_WORDS, word_of
from bsp_sat.instances.sorting.spellings.table import BLANK, Cell, Table


def is_unknown(cell: Cell) -> bool:
    """Whether a cell is a ball of unknown colour."""
    return cell is None or (cell is not BLANK and word_of(cell) in UNKNOWN_WORDS)


@dataclass(frozen=True)
class ParsedBoard:
    """One way to see a board in a table.

    Attributes:
        table: the table.
        way: ``rows`` or ``columns``: which of them are the tubes.
        room: words that are room.
        top_first: whether the first cell of a tube is its top.
        full: the tubes from bottom to top, with what is room.
        tubes: the same without it, and with the empty tubes that the text only counts.
        capacity: balls a tube holds.
        room_is_meant: whether the user said how many empty tubes there are.
        words_are_meant: whether the user said which words are room.
        named: whether the first row was taken for names of tubes; None if it couldn't be.
    """

    table: Table
    way: str
    room: frozenset[Cell]
    top_first: bool
    full: list[list[Cell]]
    tubes: list[list[Cell]]
    capacity: int
    room_is_meant: bool = False
    words_are_meant: bool = False
    named: bool | None = None

    @cached_property
    def balls(self) -> list[Cell]:
        """All balls."""
        return [ball for tube in self.tubes for ball in tube]

    @cached_property
    def counts(self) -> Counter[str]:
        """How many balls of each known colour there are."""
        return Counter(str(ball) for ball in self.balls if not is_unknown(ball))

    @cached_property
    def unknown(self) -> int:
        """How many balls have no known colour."""
        return sum(map(is_unknown, self.balls))

    @cached_property
    def words(self) -> set[Cell]:
        """The colours as they are compared with words for room."""
        return set(map(word_of, self.balls))

    @cached_property
    def drawn(self) -> list[tuple[list[Cell], list[Cell]]]:
        """Each tube of the text with and without its room."""
        return list(zip(self.full, self.tubes, strict=False))

    @property
    def added(self) -> int:
        """How many empty tubes the text only counts."""
        return len(self.tubes) - len(self.full)

    @cached_property
    def is_padded(self) -> bool:
        """Whether room is drawn in tubes of several cells."""
        return any(len(tube) < len(full) and len(full) > 1 for full, tube in self.drawn)

    @cached_property
    def is_partial(self) -> bool:
        """Whether room is drawn above balls: it shows where the top is."""
        return any(0 < len(tube) < len(full) for full, tube in self.drawn)

    @property
    def usual_end(self) -> bool:
        """Whether the top is where it is said or usual: rows begin at the bottom, columns stand upright."""
        return self.table.said.top_first is not None or self.top_first == (self.way == "columns")


NO_ROOM = "no tube is empty or has room"

Test = Callable[[ParsedBoard], Sequence[str]]


class Suspicion(NamedTuple):
    """Something that speaks against a reading.

    Attributes:
        name: its name.
        weight: how much. A reading with more than `sense.SURE` in all is asked about.
        sentence: says it, with ``{}`` for a word.
        test: the words for which it holds, none if it doesn't; each has the weight.
    """

    name: str
    weight: float
    sentence: str
    test: Test


def _if(test: Callable[[ParsedBoard], bool]) -> Test:
    return lambda parsed: ("",) if test(parsed) else ()


# -- tests -------------------------------------------------------------------------------------------------------


def _is_solved(parsed: ParsedBoard) -> bool:
    return not parsed.unknown and all(
        not tube or (len(set(map(str, tube))) == 1 and len(tube) == parsed.capacity) for tube in parsed.tubes
    )


def _has_no_room(parsed: ParsedBoard) -> bool:
    """Whether an unsorted board has no room, and nothing says that this is meant."""
    full = len(parsed.balls) == parsed.capacity * len(parsed.tubes) and not (parsed.table.own and _is_solved(parsed))
    meant = _is_exact(parsed) and (parsed.table.lines or parsed.table.said.kind != "")
    return full and not parsed.room_is_meant and not meant


def _is_exact(parsed: ParsedBoard) -> bool:
    """Whether a board in the project's own form says its capacity: then what is odd about it is meant."""
    return parsed.table.own and (parsed.table.said.exact or "capacities" in parsed.table.said.fields)


def _lies_at_an_end(parsed: ParsedBoard, word: Cell) -> bool:
    """Whether a word is only at the tops of tubes, or only at their bottoms."""
    return any(all(_only_after_the_first(tube[::step], word) for tube in parsed.tubes) for step in (1, -1))


def _only_after_the_first(tube: Sequence[Cell], word: Cell) -> bool:
    words = list(map(word_of, tube))
    first = words.index(word) if word in words else len(words)
    return all(each == word for each in words[first:])


def _other_room(parsed: ParsedBoard, word: Cell) -> bool:
    """Whether a board shows its room otherwise: by empty or shorter tubes, or by another word."""
    shorter = bool(parsed.table.said.capacity) and _is_ragged(parsed)
    others = [str(each) for each in parsed.room - {word}]
    plain = parsed.is_partial or any(
        len(each) != 1 or not each.isalnum() for each in others
    )  # a letter or digit may be a colour
    whole = all({*map(word_of, tube)} in ({word}, set()) for tube in parsed.tubes if word in map(word_of, tube))
    drawn = bool(others) and parsed.is_padded and plain and not whole
    return shorter or any(not tube for tube in parsed.full) or drawn


def _room_words(words: frozenset[str], *, at_an_end: bool) -> Test:
    return lambda parsed: [
        word
        for word in parsed.words
        if isinstance(word, str)
        and word in words
        and not parsed.words_are_meant
        and _lies_at_an_end(parsed, word) == at_an_end
    ]


def _maybe_colours(*, beside_room: bool) -> Test:
    found = _room_words(MAYBE_ROOM, at_an_end=True)
    return lambda parsed: [
        word for word in found(parsed) if _other_room(parsed, word) == beside_room and not _is_declared(parsed)
    ]


def _is_declared(parsed: ParsedBoard) -> bool:
    """Whether an object says that it is a board of this program, by its ``puzzle``."""
    return parsed.table.own and not parsed.table.lines and parsed.table.said.kind != ""


def _maybe_room(parsed: ParsedBoard, *, doubtful: bool | None) -> Iterator[str]:
    """Words of `MAYBE_ROOM` that are room: beside other room (True), where it is only counted (None), else (False)."""
    said = parsed.table.said
    if parsed.words_are_meant:
        return
    counted = bool(said.empty) or (said.count is not None and said.count > len(parsed.full))
    for word in sorted(map(str, parsed.room & MAYBE_ROOM)):
        other = any(not tube for tube in parsed.full) or bool(parsed.room - {word})
        whole = any(full and not tube for full, tube in parsed.drawn)
        kin = [
            colour
            for colour in parsed.counts
            if len(colour) == 1 and colour.isalpha() and colour.islower() == word.islower()
        ]
        letter = len(word) == 1 and word.isalpha() and len(kin) == len(parsed.counts) and not whole
        state = True if other or (letter and not counted) else None if counted else False
        if state == doubtful:
            yield word


def _alone(parsed: ParsedBoard) -> list[str]:
    """Words of `MAYBE_ROOM` that are room, and each time the only cell of a tube; other tubes have more cells."""
    longer = [full for full in parsed.full if len(full) > 1]
    return (
        []
        if parsed.words_are_meant or not longer
        else sorted(
            str(word)
            for word in parsed.room & MAYBE_ROOM
            if not any(word == word_of(cell) for full in longer for cell in full)
        )
    )


def _is_ragged(parsed: ParsedBoard) -> bool:
    return len({len(full) for full in parsed.full if full}) > 1


def _has_the_same_gap(parsed: ParsedBoard) -> bool:
    square = len(set(map(len, parsed.full))) == 1 < len(parsed.full)
    return (
        square
        and len(parsed.balls) < parsed.capacity * len(parsed.tubes)
        and len(set(map(len, parsed.tubes))) == 1
        and not parsed.table.said.exact
        and not (parsed.table.own and parsed.room.isdisjoint(MAYBE_ROOM))
    )


def _odd_colours(parsed: ParsedBoard) -> list[str]:
    """Colours of punctuation, or with brackets in them."""

    def is_odd(colour: str) -> bool:
        signs = bool(colour) and all(unicodedata.category(sign)[0] == "P" and sign not in "#@" for sign in colour)
        bracketed = re.search(r"[\[\]{}()\"|]", colour) and not re.fullmatch(r"\([\d., ]+\)", colour)
        return (signs and colour not in SURE_ROOM) or bool(bracketed)

    return [colour for colour in parsed.counts if is_odd(colour)][:1]


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
        while (
            tubes[source] and tubes[source][-1] == ball and len(tubes[target]) < parsed.capacity and (runs or not moved)
        ):
            tubes[target].append(tubes[source].pop())
            moved += 1
        if not moved:
            return False
    return True


def moves_fit(parsed: ParsedBoard) -> bool:
    """Whether the recorded moves can be made in some way."""
    return any(_replays(parsed, base, runs=runs) for base in (0, 1) for runs in (False, True))


def _shown_empty(parsed: ParsedBoard) -> int:
    """How many empty tubes stand in the text."""
    return sum(not tube for _, tube in parsed.drawn)


def _says_unknown(parsed: ParsedBoard) -> bool:
    return not SAY_UNKNOWN.isdisjoint(parsed.table.said.fields)


def _nulls_to_spare(parsed: ParsedBoard) -> bool:
    """Whether null balls are more than what the colours that show lack."""
    lacking = sum(-count % parsed.capacity for count in parsed.counts.values())
    return None in parsed.words and parsed.unknown > lacking and not _says_unknown(parsed)


SUSPICIONS: tuple[Suspicion, ...] = (
    Suspicion("unknown", 0.5, "null is an unknown ball",
              _if(lambda parsed: None in parsed.words and not _says_unknown(parsed))),
    Suspicion("unknown to spare", 3.5, "null is an unknown ball", _if(_nulls_to_spare)),
    Suspicion("no room", 4, NO_ROOM, _if(_has_no_room)),
    Suspicion("count", 2, "another number of tubes is said",
              _if(lambda parsed: parsed.table.said.count not in (None, len(parsed.tubes)))),
    Suspicion("empty tubes", 2, "another number of empty tubes is said",
              _if(lambda parsed: parsed.table.said.empty
                  not in (None, parsed.added, _shown_empty(parsed) + parsed.added))),
    Suspicion("empty tubes shown and counted", 2, "some empty tubes are there, and others are only counted",
              _if(lambda parsed: parsed.added > 0 < _shown_empty(parsed) and not parsed.room_is_meant)),
    Suspicion("mostly empty", 2, "more tubes are empty than filled",
              _if(lambda parsed: parsed.added > len(parsed.full) and not parsed.room_is_meant)),
    Suspicion("moves", 4, "the recorded moves can't be made",
              _if(lambda parsed: bool(parsed.table.said.steps) and not moves_fit(parsed))),
    Suspicion("solved", 2.5, "it is solved already",
              _if(lambda parsed: _is_solved(parsed) and not _is_exact(parsed))),
    Suspicion("capacity 1", 5, "a tube holds one ball",
              _if(lambda parsed: parsed.capacity == 1 and not _is_exact(parsed))),
    Suspicion("one colour", 1.5, "there is one colour",
              _if(lambda parsed: len(parsed.counts) < 2 and not parsed.unknown and not _is_exact(parsed))),
    Suspicion("one tube", 5, "there is one tube", _if(lambda parsed: len(parsed.tubes) < 2 and not _is_exact(parsed))),
    Suspicion("punctuation", 4, "a colour is called {}", _odd_colours),
    Suspicion("prose", 4, "the names of colours are long",
              _if(lambda parsed: len(parsed.counts) > 3 and sum(map(len, parsed.counts)) > 40 * len(parsed.counts))),
    Suspicion("room is a colour", 6, "{} is a colour", _room_words(SURE_ROOM, at_an_end=True)),
    Suspicion("room among balls", 3.5, "{} is a colour", _room_words(SURE_ROOM, at_an_end=False)),
    Suspicion("maybe room", 3, "{} is a colour", _maybe_colours(beside_room=False)),
    Suspicion("maybe room, beside other room", 1, "{} is a colour", _maybe_colours(beside_room=True)),
    Suspicion("a colour is room", 0.5, "{} is room", lambda parsed: list(_maybe_room(parsed, doubtful=False))),
    Suspicion("a colour is room, and room is counted", 2.5, "{} is room",
              lambda parsed: list(_maybe_room(parsed, doubtful=None))),
    Suspicion("a colour is room, beside other room", 3.2, "{} is room",
              lambda parsed: list(_maybe_room(parsed, doubtful=True))),
    Suspicion("a colour alone is room", 2.5, "{} is room", lambda parsed: _alone(parsed)),
    Suspicion("null is room", 0.3, "null is room",
              _if(lambda parsed: None in parsed.room and parsed.room.isdisjoint(SURE_ROOM))),
    Suspicion("ragged", 3, "tubes with room differ in length",
              _if(lambda parsed: _is_ragged(parsed) and not parsed.room.isdisjoint(MAYBE_ROOM) and parsed.is_padded)),
    Suspicion("ragged, with sure room", 1.5, "tubes with room differ in length",
              _if(lambda parsed: _is_ragged(parsed) and parsed.room.isdisjoint(MAYBE_ROOM) and parsed.is_partial)),
    Suspicion("same gap", 3.5, "every tube has the same room, as in no game", _if(_has_the_same_gap)),
    Suspicion("columns", 2.2, "the tubes are columns",
              _if(lambda parsed: parsed.way == "columns" and parsed.table.ways == "both" and not parsed.table.lines)),
    Suspicion("columns of lines", 1, "the tubes are columns",
              _if(lambda parsed: parsed.way == "columns" and parsed.table.ways == "both" and parsed.table.lines)),
    Suspicion("end", 0.1, "the other end is the top", _if(lambda parsed: not parsed.usual_end)),
    Suspicion("end, without a sign", 0.2, "the other end is the top",
              _if(lambda parsed: not parsed.usual_end and not (parsed.is_partial and not parsed.table.lines))),
    Suspicion("end of columns", 1.4, "the other end is the top",
              _if(lambda parsed: not parsed.usual_end and parsed.way == "columns")),
    Suspicion("wide", 0.7, "the capacity is more than any tube has",
              _if(lambda parsed: not parsed.table.said.capacity and not parsed.is_padded
                  and parsed.capacity > max(map(len, parsed.tubes)))),
    Suspicion("more than a tube", 0.3, "a colour has more than a tube",
              _if(lambda parsed: any(count > parsed.capacity for count in parsed.counts.values()))),
    Suspicion("case", 0.8, "names differ by case only",
              _if(lambda parsed: len({*map(str.casefold, parsed.counts)}) < len(parsed.counts))),
    Suspicion("names", 1.5, "the first row has other words than all below it",
              _if(lambda parsed: parsed.named is False)),
)  # fmt: skip
