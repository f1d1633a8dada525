"""Boards in files, as JSON or text, with metadata."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bsp_sat.instances.choices import NO_CHOICES, ReadingChoices
from bsp_sat.instances.errors import BoardError, NotJson, PlanError, printable
from bsp_sat.instances.plan import Plan, extra_tubes_of
from bsp_sat.instances.puzzle import READ_AS, AnyPuzzle, Puzzle
from bsp_sat.instances.registry import DEFAULT_PUZZLE, PUZZLES
from bsp_sat.instances.text import literals
from bsp_sat.instances.text.reading import as_json, in_words, parse_json, read_text
from bsp_sat.instances.text.words import did_you_mean, quantity, short

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ATLAS = "atlas-1"
"""A shipped file of many boards with proved answers, for comparisons (docs/campaigns.md)."""

Answer = int | str
"""A known answer: a number of moves, ``"unsolvable"`` or ``"unknown"``."""


_BEGINS_COVERED = re.compile(r"\s*\[[^][\s,\"']+\][^][\s,]")
"""A first tube in letters whose lowest balls are covered, as in ``[r]?yb``: no list goes on like that."""


@dataclass(frozen=True)
class Instance:
    """A board with the metadata of its file.

    Attributes:
        puzzle: the position to solve.
        about: all keys of the file that aren't part of the position, in order: ``name``, ``source``, ``optimal`` and
            any others. Never used to solve.
        read_as: a sentence that says what the file was taken for; empty if it is in the project's own format.
        place: where the board stands, such as ``levels.jsonl:3``; its name if it has no other.
        unused: keys beside the board that weren't used, and aren't known to be about it.
        other_end: the board with the other end of each tube as its top, if nothing in the text says which it is.
    """

    puzzle: AnyPuzzle
    about: Mapping[str, Any] = field(default_factory=dict)
    read_as: str = field(default="", compare=False)
    place: str = field(default="", compare=False)
    unused: tuple[str, ...] = field(default=(), compare=False)
    other_end: AnyPuzzle | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The board's name; or its place, or its kind, if it has none."""
        return str(self.about.get("name") or self.place or self.puzzle.kind)

    @property
    def known_answer(self) -> Answer | None:
        """The optimum that the file gives for this kind of puzzle."""
        optimal = self.about.get("optimal")
        answer = optimal.get(self.puzzle.kind) if isinstance(optimal, dict) else optimal
        return answer if isinstance(answer, int | str) else None

    def contradicted(self, length: int | None, lower_bound: int | None) -> str | None:
        """How what was proved of the board contradicts the file, in a sentence; None if it doesn't.

        Args:
            length: moves of a plan; None without one.
            lower_bound: the fewest moves that any plan has; None if there is no plan.
        """
        claim = self.known_answer
        proved = None
        if isinstance(claim, int) and lower_bound is None:
            proved = "no plan exists"
        elif length is not None and (claim == "unsolvable" or (isinstance(claim, int) and claim > length)):
            proved = f"there is a plan of {quantity(length, 'move')}"
        elif isinstance(claim, int) and lower_bound is not None and claim < lower_bound:
            proved = f"every plan has at least {quantity(lower_bound, 'move')}"
        return proved and f'the file says "optimal": {as_json(claim)}, but {proved}'

    @property
    def contents(self) -> AnyPuzzle:
        """The position with the hidden cells filled in from the file's ``contents``."""
        if "contents" not in self.about:
            return self.puzzle
        fields = self.puzzle.to_json()
        fields.pop("hidden", None)
        return type(self.puzzle).from_json({**fields, "tubes": self.about["contents"]})

    def __str__(self) -> str:
        """Name and size, and the position drawn as text."""
        return f"{printable(self.name)}: {self.puzzle.summary()}\n\n{self.puzzle}"

    def _repr_svg_(self) -> str | None:
        """The position's drawing, for notebooks."""
        return self.puzzle._repr_svg_()

    def to_json(self) -> dict[str, Any]:
        """The board as a JSON object; `parse_instances` reads it back."""
        return {**self.about, **self.puzzle.to_json()}


LIKENESS = 0.75
"""Of an unknown key that may be misspelt: `gaol` is one, and `grade` or `level` is not."""


def misspelt(puzzle: type[AnyPuzzle], key: str) -> str:
    """A sentence about an unknown key that is nearly one that would change the board; empty of any other."""
    fields = puzzle.fields_type
    suggestion = "" if hasattr(fields, key) else did_you_mean(key, sorted(fields.position_keys()), LIKENESS)
    return suggestion and f"Unknown key {printable(key)}{suggestion}"


