"""Boards in files, as JSON or text, with metadata."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bsp_sat.instances.choices import NO_CHOICES, ReadingChoices
from bsp_sat.instances.errors import AmbiguousBoard, BoardError, NotJson, PlanError, printable
from bsp_sat.instances.instance import Boards as Boards
from bsp_sat.instances.instance import Instance as Instance
from bsp_sat.instances.instance import KnownAnswer as KnownAnswer
from bsp_sat.instances.plan import Plan, extra_tubes_of
from bsp_sat.instances.puzzle import READ_AS, AnyPuzzle, Puzzle
from bsp_sat.instances.registry import DEFAULT_PUZZLE, PUZZLES, SORT_PUZZLES
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.sorting.spellings.exact import capacity_shown, is_unsuspicious, tubes_in_words
from bsp_sat.instances.sorting.spellings.names import kind_named, unused_keys
from bsp_sat.instances.text.reading import as_json, check_number, in_words, parse_json, read_text
from bsp_sat.instances.text.values import Item, plain_value
from bsp_sat.instances.text.words import did_you_mean

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ATLAS = "atlas-1"
"""A shipped file of many boards with proved answers, for comparisons (docs/campaigns.md)."""

NONE_MISSING = ReadingChoices(empty=0)

_ENDING = re.compile(r"^[^\s|]+\.(jsonl?|txt|csv|tsv|ya?ml|toml|py|png|jpe?g|webp)(#\S+)?$", re.IGNORECASE)
"""The names of files that hold boards, whether there are such files or not."""

LIKENESS = 0.75
"""Of an unknown key that may be misspelt: `gaol` is one, and `grade` or `level` is not."""


def misspelt(puzzle: type[AnyPuzzle], key: str) -> str:
    """A sentence about an unknown key that is nearly one that would change the board; empty of any other."""
    fields = puzzle.fields_type
    suggestion = "" if hasattr(fields, key) else did_you_mean(key, sorted(fields.position_keys()), LIKENESS)
    return suggestion and f"Unknown key {printable(key)}{suggestion}"


Board = AnyPuzzle | Instance | str | Sequence[Any] | Mapping[str, Any]
"""A board with or without its metadata, or what `board` makes one of, as the public functions take it."""


def position_of(given: Board) -> AnyPuzzle:
    """The position to solve; raises as `board` does."""
    return given if isinstance(given, Puzzle) else board(given)


def parse_instances(
    text: str, where: str = "", puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES
) -> list[Instance]:
    """Parses all boards of a text in any spelling (docs/formats.md lists them).

    ``puzzle`` overrides the kind of puzzle in the text, and messages call it ``where``. Raises AmbiguousBoard where it
    may be several boards or none, and BoardError with ``where``, the line if there are several, and the path inside the
    board.
    """
    return _all(parse_boards(text, where, puzzle, choices), choices)


def _all(boards: Boards, choices: ReadingChoices) -> list[Instance]:
    """The boards; those that can't be read are an error, unless the user has picked a reading without them."""
    if boards.refused and choices.read_as is None:
        raise boards.refused[0]
    return boards.instances


def parse_boards(text: str, where: str = "", puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES) -> Boards:
    """Like `parse_instances`, but if most boards of a pack can be read, those that can't are no error."""
    try:
        instances, refused = _parsed(text, _Reader(puzzle, choices))
    except BoardError as error:
        raise error.within(where) from None
    if not where:
        return Boards(instances, tuple(refused))
    several = len(instances) > 1 or bool(refused)
    name = "" if where == in_words("-") and not several else Path(where).name
    placed = [replace(each, place=f"{name}:{each.place}" if several else name) for each in instances]
    return Boards(placed, tuple(each.within(where) for each in refused))


def instance_of(value: Any, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES) -> Instance:
    """Makes a board of a JSON object, or another value such as a list of tubes; raises as `board` does."""
    return one_of(_Reader(puzzle, choices).of_values([Item(1, value)]).instances, "")


