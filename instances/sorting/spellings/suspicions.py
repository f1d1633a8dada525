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
class Look:
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

Test = Callable[[Look], Sequence[str]]


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


def _if(test: Callable[[Look], bool]) -> Test:
    return lambda look: ("",) if test(look) else ()


# -- tests -------------------------------------------------------------------------------------------------------


def _is_solved(look: Look) -> bool:
    return not look.unknown and all(
        not tube or (len(set(map(str, tube))) == 1 and len(tube) == look.capacity) for tube in look.tubes
    )


def _has_no_room(look: Look) -> bool:
    """Whether an unsorted board has no room, and nothing says that this is meant."""
    full = len(look.balls) == look.capacity * len(look.tubes) and not (look.table.own and _is_solved(look))
    meant = _is_exact(look) and (look.table.lines or look.table.said.kind != "")
    return full and not look.room_is_meant and not meant


def _is_exact(look: Look) -> bool:
    """Whether a board in the project's own form says its capacity: then what is odd about it is meant."""
    return look.table.own and (look.table.said.exact or "capacities" in look.table.said.fields)


def _lies_at_an_end(look: Look, word: Cell) -> bool:
    """Whether a word is only at the tops of tubes, or only at their bottoms."""
    return any(all(_only_after_the_first(tube[::step], word) for tube in look.tubes) for step in (1, -1))


def _only_after_the_first(tube: Sequence[Cell], word: Cell) -> bool:
    words = list(map(word_of, tube))
    first = words.index(word) if word in words else len(words)
    return all(each == word for each in words[first:])


def _other_room(look: Look, word: Cell) -> bool:
    return any(not tube for tube in look.full) or (bool(look.room - {word}) and look.is_padded)


def _room_words(words: frozenset[str], *, at_an_end: bool) -> Test:
    return lambda look: [
        word
        for word in look.words
        if isinstance(word, str)
        and word in words
        and not look.words_are_meant
        and _lies_at_an_end(look, word) == at_an_end
    ]


def _maybe_colours(*, beside_room: bool) -> Test:
    found = _room_words(MAYBE_ROOM, at_an_end=True)
    return lambda look: [
        word for word in found(look) if _other_room(look, word) == beside_room and not _is_declared(look)
    ]


def _is_declared(look: Look) -> bool:
    """Whether an object says that it is a board of this program, by its ``puzzle``."""
    return look.table.own and not look.table.lines and look.table.said.kind != ""


def _maybe_room(look: Look, *, doubtful: bool | None) -> Iterator[str]:
    """Words of `MAYBE_ROOM` that are room: beside other room (True), where it is only counted (None), else (False)."""
    said = look.table.said
    if look.words_are_meant:
        return
    counted = bool(said.empty) or (said.count is not None and said.count > len(look.full))
    for word in sorted(map(str, look.room & MAYBE_ROOM)):
        other = any(not tube for tube in look.full) or bool(look.room - {word} - MAYBE_ROOM)
        whole = any(full and not tube for full, tube in look.drawn)
        kin = [
            colour
            for colour in look.counts
            if len(colour) == 1 and colour.isalpha() and colour.islower() == word.islower()
        ]
        letter = len(word) == 1 and word.isalpha() and len(kin) == len(look.counts) and not whole
        state = True if other or (letter and not counted) else None if counted else False
        if state == doubtful:
            yield word


def _alone(look: Look) -> list[str]:
    """Words of `MAYBE_ROOM` that are room, and each time the only cell of a tube; other tubes have more cells."""
    longer = [full for full in look.full if len(full) > 1]
    return (
        []
        if look.words_are_meant or not longer
        else sorted(
            str(word)
            for word in look.room & MAYBE_ROOM
            if not any(word == word_of(cell) for full in longer for cell in full)
        )
    )


def _is_ragged(look: Look) -> bool:
    return len({len(full) for full in look.full if full}) > 1


def _has_the_same_gap(look: Look) -> bool:
    square = len(set(map(len, look.full))) == 1 < len(look.full)
    return (
        square
        and len(look.balls) < look.capacity * len(look.tubes)
        and len(set(map(len, look.tubes))) == 1
        and not look.table.said.exact
        and not look.table.own
    )


def _odd_colours(look: Look) -> list[str]:
    """Colours of punctuation, or with brackets in them."""

    def is_odd(colour: str) -> bool:
        signs = bool(colour) and all(unicodedata.category(sign)[0] == "P" and sign not in "#@" for sign in colour)
        bracketed = re.search(r"[\[\]{}()\"|]", colour) and not re.fullmatch(r"\([\d., ]+\)", colour)
        return (signs and colour not in SURE_ROOM) or bool(bracketed)

    return [colour for colour in look.counts if is_odd(colour)][:1]


def _replays(look: Look, base: int, *, runs: bool) -> bool:
    """Whether the recorded moves can be made, with tubes counted from ``base``, ball by ball or by runs."""
    tubes = [list(map(str, tube)) for tube in look.tubes]
    for step in look.table.said.steps:
        source, target = (number - base for number in step)
        if not (0 <= source < len(tubes) and 0 <= target < len(tubes) and source != target) or not tubes[source]:
            return False
        ball, moved = tubes[source][-1], 0
        if tubes[target] and tubes[target][-1] != ball:
            return False
        while (
            tubes[source] and tubes[source][-1] == ball and len(tubes[target]) < look.capacity and (runs or not moved)
        ):
            tubes[target].append(tubes[source].pop())
            moved += 1
        if not moved:
            return False
    return True