Board = AnyPuzzle | Instance
"""A board with or without its metadata, as the public functions take it."""


def position_of(board: Board) -> AnyPuzzle:
    """The position to solve."""
    position = board.puzzle if isinstance(board, Instance) else board
    if not isinstance(position, Puzzle):
        raise TypeError(f'expected a board, such as load("level-80"), found {short(repr(position))}')
    return position


def parse_instances(
    text: str, where: str = "", puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES
) -> list[Instance]:
    """Parses all boards of a text in any spelling (docs/formats.md lists them).

    Args:
        text: the contents of a file.
        where: the file's name, for messages.
        puzzle: the kind of puzzle, overriding the text.
        choices: what the user says beforehand.

    Raises:
        AmbiguousBoard: it may be several boards, or isn't surely one.
        BoardError: names ``where``, the line if there are several, and the path inside the board.
    """
    try:
        if not text.strip():
            raise BoardError("", "expected a board, found an empty file")
        if text.lstrip()[0] not in "{[" or _BEGINS_COVERED.match(text):
            return _parse_texts(text, puzzle)
        if text.lstrip()[0] == "[":
            return _instances_of(_parse_value(text), puzzle)
        if text.count("\n", 0, len(text.rstrip())) == 0:
            return [instance_of(_parse_value(text), puzzle)]
        return _parse_many(text, puzzle)
    except BoardError as error:
        raise BoardError(": ".join(filter(None, (where, error.where))), error.problem) from None


def _parse_many(text: str, puzzle: str | None) -> list[Instance]:
    """Parses one object over several lines, or JSON Lines, depending on the first line."""
    first, _, _ = text.lstrip().partition("\n")
    try:
        json.loads(first)
    except (RecursionError, ValueError):
        return [instance_of(_parse_value(text), puzzle)]
    instances = []
    # Not splitlines: JSON strings may hold other line separators.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                instances.append(instance_of(parse_json(line, number), puzzle))
            except NotJson:
                raise
            except BoardError as error:
                place = ": ".join(filter(None, (f"line {number}", error.where)))
                raise BoardError(place, error.problem) from None
    return instances


def _instances_of(value: Any, puzzle: str | None) -> list[Instance]:
    """The boards of a list of objects; one board of another list."""
    if not value or not all(isinstance(each, dict) for each in value):
        return [instance_of(value, puzzle)]
    instances = []
    for place, each in enumerate(value):
        try:
            instances.append(instance_of(each, puzzle))
        except BoardError as error:
            raise BoardError(": ".join(filter(None, (f"[{place}]", error.where))), error.problem) from None
    return instances


def _parse_value(text: str) -> Any:
    """The value of a text in JSON or another language; else raises the error of the reader that came further."""
    try:
        return parse_json(text)
    except NotJson as error:
        try:
            return literals.read_literal(text)
        except NotJson as other:
            raise (other if other.place > error.place else error) from None


def _parse_texts(text: str, puzzle: str | None) -> list[Instance]:
    """The boards between blank lines if at least two parts are unsolved boards by themselves; else one board."""
    parts = {} if any(each.recognises(text) for each in PUZZLES.values()) else _parts(text)
    boards: list[Instance] = []
    refusals: list[BoardError] = []
    for number, part in parts.items() if len(parts) > 1 else ():
        try:
            boards.append(_parse_text(part, puzzle))
        except BoardError as error:
            refusals.append(BoardError(f"line {number}", f"blank lines separate boards, and here is none: {error}"))
    if sum(not board.puzzle.is_goal() for board in boards) < 2:
        return [_parse_text(text, puzzle)]
    if refusals:
        raise refusals[0]
    return boards


def _parts(text: str) -> dict[int, str]:
    """What blank lines separate, by number of the first line, without parts that are only comments."""
    parts = {}
    for blank, group in groupby(enumerate(text.splitlines(), start=1), lambda line: not line[1].strip(" ")):
        numbers, lines = zip(*group, strict=True)
        if not blank and not all(line.startswith("#") for line in lines):
            parts[numbers[0]] = "\n".join(lines)
    return parts


def _parse_text(text: str, puzzle: str | None) -> Instance:
    usual = DEFAULT_PUZZLE if puzzle is None else _puzzle(puzzle)
    found = next((each for each in PUZZLES.values() if each.recognises(text)), usual)
    fields = found.fields_of_text(text)
    return _instance(fields, puzzle or fields.get("puzzle", found.kind), fields.get(READ_AS, ""))