def _parsed(text: str, reader: "_Reader") -> Boards:
    if not text.strip():
        raise BoardError("", "expected a board, found nothing")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise BoardError(f"line {line}", f"expected text, found {text[error.start]!a}, which is no character") from None
    items, place = _json_items(text)
    return reader.of_values(items, place, text) if items else reader.of_text(text)


def _json_items(text: str) -> tuple[list[Item], str]:
    """The boards of a text in JSON, its value or those of its lines or list, and how places name them; else none."""
    begins = text.lstrip()[0]
    if begins not in ("{", "["):
        return [], ""
    first, _, rest = text.lstrip().partition("\n")
    if begins == "{" and rest.strip():
        with suppress(RecursionError, ValueError):
            json.loads(first)
            from bsp_sat.instances.text.documents import json_lines

            return json_lines(text), "line {}"
    try:
        value = parse_json(text)
    except NotJson:
        return [], ""
    if begins == "{":
        return [Item(1, value)], ""
    said = [isinstance(each, dict) and not {"puzzle", "tubes", "capacity"}.isdisjoint(each) for each in value]
    return ([*starmap(Item, enumerate(value))], "[{}]") if said and all(said) else ([], "")


class _Reader(NamedTuple):
    """Makes instances of values and texts: of a kind of puzzle, if one is asked for, with what the user says."""

    puzzle: str | None
    choices: ReadingChoices

    def of_values(self, items: Sequence[Item], place: str = "", text: str = "") -> Boards:
        """The boards of JSON values, each with its line, which messages name as ``place`` does."""
        if not self._is_of_tubes():
            kind = _puzzle(self.puzzle)
            return Boards([_instance(kind.fields_of_value(item.value), kind.kind) for item in items])
        check_number(len(items))
        own = self._of_own_form(items, place) if self.choices.read_as in (None, 1) else None
        if own is not None:
            return own
        if text and len(items) == 1:
            return self.of_text(text)
        from bsp_sat.instances.sorting.spellings.meant import boards_in_values  # most boards are in the own form

        try:
            boards = boards_in_values(items, self._position, self.choices)
        except BoardError as error:
            raise _placed(error, place) from None
        return boards._replace(refused=tuple(_placed(each, place) for each in boards.refused))

    def _of_own_form(self, items: Sequence[Item], place: str) -> Boards | None:
        """The boards, if all are plainly in the project's own form: then no other reading need be looked at."""
        read: list[Instance] = []
        faults: list[BoardError] = []
        for line, value in items:
            try:
                exact = self._exact(value, str(line) if len(items) > 1 else "")
            except BoardError as error:
                faults.append(error.within(place.format(line)))
                continue
            if exact is None:
                return None
            read.append(exact)
        if len(faults) >= len(read):
            raise faults[0]
        return Boards(read, tuple(faults))

    def of_text(self, text: str) -> Boards:
        """The boards of a text."""
        kinds = PUZZLES.values() if self.puzzle is None or not self._is_of_tubes() else ()
        other = next((each for each in kinds if each.recognises(text)), None)
        if other is None and not self._is_of_tubes():
            other = _puzzle(self.puzzle)
        if other is not None:
            return Boards([_instance(other.fields_of_text(text), self.puzzle or other.kind)])
        from bsp_sat.instances.sorting.spellings.meant import boards_in_text  # most boards are in the own form

        return boards_in_text(text, self._position, self.choices)

    def _exact(self, value: Any, place: str) -> Instance | None:
        if not isinstance(value, dict):
            return None
        said = value.get("puzzle", DEFAULT_PUZZLE.kind)
        kind = said if self.puzzle is None else self.puzzle
        if not isinstance(kind, str) or kind not in PUZZLES:
            if isinstance(said, str) and not kind_named(said) and not re.search(r"[,;|/\n]", said):
                _puzzle(kind)
            return None
        if kind not in SORT_PUZZLES:
            return replace(_instance(PUZZLES[kind].fields_of_value(value), kind), place=place)
        said_of_all = self.choices._replace(read_as=None, ignore_unknown=False)
        if said_of_all not in (NO_CHOICES, NONE_MISSING) or "tubes" not in value:
            return None
        if not isinstance(value["tubes"], list):
            if not any(isinstance(each, list | dict | str) for key, each in value.items() if key != "puzzle"):
                PUZZLES[kind].fields_type.read(value, kind)
            return None
        shown = None
        if "capacity" not in value:
            if (shown := capacity_shown(value)) is None:
                return None
            value = {**value, "capacity": shown}
        try:
            instance = _instance(value, kind)
        except BoardError:  # it may be in another form all the same
            if "puzzle" in value:
                PUZZLES[kind].fields_type.read({**value, "tubes": []}, kind)
            return None
        if isinstance(instance.puzzle, SortPuzzle) and not is_unsuspicious(instance.puzzle, value):
            return None
        if "puzzle" in value:  # nothing about it is open
            return Instance(instance.puzzle, instance.about, place=place)
        turned = None if "order" in value else instance.puzzle.misreading()
        name, size = kind.replace("-", " "), value["capacity"]
        said = [f"Read as {name}: {tubes_in_words(value['tubes'], size, top_first=end)}." for end in (False, True)]
        other_end = turned and replace(instance, puzzle=turned[1], read_as=said[True], top_first=True)
        return replace(instance, read_as="" if shown is None else said[False], place=place, other_end=other_end)

    def _is_of_tubes(self) -> bool:
        return self.puzzle is None or _puzzle(self.puzzle).kind in SORT_PUZZLES

    def _position(self, fields: Mapping[str, Any], said: str) -> AnyPuzzle:
        return PUZZLES[self.puzzle or said or DEFAULT_PUZZLE.kind].from_json(fields)