def moves_fit(look: Look) -> bool:
    """Whether the recorded moves can be made in some way."""
    return any(_replays(look, base, runs=runs) for base in (0, 1) for runs in (False, True))


def _shown_empty(look: Look) -> int:
    """How many empty tubes stand in the text."""
    return sum(not tube for _, tube in look.drawn)


def _says_unknown(look: Look) -> bool:
    return not SAY_UNKNOWN.isdisjoint(look.table.said.fields)


def _nulls_to_spare(look: Look) -> bool:
    """Whether null balls are more than what the colours that show lack."""
    lacking = sum(-count % look.capacity for count in look.counts.values())
    return None in look.words and look.unknown > lacking and not _says_unknown(look)


SUSPICIONS: tuple[Suspicion, ...] = (
    Suspicion("unknown", 0.5, "null is an unknown ball",
              _if(lambda look: None in look.words and not _says_unknown(look))),
    Suspicion("unknown to spare", 3.5, "null is an unknown ball", _if(_nulls_to_spare)),
    Suspicion("no room", 4, NO_ROOM, _if(_has_no_room)),
    Suspicion("count", 2, "another number of tubes is said",
              _if(lambda look: look.table.said.count not in (None, len(look.tubes)))),
    Suspicion("empty tubes", 2, "another number of empty tubes is said",
              _if(lambda look: look.table.said.empty not in (None, look.added, _shown_empty(look) + look.added))),
    Suspicion("empty tubes shown and counted", 2, "some empty tubes are there, and others are only counted",
              _if(lambda look: look.added > 0 < _shown_empty(look) and not look.room_is_meant)),
    Suspicion("mostly empty", 2, "more tubes are empty than filled",
              _if(lambda look: look.added > len(look.full) and not look.room_is_meant)),
    Suspicion("moves", 4, "the recorded moves can't be made",
              _if(lambda look: bool(look.table.said.steps) and not moves_fit(look))),
    Suspicion("solved", 2.5, "it is solved already", _if(lambda look: _is_solved(look) and not _is_exact(look))),
    Suspicion("capacity 1", 5, "a tube holds one ball", _if(lambda look: look.capacity == 1 and not _is_exact(look))),
    Suspicion("one colour", 1.5, "there is one colour",
              _if(lambda look: len(look.counts) < 2 and not look.unknown and not _is_exact(look))),
    Suspicion("one tube", 5, "there is one tube", _if(lambda look: len(look.tubes) < 2 and not _is_exact(look))),
    Suspicion("punctuation", 4, "a colour is called {}", _odd_colours),
    Suspicion("prose", 4, "the names of colours are long",
              _if(lambda look: len(look.counts) > 3 and sum(map(len, look.counts)) > 40 * len(look.counts))),
    Suspicion("room is a colour", 6, "{} is a colour", _room_words(SURE_ROOM, at_an_end=True)),
    Suspicion("room among balls", 3.5, "{} is a colour", _room_words(SURE_ROOM, at_an_end=False)),
    Suspicion("maybe room", 3, "{} is a colour", _maybe_colours(beside_room=False)),
    Suspicion("maybe room, beside other room", 1, "{} is a colour", _maybe_colours(beside_room=True)),
    Suspicion("a colour is room", 0.5, "{} is room", lambda look: list(_maybe_room(look, doubtful=False))),
    Suspicion("a colour is room, and room is counted", 2.5, "{} is room",
              lambda look: list(_maybe_room(look, doubtful=None))),
    Suspicion("a colour is room, beside other room", 3.2, "{} is room",
              lambda look: list(_maybe_room(look, doubtful=True))),
    Suspicion("a colour alone is room", 2.5, "{} is room", lambda look: _alone(look)),
    Suspicion("null is room", 0.3, "null is room",
              _if(lambda look: None in look.room and look.room.isdisjoint(SURE_ROOM))),
    Suspicion("ragged", 3, "tubes with room differ in length",
              _if(lambda look: _is_ragged(look) and not look.room.isdisjoint(MAYBE_ROOM) and look.is_padded)),
    Suspicion("ragged, with sure room", 1.5, "tubes with room differ in length",
              _if(lambda look: _is_ragged(look) and look.room.isdisjoint(MAYBE_ROOM) and look.is_partial)),
    Suspicion("same gap", 3.5, "every tube has the same room, as in no game", _if(_has_the_same_gap)),
    Suspicion("columns", 2.2, "the tubes are columns",
              _if(lambda look: look.way == "columns" and look.table.ways == "both" and not look.table.lines)),
    Suspicion("columns of lines", 1, "the tubes are columns",
              _if(lambda look: look.way == "columns" and look.table.ways == "both" and look.table.lines)),
    Suspicion("end", 0.1, "the other end is the top", _if(lambda look: not look.usual_end and look.is_partial)),
    Suspicion("end, without a sign", 0.3, "the other end is the top",
              _if(lambda look: not look.usual_end and not look.is_partial)),
    Suspicion("end of columns", 1.4, "the other end is the top",
              _if(lambda look: not look.usual_end and look.way == "columns")),
    Suspicion("wide", 0.7, "the capacity is more than any tube has",
              _if(lambda look: not look.table.said.capacity and not look.is_padded
                  and look.capacity > max(map(len, look.tubes)))),
    Suspicion("more than a tube", 0.3, "a colour has more than a tube",
              _if(lambda look: any(count > look.capacity for count in look.counts.values()))),
    Suspicion("case", 0.8, "names differ by case only",
              _if(lambda look: len({*map(str.casefold, look.counts)}) < len(look.counts))),
    Suspicion("names", 1.5, "the first row has other words than all below it", _if(lambda look: look.named is False)),
)  # fmt: skip
