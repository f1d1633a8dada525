"""The fields of requests: a board, the moves made on it, options. All of them are checked.

A `BoardError` says of a board or field what was expected, an `IllegalMove` names the first move that breaks a rule, a
`PlanError` an entry that is no move, and `Unsupported` says that there is no such measure, encoding or format.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bsp_sat.backends.limits import MOST
from bsp_sat.instances.choices import ReadingChoices
from bsp_sat.instances.errors import BoardError, IllegalMove
from bsp_sat.instances.files import Instance, instance_of, parse_instances
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.reading import as_json, parse_json
from bsp_sat.instances.text.words import did_you_mean, short
from bsp_sat.instances.tiles import Tiles

MOST_COLUMNS = 100
MOST_PLACES = 2_500
MOST_MOVES = 3_000
MOST_TEXT = 50_000  # characters of a board with its comments
MOST_EXACT = 2**53 - 1  # Number.MAX_SAFE_INTEGER
BYTE_ORDER_MARK = "\ufeff"

Reader = Callable[[Mapping[str, Any]], Any]
"""Parses the JSON object in a body. A function of a module, so that other processes can import it."""


@dataclass(frozen=True)
class PlayedBoard:
    """A board, the legal moves made on it, and the positions: the board's, and that after each move."""

    instance: Instance
    moves: tuple[Move, ...]
    positions: tuple[AnyPuzzle, ...]

    @property
    def position(self) -> AnyPuzzle:
        """The current position."""
        return self.positions[-1]