def _placed(error: BoardError, place: str) -> BoardError:
    """An error, in whose place messages name the number at the beginning so."""
    number = re.match(r"(\d+)(?:[: ]+|$)", error.where) if place else None
    if number is None:
        return error
    error.where = error.where[number.end() :]
    return error.within(place.format(number[1]))


def _puzzle(kind: Any) -> type[AnyPuzzle]:
    if not isinstance(kind, str) or kind not in PUZZLES:
        raise BoardError("puzzle", f"expected one of {', '.join(PUZZLES)}, found {as_json(kind)}")
    return PUZZLES[kind]


def _instance(fields: Mapping[str, Any], kind: str) -> Instance:
    known = PUZZLES[kind].fields_type.position_keys()
    about = {key: each for key, each in fields.items() if key not in known}
    words = about.pop(READ_AS, "") if kind not in SORT_PUZZLES else ""
    read_as = f"Read as {kind.replace('-', ' ')}: {words}." if words else ""
    return Instance(PUZZLES[kind].from_json(fields), about, read_as, unused=unused_keys(about))


def load_boards(
    source: str | Path,
    puzzle: str | None = None,
    choices: ReadingChoices = NO_CHOICES,
    of_pack: Callable[[list[Instance]], list[Instance]] = list,
) -> Boards:
    """Like `load_instances`, but if most boards of a pack can be read, those that can't are no error.

    Of all boards of a pack, ``of_pack`` makes what is taken for them, also where only one is asked for.
    """
    name = str(source)

    def parsed(text: str, where: str) -> Boards:
        boards = parse_boards(text, where, puzzle, choices)
        return boards._replace(instances=of_pack(boards.instances))

    if _is_written_out(name):
        return parsed(name, "")
    try:
        return parsed(read_text(name), in_words(name))
    except FileNotFoundError:
        known = (*shipped_names(), ATLAS)
        if name not in known:
            pack, sign, which = name.rpartition("#")
            if sign and pack:
                boards = load_boards(pack, puzzle, choices, of_pack)
                return boards._replace(instances=[_picked(boards.instances, which, name)])
            if {*" ,;"} & {*name}:  # as in RRGB GBGR BGBR + 2 empty
                try:
                    return parsed(name, "")
                except BoardError as error:
                    if isinstance(error, AmbiguousBoard):  # else it was meant as a name
                        raise
            problem = "no such file, and no shipped board of that name (`bsp-sat instances` lists them)"
            beside: list[str] = []
            with suppress(OSError):
                beside = [each.name for each in Path(name).parent.iterdir()]
            as_text = "; a board as text has | between its tubes, or comes on standard input (-)"
            meant = did_you_mean(name, known) or did_you_mean(Path(name).name, beside)
            raise BoardError(name, problem + (meant or as_text)) from None
        return parsed(shipped_text(name), name)


