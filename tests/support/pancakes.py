"""Pancakes, a puzzle from outside the package: flip the top of a stack until the sizes are in order."""

from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from bsp_sat import BoardError, BoardFields, Cell, Picture, PlanError, Puzzle
from bsp_sat.instances.puzzle import Generator, Number
from bsp_sat.instances.text.reading import Size
from bsp_sat.instances.text.words import parse_number

Flip = tuple[int]  # how many, from the top


@dataclass(kw_only=True)
class PancakeFields(BoardFields):
    stack: list[Size]  # from the top


def shuffled(chance: Random, pancakes: int) -> PancakeFields:
    return PancakeFields(stack=chance.sample(range(1, pancakes + 1), pancakes))


@dataclass(frozen=True)
class Pancakes(Puzzle[Flip]):
    stack: tuple[int, ...]

    kind = "pancakes"
    move_key = "how many to flip, from the top"
    fields_type = PancakeFields
    generator = Generator(
        command="pancakes",
        summary="Shuffle a stack of pancakes.",
        numbers={"pancakes": Number("How many.", default=6)},
        board_name="pancakes-{pancakes}",
        make=shuffled,
        decidable=False,  # every stack can be sorted
    )

    @classmethod
    def from_fields(cls, fields: PancakeFields) -> "Pancakes":
        if sorted(fields.stack) != list(range(1, len(fields.stack) + 1)):
            raise BoardError("stack", f"expected the sizes from 1 up, each once, found {fields.stack}")
        return cls(tuple(fields.stack))

    def to_json(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "stack": list(self.stack)}

    @classmethod
    def recognises(cls, text: str) -> bool:
        return text.startswith("pancakes ")

    @classmethod
    def fields_of_text(cls, text: str) -> dict[str, Any]:
        return {"stack": [parse_number(size) or size for size in text.split()[1:]]}

    def to_text(self) -> str:
        return " ".join(map(str, ("pancakes", *self.stack))) + "\n"

    def legal_moves(self) -> list[Flip]:
        return [(number,) for number in range(2, len(self.stack) + 1)]

    def refusal(self, move: Flip) -> str | None:
        return None if 2 <= move[0] <= len(self.stack) else f"there is no flip of {move[0]}"

    def after_legal(self, move: Flip) -> "Pancakes":
        return Pancakes(self.stack[: move[0]][::-1] + self.stack[move[0] :])

    def is_goal(self) -> bool:
        return self.lower_bound() == 0

    def lower_bound(self) -> int:
        # A flip parts or joins one pair of neighbours; the plate is one of them (Helmert 2010).
        return sum(abs(upper - lower) > 1 for upper, lower in pairwise((*self.stack, len(self.stack) + 1)))

    def unfinished(self) -> str:
        return "" if self.is_goal() else "the stack is not in order"

    @classmethod
    def move_from_json(cls, value: Any) -> Flip:
        if isinstance(value, list) and len(value) == 1 and type(value[0]) is int:
            return (value[0],)
        raise PlanError(f"expected [count], found {value!r}")

    @classmethod
    def move_from_text(cls, words: list[str]) -> Flip:
        return cls.move_from_json([parse_number(words[0]) or words[0]])

    def describe(self, move: Flip) -> str:
        return str(move[0])

    def summary(self) -> str:
        return f"pancakes, a stack of {len(self.stack)}"

    def picture(self) -> Picture:
        return Picture(tuple((Cell(str(size)),) for size in self.stack), header=("",))
