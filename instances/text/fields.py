"""What a board file may hold: the types of its fields, and the one way to check them.

A puzzle lists its keys in a dataclass derived from `BoardFields`. This says which keys there are, of what type and
with what default; what the values must satisfy together is for the puzzle itself to check. Other keys are let through.

pydantic checks the types, strictly: nothing is turned into something else. It takes a tenth of a second to load, which
`--help` need not pay, nor whoever reads a plain board: it is imported where it is needed, not at the top of a module.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, Self

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.text.words import short

MAX_SIZE = 10_000  # far above any game; keeps a mistyped number from filling the memory


@dataclass(frozen=True)
class _Whole:
    """A whole number between two others."""

    least: int
    most: int

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.int_schema(ge=self.least, le=self.most, strict=True)


class _Colour:
    """A string or a whole number."""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.union_schema(
            [core_schema.str_schema(strict=True), core_schema.int_schema(strict=True)],
            custom_error_type="colour",
            custom_error_message="expected a colour (a string or an integer)",
        )


class _Answer:
    """A number of moves, or a word."""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.union_schema(
            [core_schema.int_schema(ge=0, strict=True), core_schema.literal_schema(["unsolvable", "unknown"])],
            custom_error_type="answer",
            custom_error_message='expected a number of moves, "unsolvable" or "unknown"',
        )


class _FromList:
    """A tuple, which JSON writes as a list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return {**handler(source), "strict": False}


ColourField = Annotated[int | str, _Colour()]
"""A colour as the user names it."""

Size = Annotated[int, _Whole(1, MAX_SIZE)]
"""A length, from 1."""

Coordinate = Annotated[int, _Whole(0, MAX_SIZE)]
"""A place on a line, from 0."""

Place = Annotated[tuple[Coordinate, Coordinate], _FromList()]
"""A place on a grid, ``[x, y]``."""

AnswerField = Annotated[Any, _Answer()]
"""A known answer."""


ABOUT = "about the board"
"""In the metadata of a field that a puzzle adds: it is no part of the position."""


@dataclass(kw_only=True)
class BoardFields:
    """The keys that every puzzle has. They are about the board; those that a puzzle adds make up the position.

    A puzzle may give a key of this class another type. It stays one about the board.

    Attributes:
        name: a name.
        source: where the board comes from.
        optimal: the known answer; never used to solve.
    """

    name: str | None = None
    source: str | None = None
    optimal: AnswerField = None

    __pydantic_config__ = {"strict": True}  # noqa: RUF012 - pydantic reads it

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Strict in all but one thing: the whole is a JSON object and no instance of this class yet."""
        return {**handler(source), "strict": False}

    @classmethod
    @cache
    def position_keys(cls) -> frozenset[str]:
        """The keys that make up the position; all others are about the board, such as those with `ABOUT`."""
        own = {field.name for field in fields(cls) if ABOUT not in field.metadata}
        own -= {field.name for field in fields(BoardFields)}
        return frozenset({"puzzle"} | own)

    def about(self) -> dict[str, Any]:
        """What the puzzle's own fields say that is only about the board."""
        own = {field.name: getattr(self, field.name) for field in fields(self) if ABOUT in field.metadata}
        return {name: value for name, value in own.items() if value}

    @classmethod
    @cache
    def _checker(cls) -> Any:
        from pydantic import TypeAdapter

        return TypeAdapter(cls)

    @classmethod
    def at_sight(cls, data: Mapping[str, Any]) -> Self | None:
        """What `read` gives, where that is plain to see: pydantic takes longer to load than such a board to solve.

        None wherever there may be anything to check, or to complain of.
        """
        return None

    @classmethod
    def read(cls, data: Mapping[str, Any], kind: str) -> Self:
        """Checks the types of a JSON object.

        Args:
            data: the object; keys without a field are passed over.
            kind: the puzzle's name, for messages.

        Raises:
            BoardError: with the path of the first fault, in the position where there is one in it, what was expected
                and what was found.
        """
        if (plain := cls.at_sight(data)) is not None:
            return plain
        from pydantic import ValidationError

        try:
            read: Self = cls._checker().validate_python(data)
        except ValidationError as error:
            faults = error.errors(include_url=False)
            first = min(faults, key=lambda fault: fault["loc"][0] not in cls.position_keys())
            raise BoardError(_path(first["loc"]), _problem(first, kind)) from None
        return read


def _path(steps: tuple[int | str, ...]) -> str:
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{short(step)}" if path else short(step)
    return path


def _problem(fault: Mapping[str, Any], kind: str) -> str:
    if fault["type"] == "missing":
        return f"missing, but a {kind} board needs it"
    message = fault["msg"].replace("Input should be", "expected")
    return f"{message[0].lower()}{message[1:]}, found {as_json(fault['input'])}"


def as_json(value: Any) -> str:
    """A value as it stood in the file, cut where it is long."""
    return short(json.dumps(value, ensure_ascii=False, default=repr))
