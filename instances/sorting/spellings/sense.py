"""The board that was meant, or a question: all readings of a text are judged alike."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from bsp_sat.instances.choices import ReadingChoices, Way
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.spellings.candidates import Candidate, Candidates, Make
from bsp_sat.instances.sorting.spellings.names import word_of
from bsp_sat.instances.sorting.spellings.suspicions import NO_ROOM
from bsp_sat.instances.sorting.spellings.table import Pack, ParsedBoard
from bsp_sat.instances.text.words import quantity

SURE = 3.0
"""The most that may speak against a reading that is taken without a question."""

MARGIN = 1.9
"""By how much the others have to be less likely. With 0 boards are read wrong; with 2.5 far more are asked about."""

MOST_READINGS = 3
"""In a question."""

USUAL_EMPTY = (2, 1)
"""Numbers of empty tubes that a question offers for a board that has none."""

SKIPPED = 0.8
"""What it costs a pack that some of its boards can't be read."""


@dataclass(frozen=True)
class Whole:
    """All boards of a text, read in one way.

    ``cost`` is how unlikely it is that they were meant, ``refused`` what can't be read, and ``option`` what may pick
    this reading, beside what the user has said: fields of `ReadingChoices`.
    """

    boards: tuple[Candidate, ...]
    cost: float
    refused: tuple[BoardError, ...] = ()
    option: Mapping[str, Any] = field(default_factory=dict)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What speaks against its boards, each once."""
        return tuple(dict.fromkeys(doubt for board in self.boards for doubt in board.doubts))

    @property
    def is_full(self) -> bool:
        """Whether the tubes of the text have no room."""
        return all(len(board.parsed.balls) == board.parsed.capacity * len(board.parsed.full) for board in self.boards)

    @property
    def ways(self) -> set[Way]:
        """Whether its tubes are in rows or in columns."""
        return {board.parsed.way for board in self.boards}

    def words(self, at: int) -> str:
        """What the board at a place is, counted from 0, and of how many it is one."""
        which = "the first" if at == 0 else f"number {at + 1}"
        several = f"{quantity(len(self.boards), 'board')}, {which}: " if len(self.boards) > 1 else ""
        return several + self.boards[at].words()

    def is_the_same_as(self, other: "Whole") -> bool:
        """Whether it has the same boards."""
        return [each.puzzle for each in self.boards] == [each.puzzle for each in other.boards]

    def stands_across(self, other: "Whole") -> bool:
        """Whether lines show room above balls in both readings, in rows and in columns: then only habits differ."""
        boards = [board.parsed for board in (*self.boards, *other.boards)]
        return self.ways != other.ways and all(board.is_partial and board.table.lines for board in boards)

    def is_upside_down(self, other: "Whole") -> bool:
        """Whether it differs only in which end is the top."""
        return len(self.boards) == len(other.boards) and all(
            mine.parsed.capacity == theirs.parsed.capacity
            and mine.parsed.tubes == [tube[::-1] for tube in theirs.parsed.tubes]
            for mine, theirs in zip(self.boards, other.boards, strict=True)
        )


@dataclass(frozen=True)
class Verdict:
    """What a text is taken for: the likeliest readings, the likeliest first, and a question if that isn't clear.

    ``other_end`` has the same boards with the other end on top, if nothing shows which end it is.
    """

    readings: tuple[Whole, ...]
    other_end: Whole | None = None
    question: str = ""

    @property
    def sure(self) -> bool:
        """Whether the first reading is to be taken."""
        return not self.question


def judge(packs: Sequence[Pack], make: Make, choices: ReadingChoices) -> Verdict:
    """Judges all ways to see boards in a text. Raises BoardError if there is no board in any."""
    unique, refusals = _different(packs, make, choices)
    if choices.tubes_in is not None:
        kept = [each for each in unique if each.ways == {choices.tubes_in}]
        if not kept:  # then the user knows better than the layout
            forced = [[replace(table, ways=choices.tubes_in) for table in pack] for pack in packs]
            kept, refusals = _different(forced, make, choices)
        unique = kept
    if not unique:
        raise _refusal(refusals)
    verdict = _taken(unique)
    if verdict.sure:
        return verdict
    question, readings = verdict.question, [*verdict.readings]
    lacking = {board.parsed.table.place for board in readings[0].boards if NO_ROOM in board.doubts}
    if all(NO_ROOM in board.doubts for board in readings[0].boards) and choices.empty is None:
        question = f"{NO_ROOM}: how many empty tubes are there"
        with_room = [each for each in readings if not each.is_full]
        words = {*chain(*(_words_of_whole_tubes(board) for board in readings[0].boards))} if not choices.room else ()
        as_room = [
            replace(each, option={"room": (word,)})
            for word in sorted(words)
            for each in _different(packs, make, choices._replace(room=(word,)))[0][:1]
        ]
        added = [*chain(*(_with_empty(number, packs, make, choices) for number in (*USUAL_EMPTY, 0)))]
        for way in {*chain(*(each.ways for each in unique))} - {*chain(*(each.ways for each in added))}:
            added += _with_empty(USUAL_EMPTY[0], packs, make, choices._replace(tubes_in=way))
        readings = [*added, *as_room, *with_room]
    elif lacking and choices.empty is None:  # of a pack some boards
        question = f"{NO_ROOM}: how many empty tubes are there"
        filled = (judge(_lacking(packs, lacking, number), make, choices) for number in USUAL_EMPTY)
        readings = [*(replace(verdict.readings[0], option={}) for verdict in filled), readings[0]]
    elif len({frozenset(each.ways) for each in readings}) == len(readings) > 1:
        readings = [replace(each, option={"tubes_in": next(iter(each.ways))}) for each in readings]
    return Verdict(tuple(readings), question=question)


def _different(
    packs: Sequence[Pack], make: Make, choices: ReadingChoices
) -> tuple[list[Whole], list[tuple[str, BoardError]]]:
    """All readings that differ, the likeliest first, and why others were refused."""
    wholes: list[Whole] = []
    refusals: list[tuple[str, BoardError]] = []
    for pack in packs:
        if pack:
            tried = [Candidates(table, make, choices) for table in pack]
            wholes += _wholes(tried)
            refusals += [(way, error.within(each.table.place)) for each in tried for way, error in each.refusals]
    unique: list[Whole] = []
    for whole in sorted(wholes, key=lambda each: each.cost):
        if not any(whole.is_the_same_as(other) for other in unique[:50]):
            unique.append(whole)
    return unique, refusals


def _taken(unique: Sequence[Whole]) -> Verdict:
    """Which of different readings, the likeliest first, is taken or which are asked about."""
    best = unique[0]
    turned = next((each for each in unique[1:] if each.is_upside_down(best)), None)
    unknown_end = turned is not None and not any(each.is_end_known for each in best.boards)
    if turned is not None and any(each.makes_the_moves for each in best.boards):
        unknown_end &= all(each.makes_the_moves for each in turned.boards)
    others = [each for each in unique[1:] if not each.is_upside_down(best)]
    rivals = [each for each in others if each.cost < best.cost + MARGIN * (2 if each.stands_across(best) else 1)]
    if not best.refused:  # then those that leave boards out weren't meant
        rivals = [each for each in rivals if not each.refused]
    rivals = [each for place, each in enumerate(rivals) if not any(map(each.is_upside_down, rivals[:place]))]
    if best.cost <= SURE and not rivals:
        return Verdict((best,), turned if unknown_end else None)
    likely = [each for each in others if each.cost <= best.cost + 2 * MARGIN]
    readings = [best, *(rivals or likely)][:MOST_READINGS]
    doubts = f" ({'; '.join(best.doubts)})" if best.doubts else ""
    return Verdict(tuple(readings), question=f"it isn't clear which board this is{doubts}")


def _words_of_whole_tubes(board: Candidate) -> set[str]:
    """Colours that lie nowhere but in tubes full of them: in a board without room they may be room."""
    tubes = [{*map(str, tube)} for tube in board.parsed.tubes]
    alone = {word for words in tubes if len(words) == 1 for word in words}
    return alone if len(alone) == 1 and all(words == alone or words.isdisjoint(alone) for words in tubes) else set()


def _lacking(packs: Sequence[Pack], places: Collection[str], number: int) -> list[Pack]:
    """Packs in which the boards at some places have that many empty tubes."""
    return [
        [replace(each, said=replace(each.said, empty=number)) if each.place in places else each for each in pack]
        for pack in packs
    ]


def _with_empty(number: int, packs: Sequence[Pack], make: Make, choices: ReadingChoices) -> list[Whole]:
    """The readings in which the text has no room, with that many empty tubes."""
    readings = judge(packs, make, choices._replace(empty=number)).readings
    option = {"empty": number, "tubes_in": choices.tubes_in}
    return [replace(each, option=option) for each in readings if each.is_full]


def _wholes(tried: Sequence[Candidates]) -> list[Whole]:
    """The readings of a pack: all boards follow one convention where they can."""
    if len(tried) == 1:
        return [Whole((candidate,), candidate.cost) for candidate in tried[0].found]
    good = [each for each in tried if each.found]
    if 2 * len(good) <= len(tried):
        return []
    refused = [_refusal(each.refusals, each.table.place) for each in tried if not each.found]
    seen = [{word_of(cell) for row in each.table.rows for cell in row} for each in good]
    rooms = {candidate.parsed.room for each in good for candidate in each.found}
    packs: dict[object, list[Candidate]] = {}
    for room in {frozenset().union(*rooms), *rooms}:
        for each, words in zip(good, seen, strict=True):
            fitting = [candidate for candidate in each.found if candidate.parsed.room == room & words]
            for convention, best in {each.convention: each for each in reversed(fitting)}.items():
                packs.setdefault((convention, room), []).append(best)
    found = [whole for boards in packs.values() if len(boards) == len(good) for whole in _of_a_pack(boards, refused)]
    if not found:
        mixed = _of_a_pack([each.found[0] for each in good], refused)
        found = [replace(whole, cost=whole.cost + 2) for whole in mixed]
    return found


def _of_a_pack(boards: Sequence[Candidate], refused: Sequence[BoardError]) -> list[Whole]:
    """All boards of a pack; and the others without a few that are doubtful by themselves, which are refused.

    What is said against a board weighs no more than in any other: a word may be plainly room in only one of them.
    """
    least: dict[str, float] = {}
    for board in boards:
        least |= {doubt: min(weight, least.get(doubt, weight)) for doubt, weight in board.weights.items()}
    boards = [replace(board, weights={doubt: least[doubt] for doubt in board.weights}) for board in boards]
    sure = [board for board in boards if board.cost <= SURE + SKIPPED]
    costs = [board.cost for board in boards]
    cost = sum(costs) / len(costs) if len(sure) == len(boards) else max(costs)  # none hides behind the others
    everything = Whole(tuple(boards), cost + SKIPPED * bool(refused), tuple(refused))
    if len(boards) == 2 and boards[1].puzzle.is_goal() and not boards[0].puzzle.is_goal():  # it may be what is wanted
        return [Whole((boards[0],), boards[0].cost), everything]
    if len(boards) == 2 and _may_be_one(*(board.parsed for board in boards)):
        return [everything, Whole((boards[0],), everything.cost)]
    if len(sure) == len(boards) or 2 * len(sure) <= len(boards) or len(sure) < 2:
        return [everything]
    odd = [board for board in boards if board.cost > SURE + SKIPPED]
    doubtful = [
        BoardError(each.parsed.table.place, f"this board is doubtful: {'; '.join(each.doubts)}") for each in odd
    ]
    others = Whole(tuple(sure), sum(board.cost for board in sure) / len(sure) + SKIPPED, (*refused, *doubtful))
    return [others, everything]


def _may_be_one(first: ParsedBoard, second: ParsedBoard) -> bool:
    """Whether two boards under names that don't count them have the same balls: they may be one, before and after."""
    counted = any(each.table.lines or each.table.place[-1:].isdigit() for each in (first, second))
    return not counted and first.counts == second.counts and len(first.tubes) == len(second.tubes)


def _refusal(refusals: Sequence[tuple[str, BoardError]], place: str = "") -> BoardError:
    """The error to show, if nothing fits: for rows and columns, if they differ."""
    first: dict[str, BoardError] = {}
    for way, error in refusals:
        first.setdefault(way, error)
    if not first:
        return BoardError(place, "expected a board, found no tubes")
    if len(set(map(str, first.values()))) == 1:
        return next(iter(first.values())).within(place)
    both = "; ".join(f"with tubes in {way}, {error}" for way, error in first.items())
    return BoardError(place, f"{both}; tiles are read with --puzzle tiles")
