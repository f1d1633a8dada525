"""Random sort boards."""

from random import Random

from bsp_sat.instances.puzzle import Generator, Number
from bsp_sat.instances.sorting.fields import MAX_COLOURS, SortFields


def _shuffled(chance: Random, colours: int, capacity: int, empty: int) -> SortFields:
    """All balls, colour by colour, shuffled and cut into tubes; then the empty tubes."""
    balls: list[int | str | None] = [colour for colour in range(colours) for _ in range(capacity)]
    chance.shuffle(balls)
    tubes = [balls[start : start + capacity] for start in range(0, len(balls), capacity)]
    return SortFields(capacity=capacity, tubes=[*tubes, *([] for _ in range(empty))])


GENERATOR = Generator(
    command="random",
    summary="Shuffle all balls and cut them into tubes.",
    numbers={
        "colours": Number("Number of colours, each fills one tube.", most=MAX_COLOURS),
        "capacity": Number("Balls a tube.", default=4),
        "empty": Number("Empty tubes.", default=2, least=0),
    },
    board_name="random-c{colours}-h{capacity}-e{empty}",
    make=_shuffled,
    decidable=True,
)