def _picked(instances: Sequence[Instance], which: str, where: str) -> Instance:
    """The board of a pack that has the name ``which``, else the one with this number, from 1."""
    named = [each for each in instances if which in (str(each.about.get("name", "")), each.name)]
    number = int(which) if which.isdecimal() and len(which) < 10 else 0  # far beyond any pack
    if not named and 1 <= number <= len(instances):
        named = [instances[number - 1]]
    if not named:
        expected = f"expected a number from 1 to {len(instances)}, or the name of one of these boards"
        raise BoardError(where, expected + did_you_mean(which, [each.name for each in instances]))
    if len(named) > 1:
        problem = f"{len(named)} boards have this name; pick one by its number, from 1 to {len(instances)}"
        raise BoardError(where, problem)
    return named[0]


def _is_written_out(name: str) -> bool:
    """Whether what should name a file is a board itself: it has a bar, a bracket or several lines, and is no file."""
    if not ("|" in name or "\n" in name or name.lstrip()[:1] in ("[", "{", "(")):
        return False
    try:
        return not Path(name).exists()
    except (OSError, ValueError):
        return True


def load_instances(
    source: str | Path, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES, **said: Any
) -> list[Instance]:
    """Reads boards from a path, ``-`` for standard input, the name of a shipped board, `ATLAS`, or a board itself.

    A file takes precedence over a shipped board of the same name. ``pack.jsonl#7`` is the board of ``pack.jsonl`` with
    the name 7, else the seventh. The file's kind of puzzle gives way to ``puzzle``. What else the user says, if boards
    may be read in several ways, are ``choices``, or such choices by name: ``top_first=True``, ``room=0``. Raises
    AmbiguousBoard where there may be several boards or none, and BoardError where there is no such file or shipped
    board, or its contents are refused.
    """
    choices = _with_said(choices, said)
    return _all(load_boards(source, puzzle, choices), choices)


def load(source: str | Path, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES, **said: Any) -> AnyPuzzle:
    """Reads one board, as the position to solve.

    The source is what `load_instances` takes, or a board as text, ``abba|bcca|cabc|-``; so are the other arguments, and
    the errors. BoardError is raised for several boards too.
    """
    return load_instance(source, puzzle, choices, **said).position


def board(given: Any, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES, **said: Any) -> AnyPuzzle:
    """Makes a position of whatever holds a board. Its `read_as` and `other_end` say how it was read.

    That is a text in any spelling; lists, tuples or other sequences of tubes, also as a numpy array or a data frame; a
    dictionary or a dataclass with the keys of board files; or a board. Colours are strings, whole numbers or members of
    an enumeration. The other arguments are those of `load_instances`. Raises AmbiguousBoard where it may be several
    boards or none, and BoardError where it holds none or several, or is the name of one, which `load` reads.
    """
    choices = _with_said(choices, said)
    if isinstance(given, Puzzle | Instance):
        position = given.position if isinstance(given, Instance) else given
        return position if puzzle in (None, position.kind) else board(position.to_json(), puzzle, choices)
    if isinstance(given, str):
        if _is_name(given):
            raise BoardError("", f"expected a board, found the name of one; load({given!r}) reads it")
        return one_of(parse_instances(given, puzzle=puzzle, choices=choices), "").position
    return instance_of(plain_value(given), puzzle, choices).position


def _with_said(choices: ReadingChoices, said: Mapping[str, Any]) -> ReadingChoices:
    """Choices with others by name; ``room`` may be one word or number."""
    for name in said:
        if name not in choices._fields:
            expected = f"expected {', '.join(choices._fields)}{did_you_mean(name, choices._fields)}"
            raise TypeError(f"unknown choice {name!r}, {expected}")
    room = said.get("room", choices.room)
    words = (room,) if isinstance(room, str | int) else room
    return choices._replace(**{**said, "room": tuple(map(str, words))})


