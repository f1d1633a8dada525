"""All boards that a table may be: tubes in rows or columns, either end on top, any set of words for room."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from bsp_sat.instances.choices import ReadingChoices, Way
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting.spellings.beside import begin_with_their_numbers
from bsp_sat.instances.sorting.spellings.exact import tubes_in_words
from bsp_sat.instances.sorting.spellings.names import MAYBE_ROOM, SURE_ROOM, word_of
from bsp_sat.instances.sorting.spellings.suspicions import doubts_about, moves_fit
from bsp_sat.instances.sorting.spellings.table import BLANK, Cell, ParsedBoard, Table, is_unknown
from bsp_sat.instances.text.reading import as_json
from bsp_sat.instances.text.words import counts

Make = Callable[[Mapping[str, Any], str], AnyPuzzle]
"""Makes the position of the fields of the JSON format and the kind that a text says; raises a BoardError."""

MOST_MAYBE = 4
"""Words of `MAYBE_ROOM` that are tried together."""

MAX_CELLS = 20_000
"""Balls and empty places of a text that may be one board, and its tubes. Each is looked at some hundred times."""

_NAME = re.compile(r"[\w#.-]+(?: #?\d{1,3})?[:).]?")

CHECKED = ("name", "source", "optimal", "contents")
"""Keys about a board whose values are checked."""

DOUBT = 1.0
"""The weight from which on a suspicion is said; lighter ones only decide between readings."""


@dataclass(frozen=True)
class Candidate:
    """A board that a table may be, as it was seen, with what speaks against it, and how much."""

    parsed: ParsedBoard
    puzzle: AnyPuzzle
    weights: Mapping[str, float]

    @property
    def cost(self) -> float:
        """How unlikely it is that it was meant."""
        return sum(self.weights.values()) - 2 * self.makes_the_moves

    @property
    def doubts(self) -> tuple[str, ...]:
        """What speaks against it, the strongest first."""
        heavy = {doubt: weight for doubt, weight in self.weights.items() if doubt and weight >= DOUBT}
        return tuple(sorted(heavy, key=lambda doubt: -heavy[doubt]))

    @property
    def is_end_known(self) -> bool:
        """Whether something shows or says which end is the top."""
        return self.parsed.table.said.top_first is not None or self.parsed.is_partial

    @property
    def makes_the_moves(self) -> bool:
        """Whether there are recorded moves, and they can be made."""
        return bool(self.parsed.table.said.steps) and moves_fit(self.parsed)

    @property
    def is_own(self) -> bool:
        """Whether nothing was inferred that the project's own formats leave open."""
        parsed, said = self.parsed, self.parsed.table.said
        if not parsed.table.own or parsed.way == "columns" or parsed.without is not None or parsed.table.notes:
            return False
        if said.empty or said.count is not None or parsed.top_first != bool(said.top_first):
            return False
        return {*map(word_of, self._room)} <= ({".", "_", "-"} if parsed.table.lines else set())

    @property
    def _room(self) -> list[Cell]:
        return [cell for full, tube in self.parsed.drawn for cell in full[len(tube) :]]

    @property
    def convention(self) -> tuple[str, bool]:
        """What all boards of a pack have in common."""
        return self.parsed.way, self.parsed.top_first

    def words(self) -> str:
        """What the board is, such as ``5 tubes of 4, 2 empty, each from bottom to top; "" is room``."""
        parsed, notes = self.parsed, [*self.parsed.table.notes]
        if parsed.is_padded or any(len(full) == 1 and not tube for full, tube in parsed.drawn):
            cells = [cell for cell in self._room if cell is not BLANK]
            marks = sorted({as_json(None if cell is None else str(cell).strip()) for cell in cells})
            notes += [f"{' and '.join(marks)} {'is' if len(marks) == 1 else 'are'} room"] if marks else []
        if parsed.without:
            notes.append(parsed.without)
        if sizes := parsed.table.said.fields.get("capacities"):
            notes.append(f"capacities {' '.join(map(str, sizes))}")
        board = tubes_in_words(parsed.tubes, parsed.capacity, parsed.way, top_first=parsed.top_first)
        return "; ".join([board, *([", ".join(notes)] if notes else [])])


