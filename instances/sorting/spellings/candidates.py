"""All boards that a table may be: tubes in rows or columns, either end on top, any set of words for room."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bsp_sat.instances.choices import ReadingChoices
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting.notation import guess_capacity
from bsp_sat.instances.sorting.spellings.names import MAYBE_ROOM, SURE_ROOM, word_of
from bsp_sat.instances.sorting.spellings.suspicions import SUSPICIONS, ParsedBoard, is_unknown, moves_fit
from bsp_sat.instances.sorting.spellings.table import BLANK, Cell, Table
from bsp_sat.instances.text.reading import as_json
from bsp_sat.instances.text.words import quantity

Make = Callable[[Mapping[str, Any], str], AnyPuzzle]
"""Makes the position of the fields of the JSON format and the kind that a text says; raises a BoardError."""

MOST_MAYBE = 4
"""Words of `MAYBE_ROOM` that are tried together."""

MAX_CELLS = 20_000
"""Balls and empty places of a text that may be one board, and its tubes. Each is looked at some hundred times."""

CHECKED = ("name", "source", "optimal", "contents")
"""Keys about a board whose values are checked."""

DOUBT = 1.0
"""The weight from which on a suspicion is said; lighter ones only decide between readings."""


@dataclass(frozen=True)
class Candidate:
    """A board that a table may be.

    Attributes:
        parsed: how it was seen.
        puzzle: the position.
        weights: what speaks against it, and how much.
    """

    parsed: ParsedBoard
    puzzle: AnyPuzzle
    weights: Mapping[str, float]

    @property
    def cost(self) -> float:
        """How unlikely it is that it was meant."""
        return self.parsed.table.cost + sum(self.weights.values()) - 2 * self.makes_the_moves

    @property
    def doubts(self) -> tuple[str, ...]:
        """What speaks against it, the strongest first."""
        return tuple(
            sorted((each for each in self.weights if self.weights[each] >= DOUBT), key=lambda each: -self.weights[each])
        )

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
        if not parsed.table.own or parsed.way == "columns" or parsed.named is not None or parsed.table.notes:
            return False
        if said.empty or said.count is not None or parsed.top_first != bool(said.top_first):
            return False
        marks = {word_of(cell) for full, tube in parsed.drawn for cell in full[len(tube) :]}
        return marks <= ({".", "_", "-"} if parsed.table.lines else set())

    @property
    def convention(self) -> tuple[str, bool]:
        """What all boards of a pack have in common."""
        return self.parsed.way, self.parsed.top_first

    def words(self) -> str:
        """What the board is, such as ``5 tubes of 4, 2 empty, each from bottom to top; "" is room``."""
        parsed, notes = self.parsed, [*self.parsed.table.notes]
        empty = sum(not tube for tube in parsed.tubes)
        words = f"{quantity(len(parsed.tubes), 'tube')} of {parsed.capacity}" + (f", {empty} empty" if empty else "")
        if parsed.is_padded or any(len(full) == 1 and not tube for full, tube in parsed.drawn):
            seen = {
                cell if cell is BLANK or cell is None else str(cell).strip()
                for full, tube in parsed.drawn
                for cell in full[len(tube) :]
            }
            marks = sorted(as_json(mark) for mark in seen if mark is not BLANK)
            notes += [f"{' and '.join(marks)} {'is' if len(marks) == 1 else 'are'} room"] if marks else []
        if parsed.named:
            notes.append("the first row names the tubes")
        return "; ".join(
            [f"{words}, {END_IN_WORDS[parsed.way, parsed.top_first]}", *([", ".join(notes)] if notes else [])]
        )


END_IN_WORDS = {
    ("rows", False): "each from bottom to top",
    ("rows", True): "each from top to bottom",
    ("columns", True): "in columns, the top row first",
    ("columns", False): "in columns, the bottom row first",
}


class Candidates:
    """All boards that a table may be, and why others were refused."""

    def __init__(self, table: Table, make: Make, choices: ReadingChoices) -> None:
        self.rows = table.rows
        self.place = table.place
        self._make = make
        self._choices = choices
        self._table = self._with_choices(table)
        self.refusals: list[tuple[str, BoardError]] = []
        self.found: list[Candidate] = []
        if max(cells := sum(map(len, table.rows)), len(table.rows)) > MAX_CELLS:
            problem = f"expected at most {MAX_CELLS:,} balls and as many tubes, found {cells:,} and {len(table.rows):,}"
            self.refusals.append(("rows", BoardError("", problem)))
        elif table.rows:
            self.found = sorted(self._all(), key=lambda candidate: candidate.cost)

    def _with_choices(self, table: Table) -> Table:
        said, choices = table.said, self._choices
        if choices.top_first is not None:
            said = replace(said, top_first=choices.top_first)
        if choices.empty is not None:
            said = replace(said, empty=choices.empty)
        return replace(table, said=said)

    def _all(self) -> Iterator[Candidate]:
        table = self._table
        for rows, named in _variants(table):
            for way in ("rows", "columns"):
                square = len(set(map(len, rows))) == 1
                if way == "columns" and table.ways == "columns" and not square:
                    self.refusals.append(
                        (way, BoardError("", "expected rows of one length, as the tubes are in columns"))
                    )
                if table.ways not in (way, "both") or (way == "columns" and not (square and rows[0])):
                    continue
                tubes = [list(column) for column in zip(*rows, strict=True)] if way == "columns" else rows
                for room in self._rooms(rows):
                    for top_first in (way == "columns", way != "columns"):
                        if table.said.top_first in (None, top_first):
                            yield from self._judged(tubes, way, room, top_first=top_first, named=named)

    def _rooms(self, rows: Sequence[Sequence[Cell]]) -> list[frozenset[Cell]]:
        """The sets of words that may be room."""
        seen = {word_of(cell) for row in rows for cell in row}
        blank, null = frozenset({BLANK} & seen), frozenset({None} & seen)
        if meant := self._choices.room:
            return [blank | {None if word == "null" else word_of(word) for word in meant}]
        declared = self._table.own and self._table.said.kind  # the project's own form knows no other words
        null = frozenset() if declared else null
        sure = frozenset(word for word in seen if isinstance(word, str) and word in SURE_ROOM)
        maybe = frozenset(word for word in seen if isinstance(word, str) and word in MAYBE_ROOM and not declared)
        rooms = [blank | sure | null, blank, blank | sure, blank | null]
        rooms += [blank | sure | null | {word} for word in sorted(maybe)]
        rooms += [blank | sure | null | maybe] if 1 < len(maybe) < MOST_MAYBE else []
        return list(dict.fromkeys(rooms))

    def _judged(
        self, tubes: Sequence[list[Cell]], way: str, room: frozenset[Cell], *, top_first: bool, named: bool | None
    ) -> Iterator[Candidate]:
        """The board of these tubes, if it is one."""
        table = self._table
        full = [tube[::-1] if top_first else tube for tube in tubes]
        bare = [_without_room(tube, room) for tube in full]
        for place, tube in enumerate(bare):
            if any(_is_room(cell, room) or (cell is None and not table.null_is_unknown) for cell in tube):
                problem = (
                    f"expected room only at the top, found {as_json([None if c is BLANK else c for c in tubes[place]])}"
                )
                self.refusals.append((way, BoardError(f"tube {place + 1}", f"{problem}; an unknown ball is ?")))
                return
        if not any(bare):
            self.refusals.append((way, BoardError("", "expected a board, found no ball")))
            return
        choices = self._choices
        said_by_user = choices.empty is not None, bool(choices.room)
        for added in self._counted(bare):
            tubes_in_all = [*bare, *([] for _ in range(added))]
            yield from self._weighed(
                ParsedBoard(table, way, room, top_first, full, tubes_in_all, 0, *said_by_user, named)
            )

    def _counted(self, tubes: Sequence[Sequence[Cell]]) -> list[int]:
        """How many empty tubes may be only counted, beside these."""
        said, there = self._table.said, sum(not tube for tube in tubes)
        number = max(0, said.count - len(tubes)) if said.count and not said.empty else said.empty or 0
        if self._choices.empty is not None or not number:
            return [number]
        if there:  # the number may describe the tubes that stand there
            return [0] if there == said.empty else [0, number]
        return [number, number - len(tubes)] if self._table.lines and number > len(tubes) else [number]

    def _weighed(self, parsed: ParsedBoard) -> Iterator[Candidate]:
        """The board of a parsed board, whose capacity isn't known yet, with what speaks against it."""
        said, full, bare = parsed.table.said, parsed.full, parsed.tubes
        capacity = said.capacity or (
            max(map(len, full))
            if parsed.is_padded and (parsed.is_partial or max(map(len, full)) > 1)
            else guess_capacity([[None if is_unknown(ball) else ball for ball in tube] for tube in bare])
        )
        parsed = replace(parsed, capacity=capacity)
        try:
            puzzle = self._make(_fields(parsed), said.kind)
        except BoardError as error:
            self.refusals.append((parsed.way, error))
            return
        weights: dict[str, float] = {}
        for suspicion in SUSPICIONS:
            for word in suspicion.test(parsed):
                doubt = suspicion.sentence.format(as_json(word))
                weights[doubt] = weights.get(doubt, 0) + suspicion.weight
        yield Candidate(parsed, puzzle, weights)


