"""From a verdict to boards, or to a question."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from bsp_sat.instances.choices import Reading, ReadingChoices
from bsp_sat.instances.errors import AmbiguousBoard, BoardError
from bsp_sat.instances.instance import Boards, Instance
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting.spellings.candidates import CHECKED, Candidate
from bsp_sat.instances.sorting.spellings.names import rule_in_words, unused_keys
from bsp_sat.instances.sorting.spellings.sense import Verdict, Whole
from bsp_sat.instances.text.words import short

ONE_RULE = "this key sounds like a rule that isn't known here; without it"
SEVERAL_RULES = "these keys sound like rules that aren't known here; without them"


Read = Callable[[ReadingChoices], Verdict]
"""What a text is taken for with other choices."""


def answer(verdict: Verdict, choices: ReadingChoices, read: Read) -> Boards:
    """The boards that are meant. Raises AmbiguousBoard where that isn't sure, and the user hasn't decided."""
    readings, number = verdict.readings, choices.read_as
    if number is not None:
        if not 1 <= number <= len(readings):
            raise BoardError("", f"expected a reading from 1 to {len(readings)}, found {number}")
        readings = readings[number - 1 : number]
    best = readings[0]
    rules = _rules(best)
    question = verdict.question if number is None else ""
    if rules and not choices.ignore_unknown:
        question = f"{', '.join(map(rule_in_words, rules))}: {ONE_RULE if len(rules) == 1 else SEVERAL_RULES}"
    if question:
        offered = [_reading(each, place, verdict, choices, read) for place, each in enumerate(readings, start=1)]
        at = offered[0].differs_at(offered[1:])
        named = [each._replace(words=whole.words(at)) for each, whole in zip(offered, readings, strict=True)]
        boards = [board for whole in readings for board in whole.boards]
        doubtful = (board.parsed.table.place for board in boards if board.doubts or board.parsed.table.said.rules)
        raise AmbiguousBoard(next(doubtful, "") if len(best.boards) > 1 else "", question, named)
    return Boards(_instances(best, verdict), best.refused)


def _rules(whole: Whole) -> list[str]:
    """Keys that sound like rules and aren't known."""
    return list(dict.fromkeys(rule for board in whole.boards for rule in board.parsed.table.said.rules))


def _reading(whole: Whole, place: int, verdict: Verdict, choices: ReadingChoices, read: Read) -> Reading:
    """A reading that is offered, with choices that read the text so without another question.

    They are its option, if that was tried and does it, or else its place.
    """
    rules = _rules(whole)
    said = choices._replace(ignore_unknown=choices.ignore_unknown or bool(rules))
    if not verdict.sure and choices.read_as is None:
        picking: Mapping[str, Any] = {"read_as": place}
        with suppress(BoardError):
            found = read(choices._replace(**whole.option)) if whole.option and not whole.refused else verdict
            if found.sure and found.readings[0].is_the_same_as(whole):
                picking = whole.option
        said = said._replace(**picking)
    doubts = [f"{short(rule)} sounds like a rule that isn't known here" for rule in rules]
    return Reading(tuple(_instances(whole, verdict)), whole.words(0), (*doubts, *whole.doubts), said)


def _instances(whole: Whole, verdict: Verdict) -> list[Instance]:
    turned = verdict.other_end.boards if verdict.other_end else [None] * len(whole.boards)
    return [*map(_instance, whole.boards, turned)]


def _instance(board: Candidate, turned: Candidate | None = None) -> Instance:
    parsed, puzzle = board.parsed, board.puzzle
    known = puzzle.fields_type.position_keys()
    others = {key: value for key, value in parsed.table.said.about.items() if key not in known}
    about = {key: value for key, value in others.items() if key not in CHECKED or _is_valid(puzzle, key, value)}
    read_as = "" if board.is_own else f"Read as {puzzle.kind.replace('-', ' ')}: {board.words()}."
    other_end = None if turned is None or turned.puzzle == puzzle else _instance(turned)
    return Instance(puzzle, about, read_as, parsed.table.place, unused_keys(about), other_end, parsed.top_first)


def _is_valid(puzzle: AnyPuzzle, key: str, value: Any) -> bool:
    """Whether the project's own form takes a value for a key. In other forms the key may mean anything."""
    try:
        type(puzzle).from_json({**puzzle.to_json(), key: value})
    except BoardError:
        return False
    return True