class Candidates:
    """All boards that a table may be, the likeliest first, and why rows or columns are none."""

    def __init__(self, table: Table, make: Make, choices: ReadingChoices) -> None:
        said = table.said
        top_first = said.top_first if choices.top_first is None else choices.top_first
        own = table.own and said.kind != "" and SURE_ROOM.isdisjoint(word_of(row[0]) for row in table.rows if row)
        if top_first is None and own:
            top_first = False  # by the project's own form, whatever may be wrong with the board
        empty = said.empty if choices.empty is None else choices.empty
        self.table = replace(table, said=replace(said, top_first=top_first, empty=empty))
        self._make = make
        self._choices = choices
        self.refusals: list[tuple[str, BoardError]] = []
        self.found: list[Candidate] = []
        if max(cells := sum(map(len, table.rows)), len(table.rows)) > MAX_CELLS:
            problem = f"expected at most {MAX_CELLS:,} balls and as many tubes, found {cells:,} and {len(table.rows):,}"
            self.refusals.append(("rows", BoardError("", problem)))
        elif not table.rows:
            self.refusals.append(("rows", BoardError("", "expected a board, found no tubes")))
        else:
            self.found = sorted(self._all(), key=lambda candidate: candidate.cost)

    def _all(self) -> Iterator[Candidate]:
        ends = [end for end in (False, True) if self.table.said.top_first in (None, end)]
        for rows, without in _variants(self.table):
            rooms = self._rooms({word_of(cell) for row in rows for cell in row})
            for way, tubes in self._tubes(rows):
                usual_first = sorted(ends, reverse=way == "columns")
                for room, top_first in product(rooms, usual_first):
                    full = [tube[::-1] if top_first else tube for tube in tubes]
                    try:
                        bare = self._without_room(full, room, top_first=top_first)
                    except BoardError as error:
                        self.refusals.append((way, error))
                        continue
                    for added in self._counted(bare):
                        everything = [*bare, *([] for _ in range(added))]
                        yield from self._weighed(
                            ParsedBoard(self.table, way, room, top_first, full, everything, self._choices, without)
                        )

    def _weighed(self, parsed: ParsedBoard) -> Iterator[Candidate]:
        """The board, if it is one, with what speaks against it."""
        try:
            puzzle = self._make(_fields(parsed), self.table.said.kind)
        except BoardError as error:
            self.refusals.append((parsed.way, error))
        else:
            yield Candidate(replace(parsed), puzzle, doubts_about(parsed))  # without what was worked out of it

    def _tubes(self, rows: list[list[Cell]]) -> Iterator[tuple[Way, list[list[Cell]]]]:
        """The tubes in rows, and those in columns, where they may be there."""
        ways, square = self.table.ways, len(set(map(len, rows))) == 1
        if ways != "columns":
            yield "rows", rows
        if ways != "rows" and square and rows[0]:
            yield "columns", [list(column) for column in zip(*rows, strict=True)]
        elif ways == "columns":
            problem = "expected rows of one length, as the tubes are in columns"
            self.refusals.append(("columns", BoardError("", problem)))

    def _rooms(self, seen: set[Cell]) -> list[frozenset[Cell]]:
        """The sets of words that may be room, of those that are there."""
        blank, null = frozenset({BLANK} & seen), frozenset({None} & seen)
        if meant := self._choices.room:
            return [blank | {None if word == "null" else word_of(word) for word in meant}]
        sure, maybe = SURE_ROOM & seen, MAYBE_ROOM & seen
        if self.table.own and self.table.said.kind:  # the project's own form knows no other words
            null, maybe = frozenset(), frozenset()
        rooms = [blank | sure | null, blank, blank | sure, blank | null]
        rooms += [blank | sure | null | {word} for word in sorted(maybe)]
        rooms += [blank | sure | null | maybe] if 1 < len(maybe) < MOST_MAYBE else []
        return list(dict.fromkeys(rooms))

    def _without_room(self, tubes: Sequence[list[Cell]], room: frozenset[Cell], *, top_first: bool) -> list[list[Cell]]:
        """Tubes, from bottom to top, without the room above their balls; BoardError for room among them, or none."""
        bare = []
        for place, tube in enumerate(tubes, start=1):
            height = len(tube)
            while height and word_of(tube[height - 1]) in room:
                height -= 1
            bare.append(tube[:height])
            if any(word_of(cell) in room or (cell is None and not self.table.null_is_unknown) for cell in bare[-1]):
                found = as_json([None if cell is BLANK else cell for cell in (tube[::-1] if top_first else tube)])
                problem = f"expected room only at the top, found {found}; an unknown ball is ?"
                problem += "" if self.table.lines else ", and room needn't be written"
                raise BoardError(f"tube {place}", problem)
        if not any(bare):
            raise BoardError("", "expected a board, found no ball")
        return bare

    def _counted(self, tubes: Sequence[Sequence[Cell]]) -> list[int]:
        """How many empty tubes may be only counted, beside these."""
        said, there = self.table.said, sum(not tube for tube in tubes)
        number = max(0, said.count - len(tubes)) if said.count and not said.empty else said.empty or 0
        if self._choices.empty is not None or not number:
            return [number]
        if there:  # the number may describe the tubes that stand there
            return [0] if there == said.empty else [0, number]
        return [number, number - len(tubes)] if self.table.lines and number > len(tubes) else [number]


