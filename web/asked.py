"""What a request asks: a board, the moves made on it, options; all of it checked, nothing of it believed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bsp_sat.instances.errors import BoardError, IllegalMove
from bsp_sat.instances.files import Instance, instance_of, parse_instances
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.instances.text.fields import as_json
from bsp_sat.instances.text.reading import parse_json


@dataclass(frozen=True)
class Played:
    """A board, and the moves that somebody has made on it.

    Attributes:
        instance: the board.
        moves: legal ones.
        positions: the board, and the position after each move.
    """

    instance: Instance
    moves: tuple[Move, ...]
    positions: tuple[AnyPuzzle, ...]

    @property
    def position(self) -> AnyPuzzle:
        """Where the game stands."""
        return self.positions[-1]


def fields_of(body: bytes) -> dict[str, Any]:
    """The JSON object that a body holds.

    Raises:
        BoardError: it holds none.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 text: byte {error.start} is 0x{body[error.start]:02x}"
        raise BoardError("body", problem) from None
    fields = parse_json(text)
    if not isinstance(fields, dict):
        raise BoardError("body", f"expected a JSON object, found {as_json(fields)}")
    return fields


def instance_asked(fields: Mapping[str, Any]) -> Instance:
    """The board under ``board``: a JSON object, or text in any notation; ``puzzle`` overrides its rules.

    Raises:
        BoardError: there is none, or it is refused.
    """
    puzzle = word(fields, "puzzle")
    match fields.get("board"):
        case dict() as board:
            return instance_of(board, puzzle)
        case str() as text:
            instances = parse_instances(text, puzzle=puzzle)
            if len(instances) != 1:
                raise BoardError("board", f"expected one board, found {len(instances)}")
            return instances[0]
        case other:
            raise BoardError("board", f"expected a JSON object or a text, found {as_json(other)}")


def played_asked(fields: Mapping[str, Any]) -> Played:
    """The board under ``board`` after the moves under ``moves``.

    Raises:
        BoardError: as `instance_asked`, or there is no list of moves.
        PlanError: something there is no move.
        IllegalMove: the first move that breaks a rule.
    """
    instance = instance_asked(fields)
    listed = fields.get("moves", [])
    if not isinstance(listed, list):
        raise BoardError("moves", f"expected a list of moves, found {as_json(listed)}")
    moves = Plan.from_json(instance.puzzle, listed).moves
    positions = [instance.puzzle]
    for step, move in enumerate(moves, start=1):
        reason = positions[-1].refusal(move)
        if reason is not None:
            raise IllegalMove(step, positions[-1].describe(move), reason)
        positions.append(positions[-1].apply(move))
    return Played(instance, moves, tuple(positions))


def word(fields: Mapping[str, Any], key: str) -> str | None:
    """A text, None where there is none.

    Raises:
        BoardError: it is something else.
    """
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise BoardError(key, f"expected a text, found {as_json(value)}")
    return value


def seconds_asked(fields: Mapping[str, Any], most: float, default: float | None = None) -> float:
    """The seconds under ``seconds``, at most what this server allows.

    Raises:
        BoardError: no number above 0.
    """
    value = fields.get("seconds")
    if value is None:
        return min(most, default or most)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise BoardError("seconds", f"expected a number above 0, found {as_json(value)}")
    return min(most, float(value))