def _is_name(text: str) -> bool:
    """Whether a text is the name of a shipped board or of a file, rather than a board."""
    try:
        return text in shipped_names() or bool(_ENDING.search(text)) or (len(text) > 1 and Path(text).is_file())
    except (OSError, ValueError):  # too long for a name, or with characters that no name has
        return False


def load_instance(
    source: str | Path, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES, **said: Any
) -> Instance:
    """Reads one board with the metadata of its file, as `load_instances` does. Raises BoardError for several boards."""
    return one_of(load_instances(source, puzzle, choices, **said), str(source))


def one_of(instances: Sequence[Instance], where: str) -> Instance:
    """The only instance; ``where`` names them in the BoardError if there are several."""
    if len(instances) != 1:
        which = f"; {where}#1 is the first of them" if where and len(where) < 200 else ""
        raise BoardError(where, f"expected one board, found {len(instances)}{which}")
    return instances[0]


def load_shipped(name: str) -> Instance:
    """Reads the shipped board ``name``, ignoring files of that name."""
    (instance,) = parse_instances(shipped_text(name), name)
    return instance


def load_plan(puzzle: AnyPuzzle, source: str | Path) -> Plan:
    """Reads a plan from a path, or ``-`` for standard input, see `Plan.from_text`; or a PlanError."""
    return load_plan_and_tubes(puzzle, source)[0]


def load_plan_and_tubes(puzzle: AnyPuzzle, source: str | Path) -> tuple[Plan, int]:
    """Like `load_plan`, and how many empty tubes the file says were added to the board; see `extra_tubes_of`."""
    text = plan_text(source)
    return plan_in(puzzle, text, source), extra_tubes_in(text, source)


def _moves_written_out(text: str) -> str:
    """The lines of moves that stand in place of a file's name, such as ``1 4`` or ``1->4, 2->4``; empty of others."""
    if not re.fullmatch(r"[\d\s,;>→-]+", text):
        return ""
    numbers = re.findall(r"\d+", text)
    lines = [" ".join(numbers)] if len(numbers) == 2 else re.split("[,;]", text)
    return "\n".join(lines) if all(len(line.split()) <= 2 for line in lines) or re.search("→|->", text) else ""


def plan_text(source: str | Path) -> str:
    """The text of a plan's file, or of moves that are written in its place; see `load_plan`."""
    try:
        return read_text(str(source))
    except FileNotFoundError:
        if moves := _moves_written_out(str(source)):
            return moves
        raise PlanError(f'{source}: no such file; moves are written "1→4 2→4"') from None
    except BoardError as error:
        raise PlanError(str(error)) from None


def plan_in(puzzle: AnyPuzzle, text: str, source: str | Path) -> Plan:
    """The plan of a file's text; see `Plan.from_text`."""
    try:
        return Plan.from_text(puzzle, text)
    except PlanError as error:
        raise PlanError(f"{in_words(str(source))}: {error}") from None


def extra_tubes_in(text: str, source: str | Path) -> int:
    """How many empty tubes a plan's file says were added to the board; see `extra_tubes_of`."""
    try:
        return extra_tubes_of(text)
    except PlanError as error:
        raise PlanError(f"{in_words(str(source))}: {error}") from None


@cache
def _folder() -> "Traversable":
    folder = Path(__file__).parent / "data"
    if folder.is_dir():
        return folder
    from importlib.resources import files  # slower; for a ZIP archive

    return files(__package__) / "data"


@cache
def shipped_names() -> tuple[str, ...]:
    """The names of the shipped boards, sorted."""
    files = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in files if name.endswith(".json")))


def shipped_text(name: str) -> str:
    """The file of the shipped board ``name``, or of the atlas."""
    return (_folder() / f"{name}.{'jsonl' if name == ATLAS else 'json'}").read_text(encoding="utf-8")
