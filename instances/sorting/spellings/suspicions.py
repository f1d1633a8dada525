"""What speaks against a reading. All readings of a text are judged alike, by the same table.

Heavier is what is rarer in boards that people store; `sense` says how much is too much.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping

from bsp_sat.instances.sorting.notation import one_is_shorter
from bsp_sat.instances.sorting.spellings.exact import lies_at_an_end
from bsp_sat.instances.sorting.spellings.names import MAYBE_ROOM, SAY_UNKNOWN, SURE_ROOM, word_of
from bsp_sat.instances.sorting.spellings.table import Cell, ParsedBoard
from bsp_sat.instances.text.reading import as_json

NO_ROOM = "no tube is empty or has room"
OFTEN = 4  # tubes, in all of which a colour lies at the same end hardly by chance: it may be room

Weight = float | Mapping[str, float]
"""How much speaks against a reading, 0 if nothing; or for each of several words how much."""


def doubts_about(parsed: ParsedBoard) -> dict[str, float]:
    """Everything that speaks against a reading, and how much. What is above `sense.SURE` in all is asked about."""
    doubts = {parsed.table.doubt: parsed.table.cost}
    for weight, sentence, test, _ in SUSPICIONS:
        found = test(parsed)
        words = found if isinstance(found, Mapping) else {"": found}
        doubts |= {sentence.format(as_json(word)): weight * much for word, much in words.items() if much}
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
    by_letters = parsed.is_partial and len(beside) < OFTEN and all(beside)  # a whole tube of it may be empty
    return bool(others) and parsed.is_padded and (plain or by_letters) and any(beside)


def _room_like_colours(parsed: ParsedBoard) -> Weight:
    """Room with names for colours. It weighs more beside other room, or where no tube is full of it."""
    said, tubes = parsed.table.said, parsed.full
    counted = bool(said.empty) or (said.count is not None and said.count > len(tubes))
    whole = any(full and not tube for full, tube in parsed.drawn)
    longer = {word_of(cell) for full in tubes if len(full) > 1 for cell in full}
    weights: dict[str, float] = {}
    for word in map(str, parsed.room & MAYBE_ROOM if not parsed.choices.room else ()):
        others = parsed.counts.keys() - MAYBE_ROOM
        kin = all(len(each) == 1 and each.isalpha() and each.islower() == word.islower() for each in others)
        letter = len(word) == 1 and word.isalpha() and not whole and kin
        beside = not all(tubes) or len(parsed.room) > 1 or (letter and not counted)
        alone = bool(longer) and word not in longer  # the only cell of tubes, and others have more
        weights[word] = (3.2 if beside else 2.5 if counted else 0.5) + 2.5 * alone
    return weights


def _odd_names(parsed: ParsedBoard) -> Weight:
    """A colour of punctuation, or with brackets or marks in it, but for ``rgb(1, 2, 3)``."""
    for colour in parsed.counts:
        signs = bool(colour) and all(unicodedata.category(sign)[0] == "P" and sign not in "#@" for sign in colour)
        parts = re.fullmatch(r"(?:rgba?|hsla?)?\([\d.,% ]+\)|\d{2,3}(?:, ?\d{1,3}){2,3}", colour)
        bracketed = parts is None and re.search(r"[\[\]{}()\"|,;]", colour)
        if (signs and colour not in SURE_ROOM) or bracketed:
            return {colour: 1}
    return {}


def _unknown(parsed: ParsedBoard) -> float:
    """Null as unknown balls, perhaps more than what the colours that show lack."""
    if None not in parsed.words or not SAY_UNKNOWN.isdisjoint(parsed.table.said.fields):
        return 0
    lacking = sum(-count % parsed.capacity for count in parsed.counts.values())
    return 8 if parsed.unknown > lacking else 1


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
    return sum(not tube for _, tube in parsed.drawn)


def _other_end(parsed: ParsedBoard) -> float:
    """Rows begin at the bottom, columns stand upright; room above balls may show it otherwise, but hardly in lines."""
    if parsed.table.said.top_first is not None or parsed.top_first == (parsed.way == "columns"):
        return 0
    return 0.1 + 0.2 * (parsed.table.lines or not parsed.is_partial) + 1.4 * (parsed.way == "columns")


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


_Suspicion = tuple[float, str, Callable[[ParsedBoard], bool | Weight], str]
"""A weight, the sentence that says it, with ``{}`` for a word, whether it holds, and texts that it is for."""

SUSPICIONS: tuple[_Suspicion, ...] = (
    (4, NO_ROOM, _has_no_room, "guilhermelange, Ichabod: only the full tubes are stored"),
    (2, "another number of tubes is said", lambda board: board.table.said.count not in (None, len(board.tubes)),
     "numbers above lines"),
    (2, "another number of empty tubes is said",
     lambda board: board.table.said.empty not in (None, board.added, _shown_empty(board) + board.added),
     "emptyTubes of JSON"),
    (2, "some empty tubes are there, and others are only counted",
     lambda board: board.added > 0 < _shown_empty(board) and board.choices.empty is None, "emptyTubes of JSON"),
    (2, "more tubes are empty than filled",
     lambda board: board.added > len(board.full) and board.choices.empty is None, "numbers above lines"),
    (4, "the recorded moves can't be made", lambda board: bool(board.table.said.steps) and not moves_fit(board),
     "a pack of 1,020 boards with solutions"),
    (2.5, "it is solved already", lambda board: _is_solved(board) and not _is_exact(board), "tubes between ;"),
    (5, "a tube holds one ball", lambda board: board.capacity == 1 and not _is_exact(board), "tybl: a ball a line"),
    (3.2, "one tube holds a ball less than all others",
     lambda board: not board.table.own and one_is_shorter(board.table.said.fields), "tubes that say their capacities"),
    (1.5, "there is one colour",
     lambda board: len(board.counts) < 2 and not board.unknown and not _is_exact(board), "three short lines"),
    (5, "there is one tube", lambda board: len(board.tubes) < 2 and not _is_exact(board), "nitekat: two tubes"),
    (4, "a colour is called {}", _odd_names, "commas and brackets as balls"),
    (1, "{} is a colour", _colours_like_room, "0, E, X and AIR of games"),
    (1, "{} is room", _room_like_colours, "0, E, X and AIR of games"),
    (0.5, "null is an unknown ball", _unknown, "covered boards of docs/formats.md"),
    (0.3, "null is room", lambda board: None in board.room and board.room.isdisjoint(SURE_ROOM), "lists of programs"),
    (1, "tubes with room differ in length", _ragged_with_room, "lines that begin with their number"),
    (3.5, "every tube has the same room, as in hardly any game", _has_the_same_gap, "posts that count the empty tubes"),
    (1, "the tubes are columns",
     lambda board: (1 if board.table.lines else 2.2) * ((board.way, board.table.ways) == ("columns", "both")),
     "rows of game grids"),
    (1, "the bottom row comes first", _other_end, "MeboSDK, Thane: room above balls"),
    (0.7, "the capacity is more than any tube has",
     lambda board: not (board.table.said.capacity or board.is_padded) and board.capacity > max(map(len, board.tubes)),
     "tubes without room"),
    (0.3, "a colour has more than a tube", lambda board: max([*board.counts.values(), 0]) > board.capacity, "packs"),
    (0.8, "names differ by case only",
     lambda board: len({*map(str.casefold, board.counts)}) < len(board.counts), "letters of either case"),
    (1.5, "the first row or column may be names", lambda board: board.without == "", "printed data frames"),
)  # fmt: skip