def _fields(parsed: ParsedBoard) -> dict[str, Any]:
    """The fields of the JSON format."""
    tubes = [[None if is_unknown(ball) else _colour(ball) for ball in tube] for tube in parsed.tubes]
    fields = {"capacity": parsed.capacity, **parsed.table.said.fields}
    if parsed.table.own:  # in another form these keys may mean anything
        fields |= {key: value for key, value in parsed.table.said.about.items() if key in CHECKED}
    return {**fields, "tubes": [tube[::-1] for tube in tubes] if parsed.top_first else tubes} | (
        {"order": "top-down"} if parsed.top_first and "order" not in fields else {}
    )


def _colour(ball: Cell) -> Any:
    return str(ball) if isinstance(ball, str) else ball  # a bare name is a plain string


def _variants(table: Table) -> Iterator[tuple[list[list[Cell]], bool | None]]:
    """The rows without names above them, if the first row may be names; and all rows."""
    rows = table.rows
    if table.lines and len(rows) > 2 and len(rows[0]) > 1 and len(set(map(len, rows))) == 1 and BLANK not in rows[0]:
        names = set(map(word_of, rows[0]))
        if len(names) == len(rows[0]) and names.isdisjoint(word_of(cell) for row in rows[1:] for cell in row):
            yield rows[1:], True
            yield rows, False
            return
    yield rows, None


def _is_room(cell: Cell, room: frozenset[Cell]) -> bool:
    return word_of(cell) in room


def _without_room(tube: Sequence[Cell], room: frozenset[Cell]) -> list[Cell]:
    """A tube without the room above its balls."""
    height = len(tube)
    while height and _is_room(tube[height - 1], room):
        height -= 1
    return list(tube[:height])