def instance_of(value: Any, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES) -> Instance:
    """Makes a board of a JSON object, or of another value that spells one, such as a list of tubes.

    Args:
        value: the object.
        puzzle: the kind of puzzle, overriding the object.
        choices: what the user says beforehand.

    Raises:
        BoardError: names the path inside the object.
    """
    said = value.get("puzzle", DEFAULT_PUZZLE.kind) if isinstance(value, dict) else DEFAULT_PUZZLE.kind
    kind = said if puzzle is None else puzzle
    fields = _puzzle(kind).fields_of_value(value)
    return _instance(fields, kind, "" if fields is value else fields[READ_AS])


def _puzzle(kind: Any) -> type[AnyPuzzle]:
    if not isinstance(kind, str) or kind not in PUZZLES:
        raise BoardError("puzzle", f"expected one of {', '.join(PUZZLES)}, found {as_json(kind)}")
    return PUZZLES[kind]


def _instance(fields: Mapping[str, Any], kind: str, words: str) -> Instance:
    about = {key: each for key, each in fields.items() if key not in PUZZLES[kind].fields_type.position_keys()}
    if words:
        del about[READ_AS]
        words = f"Read as {kind.replace('-', ' ')}: {words}."
    return Instance(PUZZLES[kind].from_json(fields), about, words)


def load_instances(
    source: str | Path, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES
) -> list[Instance]:
    """Reads boards from a path, ``-`` for standard input, the name of a shipped board, or `ATLAS`.

    A file takes precedence over a shipped board of the same name.

    Args:
        source: path, ``-`` or name.
        puzzle: the kind of puzzle, overriding the file.
        choices: what the user says beforehand.

    Raises:
        AmbiguousBoard: it may be several boards, or isn't surely one.
        BoardError: there is no such file or shipped board, or its contents are refused.
    """
    name = str(source)
    try:
        return parse_instances(read_text(name), in_words(name), puzzle, choices)
    except FileNotFoundError:
        known = (*shipped_names(), ATLAS)
        if name not in known:
            problem = "no such file, and no shipped board of that name (`bsp-sat instances` lists them)"
            raise BoardError(name, problem + did_you_mean(name, known)) from None
        return parse_instances(shipped_text(name), name, puzzle)


def load(source: str | Path, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES) -> AnyPuzzle:
    """Reads one board, as the position to solve.

    Raises:
        BoardError: see `load_instances`; or the source holds several boards.
    """
    return load_instance(source, puzzle, choices).puzzle


def load_instance(source: str | Path, puzzle: str | None = None, choices: ReadingChoices = NO_CHOICES) -> Instance:
    """Reads one board with the metadata of its file.

    Raises:
        BoardError: see `load_instances`; or the source holds several boards.
    """
    return one_of(load_instances(source, puzzle, choices), str(source))


def one_of(instances: Sequence[Instance], where: str) -> Instance:
    """The only instance; ``where`` names them in the BoardError if there are several."""
    if len(instances) != 1:
        raise BoardError(where, f"expected one board, found {len(instances)}")
    return instances[0]


def load_shipped(name: str) -> Instance:
    """Reads the shipped board ``name``, ignoring files of that name."""
    (instance,) = parse_instances(shipped_text(name), name)
    return instance


def load_plan(puzzle: AnyPuzzle, source: str | Path) -> Plan:
    """Reads a plan for ``puzzle`` from a path or ``-`` for standard input; see `Plan.from_text`.

    Raises:
        PlanError: there is no such file, or its contents are refused.
    """
    return load_plan_and_tubes(puzzle, source)[0]


def load_plan_and_tubes(puzzle: AnyPuzzle, source: str | Path) -> tuple[Plan, int]:
    """Like `load_plan`, and how many empty tubes the file says were added to the board; see `extra_tubes_of`."""
    name = str(source)
    try:
        text = read_text(name)
    except FileNotFoundError:
        raise PlanError(f"{name}: no such file") from None
    except BoardError as error:
        raise PlanError(str(error)) from None
    try:
        return Plan.from_text(puzzle, text), extra_tubes_of(text)
    except PlanError as error:
        raise PlanError(f"{in_words(name)}: {error}") from None


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
    return tuple(
        sorted(entry.name.removesuffix(".json") for entry in _folder().iterdir() if entry.name.endswith(".json"))
    )


def shipped_text(name: str) -> str:
    """The file of the shipped board ``name``, or of the atlas."""
    return (_folder() / f"{name}.{'jsonl' if name == ATLAS else 'json'}").read_text(encoding="utf-8")