def _fields(parsed: ParsedBoard) -> dict[str, Any]:
    plain = ([str(ball) if isinstance(ball, str) else ball for ball in tube] for tube in parsed.tubes)  # of bare names
    tubes = [[None if is_unknown(ball) else ball for ball in tube] for tube in plain]
    fields = {"capacity": parsed.capacity, **parsed.table.said.fields}
    if parsed.table.own:  # in another form these keys may mean anything
        fields |= {key: value for key, value in parsed.table.said.about.items() if key in CHECKED}
    if not parsed.top_first:
        return {**fields, "tubes": tubes}
    return {"order": "top-down", **fields, "tubes": [tube[::-1] for tube in tubes]}


def _variants(table: Table) -> Iterator[tuple[list[list[Cell]], str | None]]:
    """The rows without names above them and at their left, if there may be some, or numbers of balls; and all rows."""
    rows = table.rows
    above = table.lines and len(rows) > 2 and len(rows[0]) > 1 and len(set(map(len, rows))) == 1
    beside = len(rows) > 1 and all(rows) and not table.own and table.said.fields.get("goal", "full") == "full"
    beside = beside and (table.lines or all(type(row[0]) is int for row in rows))
    left, inside = [row[1:] for row in rows] if beside else [], [row[1:] for row in rows[1:]]
    beside = beside and max(map(len, left), default=0) > 1
    without: list[tuple[list[list[Cell]], str]] = []
    if above and _are_names(rows[0], rows[1:]):
        without.append((rows[1:], "the first row names the tubes"))
    last = [str(cell).strip("()[]") for cell in rows[-1]]
    if above and counts(last) and _are_names(last, rows[:-1]):
        without.append((rows[:-1], "the last row numbers the tubes"))
    if beside and _are_names([row[0] for row in rows], left):
        without.append((left, "the first column has names"))
    if beside and len({*map(len, rows)}) > 1 and counts(row[0] for row in rows):  # as balls they would leave no room
        without.append((left, "the first column counts the tubes"))
    if above and beside and _are_names(rows[0][1:], inside) and _are_names([row[0] for row in rows[1:]], inside):
        without.append((inside, "the first row and column have names"))
    if beside and table.lines and begin_with_their_numbers(rows):
        without.append((left, "each line begins with its number of balls"))
    yield from without
    yield rows, "" if without else None


def _are_names(cells: Sequence[Cell], others: Sequence[Sequence[Cell]]) -> bool:
    """Whether cells may be names: they are words, and differ from one another and from all others."""
    names = set(map(word_of, cells))
    worded = len(names) == len(cells) and all(cell is not BLANK and _NAME.fullmatch(str(cell)) for cell in cells)
    return worded and not any(word_of(cell) in names for row in others for cell in row)
