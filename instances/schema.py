"""The shape of board files, checked by pydantic. Imported only where a file is read.

Each model says which keys a puzzle has and of what type; what the values must satisfy together is
for the puzzle itself to check. Unknown keys are kept.
"""

import json
from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, StrictStr, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import AnyPuzzle, Colour
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import BallSort, Goal, SortPuzzle, WaterSort
from bsp_sat.instances.tiles import Tiles
from bsp_sat.instances.words import short

MAX_SIZE = 10_000  # far above any game; keeps a mistyped number from filling the memory


def _colour(value: Any) -> Any:
    if type(value) not in (int, str):
        raise PydanticCustomError("colour", "expected a colour (a string or an integer)")
    return value


def _answer(value: Any) -> Any:
    if (type(value) is int and value >= 0) or value in ("unsolvable", "unknown"):
        return value
    raise PydanticCustomError("answer", 'expected a number of moves, "unsolvable" or "unknown"')


ColourField = Annotated[Colour, BeforeValidator(_colour)]
Answer = Annotated[Any, BeforeValidator(_answer)]
Size = Annotated[StrictInt, Field(ge=1, le=MAX_SIZE)]
Coordinate = Annotated[StrictInt, Field(ge=0, le=MAX_SIZE)]


class BoardFile(BaseModel):
    """Keys that every puzzle has."""

    model_config = ConfigDict(extra="allow")

    position_keys: ClassVar[frozenset[str]]
    """Keys that make up the position; all others are about it."""

    name: StrictStr | None = None
    source: StrictStr | None = None

    @abstractmethod
    def build(self, kind: str) -> AnyPuzzle:
        """The position that the file describes."""


class SortFile(BoardFile):
    """A ball-sort or water-sort board."""

    position_keys = frozenset({"puzzle", "capacity", "tubes", "order", "goal"})

    capacity: Size
    tubes: list[list[ColourField]]
    order: Literal["bottom-up", "top-down"] = "bottom-up"
    goal: Goal = "full"
    optimal: dict[str, Answer] | None = None

    def build(self, kind: str) -> AnyPuzzle:
        """The board under the rule ``kind``."""
        puzzle_type: type[SortPuzzle] = {rule.kind: rule for rule in (BallSort, WaterSort)}[kind]
        tubes = self.tubes if self.order == "bottom-up" else [tube[::-1] for tube in self.tubes]
        return puzzle_type.from_tubes(tubes, self.capacity, self.goal)


class TilesFile(BoardFile):
    """A tiles board."""

    position_keys = frozenset({"puzzle", "columns"})

    columns: list[list[ColourField]]
    optimal: Answer = None

    def build(self, kind: str) -> AnyPuzzle:
        """The board."""
        return Tiles.from_columns(self.columns)


class ShotFile(BoardFile):
    """A shot board."""

    position_keys = frozenset({"puzzle", "width", "height", "balls"})

    width: Size = 7
    height: Size = 9
    balls: list[tuple[Coordinate, Coordinate]]
    optimal: Answer = None

    def build(self, kind: str) -> AnyPuzzle:
        """The board."""
        return Shot.from_balls(self.width, self.height, self.balls)


BOARD_FILES: dict[str, type[BoardFile]] = {
    BallSort.kind: SortFile,
    WaterSort.kind: SortFile,
    Tiles.kind: TilesFile,
    Shot.kind: ShotFile,
}


def build_puzzle(data: dict[str, Any]) -> AnyPuzzle:
    """Builds the puzzle that a JSON object describes.

    Raises:
        BoardError: with the path of the first fault, what was expected and what was found.
    """
    kind = data.get("puzzle", BallSort.kind)
    if not isinstance(kind, str) or kind not in BOARD_FILES:
        raise BoardError("puzzle", f"expected one of {', '.join(BOARD_FILES)}, found {_short(kind)}")
    try:
        return BOARD_FILES[kind].model_validate(data).build(kind)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BoardError(_path(first), _problem(first, kind)) from None


def _path(fault: ErrorDetails) -> str:
    path = ""
    for step in fault["loc"]:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def _problem(fault: ErrorDetails, kind: str) -> str:
    if fault["type"] == "missing":
        return f"missing, but a {kind} board needs it"
    message = fault["msg"].replace("Input should be", "expected")
    return f"{message[0].lower()}{message[1:]}, found {_short(fault['input'])}"


def _short(value: Any) -> str:
    return short(json.dumps(value, ensure_ascii=False, default=repr))