def fields_of(body: bytes) -> dict[str, Any]:
    """The JSON object in a body."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 text: byte {error.start} is 0x{body[error.start]:02x}"
        raise BoardError("body", problem) from None
    fields = parse_json(text)
    if not isinstance(fields, dict):
        raise BoardError("body", f"expected a JSON object, found {as_json(fields)}")
    return fields


def check_keys(fields: Iterable[str], *known: str) -> None:
    """Refuses the first key that means nothing here, as it may be misspelt, and names the ``known`` ones."""
    for key in fields:
        if key not in known:
            expected = f"expected some of {', '.join(known)}{did_you_mean(key, known)}"
            raise BoardError("", f"unknown key {short(repr(key))}, {expected}")


def instance_asked(fields: Mapping[str, Any], *others: str) -> Instance:
    """The board under ``board``: a JSON object, or text in any notation; ``puzzle`` overrides its rules.

    ``choices`` says which of several readings is meant, see `choices_asked`. Further keys are the ``others``.
    """
    check_keys(fields, "board", "puzzle", "choices", *others)
    puzzle, choices = chosen(fields, "puzzle", PUZZLES), choices_asked(fields)
    match fields.get("board"):
        case dict() as board:
            instances = [instance_of(board, puzzle, choices)]
        case str() as text if len(text) > MOST_TEXT:
            raise BoardError("board", f"expected at most {MOST_TEXT:,} characters, found {len(text):,}")
        case str() as text:
            instances = parse_instances(text.removeprefix(BYTE_ORDER_MARK), puzzle=puzzle, choices=choices)
        case other:
            raise BoardError("board", f"expected a JSON object or a text, found {as_json(other)}")
    if len(instances) != 1:
        raise BoardError("board", f"expected one board, found {len(instances)}")
    check_size(instances[0].puzzle)
    return instances[0]


def choices_asked(fields: Mapping[str, Any]) -> ReadingChoices:
    """What ``choices`` says about how the board is read: an object, as in the readings of a refusal."""
    said = fields.get("choices", {})
    if not isinstance(said, dict):
        raise BoardError("choices", f"expected an object, found {as_json(said)}")
    check_keys(said, *_CHOICES)
    for key, value in said.items():
        expected, is_such = _CHOICES[key]
        if not is_such(value):
            raise BoardError(f"choices.{key}", f"expected {expected}, found {as_json(value)}")
    return ReadingChoices(**said | ({"room": tuple(said["room"])} if "room" in said else {}))


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_COLUMNS


_CHOICES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "read_as": ("the number of a reading, from 1", lambda value: _is_number(value) and value > 0),
    "top_first": ("true or false", lambda value: isinstance(value, bool)),
    "tubes_in": ("rows or columns", lambda value: value in ("rows", "columns")),
    "room": ("a list of words", lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value)),
    "empty": (f"a number up to {MOST_COLUMNS}", _is_number),
    "ignore_unknown": ("true or false", lambda value: isinstance(value, bool)),
}
"""By key of `ReadingChoices`: what is expected, and whether a value is such."""


def check_size(board: AnyPuzzle) -> None:
    """Refuses boards too large for the page to show, or for the server to handle."""
    match board:
        case SortPuzzle():
            columns, places, colours = len(board.tubes), sum(board.capacities), board.palette
        case Tiles():
            columns, places, colours = len(board.columns), sum(map(len, board.columns)), board.palette
        case Shot():
            columns, places, colours = board.width, board.width * board.height, ()
        case _:
            picture = board.picture()
            columns, colours = max(map(len, picture.rows), default=0), tuple(colour for _, colour in picture.legend)
            places = sum(map(len, picture.rows))
    if columns > MOST_COLUMNS or places > MOST_PLACES:
        problem = f"the page takes boards of at most {MOST_COLUMNS} columns and {MOST_PLACES:,} places"
        raise BoardError("board", f"{problem}, found {columns:,} and {places:,}")
    for colour in colours:
        if isinstance(colour, int) and abs(colour) > MOST_EXACT:
            raise BoardError("board", f"a browser can't tell the number {colour} from its neighbours: name the colour")


def played_asked(fields: Mapping[str, Any], *others: str) -> PlayedBoard:
    """The board under ``board`` after the moves under ``moves``."""
    instance = instance_asked(fields, "moves", *others)
    listed = fields.get("moves", [])
    if not isinstance(listed, list):
        raise BoardError("moves", f"expected a list of moves, found {as_json(listed)}")
    if len(listed) > MOST_MOVES:
        raise BoardError("moves", f"expected at most {MOST_MOVES:,}, found {len(listed):,}")
    moves = Plan.from_json(instance.puzzle, listed).moves
    positions = [instance.puzzle]
    for step, move in enumerate(moves, start=1):
        reason = positions[-1].refusal(move)
        if reason is not None:
            raise IllegalMove(step, positions[-1].describe(move), reason)
        positions.append(positions[-1].after_legal(move))
    return PlayedBoard(instance, moves, tuple(positions))


def chosen(fields: Mapping[str, Any], key: str, words: Collection[str]) -> str | None:
    """One of the given words, None if missing."""
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise BoardError(key, f"expected a text, found {as_json(value)}")
    if value is not None and value not in words:
        raise BoardError(key, f"expected one of {', '.join(words)}, found {as_json(value)}")
    return value


def seconds_asked(fields: Mapping[str, Any]) -> float | None:
    """The number under ``seconds``, above 0; None if missing."""
    value = fields.get("seconds")
    if value is not None and (type(value) not in (int, float) or not 0 < value <= MOST):
        raise BoardError("seconds", f"expected a number above 0 and at most {MOST:g}, found {as_json(value)}")
    return value


def whole(fields: Mapping[str, Any], key: str, least: int, most: int, default: int | None) -> int:
    """A whole number from ``least`` to ``most``; one without a ``default`` has to be there."""
    value = fields.get(key, default)
    if type(value) is not int or not least <= value <= most:
        found = as_json(value) if key in fields else "none"
        raise BoardError(key, f"expected a whole number from {least} to {most}, found {found}")
    return value


def yes_or_no(fields: Mapping[str, Any], key: str) -> bool | None:
    """A Boolean, None if missing."""
    value = fields.get(key)
    if value is not None and type(value) is not bool:
        raise BoardError(key, f"expected true or false, found {as_json(value)}")
    return value
